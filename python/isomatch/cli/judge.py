"""`isomatch judge`: judge a file of answers, and test the judge itself."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isomatch.cli.frame import (
    NOTHING_FOUND,
    Endpoint,
    Home,
    Json,
    console,
    print_json,
    print_parts,
    settings_of,
)
from isomatch.cli.options import LanguageModel
from isomatch.cli.progress import bar, resumable
from isomatch.errors import ConfigurationError, StoreError, VectorIndexError
from isomatch.seed import SEED

if TYPE_CHECKING:
    from rich.console import RenderableType

    from isomatch.judge.answers import Reference, Report
    from isomatch.judge.judge import Judge
    from isomatch.judge.search import Search
    from isomatch.judge.self_test import SelfTest
    from isomatch.judge.types import Case
    from isomatch.session import Session
    from isomatch.settings import Settings

GRAPH, DESCRIPTIONS = "graph", "descriptions"


def judge(
    ctx: typer.Context,
    answers: Annotated[
        Path | None,
        typer.Argument(
            metavar="ANSWERS.jsonl",
            help="Answers: a JSON object each, with question and answer, or as ask --json prints "
            "them.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            help="What to judge by; may be repeated. [default: all that can be had]",
        ),
    ] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(
            "--reference",
            metavar="graph|descriptions|PATH",
            help="What facts are checked against, beside what answers bring along: facts of the "
            "graph or descriptions of what is named, or texts in a file or folder; may be "
            "repeated. [default: graph, descriptions; nothing where all answers bring some]",
        ),
    ] = None,
    search: Annotated[
        str,
        typer.Option(
            "--search",
            metavar="graph|PATH",
            help="What the agent of the metric safe searches: the graph, or texts in a folder.",
        ),
    ] = GRAPH,
    self_test: Annotated[
        bool | None,
        typer.Option(
            "--self-test/--no-self-test",
            help="Test the judge on facts of known truth from the graph. [default: with answers, "
            "where a language model judges]",
        ),
    ] = None,
    facts: Annotated[int, typer.Option(min=3, help="How many facts the self-test has.")] = 60,
    seed: Annotated[int, typer.Option(help="Seed of the facts' choice.")] = SEED,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl",
            help="File of the verdicts; a stopped run is resumed. [default: "
            "ANSWERS.verdicts.jsonl]",
        ),
    ] = None,
    llm: LanguageModel = None,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Judge answers by facts, searches, ratings and rules.

    The judge itself is tested too.

    \b
    Examples:
      isomatch judge --self-test
      isomatch judge answers.jsonl --metric factscore --reference articles/
      isomatch judge answers.jsonl --metric supported_sentences --metric name_recall
    """
    from isomatch.judge.answers import no_use, read_cases

    if answers is None and not self_test:
        raise ConfigurationError("give a file of answers, or --self-test to test the judge alone")
    settings = settings_of(ctx, home, endpoint=endpoint, model=llm)
    cases = read_cases(answers) if answers is not None else []
    if out is None and answers is not None:
        out = answers.with_suffix(".verdicts.jsonl")
    with ExitStack() as stack, resumable(out, "goes on with what has no verdict"):
        work = _Work(stack, settings, cases, metric, search, out)
        if answers is None:
            _print_test(_tested(work, facts, seed, as_json), as_json)
            return
        tested, untested = None, ""
        if self_test or (self_test is None and work.asks_model):
            try:
                tested = _tested(work, facts, seed, as_json)
            except (StoreError, VectorIndexError) as error:
                if self_test:
                    raise
                untested = str(error)
        from isomatch.judge.answers import judge_answers

        with bar(f"judging {answers}", "answers", quiet=as_json) as progress:
            report = judge_answers(
                work.judge,
                cases,
                reference=work.reference(reference),
                tested=tested,
                untested=untested,
                progress=progress,
            )
    if as_json:
        print_json({**report.as_json(), "left_out": work.left_out})
    else:
        print_parts(_parts(report))
        print("\n".join(filter(None, (work.left_out, f"verdicts: {out}"))))
    if report.failed:
        raise no_use(report.model)
    if all(figures["mean"] is None for figures in report.figures().values()):
        console(stderr=True).print(f"no answer has a score: the reasons are in {out}")
        raise typer.Exit(NOTHING_FOUND)


