"""The options of training: for Python, the command line and the artifact's record."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from isomatch.errors import ConfigurationError
from isomatch.executor import HERE, check_place
from isomatch.options import Paths, Rule, option_problem
from isomatch.seed import SEED
from isomatch.triples.features import Features
from isomatch.triples.ranking import Surroundings

MINILM = "minilm"
SEQ2SEQ = "seq2seq:"
NEGATIVES = 600

Config = TypeVar("Config", bound="TrainConfig")


class TrainConfig(BaseModel):
    """The options that both kinds of model share.

    Attributes:
        rule: how questions are labelled, see `isomatch.learn.weak`.
        limit: maximum number of questions; the same seed picks the same ones.
        seed: of everything random; the same seed gives the same model on one machine.
        epochs: maximum; None takes a number that suits kind and amount of data.
        batch: texts or questions per step.
        rate: learning rate; None for 0.001, or 0.0005 for ``seq2seq``.
        validation: share of the questions that are held back to choose the best epoch;
            none where that would be too few.
        patience: epochs without a better one before training stops early.
        on: where questions are labelled, see `isomatch.executor.open_executor`; what is learnt
            from is the same. The model itself is trained in this process.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: Rule = Rule.filtered
    limit: int | None = Field(default=None, ge=1)
    seed: int = SEED
    epochs: int | None = Field(default=None, ge=1)
    batch: int = Field(default=8, ge=1)
    rate: float | None = Field(default=None, gt=0)
    validation: float = Field(default=0.1, ge=0, lt=1)
    patience: int = Field(default=5, ge=1)
    on: Annotated[str, AfterValidator(check_place)] = Field(HERE, exclude=True, repr=False)

    @classmethod
    def of(cls: type[Config], config: Config | None = None, **options: Any) -> Config:
        """A config with some options changed, checked.

        Raises:
            ConfigurationError: an option is unknown, or its value is not allowed.
        """
        given: dict[str, Any] = {}
        if config is not None:
            given = {key: getattr(config, key) for key in config.model_fields_set}
        try:
            return cls.model_validate({**given, **options})
        except ValidationError as error:
            raise ConfigurationError(option_problem(error, cls.model_fields)) from error

    def record(self) -> dict[str, Any]:
        """The options as JSON, for the artifact, which says elsewhere what it leaves out."""
        return self.model_dump(mode="json", exclude={"around", "validation"})


class GsrConfig(TrainConfig):
    """How a chain model is trained.

    Attributes:
        synthetic: number of questions to make from the graph alone.
        reword: whether the language model rephrases these.
        backbone: ``minilm``, ``seq2seq:MODEL``, or the name or folder of a BERT encoder.
        freeze: train the decoder only, on cached encoder states: four times as fast, but worse
            on chains without an example. None freezes where most questions are synthetic, since
            these lead the encoder away from what people say. Programs are trained so first in
            any case, and then, unless this holds, together with the encoder.
        rate: of the decoder; a BERT encoder's is a fifth of it.
        smoothing: of the labels.
        dropped: share of a text's words that are masked each time it is seen, so that
            the model copes with unseen wordings.
        unseen: share of a chain's or program's steps that the decoder of a BERT encoder does not
            see while it learns what follows them; None for none, and for programs 0.3.
        power: a text with n examples has the weight n to this power.
        width: of the decoder; None for that of the backbone, and for programs 192.
        over: layers between a BERT encoder and the decoder, trained also where the encoder is
            frozen; None for none, and for programs one.
        recombined: of programs: number of questions that are put together of phrases of others;
            None for four times as many as there are questions with a program.
        deep: whether the layers of a BERT encoder are used, not only its words.
        int8: export weights of 8 bits.
        export: write the ONNX files; not needed for a model that only initialises another.
    """

    batch: int = Field(default=16, ge=1)
    synthetic: int = Field(default=0, ge=0)
    reword: bool = False
    backbone: str = MINILM
    freeze: bool | None = None
    smoothing: float = Field(default=0.0, ge=0, lt=1)
    dropped: float = Field(default=0.1, ge=0, lt=1)
    unseen: float | None = Field(default=None, ge=0, lt=1)
    power: float = 0.5
    width: int | None = Field(default=None, ge=1)
    over: int | None = Field(default=None, ge=0)
    recombined: int | None = Field(default=None, ge=0)
    deep: bool = True
    int8: bool = True
    export: bool = True


class TriplesConfig(TrainConfig):
    """How a scorer of triples is trained.

    Attributes:
        paths: relevant triples are those on ``chains`` that explain the answers, or on
            the ``shortest`` paths, as published.
        around: which triples are scored, in training and in serving.
        features: of a triple: as ``published``, or with those that are ``similar`` to the
            question, see `isomatch.triples.features`.
        listwise: weight of the ranking loss; 0 for the published loss alone.
        negatives: irrelevant triples that are sampled per question.
        hidden: size of the hidden layer.
        decay: weight decay of AdamW.
        dropped: dropout of the hidden layer.
        forgotten: share of the nodes whose names are hidden each time, so that the model
            learns where an answer lies, not which nodes were answers.
    """

    paths: Paths = Paths.chains
    around: Surroundings = Surroundings(seconds=None)
    features: Features = "similar"
    listwise: float = Field(default=1.0, ge=0)
    negatives: int = Field(default=NEGATIVES, ge=0)
    hidden: int = Field(default=256, ge=1)
    decay: float = Field(default=0.01, ge=0)
    dropped: float = Field(default=0.2, ge=0, lt=1)
    forgotten: float = Field(default=0.5, ge=0, lt=1)
