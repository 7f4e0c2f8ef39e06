"""Matches of a pattern, and of the hypotheses of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, StoreError
from isomatch.link.keys import with_keys_read
from isomatch.link.linker import link
from isomatch.link.normalise import normalise
from isomatch.link.work import counted
from isomatch.match.base_search import FoundInterpretation
from isomatch.match.describe import describe
from isomatch.match.explain import explain
from isomatch.match.optional import anchored_words
from isomatch.match.parts import answers_of, are_all, combinations, least, least_chosen, with_parts
from isomatch.match.search import search
from isomatch.match.state import WHOLE
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.phrasing import clean
from isomatch.retrieve.optional import with_optional
from isomatch.retrieve.refutation import doubts, presumed, relaxed
from isomatch.store.terms import local_name, words

if TYPE_CHECKING:
    from isomatch.link.candidates import Candidates
    from isomatch.match.explain import Explanation
    from isomatch.match.parts import PartAnswers
    from isomatch.match.search import SearchOutcome
    from isomatch.match.types import MatchResult
    from isomatch.pattern import Pattern, RelationChain
    from isomatch.pattern.types import Part
    from isomatch.resources import Resources
    from isomatch.schema.types import Schema
    from isomatch.store.base import Store

    PatternLike = Pattern | RelationChain | Mapping[str, Any] | Sequence[Any] | str


MOST_READ = 16  # interpretations of a part that are shown
SUGGESTED = 3  # names one or two edits from one that was read otherwise
SPELLED = 9  # characters from which on names two edits away are told
APART = (
    "nodes of the pattern are different nodes of the graph, so no fact from a node to itself "
    "counts: nodes=repeat (--nodes repeat) lets them be one"
)


@dataclass(frozen=True, slots=True)
class Matched:
    """A result without what only one that is shown needs, and the search that it is of."""

    result: MatchResult
    outcome: SearchOutcome


def match_pattern(resources: Resources, pattern: PatternLike, options: Options) -> MatchResult:
    """The best interpretations of a pattern with their matches.

    Where nothing is found and the graph has changed, the schema is read again and the
    search repeated.

    Raises:
        PatternError: the pattern breaks a rule.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    parsed = parse(pattern, resources.settings.prefixes)
    several = parsed.parts or parsed.optional or parsed.ask
    store = resources.store.snapshot() if several else resources.store
    result = with_notes(match_once(resources, store, parsed, options).result, resources)
    if not (result or parsed.ask) and options.nodes == "distinct" and result.certificate.exact:
        notes = (*result.certificate.notes, APART)
        result = replace(result, certificate=replace(result.certificate, notes=notes))
    return result


def match_once(
    resources: Resources,
    store: Store,
    pattern: PatternLike,
    options: Options,
    part_of: Part | None = None,
    *,
    nearest: bool = False,
) -> Matched:
    """`match_pattern` on a state of the graph.

    Args:
        part_of: the part of another pattern that the pattern is of. All rows are read then,
            and for ``not in`` only the nearest interpretations, with matches or without.
        nearest: whether only these are read in any case, as for a pattern that asks yes or no.
    """
    with counted() as work:
        matched = _matched(resources, store, pattern, options, part_of, nearest=nearest)
    profile = replace(matched.result.profile, vectors_read=work.vectors)
    return replace(matched, result=replace(matched.result, profile=profile))


