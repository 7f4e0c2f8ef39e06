"""Words of corrected questions that the lexicon lacks, and where in it they belong.

For a graph without a trained model the lexicon is what a correction can change. A word is put
where the interpreter without a model then reads all questions right that were corrected so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from isomatch.errors import InterpretationError
from isomatch.feedback.chains import walks_of
from isomatch.feedback.lessons import Lesson, Lessons
from isomatch.interpret.coverage.reader import CoverageReader
from isomatch.interpret.schema import SchemaInterpreter
from isomatch.lexicon.file import toml_text
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.trained.masking import MASK

if TYPE_CHECKING:
    from isomatch.lexicon.language import Language
    from isomatch.resources import Resources


@dataclass(frozen=True, slots=True)
class NewWord:
    """A word for a relation.

    Attributes:
        phrase: a word, or several in a row.
        relation: its id.
        key: the list of the relation's table that it belongs to; empty where it is none by
            which the corrected questions are read right.
        questions: that were corrected so.
    """

    phrase: str
    relation: str
    key: str
    questions: tuple[str, ...]


def new_words(resources: Resources, lessons: Lessons) -> tuple[Lexicon, list[NewWord]]:
    """The lexicon with words of corrected questions, and these words.

    Of questions whose chain is one relation, and that have one unknown word or several in a row.
    Those that are read right already give none.

    Raises:
        StoreError, EmbeddingError: a part failed.
    """
    lexicon = resources.lexicon
    texts = {relation.id: relation.text for relation in resources.schema.relations}
    groups: dict[tuple[str, str], list[Lesson]] = {}
    for lesson in lessons.lessons:
        if len(lesson.topics) == 1 and len(lesson.topics[0].chain) == 1:
            (step,) = lesson.topics[0].chain
            phrases = list(_unknown(lesson.topics[0].masked, lexicon))
            if len(phrases) == 1 and step.relation in lexicon.relations:
                groups.setdefault((phrases[0], step.relation), []).append(lesson)
    found = []
    for (phrase, relation), taught in groups.items():
        if _reads(resources, lexicon, taught, texts):
            continue
        questions = tuple(lesson.record.question for lesson in taught)
        key = ""
        for key in _keys(taught[0], phrase, lexicon.language):
            tried = _with(lexicon, relation, key, phrase)
            if _reads(resources, tried, taught, texts):
                lexicon = tried
                break
        else:
            key = ""
        found.append(NewWord(phrase, relation, key, questions))
    return lexicon, found


def toml_lines(lexicon: Lexicon, words: Sequence[NewWord]) -> Iterator[str]:
    """Tables for ``lexicon.toml``, with whole lists.

    Args:
        lexicon: that has the words.
    """
    placed = sorted((word for word in words if word.key), key=lambda word: word.relation)
    for relation, some in groupby(placed, key=lambda word: word.relation):
        of = list(some)
        for word in of:
            yield f"# {toml_text(word.phrase)}: {len(word.questions)} corrected questions"
        yield f"[relations.{toml_text(relation)}]"
        for key in dict.fromkeys(word.key for word in of):
            yield f"{key} = {toml_text(getattr(lexicon.relations[relation], key))}"
        yield ""


def _unknown(masked: str, lexicon: Lexicon) -> Iterator[str]:
    """The words of a question that the lexicon lacks, those in a row as one."""
    known = lexicon.language.building | lexicon.words()
    for side in masked.split(MASK):
        for unknown, some in groupby(tokens(side), key=lambda word: word not in known):
            if unknown:
                yield " ".join(some)


def _keys(lesson: Lesson, phrase: str, language: Language) -> tuple[str, ...]:
    """The lists that a phrase may belong to, the likeliest first.

    Before the name, what is asked for does it: "who helmed Heat". Behind it, or apart from it,
    the name does: "which films did Mann helm". After an article it is a noun.
    """
    (topic,) = lesson.topics
    (step,) = topic.chain
    before = tokens(topic.masked.partition(MASK)[0])
    words, grammar = phrase.split(), language.grammar
    place = next((i for i in range(len(before)) if before[i : i + len(words)] == words), None)
    verbs = ("backward", "forward")
    nouns = ("nouns", "inverse_nouns")
    if place is not None and place and before[place - 1] in grammar.articles:
        return (*(nouns[::-1] if step.back else nouns), *verbs)
    behind = [] if place is None else before[place + len(words) :]
    active = place is not None and all(word in grammar.by for word in behind)
    return (*(verbs if active != step.back else verbs[::-1]), *nouns)


def _with(lexicon: Lexicon, relation: str, key: str, phrase: str) -> Lexicon:
    words = lexicon.relations[relation]
    more: dict[str, Any] = {key: (*getattr(words, key), phrase)}
    return replace(lexicon, relations={**lexicon.relations, relation: replace(words, **more)})


def _reads(
    resources: Resources, lexicon: Lexicon, taught: Sequence[Lesson], texts: Mapping[str, str]
) -> bool:
    """Whether all questions are read right by the words of a lexicon, and no word is left out."""
    reader = SchemaInterpreter(
        resources.store,
        resources.schema,
        resources.word_embedder,
        resources.mentions,
        lexicon,
        cache_folder=resources.settings.cache_path,
    )
    coverage = CoverageReader(resources.schema, lexicon, resources.word_embedder)
    for lesson in taught:
        question = lesson.record.question
        try:
            best = reader.interpret(question)[:1]
        except InterpretationError:
            return False
        (best_read,) = coverage.read(question, resources.mentions.find(question), best)
        left_out = best_read.coverage is None or best_read.coverage.left_out
        if left_out or walks_of(best_read.pattern) != lesson.walks(texts):
            return False
    return True
