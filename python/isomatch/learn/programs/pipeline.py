"""Training of program models: questions → programs → a trained model.

Programs come from gold queries, from answers, from words, or are made up, see
`isomatch.learn.programs.labels` and `isomatch.learn.programs.sampling`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, LoadError
from isomatch.executor import Work, open_executor
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.slots import asked_nouns, phrases, unmasked
from isomatch.interpret.programs.tree import in_words, kinds_of, parse, with_things
from isomatch.learn import corrections
from isomatch.learn.config import MINILM, SEQ2SEQ, GsrConfig
from isomatch.learn.examples import Example
from isomatch.learn.pipeline import need_questions, need_torch, origin
from isomatch.learn.programs.corrections import corrected, program_labels
from isomatch.learn.programs.definitions import definitions
from isomatch.learn.programs.labels import Label, ProgramLabeller, ProgramReport, Rows
from isomatch.learn.programs.recombination import recombined
from isomatch.learn.programs.sampling import sample_questions
from isomatch.learn.report import Event, TrainingReport, Watch, ignore
from isomatch.learn.weak import digest
from isomatch.learn.workdir import stoppable, work_folder
from isomatch.options import Rule
from isomatch.questions.sets import QuestionSet, limited
from isomatch.resources import Reopening
from isomatch.trained.alignment import Alignment
from isomatch.trained.artifact import ArtifactConfig
from isomatch.trained.channel import CHANNEL, WordVocabulary
from isomatch.trained.masking import heard
from isomatch.trained.precedents import Precedents
from isomatch.trained.program_vocabulary import ProgramVocabulary

if TYPE_CHECKING:
    from isomatch.feedback.lessons import Lessons
    from isomatch.questions.datasets import Question
    from isomatch.resources import Resources

SEEN = 60_000
"""Texts that a training sees in all, where no number of epochs is given."""
SAID = 20_000
"""The same of the channel, see `train_channel`."""
FEWEST, MOST = 8, 40
"""Epochs, whatever the number of texts."""
TUNED = 3
"""Epochs in which the encoder is trained too."""
RATE_SHARE = 0.25
"""Of the learning rate before, in these."""
MOST_HELD = 200
"""Questions that are held back to choose the best epoch."""
RECOMBINED = 4
"""Questions that are put together of others, for each of these."""


def train_programs(
    resources: Resources,
    questions: QuestionSet | None = None,
    config: GsrConfig | None = None,
    *,
    out: Path | str | None = None,
    resume: bool = False,
    strict: bool = False,
    watch: Watch | None = None,
    feedback: Lessons | None = None,
    **options: Any,
) -> TrainingReport:
    """Train a model that reads questions as programs.

    Args:
        questions: with gold queries in Cypher, with answers, or with neither, see
            `isomatch.questions.sets.read_questions`; None for none.
        config: as of a chain model; ``rule``, ``reword`` and ``power`` have no meaning here.
            What it leaves open is as `settled` and `train_in_stages` say.
        out: the artifact's folder; None for that of the settings.
        resume: continue a stopped run.
        strict: whether a question whose program is not found is an error.
        watch: called with the run's progress.
        feedback: corrections to learn from too, see `isomatch.feedback.questions.kept_lessons`.
        options: fields of ``config``, in place of its own.

    Raises:
        ConfigurationError: there is nothing to learn from, or an option is wrong.
        LoadError: a question has no program, and ``strict``.
        ArtifactError: the model cannot be trained or written.
        MissingExtraError: the extra ``train`` is not installed.
        TrainingStopped: Ctrl-C; what was learnt so far is in ``out``.
    """
    config = GsrConfig.of(config, **options)
    if config.rule != Rule.filtered or config.reword:
        raise ConfigurationError("--rule and --reword are for isomatch train gsr")
    folder = Path(out or resources.settings.programs_folder)
    if feedback is not None and questions is None and config.synthetic < 1:
        config = corrections.as_before(config, folder)
    need_questions(resources, questions, config)
    need_torch()
    watch = watch or ignore
    asked = config.model_dump(mode="json")
    asked["feedback"] = feedback and corrections.digest(feedback)
    if questions is not None:
        chosen = limited(questions.questions, config.limit, config.seed)
        questions = replace(questions, questions=chosen)
        asked["questions"] = digest(chosen)
    work = work_folder(resources, "programs", folder, resume, asked)
    with stoppable(folder):
        examples, report = _examples(resources, questions, config, work, watch)
        taught = program_labels(resources, feedback) if feedback else []
        examples += [label.example() for label in taught if label.program]
        if not examples:
            raise ConfigurationError(_nothing(report, taught))
        corrections.need_more(examples)
        if strict and report is not None and report.first:
            raise LoadError(f"{report.first}; leave out --strict to learn from the others")
        record = ArtifactConfig(
            kind="programs",
            fingerprint=resources.schema.fingerprint,
            nodes="repeat" if report and "query" in report.found else "walk",
            words=report.trust if report else 0.0,
            unchecked=bool(report and report.unchecked),
            definitions=report.definitions if report else {},
            training=origin(questions, config.limit),
        )
        train_channel(
            resources, examples, folder / CHANNEL, config, resume=resume,
            watch=lambda event: watch(replace(event, stage="train channel")),
        )  # fmt: skip
        trained = train_in_stages(
            examples, vocabulary_of(resources, examples), folder, config, record,
            first=work / "first", resume=resume, watch=watch,
        )  # fmt: skip
    shutil.rmtree(work, ignore_errors=True)
    done = TrainingReport.of(folder, trained, examples, report, questions)
    return replace(done, corrections=corrected(taught)) if feedback else done


def _examples(
    resources: Resources,
    questions: QuestionSet | None,
    config: GsrConfig,
    work: Path,
    watch: Watch,
) -> tuple[list[Example], ProgramReport | None]:
    """What is learnt from, and how the questions' programs were found."""
    examples: list[Example] = []
    report = None
    if questions is not None:
        labeller = ProgramLabeller(resources)
        make = partial(_labels, Reopening.of(resources))
        with open_executor(config.on) as executor:
            labels = labeller.run(
                questions.questions,
                work / "programs",
                lambda done, total: watch(Event("label", done, total)),
                partial(executor.map, Work(labeller.part, make)),
            )
        found = definitions(labeller, questions.questions, labels)
        report = ProgramReport.of(labels, found)
        examples += [label.example() for label in labels if label.program]
        number = RECOMBINED * len(examples) if config.recombined is None else config.recombined
        examples += recombined(examples, labeller.kinds, number, config.seed)
    for number, example in enumerate(sample_questions(resources, config.synthetic, config.seed), 1):
        examples.append(example)
        watch(Event("synthesise", number, config.synthetic))
    return examples, report


