"""A little English: function words, plurals, participles, the people who do things.

Rules and closed classes only, no dictionary: schema names are written by people
in a few forms ("directed_by", "plays_for_club", "hasGenre"), and what the rules
get wrong is put right in the lexicon's file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from isomatch.pattern.elements import Function
from isomatch.texts import data


@dataclass(frozen=True, slots=True)
class Scale:
    """Adjectives that compare the values of the same relations; `english.toml` has them.

    Attributes:
        of: words for the relations, most usual first; after ``-`` where more is less.
        high, higher, highest, low, lower, lowest: the adjectives.
    """

    of: tuple[str, ...]
    high: tuple[str, ...] = ()
    higher: tuple[str, ...] = ()
    highest: tuple[str, ...] = ()
    low: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    lowest: tuple[str, ...] = ()


_DATA = data("isomatch.lexicon", "english.toml")
FUNCTION_WORDS = frozenset(_DATA["function_words"].split())
PREPOSITIONS = frozenset(_DATA["prepositions"].split())
QUESTION_WORDS: dict[str, list[str]] = _DATA["question_words"]
_SINGULARS: dict[str, str] = _DATA["singulars"]
_VERBS: dict[str, tuple[str, str]] = _DATA["verbs"]  # participle: base and past
_PARTICIPLE_OF_PAST = {past: word for word, (_, past) in _VERBS.items()}
LINKING = frozenset(_DATA["linking"].split())
CALLING = frozenset(_DATA["calling"].split())
LEAVING_OUT = frozenset(_DATA["leaving_out"].strip().split("|"))
PLACES = frozenset(_DATA["places"].split())
_BEING = (["is"], ["are"], ["was"], ["were"])
_AUXILIARIES = frozenset(_DATA["auxiliaries"].split())
NUMBER_WORDS = frozenset(_DATA["numbers"]["words"].split())
COUNTING = {word: str(n) for n, word in enumerate(_DATA["numbers"]["counting"].split())}
FUNCTIONS: dict[str, Function] = {
    word: function for function, words in _DATA["functions"].items() for word in words.split()
}
IDLE_WORDS = frozenset(_DATA["idle"]["words"].split())
SYMMETRIC = frozenset(_DATA["symmetric"]["words"].split())
POINTING = frozenset(_DATA["pointing"]["words"].split())
YES_NO = frozenset(_DATA["yes_no"]["first"].split())
LISTENERS = frozenset(_DATA["yes_no"]["listener"].split())


def _phrases(of: str) -> frozenset[tuple[str, ...]]:
    """The phrases of an entry; words where it has no ``|``."""
    parts = of.split("|") if "|" in of else of.split()
    return frozenset(tuple(part.split()) for part in parts)


OPERATORS = {kind: _phrases(of) for kind, of in _DATA["operators"].items()}
OPERATOR_WORDS = frozenset(p[0] for of in OPERATORS.values() for p in of if len(p) == 1)
DEGREES = {word: frozenset(of.split()) for word, of in _DATA["degrees"].items()}
SCALES: tuple[Scale, ...] = tuple(
    Scale(**{key: tuple(words.split()) for key, words in of.items()}) for of in _DATA["scales"]
)
PHRASES: dict[str, dict[str, tuple[str, ...]]] = {
    kind: {word: tuple(phrases.split("|")) for word, phrases in of.items()}
    for kind, of in _DATA["phrases"].items()
}
COMPARISONS = {op: _phrases(of) for op, of in _DATA["comparisons"].items()}
COMPARING = frozenset(_DATA["comparing"]["words"].split())
_VOWELS = "aeiou"
_TOKEN = re.compile(r"[^\W_]+(?:[.\-'’][^\W_]+)*", re.UNICODE)


def fold(text: str) -> str:
    """Lower case, without accents, underscores as blanks, single blanks."""
    if text.isascii():  # as most names of a graph, which are all folded at the start
        return " ".join(text.replace("_", " ").lower().split())
    return fold_with_offsets(text)[0].strip()


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the offset it came from."""
    folded: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character.isspace() or character == "_":
            plain = "" if folded and folded[-1] == " " else " "
        elif character in "‘’ʼ":
            plain = "'"
        elif character.isascii():
            plain = character.lower()
        else:
            parts = unicodedata.normalize("NFKD", character)
            plain = "".join(p for p in parts if not unicodedata.combining(p)).casefold()
        folded.extend(plain)
        offsets.extend([offset] * len(plain))
    return "".join(folded), offsets


