"""`isomatch train`: train a model on the user's own graph."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isomatch.cli.frame import (
    INTERRUPTED,
    Endpoint,
    Home,
    Json,
    console,
    open_session,
    print_json,
    settings_of,
)
from isomatch.cli.options import LanguageModel, On
from isomatch.cli.progress import bar
from isomatch.errors import ConfigurationError
from isomatch.executor import HERE
from isomatch.options import Device, Kind, Paths, Rule, SplitBy
from isomatch.seed import SEED

if TYPE_CHECKING:
    from isomatch.learn.report import Event, TrainingReport
    from isomatch.questions.sets import QuestionSet
    from isomatch.session import Session

_STAGES = {
    "label": "labelling questions",
    "index": "asking for facts",
    "synthesise": "making questions",
    "train channel": "training what says questions",
    "train": "training",
    "train on": "training on",
}


def train(
    ctx: typer.Context,
    kind: Annotated[
        Kind,
        typer.Argument(
            help="A model that interprets questions: as relation chains, or as programs with "
            "counts, superlatives and negations; or one that scores triples."
        ),
    ],
    questions: Annotated[
        str | None,
        typer.Option(
            metavar="metaqa:DIR|pathquestion:DIR|worldcup:DIR|webqsp:DIR|FILE.jsonl",
            help="Training questions: a published set, or JSON lines with question and answers; "
            "for programs with a gold query or nothing in their place.",
        ),
    ] = None,
    feedback: Annotated[
        bool,
        typer.Option(
            "--feedback",
            help="Learn from the corrections that are kept beside the graph too, more than from "
            "anything else.",
        ),
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of questions; the same seed picks the same ones."),
    ] = None,
    synthetic: Annotated[
        int, typer.Option(min=0, help="gsr, programs: questions to make from the graph alone.")
    ] = 0,
    reword: Annotated[
        bool,
        typer.Option("--reword", help="gsr: let the language model rephrase these."),
    ] = False,
    rule: Annotated[
        Rule,
        typer.Option(
            help="How questions are labelled: the one best chain; all shortest; one known "
            "answer; what a language model picks.",
        ),
    ] = Rule.filtered,
    paths: Annotated[
        Paths,
        typer.Option(
            help="triples: which are relevant, those on the labels' chains or on shortest paths.",
        ),
    ] = Paths.chains,
    split: Annotated[str, typer.Option(help="Of MetaQA's files.")] = "dev",
    hops: Annotated[int | None, typer.Option(help="Only questions of that many hops.")] = None,
    split_by: Annotated[
        SplitBy,
        typer.Option(
            help="Learn from one side of the set; isomatch eval asks the other.",
        ),
    ] = SplitBy.none,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Of the questions on that side.")
    ] = 0.5,
    seed: Annotated[int, typer.Option(help="Of everything random.")] = SEED,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder of the model. [default: HOME/models/KIND]"),
    ] = None,
    backbone: Annotated[
        str,
        typer.Option(
            metavar="minilm|seq2seq:NAME_OR_PATH",
            help="gsr, programs: a small encoder that needs no download, or a model of "
            "Hugging Face.",
        ),
    ] = "minilm",
    freeze: Annotated[
        bool | None,
        typer.Option(
            "--freeze/--fine-tune",
            help="gsr, programs: train the decoder only (three to four times as fast), or the "
            "encoder too. [default: freeze where most questions are synthetic]",
        ),
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Maximum. [default: by size]")] = None,
    rate: Annotated[
        float | None,
        typer.Option(min=1e-9, help="Learning rate. [default: 0.001; 0.0005 for seq2seq]"),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a run that was stopped.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first invalid question.")
    ] = False,
    on: On = HERE,
    device: Annotated[
        Device, typer.Option(help="auto takes CUDA where it is available.")
    ] = Device.auto,
    llm: LanguageModel = None,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Train a retriever on your graph, for `isomatch ask` to use.

    Without questions, chains are sampled from the graph and put into words by the
    lexicon (isomatch schema --lexicon drafts it, and editing it helps). A
    published set of questions brings its graph along where you have none.

    \b
    Examples:
      isomatch train gsr --synthetic 4000
      isomatch train gsr --questions questions.jsonl --synthetic 2000
      isomatch train programs --questions questions.jsonl
      isomatch train triples --questions metaqa:data/metaqa --limit 1000
      isomatch train gsr --questions questions.jsonl --feedback

    \b
    With --on, questions are labelled elsewhere; the model is trained here.
    Ctrl-C saves the best model so far; --resume continues.
    """
    if kind == Kind.triples and (synthetic or reword or freeze is not None or backbone != "minilm"):
        raise ConfigurationError(
            "--synthetic, --reword, --backbone and --freeze are for isomatch train gsr or programs"
        )
    from isomatch.feedback.questions import kept_lessons
    from isomatch.learn.config import GsrConfig, TriplesConfig
    from isomatch.learn.pipeline import need_torch, train_gsr, train_triples, training_side
    from isomatch.learn.programs.pipeline import train_programs
    from isomatch.learn.workdir import TrainingStopped
    from isomatch.questions.sets import read_questions

    need_torch(device)
    asked = None
    if questions is not None:
        more = kind == Kind.programs
        read = read_questions(questions, split=split, strict=strict, queries=more, unlabelled=more)
        asked = training_side(read, split_by, share, seed, hops)
    shared: dict[str, Any] = {
        "rule": rule,
        "limit": limit,
        "seed": seed,
        "epochs": epochs,
        "rate": rate,
        "on": on,
    }
    given = {"endpoint": endpoint, "model": llm}
    with _graph(ctx, home, asked, given, as_json) as session:
        folder = out or getattr(session.settings, f"{kind}_folder")
        kept = kept_lessons(session.resources) if feedback else None
        with _watching(as_json) as watch:
            try:
                how: dict[str, Any] = {"out": out, "resume": resume, "strict": strict}
                how["feedback"] = kept
                if kind != Kind.triples:
                    config = GsrConfig.of(
                        synthetic=synthetic,
                        reword=reword,
                        backbone=backbone,
                        freeze=freeze,
                        **shared,
                    )
                    trainer = train_gsr if kind == Kind.gsr else train_programs
                    report = trainer(session.resources, asked, config, watch=watch, **how)
                else:
                    triples = TriplesConfig.of(paths=paths, **shared)
                    report = train_triples(session.resources, asked, triples, watch=watch, **how)
            except TrainingStopped as stopped:
                print(_stopped(folder, stopped.saved), file=sys.stderr)
                raise typer.Exit(INTERRUPTED) from None
    notes = () if kept is None else (*map(str, kept.problems[:10]), *kept.notes)
    if as_json:
        print_json({**report.form(), "notes": list(notes)})
    else:
        _print(report, kind, bool(out), notes)


