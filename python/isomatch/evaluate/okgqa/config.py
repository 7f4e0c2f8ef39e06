"""What an evaluation on open questions measures, for the command line, Python and its record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from isomatch.errors import ConfigurationError
from isomatch.options import OPEN_FORMS, OpenForm, PrizeOptions, Prompting, option_problem
from isomatch.perturb.types import parse_all
from isomatch.questions.open.sets import SET, TYPES
from isomatch.seed import SEED

UNAIDED: tuple[str, ...] = tuple(str(one) for one in Prompting)
SYSTEMS: tuple[str, ...] = (*OPEN_FORMS, *UNAIDED)
GRAPH, DESCRIPTIONS = "graph", "descriptions"
ALL = "all"


class OpenEvalConfig(BaseModel):
    """What is measured, and on which open questions.

    Attributes:
        source: ``okgqa``, ``okgqa:DIR`` or a file of JSON lines (see
            `isomatch.questions.open.sets`).
        data: folder of the published set, where ``source`` is ``okgqa`` alone.
        data_graph: folder of FB15k-237, whose graph is asked; None asks the user's own.
        systems: forms of evidence, and ways to ask a model without the graph; ``all``
            stands for every one. Empty: the forms, and with a model also ``zero-shot``.
        types: of questions; empty for all.
        metrics: of the judge, see `isomatch.judge`; empty for all that can be had.
        samples: of a model, for ``sc`` and ``cot-sc``.
        options: of the evidence, see `isomatch.options.PrizeOptions`.
        reference: what an answer's facts are checked against, beside the texts of a
            question's own line: ``graph`` (facts around the topics), ``descriptions`` (of the
            topics, in the graph or the set), and paths of texts, see
            `isomatch.evaluate.okgqa.references.read_texts`.
        perturb: as ``RS:0.2``; the forms are also asked of copies of the graph with such
            errors (`isomatch.perturb`).
        judge: name of the model that judges; None for the one that writes.
        self_test: whether the judge itself is tested.
        facts: of known truth that it is tested on.
        limit: most questions.
        seed: of the sample and of everything else that is drawn.
        strict: whether a malformed line, or a topic that the graph lacks, is an error.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str = SET
    data: Path | None = None
    data_graph: Path | None = None
    systems: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    samples: int = Field(5, ge=1)
    options: dict[str, Any] = Field(default_factory=dict)
    reference: tuple[str, ...] = (GRAPH, DESCRIPTIONS)
    perturb: tuple[str, ...] = ()
    judge: str | None = None
    self_test: bool = True
    facts: int = Field(60, ge=3)
    limit: int | None = Field(None, ge=1)
    seed: int = SEED
    strict: bool = False

    @classmethod
    def make(cls, source: str, **fields: Any) -> OpenEvalConfig:
        """The configuration with these fields; None stands for the default.

        Raises:
            ConfigurationError: a field is unknown or has no such value.
        """
        given = {key: value for key, value in fields.items() if value is not None}
        try:
            made = cls(source=source, **given)
        except ValidationError as error:
            raise ConfigurationError(option_problem(error, cls.model_fields)) from error
        PrizeOptions().with_(**made.options)  # refuses what is unknown or out of range
        named = tuple(map(str, parse_all(made.perturb, made.seed)))
        return made.model_copy(update={"perturb": named})

    @field_validator("systems")
    @classmethod
    def _known_systems(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if ALL in value:
            return SYSTEMS
        for name in value:
            if name not in SYSTEMS:
                raise ValueError(f"must be of {', '.join(SYSTEMS)} or {ALL}, not {name!r}")
        return tuple(dict.fromkeys(value))

    @field_validator("types")
    @classmethod
    def _known_types(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            if name not in TYPES:
                raise ValueError(f"must be of {', '.join(TYPES)}, not {name!r}")
        return tuple(dict.fromkeys(value))

    @property
    def texts(self) -> tuple[Path, ...]:
        """The paths among the references."""
        return tuple(Path(one) for one in self.reference if one not in (GRAPH, DESCRIPTIONS))

    def systems_with(self, model: bool) -> tuple[str, ...]:
        """The systems to measure.

        Args:
            model: whether there is a language model.

        Raises:
            ConfigurationError: a way to ask a model was named, and there is none.
        """
        if not self.systems:
            return (*OPEN_FORMS, str(Prompting.ZERO_SHOT)) if model else OPEN_FORMS
        unaided = [name for name in self.systems if name in UNAIDED]
        if unaided and not model:
            raise ConfigurationError(
                f"{unaided[0]!r} asks a language model: set ISOMATCH_MODEL and OPENAI_BASE_URL, or "
                f"take {', '.join(OPEN_FORMS)}"
            )
        return self.systems

    def record(self, systems: tuple[str, ...], questions: str) -> dict[str, Any]:
        """The settings that the rows depend on, for JSON; with a fingerprint of the questions."""
        fields = ("source", "types", "samples", "options", "reference", "perturb", "limit", "seed")
        record = self.model_dump(mode="json", include={*fields})
        return {
            **{key: record[key] for key in fields},
            "systems": list(systems),
            "data": None if self.data is None else self.data.name,
            "questions_hash": questions,
        }


def is_form(system: str) -> bool:
    """Whether a system reads evidence of the graph."""
    return system in OPEN_FORMS


def form_of(system: str) -> OpenForm:
    """The form of evidence that a system reads."""
    return next(form for form in OPEN_FORMS if form == system)
