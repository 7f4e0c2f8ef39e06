"""Scores by rules, for which no model is needed: what an answer cites, and what it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from isomatch.answer.evidence import citations, without_citations
from isomatch.judge.facts import is_refusal, sentences_of
from isomatch.judge.grounding import grounding
from isomatch.judge.types import Case, Scored, Verdict, share
from isomatch.lexicon.folding import fold
from isomatch.texts import find_word

_NUMBERED = re.compile(r"^\s*\[(\d+)\]\s*")
_ARROW = re.compile(r" -.+?-> | <-.+?- |; ")


def facts_of(context: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The names of what each numbered fact or path of the evidence is about.

    Example:
        >>> facts_of(["[2] Heat | directed by | Michael Mann", "[3] Ali -directed by-> Mann"])
        {2: ('Heat', 'Michael Mann'), 3: ('Ali', 'Mann')}
    """
    facts: dict[int, tuple[str, ...]] = {}
    for place, line in enumerate(context, 1):
        numbered = _NUMBERED.match(line)
        number = int(numbered[1]) if numbered else place
        text = line[numbered.end() :] if numbered else line
        columns = text.split(" | ")
        names = (columns[0], columns[-1]) if len(columns) > 2 else tuple(_ARROW.split(text))
        facts[number] = (*facts.get(number, ()), *(name.strip() for name in names))
    return facts


def names_in(text: str, names: Sequence[str]) -> list[str]:
    """Those of some names that stand in a text as whole words, without regard to case."""
    folded = fold(text)
    return [n for n in names if fold(n).strip() and find_word(folded, fold(n)) is not None]


def supported_sentences(case: Case) -> Scored:
    """The share of sentences that cite facts of the evidence, and name a thing of one.

    That a sentence is supported in this sense does not prove that the fact says the same.
    """
    metric = "supported_sentences"
    if refused := _not_judged(metric, case):
        return refused
    facts = facts_of(case.context)
    verdicts = []
    for sentence in sentences_of(case.answer):
        cited = citations(sentence)
        missing = [n for n in cited if n not in facts]
        names = [name for n in cited for name in facts.get(n, ())]
        said = names_in(without_citations(sentence), names)
        reason = (
            "it cites nothing"
            if not cited
            else f"it cites {missing[0]}, and there is no such fact"
            if missing
            else f"it cites and names {said[0]}"
            if said
            else "it names nothing of what it cites"
        )
        outcome = "supported" if said and not missing else "not supported"
        verdicts.append(Verdict(metric, sentence, outcome, reason))  # type: ignore[arg-type]
    return Scored(share(verdicts), tuple(verdicts))


def cited_named(case: Case) -> Scored:
    """The share of cited facts of which both ends are named in the answer; of paths all nodes."""
    metric = "cited_named"
    if refused := _not_judged(metric, case):
        return refused
    facts, text = facts_of(case.context), without_citations(case.answer)
    verdicts = []
    for number in citations(case.answer):
        names = list(dict.fromkeys(facts.get(number, ())))
        said = names_in(text, names)
        left = [name for name in names if name not in said]
        outcome = "supported" if names and not left else "not supported"
        reason = "all of it is named" if names else "there is no such fact"
        reason = f"it does not name {left[0]}" if left else reason
        verdicts.append(Verdict(metric, f"[{number}]", outcome, reason))  # type: ignore[arg-type]
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


def _not_judged(metric: str, case: Case) -> Scored | None:
    if not case.context:
        return _cannot(metric, case, "there is no evidence to cite")
    if is_refusal(case.answer):
        reason = "it says only that the graph does not say"
        return Scored(None, (Verdict(metric, case.answer, "no facts", reason),))
    return None


def _cannot(metric: str, case: Case, reason: str) -> Scored:
    return Scored(None, (Verdict(metric, case.answer, "not judged", reason),))
