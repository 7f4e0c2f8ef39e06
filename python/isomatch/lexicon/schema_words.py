"""The part of the table of a language that has the words in the names of relations and types."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from pydantic import Field

from isomatch.lexicon.tables import Phrases, Table, Texts, WordList, Words


class SchemaWords(Table):
    """Words in the names of relations, and what else people say for these."""

    places: Words = frozenset()
    positions: Words = frozenset()
    distinct: Words = frozenset()
    wholes: Words = frozenset()
    origins: Words = frozenset()
    people: Words = frozenset()
    verdicts: Words = frozenset()
    sided: Words = frozenset()
    entries: Words = frozenset()
    realised: Words = frozenset()
    outcomes: Words = frozenset()
    nothing: Words = frozenset()
    requests: Words = frozenset()
    giving: Words = frozenset()
    roles: Words = frozenset()
    sorts: Words = frozenset()
    topics: Words = frozenset()
    subjects: Words = frozenset()
    staff: Words = frozenset()
    things: Words = frozenset()
    symmetric: Words = frozenset()
    mutual: Words = frozenset()
    mutual_nouns: Words = frozenset()
    together: Words = frozenset()
    dating: WordList = ()
    switches: Words = frozenset()
    fees: Words = frozenset()
    quantities: Words = frozenset()
    pieces: Words = frozenset()
    addresses: Phrases = frozenset()
    naming: Words = frozenset()
    days: Words = frozenset()
    lasting: Words = frozenset()
    times: Words = frozenset()
    moments: Words = frozenset()
    spans: Words = frozenset()
    durations: Words = frozenset()
    lasting_verbs: Texts = ()
    dated_verbs: Texts = ()
    births: Words = frozenset()
    deaths: Words = frozenset()
    creations: Words = frozenset()
    begun: Mapping[str, Texts] = Field(default_factory=dict)
    foundings: Words = frozenset()
    joinings: Words = frozenset()
    calendar: Words = frozenset()
    general: Words = frozenset()
    ends: Words = frozenset()
    present: Words = frozenset()
    ditransitive: Words = frozenset()
    members: Words = frozenset()
    manners: Words = frozenset()
    stints: Words = frozenset()
    by_stint: Words = frozenset()
    makers: Words = frozenset()
    playing: Words = frozenset()
    collectives: Words = frozenset()
    states: Words = frozenset()
    sendings: Words = frozenset()
    received: Words = frozenset()
    offered: Words = frozenset()
    posts: Words = frozenset()
    measures: Words = frozenset()
    readings: Words = frozenset()
    tenancies: Words = frozenset()
    wishes: Words = frozenset()
    marks: Words = frozenset()
    disputed: Words = frozenset()
    descriptions: Words = frozenset()
    extents: Words = frozenset()
    dimensions: Words = frozenset()
    linked: Words = frozenset()
    opposites: Phrases = frozenset()
    complements: Phrases = frozenset()
    rates: Words = frozenset()
    periods: Mapping[str, str] = Field(default_factory=dict)
    plans: Mapping[str, str] = Field(default_factory=dict)
    kin: Words = frozenset()
    numbers: Mapping[str, Texts] = Field(default_factory=dict)
    totals: Mapping[str, Texts] = Field(default_factory=dict)
    abbreviations: Mapping[str, str] = Field(default_factory=dict)
    nouns: Mapping[str, Texts] = Field(default_factory=dict)
    verbs: Mapping[str, Texts] = Field(default_factory=dict)
    called: Mapping[str, Texts] = Field(default_factory=dict)
    collocations: Mapping[str, Texts] = Field(default_factory=dict)
    deeds: Mapping[str, Texts] = Field(default_factory=dict)
    receiving: Words = frozenset()
    receivers: Words = frozenset()
    doers: Mapping[str, Texts] = Field(default_factory=dict)
    undergoers: Mapping[str, Texts] = Field(default_factory=dict)
    inverses: Mapping[str, Texts] = Field(default_factory=dict)
    relatives: Mapping[str, Texts] = Field(default_factory=dict)

    @property
    def others(self) -> Words:
        """Classes of records that say something of their own, and tie nobody to a thing."""
        return frozenset((*self.things, *self.deeds, *self.collocations))

    def record_kind(self, name: Sequence[str]) -> str:
        """The word in a relation's name that says of which kind a record is: "job", of "job title".

        Empty for none.
        """
        last, before = (*reversed(name), "", "")[:2]
        if last in self.naming and before in self.posts:
            return before
        return last if last in self.posts | self.measures else ""

    @property
    def lives(self) -> Words:
        """Words for births and deaths."""
        return self.births | self.deaths

    def spelled(self, name: str) -> str:
        """A name without abbreviations: "hire date", of "hire dt"."""
        return " ".join(self._whole.get(word, word) for word in name.split())

    @cached_property
    def _whole(self) -> Mapping[str, str]:
        """What abbreviations are short for, and their plurals, as "langs"."""
        several = {f"{word}s": f"{whole}s" for word, whole in self.abbreviations.items()}
        return {**several, **self.abbreviations}

    def wider_kin(self, kin: Words) -> Words:
        """The words for any of some relatives: "sibling", of a brother."""
        return frozenset(wide for wide, some in self.relatives.items() if not kin.isdisjoint(some))

    def towards(self, name: Sequence[str]) -> list[str]:
        """The last words of the verbs for a relation of one word: "to", of a `destination`."""
        said = self.verbs.get(name[0], ()) if len(name) == 1 else ()
        return [phrase.split()[-1] for phrase in said if " " in phrase]

    def are_for(self, verb: str, preposition: str, name: Sequence[str]) -> bool:
        """Whether a verb with a preposition is one for a relation, by a word of its name."""
        return any(f"{verb} {preposition}" in self.verbs.get(word, ()) for word in name)

    def say_when(self, words: Sequence[str]) -> bool:
        """Whether the words of a relation say at what time something is, not how long it takes."""
        return not (self.times.isdisjoint(words[-1:]) or self.say_how_long(words))

    def are_times(self, kinds: Collection[str], words: Sequence[str]) -> bool:
        """Whether values of some kinds say at what time something is, by a relation's words.

        Those of texts, and of types that no value is compared by, as a time of day.
        """
        moment = "other" in kinds and not self.moments.isdisjoint(words)
        return moment or (not {"text", "other"}.isdisjoint(kinds) and self.say_when(words))

    def say_how_long(self, words: Collection[str]) -> bool:
        """Whether the words of a relation say that it is how long something takes."""
        timed = (self.times | self.spans).intersection(words) and self.lasting.intersection(words)
        return bool(timed or self.durations.intersection(words))
