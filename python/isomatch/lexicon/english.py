"""A little English: plurals, participles, the people who do things.

Rules and irregular forms only, no dictionary: schema names are written by people
in a few forms ("directed_by", "plays_for_club", "hasGenre"), and what the rules
get wrong is put right in the lexicon's file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from isomatch.texts import data

_DATA = data("isomatch.lexicon", "english_forms.toml")
_SINGULARS: Mapping[str, str] = _DATA["singulars"]
_PLURALS = {one: many for many, one in reversed([*_SINGULARS.items()])}  # the first of several
_VERBS: Mapping[str, tuple[str, str]] = _DATA["verbs"]  # participle: base and past
_NOUNS = frozenset(_DATA["nouns"]["words"].split())
_NOUN_ENDS = tuple(_DATA["nouns"]["ends"].split())
_EE = frozenset(_DATA["undergoing"]["verbs"].split())


def _table(key: str) -> dict[str, tuple[str, ...]]:
    """The nouns of a table by their verbs."""
    return {verb: tuple(nouns.split("|")) for verb, nouns in _DATA[key].items()}


def _verbs(nouns: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The verbs of a table by their nouns; not of one that several have: a "victim"."""
    claimed = Counter(noun for some in nouns.values() for noun in some)
    return {noun: verb for verb, some in nouns.items() for noun in some if claimed[noun] == 1}


_AGENTS, _DOERS_ALONE, _UNDERGOERS = map(_table, ("agents", "doers_alone", "undergoers"))
_DONE_BY, _DONE_TO_NOUN = _verbs(_AGENTS), _verbs(_UNDERGOERS)
_DONE_TO = frozenset(_DATA["done_to"].split())
_PARTICIPLE_OF_PAST = {past: word for word, (_, past) in _VERBS.items()}
_REGULAR = frozenset(_DATA["stems"]["verbs"].split())
_NOT_DONE = frozenset(_DATA["stems"]["not_done"].split())
_SILENT_E, _PLAIN, _DOUBLED = (
    re.compile(f"(?:{'|'.join(_DATA['stems'][key].split())})$")
    for key in ("silent_e", "plain", "doubled")
)
_VOWELS = "aeiou"
_VOWEL = re.compile(f"[{_VOWELS}y]")


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
    if last in _PLURALS:
        return lead + _PLURALS[last]
    if last.endswith("y") and last[-2:-1] not in _VOWELS:
        return lead + last[:-1] + "ies"
    if last.endswith(("s", "x", "z", "ch", "sh")):
        return lead + last + "es"
    return lead + last + "s"


def article(noun: str) -> str:
    """ "a" or "an"; by its first letter, as sounds are not known."""
    return "an" if noun[:1].lower() in _VOWELS else "a"


def is_participle(word: str) -> bool:
    """Whether the word looks like a past participle."""
    return word in _VERBS or (len(word) > 3 and word.endswith("ed") and word not in _NOT_DONE)


def base_verb(participle: str) -> str:
    """ "directed" → "direct", "written" → "write", "cited" → "cite"; other words stay."""
    if participle in _VERBS:
        return _VERBS[participle][0]
    stem = participle.removesuffix("ed")
    if stem == participle or participle in _NOT_DONE or not _VOWEL.search(stem):
        return participle
    if stem.endswith("i"):
        return participle[:-1] if len(stem) < 3 else stem[:-1] + "y"
    for verb in (stem, f"{stem}e", stem[:-1]):
        if verb in _REGULAR:
            return verb
    if stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
        return stem if _DOUBLED.search(stem) else stem[:-1]
    return stem + "e" if _SILENT_E.search(stem) and not _PLAIN.search(stem) else stem


def past(participle: str) -> str:
    """The active past: "written" → "wrote", "directed" stays."""
    return _VERBS[participle][1] if participle in _VERBS else participle


def participle(past_tense: str) -> str | None:
    """The participle of an active past: "wrote" → "written"; None if it is none."""
    if past_tense in _PARTICIPLE_OF_PAST:
        return _PARTICIPLE_OF_PAST[past_tense]
    return past_tense if is_participle(past_tense) else None


def is_done_to(word: str) -> bool:
    """Whether a participle before "in" is of what somebody does to the subject: "founded in"."""
    return word in _DONE_TO


def agent(verb: str) -> str:
    """Who does it: "direct" → "director", "write" → "writer", "play" → "player"."""
    if known := _AGENTS.get(verb) or _DOERS_ALONE.get(verb):
        return known[0]
    if verb.endswith(("ct", "ess", "it")):
        return verb + "or"
    if verb.endswith("ate"):
        return verb[:-1] + "or"
    if verb.endswith("e"):
        return verb + "r"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ier"
    return f"{verb}{verb[-1]}er" if _doubles(verb) else f"{verb}er"


