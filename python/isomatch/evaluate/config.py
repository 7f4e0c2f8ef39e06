"""The configuration of an evaluation, for the command line, Python and the run's record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, get_args

from pydantic import (
    AfterValidator,
    Field,
    InstanceOf,
    ValidationError,
    field_validator,
    model_validator,
)

from isomatch.errors import ConfigurationError
from isomatch.evaluate.metrics import DEFAULT, Naming
from isomatch.executor import HERE, check_place
from isomatch.options import (
    OPEN_FORMS,
    Baseline,
    Patterns,
    Topics,
    Wording,
    Wordings,
    interpreter_name,
    option_problem,
    retriever_name,
)
from isomatch.perturb.types import Perturbation
from isomatch.questions.selection import Selection, is_published, source_name
from isomatch.seed import SEED


class EvalConfig(Selection):
    """What an evaluation measures, and on which questions.

    The fields of `isomatch.questions.selection.Selection` choose the questions.

    Attributes:
        source: ``metaqa:DIR`` or another set with its folder, or a file of JSON lines
            (see `isomatch.questions.sets`). `make` also takes a set's name with its
            folder in ``data``.
        patterns: ``gold`` matches the patterns of the data, ``ask`` interprets its
            questions. Default: ``gold`` for a published set, unless an interpreter or
            a retriever is named.
        wording: of gold patterns, see `isomatch.evaluate.systems.reword`.
        interpreter: see `Session.interpret`. Default: ``auto`` over the user's own
            graph, ``schema`` over a set's.
        retriever: see `Session.ask`.
        baseline: measured in place of patterns, interpreter and retriever.
        topics: ``given`` passes each question's topics to the system.
        options: of the search, as ``{"nodes": "anchored"}``.
        naming: how names are compared.
        own_graph: ask a set's questions of the user's graph, not of the set's.
        perturb: ask them of a copy of the graph with errors, as ``RS:0.2``.
        on: where questions are asked, see `isomatch.executor.open_executor`. The rows are the
            same, in the same order; times are of the process that asked.

    Example:
        >>> EvalConfig.make("questions.jsonl", hops=2).interpreter
        'auto'
    """

    source: str
    patterns: Patterns
    wording: Wording = "names"
    interpreter: Annotated[str, AfterValidator(lambda name: interpreter_name(name))]
    retriever: Annotated[str, AfterValidator(lambda name: retriever_name(name))] = "pattern"
    baseline: Baseline | None = None
    topics: Topics = Topics.FOUND
    options: dict[str, Any] = Field(default_factory=dict)
    naming: InstanceOf[Naming] = DEFAULT
    own_graph: bool = False
    perturb: InstanceOf[Perturbation] | None = None
    on: Annotated[str, AfterValidator(check_place)] = HERE

    @classmethod
    def make(cls, source: str, data: Any = None, **fields: Any) -> EvalConfig:
        """The configuration with these fields.

        Args:
            data: folder of a set, where ``source`` is its name alone.
            fields: by name; None stands for the default.

        Raises:
            ConfigurationError: a field is unknown or has no such value.
        """
        given = {key: value for key, value in fields.items() if value is not None}
        try:
            return cls(source=source_name(source, data), **given)
        except ValidationError as error:
            raise ConfigurationError(option_problem(error, cls.model_fields)) from error

    @model_validator(mode="before")
    @classmethod
    def _with_defaults(cls, given: dict[str, Any]) -> dict[str, Any]:
        published = is_published(given.get("source", ""))
        named = "interpreter" in given or "retriever" in given
        own = given.get("own_graph") or not published
        if isinstance(text := given.get("perturb"), str):
            given = {**given, "perturb": Perturbation.parse(text, given.get("seed", SEED))}
        return {
            "patterns": "gold" if published and not named else "ask",
            "interpreter": "auto" if own else "schema",
            **given,
        }

    @field_validator("wording", mode="before")
    @classmethod
    def _known_wording(cls, value: Any) -> Any:
        if isinstance(value, Mapping) or value in get_args(Wordings):
            return value
        raise ValueError(f"must be 'names', 'unknown relation' or a mapping, not {value!r}")

    @property
    def uses_gold(self) -> bool:
        """Whether gold patterns are matched."""
        return self.baseline is None and self.patterns is Patterns.GOLD

    @property
    def own(self) -> bool:
        """Whether the questions are asked over the user's own graph."""
        return self.own_graph or not is_published(self.source)

    @property
    def trained(self) -> tuple[str, ...]:
        """The kinds of trained models that may be used; none where nothing is read or scored."""
        if self.baseline is not None or self.uses_gold:
            return ()
        scores = self.retriever in ("triples", "fused")
        interprets = self.retriever not in ("triples", *OPEN_FORMS)
        kinds = [k for k in ("gsr", "programs") if interprets and self.interpreter in (k, "auto")]
        return (*kinds, *("triples",) * scores)

    def record(self, questions: str) -> dict[str, Any]:
        """The settings that the rows depend on, for JSON; with a fingerprint of the questions."""
        if self.baseline is not None:
            fields = ["baseline", "topics"]
        elif self.uses_gold:
            fields = ["patterns", "wording", "options"]
        else:
            fields = ["patterns", "interpreter", "retriever", "topics", "options"]
        record = self.model_dump(mode="json", include={*fields})
        if self.uses_gold:
            record["wording"] = self.wording if isinstance(self.wording, str) else "paraphrases"
        choice = self.model_dump(mode="json", include={*Selection.model_fields})
        return {
            "source": self.source,
            **{key: record[key] for key in fields},
            "choice": {**choice, "questions": questions},
            "naming": None if self.naming == DEFAULT else self.naming.record(),
            **({} if self.perturb is None else {"perturb": asdict(self.perturb)}),
        }
