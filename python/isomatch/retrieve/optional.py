"""What the optional parts of a pattern give its matches."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from isomatch.link.keys import with_keys_read
from isomatch.link.linker import link
from isomatch.match.describe import describe, names_of_classes
from isomatch.match.optional import bindings_of, read_optional, with_columns
from isomatch.match.parts import least
from isomatch.match.same_as import Classes

if TYPE_CHECKING:
    from isomatch.match.types import MatchResult
    from isomatch.options import Options
    from isomatch.pattern import Pattern
    from isomatch.resources import Resources
    from isomatch.schema.types import Schema
    from isomatch.store.base import Store


def with_optional(
    resources: Resources,
    store: Store,
    schema: Schema,
    pattern: Pattern,
    result: MatchResult,
    options: Options,
) -> MatchResult:
    """The result of a pattern without its optional parts, with what these give.

    Args:
        store, schema: that were searched.
        pattern: with its optional parts.
        options: with what is left of the time.

    Raises:
        PatternError, StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    if not pattern.optional:
        return result
    started = perf_counter()
    names = partial(resources.names_of, store=store)
    read = []
    for part in pattern.optional:
        keyed = with_keys_read(part, store, schema)
        candidates = least(link(keyed, resources.index, resources.embedder, schema, options))
        within = options.since(started).with_(results="interpretations")
        bindings = bindings_of(result, part)
        answers = read_optional(keyed, pattern, bindings, candidates, store, schema, within)
        read.append((answers, describe(answers.outcome, store, schema, names, within)))
    ids = {
        id
        for answers, _ in read
        for given in answers.given.values()
        for row in given.rows
        for id in row
        if id
    }
    joined = any(answers.outcome.plan.structure.same_as for answers, _ in read)
    called = names_of_classes(ids, Classes(store), names) if joined else names(ids)
    return with_columns(result, pattern, read, called)