def _doubles(verb: str) -> bool:
    """Whether a verb has its last letter twice before an ending: "robber", "tagged", "omitted"."""
    short = len(verb) in (3, 4) and verb[-1] in "bdgmnprt"
    stressed = verb[:1] not in _VOWELS or len(verb) == 3 or verb.endswith("mit")  # no "editted"
    return short and stressed and verb[-2] in _VOWELS and verb[-3] not in _VOWELS


def agents(verb: str) -> tuple[str, ...]:
    """Who does it, in each spelling: "adviser" and "advisor"."""
    return _AGENTS.get(verb) or (agent(verb),)


def undergoers(verb: str) -> tuple[str, ...]:
    """Whom it is done to: "train" → "trainee" and "apprentice", "nominate" → "nominee"."""
    ee = (f"{verb.removesuffix('ate').removesuffix('e')}ee",) if verb in _EE else ()
    return _UNDERGOERS.get(verb, ee)


def done_by(doer: str) -> str | None:
    """The participle for what somebody does: "manager" → "managed"; None where there is none."""
    if doer in _DONE_BY:
        return _participle_of(_DONE_BY[doer])
    for word, (base, _) in _VERBS.items():
        if agent(base) == doer:
            return word
    bases = [doer[:-1], doer[:-2], *([f"{doer[:-2]}e"] if doer.endswith("ator") else ())]
    for base in bases:
        if len(base) > 2 and agent(base) == doer and base not in _DOERS_ALONE:
            return _participle_of(base)
    return None


def done_to(undergoer: str) -> str | None:
    """The participle for what is done to somebody: "trainee" → "trained"; None where it is none."""
    stem = undergoer.removesuffix("ee")
    verbs = (verb for verb in (stem, f"{stem}e", f"{stem}ate") if verb in _EE and stem != undergoer)
    verb = next(verbs, None) or _DONE_TO_NOUN.get(undergoer)
    return None if verb is None or undergoer in _DONE_BY else _participle_of(verb)


def deed(name: str) -> tuple[str, bool] | None:
    """The participle that the name of a relation says, and whether what has the relation does it.

    None where it says none.

    Example:
        >>> deed("supervises"), deed("hired by"), deed("trainer of"), deed("has trainer")
        (('supervised', True), ('hired', False), ('trained', True), ('trained', False))
    """
    first, *others = re.sub("^(has|have|is|are|was|were) ", "", name.lower()).split() or [""]
    match others:
        case ["by"] if done := participle(first):
            return done, False
        case ["of"] if by := done_by(first):
            return by, True
        case ["of"] if to := done_to(first):
            return to, False
        case [] if done := participle(first):
            return done, True
        case [] if is_present(first):
            return _participle_of(singular(first)), True
        case [] if by := done_by(singular(first)):
            return by, False
        case [] if to := done_to(singular(first)):
            return to, True
    return None


def _participle_of(verb: str) -> str:
    irregular = (word for word, (base, _) in _VERBS.items() if base == verb)
    stem = f"{verb[:-1]}i" if verb[-1] == "y" and verb[-2] not in _VOWELS else verb
    stem = f"{verb}{verb[-1]}" if _doubles(verb) else stem
    return next(irregular, stem + ("d" if stem.endswith("e") else "ed"))


def dated_verb(name: str) -> str | None:
    """What was done then: "launch date" → "launched", "date of appointment" → "appointed".

    None where a name says no such date, or has its verb.
    """
    match name.lower().split():
        case [noun, "date"] | ["date", "of", noun] if not is_participle(noun):
            verb = noun.removesuffix("ment")
            return verb + ("d" if verb.endswith("e") else "ed")
    return None


def verb_forms(word: str) -> frozenset[str]:
    """What a word may be a form of as a verb, and who does it: "directed" → "direct"."""
    base = base_verb(participle(word) or word)
    found = {base, agent(base), agent(word)}  # who "found" it may be its founder
    if len(word) > 5 and word.endswith("ing"):
        stem = word[:-3]
        found |= {stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem}
    return frozenset(found)


def noun_forms(word: str) -> frozenset[str]:
    """What a word may be a form of as a noun."""
    return frozenset((singular(word),))


def spelled(word: str) -> str:
    """The word itself: English has no letters that names of relations write as two."""
    return word


def is_verb(text: str) -> bool:
    """Whether a relation's name is a verb of its sources: "borders", "was led by", "wrote"."""
    first, _, rest = re.sub("^(is|are|was|were) ", "", text.lower()).partition(" ")
    return participle(first) is not None or (not rest and is_present(first))


def is_present(word: str) -> bool:
    """Whether a word may be a verb that somebody does now, "trains", and no plural: "parents"."""
    one = singular(word)
    ends = len(one) > 5 and one.endswith(_NOUN_ENDS)
    doer = _DONE_BY.get(one, one) != one  # "assistants"
    noun = ends or doer or word in _SINGULARS or one in _NOUNS or done_to(one) is not None
    return one != word and not noun
