"""Results as JSON objects, for programs."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from isomatch.answer.types import Answer, Sentence
from isomatch.interpret.types import Coverage
from isomatch.match.types import (
    Bound,
    Certificate,
    Choice,
    Group,
    Interpretation,
    Match,
    MatchResult,
    Profile,
    Triple,
    count_of,
)
from isomatch.output.words import certificate_words, proof_words, selection_words
from isomatch.pattern import to_json
from isomatch.pattern.types import Pattern

if TYPE_CHECKING:
    from isomatch.prizes.selection import Selection

# For an answer from triples alone, which has no pattern.
_NO_RESULT: dict[str, Any] = {
    "pattern": None,
    "found": False,
    "matches": [],
    "interpretations": [],
    "certificate": None,
    "profile": None,
}


def result_form(result: MatchResult) -> dict[str, Any]:
    """The object that ``isomatch match --json`` prints.

    ``found`` says whether any reading is near enough to be one (see
    `isomatch.match.nearness`). ``matches`` is flat, best first; each repeats
    its interpretation's choices, so that one of them can be read alone. A bound
    that is infinite is null. A pattern that asks if there is a match has ``holds``: true,
    false, or null where that is not known.
    """
    return {
        "pattern": to_json(result.pattern),
        "found": result.found,
        **({"holds": result.holds} if result.pattern.ask else {}),
        "matches": [
            {
                "rank": interpretation.rank,
                "gsd": interpretation.gsd,
                "interpretation": [choice_form(c) for c in interpretation.choices],
                "bindings": {id: bound_form(b) for id, b in match.bindings.items()},
                "triples": [triple_form(t) for t in match.triples],
                **optional_form(match),
            }
            for interpretation, match in result.matches
        ],
        "interpretations": [interpretation_form(result.pattern, i) for i in result.interpretations],
        **parts_form(result),
        "certificate": certificate_form(result.certificate, bool(result), proof_words(result)),
        "profile": profile_form(result.profile),
        "notes": list(result.certificate.notes),
    }


def optional_form(match: Match) -> dict[str, Any]:
    """``optional``, where the pattern has optional parts: the rows that each gives a match."""
    if not match.optional:
        return {}
    return {
        "optional": [
            {
                "rows": [{id: bound_form(b) for id, b in row.items()} for row in values.rows],
                "cut": values.cut,
            }
            for values in match.optional
        ]
    }


def parts_form(result: MatchResult) -> dict[str, Any]:
    """``parts`` and ``optional``, where the pattern has some: how each was read, and its proof."""
    optional = [
        {
            "nodes": list(result.pattern.columns_of(part)),
            "interpretations": [
                {"gsd": i.gsd, "choices": list(map(choice_form, i.choices)), "near": i.near}
                for i in found.interpretations
            ],
            "certificate": certificate_form(found.certificate, bool(found)),
        }
        for part, found in zip(result.pattern.optional, result.optional, strict=False)
    ]
    read = {"optional": optional} if optional else {}
    if not result.parts:
        return read
    return read | {
        "parts": [
            {
                "nodes": list(part.nodes),
                "operator": part.operator,
                "interpretations": [
                    interpretation_form(found.pattern, i) for i in found.interpretations
                ],
                **parts_form(found),
                "certificate": certificate_form(found.certificate, bool(found)),
            }
            for part, found in zip(result.pattern.parts, result.parts, strict=True)
        ]
    }


def interpretation_form(pattern: Pattern, interpretation: Interpretation) -> dict[str, Any]:
    """What an interpretation chose, and how many matches it has."""
    return {
        "rank": interpretation.rank,
        "gsd": interpretation.gsd,
        "choices": [choice_form(c) for c in interpretation.choices],
        "count": len(interpretation.matches),
        "cut": interpretation.cut,
        "near": interpretation.near,
        **count_form(pattern, interpretation),
    }


def answer_form(answer: Answer) -> dict[str, Any]:
    """The object that ``isomatch ask --json`` prints: `result_form` with the answer."""
    hypothesis = answer.hypothesis
    return {
        "question": answer.question,
        "text": answer.text,
        "answers": [bound_form(b) for b in answer.answers],
        "supported": answer.supported,
        "source": answer.source,
        "retriever": answer.retriever,
        "evidence": [
            {
                "number": e.number,
                "rank": e.rank,
                "gsd": e.gsd,
                "score": e.score,
                "triple": triple_form(e.triple),
            }
            for e in answer.evidence
        ],
        "cited": list(answer.cited),
        "cut": answer.cut,
        **({"sentences": list(map(sentence_form, answer.sentences))} if answer.sentences else {}),
        **({} if answer.selection is None else {"selection": selection_form(answer.selection)}),
        "reading": None
        if hypothesis is None
        else {
            "source": hypothesis.source,
            "score": hypothesis.score,
            "options": dict(hypothesis.options),
            **coverage_form(hypothesis.coverage),
        },
        **(_NO_RESULT if answer.result is None else result_form(answer.result)),
        **({"holds": answer.holds} if answer.pattern is not None and answer.pattern.ask else {}),
        "notes": [*answer.notes, *(answer.result.certificate.notes if answer.result else ())],
        "stages_ms": dict(answer.stages),
    }


def sentence_form(sentence: Sentence) -> dict[str, Any]:
    """A sentence of a paragraph; ``reason`` says why it has no support."""
    return {
        "text": sentence.text,
        "cited": list(sentence.cited),
        "supported": sentence.supported,
        **({} if sentence.supported else {"reason": sentence.reason}),
    }


def selection_form(selection: Selection) -> dict[str, Any]:
    """What is proven about evidence by prizes and costs, and how it was chosen.

    A gap that is not known to end is null.
    """
    known = isfinite(selection.bound)
    return {
        "form": selection.form,
        "score": selection.score,
        "bound": selection.bound if known else None,
        "gap": selection.gap if known else None,
        "optimal": selection.optimal,
        "words": selection_words(selection),
        "options": asdict(selection.options),
        "surroundings": {"before": asdict(selection.before), "after": asdict(selection.after)},
        "groups": [[triple_form(triple) for triple in group] for group in selection.groups],
        "topics": list(selection.topics),
    }


def count_form(pattern: Pattern, interpretation: Interpretation) -> dict[str, Any]:
    """``counted`` where the pattern counts a node, ``aggregated`` where it adds or the like.

    ``groups`` where it does so for each answer.
    """
    if pattern.each:
        return {"groups": [group_form(pattern, group) for group in interpretation.groups]}
    if (given := pattern.aggregate) is not None:
        value = None if interpretation.value is None else bound_form(interpretation.value)
        return {"aggregated": {"function": given.function, "node": given.node, "value": value}}
    if pattern.count is None:
        return {}
    count = count_of(pattern.count, interpretation)
    return {"counted": {"node": pattern.count, "value": count.value, "at_least": count.at_least}}


def group_form(pattern: Pattern, group: Group) -> dict[str, Any]:
    """An answer, and what is worked out for it; null where that is nothing."""
    return {
        "answer": {
            id: bound_form(bound) for id, bound in zip(pattern.answers, group.answer, strict=True)
        },
        "values": [
            {
                "function": one.function,
                "node": one.node,
                "value": None if value is None else bound_form(value),
            }
            for one, value in zip(pattern.each, group.values, strict=True)
        ],
    }


def coverage_form(coverage: Coverage | None) -> dict[str, Any]:
    """What each part of a question became, and what became nothing; empty if not known."""
    if coverage is None:
        return {}
    return {
        "understood": [asdict(span) for span in coverage.understood],
        "left_out": [
            {key: value for key, value in asdict(span).items() if key != "meaning"}
            for span in coverage.left_out
        ],
    }


def bound_form(bound: Bound) -> dict[str, str]:
    """Id and name of a graph element."""
    return {"id": bound.id, "name": bound.name}


def triple_form(triple: Triple) -> dict[str, Any]:
    """A fact as stored; a relationship also has its id and properties."""
    form: dict[str, Any] = {
        "source": bound_form(triple.source),
        "relation": bound_form(triple.relation),
        "target": bound_form(triple.target),
    }
    if triple.id is not None:
        form["id"] = triple.id
    if triple.properties:
        form["properties"] = dict(triple.properties)
    return form


def choice_form(choice: Choice) -> dict[str, Any]:
    """One choice of an interpretation; ``ids`` only where it is of several values."""
    form = asdict(choice)
    if not form["ids"]:
        del form["ids"]
    return form


def certificate_form(
    certificate: Certificate, found: bool, words: str | None = None
) -> dict[str, Any]:
    """A certificate, with its words: these, or those for a result with matches or without."""
    return {
        "exact": certificate.exact,
        "complete": certificate.complete,
        "bound": certificate.bound if isfinite(certificate.bound) else None,
        "approximate": certificate.approximate,
        "ended_by": certificate.ended_by,
        "as_of": certificate.as_of or None,
        "changed": certificate.changed,
        "ties": certificate.ties,
        "words": words or certificate_words(certificate, found),
    }


def profile_form(profile: Profile) -> dict[str, Any]:
    """The milliseconds of each stage, and counts."""
    return {
        "stages_ms": dict(profile.stages),
        "strategy": profile.strategy,
        "rounds": profile.rounds,
        "rows": profile.rows,
        "examined": profile.examined,
    }
