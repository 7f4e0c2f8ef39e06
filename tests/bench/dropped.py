"""Which words of a question are passed over in silence, found by changing questions.

    python -m tests.bench.dropped [GRAPH …] [--held] [--questions 60]

Questions of `tests/bench/readings` that are answered rightly, and are not held, are changed: a
word is put in or replaced, a restriction added, an operator turned, or roles swapped. An answer
that stays the same, and says nothing of the change, is suspect. A third of the variants, by
their hash, is counted apart and only listed on request.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from tests.bench.questions import SMALL, _ask, _names, _questions

import isomatch
from isomatch.answer.types import Answer
from isomatch.errors import InterpretationError, IsomatchError
from isomatch.evaluate.gold import gold_answers
from isomatch.interpret.types import Span
from isomatch.session import Session

SEED = 5
MOST = 6  # variants of a question
OUTCOMES = ("refused", "changed", "told", "same and plain")
ADJECTIVES = """blue retired married former only foreign other own new famous average main same
different common such existing mutual single total recent alleged"""
RESTRICTIONS = """in Zorbland|in 1873|before 1700|with a zorb|by Quentin Zorb|or more|at least|
who are left-handed|more than 17 times|every week|twice|since Monday|on average|per month|together|
for zorbs|at night|without a zorb|again|as a zorb|except Quentin Zorb|and zorbs|first|alone|and why|
under 17|via Zorbland|only|once|in common|of their own|like Quentin Zorb|now|each|through it"""
OPPOSITES = """most|fewest;most|second most;highest|lowest;largest|smallest;oldest|youngest;all|no;
longest|shortest;latest|earliest;first|second;before|after;more than|less than;over|under;any|all;
at least|at most;at least|exactly;cheapest|most expensive;above|below;biggest|smallest;more|fewer;
older|younger;longer|shorter;bigger|smaller;and|or;both|neither;with|without;every|no;first|last;
cheaper|more expensive;total|average;maximum|minimum;since|until"""
BEFORE_NOUN = re.compile(r"(\b(the|an?|whose|which|what|his|her|their)|['’]s)\s+$", re.I)
APART = re.compile(r"second|exactly|and|both|total|any")  # these are not turned in a gold query
TURNED = {"DESC": "ASC", "ASC": "DESC", " < ": " > ", " > ": " < ", " <= ": " >= ", " >= ": " <= "}
SWAPS: list[tuple[str, Callable[[str, str], str]]] = [
    (r"(did|do|does) @ (\w+)", lambda aux, verb: f"{verb}{'s' if aux == 'does' else 'ed'} @"),
    (r"(\w+?)(s|ed) @", lambda verb, end: f"{'does' if end == 's' else 'did'} @ {verb}"),
    (r"(was|is|were|are) @ (\w+ by)", lambda aux, verb: f"{aux} {verb} @"),
    (r"(was|is|were|are) (\w+ by) @", lambda aux, verb: f"{aux} @ {verb}"),
]


@dataclass(frozen=True)
class Variant:
    """A changed question; ``query`` is its gold query where that is known."""

    kind: str
    text: str
    query: str = ""

    @property
    def held(self) -> bool:
        return sha256(self.text.encode()).digest()[0] % 3 == 0


def variants(question: str, query: str, spans: Sequence[Span]) -> list[Variant]:
    """One variant a kind, of some kinds; ``spans`` are what the words were understood as."""
    random = Random(f"{SEED} {question}")
    every = [v for v in _all(question, query, spans, random) if v.text != question]
    random.shuffle(every)
    found = list({one.kind: one for one in every}.values())
    return random.sample(found, min(MOST, len(found)))


def _all(question: str, query: str, spans: Sequence[Span], random: Random) -> Iterator[Variant]:
    body = question.rstrip("?. ")
    end = question[len(body) :]
    for span in spans:
        before, after = question[: span.start], question[span.end :]
        if span.kind == "type" or (span.kind == "relation" and BEFORE_NOUN.search(before)):
            adjective = random.choice(ADJECTIVES.split())
            yield Variant("a adjective", f"{before}plimbic {span.text}{after}")
            yield Variant("a compound", f"{before}zorb {span.text}{after}")
            yield Variant("b adjective", f"{before}{adjective} {span.text}{after}")
            yield Variant("c noun", f"{before}zorb{'s' * span.text.endswith('s')}{after}")
        elif span.kind == "relation" and before:
            rest = re.sub(r"^\w+?(ed|ing|s)?\b", r"\1", span.text)  # of its form
            yield Variant("a adverb", f"{before}plimbically {span.text}{after}")
            yield Variant("c verb", f"{before}zorb{rest}{after}")
            yield Variant("c verb", f"{before}paint{rest}{after}")
            yield Variant("e never", f"{before}never {span.text}{after}")
        elif span.kind == "name" and before:
            yield Variant("c name", f"{before}Quentin Zorb{after}")
    for words in random.sample(RESTRICTIONS.split("|"), 3):
        yield Variant("d appended", f"{body} {words.strip()}{end}")
    yield from _turned(question, query)
    yield from _swapped(question, [span for span in spans if span.kind == "name"])


def _turned(question: str, query: str) -> Iterator[Variant]:
    """With an operator turned, and its gold query where that has one operator."""
    for pair in OPPOSITES.split(";"):
        first, second = pair.strip().split("|")
        turned = "" if APART.search(pair) else _opposite(query)
        for old, new in ((first, second), (second, first)):
            if re.search(rf"\b{old}\b", question):
                yield Variant("e operator", re.sub(rf"\b{old}\b", new, question, count=1), turned)
    yield Variant("e not", re.sub(r" not\b|n['’]t\b", "", question, count=1))


def _opposite(query: str) -> str:
    """A query with its one operator turned; empty where it has another number of them."""
    operator = re.compile(r"\bDESC\b|\bASC\b| [<>]=? ")
    found = len(operator.findall(query))
    return operator.sub(lambda one: TURNED[one[0]], query) if found == 1 else ""


def _swapped(question: str, names: Sequence[Span]) -> Iterator[Variant]:
    """With the roles of two swapped: "who did A mentor" for "who mentored A"."""
    if len(names) == 2 and re.match(r"(did|does|is|was|has)\b", question, re.I):
        a, b = names
        between = question[a.end : b.start]
        turned = f"{question[: a.start]}{b.text}{between}{a.text}{question[b.end :]}"
        yield Variant("f roles", turned)
    for form, turn in SWAPS if len(names) == 1 else ():
        masked = question.replace(names[0].text, "@")
        if match := re.fullmatch(rf"(who|which \w+) {form}\?", masked, re.I):
            turned = f"{match[1]} {turn(match[2], match[3])}?"
            yield Variant("f roles", turned.replace("@", names[0].text))


def outcome(session: Session, one: Variant, before: Answer) -> tuple[str, str]:
    """What became of a variant, a member of `OUTCOMES`, and its answer in words."""
    try:
        answer = session.ask(one.text, interpreter="schema")
    except InterpretationError as error:
        return "refused", str(error)
    if not answer.supported:
        return "refused", answer.text
    if "This leaves out" in answer.text or answer.text.startswith("If “"):
        return "told", answer.text
    if set(_names(answer)) != set(_names(before)) or answer.holds != before.holds:
        return "changed", answer.text
    if before.holds is False and not one.kind.startswith("e"):
        return "changed", answer.text  # what is not so at all is not so with a restriction
    with suppress(IsomatchError):  # no query of that form
        gold = gold_answers(session, {"sparql": one.query}).names if one.query else ()
        if {*gold} == {*_names(before)}:
            return "changed", answer.text
    return "same and plain", answer.text


def judged(graph: str, most: int) -> Iterator[tuple[Variant, str, str]]:
    """The variants of some questions of a graph, with what `outcome` gives of each."""
    file = SMALL / f"{graph}.toml"
    rows = [one for one in _questions(file) if one.get("sparql") and not one.get("held")]
    with isomatch.open(file.with_suffix(".ttl")) as session:
        for row in Random(f"{SEED} {graph}").sample(rows, min(most, len(rows))):
            asked = _ask(session, row)
            if asked.verdict != "right" or asked.answer is None:
                continue
            coverage = asked.answer.hypothesis and asked.answer.hypothesis.coverage
            spans = coverage.understood if coverage else ()
            for one in variants(row["question"], row["sparql"], spans):
                yield one, *outcome(session, one, asked.answer)


def main() -> None:
    """Print a table by kind of change, then the suspects."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=sorted(f.stem for f in SMALL.glob("*.toml")))
    parser.add_argument("--held", action="store_true", help="list the held variants' suspects too")
    parser.add_argument("--questions", type=int, default=20, help="of each graph")
    chosen = parser.parse_args()
    counts, lines = Counter[tuple[bool, str, str]](), []
    for graph in chosen.graphs:
        for one, result, text in judged(graph, chosen.questions):
            counts[one.held, one.kind, result] += 1
            if result == OUTCOMES[-1] and (chosen.held or not one.held):
                lines.append(f"{one.kind}: {graph}: {one.text} → {text}")
    for held in (False, True):
        _table(held, counts)
    print("\n".join(lines))


def _table(held: bool, counts: Counter[tuple[bool, str, str]]) -> None:
    titles = ("variants", *OUTCOMES)
    print(f"{'held' if held else 'seen':16}" + "".join(f"{o:>16}" for o in titles))
    kinds = sorted({kind for _, kind, _ in counts})
    for title, of in [*((kind, [kind]) for kind in kinds), ("all", kinds)]:
        numbers = [sum(counts[held, kind, o] for kind in of) for o in OUTCOMES]
        print(f"{title:16}" + "".join(f"{n:>16}" for n in (sum(numbers), *numbers)))
    print(flush=True)


if __name__ == "__main__":
    main()
