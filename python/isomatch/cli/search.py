"""`isomatch match`, `ask`, `explain` and `find`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isomatch.cli.frame import (
    BUDGET_ENDED,
    NOTHING_FOUND,
    Endpoint,
    Home,
    Json,
    argument_text,
    console,
    open_session,
    print_json,
    print_parts,
    print_rows,
)
from isomatch.cli.options import (
    PRIZES,
    Ids,
    Interpreter,
    Language,
    LanguageModel,
    NoPlugin,
    OutputFormat,
    Retriever,
    Show,
    ShowCypher,
    ShowQuery,
    Topics,
    TrainedModel,
    UnsupportedSentences,
    choice,
    given_options,
    model_settings,
    output_format,
    plugin_setting,
    takes_search_options,
)
from isomatch.errors import ConfigurationError
from isomatch.link.candidates import KINDS
from isomatch.options import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import RenderableType

    from isomatch.answer.types import Answer
    from isomatch.match.types import MatchResult
    from isomatch.session import Session


def find(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Words; - reads standard input.")],
    limit: Annotated[
        int, typer.Option("--limit", "-k", "--k", min=1, help="Most of each kind.")
    ] = 10,
    kind: Annotated[
        list[str] | None, choice("--kind", KINDS, "What to find; may be repeated. [default: all]")
    ] = None,
    endpoint: Endpoint = None,
    home: Home = None,
    form: OutputFormat = None,
    as_json: Json = False,
) -> None:
    """Find nodes, relations and types by their names.

    \b
    Examples:
      isomatch find 'Micheal Mann'
      isomatch find 'directed by' --kind relation --json
    """
    chosen_form = output_format(form, as_json)
    with open_session(ctx, home, endpoint=endpoint) as session:
        text = argument_text(text).strip()
        found = session.find(text, kinds=kind or KINDS, limit=limit)
    if chosen_form is Format.json:
        from isomatch.output.json import found_form

        print_json(found_form(text, found))
    elif chosen_form and chosen_form is not Format.table:
        from isomatch.output.rows import findings_rows

        print_rows(findings_rows(found), chosen_form, len(found))
    elif found:
        from isomatch.output.tables import findings_table

        print_parts([findings_table(found)])
    else:
        print_parts(["nothing found: nothing of the graph has a name"])
    if not found:
        raise typer.Exit(NOTHING_FOUND)


PatternArgument = Annotated[
    str,
    typer.Argument(metavar="PATTERN", help="Short text, triples or JSON; - reads standard input."),
]


@takes_search_options()
def match(
    ctx: typer.Context,
    pattern: PatternArgument,
    show: Show = 10,
    profile: Annotated[
        bool, typer.Option("--profile", help="Also print rounds, rows and the time of each stage.")
    ] = False,
    mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Draw the best match as a Mermaid flowchart.")
    ] = False,
    dot: Annotated[bool, typer.Option("--dot", help="Draw the best match for Graphviz.")] = False,
    form: OutputFormat = None,
    ids: Ids = False,
    show_query: ShowQuery = False,
    show_cypher: ShowCypher = False,
    no_plugin: NoPlugin = False,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Find the best matching subgraphs of a pattern.

    \b
    Examples:
      isomatch match '(?film:film)-[directed by]-("Michael Mann")'
      isomatch match '(?a)-[acted in]-(?f)-[directed by]-("Michael Mann") return ?a' -k 1
      echo '("UNKNOWN film 1", "directed by", "Michael Mann")' | isomatch match - --json

    \b
    Exit codes: 0 matched (or proven "no"), 8 nothing found, 9 nothing found before a budget
    ended the search; `isomatch --help` lists the others.
    """
    chosen_form = output_format(form, as_json, mermaid, dot, query=show_query or show_cypher)
    chosen = given_options(options)
    pattern = argument_text(pattern)
    with open_session(ctx, home, endpoint=endpoint, plugin=plugin_setting(no_plugin)) as session:
        _check_cypher(session, show_cypher)
        result = session.match(pattern, **chosen)
        shown = {"query": show_query, "cypher": show_cypher}
        query = _query(result, session, chosen, shown)
    if chosen_form is Format.json:
        from isomatch.output.json import result_form

        print_json({**result_form(result), **query})
    elif mermaid or dot:
        _draw(result, as_mermaid=mermaid)
    else:
        from isomatch.output.rows import result_rows
        from isomatch.output.tree import profile_line, result_trees, rows_remarks

        parts = rows_remarks(result) if chosen_form else result_trees(result, show, ids=ids)
        if profile:
            parts.append(profile_line(result.profile))
        if chosen_form:
            print_rows(result_rows(result), chosen_form, show, ids=ids)
        _print_told(parts, query, stderr=chosen_form is not None)
    if not (result.found or result.refuted):
        raise _nothing(result)


