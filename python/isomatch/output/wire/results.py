"""What a pattern matches, and how it would be searched."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, GetPydanticSchema
from typing_extensions import NotRequired, TypedDict

from isomatch.output.wire.elements import Bound, Choice, Triple
from isomatch.pattern.elements import EachFunction, Function, PartOperator
from isomatch.pattern.wire_model import WirePattern

Pattern = Annotated[dict[str, Any], GetPydanticSchema(lambda _, handler: handler(WirePattern))]


class OptionalRows(TypedDict):
    """What an optional part of the pattern gives a match."""

    rows: Annotated[
        list[dict[str, Bound]],
        Field(description="By ids of the part's own nodes; none where the part has no match."),
    ]
    cut: Annotated[
        bool,
        Field(
            description="Whether there may be more; with no rows, whether there is one is not "
            "known."
        ),
    ]


class Match(TypedDict):
    """One embedding of the pattern. It can be read alone."""

    rank: Annotated[int, Field(description="Of its interpretation; 1 is the best.")]
    gsd: Annotated[
        float,
        Field(
            description="Graph semantic distance of its interpretation; 0 where all words are "
            "the graph's own."
        ),
    ]
    interpretation: Annotated[
        list[Choice],
        Field(description="What the pattern's words were taken to mean."),
    ]
    bindings: Annotated[
        dict[str, Bound],
        Field(description="Id of a pattern node to the node or value that it stands for."),
    ]
    triples: Annotated[
        list[Triple],
        Field(description="One for each edge of the pattern, in the pattern's order."),
    ]
    optional: NotRequired[
        Annotated[
            list[OptionalRows],
            Field(
                description="What each optional part gives it, in their order; only where the "
                "pattern has some."
            ),
        ]
    ]


class Counted(TypedDict):
    """How many different nodes or values the counted node stands for."""

    node: Annotated[str, Field(description="Id of the pattern node.")]
    value: Annotated[int, Field(description="How many.")]
    at_least: Annotated[
        bool,
        Field(description="Whether there may be more, because matches were cut."),
    ]


class Aggregated(TypedDict):
    """What the pattern works out of all matches, listed or not."""

    function: Annotated[Function, Field(description="What is worked out of the values.")]
    node: Annotated[str, Field(description="Id of the pattern node whose values it is of.")]
    value: Annotated[
        Bound | None,
        Field(description="Null where no match has a value to work with."),
    ]


class GroupValue(TypedDict):
    """What is worked out for one answer."""

    function: Annotated[EachFunction, Field(description="What is worked out.")]
    node: Annotated[str, Field(description="Id of the pattern node that it is of.")]
    value: Annotated[Bound | None, Field(description="Null where no value is there to work with.")]


class Group(TypedDict):
    """An answer, and what is worked out for it."""

    answer: Annotated[
        dict[str, Bound],
        Field(description="By ids of the nodes that the pattern returns."),
    ]
    values: Annotated[list[GroupValue], Field(description="In the pattern's order.")]


class Worked(TypedDict):
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

    rank: Annotated[int, Field(description="1 is the best.")]
    gsd: Annotated[
        float,
        Field(description="Graph semantic distance: the sum of the distances of the choices."),
    ]
    choices: Annotated[
        list[Choice],
        Field(description="Known nodes, known relations and types, in the pattern's order."),
    ]
    count: Annotated[int, Field(description="How many matches of it are listed.")]
    cut: Annotated[bool, Field(description="Whether the limit of matches cut the list.")]
    near: Annotated[bool, Field(description="Whether it is near enough to be what the words mean.")]


class OptionalInterpretation(TypedDict):
    """How an optional part was read."""

    gsd: Annotated[float, Field(description="Graph semantic distance.")]
    choices: Annotated[list[Choice], Field(description="What its words were taken to mean.")]
    near: Annotated[bool, Field(description="Whether it is near enough to be what the words mean.")]


class Certificate(TypedDict):
    """What a search proved, of this pattern and the index as it was made."""

    exact: Annotated[
        bool,
        Field(description="Whether the result equals brute force over the lists of candidates."),
    ]
    complete: Annotated[
        bool,
        Field(
            description="Whether no reading outside these lists is better than the last one "
            "returned."
        ),
    ]
    bound: Annotated[
        float | None,
        Field(
            description="No reading that was not examined has a smaller distance; null: all "
            "were examined."
        ),
    ]
    approximate: Annotated[
        bool,
        Field(
            description="Whether lists came from an approximate index; exact and complete are "
            "relative to them."
        ),
    ]
    ended_by: Annotated[
        str | None,
        Field(
            description="The budget that ended the search (``time``, ``rows``, ``memory``); "
            "null for none."
        ),
    ]
    as_of: Annotated[
        str | None,
        Field(description="When the index was made (ISO 8601, UTC); null where there was none."),
    ]
    changed: Annotated[bool, Field(description="Whether the graph has changed since then.")]
    ties: Annotated[
        bool | None,
        Field(
            description="Whether more results are as near as the last one; null where that is "
            "not known."
        ),
    ]
    words: Annotated[str, Field(description="All this in words.")]


class OptionalPart(TypedDict):
    """How an optional part of the pattern was read, and its proof."""

    nodes: Annotated[list[str], Field(description="Ids of the part's own nodes that are returned.")]
    interpretations: Annotated[list[OptionalInterpretation], Field(description="By distance.")]
    certificate: Annotated[Certificate, Field(description="What was proved about these.")]


class Parts(TypedDict):
    """How the conditions of a pattern by the answers of others were read."""

    parts: NotRequired[
        Annotated[
            list[Part],
            Field(description="Where the pattern has conditions by the answers of other patterns."),
        ]
    ]


class Alternative(TypedDict):
    """Whether one of two parts is enough."""

    alternative: NotRequired[
        Annotated[bool, Field(description="True where it is enough instead of the part before it.")]
    ]


class Part(Parts, Alternative):
    """A condition by the answers of another pattern: how that was read, and its proof."""

    nodes: Annotated[list[str], Field(description="Ids of the nodes that are compared.")]
    operator: Annotated[PartOperator, Field(description="How they compare with the answers.")]
    interpretations: Annotated[list[Interpretation], Field(description="By rank.")]
    certificate: Annotated[Certificate, Field(description="What was proved about these.")]


class OptionalParts(TypedDict):
    """How the optional parts of a pattern were read."""

    optional: NotRequired[
        Annotated[list[OptionalPart], Field(description="Where the pattern has optional parts.")]
    ]


class Profile(TypedDict):
    """Where the time went."""

    stages_ms: Annotated[
        dict[str, float],
        Field(description="Milliseconds by stage, and ``total``."),
    ]
    strategy: Annotated[
        str,
        Field(description="How the planner searched, or ``procedure`` for the plugin."),
    ]
    rounds: Annotated[int, Field(description="Round trips to the database.")]
    rows: Annotated[int, Field(description="Rows that came back.")]
    examined: Annotated[int, Field(description="Readings that were looked for in the database.")]
    vectors_read: Annotated[
        int,
        Field(
            description="Vectors that the search for names, relations and types compared in full; "
            "none of lists that are remembered."
        ),
    ]


class Holds(TypedDict):
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

    pattern: Annotated[Pattern, Field(description="What was searched.")]
    certificate: Annotated[Certificate, Field(description="What was proved.")]
    profile: Annotated[Profile, Field(description="Times and counts of the search.")]


class ShownQuery(TypedDict):
    """Beside a result, where a query was asked for too."""

    query: NotRequired[
        Annotated[
            str | None,
            Field(description="The best reading as a query; null where nothing was found."),
        ]
    ]


class Candidates(TypedDict):
    """One list of candidates, as a search starts."""

    part: Annotated[str, Field(description="``node``, ``relation`` or ``type``.")]
    text: Annotated[str, Field(description="The pattern's words.")]
    entries: Annotated[
        int,
        Field(description="How many are fetched; more are fetched when they are needed."),
    ]
    nearest: Annotated[
        tuple[str, float] | None,
        Field(description="Name and distance of the first; null for an empty list."),
    ]
    whole: Annotated[bool, Field(description="Whether the list has everything there is.")]


class Explanation(TypedDict):
    """How a pattern would be searched: ``isomatch explain --json``."""

    strategy: Annotated[str, Field(description="The planner's choice.")]
    why: Annotated[str, Field(description="Its reason.")]
    interpretations: Annotated[int, Field(description="How many the fetched lists allow.")]
    estimated_rows: Annotated[
        float,
        Field(description="What one query over all of them would touch."),
    ]
    lists: Annotated[list[Candidates], Field(description="In the order of the search.")]
    queries: Annotated[
        list[str],
        Field(
            description="For the nearest reading, or the call of the plugin; none where a list "
            "is empty."
        ),
    ]
    notes: Annotated[
        list[str],
        Field(description="What the database would have to scan for, with the index to create."),
    ]
    parts: Annotated[
        list[Explanation],
        Field(description="How the pattern's parts would be searched, before it."),
    ]
    optional: Annotated[
        list[Explanation],
        Field(description="How its optional parts would be read, after it."),
    ]
