"""The Model Context Protocol: tools and resources over a service, for assistants.

A call never gives more tokens than the settings allow, in its text and in its structured
copy, which are the same JSON; a cursor gets what is left.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import json
import logging
import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError
from starlette.requests import Request

from isomatch._version import __version__
from isomatch.errors import IsomatchError
from isomatch.serve.calls import Form
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Caller
from isomatch.serve.mcp_tools import INSTRUCTIONS, TOOLS, Tool
from isomatch.serve.pages import Page, page, shortened_text, written
from isomatch.serve.problems import invalid, problem_of
from isomatch.serve.requests import SchemaRequest
from isomatch.serve.service import Service

_LOG = logging.getLogger("isomatch.serve")
_JSON = "application/json"
_CURSOR = re.compile(r"([0-9a-f]{16})-([0-9]{1,9})")
_RESOURCE = re.compile(r"isomatch://graphs/([^/]+)/(schema|patterns)")
_KEPT_CHARACTERS = 32_000_000  # of results whose next pages may be asked for
_HINTS = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
Context = ServerRequestContext[Any, Any]


class Assistants:
    """Answers assistants over stdio or HTTP.

    Args:
        service: runs what they ask for.
        owner: who asks where no HTTP request tells it: over stdio, the one who started the
            server, who is also told more of errors.
    """

    def __init__(self, service: Service, owner: Caller | None = None):
        self._service = service
        self._owner = owner
        self._tokens = service.settings.assistant_tokens
        self._kept = _Kept(_KEPT_CHARACTERS)
        self.server: Server[Any] = Server(
            "isomatch",
            version=__version__,
            title="isomatch",
            instructions=INSTRUCTIONS,
            get_tool_input_schema=_input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    # -- tools ---------------------------------------------------------------------

    async def _list_tools(self, _: Context, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            hint = _near(params.name, TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name!r}; {hint}")
        try:
            form = await self._page(tool, self._caller(context), params.arguments or {})
        except (IsomatchError, ValidationError) as error:
            return self._refusal(tool, error)
        except Exception as error:
            _LOG.exception("the tool %s failed", tool.name)
            return _told(f"isomatch failed in a way that it should not: {type(error).__name__}")
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=written(form))], structured_content=form
        )

    async def _page(self, tool: Tool, who: Caller, given: Form) -> Form:
        """One page of a tool's result."""
        arguments = tool.arguments.model_validate(given)
        digest, start = _place(arguments.cursor)
        key = (who, tool.name, written(arguments.model_dump(mode="json", exclude={"cursor"})))
        text = None if digest is None else self._kept.get(key, digest)
        if text is None:
            whole = await tool.call(self._service, who, arguments)
            text = await asyncio.to_thread(lambda: written(tool.shown(whole)))
        # A result may have megabytes, and others are answered meanwhile.
        found, part = await asyncio.to_thread(self._cut, text, tool, start)
        if digest is not None and digest != found:
            raise RequestError(
                400,
                "the result has changed since the page before: leave the cursor out to begin again",
                key="cursor",
            )
        if part.next is not None:
            self._kept.put(key, found, text)
        return {
            "truncated": part.next is not None or bool(part.shortened),
            "cursor": None if part.next is None else f"{found}-{part.next}",
            **({"shortened": part.shortened} if part.shortened else {}),
            **part.form,
        }

    def _cut(self, text: str, tool: Tool, start: int) -> tuple[str, Page]:
        """The digest of a result, and its page."""
        digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]
        return digest, page(json.loads(text), tool.lists, self._tokens, start)

    def _caller(self, context: Context) -> Caller:
        request = context.request
        if isinstance(request, Request):
            found = request.state.caller
            assert isinstance(found, Caller)  # set by the route
            return found
        assert self._owner is not None  # over stdio
        return self._owner

    def _refusal(self, tool: Tool, error: IsomatchError | ValidationError) -> types.CallToolResult:
        """What is wrong with a call, where, and what to do, for the model to read."""
        if isinstance(error, ValidationError):
            wrong = [{**one, "loc": ("arguments", *one["loc"])} for one in error.errors()]
            problem = invalid(wrong, tool.arguments)
            return _told(shortened_text(problem["detail"], self._tokens // 2))
        key = error.key if isinstance(error, RequestError) else None
        detail = self._detail(error)
        return _told(detail if key is None else f"{key}: {detail}")

    def _detail(self, error: IsomatchError) -> str:
        """What an error says; a stranger is not told where the database is."""
        told = str(error) if self._owner is not None else problem_of(error)[0]["detail"]
        return shortened_text(told, self._tokens // 2)

    # -- resources -----------------------------------------------------------------

    async def _list_resources(self, context: Context, _: Any) -> types.ListResourcesResult:
        listed = []
        for graph in self._service.graphs.all(self._caller(context)):
            at = f"isomatch://graphs/{quote(graph.name, safe='')}"
            listed.append(
                types.Resource(
                    uri=f"{at}/schema",
                    name=f"{graph.name} schema",
                    description=f"Types and relations of the graph {graph.name}.",
                    mime_type=_JSON,
                )
            )
            if graph.database != "neo4j":
                listed.append(
                    types.Resource(
                        uri=f"{at}/patterns",
                        name=f"{graph.name} patterns",
                        description=f"Patterns that are saved in the graph {graph.name}, by name.",
                        mime_type=_JSON,
                    )
                )
        return types.ListResourcesResult(resources=listed)

    async def _list_templates(self, _: Context, __: Any) -> types.ListResourceTemplatesResult:
        about = {"schema": "Types and relations of a graph.", "patterns": "Its saved patterns."}
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=f"isomatch://graphs/{{graph}}/{name}",
                    name=name,
                    description=description,
                    mime_type=_JSON,
                )
                for name, description in about.items()
            ]
        )

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        found = _RESOURCE.fullmatch(params.uri)
        if found is None:
            raise MCPError(
                types.INVALID_PARAMS,
                f"there is no resource {shortened_text(params.uri, 100)}; there are "
                "isomatch://graphs/GRAPH/schema and isomatch://graphs/GRAPH/patterns",
            )
        graph, name = unquote(found[1]), found[2]
        who = self._caller(context)
        try:
            if name == "schema":
                form = await self._service.schema(
                    who, SchemaRequest.model_validate({"graph": graph, "limit": 1_000})
                )
                lists = TOOLS["schema"].lists
            else:
                form, lists = await self._service.saved(who, graph), (("patterns",),)
        except IsomatchError as error:
            raise MCPError(types.INVALID_PARAMS, self._detail(error)) from error
        part = page(form, lists, self._tokens)
        cut = part.next is not None or bool(part.shortened)
        contents = types.TextResourceContents(
            uri=params.uri, mime_type=_JSON, text=written({"truncated": cut, **part.form})
        )
        return types.ReadResourceResult(contents=[contents])


