"""What models learn from feedback: the chains that people chose, before any other label.

A correction is shown again and again (`isomatch.learn.gsr.batches`), it is never held back, and
of a text that was corrected nothing else is learnt. Of answers that were typed the chains are
found as those of other questions are.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.feedback.chains import walks_of
from isomatch.feedback.lessons import NO_CHAIN, Lesson, Lessons
from isomatch.interpret.gsr import GSRInterpreter
from isomatch.interpret.registry import interpreter_of
from isomatch.learn.config import MINILM, GsrConfig
from isomatch.learn.examples import Example
from isomatch.questions.sets import QuestionSet, check_names
from isomatch.trained.artifact import CONFIG, read_config
from isomatch.trained.masking import same_wording
from isomatch.trained.vocabulary import StepVocabulary

MOST_WORDINGS = 10_000  # that a model remembers as corrected

if TYPE_CHECKING:
    from isomatch.learn.walks import Entities
    from isomatch.resources import Resources


def chain_examples(lessons: Lessons) -> list[Example]:
    """The chosen chains, each from its own name of the question."""
    return [
        Example(
            "retrieval", topic.masked, ((topic.chain, 1.0),), "feedback", f"{lesson.record.id}#{n}"
        )
        for lesson in lessons.lessons
        for n, topic in enumerate(lesson.topics, 1)
    ]


def wordings(lessons: Lessons) -> tuple[str, ...]:
    """The wordings of which the chains were chosen, the last ones of very many."""
    found = dict.fromkeys(
        same_wording(topic.masked) for lesson in lessons.lessons for topic in lesson.topics
    )
    return tuple(found)[-MOST_WORDINGS:]


def with_answers(
    asked: QuestionSet | None, lessons: Lessons, texts: Mapping[str, str], entities: Entities
) -> QuestionSet | None:
    """Questions with those of which feedback has the answers alone.

    Args:
        asked: None for none.
        texts: of the graph's relations, by id.
        entities: of the graph; what it does not have is no answer.
    """
    alone = [lesson for lesson in lessons.lessons if lesson.result is None]
    if not alone:
        return asked
    given = QuestionSet("feedback", tuple(lesson.question(texts) for lesson in alone))
    checked = check_names(given, entities.known)
    return joined(asked, checked) if asked or checked.questions else None


def joined(asked: QuestionSet | None, given: QuestionSet) -> QuestionSet:
    """Both sets as one, which is called as the first."""
    if asked is None:
        return given
    questions = (*asked.questions, *given.questions)
    return replace(asked, questions=questions, problems=(*asked.problems, *given.problems))


def marked(examples: Sequence[Example], lessons: Lessons) -> list[Example]:
    """Examples, where those of feedback are marked as such."""
    ids = {lesson.record.id for lesson in lessons.lessons}
    return [
        replace(example, source="feedback") if example.id.partition("#")[0] in ids else example
        for example in examples
    ]


def as_before(config: GsrConfig, folder: Path) -> GsrConfig:
    """The config with as many synthetic questions, and the backbone, of the model in a folder.

    For corrections alone, which are too few to train on.

    Raises:
        ConfigurationError: there is no such model, or it has learnt from questions, which are
            not known any more.
    """
    if not (folder / CONFIG).is_file():
        raise ConfigurationError(
            f"corrections alone are too few to train on, and {folder} has no model to do again: "
            "give questions too (--questions), or say how many to make from the graph (--synthetic)"
        )
    training = read_config(folder).training
    if taken := training.get("questions_from"):
        raise ConfigurationError(
            f"the model in {folder} has learnt from the questions of {taken['set']}: give them "
            "again (--questions), as corrections alone are too few to train on"
        )
    before = {"synthetic": training.get("synthetic", 0)}
    if config.backbone == MINILM:
        before["backbone"] = training.get("backbone", MINILM)
    return config.model_copy(update=before)


def need_more(examples: Iterable[Example]) -> None:
    """Check that there is more to learn from than corrections: a model of these alone would read
    everything as one of them.

    Raises:
        ConfigurationError: there is nothing else.
    """
    sources = {example.source for example in examples}
    if "feedback" in sources and sources <= {"feedback", "index"}:
        raise ConfigurationError(
            "corrections alone are too few to train on, and neither the questions nor the graph "
            "give anything else: give questions that can be learnt from (--questions)"
        )


def digest(lessons: Lessons) -> str:
    """Of everything that is learnt from feedback."""
    content = [
        (lesson.record.id, lesson.said, lesson.answers, lesson.topics) for lesson in lessons.lessons
    ]
    return hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()


def figures(resources: Resources, lessons: Lessons, folder: Path) -> dict[str, int]:
    """How many corrections there are, and how many the model in a folder reads right.

    Raises:
        ArtifactError: the model cannot be opened.
    """
    taught = [lesson for lesson in lessons.lessons if lesson.topics]
    found = {"corrections": len(lessons.lessons), "with their chains": len(taught)}
    counts = Counter(
        "their pattern is no chain" if lesson.reason == NO_CHAIN else "their name is not in them"
        for lesson in lessons.lessons
        if lesson.result is not None and not lesson.topics
    )
    found.update(counts)
    if taught:
        found["read right by the model"] = sum(_read_right(resources, taught, folder))
    return found


def _read_right(resources: Resources, taught: Sequence[Lesson], folder: Path) -> list[bool]:
    reader = GSRInterpreter(
        resources.store,
        resources.schema,
        resources.mentions,
        folder,
        words=interpreter_of(resources, "schema"),
    )
    texts = {relation.id: relation.text for relation in resources.schema.relations}
    right = []
    for lesson in taught:
        try:
            best = reader.interpret(lesson.record.question)[0]
        except InterpretationError:
            right.append(False)
        else:
            right.append(walks_of(best.pattern) == lesson.walks(texts))
    return right


def need_known(lessons: Lessons, vocabulary: StepVocabulary) -> None:
    """Check that something can be learnt from feedback.

    Raises:
        ConfigurationError: no correction has a chain of relations that the model knows, nor
            answers.
    """
    for lesson in lessons.lessons:
        if lesson.result is None or (
            lesson.topics and all(vocabulary.knows(topic.chain) for topic in lesson.topics)
        ):
            return
    reasons = Counter(lesson.reason or "a relation is unknown" for lesson in lessons.lessons)
    listed = "; ".join(f"{count}: {reason}" for reason, count in reasons.most_common(3))
    raise ConfigurationError(
        "no correction can be learnt from as a relation chain"
        + (f" ({listed})" if listed else ", as none says what is right")
    )
