"""Matches of a pattern, and of the hypotheses of a question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, StoreError
from isomatch.link.keys import with_keys_read
from isomatch.link.linker import link
from isomatch.match.describe import describe
from isomatch.match.search import search
from isomatch.match.types import Choice
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.phrasing import clean

if TYPE_CHECKING:
    from isomatch.interpret.types import Hypothesis
    from isomatch.link.candidates import Candidates
    from isomatch.match.types import MatchResult
    from isomatch.pattern import Pattern, RelationChain
    from isomatch.resources import Resources
    from isomatch.retrieve.types import Acceptance
    from isomatch.schema.types import Schema
    from isomatch.store.base import Store

    PatternLike = Pattern | RelationChain | Mapping[str, Any] | Sequence[Any] | str


SUGGESTED = 3  # names one edit from one that was read otherwise
APART = (
    "nodes of the pattern are different nodes of the graph, so no fact from a node to itself "
    "counts: nodes=repeat (--nodes repeat) lets them be one"
)


def match_pattern(resources: Resources, pattern: PatternLike, options: Options) -> MatchResult:
    """The best interpretations of a pattern with their matches.

    Where nothing is found and the graph has changed, the schema is read again and the
    search repeated.

    Raises:
        PatternError: the pattern breaks a rule.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    result = _with_notes(_match(resources, resources.store, pattern, options)[0], resources)
    if not result and options.nodes == "distinct" and result.certificate.exact:
        notes = (*result.certificate.notes, APART)
        result = replace(result, certificate=replace(result.certificate, notes=notes))
    return result


def _match(
    resources: Resources, store: Store, pattern: PatternLike, options: Options
) -> tuple[MatchResult, Candidates]:
    """`match_pattern` without what only a result that is shown needs, and the candidates."""
    started = perf_counter()
    schema = resources.schema
    parsed = with_keys_read(parse(pattern, resources.settings.prefixes), store, schema)
    if parsed.count is not None and options.results == "matches":
        raise ConfigurationError(
            'count needs all matches of an interpretation: leave out results="matches"'
        )
    linking = perf_counter()
    candidates = link(parsed, resources.index, resources.embedder, schema, options)
    linked = perf_counter()
    texts = [node.text for node in parsed.nodes if node.text is not None]
    changed = resources.changed(store, texts)
    outcome = search(
        parsed, candidates, store, schema.without_joins if changed else schema, options
    )
    if (
        not outcome.found
        and outcome.certificate.ended_by is None
        and store.fingerprint() != schema.fingerprint
    ):
        schema = resources.refresh(schema)
        candidates = link(parsed, resources.index, resources.embedder, schema, options)
        _check_relations(candidates, schema)
        outcome = search(parsed, candidates, store, schema, options)
    certificate = outcome.certificate.relative_to(resources.index.manifest.created, changed=changed)
    outcome = replace(outcome, certificate=certificate)
    names = partial(resources.names_of, store=store)
    result = describe(outcome, store, schema, names, options)
    stages = {
        "interpret": (linking - started) * 1e3,
        "link": (linked - linking) * 1e3,
        **result.profile.stages,
        "total": (perf_counter() - started) * 1e3,
    }
    return replace(result, profile=replace(result.profile, stages=stages)), outcome.candidates


def _with_notes(result: MatchResult, resources: Resources) -> MatchResult:
    """The result, with names that are one edit from those read otherwise.

    Suggestions only: the order of interpretations is that of distance.
    """
    chosen: dict[str, set[str]] = {
        n.text: set() for n in result.pattern.nodes if n.text and not result.interpretations
    }
    for interpretation in result.interpretations[:1]:
        for choice in interpretation.choices:
            if choice.part == "node" and choice.distance > 0:
                chosen.setdefault(choice.text, set()).add(choice.name)
    notes = []
    for text, names in chosen.items():
        if resources.index.by_name("nodes", text):
            continue
        others = {t.text for t in resources.index.by_spelling("nodes", text)} - names
        if others:
            listed = ", ".join(f"“{clean(name)}”" for name in sorted(others)[:SUGGESTED])
            notes.append(f"one letter from “{clean(text)}”: {listed}")
    if not notes:
        return result
    certificate = replace(result.certificate, notes=(*result.certificate.notes, *notes))
    return replace(result, certificate=certificate)


def _check_relations(candidates: Candidates, schema: Schema) -> None:
    for found in candidates.relations.values():
        if len(found) and found[0].id not in schema.by_id:
            raise StoreError(
                f'the relation "{found[0].name}" ({found[0].id}) has gone from the graph '
                "since its index was made: run `isomatch index --sync`"
            )


def match_hypotheses(
    resources: Resources,
    hypotheses: Sequence[Hypothesis],
    options: Mapping[str, Any],
    acceptance: Acceptance,
    most: int = 1,
    store: Store | None = None,
) -> tuple[tuple[Hypothesis, MatchResult], ...]:
    """The first hypotheses that can answer, with their matches; else the first one alone.

    Args:
        hypotheses: best first.
        options: of the search; ``budget_seconds`` is for all hypotheses together.
        most: how many are kept. Of several, shown to a reader who leaves out what is
            not meant, only the best has to be probable and whole.
        store: the state of the graph to match in; None for that of now.

    Raises:
        ConfigurationError: an unknown option or value.
    """
    found: list[tuple[Hypothesis, MatchResult]] = []
    first: tuple[Hypothesis, MatchResult] | None = None
    ended: str | None = None  # the budget because of which a reading was not searched to its end
    unknown: set[str] = set()  # names that nothing in the graph is near
    seconds = Options().with_(**options).budget_seconds
    deadline = inf if seconds is None else perf_counter() + seconds
    store = store or resources.store.snapshot()
    for hypothesis in hypotheses:
        if first is not None and perf_counter() > deadline:
            ended = ended or "time"
            break
        if first is not None and most == 1 and not acceptance.is_whole(hypothesis):
            continue
        if unknown.intersection(n.text for n in hypothesis.pattern.nodes if n.text):
            continue
        left = {} if seconds is None else {"budget_seconds": max(deadline - perf_counter(), 1e-3)}
        given = Options().with_(**{**hypothesis.options, **options, **left})
        result, candidates = _match(resources, store, hypothesis.pattern, given)
        first = first or (hypothesis, result)
        if acceptance.accepts(result, hypothesis) or (
            most > 1 and acceptance.has_near(result, hypothesis)
        ):
            found.append((hypothesis, result))
            if len(found) == most:
                break
        else:
            unknown.update(_far_names(candidates, acceptance))
            if ended := result.certificate.ended_by:
                break  # a less likely reading must not answer because this one took too long
    if first is None:
        raise ConfigurationError("the interpreter gave no hypothesis")
    kept = [(hypothesis, _with_notes(result, resources)) for hypothesis, result in found or [first]]
    if ended is None:
        return tuple(kept)
    # That nothing (more) was found is not proven: another reading may have an answer.
    (hypothesis, result), *rest = kept
    note = f"the {ended} ran out before every reading of the question was searched"
    hypothesis = replace(hypothesis, notes=(*hypothesis.notes, note))
    if not found:
        certificate = replace(result.certificate, exact=False, complete=False, ended_by=ended)
        result = replace(result, certificate=certificate)
    return ((hypothesis, result), *rest)


def _far_names(candidates: Candidates, acceptance: Acceptance) -> Iterator[str]:
    for found in candidates.nodes.values():
        choices = (Choice("node", found.text, c.id, c.name, c.distance) for c in found)
        if not any(map(acceptance.is_near, choices)):
            yield found.text