def _check_cypher(session: Session, show_cypher: bool) -> None:
    if show_cypher:
        from isomatch.output.convert import check_cypher

        check_cypher(session)


def _query(
    result: MatchResult | None,
    session: Session,
    options: Mapping[str, Any],
    shown: Mapping[str, bool],
) -> dict[str, str | None]:
    """The best interpretation as a query, under its keys in JSON."""
    from isomatch.output.queries import to_query

    if not any(shown.values()):
        return {}
    text = to_query(result, session, **options) if result is not None and result.found else None
    return {key: text for key, wanted in shown.items() if wanted}


def _print_told(
    parts: Iterable[RenderableType], query: Mapping[str, str | None], *, stderr: bool
) -> None:
    """What is for people, and the query; on standard error where the output is data."""
    print_parts(parts, stderr=stderr)
    for text in filter(None, set(query.values())):
        print(f"\n{text}", file=sys.stderr if stderr else sys.stdout)


def _nothing(result: MatchResult | None) -> typer.Exit:
    ended = result is not None and result.certificate.ended_by
    return typer.Exit(BUDGET_ENDED if ended else NOTHING_FOUND)


def _draw(result: MatchResult, *, as_mermaid: bool) -> None:
    from isomatch.output.tree import dot, mermaid
    from isomatch.output.words import nothing_words

    first = next(result.matches, None)
    if first is None:
        console(stderr=True).print(f"{nothing_words(result)}: nothing to draw")
        return
    print((mermaid if as_mermaid else dot)(first[1], result.pattern))


