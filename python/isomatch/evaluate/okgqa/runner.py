"""Run an evaluation on open questions: write, judge, and report."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, LoadError
from isomatch.evaluate.okgqa.config import DESCRIPTIONS, OpenEvalConfig, is_form
from isomatch.evaluate.okgqa.graphs import (
    check_fb15k,
    fb15k_descriptions,
    name_finder,
    open_fb15k,
)
from isomatch.evaluate.okgqa.judging import Judging
from isomatch.evaluate.okgqa.references import References, read_texts
from isomatch.evaluate.okgqa.report import write_pages
from isomatch.evaluate.okgqa.summary import summarise
from isomatch.evaluate.okgqa.systems import Written, write
from isomatch.evaluate.runner import environment
from isomatch.evaluate.runs import Run
from isomatch.judge.self_test import self_test
from isomatch.llm import ChatModel
from isomatch.questions.open.sets import OpenQuestion, OpenSet, held_by, read_open
from isomatch.questions.selection import sample
from isomatch.session import Session
from isomatch.settings import Settings

if TYPE_CHECKING:
    from isomatch.evaluate.scoring import Row

Progress = Callable[..., None]


def run_open_eval(
    source: OpenEvalConfig | str,
    *,
    out: Path | str | None = None,
    home: Path | str | None = None,
    settings: Settings | None = None,
    given: Mapping[str, Any] | None = None,
    session: Session | None = None,
    progress: Progress | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """Evaluate on open questions; the report is ready for JSON.

    Args:
        source: a configuration, or the source of the questions.
        out: folder of the run (see `isomatch.evaluate.runs`), which a stopped run goes on
            from; verdicts of the judge are kept there too. None keeps nothing.
        home: folder that the graph of ``data_graph`` is kept under; None for the user's
            cache folder.
        settings: of the user's own graph.
        given: settings that take precedence.
        session: over the user's own graph, that is open and stays so, with its model; None
            opens one by the settings.
        progress: called with (done, total).
        fields: of `OpenEvalConfig`, where ``source`` is not one.

    Returns:
        The settings of the run, and the figures of `isomatch.evaluate.okgqa.summary`.

    Raises:
        ConfigurationError: an unknown set or option; a system or metric that needs a
            language model, and none is set; the graph holds nothing that a question is about.
        LoadError: a file is missing or malformed.
        ModelError: the endpoint failed; the same call goes on from there.
    """
    config = source if isinstance(source, OpenEvalConfig) else OpenEvalConfig.make(source, **fields)
    if isinstance(source, OpenEvalConfig) and fields:
        raise ConfigurationError("give a configuration or its fields, not both")
    questions = read_open(config.source, config.data, strict=config.strict)
    texts = read_texts(config.texts)
    if config.data_graph is not None:
        check_fb15k(config.data_graph)
        if DESCRIPTIONS in config.reference:
            texts = {**fb15k_descriptions(config.data_graph), **texts}
    if session is None:
        opened: AbstractContextManager[Session] = _open(
            config, home, settings, given or {}, progress
        )
    elif config.data_graph is None:
        opened = nullcontext(session)
    else:
        raise ConfigurationError("give a session or data_graph, not both")
    with opened as graph:
        references = References(graph, config.reference, texts)
        evaluation = _Evaluation(config, graph, questions, references, out, progress)
        return evaluation.evaluate()


def _open(
    config: OpenEvalConfig,
    home: Path | str | None,
    settings: Settings | None,
    given: Mapping[str, Any],
    progress: Progress | None,
) -> Session:
    if config.data_graph is not None:
        return open_fb15k(config.data_graph, home, progress, **given)
    return Session.open(settings, **given)


@dataclass(slots=True)
class _Evaluation:
    config: OpenEvalConfig
    session: Session
    source: OpenSet
    references: References
    out: Path | str | None
    progress: Progress | None

    def evaluate(self) -> dict[str, Any]:
        config = self.config
        held = self._held()
        questions = sample(held.questions, config.limit, f"{config.seed} open")
        self.references.check(questions)
        systems = config.systems_with(self.session.model is not None)
        model = self._judge_model()
        try:
            judging = Judging.open(
                config, self.references, model, None if self.out is None else Path(self.out)
            )
            run = Run.open(self.out, self._record(systems, questions, judging))
            test = self._self_test(judging)
            self._make_copies()
            asked = self._ask(run, judging, systems, questions)
        finally:
            if model is not None and model is not self.session.model:
                model.close()
        rows = [run.rows[id] for id in asked]
        summary = {
            **run.settings,
            **summarise(rows, systems, judging.judge.metrics, config.seed),
            "held": {
                "questions": len(held.questions),
                "whole": sum(not question.unknown for question in held.questions),
                "of": self.source.total,
            },
            "left_out": list(judging.left_out),
            "self_test": test,
            "problems": {
                "counts": dict(Counter(problem.kind for problem in held.problems)),
                "listed": [f"{problem.kind}: {problem}" for problem in held.problems],
            },
        }
        run.finish(summary)
        write_pages(run, rows, summary)
        return summary

    def _held(self) -> OpenSet:
        """The questions of which the graph holds a topic, of the types that are asked for."""
        config = self.config
        held = held_by(self.source, name_finder(self.session))
        unknown = [problem for problem in held.problems if problem.kind == "unknown topic"]
        if unknown and config.strict:
            raise LoadError(f"{unknown[0]}; correct it, or leave out --strict")
        chosen = tuple(q for q in held.questions if not config.types or q.type in config.types)
        if not chosen:
            raise ConfigurationError(
                f"no question of {held.name} that the graph holds is {' or '.join(config.types)}"
            )
        return replace(held, questions=chosen)

    def _judge_model(self) -> ChatModel | None:
        model, name = self.session.model, self.config.judge
        if name is None or (model is not None and model.model == name):
            return model
        if model is None:
            return ChatModel(name)
        return ChatModel(
            name,
            base_url=model.base_url,
            api_key=model.api_key or None,
            timeout=model.timeout,
            max_tokens=model.max_tokens,
            retry=model.retry,
        )

    def _record(
        self, systems: tuple[str, ...], questions: Sequence[OpenQuestion], judging: Judging
    ) -> dict[str, Any]:
        asked = [[q.id, q.text, q.topics, q.type, q.reference] for q in questions]
        scored = ("triples",) * (self.config.options.get("prizes") == "scorer")
        return {
            **self.config.record(systems, _digest(asked)),
            **judging.record(),
            **environment(self.session, scored),
            "texts": _digest(sorted(self.references.texts.items())),
        }

    def _self_test(self, judging: Judging) -> dict[str, Any] | None:
        """How the judge did on facts of known truth; None where there is none to test."""
        judge, config = judging.judge, self.config
        if judge.model is None or not judging.asks or not config.self_test:
            return None
        test = self_test(judge, self.session, config.facts, config.seed)
        return {**test.as_json(), "words": test.words()}

    def _ask(
        self, run: Run, judging: Judging, systems: Sequence[str], questions: Sequence[OpenQuestion]
    ) -> list[str]:
        """Add the rows that the run does not have yet; the ids of all."""
        forms = [system for system in systems if is_form(system)]
        plans = [("", systems), *((name, forms) for name in self.config.perturb if forms)]
        total = len(questions) * sum(len(some) for _, some in plans)
        ids: list[str] = []
        for perturbation, some in plans:
            wanted = [(q, s) for q in questions for s in some]
            ids += (row_id(q, s, perturbation) for q, s in wanted)
            left = [(q, s) for q, s in wanted if row_id(q, s, perturbation) not in run.rows]
            if not left:
                continue
            with self._graph(perturbation) as session:
                for question, system in left:
                    written = write(
                        system, session, question, self.config.options, self.config.samples
                    )
                    judged = judging.of(question, written)
                    true = None if session is self.session else self._true(written)
                    row = row_of(question, system, perturbation, written, judged)
                    run.add({**row, "true_facts": true})
                    if self.progress:
                        self.progress(len(run.rows), total)
        return ids

    def _true(self, written: Written) -> float | None:
        """The share of the evidence's facts that the graph without errors has."""
        if not written.facts:
            return None
        found = self.session.store.facts(list(written.facts))
        return sum(map(bool, found)) / len(written.facts)

    def _make_copies(self) -> None:
        """Make the copies first: what cannot be copied should not end a run in its middle."""
        from isomatch.perturb import Perturbation, perturbed_settings

        for name in self.config.perturb:
            perturbed_settings(self.session.settings, Perturbation.parse(name, self.config.seed))

    @contextmanager
    def _graph(self, perturbation: str) -> Iterator[Session]:
        """The session over the graph, or over a copy of it with errors."""
        if not perturbation:
            yield self.session
            return
        from isomatch.perturb import Perturbation, open_perturbed

        wanted = Perturbation.parse(perturbation, self.config.seed)
        with open_perturbed(self.session.settings, wanted) as copy:
            copy.model = self.session.model
            try:
                yield copy
            finally:
                copy.model = None  # which is the other session's to close


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def row_id(question: OpenQuestion, system: str, perturbation: str) -> str:
    """The id of the row of a question, a system and a state of the graph."""
    return " | ".join(filter(None, (question.id, system, perturbation)))


def row_of(
    question: OpenQuestion,
    system: str,
    perturbation: str,
    written: Written,
    judged: Mapping[str, Any],
) -> Row:
    """Everything that a report needs of one answer, ready for JSON."""
    return {
        "id": row_id(question, system, perturbation),
        "question_id": question.id,
        "question": question.text,
        "type": question.type or "not given",
        "template": question.template,
        "topics": list(question.topics),
        "unknown": list(question.unknown),
        "system": system,
        "perturb": perturbation,
        **asdict(written),
        **judged,
    }
