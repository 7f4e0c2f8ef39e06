"""Measure answers and retrieval on a question set, question by question."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from isomatch._version import __version__
from isomatch.errors import ConfigurationError
from isomatch.evaluate.baselines import BASELINES, baseline
from isomatch.evaluate.judge import Judge, Row
from isomatch.evaluate.metrics import DEFAULT, Naming
from isomatch.evaluate.report import write_pages
from isomatch.evaluate.runs import Run
from isomatch.evaluate.source import Choice, Group, chosen, fingerprint, names_unknown, source_name
from isomatch.evaluate.summarise import summarise
from isomatch.evaluate.systems import Asked, GoldPattern, Ranked, System
from isomatch.evaluate.wording import Wording, wording_name
from isomatch.options import interpreter_name, retriever_name
from isomatch.questions.dataset_sessions import Progress, open_session, settings_for
from isomatch.questions.datasets import Part
from isomatch.questions.sets import Problem, QuestionSet, learnt_from
from isomatch.seed import SEED
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.trained.artifact import CONFIG, METRICS, read_config


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, in words that a report repeats.

    Attributes:
        patterns: ``gold`` matches the data's own patterns, ``ask`` asks its questions.
        wording: of gold patterns, see `isomatch.evaluate.wording.reword`.
        interpreter: who reads questions, see `Session.interpret`.
        retriever: what finds evidence, see `Session.ask`.
        baseline: one of `isomatch.evaluate.baselines.BASELINES` in place of all that.
        topics: ``given`` tells the interpreter each question's topics, ``found``
            lets it find them.
        options: of the search, as ``{"nodes": "anchored"}``.
    """

    patterns: str = "gold"
    wording: Wording = "names"
    interpreter: str = "schema"
    retriever: str = "pattern"
    baseline: str | None = None
    topics: str = "found"
    options: Mapping[str, Any] = field(default_factory=dict)

    def system(self, seed: int) -> System:
        """What it measures.

        Raises:
            ConfigurationError: a word that is none of those it may be.
        """
        _one_of("patterns", self.patterns, ("gold", "ask"))
        _one_of("topics", self.topics, ("given", "found"))
        if self.baseline is not None:
            _one_of("baseline", self.baseline, BASELINES)
            return baseline(self.baseline, given=self.topics == "given")
        if self.patterns == "gold":
            return GoldPattern(self.wording, seed, self.options)
        interpreter_name(self.interpreter)
        if retriever_name(self.retriever) == "triples":
            return Ranked("triples", self.topics == "given")
        return Asked(self.interpreter, self.retriever, self.topics == "given", self.options)

    @property
    def trained(self) -> tuple[str, ...]:
        """The kinds of trained models that it may use: of ``gsr`` and ``triples``."""
        if self.baseline is not None or self.patterns == "gold":
            return ()
        scores = self.retriever in ("triples", "fused")
        reads = self.retriever != "triples" and self.interpreter in ("gsr", "auto")
        return ("gsr",) * reads + ("triples",) * scores

    def form(self) -> dict[str, Any]:
        """The settings that count, for JSON."""
        if self.baseline is not None:
            return {"baseline": self.baseline, "topics": self.topics}
        if self.patterns == "gold":
            said: dict[str, Any] = {"patterns": "gold", "wording": wording_name(self.wording)}
        else:
            said = {
                "patterns": "ask",
                "interpreter": self.interpreter,
                "retriever": self.retriever,
                "topics": self.topics,
            }
        return {**said, "options": dict(self.options)}