@takes_search_options(
    "k",
    "limit",
    "nodes",
    "direction",
    "budget_seconds",
    "budget_rows",
    "exact_vectors",
    "same_as",
    *PRIZES,
)
def ask(
    ctx: typer.Context,
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="In plain words; - reads standard input.")
    ],
    interpreter: Interpreter = "auto",
    retriever: Retriever = "pattern",
    topics: Topics = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="Print the answer while the model writes it.")
    ] = False,
    model: TrainedModel = None,
    llm: LanguageModel = None,
    language: Language = None,
    unsupported: UnsupportedSentences = None,
    show: Show = 10,
    mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Draw the cited facts as a Mermaid flowchart.")
    ] = False,
    dot: Annotated[bool, typer.Option("--dot", help="Draw them for Graphviz.")] = False,
    form: OutputFormat = None,
    ids: Ids = False,
    show_query: ShowQuery = False,
    show_cypher: ShowCypher = False,
    no_plugin: NoPlugin = False,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Answer a question, with the facts that support the answer.

    \b
    Examples:
      isomatch ask 'which films did Michael Mann direct'
      isomatch ask 'who starred in Heat' --interpreter schema --json
      isomatch ask 'how are Heat and Ali connected' --retriever steiner

    \b
    Exit codes: 0 answered, 8 the graph does not say, 9 a budget ended the
    search before an answer was found; `isomatch --help` lists the others.
    """
    chosen_form = output_format(form, as_json, mermaid, dot, query=show_query or show_cypher)
    if stream and (chosen_form or mermaid or dot):
        other = "--json" if as_json else "--format" if chosen_form else "a drawing"
        raise ConfigurationError(f"--stream and {other} exclude each other: give one")
    chosen = given_options(options)
    asked: dict[str, Any] = {
        "interpreter": interpreter,
        "retriever": retriever,
        "topics": topics or None,
        **chosen,
    }
    question = argument_text(question).strip()
    with open_session(
        ctx,
        home,
        endpoint=endpoint,
        model=llm,
        language=language,
        unsupported=unsupported,
        plugin=plugin_setting(no_plugin),
        **model_settings(model),
    ) as session:
        _check_cypher(session, show_cypher)
        if stream:
            answer = _streamed(session.stream(question, **asked))
        else:
            answer = session.ask(question, **asked)
        found_with = answer.hypothesis.options if answer.hypothesis else {}
        shown = {"query": show_query, "cypher": show_cypher}
        query = _query(answer.result, session, {**found_with, **chosen}, shown)
    if chosen_form is Format.json:
        from isomatch.output.json import answer_form

        print_json({**answer_form(answer), **query})
    elif mermaid or dot:
        _draw_evidence(answer, as_mermaid=mermaid)
    else:
        from isomatch.output.rows import answer_rows
        from isomatch.output.tree import answer_parts

        if chosen_form:
            print_rows(answer_rows(answer), chosen_form, show, ids=ids)
        parts = answer_parts(answer, show, with_text=not stream, ids=ids)
        _print_told(parts, query, stderr=chosen_form is not None)
    if not answer.supported:
        raise _nothing(answer.result)


def _draw_evidence(answer: Answer, *, as_mermaid: bool) -> None:
    """The cited facts; the answers stand out, or else the topics."""
    from isomatch.output.tree import digraph, flowchart

    facts = [e.triple for e in answer.evidence if e.number in answer.cited]
    if not facts:
        console(stderr=True).print("no facts were cited: nothing to draw")
        return
    marked = {node.id for node in answer.answers}
    if answer.selection is not None:
        marked |= set(answer.selection.topics)
    print((flowchart if as_mermaid else digraph)(list(dict.fromkeys(facts)), marked))


def _streamed(pieces: Iterable[str | Answer]) -> Answer:
    """Print the pieces of a text as they arrive; return the answer, which comes last."""
    from isomatch.answer.types import Answer
    from isomatch.phrasing import printable

    printed = ""
    for piece in pieces:
        if isinstance(piece, Answer):
            if printed.strip() != piece.text.strip():  # asked again, or refused
                print(f"\n\n{printable(piece.text)}", end="")
            print("\n")
            return piece
        printed += piece
        print(printable(piece), end="", flush=True)
    raise RuntimeError("the stream ended without an answer")


@takes_search_options()
def explain(
    ctx: typer.Context,
    pattern: PatternArgument,
    query: Annotated[
        bool,
        typer.Option(
            "--query",
            help="Print only the query for the best interpretation, to paste into YASGUI or "
            "Neo4j Browser. This runs the search.",
        ),
    ] = False,
    no_plugin: NoPlugin = False,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Show how a pattern would be searched, with the queries.

    \b
    Examples:
      isomatch explain '(?film:film)-[directed by]-("Michael Mann")'
      isomatch explain '(?film:film)-[directed by]-("Michael Mann")' --query
    """
    chosen = given_options(options)
    pattern = argument_text(pattern)
    with open_session(ctx, home, endpoint=endpoint, plugin=plugin_setting(no_plugin)) as session:
        if query:
            result = session.match(pattern, **chosen)
            shown = _query(result, session, chosen, {"query": True})
            _print_query(result, shown, as_json)
            return
        explanation = session.explain(pattern, **chosen)
    if as_json:
        from isomatch.output.json import explanation_form

        print_json(explanation_form(explanation))
        return
    from isomatch.output.tables import explanation_tables

    print_parts(explanation_tables(explanation))
    for text in explanation.queries:
        print(f"\n{text}")


def _print_query(result: MatchResult, shown: Mapping[str, str | None], as_json: bool) -> None:
    from isomatch.output.tree import rows_remarks

    if as_json:
        print_json(shown)
    elif text := shown["query"]:
        print(text)
    else:
        print_parts(rows_remarks(result), stderr=True)
    if shown["query"] is None:
        raise _nothing(result)
