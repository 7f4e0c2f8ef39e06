"""Query templates in ``queries/``, rendered with the language's escaping filters.

A new query language makes one `Templates` value from its folders and filters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment, Template


def queries_folder() -> Path:
    """The folder of all templates: inside the package in a wheel, else in the checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "queries"
    return inside if inside.is_dir() else package.parents[1] / "queries"


class Templates:
    """The templates of one query language.

    Only two kinds of things enter a query text: the structure of a plan, and ids from
    the introspected schema or the vector index, through an escaping filter. Names,
    questions and model output never do; node ids that vary are parameters.

    Args:
        folders: in ``queries/``; the first that has a template counts.
        filters: Jinja2 filters that escape ids: the only way for an id into a text.
        tests: Jinja2 tests.
    """

    def __init__(
        self,
        *folders: str,
        filters: Mapping[str, Callable[..., Any]],
        tests: Mapping[str, Callable[..., bool]] | None = None,
    ):
        self.folders = folders
        self.filters = dict(filters)
        self._tests = dict(tests or {})
        self._parsed: dict[str, Template] = {}

    @cached_property
    def environment(self) -> Environment:
        """The Jinja2 environment; made at first use, because importing it takes time."""
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        from isomatch.store.compiled import CompiledTemplates

        environment = Environment(
            loader=FileSystemLoader([queries_folder() / name for name in self.folders]),
            undefined=StrictUndefined,
            autoescape=False,  # noqa: S701 - not HTML; ids go through the filters
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=CompiledTemplates(),
        )
        environment.filters.update({n: _at_each_call(f) for n, f in self.filters.items()})
        environment.tests.update({n: _at_each_call(f) for n, f in self._tests.items()})
        return environment

    def render(self, template: str, **values: Any) -> str:
        """The text of a template.

        Raises:
            jinja2.UndefinedError: a value is missing.
            ValueError: an id cannot be written in the language.
        """
        found = self._parsed.get(template)
        if found is None:
            found = self._parsed[template] = self.environment.get_template(template)
        return found.render(**values)


def _at_each_call(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that is not called at compile time, for constants: its results are not kept."""
    from jinja2 import pass_context

    return pass_context(lambda context, *given: function(*given))