def _graph(
    ctx: typer.Context,
    home: Path | None,
    asked: QuestionSet | None,
    given: dict[str, Any],
    as_json: bool,
) -> Session:
    """The user's own graph, else that of the question set."""
    settings = settings_of(ctx, home, **given)
    own = settings.neo4j_uri or settings.endpoint or settings.graph_path.exists()
    if own or asked is None or (part := asked.part) is None:
        return open_session(ctx, home, **given)
    from isomatch.questions.dataset_sessions import open_session as open_set

    with bar("indexing", "names", quiet=as_json) as progress:
        return open_set(part, home or ctx.obj.home, progress)


@contextmanager
def _watching(quiet: bool) -> Iterator[Callable[[Event], None] | None]:
    """A bar for each stage, with loss, learning rate and time left while it trains."""
    out = console(stderr=True)
    if quiet or not out.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TextColumn("{task.fields[note]}"), console=out) as progress:
        tasks: dict[str, TaskID] = {}

        def watch(event: Event) -> None:
            if event.stage not in tasks:
                tasks[event.stage] = progress.add_task(_STAGES[event.stage], total=None, note="")
            task = tasks[event.stage]
            progress.update(task, completed=event.done, total=event.total)
            if note := _note(event):
                progress.update(task, note=note)

        yield watch


def _note(event: Event) -> str:
    parts = []
    if event.loss is not None:
        parts.append(f"loss {event.loss:.3f}")
    if event.rate is not None:
        parts.append(f"rate {event.rate:.1e}")
    if event.seconds_left is not None:
        minutes, seconds = divmod(round(event.seconds_left), 60)
        parts.append(f"{minutes}:{seconds:02} left")
    return ", ".join(parts)


def _stopped(folder: Path, saved: bool) -> str:
    if saved:
        return (
            f"stopped: what was learnt by then is in {folder}, and can be used; the same command "
            "with --resume goes on"
        )
    return "stopped before the first epoch was done; the same command with --resume goes on"


def _print(report: TrainingReport, kind: Kind, named: bool, notes: Iterable[str]) -> None:
    """Print the report and the next command."""
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for what, value in report.rows():
        table.add_row(what, value)
    out = console()
    out.print(table)
    for problem in report.left_out:
        out.print(f"left out: {problem}", style="dim")
    for note in notes:
        out.print(f"note: {note}", style="dim")
    option = f" --model {report.folder}" if named else ""
    retriever = " --retriever triples" if kind == Kind.triples else ""
    out.print(f"Next: isomatch ask 'QUESTION'{retriever}{option}")
