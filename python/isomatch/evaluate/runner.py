"""Run an evaluation: ask each question, score it, and write rows, figures and report."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from isomatch._version import __version__
from isomatch.errors import ConfigurationError, LoadError
from isomatch.evaluate.config import EvalConfig
from isomatch.evaluate.gold import with_gold
from isomatch.evaluate.metrics import Naming
from isomatch.evaluate.regression import Regression
from isomatch.evaluate.report import write_pages
from isomatch.evaluate.runs import Run
from isomatch.evaluate.scoring import Row, Scorer
from isomatch.evaluate.summary import summarise
from isomatch.evaluate.systems import System, make_system
from isomatch.executor import Executor, Here, Work, open_executor
from isomatch.perturb.copies import PerturbedCopy, check_embedded, make_copy, open_copy
from isomatch.questions.dataset_sessions import Progress, open_session, settings_for
from isomatch.questions.datasets import Question
from isomatch.questions.selection import (
    OWN,
    Group,
    fingerprint,
    grouped,
    select,
    unknown_names,
)
from isomatch.questions.sets import Problem, QuestionSet, learnt_from
from isomatch.resources import Reopening
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.trained.artifact import CONFIG, METRICS, read_config

_MISORDERED = "the gold query orders by letters what are dates or numbers; its answer is kept"
# Settings that change answers, beside those that name the graph and the models.
_SETTINGS = ("least_score", "evidence_tokens", "answer_first", "unsupported")


def run_eval(
    source: EvalConfig | str,
    data: Path | str | None = None,
    *,
    out: Path | str | None = None,
    home: Path | str | None = None,
    settings: Settings | None = None,
    given: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    regression: Regression | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """Evaluate on a question set; the report is ready for JSON.

    Args:
        source: a configuration, or the source of the questions: ``metaqa:DIR`` or
            another set with its folder, or a file of JSON lines.
        data: folder of the set, where ``source`` is its name alone.
        out: folder of the run (see `isomatch.evaluate.runs`); None keeps no rows.
        home: folder for the graphs and indexes of published sets; None for the user's
            cache folder.
        settings: of the user's own graph, for a file of questions and ``own_graph``.
        given: settings that take precedence, as ``{"gsr_model": DIR}``.
        progress: called with (done, total), first for the names that are indexed (and
            their rate), then for the questions.
        regression: the questions, in place of those of the source.
        fields: of `EvalConfig`, as ``hops=2`` or ``retriever="chain"``, where
            ``source`` is not a configuration.

    Returns:
        The settings of the run; the figures of `isomatch.evaluate.summary.summarise`;
        and ``problems``, the lines and names that were left out, counted by kind.

    Raises:
        ConfigurationError: an unknown set or option, no gold patterns, or the run
            cannot be written.
        LoadError: a file is missing or malformed, or a gold query is refused or failed.
    """
    if isinstance(source, EvalConfig):
        if data is not None or fields:
            raise ConfigurationError("give a configuration or its fields, not both")
        config = source
    else:
        config = EvalConfig.make(source, data, **fields)
    if config.perturb is not None:
        check_copies(config, settings, given)
    if regression is None:
        questions, groups = select(config.source, config)
    else:
        questions = regression.questions
        groups = grouped(questions, config) or (Group(OWN, ()),)
    if config.uses_gold:
        _check_gold(config.source, groups)
    run = _Evaluation(config, questions, groups, home, settings, given or {}, progress, regression)
    with open_executor(config.on) as run.executor:
        return run.evaluate(out)


def check_copies(
    config: EvalConfig, settings: Settings | None, given: Mapping[str, Any] | None
) -> None:
    """See that there can be copies with errors of the graph that is asked.

    Raises:
        ConfigurationError: it is the user's own, and no embedded one.
    """
    if config.own:
        check_embedded((settings or Settings()).model_copy(update=dict(given or {})))


@dataclass(slots=True)
class _Evaluation:
    config: EvalConfig
    questions: QuestionSet
    groups: Sequence[Group]
    home: Path | str | None
    settings: Settings | None
    given: Mapping[str, Any]
    progress: Progress | None
    regression: Regression | None = None
    problems: list[Problem] = field(default_factory=list)
    copies: list[PerturbedCopy] = field(default_factory=list)
    executor: Executor = field(default_factory=Here)

    def evaluate(self, out: Path | str | None) -> dict[str, Any]:
        config = self.config
        system = make_system(config)
        record = config.record(fingerprint(self.groups))
        self.problems += self.questions.problems
        run: Run | None = None
        asked: list[str] = []
        repeated: list[dict[str, Any]] = []
        for _, same_graph in groupby(self.groups, self._graph):
            groups = self._with_true_gold(list(same_graph))
            with self._open(groups[0]) as session:
                if run is None:
                    run = Run.open(out, {**record, **environment(session, config.trained)})
                    self.problems += self._training_overlap(session, record["choice"])
                for group in groups:
                    if self.config.perturb is None:
                        group = self._with_gold(group, session)
                    asked += self._ask(group, session, system, run)
                if self.regression is not None:
                    repeated += self.regression.repeated(session, system)
        assert run is not None
        rows = [run.rows[id] for id in asked]
        summary = {
            **run.settings,
            **summarise(rows, config.seed),
            **self._perturbed(),
            **({} if self.regression is None else self.regression.summary(rows, repeated)),
            "problems": {
                "counts": dict(Counter(problem.kind for problem in self.problems)),
                "listed": [f"{problem.kind}: {problem}" for problem in self.problems],
            },
        }
        run.finish(summary)
        write_pages(run, rows, summary)
        return summary

    def _graph(self, group: Group) -> str:
        """Equal for groups that are asked over one graph."""
        if self.config.own or group.part is None:
            return "own"
        return settings_for(group.part, self.home).home.name

    def _open(self, group: Group) -> Session:
        """The graph that is asked."""
        if self.config.perturb is None:
            return self._open_graph(group)
        if self.config.own or group.part is None:
            settings = self.settings or Settings()
        else:
            open_session(group.part, self.home, self.progress).close()
            settings = settings_for(group.part, self.home)
        settings = settings.model_copy(update=dict(self.given))
        copy = make_copy(settings, self.config.perturb, progress=self.progress)
        self.copies.append(copy)
        return open_copy(copy, settings, progress=self.progress)

    def _open_graph(self, group: Group) -> Session:
        """The graph without errors."""
        if self.config.own or group.part is None:
            return Session.open(self.settings, **self.given)
        return open_session(group.part, self.home, self.progress, **self.given)

    def _with_true_gold(self, groups: list[Group]) -> list[Group]:
        """Where a copy is asked: the groups with what gold queries give on the graph itself."""
        queried = any(q.queries for group in groups for q in group.questions)
        if self.config.perturb is None or not queried:
            return groups
        with self._open_graph(groups[0]) as session:
            return [self._with_gold(group, session) for group in groups]

    def _perturbed(self) -> dict[str, Any]:
        """What was changed in each graph; nothing where the graphs themselves are asked."""
        changed = [{"facts": c.facts, "changed": c.changed, "note": c.note} for c in self.copies]
        return {"perturbed": changed} if changed else {}

    def _with_gold(self, group: Group, session: Session) -> Group:
        """The group with the answers of gold queries; without questions that then have none."""
        questions = []
        for question in (with_gold(question, session) for question in group.questions):
            if question.answers:
                questions.append(question)
                if question.misordered:
                    self.problems.append(Problem("misordered gold", question.place, _MISORDERED))
                continue
            problem = Problem("empty answers", question.place, "the gold query gives none")
            if self.config.strict:
                raise LoadError(f"{problem}; correct it, or leave out --strict")
            self.problems.append(problem)
        return replace(group, questions=tuple(questions))

    def _ask(self, group: Group, session: Session, system: System, run: Run) -> list[str]:
        """Add the rows that the run does not have yet; the ids of all."""
        # What a copy lacks is no mistake of the questions.
        strict = self.config.strict and self.config.perturb is None
        problems, unanswerable = unknown_names(group, session, strict=strict)
        self.problems += problems
        total = sum(len(each.questions) for each in self.groups)
        left = [question for question in group.questions if question.id not in run.rows]
        items = [(group.name, question, question.id in unanswerable) for question in left]
        here = _Asks(session, system, self.config.naming)
        work = Work(here, partial(_asks, Reopening.of(session.resources), self.config))
        with closing(self.executor.map(work, items)) as rows:
            for row in rows:
                run.add(row)
                if self.progress:
                    self.progress(len(run.rows), total)
        return [question.id for question in group.questions]

    def _training_overlap(self, session: Session, choice: Mapping[str, Any]) -> list[Problem]:
        """Trained models that may have learnt from the questions."""
        found = []
        for kind in self.config.trained:
            folder = getattr(session.settings, f"{kind}_folder")
            if (folder / CONFIG).is_file():
                training = read_config(folder).training
                if overlap := learnt_from(training, {**self.questions.taken, **choice}):
                    found.append(Problem("learnt from", str(folder), overlap))
        return found


class _Asks:
    """Asks questions and scores the answers; the first one twice, so no time has a start in it."""

    def __init__(self, session: Session, system: System, naming: Naming):
        self.session = session
        self.system = system
        self.naming = naming
        self.started = False

    def __call__(self, item: tuple[str, Question, bool]) -> Row:
        part, question, unanswerable = item
        if not self.started:
            self.system(self.session, question)
            self.started = True
        scorer = Scorer(self.session, self.naming, {question.id} if unanswerable else ())
        return scorer.row(part, self.system(self.session, question))


def _asks(graph: Reopening, config: EvalConfig) -> _Asks:
    """In a worker: what asks questions of the same graph."""
    return _Asks(Session.of(graph.open()), make_system(config), config.naming)


def environment(session: Session, trained: Sequence[str]) -> dict[str, Any]:
    """What the rows depend on beside the configuration: graph, models and settings.

    Args:
        trained: kinds of the trained models that are used.
    """
    settings = session.settings
    folders = [getattr(settings, f"{kind}_folder") for kind in trained]
    lexicon = settings.lexicon_path
    return {
        "isomatch": __version__,
        "graph": session.store.identity(),
        "embedder": session.embedder.name,
        "lexicon": _digest([lexicon]) if lexicon.is_file() else None,
        "model": session.model.model if session.model is not None else None,
        "trained": {
            str(folder): _digest(_model_files(folder)) for folder in folders if folder.is_dir()
        },
        **{key: getattr(settings, key) for key in _SETTINGS},
    }


def _model_files(folder: Path) -> list[Path]:
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


def _check_gold(source: str, groups: Sequence[Group]) -> None:
    without = next((q for group in groups for q in group.questions if q.gold is None), None)
    if without is not None:
        raise ConfigurationError(
            f"{source} gives no gold pattern for {without.id} here: use --patterns ask, or add "
            "what is missing (MetaQA's file of types, the key `chain` of a line)"
        )
