"""Relation chains in words, as people ask for them.

Every chain is said in several styles, because one question uses one of them:
"the languages of the films that X directed", "the languages of films directed
by X", "X's films' languages". All words come from the lexicon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from isomatch.chains.graph import Chain, Step
from isomatch.lexicon.english import plural
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.relation_words import THING, RelationWords


def step_words(lexicon: Lexicon, step: Step) -> RelationWords:
    """The words of a step, read in the direction in which it is walked."""
    words = lexicon.of_relation(step.relation)
    return words.inverse() if step.back else words


# How much a class word alone says about a relation that leads to that class.
CLASS_ALONE = 0.75


def step_phrases(lexicon: Lexicon, step: Step) -> list[tuple[str, float]]:
    """Short phrases that a question may use for one hop, with their worth."""
    words = step_words(lexicon, step)
    target = words.target
    phrases = [*words.nouns, *map(plural, words.nouns), *words.forward, *words.backward]
    if target != THING:
        phrases += [f"{plural(target)} {verb}" for verb in words.backward]
        phrases += [f"{verb} {target}" for verb in words.forward]
        if not words.nouns:
            phrases += [f"{plural(target)} of the {noun}" for noun in words.inverse_nouns]
            phrases += [f"{plural(target)} with {noun}" for noun in words.inverse_nouns]
    found = dict.fromkeys(phrases, 1.0)
    for word in (target, plural(target)) if target != THING else ():
        found.setdefault(word, CLASS_ALONE)
    return list(found.items())


Style = Callable[[str, RelationWords], str]


def _of(topic: str, words: RelationWords) -> str:
    """ "the director of the film", "the films of the director"."""
    return f"the {_noun(words)} of {topic}"


def _possessive(topic: str, words: RelationWords) -> str:
    """ "the film's director"."""
    return f"{topic} 's {_noun(words)}"


def _verbal(topic: str, words: RelationWords) -> str:
    """ "the person that directed the film", "the films directed by the director"."""
    if words.backward:
        return f"the {_many(words)} {words.backward[0]} {topic}"
    if words.forward:
        return f"the {_many(words)} {topic} {words.forward[0]}"
    return _of(topic, words)


def _relative(topic: str, words: RelationWords) -> str:
    """ "the films whose director is the director", "the films that the director directed"."""
    if words.forward:
        return f"the {_many(words)} that {topic} {words.forward[0]}"
    if words.inverse_nouns and not words.nouns:
        return f"the {_many(words)} whose {words.inverse_nouns[0]} is {topic}"
    return _of(topic, words)


STYLES: tuple[Style, ...] = (_of, _possessive, _verbal, _relative)


def _noun(words: RelationWords) -> str:
    return words.nouns[0] if words.nouns else plural(words.target)


def _many(words: RelationWords) -> str:
    return plural(words.target if words.target != THING else _noun(words))


def verbalise(lexicon: Lexicon, chain: Chain, topic: str) -> list[str]:
    """A chain from a topic of some class, in words, most usual style first.

    Args:
        lexicon: the words.
        chain: its steps.
        topic: what stands for the topic: the class word that masks the mention.
    """
    steps = [step_words(lexicon, step) for step in chain]
    texts = [style_text for style in STYLES for style_text in _in_style(style, topic, steps)]
    if shared := _shared(topic, steps, chain):
        texts.append(shared)
    return list(dict.fromkeys(texts))


def _in_style(style: Style, topic: str, steps: Sequence[RelationWords]) -> list[str]:
    phrase = topic
    for words in steps[:-1]:
        phrase = style(phrase, words)
    last = steps[-1]
    texts = [f"what is {style(phrase, last)}"]
    if last.backward:
        texts.append(f"who {last.backward[0]} {phrase}")
    if last.forward:
        texts.append(f"which {last.target} is {phrase} {last.forward[0]}")
    return texts


def _shared(topic: str, steps: Sequence[RelationWords], chain: Chain) -> str | None:
    """ "the films that share directors with the film", for a step and its way back."""
    for at, (before, step) in enumerate(pairwise(chain)):
        if step == before.inverse and steps[at].nouns:
            phrase = topic
            for words in steps[:at]:
                phrase = _of(phrase, words)
            common = plural(steps[at].nouns[0])
            phrase = f"the {_many(steps[at + 1])} that share {common} with {phrase}"
            for words in steps[at + 2 :]:
                phrase = _of(phrase, words)
            return f"what is {phrase}"
    return None