def run_eval(
    name: str,
    data: Path | str | None = None,
    *,
    split: str = "dev",
    hops: int | None = None,
    patterns: str | None = None,
    wording: Wording = "names",
    interpreter: str | None = None,
    retriever: str = "pattern",
    baseline: str | None = None,
    topics: str = "found",
    limit: int | None = None,
    split_by: str = "none",
    share: float = 0.5,
    seed: int = SEED,
    naming: Naming = DEFAULT,
    strict: bool = False,
    out: Path | str | None = None,
    home: Path | str | None = None,
    settings: Settings | None = None,
    own_graph: bool = False,
    given: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Evaluate on a question set; the report is ready for JSON.

    Args:
        name: ``metaqa:DIR`` or another set with its folder, or a file of JSON lines
            (see `isomatch.questions.sets`); a set's name alone with ``data``.
        data: folder of the set.
        split, hops, limit, split_by, share, strict: see `isomatch.evaluate.source.Choice`.
        patterns, wording, interpreter, retriever, baseline, topics, options: see `Plan`;
            None for ``patterns`` is ``gold`` for a set whose interpreter is not said,
            else ``ask``; None for ``interpreter`` is ``auto`` over the user's own
            graph and ``schema`` over a set's.
        seed: of everything that is chosen or resampled.
        naming: how names are compared.
        out: folder of the run (see `isomatch.evaluate.runs`); None keeps no rows.
        home: folder to keep the sets' graphs and indexes under; None for the user's
            cache folder.
        settings: of the user's own graph, for a file of questions and ``own_graph``.
        own_graph: ask a set's questions of the user's graph, not of the set's.
        given: settings that go first, as ``{"gsr_model": DIR}``.
        progress: called with (done, of how many), first for the names that are
            indexed (and their rate), then for the questions.

    Returns:
        What was asked for; the figures of `isomatch.evaluate.summarise.summarise`; and
        ``problems``, how many lines and names had to be left out, by kind.

    Raises:
        ConfigurationError: an unknown set or option, no gold patterns, or no place
            for the run.
        LoadError: a file is missing or malformed.
    """
    source = source_name(name, data)
    choice = Choice(split, hops, limit, seed, split_by, share, strict)  # type: ignore[arg-type]
    asked, groups = chosen(source, choice)
    own = own_graph or not asked.parts
    if patterns is None:
        patterns = "gold" if asked.parts and interpreter is None else "ask"
    if interpreter is None:
        interpreter = "auto" if own else "schema"
    plan = Plan(patterns, wording, interpreter, retriever, baseline, topics, options or {})
    system = plan.system(seed)
    if baseline is None and patterns == "gold":
        _refuse_without_gold(source, groups)
    where = _Graphs(home, settings, own, given or {})
    said = {
        "source": source,
        **plan.form(),
        "choice": {**asdict(choice), "questions": fingerprint(groups)},
        "naming": asdict(naming) if naming != DEFAULT else None,
    }
    return _Evaluation(
        groups, system, plan.trained, naming, strict, where, said, asked, progress
    ).run(out, seed)


@dataclass(frozen=True, slots=True)
class _Graphs:
    """Over which graph the questions of a part are asked."""

    home: Path | str | None
    settings: Settings | None
    own: bool
    given: Mapping[str, Any]

    def name(self, part: Part | None) -> str:
        """Equal for parts that are asked over one graph."""
        if self.own or part is None:
            return "own"
        return settings_for(part, self.home).home.name

    def open(self, part: Part | None, progress: Progress | None) -> Session:
        if self.own or part is None:
            return Session.open(self.settings, **self.given)
        return open_session(part, self.home, progress, **self.given)


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """One run, from the first question to the report."""

    groups: Sequence[Group]
    system: System
    trained: Sequence[str]
    naming: Naming
    strict: bool
    graphs: _Graphs
    said: Mapping[str, Any]
    asked: QuestionSet
    progress: Progress | None

    def run(self, out: Path | str | None, seed: int) -> dict[str, Any]:
        problems = list(self.asked.problems)
        total = sum(len(group.questions) for group in self.groups)
        with ExitStack() as stack:
            session, over = None, ""
            run: Run | None = None
            for group in self.groups:
                if over != self.graphs.name(group.part):
                    stack.close()
                    session = stack.enter_context(self.graphs.open(group.part, self.progress))
                    over = self.graphs.name(group.part)
                assert session is not None
                run = run or Run.open(out, {**self.said, **_over(session, self.trained)})
                if group is self.groups[0]:
                    problems += _learnt(session, self.trained, self.asked, self.said["choice"])
                new, unanswerable = names_unknown(group, session, strict=self.strict)
                problems += new
                judge = Judge(session, self.naming, unanswerable)
                for _ in self._rows(group, session, judge, run):
                    if self.progress:
                        self.progress(len(run.rows), total)
        assert run is not None
        rows = [run.rows[q.id] for group in self.groups for q in group.questions]
        summary = {
            **run.settings,
            **summarise(rows, seed),
            "problems": _told(problems),
        }
        run.finish(summary)
        write_pages(run, rows, summary)
        return summary

    def _rows(self, group: Group, session: Session, judge: Judge, run: Run) -> Iterator[Row]:
        left = [question for question in group.questions if question.id not in run.rows]
        for question in left[:1]:
            self.system(session, question)  # what a start costs is nobody's time
        for question in left:
            yield run.add(judge.row(group.name, self.system(session, question)))


def _over(session: Session, trained: Sequence[str]) -> dict[str, Any]:
    """What else the rows depend on: the graph, the models, and the settings."""
    settings = session.settings
    folders = {"gsr": settings.gsr_folder, "triples": settings.triples_folder}
    models = [folders[kind] for kind in trained]
    lexicon = settings.lexicon_path
    return {
        "isomatch": __version__,
        "graph": session.store.identity(),
        "embedder": session.embedder.name,
        "lexicon": _digest([lexicon]) if lexicon.is_file() else None,
        "model": session.model.model if session.model is not None else None,
        "trained": {str(folder): _digest(_parts(folder)) for folder in models if folder.is_dir()},
        **{key: getattr(settings, key) for key in _SETTINGS},
    }


_SETTINGS = ("least_score", "evidence_tokens", "answer_first")


def _parts(folder: Path) -> list[Path]:
    """The files of a trained model that its results depend on."""
    return sorted(
        file
        for ending in ("safetensors", "onnx", "json")
        for file in folder.glob(f"*.{ending}")
        if file.name != METRICS
    )


def _digest(files: Sequence[Path]) -> str:
    content = hashlib.sha256()
    for file in files:
        content.update(file.read_bytes())
    return content.hexdigest()[:16]


def _learnt(
    session: Session, trained: Sequence[str], asked: QuestionSet, choice: Mapping[str, Any]
) -> list[Problem]:
    """Models that may have learnt from the questions, in words."""
    found = []
    for kind in trained:
        folder = getattr(session.settings, f"{kind}_folder")
        if (folder / CONFIG).is_file():
            training = read_config(folder).training
            if words := learnt_from(training, {**asked.taken, **choice}):
                found.append(Problem("learnt from", str(folder), words))
    return found


def _told(problems: Sequence[Problem]) -> dict[str, Any]:
    """Counts by kind, and each problem in words."""
    counts: dict[str, int] = {}
    for problem in problems:
        counts[problem.kind] = counts.get(problem.kind, 0) + 1
    return {"counts": counts, "listed": [f"{p.kind}: {p}" for p in problems]}


def _one_of(what: str, word: str, words: Sequence[str]) -> None:
    if word not in words:
        raise ConfigurationError(f"{what} must be one of {', '.join(words)}, not {word!r}")


def _refuse_without_gold(name: str, groups: Sequence[Group]) -> None:
    for group in groups:
        without = next((q for q in group.questions if q.gold is None), None)
        if without is not None:
            raise ConfigurationError(
                f"{name} gives no gold pattern for {without.id} here: use --patterns ask, or add "
                "what is missing (MetaQA's file of types, the key `chain` of a line)"
            )
