"""`isomatch eval` and `isomatch compare`: measure answers, and compare two runs."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isomatch.cli.evaluate_open import OPEN, PRIZE_OPTIONS, evaluate_open, refuse
from isomatch.cli.frame import Endpoint, Home, Json, print_json, print_parts, settings_of
from isomatch.cli.options import (
    LanguageModel,
    On,
    TrainedModel,
    choice,
    given_options,
    interpreter_option,
    model_settings,
    takes_search_options,
)
from isomatch.cli.progress import bar, resumable
from isomatch.errors import ConfigurationError
from isomatch.executor import HERE
from isomatch.options import RETRIEVERS, Baseline, Patterns, SplitBy, Topics
from isomatch.seed import SEED

if TYPE_CHECKING:
    from isomatch.evaluate.metrics import Naming


# Options with the names of fields of `EvalConfig`, which are passed on as they are.
_CONFIG = (
    *("split", "hops", "limit", "split_by", "share", "seed", "strict"),
    *("patterns", "interpreter", "retriever", "baseline", "topics", "on"),
)


# Options that only questions with known answers have, and the first of them with a default.
_CLOSED = (
    *("patterns", "unknown_relation", "interpreter", "retriever", "baseline", "topics"),
    *("split", "split_by", "share", "fold_case", "numbers", "aliases", "own_graph", "on"),
    *("nodes", "direction", "results"),
)
_DEFAULTS = {"split": "dev", "share": 0.5, "on": HERE}


@takes_search_options("k", "nodes", "direction", "results", *PRIZE_OPTIONS, more=OPEN)
def eval_(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SET:DIR|FILE.jsonl]",
            help="metaqa, pathquestion, worldcup, webqsp or okgqa and its folder, or questions of "
            "your own: a JSON object a line, with question, answers and, if known, topics and "
            "chain; or open questions, which isomatch questions makes.",
        ),
    ] = None,
    feedback: Annotated[
        bool,
        typer.Option(
            "--feedback",
            help="Ask the questions that people corrected or judged, in place of a set.",
        ),
    ] = False,
    data: Annotated[
        Path | None, typer.Option(help="Folder of the set, where only its name is given.")
    ] = None,
    split: Annotated[str, typer.Option(help="Split of the set, where it has several.")] = "dev",
    hops: Annotated[
        int | None,
        typer.Option(
            help="Only questions of so many hops; of open ones, how far from the topics facts are "
            "read."
        ),
    ] = None,
    patterns: Annotated[
        Patterns | None,
        choice(
            "--patterns",
            Patterns,
            "Match the data's own patterns, or ask its questions. [default: gold for a set, "
            "unless an interpreter or a retriever is named]",
        ),
    ] = None,
    unknown_relation: Annotated[
        bool,
        typer.Option("--unknown-relation", help="Remove one relation's words from each pattern."),
    ] = False,
    interpreter: Annotated[
        str | None,
        interpreter_option(
            "What interprets the questions. [default: auto for your own, schema for a set]"
        ),
    ] = None,
    retriever: Annotated[
        str | None,
        choice("--retriever", RETRIEVERS, "What finds the evidence. [default: pattern]"),
    ] = None,
    baseline: Annotated[
        Baseline | None,
        choice(
            "--baseline",
            Baseline,
            "Measure this in place of an interpreter. text-to-query runs, read-only, queries "
            "that the language model writes.",
        ),
    ] = None,
    topics: Annotated[
        Topics | None,
        choice(
            "--topics",
            Topics,
            "Pass each question's topics, or find them in its words. [default: found]",
        ),
    ] = None,
    model: TrainedModel = None,
    llm: LanguageModel = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Most questions of each part, the same every time.")
    ] = None,
    split_by: Annotated[
        SplitBy | None,
        choice(
            "--split-by",
            SplitBy,
            "Ask only the side that a training run with the same share and seed leaves out. "
            "[default: none]",
        ),
    ] = None,
    share: Annotated[
        float,
        typer.Option(min=0, max=1, help="With --split-by: share of questions for training."),
    ] = 0.5,
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = SEED,
    fold_case: Annotated[
        bool, typer.Option("--fold-case", help="Compare names without the case of letters.")
    ] = False,
    numbers: Annotated[
        bool, typer.Option("--numbers", help="Compare names that are numbers as numbers.")
    ] = False,
    aliases: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json", help="Aliases that count: an object of name to list of names."
        ),
    ] = None,
    perturb: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METHOD:LEVEL",
            help="Ask a copy of the graph with errors, as RS:0.2; the methods are RS, RR, ER and "
            "ED. Several, as RS,RR:0.1,0.3, give curves beside the graph itself.",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first malformed line or unknown name.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder for rows, figures and report; a stopped run is resumed."
        ),
    ] = None,
    on: On = HERE,
    own_graph: Annotated[
        bool, typer.Option("--own-graph", help="Ask a set's questions of your own graph.")
    ] = False,
    endpoint: Endpoint = None,
    home: Annotated[
        Path | None,
        typer.Option(
            "--home",
            help="Folder of graph and index; for a set, folder to keep its graph under. "
            "[default: .isomatch; the user's cache]",
        ),
    ] = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Measure answers and retrieval on questions with known answers.

    \b
    Examples:
      isomatch eval questions.jsonl --interpreter gsr --out runs/gsr
      isomatch eval metaqa:data/metaqa --hops 2 --patterns gold --limit 300
      isomatch eval questions.jsonl --baseline text-to-query --out runs/t2q
      isomatch eval questions.jsonl --perturb RS,ED:0.1,0.3,0.5 --out runs/errors
      isomatch compare runs/t2q runs/gsr
      isomatch eval okgqa --data data/okgqa --data-graph data/fb15k-237
      isomatch eval --feedback
      isomatch eval questions.jsonl --out runs/schema --on processes
    """
    from isomatch.evaluate import EvalConfig, run_curves, run_eval
    from isomatch.perturb.types import parse_all
    from isomatch.questions.open.sets import is_open

    source = _source(ctx, source, feedback)
    if not feedback and is_open(source, data):
        refuse(ctx.params, _DEFAULTS, _CLOSED, "questions with known answers")
        evaluate_open(ctx, source, options, out=out, home=home, endpoint=endpoint, as_json=as_json)
        return
    refuse(options, {}, OPEN, "open questions")
    perturbations = parse_all(perturb or (), seed)
    config = EvalConfig.make(
        source,
        data,
        **{key: ctx.params[key] for key in _CONFIG},
        wording="unknown relation" if unknown_relation else "names",
        options=given_options({k: v for k, v in options.items() if k not in OPEN}),
        naming=_naming(fold_case, numbers, aliases),
        own_graph=own_graph or endpoint is not None,
        perturb=perturbations[0] if len(perturbations) == 1 else None,
    )
    settings = settings_of(ctx, home, endpoint=endpoint, model=llm)
    given = {**model_settings(model), **({"model": llm} if llm else {})}
    measure = run_eval
    if feedback:
        from isomatch.evaluate.regression import open_regression

        measure = partial(run_eval, regression=open_regression(settings, given))
    if len(perturbations) > 1:
        measure = partial(run_curves, perturbations=perturbations)
    with (
        resumable(out, "resumes with the questions that have no row"),
        bar(f"evaluating {source}", "done", quiet=as_json) as progress,
    ):
        report = measure(
            config,
            out=out,
            home=home or ctx.obj.home,
            settings=settings,
            given=given,
            progress=progress,
        )
    if as_json:
        print_json(report)
        return
    from isomatch.evaluate.curves import curves_for_terminal
    from isomatch.evaluate.tables import evaluation_tables

    print_parts((curves_for_terminal if "points" in report else evaluation_tables)(report))
    if out is not None:
        print(f"\nreport: {out / 'report.html'}")


