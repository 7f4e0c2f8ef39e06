"""Matches and certificates in words."""

from __future__ import annotations

from math import isfinite, isinf
from typing import TYPE_CHECKING

from isomatch.answer.types import Answer
from isomatch.interpret.types import Coverage
from isomatch.lexicon.english import singular
from isomatch.match.types import Certificate, Group, Match, MatchResult
from isomatch.pattern.types import Pattern
from isomatch.phrasing import bound_words, clean, identified_words

if TYPE_CHECKING:
    from isomatch.prizes.selection import Selection


NOT_PROVEN = "nothing is proven: the question was not understood"
NO_ANSWER = "nothing is proven: what was found does not answer the question"


def nothing_words(result: MatchResult) -> str:
    """What to say where nothing near was found; only a finished search proves "no match"."""
    if result.refuted:
        return "no: the graph has no such fact"
    if result.pattern.ask and result.certificate.ended_by is None:
        return "no match, and “no” is not proven"
    if result.pattern.aggregate is not None and any(
        i.near and i.matches for i in result.interpretations
    ):
        return "no match has a value to work with"
    if any(i.near for i in result.interpretations):
        if result.pattern.order is not None and result.pattern.order.offset:
            return "there are not so many answers as the order passes over"
        if any(i.near and i.cut for i in result.interpretations):
            return "none of the matches that were read satisfies the conditions"
        return "no match satisfies the conditions"
    if result.certificate.ended_by is None:
        return "no match in what was indexed" if result.certificate.changed else "no match"
    return f"nothing found before the {result.certificate.ended_by} ran out"


_NOTHING_MORE = {
    "triplets": "no other {k} facts have higher prizes",
    "paths": "no path of at most {length} facts from {start} scores more",
    "steiner": "no connected part of these surroundings scores more",
}


def selection_words(selection: Selection) -> str:
    """What is proven about evidence by prizes and costs, and around what it was looked for."""
    options = selection.options
    if selection.optimal:
        start = "a topic" if options.prizes == "scorer" else "a prized node"
        said = _NOTHING_MORE[selection.form].format(k=options.k, length=options.length, start=start)
        if selection.form == "steiner" and len(selection.topics) > 1 < len(selection.groups):
            said += ", a tree for each part that has a topic"
        proof = f"proven optimal: {said}"
    elif isfinite(selection.gap):
        proof = f"gap <= {selection.gap:.4g}: what scores more was not ruled out in the time"
    else:
        proof = "nothing is proven"
    before, after = selection.before, selection.after
    hops = f"{options.hops} hop{'s' if options.hops > 1 else ''}"
    return (
        f"{selection.form}: score {selection.score:.4g}, {proof}; surroundings of {hops}: "
        f"{before.nodes:,} nodes and {before.facts:,} facts, {after.nodes:,} and "
        f"{after.facts:,} after pruning"
    )


def _minute(moment: str) -> str:
    """The minute of an ISO time, as the manifest of an index has it."""
    date, _, time = moment.partition("T")
    return f"{date} {time[:5]} UTC"


def answer_words(pattern: Pattern, match: Match, ids: bool = False) -> str:
    """What the asked-for nodes are bound to; which is which where there are several."""
    asked, words = pattern.answers, identified_words if ids else bound_words
    if len(asked) == 1:
        return words(match.bindings[asked[0]])
    return ", ".join(f"?{id} = {words(match.bindings[id])}" for id in asked)


def optional_words(pattern: Pattern, match: Match, ids: bool = False) -> list[str]:
    """What each optional part gives a match: ``?tagline = A; B``, or ``?tagline: nothing``."""
    words = identified_words if ids else bound_words
    told = []
    for part, values in zip(pattern.optional, match.optional, strict=False):
        columns = pattern.columns_of(part)
        named = ", ".join(f"?{id}" for id in columns)
        if len(columns) == 1:
            found = [words(row[columns[0]]) for row in values.rows]
        else:
            found = [", ".join(f"?{id} = {words(b)}" for id, b in r.items()) for r in values.rows]
        found += ["…"] if values.cut and found else []
        nothing = "not known" if values.cut else "nothing"
        if len(columns) == 1 and found:
            told.append(f"{named} = {'; '.join(found)}")
        else:
            told.append("; ".join(found) or f"{named}: {nothing}")
    return told