def tokens(text: str) -> list[str]:
    """Words in lower case; a possessive 's is left out."""
    found = (t.lower().replace("’", "'") for t in _TOKEN.findall(text.replace("_", " ")))
    return [t[:-2] if t.endswith("'s") else t for t in found]


def focus(before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """What a question asks for, in words that may stand for it; empty if it is not said.

    "who …" asks for a person; "which languages …" and "… in which languages" for
    languages; "what did X direct" and "what is X's job" do not say it in front.

    Args:
        before, after: the question's tokens around its mention.
    """
    for side in (before, after):
        for at, word in enumerate(side):
            if word in QUESTION_WORDS:
                being = side[at + 1 : at + 2] in _BEING
                return (*QUESTION_WORDS[word], *(_next_content(side[at + 1 :]) if being else ()))
            if word in ("what", "which", "many", "much"):
                return _next_content(side[at + 1 :])
    return _next_content(before)


def _next_content(words: Sequence[str]) -> tuple[str, ...]:
    for word in words:
        if word in _AUXILIARIES:
            break
        if word not in FUNCTION_WORDS:
            return (word,)
    return ()


def singular(noun: str) -> str:
    """One of them: "actors" → "actor"; only the last word changes."""
    head, _, last = noun.rpartition(" ")
    lead = f"{head} " if head else ""
    if last in _SINGULARS:
        return lead + _SINGULARS[last]
    if len(last) > 4 and last.endswith("ies"):
        return lead + last[:-3] + "y"
    if last.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return lead + last[:-2]
    if len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is")):
        return lead + last[:-1]
    return noun


def plural(noun: str) -> str:
    """Several of them: "country" → "countries"; only the last word changes."""
    head, _, last = noun.rpartition(" ")
    lead = f"{head} " if head else ""
    for many, one in _SINGULARS.items():
        if last == one:
            return lead + many
    if last.endswith("y") and last[-2:-1] not in _VOWELS:
        return lead + last[:-1] + "ies"
    if last.endswith(("s", "x", "z", "ch", "sh")):
        return lead + last + "es"
    return lead + last + "s"


def is_participle(word: str) -> bool:
    """Whether the word looks like a past participle."""
    return word in _VERBS or (len(word) > 4 and word.endswith("ed"))


def base_verb(participle: str) -> str:
    """ "directed" → "direct", "written" → "write", "produced" → "produce"."""
    if participle in _VERBS:
        return _VERBS[participle][0]
    if participle.endswith("ied"):
        return participle[:-3] + "y"
    stem = participle[:-2] if participle.endswith("ed") else participle
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]  # starred → star
    if re.search(r"([cguvz]|as|os|us|[^aeiou](at|ir|in))$", stem):
        return stem + "e"  # produced, released, created, inspired
    return stem


def past(participle: str) -> str:
    """The active past: "written" → "wrote", "directed" stays."""
    return _VERBS[participle][1] if participle in _VERBS else participle


def participle(past_tense: str) -> str | None:
    """The participle of an active past: "wrote" → "written"; None if it is none."""
    if past_tense in _PARTICIPLE_OF_PAST:
        return _PARTICIPLE_OF_PAST[past_tense]
    return past_tense if is_participle(past_tense) else None


def agent(verb: str) -> str:
    """Who does it: "direct" → "director", "write" → "writer", "play" → "player"."""
    if verb.endswith(("ct", "ess", "it")):
        return verb + "or"
    if verb.endswith("ate"):
        return verb[:-1] + "or"
    if verb.endswith("e"):
        return verb + "r"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ier"
    short = len(verb) in (3, 4) and verb[-1] in "bdgmnprt"
    doubled = short and verb[-2] in _VOWELS and verb[-3] not in _VOWELS
    return f"{verb}{verb[-1]}er" if doubled else f"{verb}er"
