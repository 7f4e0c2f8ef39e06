"""The four methods that change facts, and the words of a copy that lost some relations.

Every fact is changed at most once, and becomes one that neither the graph had nor another
change has made: so the level is the share of facts that are wrong, and facts stay a set. With
one seed the facts come in one order, of which a level takes the first.
"""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.errors import ConfigurationError
from isomatch.perturb.types import Facts, Perturbation, Predictor
from isomatch.texts import parse_toml

if TYPE_CHECKING:
    from isomatch.perturb.types import Places
    from isomatch.settings import Settings


def keep_lexicon(graph: Settings, copy: Settings, gone: Collection[str]) -> None:
    """Write the lexicon of a graph, if it has one, for its copy.

    Args:
        gone: relations of the graph that the copy has no facts of: a lexicon with words
            for them would be refused.

    Raises:
        ConfigurationError: the graph's is no TOML, or the copy's cannot be written.
    """
    source, target = graph.lexicon_path, copy.lexicon_path
    try:
        if not source.is_file():
            target.unlink(missing_ok=True)
        elif gone:
            content = parse_toml(source.read_text(encoding="utf-8"))
            target.write_text("".join(_lines(content, gone)), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    except ValueError as error:
        raise ConfigurationError(f"{source} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigurationError(f"{target} cannot be written: {error.strerror}") from error


def _lines(content: Mapping[str, Any], gone: Collection[str]) -> Iterator[str]:
    """The tables of a lexicon, less what is said of relations that are gone."""
    for kind, tables in content.items():
        for id, table in tables.items():
            some = dict(table)
            if "relations" in some:
                some["relations"] = [
                    r for r in some["relations"] if r.removeprefix("-") not in gone
                ]
            if (kind == "relations" and id in gone) or some.get("relation") in gone:
                continue
            if some.get("relations") == []:
                continue
            yield f"[{kind}.{_toml(id)}]\n"
            yield from (f"{key} = {_toml(value)}\n" for key, value in some.items())


def _toml(value: Any) -> str:
    """Texts and lists of texts are written in TOML as in JSON, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


TRIES = 64  # random choices, before all that are left are gone through
BATCH = 4096  # facts whose relations are scored at once


@dataclass(frozen=True, slots=True)
class Changed:
    """Facts after a perturbation.

    Attributes:
        facts: as they are now.
        changed: how many are others, or gone.
        wanted: how many the level stands for.
    """

    facts: Facts
    changed: int
    wanted: int


def perturbed(
    facts: Facts, perturbation: Perturbation, predictor: Predictor | None = None
) -> Changed:
    """Change a share of the facts: ``round(level * facts)`` of them.

    RS changes them in pairs, so one fewer where that is an odd number. Where a graph does not
    have so many that can be changed, fewer are.

    Args:
        predictor: trained on these facts; RR alone needs it.

    Raises:
        ConfigurationError: no fact can be changed, though the level is over 0.
    """
    wanted = round(perturbation.level * len(facts))
    if perturbation.level == 0:
        return Changed(facts, 0, 0)
    order = list(range(len(facts)))
    chance = random.Random(f"{perturbation.seed} {perturbation.method}")  # noqa: S311
    chance.shuffle(order)
    work = _Work(facts, order, wanted, chance, predictor)
    found = _METHODS[perturbation.method](work)
    if not found.changed:
        raise ConfigurationError(
            f"{perturbation} changes none of the graph's {len(facts):,} facts: "
            + ("the level is too low" if wanted < 2 else _IMPOSSIBLE[perturbation.method])
        )
    return found


@dataclass(frozen=True, slots=True)
class _Work:
    facts: Facts
    order: list[int]
    wanted: int
    chance: random.Random
    predictor: Predictor | None

    def rows(self) -> list[tuple[int, int, int]]:
        facts = self.facts
        return list(
            zip(facts.heads.tolist(), facts.links.tolist(), facts.tails.tolist(), strict=True)
        )


def _swap_relations(work: _Work) -> Changed:
    rows, left, chance = work.rows(), work.order, work.chance
    seen, changed = set(rows), 0
    links_left = Counter(rows[place][1] for place in left)
    # Facts of one relation have nothing to exchange, and may be very many.
    while len(links_left) > 1 and changed + 2 <= work.wanted:
        one = left.pop()
        _take(links_left, rows[one][1])
        for place in _places(len(left), chance):
            (a, r, b), (c, s, d) = rows[one], rows[left[place]]
            new = (a, s, b), (c, r, d)
            if r != s and seen.isdisjoint(new):
                _take(links_left, s)
                rows[one], rows[left[place]] = new
                seen.update(new)
                left[place] = left[-1]
                left.pop()
                changed += 2
                break
    links = np.array([link for _, link, _ in rows], np.int64)
    return Changed(replace(work.facts, links=links), changed, work.wanted)


def _take(counts: Counter[int], link: int) -> None:
    counts[link] -= 1
    if not counts[link]:
        del counts[link]


def _places(number: int, chance: random.Random) -> Iterator[int]:
    """All places, the first `TRIES` at random."""
    for _ in range(TRIES):
        yield chance.randrange(number)
    yield from range(number)


def _replace_relations(work: _Work) -> Changed:
    if work.predictor is None:
        raise ConfigurationError("RR needs a predictor of facts, trained on the graph")
    facts, links, changed = work.facts, work.facts.links.copy(), 0
    between: dict[tuple[int, int], set[int]] = defaultdict(set)
    for head, link, tail in work.rows():
        between[head, tail].add(link)
    for start in range(0, len(work.order), BATCH):
        some = np.array(work.order[start : start + BATCH], np.int64)
        if changed == work.wanted:
            break
        heads, tails = facts.heads[some], facts.tails[some]
        least = np.argsort(work.predictor.by_relation(heads, tails), axis=1, kind="stable")
        ends = zip(heads.tolist(), tails.tolist(), strict=True)
        for place, pair, ranked in zip(some.tolist(), ends, least, strict=True):
            known = between[pair]
            if changed == work.wanted or len(known) == facts.relations:
                continue
            link = next(int(link) for link in ranked if int(link) not in known)
            links[place] = link
            known.add(link)
            changed += 1
    return Changed(replace(facts, links=links), changed, work.wanted)


def _rewire(work: _Work) -> Changed:
    facts, chance, changed = work.facts, work.chance, 0
    tails = facts.tails.copy()
    near: dict[int, set[int]] = defaultdict(set)
    for head, _, tail in work.rows():
        near[head].add(tail)
        near[tail].add(head)
    kinds = facts.kinds.tolist()
    pools = _pools(facts)
    made: set[tuple[int, int, int]] = set()
    for place in work.order:
        if changed == work.wanted:
            break
        head, link = int(facts.heads[place]), int(facts.links[place])
        pool = pools[kinds[int(facts.tails[place])]]
        for number in _places(len(pool), chance):
            tail = pool[number]
            if tail != head and tail not in near[head] and (head, link, tail) not in made:
                made.add((head, link, tail))
                tails[place] = tail
                changed += 1
                break
    return Changed(replace(facts, tails=tails), changed, work.wanted)


def _pools(facts: Facts) -> dict[int, list[int]]:
    """The nodes of some fact by kind: a thing takes the place of a thing."""
    pools: dict[int, list[int]] = defaultdict(list)
    for node in np.unique(np.concatenate([facts.heads, facts.tails])).tolist():
        pools[int(facts.kinds[node])].append(node)
    return pools


def _delete(work: _Work) -> Changed:
    facts = work.facts
    kept: Places = np.sort(np.array(work.order[work.wanted :], np.int64))
    less = replace(facts, heads=facts.heads[kept], links=facts.links[kept], tails=facts.tails[kept])
    return Changed(less, len(facts) - len(kept), work.wanted)


_METHODS: Mapping[str, Callable[[_Work], Changed]] = {
    "RS": _swap_relations,
    "RR": _replace_relations,
    "ER": _rewire,
    "ED": _delete,
}
_IMPOSSIBLE = {
    "RS": "no two of them could exchange their relations",
    "RR": "all of them have every relation that there is",
    "ER": "there is no other target for any of them",
    "ED": "there are none",
}