def group_words(pattern: Pattern, group: Group, ids: bool = False) -> str:
    """An answer with what is worked out for it: ``Texas: count(?river) = 5``."""
    words = identified_words if ids else bound_words
    named = ", ".join(map(words, group.answer))
    worked = (
        f"{one.function}(?{one.node}) = {'nothing' if value is None else bound_words(value)}"
        for one, value in zip(pattern.each, group.values, strict=True)
    )
    return f"{named}: {', '.join(worked)}"


def coverage_words(coverage: Coverage | None) -> str:
    """What the words of a question became, in one line; empty if it is not known."""
    if coverage is None:
        return ""
    became = ", ".join(
        f"“{clean(s.text)}” → {clean(s.meaning)}"
        for s in coverage.understood
        if singular(s.text.casefold()) != singular(s.meaning.casefold())
    )
    left_out = ", ".join(f"“{clean(s.text)}”" for s in coverage.left_out)
    parts = (("understood", became), ("left out", left_out))
    return "; ".join(f"{title}: {words}" for title, words in parts if words)


def proof_words(result: MatchResult, coverage: Coverage | None = None) -> str:
    """What a result proves, in one line; of a pattern that asks, also where it has no match."""
    nothing = "no interpretation of the pattern has a match"
    if result.refuted:
        nothing = "what its words name has no match"
    found = result.found if result.pattern.ask else bool(result)
    if result.pattern.ask and not (found or result.refuted) and result.certificate.exact:
        return "not proven: only what is nearest to its words was searched, and has no match"
    far = bool(result) and not result.found
    return certificate_words(result.certificate, found, coverage, nothing=nothing, far=far)


def answer_proof_words(answer: Answer) -> str:
    """What is proven of an answer, in one line; empty where triples alone were retrieved."""
    if answer.result is None:
        return ""
    if answer.is_not_read:
        return NOT_PROVEN
    if answer.result.found and not answer.supported:
        return NO_ANSWER
    return proof_words(answer.result, answer.hypothesis.coverage if answer.hypothesis else None)


def certificate_words(
    certificate: Certificate,
    found: bool = True,
    coverage: Coverage | None = None,
    *,
    nothing: str = "no interpretation of the pattern has a match",
    far: bool = False,
) -> str:
    """What a certificate proves, in one line.

    Args:
        certificate: of the result.
        found: whether the result has any match.
        coverage: of the question by the pattern that was searched.
        nothing: what is proven where nothing was found.
        far: whether all that was found is too far to be meant.
    """
    when = f" as of {_minute(certificate.as_of)}" if certificate.as_of else ""
    bound = "" if isinf(certificate.bound) else f"{certificate.bound:.3f}"
    if not certificate.exact:
        budget = {
            "time": "the time budget",
            "rows": "the row budget",
            "memory": "the memory limit of the plugin",
        }
        text = "not proven"
        if ended := certificate.ended_by:
            text += f": {budget.get(ended, 'a limit')} ended the search"
        text += f"; interpretations from distance {bound} on may be missing" if bound else ""
    elif not found:
        text = f"proven{when}: {nothing}"
        if not certificate.complete:
            text = f"no interpretation nearer than {bound or 'the lists reach'} has a match"
    elif certificate.complete:
        text = f"proven complete{when}: no other interpretation in the whole graph is nearer"
        if far:
            text = f"proven{when}: no interpretation in the whole graph is nearer, and the nearest "
            text += "are too far to be meant"
    else:
        text = "exact over the candidate lists"
        text += f"; an interpretation outside them may be as near as {bound}" if bound else ""
    if certificate.changed:
        made = f", {_minute(certificate.as_of)}" if certificate.as_of else ""
        text += f"; the graph has changed since its index was made{made}: isomatch index --sync"
    if certificate.ties:
        text += "; others are as near as the last one: a higher k shows them"
    elif certificate.ties is None:
        text += "; others may be as near as the last one"
    if certificate.approximate:
        text += (
            " (relative to approximate lists: of a vector index, which --exact-vectors scans, or "
            "of the database's own search)"
        )
    if coverage is not None and coverage.left_out:
        text += "; this is about the reading, which leaves out a part of the question"
    return text