def _labels(graph: Reopening) -> Callable[[Sequence[Question]], Rows]:
    """In a worker: what finds programs of questions."""
    return ProgramLabeller(graph.open()).part


def _nothing(report: ProgramReport | None, taught: Sequence[Label]) -> str:
    fell = [*(report.fell if report else ()), *(label.reason for label in taught)]
    reasons = ", ".join(dict.fromkeys(fell)) or "the schema has no relations with words"
    return f"no question has a program to learn: {reasons}"


def settled(config: GsrConfig, texts: int) -> GsrConfig:
    """A config with what is not given as the first stage of a program model needs it.

    A small decoder over cached states of the encoder, with a layer between them that is
    trained: a text takes a tenth of the time of training the encoder too.
    """
    epochs = max(FEWEST, min(MOST, round(SEEN / texts)))
    usual: dict[str, Any] = {"over": 1, "batch": 32, "epochs": epochs}
    usual |= {"width": 192, "unseen": 0.3, "validation": min(config.validation, MOST_HELD / texts)}
    kept = {name for name in config.model_fields_set if getattr(config, name) is not None}
    given = {k: v for k, v in usual.items() if k not in kept}
    return config.model_copy(update={**given, "freeze": True})


def vocabulary_of(resources: Resources, examples: Sequence[Example]) -> ProgramVocabulary:
    """The tokens of programs over a graph, and how examples say them."""
    pairs = [(example, program) for example in examples for program, _ in example.chains]
    programs = [program for _, program in pairs]
    kinds = GraphKinds(resources.schema, resources.lexicon)
    language = resources.lexicon.language
    # What is put together has words that nobody would say.
    pairs = [pair for pair in pairs if pair[0].source != "recombined"]
    texts = [(unmasked(example.text), program) for example, program in pairs]
    said = Alignment.learn(
        (
            ([words for words, _ in phrases(text, language)], with_things(program, kinds))
            for text, program in texts
        ),
        (
            (noun.text, kinds_of(parse(program), kinds))
            for text, program in texts
            for noun in asked_nouns(text, language)[:1]
        ),
        ((heard(example.text), program) for example, program in pairs),
        lambda word: (word,) if " " in word else language.forms(word),
    )
    known = Precedents.of((example.text, program) for example, program in pairs)
    return replace(ProgramVocabulary.of(resources.schema, programs), said=said, precedents=known)


