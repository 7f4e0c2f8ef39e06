"""A property graph of any size, the same for the same seed, for the server's own import.

`python -m tests.bench.synthetic_graph --nodes 1000000 --out DIR` writes the files that
`neo4j-admin database import full` takes. What it is like:

- five relationships a node; degrees follow a power law with exponent 2.5, as in most
  networks that grew (Newman, SIAM Review 2003), for in- and out-degrees apart;
- a dozen labels of very different size, one node in twenty with a second label;
- 200 relationship types, from frequent to rare, each between two labels; one type in
  eight has a property;
- every node has an ``id`` and a ``name`` (one name in fifty is another node's too), and
  by label a ``year``, a ``city``, a ``rating`` or a list of ``aliases``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

SEED = 2014
DEGREE = 5  # relationships a node
TYPES = 200
EXPONENT = 2.5  # of the degrees' power law
CHUNK = 200_000  # rows that are written together
NODE, RELATION = "urn:isomatch:node:", "urn:isomatch:relation:"  # of triples
LABELS = (
    ("Person", 0.34),
    ("Document", 0.18),
    ("Event", 0.12),
    ("Product", 0.10),
    ("Place", 0.08),
    ("Company", 0.06),
    ("Account", 0.04),
    ("Device", 0.03),
    ("Project", 0.02),
    ("Topic", 0.015),
    ("Team", 0.01),
    ("Country", 0.005),
)
YEARS, CITIES, RATINGS, ALIASES = (
    ("Document", "Event", "Product"),
    ("Person", "Company", "Place"),
    ("Product", "Event"),
    ("Person", "Company"),
)
_SYLLABLES = [consonant + vowel for consonant in "bdfghjklmnprstvwxz" for vowel in "aeiou"]
_LINKS = ("AT", "BY", "FOR", "FROM", "IN", "OF", "ON", "TO")


@dataclass(frozen=True)
class Walk:
    """A path of the graph: its nodes' numbers, and its relationship types' numbers."""

    nodes: tuple[int, ...]
    types: tuple[int, ...]


class SyntheticGraph:
    """Arrays of nodes and relationships; a node's number is its property ``id``.

    Attributes:
        label: by node, the number of its label.
        second: by node, the number of its second label; -1 where it has none.
        source, target, type: by relationship, numbers of nodes and of its type.
        type_names: by number of relationship type.
    """

    def __init__(self, nodes: int, seed: int = SEED):
        self.nodes = nodes
        self.seed = seed
        rng = np.random.default_rng((seed, nodes))
        self.label = rng.choice(len(LABELS), nodes, p=_shares()).astype(np.int16)
        # Every label has a node, however small the graph.
        self.label[: len(LABELS)] = np.arange(len(LABELS))
        self.second = np.where(
            rng.random(nodes) < 0.05, rng.integers(0, len(LABELS), nodes), -1
        ).astype(np.int16)
        self.type_names = tuple(
            f"{_word(37 * i)}_{_LINKS[i % len(_LINKS)]}".upper() for i in range(TYPES)
        )
        self.type, self.source, self.target = self._relationships(rng, nodes * DEGREE)

    def name(self, node: int) -> str:
        """A node's name, two words; one node in fifty has that of another one."""
        number = node // 2 if node % 50 == 1 else node
        first, last = divmod(number * 7919 % 64_000_000, 8000)
        return f"{_word(first)} {_word(last)}"

    def write(self, folder: Path) -> list[str]:
        """Write the files; gives the arguments of the import that name them."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in (("nodes", self._node_lines()), ("links", self._link_lines())):
            with (folder / f"{name}.csv").open("w", encoding="utf-8") as file:
                file.writelines(lines)
        return [f"--nodes={folder}/nodes.csv", f"--relationships={folder}/links.csv"]

    def write_triples(self, path: Path) -> None:
        """Write the relationships alone as N-Triples; ids are `NODE` and `RELATION` with a name."""
        with path.open("w", encoding="utf-8") as file:
            for first in range(0, len(self.type), CHUNK):
                span = slice(first, first + CHUNK)
                columns = (c[span].tolist() for c in (self.source, self.type, self.target))
                file.writelines(
                    f"<{NODE}{a}> <{RELATION}{self.type_names[t]}> <{NODE}{b}> .\n"
                    for a, t, b in zip(*columns, strict=True)
                )

    def walks(self, count: int, hops: int, seed: int = SEED) -> list[Walk]:
        """Random walks over different nodes, along relationships either way.

        They begin at any node that has a relationship, each as likely.
        """
        rng = np.random.default_rng((seed, self.nodes))
        starts, ends, types = self._adjacency
        found: list[Walk] = []
        while len(found) < count:
            nodes = [int(rng.integers(self.nodes))]
            walked: list[int] = []
            while len(walked) < hops:
                first, last = starts[nodes[-1]], starts[nodes[-1] + 1]
                if first == last:
                    break
                step = int(rng.integers(first, last))
                if int(ends[step]) in nodes:
                    break
                nodes.append(int(ends[step]))
                walked.append(int(types[step]))
            if len(walked) == hops:
                found.append(Walk(tuple(nodes), tuple(walked)))
        return found

    @cached_property
    def _adjacency(self) -> tuple[Any, Any, Any]:
        """Both directions in rows: where a node's begin, other ends, types."""
        here = np.concatenate((self.source, self.target))
        order = np.argsort(here, kind="stable")
        starts = np.searchsorted(here[order], np.arange(self.nodes + 1))
        there = np.concatenate((self.target, self.source))[order]
        return starts, there, np.concatenate((self.type, self.type))[order]

    def _relationships(self, rng: np.random.Generator, count: int) -> tuple[Any, Any, Any]:
        """Types by a Zipf law; ends of a type's two labels, by their nodes' weights."""
        frequency = 1.0 / np.arange(1, TYPES + 1)
        type = np.sort(rng.choice(TYPES, count, p=frequency / frequency.sum())).astype(np.int16)
        # Of the seed alone: graphs of any size have one schema.
        ends = np.random.default_rng(self.seed).choice(len(LABELS), (2, TYPES), p=_shares())
        members = [np.flatnonzero(self.label == number) for number in range(len(LABELS))]
        # In an order of their own for each direction: who gives much need not get much.
        sides = [[rng.permutation(m).astype(np.int32) for m in members] for _ in range(2)]
        bounds = np.searchsorted(type, np.arange(TYPES + 1))
        columns = []
        for side, labels in zip(sides, ends, strict=True):
            column = np.empty(count, np.int32)
            for number, label in enumerate(labels):
                span = slice(bounds[number], bounds[number + 1])
                column[span] = _by_power_law(rng, side[label], span.stop - span.start)
            columns.append(column)
        order = rng.permutation(count)  # as written, a type's relationships are not together
        return type[order], columns[0][order], columns[1][order]

    def _node_lines(self) -> Iterator[str]:
        yield ":ID,id:long,name,year:int,city,rating:double,aliases:string[],:LABEL\n"
        rng = np.random.default_rng((self.seed, 1))
        for first in range(0, self.nodes, CHUNK):
            numbers = range(first, min(first + CHUNK, self.nodes))
            years = rng.integers(1950, 2026, len(numbers)).tolist()
            cities = (rng.random(len(numbers)) ** 3 * 5000).astype(int).tolist()
            ratings = rng.integers(0, 101, len(numbers)).tolist()
            rows = zip(numbers, years, cities, ratings, strict=True)
            yield "".join(self._node_line(*row) for row in rows)

    def _node_line(self, node: int, year: int, city: int, rating: int) -> str:
        label, second = int(self.label[node]), int(self.second[node])
        name, kind = self.name(node), LABELS[label][0]
        cells = [
            str(node),
            str(node),
            name,
            str(year) if kind in YEARS else "",
            _word(city) if kind in CITIES else "",
            str(rating / 10) if kind in RATINGS else "",
            f"{name.split()[0]};{_word(year)}" if kind in ALIASES and node % 3 == 0 else "",
            kind if second in (-1, label) else f"{kind};{LABELS[second][0]}",
        ]
        return ",".join(cells) + "\n"

    def _link_lines(self) -> Iterator[str]:
        yield ":START_ID,:END_ID,:TYPE,since:int\n"
        for first in range(0, len(self.type), CHUNK):
            span = slice(first, first + CHUNK)
            columns = (c[span].tolist() for c in (self.source, self.target, self.type))
            yield "".join(
                f"{a},{b},{self.type_names[t]},{1990 + (a + b) % 35 if t % 8 == 0 else ''}\n"
                for a, b, t in zip(*columns, strict=True)
            )


def _by_power_law(rng: np.random.Generator, members: Any, count: int) -> Any:
    """Members by weights that fall with their place, so that degrees follow a power law.

    Weights ``place ** -a`` give degrees the exponent ``1 + 1 / a``; the place is drawn by
    inverting the sum of the weights as an integral.
    """
    falls = 1.0 - 1.0 / (EXPONENT - 1.0)
    places = ((len(members) ** falls) * rng.random(count)) ** (1.0 / falls)
    return members[np.minimum(places.astype(np.int64), len(members) - 1)]


def _shares() -> Any:
    shares = np.array([share for _, share in LABELS])
    return shares / shares.sum()


def _word(number: int) -> str:
    """Three syllables or more, capitalised; another number, another word."""
    letters = ""
    while number or len(letters) < 6:
        number, place = divmod(number, len(_SYLLABLES))
        letters = _SYLLABLES[place] + letters
    return letters.capitalize()


def main() -> None:
    """Write the files and say how to import them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, required=True, help="folder for the files")
    options = parser.parse_args()
    files = SyntheticGraph(options.nodes, options.seed).write(options.out)
    print(f"neo4j-admin database import full neo4j --id-type=integer {' '.join(files)}")


if __name__ == "__main__":
    main()