def _matched(
    resources: Resources,
    store: Store,
    pattern: PatternLike,
    options: Options,
    part_of: Part | None,
    *,
    nearest: bool,
) -> Matched:
    """See `match_once`."""
    started = perf_counter()
    schema = resources.schema
    whole = with_keys_read(parse(pattern, resources.settings.prefixes), store, schema)
    parsed = whole.required
    if options.results == "matches":
        _check_plain(parsed)
    began = perf_counter()
    nearest = nearest or parsed.ask
    read = [_of_part(resources, store, p, options, started, nearest) for p in parsed.parts]
    parts = [answers for answers, _ in read]
    linking = perf_counter()
    given = options.since(started) if read else options
    once = _Once(resources, store, parsed, options, part_of, nearest)
    once.link(given)
    linked = perf_counter()
    outcome, result = once.run(parts)
    schema, within = once.schema, once.within
    result = with_parts(result, [one for _, one in read], parts)
    if parsed.ask and not result.found:
        result = _with_no(resources, store, result, outcome, within.since(started), read)
    result = with_optional(resources, store, schema, whole, result, options.since(started))
    stages = {
        "interpret": (began - started) * 1e3,
        "link": (linked - linking) * 1e3,
        **({"parts": (linking - began) * 1e3} if read else {}),
        **result.profile.stages,
        "total": (perf_counter() - started) * 1e3,
    }
    result = replace(result, profile=replace(result.profile, stages=stages))
    return Matched(result, outcome)


class _Once:
    """One search of a pattern on a state of the graph, and its result.

    Attributes:
        schema: that of the search; another one once `run` found that the graph has changed.
        within: the options of the search.
    """

    def __init__(
        self,
        resources: Resources,
        store: Store,
        pattern: Pattern,
        options: Options,
        part_of: Part | None,
        nearest: bool,
    ):
        self.schema = resources.schema
        self.within = options
        self._resources, self._store, self._pattern = resources, store, pattern
        self._options, self._part_of, self._nearest = options, part_of, nearest

    def link(self, options: Options) -> None:
        """Find the candidates of the pattern, and the options to search them with."""
        self._candidates, self.within = _linked(
            self._resources,
            self._pattern,
            self.schema,
            options,
            self._part_of,
            nearest=self._nearest,
        )
        self._given = options

    def run(self, parts: Sequence[PartAnswers]) -> tuple[SearchOutcome, MatchResult]:
        """Search, and describe what was found."""
        started = perf_counter()
        resources, store = self._resources, self._store
        texts = [node.text for node in self._pattern.nodes if node.text is not None]
        changed = resources.changed(store, texts)
        if not isinstance(changed, bool):
            alone = parts or self._nearest or self._part_of is not None
            if not alone and resources.store.capabilities.along:
                # Nearly always it has not: the first request of the search tells that too.
                with resources.store.along(changed) as answer:
                    outcome = self._search(parts, changed=False)
                if not resources.lacks(answer()):
                    return outcome, self._describe(outcome)
                self.within = self.within.since(started)
                changed = True
            else:
                changed = resources.lacks(resources.store.run(changed))
        outcome = self._search(parts, changed=changed)
        return outcome, self._describe(outcome)

    def _search(self, parts: Sequence[PartAnswers], *, changed: bool) -> SearchOutcome:
        """The search; again where nothing is found and the graph has changed."""
        resources, store = self._resources, self._store
        outside = self._part_of is not None or self._nearest
        run = partial(search, outside=outside, dates=resources.dates)
        schema = self.schema.without_joins if changed else self.schema
        outcome = run(self._pattern, self._candidates, store, schema, self.within, parts)
        if (
            not outcome.found
            and outcome.certificate.ended_by is None
            and store.fingerprint() != self.schema.fingerprint
        ):
            self.schema = resources.refresh(self.schema)
            self.link(self._given)
            _check_relations(self._candidates, self.schema)
            outcome = run(self._pattern, self._candidates, store, self.schema, self.within, parts)
        created = resources.index.manifest.created
        certificate = outcome.certificate.relative_to(created, changed=changed)
        excludes = self._part_of is not None and self._part_of.operator == "not in"
        if self._nearest or excludes:
            # Else others may be as near.
            every = are_all(outcome.candidates, self._options.type_weight)
            certificate = replace(certificate, complete=certificate.complete and every)
        return replace(outcome, certificate=certificate)

    def _describe(self, outcome: SearchOutcome) -> MatchResult:
        options, store = self._options, self._store
        shown = _holding(outcome, options.k) if self._pattern.ask else outcome
        shown = shown if self._part_of is None else _shown(outcome, self._part_of, options)
        names = partial(self._resources.names_of, store=store)
        return describe(shown, store, self.schema, names, options)