# Options that choose questions of a set, or the graph that they are about.
_OF_SETS = (
    *("data", "split", "hops", "patterns", "unknown_relation", "split_by", "share", "limit"),
    *("perturb", "strict", "own_graph"),
)


def _source(ctx: typer.Context, source: str | None, feedback: bool) -> str:
    """The questions' source; ``feedback`` for those that are kept beside the graph.

    Raises:
        ConfigurationError: there is none, or there are two.
    """
    if not feedback:
        if source is None:
            raise ConfigurationError(
                "say what to ask: a set and its folder (metaqa:DIR), a file of questions, or "
                "--feedback for those that people corrected"
            )
        return source
    if source is not None:
        raise ConfigurationError(f"give {source} or --feedback, not both")
    refuse({key: ctx.params[key] for key in _OF_SETS}, _DEFAULTS, _OF_SETS, "question sets")
    return "feedback"


def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run of eval.")],
    second: Annotated[Path, typer.Argument(metavar="RUN", help="Of another, on the same set.")],
    seed: Annotated[int, typer.Option(help="Seed of resamples and permutations.")] = SEED,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Also write the comparison as Markdown.")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Compare two runs of `isomatch eval`, question by question.

    It gives intervals and tests of significance.

    \b
    Example:
      isomatch compare runs/schema runs/gsr
    """
    from isomatch.evaluate.compare import compare_runs, comparison_markdown, comparison_tables

    found = compare_runs(first, second, seed=seed)
    if out is not None:
        from isomatch.evaluate.runs import write_text

        write_text(out, comparison_markdown(found))
    if as_json:
        print_json(found)
        return
    print_parts(comparison_tables(found))


def _naming(fold_case: bool, numbers: bool, aliases: Path | None) -> Naming:
    """How names are compared.

    Raises:
        ConfigurationError: the file is not an object of names and lists of names.
    """
    from isomatch.evaluate.metrics import Naming

    if aliases is None:
        return Naming(fold_case, numbers=numbers)
    try:
        content = json.loads(aliases.read_text(encoding="utf-8"))
        pairs = {str(alias): str(name) for name, others in content.items() for alias in others}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise ConfigurationError(
            f'--aliases {aliases}: expected a JSON object such as {{"New York City": ["NYC"]}} '
            f"({error})"
        ) from error
    return Naming(fold_case, pairs, numbers)