def train_channel(
    resources: Resources,
    examples: Sequence[Example],
    folder: Path,
    config: GsrConfig,
    *,
    resume: bool,
    watch: Watch,
) -> ArtifactConfig:
    """Train a decoder that says the questions of programs, see `isomatch.trained.channel`.

    It reads words one by one, for nobody says a program as its tokens come.
    """
    from isomatch.learn.gsr.training import learned, train

    done = learned(folder) if resume else None
    if done is not None:
        return done
    kinds = GraphKinds(resources.schema, resources.lexicon)
    # What is put together has words that nobody would say.
    examples = [example for example in examples if example.source != "recombined"]
    words = WordVocabulary.of(example.text for example in examples)
    said = [
        Example(
            "say",
            in_words(program, example.text, kinds),
            ((words.written(example.text), 1.0),),
            "weak",
            f"{example.id} {number}",
        )
        for number, example in enumerate(examples)
        for program, _ in example.chains[:1]
    ]
    config = settled(config, len(said))
    own: dict[str, Any] = {"deep": False, "over": 2, "validation": 0.0}
    own["epochs"] = min(config.epochs or MOST, max(FEWEST, min(MOST, SAID // len(said))))
    if config.backbone.startswith(SEQ2SEQ):
        own["backbone"] = MINILM
    config = config.model_copy(update=own)
    record = ArtifactConfig(kind="channel", fingerprint=resources.schema.fingerprint)
    return train(said, words, folder, config, record=record, resume=resume, watch=watch)


def train_in_stages(
    examples: Sequence[Example],
    vocabulary: ProgramVocabulary,
    folder: Path,
    config: GsrConfig,
    record: ArtifactConfig,
    *,
    first: Path,
    resume: bool,
    watch: Watch,
) -> ArtifactConfig:
    """Train a decoder over the encoder as it is, then both together.

    The other way round, a decoder that knows nothing yet takes the encoder away from what it
    knows (Kumar et al., Fine-tuning can distort pretrained features, ICLR 2022). Where most
    questions are made up, their words would, so the encoder is left as it is.

    Args:
        first: the folder of the first stage's artifact.
    """
    from isomatch.learn.gsr.training import learned, or_first, train

    made_up = sum(example.source == "synthetic" for example in examples)
    freeze = 2 * made_up > len(examples) if config.freeze is None else config.freeze
    config = settled(config, len(examples))
    run = partial(train, examples, vocabulary, record=record, resume=resume)
    if freeze:
        return run(folder, config, watch=watch)
    with or_first(first, folder):
        done = learned(first) if resume else None
        done = done or run(first, config, watch=watch)
        rate = RATE_SHARE * done.training["rate"]
        then = {"freeze": False, "epochs": TUNED, "rate": rate}
        return run(
            folder,
            config.model_copy(update=then),
            initial=first,
            watch=lambda event: watch(replace(event, stage="train on")),
        )
