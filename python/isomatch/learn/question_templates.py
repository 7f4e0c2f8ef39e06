"""Relation chains as questions: words from the lexicon, forms from templates.

`isomatch.lexicon.verbalise` has the few most usual forms of a chain, to compare with a
question. This has hundreds, good and clumsy English alike, for a model to learn from. The
templates are ``learn/templates/*.j2``.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.chains.graph import Chain
from isomatch.lexicon.english import base_verb, participle, plural, singular
from isomatch.lexicon.lexicon import THING, Lexicon, RelationWords
from isomatch.lexicon.verbalise import step_words
from isomatch.texts import templates
from isomatch.trained.masking import MASK

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

if TYPE_CHECKING:
    from jinja2 import Environment

NAMED = 0.35  # of questions name the topic's type: "the film [MASK]"
OWN = 0.6  # of nouns with synonyms are the lexicon's own
SHARED = 0.75  # of steps there and back are phrased as what two things share
DID = 0.5  # of people's deeds are asked for by "who" alone
_AGENT = re.compile(r"(er|or|ist|ian|ant|star)$")
_WHO = re.compile(r"(?:the )?\w+ (?:that|who) (?=\w)")
_DATED = re.compile(r"(\w+) (?:year|date|day|time)|(?:year|date|day|time) of (\w+)")


class Verbaliser:
    """Puts chains into words, differently each time.

    Args:
        lexicon: the words of relations and types.

    Example:
        >>> words = RelationWords("film", "person", nouns=("director",), backward=("directed",))
        >>> said = Verbaliser(Lexicon({"d": words})).question((Step("d"),), random.Random(1))
        >>> "[MASK]" in said
        True
    """

    def __init__(self, lexicon: Lexicon):
        self._lexicon = lexicon

    def question(self, chain: Chain, chance: random.Random, topic: str = MASK) -> str:
        """A question for the ends of a chain.

        Args:
            chain: at least one step.
            chance: chooses among the forms.
            topic: text in place of the topic.
        """
        hops = [_words(step_words(self._lexicon, step), chance) for step in chain]
        phrase = topic
        if chance.random() < NAMED:
            names = [hops[0]["source"], *hops[0]["inverse_nouns"]]
            phrase = f"the {chance.choice(names)} {topic}"
        at = 0
        while at < len(chain) - 1:
            said = self._shared(chain, hops, at, phrase, chance)
            phrase = said or self._one_of("hop.j2", phrase, hops[at], chance)
            at += 2 if said else 1
        if at == len(chain):  # the last two hops are one phrase
            return _asked(phrase, hops[-1]["person"], chance)
        return self._one_of("question.j2", phrase, hops[-1], chance)

    def _shared(
        self, chain: Chain, hops: list[dict[str, Any]], at: int, phrase: str, chance: random.Random
    ) -> str | None:
        """A hop and the hop back in one phrase; None for other hops, or by chance."""
        if chain[at + 1] != chain[at].inverse or chance.random() >= SHARED:
            return None
        words = {**hops[at], "others": hops[at + 1]["many"]}
        return self._one_of("shared.j2", phrase, words, chance)

    def _one_of(
        self, template: str, topic: str, words: Mapping[str, Any], chance: random.Random
    ) -> str:
        """A random line of a rendered template; empty without lines."""
        text = _forms().get_template(template).render(topic=topic, **words)
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return chance.choice(lines) if lines else ""


@lru_cache(maxsize=1)
def _forms() -> Environment:
    """The templates with their filters."""
    forms = templates("isomatch.learn", "templates")
    forms.filters.update(
        plural=plural,
        past=_past,
        base=_base,
        done=_done,
        is_passive=lambda verb: verb.endswith(" by"),
        is_agent=_is_agent,
    )
    return forms


def _words(words: RelationWords, chance: random.Random) -> dict[str, Any]:
    """A hop's words for the templates, some replaced by synonyms."""
    own = words.target if words.target != THING else (*words.nouns, THING)[0]
    one = _varied(own, chance)
    return {
        "nouns": [_varied(noun, chance) for noun in words.nouns],
        "inverse_nouns": [_varied(noun, chance) for noun in words.inverse_nouns],
        "forward": words.forward,
        "backward": words.backward,
        "source": _varied(words.source, chance),
        "one": one,
        "many": plural(one),
        "person": own == "person" or any(map(_is_agent, (*words.nouns, own))),
        "dated": _dated(words.nouns),
        "dated_topic": _dated(words.inverse_nouns),
    }


def _varied(noun: str, chance: random.Random) -> str:
    others = _thesaurus().get(noun)
    return noun if not others or chance.random() < OWN else chance.choice(others)


@lru_cache(maxsize=1)
def _thesaurus() -> Mapping[str, tuple[str, ...]]:
    """Synonyms by noun."""
    text = (Path(__file__).parent / "thesaurus.toml").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for group in toml.loads(text)["groups"]:
        for noun in group:
            found[noun] = (*found.get(noun, ()), *(other for other in group if other != noun))
    return found


def _asked(phrase: str, person: bool, chance: random.Random) -> str:
    """A question for what a phrase names; for people who did something, "who did it"."""
    if person and (named := _WHO.match(phrase)) and chance.random() < DID:
        return f"who {phrase[named.end() :]}"
    asking = ["what are", "who are" if person else "name"]
    asking += ["which are", "list"] if phrase.startswith("the ") else ["which", "what"]
    return f"{chance.choice(asking)} {phrase}"


def _is_agent(noun: str) -> bool:
    """Whether a noun looks like an agent: "director", "pianist"."""
    return _AGENT.search(noun) is not None


def _dated(nouns: tuple[str, ...]) -> str | None:
    """The event of a date: "release" of "release year"."""
    found = next((m for noun in nouns if (m := _DATED.fullmatch(noun))), None)
    return found and (found[1] or found[2])


def _past(verb: str) -> str:
    return verb + ("d" if verb.endswith("e") else "ed")


def _done(verb: str) -> str | None:
    """The participle of a verb's first word: "wrote" → "written"; None for "plays in"."""
    return participle(verb.split()[0])


def _base(verb: str) -> str:
    """ "starred in" → "star in", "plays in" → "play in"."""
    first, space, rest = verb.partition(" ")
    done = participle(first)
    return (base_verb(done) if done else singular(first)) + space + rest
