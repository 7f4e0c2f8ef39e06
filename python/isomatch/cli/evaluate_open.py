"""`isomatch eval` on open questions: its own options, and the run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isomatch.cli.frame import NOTHING_FOUND, print_json, print_parts, settings_of
from isomatch.cli.options import given_options, model_settings
from isomatch.cli.progress import bar, resumable
from isomatch.errors import ConfigurationError

if TYPE_CHECKING:
    from isomatch.evaluate.okgqa.config import OpenEvalConfig

PRIZE_OPTIONS = (
    *("cost", "prizes", "most_facts", "least_rank", "most_nodes", "length", "pruning"),
    "proof_seconds",
)
OPEN: dict[str, Any] = {
    "system": Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            metavar="NAME",
            help="Of open questions, what answers them: triplets, paths, steiner; a language model "
            "without the graph: zero-shot, few-shot, cot, sc, cot-sc; or all. May be repeated. "
            "[default: the first three, and with a model zero-shot]",
        ),
    ],
    "metric": Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Of open questions, what answers are judged by; may be repeated. [default: all "
            "that can be had]",
        ),
    ],
    "type": Annotated[
        list[str] | None,
        typer.Option(
            "--type", metavar="TYPE", help="Only open questions of this type; may be repeated."
        ),
    ],
    "samples": Annotated[
        int | None,
        typer.Option(min=1, help="Samples of a model, for sc and cot-sc. [default: 5]"),
    ],
    "judge": Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Language model that judges. [default: the one that writes]"
        ),
    ],
    "reference": Annotated[
        list[str] | None,
        typer.Option(
            "--reference",
            metavar="graph|descriptions|PATH",
            help="What answers to open questions are checked against: facts of the graph, "
            "descriptions, or texts about entities (name, tab, text; JSON lines; a folder of "
            "files); may be repeated. [default: graph, descriptions]",
        ),
    ],
    "data_graph": Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Ask open questions of FB15k-237, whose files are there, and not of your graph.",
        ),
    ],
    "self_test": Annotated[
        bool | None,
        typer.Option(
            "--self-test/--no-self-test",
            help="Test the judge on facts of known truth. [default: where a model judges]",
        ),
    ],
    "facts": Annotated[
        int | None, typer.Option(min=3, help="How many facts that test has. [default: 60]")
    ],
}
_COMMON = ("seed", "limit", "strict", "data", "perturb")
_NAMES = {"system": "systems", "metric": "metrics", "type": "types"}


def evaluate_open(
    ctx: typer.Context,
    source: str,
    options: Mapping[str, Any],
    *,
    out: Path | None,
    home: Path | None,
    endpoint: str | None,
    as_json: bool,
) -> None:
    """Evaluate on open questions, and print the tables.

    Args:
        options: of the search and of `OPEN`, as typer gives them.
    """
    from isomatch.evaluate.okgqa.runner import run_open_eval
    from isomatch.evaluate.okgqa.tables import open_tables
    from isomatch.judge.answers import no_use

    config = _config(ctx.params, source, options)
    if config.data_graph is not None and endpoint is not None:
        raise ConfigurationError("--data-graph asks FB15k-237, and --endpoint your graph: drop one")
    llm, trained = ctx.params["llm"], ctx.params["model"]
    with (
        resumable(out, "resumes with the answers that have no row"),
        bar(f"evaluating {source}", "answers", quiet=as_json) as progress,
    ):
        report = run_open_eval(
            config,
            out=out,
            home=home or ctx.obj.home,
            settings=settings_of(ctx, home, endpoint=endpoint, model=llm),
            given={**model_settings(trained), **({"model": llm} if llm else {})},
            progress=progress,
        )
    if as_json:
        print_json(report)
    else:
        print_parts(open_tables(report))
        if out is not None:
            print(f"\nreport: {out / 'report.html'}")
    if report["judge_failed"]:
        raise no_use(report["judge"])
    if report["failed"] == 1.0:
        raise typer.Exit(NOTHING_FOUND)


def _config(params: Mapping[str, Any], source: str, options: Mapping[str, Any]) -> OpenEvalConfig:
    from isomatch.evaluate.okgqa.config import OpenEvalConfig

    fields = {_NAMES.get(key, key): options[key] for key in OPEN if options.get(key) is not None}
    search = given_options({key: value for key, value in options.items() if key not in OPEN})
    if params.get("hops") is not None:
        search["hops"] = params["hops"]
    common = {key: params[key] for key in _COMMON if params.get(key) is not None}
    return OpenEvalConfig.make(source, options=search, **common, **fields)


def refuse(params: Mapping[str, Any], defaults: Mapping[str, Any], names: Any, why: str) -> None:
    """Refuse options that were given and have no meaning here.

    Args:
        params: by name, as typer gives them.
        defaults: by name; an option that has another value was given.
        names: of the options.
        why: what they are of, in words.

    Raises:
        ConfigurationError: one was given.
    """
    for name in names:
        value = params.get(name)
        if value != defaults.get(name) and value not in (None, False, [], ()):
            raise ConfigurationError(f"--{name.replace('_', '-')} is for {why}: drop it")