def explain_pattern(
    resources: Resources,
    pattern: PatternLike,
    options: Options,
    part_of: Part | None = None,
    *,
    nearest: bool = False,
) -> Explanation:
    """How `match_pattern` would search.

    Args:
        part_of, nearest: see `_match`.

    Raises:
        PatternError: the pattern breaks a rule.
        StoreError, VectorIndexError, EmbeddingError, PluginVersionError: a part failed.
    """
    schema, store = resources.schema, resources.store
    whole = with_keys_read(parse(pattern, resources.settings.prefixes), store, schema)
    parsed = whole.required
    inner = options.with_(k=1, results="interpretations")
    nearest = nearest or parsed.ask
    parts = [
        explain_pattern(resources, part.pattern, inner, part, nearest=nearest)
        for part in parsed.parts
    ]
    optional = []
    for part in whole.optional:
        one = explain_pattern(resources, part, inner, nearest=True)
        optional.append(replace(one, notes=(anchored_words(part, whole), *one.notes)))
    candidates, within = _linked(resources, parsed, schema, options, part_of, nearest=nearest)
    outside, dates = part_of is not None or nearest, resources.dates
    explanation = explain(parsed, candidates, store, schema, within, outside=outside, dates=dates)
    return replace(explanation, parts=tuple(parts), optional=tuple(optional))


def _check_plain(pattern: Pattern) -> None:
    """Refuse what needs all matches of an interpretation where matches are ranked one by one."""
    what = "count" if pattern.count is not None else "order by" if pattern.order else "where count"
    what = pattern.aggregate.function if pattern.aggregate else what
    what = pattern.each[0].function if pattern.each else what
    if pattern.count is not None or pattern.judged_together:
        raise ConfigurationError(
            f'{what} needs all matches of an interpretation: leave out results="matches"'
        )


def _of_part(
    resources: Resources,
    store: Store,
    part: Part,
    options: Options,
    started: float,
    nearest: bool,
) -> tuple[PartAnswers, MatchResult]:
    """What a part gives the pattern that has it, and how it was found."""
    inner = options.since(started).with_(k=1, results="interpretations")
    matched = match_once(resources, store, part.pattern, inner, part, nearest=nearest)
    plan, certificate = matched.outcome.plan, matched.result.certificate
    found = [(one.rows, one.cut, one.value) for one in matched.outcome.found]
    stable = store.capabilities.stable_blanks
    answers = answers_of(
        part,
        plan.pattern,
        plan.structure.used,
        found,
        certificate,
        unsure=matched.outcome.unsure,
        undecided=matched.outcome.undecided,
        stable=stable,
    )
    return answers, matched.result


def _linked(
    resources: Resources,
    pattern: Pattern,
    schema: Schema,
    options: Options,
    part: Part | None,
    *,
    nearest: bool,
) -> tuple[Candidates, Options]:
    """The candidates of a pattern, or of a part's, and the options to search them with."""
    excludes = part is not None and part.operator == "not in"
    short = nearest or excludes
    candidates = link(pattern, resources.index, resources.embedder, schema, options, nearest=short)
    if short:
        candidates = least(candidates)
    if part is None:
        # Of several people of one name, any may satisfy the conditions.
        each = combinations(candidates) if nearest and (pattern.where or pattern.parts) else 0
        return candidates, options.with_(k=max(options.k, each))
    if excludes:
        options = options.with_(k=max(combinations(candidates), 1))
    return candidates, options.with_(limit=WHOLE)