class _Kept:
    """The last results that did not fit into a page, so that the next page is of the same one."""

    def __init__(self, most: int):
        self._most = most
        self._entries: OrderedDict[Any, tuple[str, str]] = OrderedDict()

    def get(self, key: Any, digest: str) -> str | None:
        """The result of that digest, as JSON; None where it is not kept."""
        found = self._entries.get(key)
        if found is None or found[0] != digest:
            return None
        self._entries.move_to_end(key)
        return found[1]

    def put(self, key: Any, digest: str, text: str) -> None:
        """Keep a result, and forget the oldest where they are too large together."""
        self._entries.pop(key, None)
        self._entries[key] = digest, text
        while sum(len(text) for _, text in self._entries.values()) > self._most:
            self._entries.popitem(last=False)


async def serve_stdio(assistants: Assistants) -> None:
    """Answer over standard input and output until the input ends."""
    server = assistants.server
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _input_schema(name: str) -> dict[str, Any] | None:
    return TOOLS[name].input_schema() if name in TOOLS else None


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=tool.output_schema(),
        annotations=_HINTS,
    )


def _told(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _place(cursor: str | None) -> tuple[str | None, int]:
    """The digest of the result that a cursor is of, and the first entry of the page."""
    if cursor is None:
        return None, 0
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise RequestError(
            400,
            "this tool has given no such cursor: take that of the page before, or leave it out to "
            "begin again",
            key="cursor",
        )
    return found[1], int(found[2])


def _near(name: str, known: Mapping[str, Tool]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
