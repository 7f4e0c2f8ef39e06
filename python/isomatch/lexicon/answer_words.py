"""The parts of the table of a language that answers are written with.

Names, words and numbers are filled in, in the order of English. The comments in ``english.toml``
say what each key means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from isomatch.lexicon.tables import Table, Words


class AnswerWords(Table):
    """The sentences of answers."""

    quoted: str
    conjunction: str
    disjunction: str
    condition: str
    means: str
    rightly: str
    sure: str
    yes: str
    holds: str
    no: str
    no_fact: str
    refusal: str
    unfinished: str
    nothing: str
    anything: str
    rest: str
    more: str
    some: str
    perhaps: str
    at_least: str
    only_some: str
    joined_by: str
    left_out: str
    left_out_several: str
    not_read: str
    no_place: str
    other_kind: str
    unclear: str
    understood: str
    understood_as: str
    may_mean: str
    either: str
    several: str
    namesakes: str
    nameless: str
    operations: Mapping[str, str] = Field(default_factory=dict)
    budgets: Mapping[str, str] = Field(default_factory=dict)

    def both(self, texts: Iterable[str]) -> str:
        """Texts joined by "and"."""
        return self.conjunction.join(texts)

    def any(self, texts: Iterable[str]) -> str:
        """Texts joined by "or"."""
        return self.disjunction.join(texts)

    def listed(self, texts: Iterable[str]) -> str:
        """Texts as a list, with "and" before the last."""
        *before, last = texts
        return f"{', '.join(before)}{self.conjunction}{last}" if before else last


class AssumedWords(Table):
    """What answers and their notes say that words of a question were taken for."""

    quoted: str
    ever: str
    both_ways: str
    lowest: str
    highest: str
    earliest: str
    latest: str
    shared: str
    known: str
    unit: str
    having: str
    led_to: str
    flagged: str
    any_value: str
    any_one: str
    span: str
    onward: str
    place: str
    negated: str
    sorted: str
    own: str
    named_type: str
    converted: str
    powers: str
    any_of_several: str
    asked_of: str
    untyped: str
    unsaid: str
    spelled: str
    one_letter: str
    two_letters: str
    as_near: str


class Told(Table):
    """Sentences that tell facts, in which names and words are filled in.

    Attributes:
        one: a relation's noun with the only target of its sources.
        each: with the targets of one source, all or not.
        include: with targets that need not be all.
        does: a verb in place of the noun.
        joined, direct, together: what lies between things; that nothing does; only themselves.
        last: before the last of some names.
        verbs: names of relations that are verbs as they stand, in the third person.
        passive: participles that need a form of "be".
        plain: names of relations that are neither noun nor verb.
        denying: words that take back or put in doubt what is told.
        mutual: words of relations that hold in both directions.
    """

    one: str = "{sources}: {noun} – {targets}"
    each: str = "{sources}: {noun} – {targets}"
    include: str = "{sources}: {noun} – {targets}"
    does: str = "{sources}: {verb} – {targets}"
    joined: str = "{ends} – {between}"
    direct: str = "{ends}"
    together: str = "{ends}"
    last: str = ", "
    verbs: Words = frozenset()
    passive: Words = frozenset()
    plain: Words = frozenset()
    denying: Words = frozenset()
    mutual: Words = frozenset()
