"""What an answer says of words of a question that are left out, or read as others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.lexicon.answer_words import AnswerWords
from isomatch.lexicon.english import singular
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.match.types import Bound, Interpretation, MatchResult, nearest
from isomatch.pattern import format_text
from isomatch.phrasing import clean
from isomatch.store.terms import is_iri, is_nameless, local_name

_ID = re.compile(r"[a-z]{1,4}[-_]?\d+")  # "r8"; "TP53" and "A320" are names
IDS = 3  # of what has no name, that a refusal writes out


def understood_words(coverage: Coverage | None, words: AnswerWords) -> str:
    """What the end of a refusal says of the words that have a place; empty for none."""
    spans = coverage.understood if coverage is not None else ()
    told = [_understood(span, words) for span in spans if span.kind != "word"]
    return f" {words.understood.format(', '.join(told))}" if told else ""


def _understood(span: Span, words: AnswerWords) -> str:
    said = quoted(span.text, words)
    if singular(span.text.casefold()) == singular(span.meaning.casefold()):
        return said
    meaning = words.operations.get(span.meaning, span.meaning)
    return words.understood_as.format(said, clean(meaning))


def either(hypothesis: Hypothesis, words: AnswerWords) -> str:
    """What a refusal says of two readings that are as likely: the names, or else the patterns."""
    pattern, rival = hypothesis.pattern, hypothesis.rival
    written = format_text(pattern)
    if rival is not None:
        other = format_text(rival)
        texts = {node.text for one in rival.patterns() for node in one.nodes if node.text}
        for word, meant, _ in hypothesis.taken_for:
            for text in sorted(texts - {meant}):
                if written.replace(f'"{meant}"', f'"{text}"') == other:
                    names = words.any(quoted(name, words) for name in (meant, text))
                    return words.may_mean.format(quoted(word, words), names)
        written = f"{clean(written, None)},{words.disjunction}{clean(other, None)}"
    return words.either.format(written)


def without_place(missing: Sequence[Span], result: MatchResult | None, words: AnswerWords) -> str:
    """What a refusal says of the words that are left out.

    Where that is only what the question asks for, its other words have led to something else.
    A count, a comparison or the like may have no place because a name is that of several things.

    Args:
        missing: the words.
        result: of a search for what the others say.
    """
    others = [span for span in missing if span.kind != "kind"]
    if others:
        no_place = words.no_place.format(_all_quoted(others, words))
        called = ""
        if result is not None and any(span.kind == "operator" for span in others):
            called = _shared_names(nearest(result.interpretations), words)
        return words.namesakes.format(called, no_place) if called else no_place
    return words.other_kind.format(quoted(" ".join(span.text for span in missing), words))


def has_names(hypothesis: Hypothesis | None) -> bool:
    """Whether a pattern has a name that the question does not write as a plain word."""
    nodes = hypothesis.pattern.nodes if hypothesis is not None else ()
    return any(node.text is not None and node.text != node.text.lower() for node in nodes)


def warning(hypothesis: Hypothesis | None, words: AnswerWords) -> str:
    """What an answer's text ends with where its reading leaves out words of the question.

    Or adds relations to it.
    """
    coverage = None if hypothesis is None else hypothesis.coverage
    if hypothesis is None or coverage is None:
        return ""
    by = words.both(quoted(name, words) for name in hypothesis.joined_by)
    added = f" {words.joined_by.format(by)}" if by else ""
    if not coverage.left_out:
        return added
    frame = words.left_out if len(coverage.left_out) == 1 else words.left_out_several
    return f"{added} {frame.format(_all_quoted(coverage.left_out, words))}"


def nameless(
    answers: Sequence[Bound],
    read: Hypothesis,
    best: Sequence[Interpretation],
    language: Language,
    question: str,
) -> str:
    """What a refusal says where nothing that was found has a name; empty where something has.

    So is a record that is called by an id only, as "r8", where the question asks for no such
    records and the things that it names have names: "the rating of Ann" is no entry of a list.
    And "who are her contacts" asks for people.
    """
    who = not language.asking.who.isdisjoint(tokens(question.lower())[:1])
    unnamed = all(is_nameless(bound.id, bound.name) for bound in answers)
    asked = not who and _says_what(read, language)
    if not answers or not (unnamed or (_are_ids(answers, best) and not asked)):
        return ""
    more = ", …" if len(answers) > IDS else ""
    return language.answers.nameless.format(", ".join(bound.name for bound in answers[:IDS]) + more)


def _are_ids(answers: Sequence[Bound], best: Sequence[Interpretation]) -> bool:
    """Whether answers are called by ids with a number, and what the question names is not."""
    ids = (bound.id for bound in answers)
    if not all(is_iri(id) and _ID.fullmatch(local_name(id)) for id in ids):
        return False
    named = [c for i in best for c in i.choices if c.part == "node" and is_iri(c.id)]
    own = all(bound.name == local_name(bound.id) for bound in answers)
    return own and any(c.text.casefold() != local_name(c.id).casefold() for c in named)


def _is_noun_of(said: Sequence[str], meant: Sequence[str]) -> bool:
    """Whether a word is another or its plural: "bookings", „Buchungen“; no verb is longer."""
    return said == meant or any(
        singular(one) == other or (len(one) > len(other) and one.startswith(other))
        for one, other in zip(said, meant, strict=False)
    )


def _says_what(read: Hypothesis, language: Language) -> bool:
    """Whether a noun of the question says what the answers are: "bookings", of `Booking`."""
    pattern, spans = read.pattern, read.understood
    types = {(pattern.node(id).type or "").casefold() for id in pattern.answers}
    at = {e.relation for e in pattern.edges if not {*e.nodes}.isdisjoint(pattern.answers)}
    return any(
        _is_noun_of(span.text.casefold().split()[-1:], span.meaning.casefold().split()[-1:])
        for span in spans
        if (span.kind == "type" and span.meaning.casefold() in types)
        or (span.kind == "relation" and span.meaning in at and not language.is_verb(span.meaning))
    )


def several(best: Sequence[Interpretation], words: AnswerWords) -> str:
    """What a refusal says of names that stand for other things in each interpretation.

    A number of each is no number of all, and no reader can tell which is whose.
    """
    called = _shared_names(best, words)
    return words.several.format(called) if called else ""


def _shared_names(best: Sequence[Interpretation], words: AnswerWords) -> str:
    """Names in quotes that stand for another thing in each interpretation; empty for none."""
    ids: dict[str, set[str]] = {}
    for choice in (c for i in best for c in i.choices if c.part == "node"):
        ids.setdefault(choice.text, set()).add(choice.id)
    return words.both(quoted(text, words) for text, of in ids.items() if len(of) > 1)


def quoted(text: str, words: AnswerWords) -> str:
    """A text in the quotes of a language, as `clean` cuts it."""
    return words.quoted.format(clean(text))


def _all_quoted(spans: Sequence[Span], words: AnswerWords) -> str:
    return words.both(quoted(span.text, words) for span in spans)
