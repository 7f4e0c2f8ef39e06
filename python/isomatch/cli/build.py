"""`isomatch load`, `index` and `schema`: from files to a graph with an index."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isomatch.cli.frame import (
    Endpoint,
    Home,
    Json,
    console,
    print_json,
    print_parts,
    settings_of,
)
from isomatch.cli.options import Language, On
from isomatch.cli.progress import bar
from isomatch.errors import ConfigurationError
from isomatch.executor import HERE

if TYPE_CHECKING:
    from isomatch.link.reading import IndexReport

_BAD_SHOWN = 5


def load(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Also gzipped.")],
    format: Annotated[
        str | None,
        typer.Option(
            metavar="nt|ttl|rdf|trig|nq|jsonld|csv|tsv", help="[default: by file extension]"
        ),
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(help="Of tables; \\t is a tab. [default: found]")
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="IRI for relative IRIs, and for those made of tables.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Skip malformed rows, and list them.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the graph instead of adding to it.")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Load files into the graph, all of them or nothing.

    \b
    Examples:
      isomatch load films.ttl
      isomatch load triples.tsv.gz --base https://my.example/ --skip-bad
    """
    from isomatch.store.load import load as load_files

    settings = settings_of(ctx, home)
    if settings.endpoint is not None:
        raise ConfigurationError(
            "a SPARQL endpoint is set, and isomatch never writes to one: load the files there with "
            "its own tools, or unset ISOMATCH_ENDPOINT to load them into the embedded graph"
        )
    if settings.neo4j_uri is not None:
        raise ConfigurationError(
            "NEO4J_URI is set, and isomatch never writes to Neo4j: load the files there with its "
            "own tools, or unset NEO4J_URI to load them into the embedded graph"
        )
    with bar("loading", "bytes", quiet=as_json) as progress:
        report = load_files(
            files,
            settings.graph_path,
            format=format,
            delimiter="\t" if delimiter == "\\t" else delimiter,
            base=base,
            skip_bad=skip_bad,
            replace=replace,
            progress=progress,
        )
    if as_json:
        from dataclasses import asdict
        from dataclasses import replace as changed

        form = asdict(changed(report, store=None))
        del form["store"]
        print_json(form)
        return
    out = console()
    new = f"{report.added:,} new triple{'s' * (report.added != 1)}"
    out.print(f"{new}, {report.triples:,} in {settings.graph_path} ({report.seconds:.1f} s)")
    if report.skipped:
        out.print(f"{report.skipped:,} bad row{'s' * (report.skipped != 1)} left out:")
        for row in report.bad[:_BAD_SHOWN]:
            out.print(f"  {row.file}, line {row.line}: {row.reason}")
        if report.skipped > _BAD_SHOWN:
            out.print(f"  … {report.skipped - _BAD_SHOWN:,} more; --json lists the first 1,000")
    indexed = settings.index_path.exists()
    if not report.changed:
        out.print("Nothing was added: the graph is as it was" + ", and so is its index" * indexed)
    if report.note:
        out.print(f"note: {report.note}")
    if not report.triples:
        out.print("The graph is empty: no triples were found")
    elif report.changed or not indexed:
        out.print("Next: isomatch index" + (" --sync" if indexed else ""))


def index(
    ctx: typer.Context,
    sync: Annotated[
        bool,
        typer.Option("--sync", help="Embed only new names, and delete those that are gone."),
    ] = False,
    embedder: Annotated[
        str | None,
        typer.Option(
            metavar="minilm|static|sentence-transformers:NAME|openai:MODEL",
            help="static runs no model. [default: that of the index; by the graph's size]",
        ),
    ] = None,
    on: On = HERE,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Embed the names of the graph, for searches to find them.

    A run that is stopped is continued by the next one. The old index stays in use until
    the new one is complete.

    \b
    Examples:
      isomatch index
      isomatch index --sync        after every change of the graph
      isomatch index --on ray:10.0.0.7:6379        embeds on a cluster
    """
    from isomatch.factories import make_index
    from isomatch.link.manifest import counts_words

    settings = settings_of(ctx, home, endpoint=endpoint, embedder=embedder)
    with bar("indexing", "names", quiet=as_json) as progress:
        report = make_index(settings, sync=sync, progress=progress, on=on)
    if as_json:
        print_json(report)
        return
    out = console()
    out.print(
        f"{counts_words(report.texts)}, {report.literals:,} numbers and dates "
        f"in {settings.index_path}; {report.embedded:,} embedded, {report.deleted:,} deleted "
        f"({report.seconds:.1f} s, {report.rate:,.0f} names/s)"
    )
    if shared := _shared(report):
        out.print(shared)
    if report.resumed:
        out.print("continued an earlier run that was stopped")
    if not report.texts["relations"]:
        out.print("The graph has no facts yet, so nothing can be found in it")
        return
    out.print("Next: isomatch match '(?x)-[RELATION]-(\"NAME\")', or isomatch ask 'QUESTION'")


def _shared(report: IndexReport) -> str:
    """What of the names needed no vector of its own, and what identifiers there are."""
    kinds = [f"{count:,} {kind}s" for kind, count in report.values.items()]
    equal = report.entries - sum(report.texts.values())
    parts = [
        f"{equal:,} names share the vector of an equal text" if equal else "",
        f"by value: {', '.join(kinds)}" if kinds else "",
        f"{report.identifiers:,} texts look like identifiers" if report.identifiers else "",
    ]
    return "; ".join(part for part in parts if part)


def schema(
    ctx: typer.Context,
    lexicon: Annotated[
        bool,
        typer.Option("--lexicon", help="Draft the words for relations and types, for you to edit."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File of the lexicon. [default: HOME/lexicon.toml]"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing lexicon.")] = False,
    show: Annotated[int, typer.Option(min=1, help="Most relations and types to print.")] = 30,
    language: Language = None,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Print the relations and types of the graph, with counts.

    \b
    Examples:
      isomatch schema
      isomatch schema --lexicon    writes lexicon.toml, the words to interpret questions with
    """
    from isomatch.factories import draft_of, embedder_of, open_store, schema_of

    settings = settings_of(ctx, home, endpoint=endpoint, language=language)
    with open_store(settings) as store:
        with bar("reading", "facts", quiet=as_json) as progress:
            found = schema_of(settings, store, progress, fresh=True)
        if lexicon:
            from isomatch.lexicon.file import write_lexicon
            from isomatch.link.embed_cache import word_embedder

            path = _free(output or settings.lexicon_path, force)
            with (
                closing(embedder_of(settings)) as embedder,
                closing(word_embedder(embedder, settings.cache_path)) as words,
            ):
                write_lexicon(path, draft_of(settings, store, found, words))
    if lexicon:
        if as_json:
            print_json({"lexicon": str(path)})
        else:
            read = "" if path == settings.lexicon_path else f", copy it to {settings.lexicon_path}"
            console().print(f"wrote {path}: edit the words{read}, then ask again")
    elif as_json:
        print_json(found)
    else:
        from isomatch.output.tables import schema_tables

        print_parts(schema_tables(found, show))


def _free(path: Path, force: bool) -> Path:
    """The path of a lexicon, which is only overwritten with ``--force``."""
    if path.exists() and not force:
        raise ConfigurationError(
            f"{path} already exists and may hold your edits: --force overwrites it, "
            "--output writes another file"
        )
    return path
