"""How well questions are read without a model: the first reading and its answers.

    python tests/bench/interpret_quality.py --limit 300

For every part of MetaQA (dev; once with the topic in brackets, once without),
PathQuestions and WorldCup2014: `precision` is the share of right ones among the
answers of the first reading (so Hits@1 of an answer drawn from them), `best of 3`
the best of the first three readings, `gold` how many first readings are the
gold pattern itself. The lexicon is the draft; nothing is trained. Answers are
found by walking the triples in memory, so that only the interpreter is measured.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from time import perf_counter

from isomatch.errors import InterpretationError
from isomatch.evaluate.metrics import DEFAULT
from isomatch.interpret.schema import SchemaInterpreter
from isomatch.lexicon.draft import draft_from_graph
from isomatch.lexicon.mentions import MentionFinder
from isomatch.link.embedder import open_embedder
from isomatch.pattern.types import Pattern
from isomatch.questions.datasets import Part, Question, facts, read
from isomatch.schema.introspect import introspect
from isomatch.schema.names import names
from isomatch.store.load import load
from isomatch.store.terms import words

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
SETS = {"metaqa": "metaqa", "pathquestion": "pathquestion", "worldcup": "worldcup2014"}
Row = dict[str, "str | float"]


class Walker:
    """Answers of tree-shaped patterns with directed relations, by walking triples."""

    def __init__(self, triples: Iterable[tuple[str, str, str]]):
        self._edges: dict[tuple[str, str], set[str]] = defaultdict(set)
        for source, relation, target in triples:
            self._edges[words(relation), DEFAULT.key(source)].add(DEFAULT.key(target))
            self._edges["^" + words(relation), DEFAULT.key(target)].add(DEFAULT.key(source))

    def answers(self, pattern: Pattern) -> set[str]:
        """Nodes that the answer node can be, from every known node at once."""
        known = {n.id: DEFAULT.key(n.text) for n in pattern.nodes if n.text is not None}
        (asked,) = pattern.answers
        found = [self._walk(pattern, node, name, asked) for node, name in known.items()]
        return set.intersection(*found) - set(known.values())

    def _walk(self, pattern: Pattern, node: str, name: str, asked: str) -> set[str]:
        # (before, here): a walk may come back to a node, but not over the same edge.
        places: set[tuple[str, str, str]] = {("", "", name)}
        edges = list(pattern.edges)
        while node != asked:
            edge = next(e for e in edges if node in (e.source, e.target))
            edges.remove(edge)
            forward = edge.source == node
            relation = f"{'' if forward else '^'}{edge.relation}"
            back = relation[1:] if relation.startswith("^") else f"^{relation}"
            node = edge.target if forward else edge.source
            places = {
                (relation, here, there)
                for came, before, here in places
                for there in self._edges.get((relation, here), ())
                if there != name and not (came == back and before == there)
            }
        return {here for _, _, here in places}


def measure(name: str, part: Part, limit: int) -> Iterator[Row]:
    """One row for a part; two where its questions come with and without brackets."""
    store = load([part.graph], None, delimiter=part.delimiter).store
    assert store is not None
    schema, embedder = introspect(store), open_embedder()
    started = perf_counter()
    lexicon = draft_from_graph(store, schema, embedder)
    drafted = perf_counter() - started
    interpreter = SchemaInterpreter(
        store,
        schema,
        embedder,
        MentionFinder(
            [(n.text, n.id) for page in names(store, schema) for n in page], lexicon.words()
        ),
        lexicon,
    )
    walker = Walker(facts(part.graph, part.delimiter))
    questions = random.Random(2014).sample(part.questions, min(limit, len(part.questions)))
    for brackets in (False, True) if name == "metaqa" else (False,):
        row = _row(interpreter, walker, questions, brackets)
        label = f"{name} {part.name}{', brackets' if brackets else ''}"
        yield {"part": label, **row, "draft_s": round(drafted, 2)}


def _row(
    interpreter: SchemaInterpreter, walker: Walker, questions: list[Question], brackets: bool
) -> Row:
    firsts, bests, golds, times = [], [], [], []
    for question in questions:
        text = question.text
        if brackets:
            text = text.replace(question.topics[0], f"[{question.topics[0]}]", 1)
        started = perf_counter()
        try:
            patterns = [r.pattern for r in interpreter.interpret(text)[:3]]
        except InterpretationError:
            patterns = []
        times.append(perf_counter() - started)
        right = {DEFAULT.key(a) for a in question.answers}
        scores = [_precision(walker.answers(p), right) for p in patterns] or [0.0]
        firsts.append(scores[0])
        bests.append(max(scores))
        gold = question.pattern
        golds.append(bool(gold and patterns and _shape(patterns[0]) == _shape(gold)))
    count = len(questions)
    return {
        "questions": count,
        "precision": round(sum(firsts) / count, 3),
        "best_of_3": round(sum(bests) / count, 3),
        "gold": round(sum(golds) / count, 3),
        "p50_ms": round(sorted(times)[count // 2] * 1000, 1),
        "mean_ms": round(sum(times) / count * 1000, 1),
    }


def _precision(found: set[str], right: set[str]) -> float:
    return len(found & right) / len(found) if found else 0.0


def _shape(pattern: Pattern) -> object:
    """The pattern but for the ids of its unknown nodes and the order of its edges."""
    text = {n.id: DEFAULT.key(n.text) for n in pattern.nodes if n.text is not None}
    middle = [n.id for n in pattern.nodes if n.id not in text and n.id not in pattern.answers]
    order = {id: f"?{i}" for i, id in enumerate(middle)}
    name = {**order, **text, **dict.fromkeys(pattern.answers, "?answer")}
    return frozenset((name[e.source], e.relation, name[e.target]) for e in pattern.edges)


def main() -> None:
    """Print a row a part, as a table or as JSON lines."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--limit", type=int, default=300)
    arguments.add_argument("--sets", nargs="*", choices=SETS, default=list(SETS))
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    parts = chain.from_iterable(
        ((s, part) for part in read(s, given.data / SETS[s])) for s in given.sets
    )
    for name, part in parts:
        for row in measure(name, part, given.limit):
            if given.json:
                print(json.dumps(row), flush=True)
            else:
                print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
