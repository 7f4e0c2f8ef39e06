"""Questions generated from the graph: indexing data and synthetic questions.

Indexing data state one relation each, in both directions, after GSR (Huang et al., EMNLP
Findings 2024, section 4.2), so that a model learns which relations there are, how they are
said and what they connect. The words come from the lexicon where GSR asks GPT-4.

Synthetic questions are sampled chains, put in words by templates or a language model, for
teams with few questions of their own. Their quality depends mostly on the lexicon's words;
its draft is enough to start with. `isomatch.lexicon.verbalise` has the few most usual forms
of a chain, to compare with a question; `Verbaliser` has hundreds, good and clumsy English
alike, for a model to learn from (``learn/templates/*.j2``).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from isomatch.chains.graph import Chain, Step
from isomatch.learn.examples import Example
from isomatch.learn.sampling import LONGEST, Sampler
from isomatch.learn.walks import Walker
from isomatch.lexicon.english import base_verb, participle, plural, singular
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.relation_words import THING, RelationWords
from isomatch.lexicon.verbalise import step_words
from isomatch.llm import prompt
from isomatch.llm.reply import without_thoughts
from isomatch.seed import SEED
from isomatch.store.terms import display_name
from isomatch.texts import data, templates
from isomatch.trained.masking import MASK

if TYPE_CHECKING:
    from jinja2 import Environment

    from isomatch.llm import ChatModel
    from isomatch.resources import Resources


NUMBER = 10  # indexing questions per relation and direction
NAMES = 3  # of ten contain the relation's own name, the others the lexicon's words
ENDS = 100  # a node with more is asked about without naming one of them
FORMS = 5  # that a language model is shown of a chain
ASKED = 10  # questions that it is asked for
LONGEST_QUESTION = 300  # characters
NAMED = 0.35  # of questions name the topic's type: "the film [MASK]"
OWN = 0.6  # of nouns with synonyms are the lexicon's own
SHARED = 0.75  # of steps there and back are phrased as what two things share
DID = 0.5  # of people's deeds are asked for by "who" alone
_PLACE = "[X]"  # models take it for a name more readily than [MASK]
_AGENT = re.compile(r"(er|or|ist|ian|ant|star)$")
_WHO = re.compile(r"(?:the )?\w+ (?:that|who) (?=\w)")
_DATED = re.compile(r"(\w+) (?:year|date|day|time)|(?:year|date|day|time) of (\w+)")


class Verbaliser:
    """Puts chains into words, differently each time.

    Example:
        >>> words = RelationWords("film", "person", nouns=("director",), backward=("directed",))
        >>> said = Verbaliser(Lexicon({"d": words})).question((Step("d"),), random.Random(1))
        >>> "[MASK]" in said
        True
    """

    def __init__(self, lexicon: Lexicon):
        self._lexicon = lexicon

    def question(self, chain: Chain, chance: random.Random, topic: str = MASK) -> str:
        """A question for the ends of a chain of at least one step, with a text for its topic."""
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
        lines = _lines(template, topic=topic, **words)
        return chance.choice(lines) if lines else ""


@lru_cache(maxsize=1)
def _forms() -> Environment:
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


def _lines(template: str, **words: Any) -> list[str]:
    lines = _forms().get_template(template).render(words).splitlines()
    return [line.strip() for line in lines if line.strip()]


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
    found: dict[str, tuple[str, ...]] = {}
    for group in data("isomatch.learn", "thesaurus.toml")["groups"]:
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


Sampled = tuple[str, Sequence[str], Chain]


def index_examples(
    resources: Resources, lexicon: Lexicon, *, seed: int = SEED
) -> Iterator[Example]:
    """Up to `NUMBER` different questions for every relation and direction.

    The same seed gives the same questions, in every store.

    Raises:
        ConfigurationError: the index was made without nodes.
        StoreError: the database failed.
    """
    walker, verbaliser = Walker(resources.store, resources.schema), Verbaliser(lexicon)
    texts = {r.id: r.text for r in resources.schema.relations}
    seen: set[tuple[Step, str]] = set()
    places: dict[Step, int] = {}
    for step, topic, ids in Sampler(resources, seed).steps(NUMBER):
        relation = texts[step.relation]
        place = places[step] = places.get(step, -1) + 1
        chosen = f"{seed} {relation} {step.back} {topic}"
        chance = random.Random(chosen)  # noqa: S311 - repeatable, not secret
        if place % NUMBER < NAMES:
            other = _other(resources, walker, step, ids)
            words = {"relation": relation, "back": step.back, "other": other}
            text = chance.choice(_lines("index.j2", topic=MASK, **words))
        else:
            text = verbaliser.question((step,), chance)
        if (step, text) not in seen:
            seen.add((step, text))
            yield Example("index", text, (((step,), 1.0),), "index", f"index:{len(seen)}")


def _other(resources: Resources, walker: Walker, step: Step, ids: Sequence[str]) -> str | None:
    """The first name among a step's ends; None where there are many."""
    [ends] = walker.ends(ids, [(step,)], ENDS)
    names = resources.index.name_of(sorted(ends.ids))
    found = sorted(names.get(id) or display_name(id) for id in ends.ids)
    return found[0] if found and not ends.cut and len(found[0]) <= LONGEST else None


def synthesise(
    lexicon: Lexicon,
    sampled: Iterable[Sampled],
    *,
    seed: int = SEED,
    model: ChatModel | None = None,
) -> Iterator[Example]:
    """A question for each sampled chain, one by one.

    Args:
        sampled: (topic's name, its ids, chain), as of `isomatch.learn.sampling.sample_chains`.
        seed: of the choice among the wordings of a chain.
        model: asked once per distinct chain for more wordings; where its reply cannot be
            used, the templates' wording is.

    Raises:
        ModelError: the model's endpoint failed.
    """
    verbaliser = Verbaliser(lexicon)
    said: dict[Chain, list[str]] = {}
    for number, (_, _, chain) in enumerate(sampled):
        chance = random.Random(f"{seed} {number}")  # noqa: S311 - repeatable, not secret
        text = verbaliser.question(chain, chance)
        if model is not None:
            if chain not in said:
                said[chain] = reworded(verbaliser, chain, chance, model)
            text = chance.choice([text, *said[chain]])
        yield Example("retrieval", text, ((chain, 1.0),), "synthetic", f"synthetic:{number}")


def reworded(
    verbaliser: Verbaliser, chain: Chain, chance: random.Random, model: ChatModel
) -> list[str]:
    """Wordings of a chain by a language model; lines without the topic are dropped.

    Raises:
        ModelError: the model's endpoint failed.
    """
    forms = sorted({verbaliser.question(chain, chance, _PLACE) for _ in range(FORMS)})
    asked = prompt("isomatch.learn", "questions.j2", questions=forms, number=ASKED)
    reply = without_thoughts(model.complete([{"role": "user", "content": asked}]))
    lines = (line.strip().lstrip("-*0123456789.) ") for line in reply.splitlines())
    return [
        line.replace(_PLACE, MASK)
        for line in dict.fromkeys(lines)
        if line.count(_PLACE) == 1 and len(line) <= LONGEST_QUESTION
    ]
