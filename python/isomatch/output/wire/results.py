"""What a pattern matches, and how it would be searched."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, GetPydanticSchema
from typing_extensions import NotRequired

from isomatch.output.wire.elements import Bound, Choice, Documented, Triple
from isomatch.pattern.elements import EachFunction, Function, PartOperator
from isomatch.pattern.wire_model import WirePattern

Pattern = Annotated[dict[str, Any], GetPydanticSchema(lambda _, handler: handler(WirePattern))]


class OptionalRows(Documented):
    """What an optional part of the pattern gives a match."""

    rows: list[dict[str, Bound]]
    """By ids of the part's own nodes; none where the part has no match."""
    cut: bool
    """Whether there may be more; with no rows, whether there is one is not known."""


class Match(Documented):
    """One embedding of the pattern. It can be read alone."""

    rank: int
    """Of its interpretation; 1 is the best."""
    gsd: float
    """Graph semantic distance of its interpretation; 0 where all words are the graph's own."""
    interpretation: list[Choice]
    """What the pattern's words were taken to mean."""
    bindings: dict[str, Bound]
    """Id of a pattern node to the node or value that it stands for."""
    triples: list[Triple]
    """One for each edge of the pattern, in the pattern's order."""
    optional: NotRequired[list[OptionalRows]]
    """What each optional part gives it, in their order; only where the pattern has some."""


class Counted(Documented):
    """How many different nodes or values the counted node stands for."""

    node: str
    """Id of the pattern node."""
    value: int
    """How many."""
    at_least: bool
    """Whether there may be more, because matches were cut."""


class Aggregated(Documented):
    """What the pattern works out of all matches, listed or not."""

    function: Function
    """What is worked out of the values."""
    node: str
    """Id of the pattern node whose values it is of."""
    value: Bound | None
    """Null where no match has a value to work with."""


class GroupValue(Documented):
    """What is worked out for one answer."""

    function: EachFunction
    """What is worked out."""
    node: str
    """Id of the pattern node that it is of."""
    value: Bound | None
    """Null where no value is there to work with."""


class Group(Documented):
    """An answer, and what is worked out for it."""

    answer: dict[str, Bound]
    """By ids of the nodes that the pattern returns."""
    values: list[GroupValue]
    """In the pattern's order."""


class Worked(Documented):
    """What an interpretation gives beside its matches."""

    counted: NotRequired[Annotated[Counted, Field(description="Where the pattern counts a node.")]]
    aggregated: NotRequired[
        Annotated[Aggregated, Field(description="Where the pattern adds values or the like.")]
    ]
    groups: NotRequired[
        Annotated[list[Group], Field(description="Where it does so for each answer.")]
    ]


class Interpretation(Worked):
    """One reading of the pattern's words."""

    rank: int
    """1 is the best."""
    gsd: float
    """Graph semantic distance: the sum of the distances of the choices."""
    choices: list[Choice]
    """Known nodes, known relations and types, in the pattern's order."""
    count: int
    """How many matches of it are listed."""
    cut: bool
    """Whether the limit of matches cut the list."""
    near: bool
    """Whether it is near enough to be what the words mean."""


class OptionalInterpretation(Documented):
    """How an optional part was read."""

    gsd: float
    """Graph semantic distance."""
    choices: list[Choice]
    """What its words were taken to mean."""
    near: bool
    """Whether it is near enough to be what the words mean."""


class Certificate(Documented):
    """What a search proved, of this pattern and the index as it was made."""

    exact: bool
    """Whether the result equals brute force over the lists of candidates."""
    complete: bool
    """Whether no reading outside these lists is better than the last one returned."""
    bound: float | None
    """No reading that was not examined has a smaller distance; null: all were examined."""
    approximate: bool
    """Whether lists came from an approximate index; exact and complete are relative to them."""
    ended_by: str | None
    """The budget that ended the search (``time``, ``rows``, ``memory``); null for none."""
    as_of: str | None
    """When the index was made (ISO 8601, UTC); null where there was none."""
    changed: bool
    """Whether the graph has changed since then."""
    ties: bool | None
    """Whether more results are as near as the last one; null where that is not known."""
    words: str
    """All this in words."""


