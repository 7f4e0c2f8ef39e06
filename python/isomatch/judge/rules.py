"""Scores by rules, for which no model is needed: what an answer cites, and what it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from isomatch.answer.evidence import citations, without_citations
from isomatch.answer.support import SupportCheck
from isomatch.answer.types import Evidence
from isomatch.judge.facts import is_refusal, said_of
from isomatch.judge.grounding import grounding
from isomatch.judge.types import Case, Outcome, Scored, Verdict, share
from isomatch.lexicon.folding import fold
from isomatch.lexicon.language import default_language
from isomatch.match.types import Bound, Triple
from isomatch.texts import find_word

_NUMBERED = re.compile(r"^\s*\[(\d+)\]\s*")
_ARROW = re.compile(r" -(.+?)-> | <-(.+?)- ")


def evidence_of(context: Sequence[str]) -> list[Evidence]:
    """The facts of lines as prompts show them; other lines are none.

    Example:
        >>> for fact in evidence_of(["[2] Heat | directed by | Mann", "[3] Heat <-made- Mann"]):
        ...     print(fact.number, fact.triple.source.name, fact.triple.relation.name)
        2 Heat directed by
        3 Mann made
    """
    found = []
    for place, line in enumerate(context, 1):
        numbered = _NUMBERED.match(line)
        number = int(numbered[1]) if numbered else place
        for names in _facts_in(line[numbered.end() :] if numbered else line):
            source, relation, target = (Bound(name.strip(), name.strip()) for name in names)
            found.append(Evidence(number, Triple(source, relation, target), 0, 0.0))
    return found


def _facts_in(text: str) -> Iterator[tuple[str, str, str]]:
    columns = text.split(" | ")
    if len(columns) > 2:
        yield columns[0], " | ".join(columns[1:-1]), columns[-1]
        return
    for way in text.split("; "):
        here, *steps = _ARROW.split(way)
        for forward, backward, there in zip(steps[::3], steps[1::3], steps[2::3], strict=True):
            yield (here, forward, there) if forward else (there, backward, here)
            here = there


def names_in(text: str, names: Sequence[str]) -> list[str]:
    """Those of some names that stand in a text as whole words, without regard to case."""
    folded = fold(text)
    return [n for n in names if fold(n).strip() and find_word(folded, fold(n)) is not None]


def supported_sentences(case: Case) -> Scored:
    """The share of sentences that facts of the evidence carry, by `SupportCheck`.

    That a sentence is supported in this sense does not prove that a fact says the same.
    """
    metric = "supported_sentences"
    evidence = evidence_of(case.context)
    if refused := _not_judged(metric, case, evidence):
        return refused
    check = SupportCheck(evidence, default_language())
    lines = check.lines(said_of(case.answer))
    verdicts = [
        Verdict(metric, one.text, "supported", "it names what it cites")
        if one.supported
        else Verdict(metric, one.text, "not supported", one.reason)
        for line in lines
        for one in line
        if any(map(str.isalnum, one.text))
    ]
    return Scored(share(verdicts), tuple(verdicts))


def cited_named(case: Case) -> Scored:
    """The share of cited facts of which both ends are named in the answer; of paths all nodes."""
    metric = "cited_named"
    evidence = evidence_of(case.context)
    if refused := _not_judged(metric, case, evidence):
        return refused
    text = without_citations(case.answer)
    verdicts = []
    for number in citations(case.answer):
        triples = [fact.triple for fact in evidence if fact.number == number]
        names = list(dict.fromkeys(end.name for t in triples for end in (t.source, t.target)))
        said = names_in(text, names)
        left = [name for name in names if name not in said]
        reason = "all of it is named" if names else "there is no such fact"
        reason = f"it does not name {left[0]}" if left else reason
        outcome: Outcome = "supported" if names and not left else "not supported"
        verdicts.append(Verdict(metric, f"[{number}]", outcome, reason))
    if not verdicts:
        return Scored(None, (Verdict(metric, case.answer, "no facts", "it cites nothing"),))
    return Scored(share(verdicts), tuple(verdicts))


def name_recall(case: Case) -> Scored:
    """The share of the right answers' names that stand in the answer."""
    metric = "name_recall"
    if not case.right:
        return _cannot(metric, case, "no right answers are known")
    said = names_in(without_citations(case.answer), case.right)
    verdicts = tuple(
        Verdict(metric, name, "supported", "it is named")
        if name in said
        else Verdict(metric, name, "not supported", "it is not named")
        for name in {fold(name): name for name in case.right}.values()
    )
    return Scored(share(verdicts), verdicts)


def grounded(case: Case) -> Scored:
    """The question's part of Score_h: what was given as an answer against what is right."""
    metric = "grounded"
    if not case.right or case.given is None:
        missing = "right answers are known" if not case.right else "names were given as answers"
        return _cannot(metric, case, f"no {missing}")
    right = {fold(name) for name in case.right}
    value = grounding([fold(name) for name in case.given], right, answerable=True)
    reason = f"{len(case.given)} given, {len(right)} right"
    return Scored(value, (Verdict(metric, case.answer, "rated", reason, value),))


RULE_SCORES: Mapping[str, Callable[[Case], Scored]] = {
    "supported_sentences": supported_sentences,
    "cited_named": cited_named,
    "name_recall": name_recall,
    "grounded": grounded,
}


def _not_judged(metric: str, case: Case, evidence: Sequence[Evidence]) -> Scored | None:
    if not evidence:
        return _cannot(metric, case, "there are no facts to cite")
    if is_refusal(case.answer):
        reason = "it says only that the graph does not say"
        return Scored(None, (Verdict(metric, case.answer, "no facts", reason),))
    return None


def _cannot(metric: str, case: Case, reason: str) -> Scored:
    return Scored(None, (Verdict(metric, case.answer, "not judged", reason),))