class _Work:
    """A judge, and the session where something needs the graph."""

    def __init__(
        self,
        stack: ExitStack,
        settings: Settings,
        cases: list[Case],
        metrics: list[str] | None,
        search: str,
        out: Path | None,
    ):
        from isomatch.factories import llm_of
        from isomatch.judge.judge import Judge
        from isomatch.judge.log import VerdictLog
        from isomatch.judge.types import MODEL_METRICS, RULES

        self._stack, self._settings, self._cases = stack, settings, cases
        self._session: Session | None = None
        model = llm_of(settings)
        if model is not None:
            stack.callback(model.close)
        if metrics is None and model is None:
            metrics = list(RULES)
        self.asks_model = metrics is None or any(metric in MODEL_METRICS for metric in metrics)
        # Made before anything is opened, so that a metric that cannot be had is told at once.
        needs_search = bool(cases) and (metrics is None or "safe" in metrics)
        searching, self.left_out = None, ""
        if search != GRAPH and not (needs_search and model is not None):
            raise ConfigurationError("--search is for the metric safe, which is not measured here")
        if needs_search and model is not None:
            try:
                searching = self._search(search)
            except (StoreError, VectorIndexError) as error:
                if metrics is not None:  # it was asked for
                    raise
                self.left_out = f"left out: safe, which has no graph to search: {error}"
        only_test = ["factscore"] if not cases else metrics
        self.judge: Judge = Judge(model, only_test, search=searching, log=VerdictLog(out))

    @property
    def session(self) -> Session:
        """The graph of the home folder, opened when it is first needed."""
        if self._session is None:
            from isomatch.session import Session

            self._session = self._stack.enter_context(Session.open(self._settings))
        return self._session

    def _search(self, name: str) -> Search:
        from isomatch.judge.search import GraphSearch, PassageSearch

        if name == GRAPH:
            return GraphSearch(self.session)
        return PassageSearch.of_folder(name, self._embedder())

    def _embedder(self) -> Any:
        from isomatch.factories import embedder_of

        embedder = embedder_of(self._settings)
        self._stack.callback(embedder.close)
        return embedder

    def reference(self, names: list[str] | None) -> Reference | None:
        """What gives an answer its reference, of those that are named."""
        from isomatch.judge.references import descriptions, graph_facts
        from isomatch.judge.search import texts_of

        if names is None:
            own = all(case.reference for case in self._cases)
            names = [] if own or "factscore" not in self.judge.metrics else [GRAPH, DESCRIPTIONS]
        if names and not self.asks_model:
            raise ConfigurationError(
                "--reference is for metrics that ask a language model, and none of these does: "
                f"{', '.join(self.judge.metrics)}"
            )
        if not names:
            return None
        readers = {GRAPH: graph_facts, DESCRIPTIONS: descriptions}
        texts = [text for name in names if name not in readers for text in texts_of(name)]
        from_graph = [
            partial(readers[name], self.session) for name in dict.fromkeys(names) if name in readers
        ]

        def of(case: Case) -> list[str]:
            named = (case.question, case.answer)
            return [*texts, *(line for read in from_graph for line in read(named))]

        return of


def _tested(work: _Work, facts: int, seed: int, quiet: bool) -> SelfTest:
    from isomatch.judge.self_test import self_test

    with bar("testing the judge", "facts", quiet=quiet) as progress:
        return self_test(work.judge, work.session, facts, seed, progress)


def _print_test(tested: SelfTest, as_json: bool) -> None:
    from isomatch.judge.answers import no_use

    if as_json:
        said = [
            {"fact": fact.text, "truth": fact.truth, "verdict": verdict}
            for fact, verdict in tested.facts
        ]
        print_json({**tested.as_json(), "verdicts": said})
    else:
        console().print(tested.words())
    if tested.invalid == len(tested.facts):
        raise no_use(tested.model)


def _parts(report: Report) -> list[RenderableType]:
    """A table of the metrics, how far the judge can be trusted, and what it cost."""
    from isomatch.output.tables import rich_table

    rows = []
    for metric, figures in report.figures().items():
        mean = "-" if figures["mean"] is None else f"{figures['mean']:.3f}"
        remark = "weighted by probabilities" if figures["weighted"] else ""
        if "score_h" in figures:
            remark = f"Score_h {figures['score_h']:.1f}"
        counts = (figures["answers"], figures["verdicts"], figures["invalid"])
        rows.append((metric, mean, *map(str, counts), remark))
    columns = ("metric", "mean", "answers", "verdicts", "invalid", "")
    parts = [rich_table(columns, rows, (1, 2, 3, 4)), "", report.judge_words()]
    if report.model is not None:
        usage = report.usage
        counted = "" if usage.counted == usage.requests else f" ({usage.counted} of them counted)"
        parts.append(
            f"cost: {usage.requests} replies{counted}, {usage.prompt_tokens:,} tokens read, "
            f"{usage.completion_tokens:,} written"
        )
    return parts
