"""Training questions recombined: a phrase of one in the place of a phrase of another.

Two questions that differ in one phrase, and whose programs differ in one part, say which phrase
means which part: "crimes near [0 area]" and "people near [0 area]". Where one of the two phrases
stands in another question, and its part in that question's program, the other takes their place
(Andreas, Good-Enough Compositional Data Augmentation, ACL 2020; after Jia and Liang, ACL 2016).
So a model sees phrases in more surroundings than people gave.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.tokens import may_meet
from isomatch.interpret.programs.tree import Tree, arranged, is_vacuous, kinds_of, parse
from isomatch.learn.examples import Example
from isomatch.trained.alignment import Program
from isomatch.trained.program_vocabulary import MOST_SLOTS

LONGEST = 10
"""Words of a phrase that is exchanged."""
MOST_ALIKE = 30
"""Questions with the same words around a phrase that are compared."""
TRIES = 10
_WORDS = re.compile(r"\[\d+ [^\]]*\]|[\w'’-]+|[^\w\s]")
_NAMED = re.compile(r"\[(\d+) [^\]]*\]")
_NUMBER = re.compile(r"^\[\d+ ")
_HOLE = Tree("…")
"""Stands for the part of a program that both phrases leave as it is."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, its names without their numbers, and its program."""

    words: Words
    tree: Tree
    named: dict[tuple[int, int], Tree] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words and the part of a program that they mean; its names count from the words' first."""

    words: Words
    part: Tree


@dataclass
class _Phrases:
    """By words, what each phrase means, and what may stand in its place."""

    others: dict[_Phrase, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))
    by_words: dict[Words, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))

    def add(self, one: _Phrase, other: _Phrase) -> None:
        if one.part == _HOLE:
            return  # it would fit anywhere
        if one not in self.others:
            self.by_words[one.words].append(one)
        if other not in self.others[one]:
            self.others[one].append(other)