def _with_no(
    resources: Resources,
    store: Store,
    result: MatchResult,
    outcome: SearchOutcome,
    options: Options,
    read: Sequence[tuple[PartAnswers, MatchResult]],
) -> MatchResult:
    """The result of a pattern that asks and has no match: whether that proves "no", or why not."""
    started = perf_counter()
    schema, pattern = resources.schema, outcome.plan.pattern
    reason = next(doubts(resources, store, result, outcome, options), None)
    for one in presumed(pattern, resources) if reason is None else ():
        near = least(link(one, resources.index, resources.embedder, schema, options))
        if not any(f.rows for f in search(one, near, store, schema, options.since(started)).found):
            reason = "the graph has nothing to compare"
    if reason is None:
        wider, beside = relaxed(pattern), options.with_(nodes="walk", direction="any")
        parts = [
            one if part == one[0].part else _of_part(resources, store, part, beside, started, True)
            for part, one in zip(wider.parts, read, strict=True)
        ]
        answers = [given for given, _ in parts]
        candidates = least(link(wider, resources.index, resources.embedder, schema, beside))
        within = beside.since(started).with_(
            k=max(combinations(candidates), 1), limit=1, results="interpretations"
        )
        search_wider = partial(search, outside=True, dates=resources.dates)
        found = search_wider(wider, candidates, store, schema, within, answers)
        proofs = [found.certificate, *(part.certificate for _, part in parts)]
        if any(one.rows or one.cut for one in found.found):
            reason = (
                "without arrows, without the types of names, or with one node in two places "
                "there is a match"
            )
        elif found.undecided or not all(p.exact and p.complete and not p.ties for p in proofs):
            reason = "that it is so without arrows and types of names is not proven"
    if reason is None:
        return replace(result, refuted=True)
    notes = (*result.certificate.notes, f"“no” is not proven: {reason}")
    return replace(result, certificate=replace(result.certificate, complete=False, notes=notes))


def _holding(outcome: SearchOutcome, k: int) -> SearchOutcome:
    """The search of a pattern that asks, with the k interpretations that it shows."""
    found = tuple(one for one in outcome.found if one.rows) or outcome.found
    if len(found) <= k:
        return replace(outcome, found=found)
    certificate = replace(outcome.certificate, ties=True)
    return replace(outcome, found=found[:k], certificate=certificate)


def _shown(outcome: SearchOutcome, part: Part, options: Options) -> SearchOutcome:
    """The search of a part, with as much of what it found as a result shows."""
    found = outcome.found
    if not found and part.operator == "not in" and outcome.certificate.ended_by is None:
        # How it was read is to be shown and judged though it has no match.
        chosen = least_chosen(outcome.candidates, outcome.plan, {"type": options.type_weight})
        gsd = sum(one.distance for one in chosen)
        found = (FoundInterpretation(gsd, chosen, (), False),)
    most = options.limit if outcome.plan.pattern.count is None else WHOLE
    cut = (
        replace(one, rows=one.rows[:most], cut=one.cut or len(one.rows) > most)
        for one in found[:MOST_READ]
    )
    return replace(outcome, found=tuple(cut))


def with_notes(result: MatchResult, resources: Resources) -> MatchResult:
    """The result, with what is known of the graph, and names near those read otherwise.

    Names are suggestions only: the order of interpretations is that of distance.
    """
    chosen: dict[str, set[str]] = {
        n.text: set() for n in result.pattern.nodes if n.text and not result.interpretations
    }
    for interpretation in result.interpretations[:1]:
        for choice in interpretation.choices:
            if choice.part == "node" and choice.distance > 0:
                chosen.setdefault(choice.text, set()).add(choice.name)
    schema = resources.schema
    naming = {words(local_name(id.removeprefix("."))) for id in schema.name_relations}
    naming.intersection_update(edge.relation or "" for edge in result.pattern.edges)
    if naming:
        naming.difference_update(relation.text for relation in schema.relations)
    notes = [
        *resources.about,
        *(
            f'“{text}” gives nodes their names and is no relation: write ("Heat") for what is '
            'named so, or (x "Heat":film) with an id and a type'
            for text in dict.fromkeys(edge.relation for edge in result.pattern.edges)
            if text in naming
        ),
    ]
    for text, names in chosen.items():
        if resources.index.by_name("nodes", text):
            continue
        letters, near = "one letter", resources.index.by_spelling("nodes", text)
        if not near and len(normalise(text)) >= SPELLED:
            letters, near = "two letters", resources.index.two_edits(text)
        others = {t.text for t in near} - names
        if others:
            listed = ", ".join(f"“{clean(name)}”" for name in sorted(others)[:SUGGESTED])
            notes.append(f"{letters} from “{clean(text)}”: {listed}")
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
