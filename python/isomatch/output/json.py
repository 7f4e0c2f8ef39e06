"""Results as JSON objects, for programs.

The types of the objects are declared in `isomatch.output.wire`, which needs pydantic and is
therefore not imported here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING

from isomatch.answer.types import Answer, Evidence, Sentence
from isomatch.interpret.types import Coverage, Hypothesis
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
from isomatch.output.words import (
    answer_proof_words,
    certificate_words,
    proof_words,
    selection_words,
)
from isomatch.pattern import to_json
from isomatch.pattern.types import Part, Pattern

if TYPE_CHECKING:
    from isomatch.link.find import Finding
    from isomatch.match.explain import Explanation, ListSummary
    from isomatch.output import wire
    from isomatch.prizes.selection import Selection


def result_form(result: MatchResult) -> wire.Result:
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
        **_holds(result.pattern, result.holds),
        "matches": matches_form(result.interpretations),
        "interpretations": [interpretation_form(result.pattern, i) for i in result.interpretations],
        **optional_parts_form(result),
        **parts_form(result),
        "certificate": certificate_form(result.certificate, bool(result), proof_words(result)),
        "profile": profile_form(result.profile),
        "notes": list(result.certificate.notes),
    }


def _holds(pattern: Pattern | None, holds: bool | None) -> wire.Holds:
    return {"holds": holds} if pattern is not None and pattern.ask else {}


def matches_form(interpretations: Iterable[Interpretation]) -> list[wire.Match]:
    """The matches of interpretations; those of one share the list of its choices."""
    found: list[wire.Match] = []
    for interpretation in interpretations:
        choices = [choice_form(choice) for choice in interpretation.choices]
        for match in interpretation.matches:
            form: wire.Match = {
                "rank": interpretation.rank,
                "gsd": interpretation.gsd,
                "interpretation": choices,
                "bindings": {id: bound_form(b) for id, b in match.bindings.items()},
                "triples": [triple_form(t) for t in match.triples],
            }
            if match.optional:
                form["optional"] = optional_form(match)
            found.append(form)
    return found


def optional_form(match: Match) -> list[wire.OptionalRows]:
    """The rows that each optional part of the pattern gives a match."""
    return [
        {
            "rows": [{id: bound_form(b) for id, b in row.items()} for row in values.rows],
            "cut": values.cut,
        }
        for values in match.optional
    ]


def optional_parts_form(result: MatchResult) -> wire.OptionalParts:
    """``optional``, where the pattern has optional parts: how each was read, and its proof."""
    optional: list[wire.OptionalPart] = [
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
    return {"optional": optional} if optional else {}


def parts_form(result: MatchResult) -> wire.Parts:
    """``parts``, where the pattern has some: how each was read, and its proof."""
    if not result.parts:
        return {}
    return {
        "parts": [
            {
                "nodes": list(part.nodes),
                "operator": part.operator,
                **alternative_form(part),
                "interpretations": [
                    interpretation_form(found.pattern, i) for i in found.interpretations
                ],
                **parts_form(found),
                "certificate": certificate_form(found.certificate, bool(found)),
            }
            for part, found in zip(result.pattern.parts, result.parts, strict=True)
        ]
    }


def alternative_form(part: Part) -> wire.Alternative:
    """``alternative``, where one of a part and the part before it is enough."""
    return {"alternative": True} if part.alternative else {}


def interpretation_form(pattern: Pattern, interpretation: Interpretation) -> wire.Interpretation:
    """What an interpretation chose, and how many matches it has."""
    return {
        "rank": interpretation.rank,
        "gsd": interpretation.gsd,
        "choices": [choice_form(c) for c in interpretation.choices],
        "count": len(interpretation.matches),
        "cut": interpretation.cut,
        "near": interpretation.near,
        **worked_form(pattern, interpretation),
    }


def answer_form(answer: Answer) -> wire.Answer:
    """The object that ``isomatch ask --json`` prints: `result_form` with the answer."""
    result, proven = answer.result, answer.certificate
    form: wire.Answer = {
        "question": answer.question,
        "text": answer.text,
        "answers": [bound_form(b) for b in answer.answers],
        "supported": answer.supported,
        "not_read": answer.is_not_read,
        "source": answer.source,
        "retriever": answer.retriever,
        "evidence": [evidence_form(e) for e in answer.evidence],
        "cited": list(answer.cited),
        "cut": answer.cut,
        **_paragraph(answer),
        "reading": None if answer.hypothesis is None else reading_form(answer.hypothesis),
        **(_no_result() if result is None else result_form(result)),
        **_holds(answer.pattern, answer.holds),
        "notes": [*answer.notes, *(result.certificate.notes if result else ())],
        "stages_ms": dict(answer.stages),
    }
    if proven is not None:
        form["certificate"] = certificate_form(proven, bool(result), answer_proof_words(answer))
    return form


def _paragraph(answer: Answer) -> wire.Paragraph:
    form: wire.Paragraph = {}
    if answer.sentences:
        form["sentences"] = [sentence_form(sentence) for sentence in answer.sentences]
    if answer.selection is not None:
        form["selection"] = selection_form(answer.selection)
    return form


def _no_result() -> wire.Unmatched:
    """For an answer from triples alone, which has no pattern."""
    return {
        "pattern": None,
        "found": False,
        "matches": [],
        "interpretations": [],
        "certificate": None,
        "profile": None,
    }


def evidence_form(evidence: Evidence) -> wire.Evidence:
    """A fact as an answer cites it."""
    return {
        "number": evidence.number,
        "rank": evidence.rank,
        "gsd": evidence.gsd,
        "score": evidence.score,
        "triple": triple_form(evidence.triple),
    }


def reading_form(hypothesis: Hypothesis) -> wire.Reading:
    """How a question was understood, without the pattern."""
    return {
        "source": hypothesis.source,
        "score": hypothesis.score,
        "options": dict(hypothesis.options),
        "taken_for": [{"words": one.written, "meaning": one.meant} for one in hypothesis.taken_for],
        "joined_by": list(hypothesis.joined_by),
        **coverage_form(hypothesis.coverage),
    }


def sentence_form(sentence: Sentence) -> wire.Sentence:
    """A sentence of a paragraph; ``reason`` says why it has no support."""
    form: wire.Sentence = {
        "text": sentence.text,
        "cited": list(sentence.cited),
        "supported": sentence.supported,
    }
    if not sentence.supported:
        form["reason"] = sentence.reason
    return form


def selection_form(selection: Selection) -> wire.Selection:
    """What is proven about evidence by prizes and costs, and how it was chosen.

    A gap that is not known to end is null.
    """
    known = isfinite(selection.bound)
    before, after = selection.before, selection.after
    return {
        "form": selection.form,
        "score": selection.score,
        "bound": selection.bound if known else None,
        "gap": selection.gap if known else None,
        "optimal": selection.optimal,
        "words": selection_words(selection),
        "options": asdict(selection.options),
        "surroundings": {
            "before": {"nodes": before.nodes, "facts": before.facts},
            "after": {"nodes": after.nodes, "facts": after.facts},
        },
        "groups": [[triple_form(triple) for triple in group] for group in selection.groups],
        "topics": list(selection.topics),
    }


def worked_form(pattern: Pattern, interpretation: Interpretation) -> wire.Worked:
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


def group_form(pattern: Pattern, group: Group) -> wire.Group:
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


def coverage_form(coverage: Coverage | None) -> wire.Covered:
    """What each part of a question became, and what became nothing; empty if not known."""
    if coverage is None:
        return {}
    return {
        "understood": [
            {
                "start": span.start,
                "end": span.end,
                "text": span.text,
                "kind": span.kind,
                "meaning": span.meaning,
            }
            for span in coverage.understood
        ],
        "left_out": [
            {"start": span.start, "end": span.end, "text": span.text, "kind": span.kind}
            for span in coverage.left_out
        ],
    }


def bound_form(bound: Bound) -> wire.Bound:
    """Id and name of a graph element."""
    return {"id": bound.id, "name": bound.name}


def triple_form(triple: Triple) -> wire.Triple:
    """A fact as stored; a relationship also has its id and properties."""
    form: wire.Triple = {
        "source": bound_form(triple.source),
        "relation": bound_form(triple.relation),
        "target": bound_form(triple.target),
    }
    if triple.id is not None:
        form["id"] = triple.id
    if triple.properties:
        form["properties"] = dict(triple.properties)
    return form


def choice_form(choice: Choice) -> wire.Choice:
    """One choice of an interpretation; ``ids`` only where it is of several values."""
    form: wire.Choice = {
        "part": choice.part,
        "text": choice.text,
        "id": choice.id,
        "name": choice.name,
        "distance": choice.distance,
        "called": choice.called,
    }
    if choice.ids:
        form["ids"] = list(choice.ids)
    return form


def certificate_form(
    certificate: Certificate, found: bool, words: str | None = None
) -> wire.Certificate:
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


def profile_form(profile: Profile) -> wire.Profile:
    """The milliseconds of each stage, and counts."""
    return {
        "stages_ms": dict(profile.stages),
        "strategy": profile.strategy,
        "rounds": profile.rounds,
        "rows": profile.rows,
        "examined": profile.examined,
        "vectors_read": profile.vectors_read,
    }


def explanation_form(explanation: Explanation) -> wire.Explanation:
    """The object that ``isomatch explain --json`` prints."""
    return {
        "strategy": explanation.strategy,
        "why": explanation.why,
        "interpretations": explanation.interpretations,
        "estimated_rows": explanation.estimated_rows,
        "lists": [_candidates(summary) for summary in explanation.lists],
        "queries": list(explanation.queries),
        "notes": list(explanation.notes),
        "parts": [explanation_form(part) for part in explanation.parts],
        "optional": [explanation_form(part) for part in explanation.optional],
    }


def _candidates(summary: ListSummary) -> wire.Candidates:
    return {
        "part": summary.part,
        "text": summary.text,
        "entries": summary.entries,
        "nearest": summary.nearest,
        "whole": summary.whole,
    }


def found_form(text: str, found: Iterable[Finding]) -> wire.Found:
    """The object that ``isomatch find --json`` prints."""
    return {"text": text, "found": [finding_form(finding) for finding in found]}


def finding_form(finding: Finding) -> wire.Finding:
    """An element of the graph that a text may mean."""
    return {
        "kind": finding.kind,
        "id": finding.id,
        "name": finding.name,
        "distance": finding.distance,
        "spelling": finding.spelling,
    }