class OptionalPart(Documented):
    """How an optional part of the pattern was read, and its proof."""

    nodes: list[str]
    """Ids of the part's own nodes that are returned."""
    interpretations: list[OptionalInterpretation]
    """By distance."""
    certificate: Certificate
    """What was proved about these."""


class Parts(Documented):
    """How the conditions of a pattern by the answers of others were read."""

    parts: NotRequired[
        Annotated[
            list[Part],
            Field(description="Where the pattern has conditions by the answers of other patterns."),
        ]
    ]


class Part(Parts):
    """A condition by the answers of another pattern: how that was read, and its proof."""

    nodes: list[str]
    """Ids of the nodes that are compared."""
    operator: PartOperator
    """How they compare with the answers."""
    interpretations: list[Interpretation]
    """By rank."""
    certificate: Certificate
    """What was proved about these."""


class OptionalParts(Documented):
    """How the optional parts of a pattern were read."""

    optional: NotRequired[
        Annotated[list[OptionalPart], Field(description="Where the pattern has optional parts.")]
    ]


class Profile(Documented):
    """Where the time went."""

    stages_ms: dict[str, float]
    """Milliseconds by stage, and ``total``."""
    strategy: str
    """How the planner searched, or ``procedure`` for the plugin."""
    rounds: int
    """Round trips to the database."""
    rows: int
    """Rows that came back."""
    examined: int
    """Readings that were looked for in the database."""


class Holds(Documented):
    """What a question of yes or no is answered by."""

    holds: NotRequired[
        Annotated[
            bool | None,
            Field(
                description="Only where it is one: true, false, or null where that is not known."
            ),
        ]
    ]


class FoundMatches(Parts, OptionalParts, Holds):
    found: Annotated[
        bool,
        Field(
            description="Whether a reading is near enough to be what the words mean, and gives "
            "something."
        ),
    ]
    matches: Annotated[list[Match], Field(description="All, best first.")]
    interpretations: Annotated[list[Interpretation], Field(description="By rank.")]
    notes: Annotated[list[str], Field(description="Remarks on the result, in words.")]


class Result(FoundMatches):
    """What a pattern matches: ``isomatch match --json``."""

    pattern: Pattern
    """What was searched."""
    certificate: Certificate
    """What was proved."""
    profile: Profile
    """Times and counts of the search."""


class ShownQuery(Documented):
    """Beside a result, where a query was asked for too."""

    query: NotRequired[
        Annotated[
            str | None,
            Field(description="The best reading as a query; null where nothing was found."),
        ]
    ]


class Candidates(Documented):
    """One list of candidates, as a search starts."""

    part: str
    """``node``, ``relation`` or ``type``."""
    text: str
    """The pattern's words."""
    entries: int
    """How many are fetched; more are fetched when they are needed."""
    nearest: tuple[str, float] | None
    """Name and distance of the first; null for an empty list."""
    whole: bool
    """Whether the list has everything there is."""


class Explanation(Documented):
    """How a pattern would be searched: ``isomatch explain --json``."""

    strategy: str
    """The planner's choice."""
    why: str
    """Its reason."""
    interpretations: int
    """How many the fetched lists allow."""
    estimated_rows: float
    """What one query over all of them would touch."""
    lists: list[Candidates]
    """In the order of the search."""
    queries: list[str]
    """For the nearest reading, or the call of the plugin; none where a list is empty."""
    notes: list[str]
    """What the database would have to scan for, with the index to create."""
    parts: list[Explanation]
    """How the pattern's parts would be searched, before it."""
    optional: list[Explanation]
    """How its optional parts would be read, after it."""