def recombined(
    examples: Sequence[Example], kinds: GraphKinds, number: int, seed: int
) -> Iterator[Example]:
    """New questions with programs, each different; fewer where not so many can be made.

    Half of them are put together of the others too: so two exchanges are in one.

    Args:
        examples: with one program each.
        number: of questions.
        seed: the same one gives the same questions.
    """
    once = list(_recombined(examples, kinds, number - number // 2, f"r{seed}"))
    yield from once
    yield from _recombined([*examples, *once], kinds, number // 2, f"rr{seed}")


def _recombined(
    examples: Sequence[Example], kinds: GraphKinds, number: int, name: str
) -> Iterator[Example]:
    """New questions, each with one exchange; ``name`` is the seed, and begins their names."""
    rng = random.Random(name)  # noqa: S311 - repeatable, not secret
    numbered = [e for e in examples if _is_numbered(e.text)]
    asked = list(dict.fromkeys(_asked(e.text, p) for e in numbered for p, _ in e.chains))
    phrases = _phrases(asked, kinds)
    places = [(one, *place) for one in asked for place in _places(one, phrases)]
    seen = {" ".join(one.words) for one in asked}
    for place in range(number * TRIES if places else 0):
        one, start, phrase = rng.choice(places)
        other = rng.choice(phrases.others[phrase])
        new = _exchanged(one, start, phrase, other)
        if new is None or is_vacuous(tree := _binary(new.tree), kinds):
            continue
        if (plain := " ".join(new.words)) not in seen:
            seen.add(plain)
            number -= 1
            program = arranged(tree.program)
            yield Example(
                "retrieval", _text(new.words), ((program, 1.0),), "recombined", f"{name}-{place}"
            )
        if number == 0:
            return


def _is_numbered(text: str) -> bool:
    """Whether all that looks like a name is one: a question may have brackets of its own."""
    numbers = _NAMED.findall(text)
    return numbers == [str(number) for number in range(len(numbers))]


def _asked(text: str, program: Program) -> _Asked:
    return _Asked(
        tuple(_NUMBER.sub("[", word) for word in _WORDS.findall(text)), _flat(parse(program))
    )


def _text(words: Words) -> str:
    """A question as the model reads it: with its names numbered."""
    numbered, number = [], 0
    for word in words:
        if _is_name(word):
            word, number = f"[{number} {word[1:]}", number + 1
        numbered.append(word)
    return " ".join(numbered)


def _is_name(word: str) -> bool:
    return word[0] == "[" and len(word) > 1


def _names(words: Words) -> int:
    return sum(map(_is_name, words))


def _flat(tree: Tree) -> Tree:
    """A tree whose ``and`` has all its parts, in one order: equal for equal meanings."""
    sets = tuple(map(_flat, tree.sets))
    if tree.symbol == "and":
        members = [m for one in sets for m in (one.sets if one.symbol == "and" else (one,))]
        sets = tuple(sorted(dict.fromkeys(members), key=lambda m: m.program))
        if len(sets) == 1:
            return sets[0]
    return Tree(tree.symbol, tree.step, tree.constant, sets)


def _phrases(asked: Sequence[_Asked], kinds: GraphKinds) -> _Phrases:
    """The phrases that may be exchanged, from questions that differ in one."""
    around: dict[tuple[Words, Words], list[tuple[_Asked, int, int]]] = defaultdict(list)
    for one in asked:
        for start in range(len(one.words)):
            for end in range(start + 1, min(start + LONGEST, len(one.words)) + 1):
                around[one.words[:start], one.words[end:]].append((one, start, end))
    phrases = _Phrases()
    for group in around.values():
        if len(group) == 1:
            continue  # most are: renaming takes time
        cut = [
            (a.words[start:end], _renamed(a, start, end)) for a, start, end in group[:MOST_ALIKE]
        ]
        for (words, tree), (others, other) in combinations(cut, 2):
            if tree == other:
                continue
            different = _differing(tree, other)
            if not may_meet(*(_kinds(part, kinds) for part in different)):
                continue
            parts = _with_hole(*different)
            if _has_names(parts[0], words) and _has_names(parts[1], others):
                pair = _Phrase(words, parts[0]), _Phrase(others, parts[1])
                phrases.add(*pair)
                phrases.add(*reversed(pair))
    return phrases


def _kinds(part: Tree, kinds: GraphKinds) -> frozenset[str]:
    return kinds_of(_binary(part), kinds)


def _renamed(one: _Asked, start: int, end: int) -> Tree:
    """The program with names called by where they are: in the phrase, before, or after."""
    before, inside = _names(one.words[:start]), _names(one.words[start:end])

    def name(symbol: str) -> str:
        number = int(symbol[1:])
        if number < before:
            return f"@before{number}"
        if number < before + inside:
            return f"@{number - before}"
        return f"@after{number - before - inside}"

    if (before, inside) not in one.named:  # many phrases have the same names
        one.named[before, inside] = _flat(_with_names(one.tree, name))
    return one.named[before, inside]


def _differing(one: Tree, other: Tree) -> tuple[Tree, Tree]:
    """The least parts in which two programs differ."""
    if (one.symbol, one.step, one.constant) != (other.symbol, other.step, other.constant):
        return one, other
    if one.symbol == "and":
        pairs = list(zip(_less(one.sets, other.sets), _less(other.sets, one.sets), strict=False))
        alone = len(one.sets) == len(other.sets) and len(pairs) == 1
    else:
        pairs = [(a, b) for a, b in zip(one.sets, other.sets, strict=False) if a != b]
        alone = len(pairs) == 1
    return _differing(*pairs[0]) if alone else (one, other)


def _less(trees: Sequence[Tree], others: Sequence[Tree]) -> list[Tree]:
    return [tree for tree in trees if tree not in others]


def _members(tree: Tree) -> tuple[Tree, ...]:
    return tree.sets if tree.symbol == "and" else (tree,)


def _joined(members: Sequence[Tree]) -> Tree:
    return _flat(Tree("and", sets=tuple(members)))


def _with_hole(one: Tree, other: Tree) -> tuple[Tree, Tree]:
    """Both with a hole in the place of the largest part that they have in common."""
    common = [
        member for member in _members(one) if member in _members(other) and not _inside(member)
    ]
    if common:
        pair = [_joined([_HOLE, *_less(_members(tree), common)]) for tree in (one, other)]
        return pair[0], pair[1]
    parts = {part for part in one.all() if not _inside(part)} & set(other.all())
    if not parts:
        return one, other
    most = max(parts, key=lambda part: (len(part.program), part.program))
    return _replaced(one, most), _replaced(other, most)


def _replaced(tree: Tree, part: Tree) -> Tree:
    """A tree with a hole in the place of a part of it."""
    if tree == part:
        return _HOLE
    sets = tuple(_replaced(one, part) for one in tree.sets)
    return Tree(tree.symbol, tree.step, tree.constant, sets)


def _symbols(tree: Tree) -> Iterator[str]:
    """The names of a program."""
    return (symbol for symbol in tree.program if symbol[0] == "@")


def _inside(tree: Tree) -> bool:
    """Whether a program has names of the phrase, as `_renamed` calls them."""
    return any(symbol[1:].isdigit() for symbol in _symbols(tree))


def _has_names(part: Tree, words: Words) -> bool:
    """Whether the names of a part are those of its phrase."""
    return set(_symbols(part)) == {f"@{number}" for number in range(_names(words))}


def _places(one: _Asked, phrases: _Phrases) -> Iterator[tuple[int, _Phrase]]:
    """The phrases of a question that others may replace, each with the place of its first word."""
    for start in range(len(one.words)):
        for end in range(start + 1, min(start + LONGEST, len(one.words)) + 1):
            for phrase in phrases.by_words.get(one.words[start:end], ()):
                tree = _renamed(one, start, end)
                if len(list(_filled_in(tree, phrase.part, phrase.part))) == 1:
                    yield start, phrase


def _filled_in(tree: Tree, part: Tree, new: Tree) -> Iterator[Tree]:
    """A tree with another part in each place that a part has in it, one place at a time."""
    if (hole := _match(part, tree)) is not None:
        yield _fill(new, hole)
    for place, one in enumerate(tree.sets):
        for changed in _filled_in(one, part, new):
            sets = (*tree.sets[:place], changed, *tree.sets[place + 1 :])
            yield Tree(tree.symbol, tree.step, tree.constant, sets)


def _match(part: Tree, tree: Tree) -> Tree | None:
    """What stands in the hole of a part where it is a tree, `_HOLE` where it has none.

    Returns:
        None where it is not the tree.
    """
    if part == _HOLE:
        return tree
    if (part.symbol, part.step, part.constant) != (tree.symbol, tree.step, tree.constant):
        return None
    if part.symbol == "and" and _HOLE in part.sets:
        fixed = _less(part.sets, [_HOLE])
        rest = _less(tree.sets, fixed)
        return _joined(rest) if rest and len(rest) + len(fixed) == len(tree.sets) else None
    if len(part.sets) != len(tree.sets):
        return None
    found = [_match(a, b) for a, b in zip(part.sets, tree.sets, strict=True)]
    holes = {hole for hole in found if hole is not None and hole != _HOLE}
    if None in found or len(holes) > 1:  # a part that has two holes has the same in both
        return None
    return next(iter(holes), _HOLE)


def _fill(part: Tree, hole: Tree) -> Tree:
    """A part whose hole is filled."""
    if part == _HOLE:
        return hole
    return Tree(part.symbol, part.step, part.constant, tuple(_fill(one, hole) for one in part.sets))


def _exchanged(one: _Asked, start: int, phrase: _Phrase, other: _Phrase) -> _Asked | None:
    """A question with another phrase; None where the program is none."""
    end = start + len(phrase.words)
    words = (*one.words[:start], *other.words, *one.words[end:])
    if _names(words) > MOST_SLOTS:
        return None
    before, inside = _names(one.words[:start]), _names(other.words)

    def name(symbol: str) -> str:
        if symbol.startswith("@before"):
            return f"@{symbol.removeprefix('@before')}"
        if symbol.startswith("@after"):
            return f"@{int(symbol.removeprefix('@after')) + before + inside}"
        return f"@{int(symbol[1:]) + before}"

    for tree in _filled_in(_renamed(one, start, end), phrase.part, other.part):
        return None if _HOLE in tree.all() else _Asked(words, _flat(_with_names(tree, name)))
    return None


def _with_names(tree: Tree, name: Callable[[str], str]) -> Tree:
    """A tree whose names are called otherwise."""
    symbol, constant = (name(s) if s[:1] == "@" else s for s in (tree.symbol, tree.constant))
    return Tree(symbol, tree.step, constant, tuple(_with_names(one, name) for one in tree.sets))


def _binary(tree: Tree) -> Tree:
    """A tree each of whose ``and`` has two parts."""
    sets = tuple(map(_binary, tree.sets))
    while len(sets) > 2:
        sets = (*sets[:-2], Tree("and", sets=sets[-2:]))
    return Tree(tree.symbol, tree.step, tree.constant, sets)
