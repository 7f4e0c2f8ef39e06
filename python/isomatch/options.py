"""The options of a search with their defaults and limits, and the names of what can be chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import isfinite
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from isomatch.errors import ConfigurationError

if TYPE_CHECKING:
    from pydantic import ValidationError

Nodes = Literal["distinct", "anchored", "repeat", "walk"]
Direction = Literal["as drawn", "any", "as written"]
Results = Literal["interpretations", "matches"]
Strategy = Literal["auto", "ascending", "semi-join", "brute force"]
# The options that take one of some words, for `Options` and for the command line.
CHOICES: dict[str, tuple[str, ...]] = {
    "nodes": get_args(Nodes),
    "direction": get_args(Direction),
    "results": get_args(Results),
    "strategy": get_args(Strategy),
}
InterpreterName = Literal["auto", "llm", "programs", "gsr", "schema", "given"]
OpenForm = Literal["triplets", "paths", "steiner"]
RetrieverName = Literal["pattern", "chain", "triples", "fused", OpenForm]
TreePruning = Literal["strong", "gw"]
PrizeSource = Literal["likeness", "scorer"]
Unsupported = Literal["mark", "drop"]
OPEN_FORMS: tuple[OpenForm, ...] = get_args(OpenForm)
TREE_PRUNINGS: tuple[TreePruning, ...] = get_args(TreePruning)
PRIZE_SOURCES: tuple[PrizeSource, ...] = get_args(PrizeSource)
UNSUPPORTED: tuple[Unsupported, ...] = get_args(Unsupported)
Wordings = Literal["names", "unknown relation"]  # of gold patterns
Wording = Wordings | Mapping[str, str]
INTERPRETERS: tuple[InterpreterName, ...] = get_args(InterpreterName)
RETRIEVERS: tuple[RetrieverName, ...] = get_args(RetrieverName)
_RENAMED = {"model": "llm", "chains": "schema"}


def interpreter_name(name: str, what: str = "interpreter") -> InterpreterName:
    """A name of an interpreter, or ``auto``.

    Args:
        what: the argument or option that it was given for.

    Raises:
        ConfigurationError: there is none of that name.
    """
    if name in INTERPRETERS:
        return name
    if name in _RENAMED:
        raise ConfigurationError(f"{what} {name!r} is called {_RENAMED[name]!r} now")
    raise ConfigurationError(f"{what} must be one of {', '.join(INTERPRETERS)}, not {name!r}")


def retriever_name(name: str) -> RetrieverName:
    """A name of a retriever.

    Raises:
        ConfigurationError: there is none of that name.
    """
    if name in RETRIEVERS:
        return name
    raise ConfigurationError(f"retriever must be one of {', '.join(RETRIEVERS)}, not {name!r}")


@dataclass(frozen=True, slots=True)
class Options:
    """How to search.

    Attributes:
        k: how many interpretations (or matches, see ``results``).
        limit: most matches kept for one interpretation; a count is of all.
        nodes: which pattern nodes may be the same graph node: ``distinct``
            (none), ``anchored`` (unknown ones with each other), ``repeat`` (any).
            No two edges are the same fact, but under ``walk``, where any nodes and
            any edges may coincide, as in a SPARQL query.
        direction: which edges are matched from source to target only: those that are
            drawn as arrows (``as drawn``), none (``any``, as published), or all
            (``as written``).
        type_weight: factor on a type's distance; 0 is the published definition.
        k_nodes, k_relations, k_types: fixed list lengths (the papers' 16/16, or
            16,384/512/16); None lets lists grow until the result is complete.
        budget_seconds: the search ends after this, with what it has proven.
        budget_rows: likewise after this many rows from the database.
        same_as: nodes that ``owl:sameAs`` joins are one node (RDF only).
        results: ``interpretations``, or ``matches`` for the papers' top-k.
        exact_vectors: scan vectors exactly even where an approximate index is.
        strategy: ``auto`` lets the planner choose, or leaves the search to the plugin
            where the database has it.
    """

    k: int = 3
    limit: int = 1000
    nodes: Nodes = "distinct"
    direction: Direction = "as drawn"
    type_weight: float = 1.0
    k_nodes: int | None = None
    k_relations: int | None = None
    k_types: int | None = None
    budget_seconds: float | None = 10.0
    budget_rows: int | None = 1_000_000
    results: Results = "interpretations"
    exact_vectors: bool = False
    same_as: bool = False
    strategy: Strategy = "auto"

    def __post_init__(self) -> None:
        for key in ("k", "limit"):
            _check_whole(key, getattr(self, key) or 0)
        for key in ("k_nodes", "k_relations", "k_types", "budget_rows"):
            _check_whole(key, getattr(self, key))
        _check_number("type_weight", self.type_weight)
        _check_seconds(self.budget_seconds)
        for key in ("exact_vectors", "same_as"):
            if not isinstance(getattr(self, key), bool):
                raise _wrong(key, "true or false", getattr(self, key))
        for key, words in CHOICES.items():
            word = spaced(getattr(self, key), words)
            _check_word(key, word, words)
            object.__setattr__(self, key, word)

    def with_(self, **changes: Any) -> Options:
        """A copy with some options changed; an unknown key is refused by name."""
        return _changed(self, changes)

    def deadline(self, started: float) -> float | None:
        """When the search ends that began then, by `time.perf_counter`; None for never."""
        return None if self.budget_seconds is None else started + self.budget_seconds

    def since(self, started: float) -> Options:
        """A copy with what is left of the time of a search that began then."""
        deadline = self.deadline(started)
        if deadline is None:
            return self
        return replace(self, budget_seconds=max(deadline - perf_counter(), 1e-3))


@dataclass(frozen=True, slots=True)
class PrizeOptions:
    """How evidence is chosen by prizes and costs (OKGQA, section 4.1).

    Attributes:
        k: how many nodes, and how many facts, have a prize (k, k-1, … 1); also how many
            triplets or paths are kept, and from how many nodes paths start (where none has a
            prize, from the topics).
        cost: of every fact in a path or subgraph.
        prizes: from ``likeness``: of names and relations to the question, as published; or
            from the trained ``scorer`` of triples: the facts that it ranks first, and no nodes.
        hops: how far from the topics the surroundings reach.
        most_facts: most facts that are read of them; nodes of many facts are the last.
        least_rank: nodes of a smaller personalised PageRank are left out.
        most_nodes: most nodes kept, those of the highest ranks; None for no limit.
        length: most facts of a path.
        pruning: of the tree that the search starts from.
        proof_seconds: for the proof, which may find a better subgraph on its way; 0 for
            neither: with ``pruning="gw"`` that is the published method.
        budget_seconds: for reading the surroundings; None for no limit.
    """

    k: int = 10
    cost: float = 1.0
    prizes: PrizeSource = "likeness"
    hops: int = 2
    most_facts: int = 5_000
    least_rank: float = 1e-5
    most_nodes: int | None = 500
    length: int = 3
    pruning: TreePruning = "strong"
    proof_seconds: float = 2.0
    budget_seconds: float | None = 10.0

    def __post_init__(self) -> None:
        for key in ("k", "hops", "most_facts", "length"):
            _check_whole(key, getattr(self, key) or 0)
        _check_whole("most_nodes", self.most_nodes)
        for key in ("cost", "least_rank", "proof_seconds"):
            _check_number(key, getattr(self, key))
        _check_seconds(self.budget_seconds)
        for key, words in (("pruning", TREE_PRUNINGS), ("prizes", PRIZE_SOURCES)):
            _check_word(key, getattr(self, key), words)

    def with_(self, **changes: Any) -> PrizeOptions:
        """A copy with some options changed; an unknown key is refused by name."""
        return _changed(self, changes)


Some = TypeVar("Some", Options, PrizeOptions)


def _changed(options: Some, changes: Mapping[str, Any]) -> Some:
    known = set(options.__dataclass_fields__)
    if unknown := sorted(set(changes) - known):
        other = PrizeOptions if isinstance(options, Options) else Options
        hint = " (other retrievers have it)" if unknown[0] in other.__dataclass_fields__ else ""
        raise ConfigurationError(
            f"unknown option {unknown[0]!r}{hint}; the options are {', '.join(sorted(known))}"
        )
    return replace(options, **changes)


def spaced(value: Any, words: Sequence[str]) -> Any:
    """One of some words, where it is written as on the command line: ``as-drawn``."""
    plain = value.replace("-", " ") if isinstance(value, str) and value not in words else value
    return plain if plain in words else value


def _check_whole(key: str, value: Any) -> None:
    if value is not None and (not isinstance(value, int) or value < 1):
        raise _wrong(key, "a whole number from 1 on", value)


def _check_number(key: str, value: Any) -> None:
    if not (isinstance(value, (int, float)) and isfinite(value) and value >= 0):
        raise _wrong(key, "a number from 0 on", value)


def _check_word(key: str, value: Any, words: Sequence[str]) -> None:
    if value not in words:
        raise _wrong(key, f"one of {', '.join(map(repr, words))}", value)


def _check_seconds(seconds: Any) -> None:
    if seconds is not None and not (
        isinstance(seconds, (int, float)) and isfinite(seconds) and seconds > 0
    ):
        raise _wrong("budget_seconds", "positive", seconds)


def _wrong(option: str, expected: str, value: Any) -> ConfigurationError:
    return ConfigurationError(f"{option} must be {expected}, not {value!r}", option=option)


class Choice(str, Enum):
    """A value of an option; equal to its text."""

    def __str__(self) -> str:
        return str(self.value)


class Format(Choice):
    """How the command line prints a result."""

    table = "table"
    csv = "csv"
    tsv = "tsv"
    json = "json"
    sparql_json = "sparql-json"


class Kind(Choice):
    """What is trained."""

    gsr = "gsr"
    programs = "programs"
    triples = "triples"


class Rule(Choice):
    """How questions are labelled, see `isomatch.learn.weak`."""

    filtered = "filtered"
    raw = "raw"
    one = "one"
    model = "model"


class Paths(Choice):
    """Which triples are relevant: those on labelled chains, or on shortest paths."""

    chains = "chains"
    shortest = "shortest"


class Device(Choice):
    """Where torch computes."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


class SplitBy(Choice):
    """How a set of questions is divided into a side for training and a side for testing."""

    none = "none"
    row = "row"
    text = "text"


class Patterns(Choice):
    """Where an evaluation's patterns come from: the data, or interpreted questions."""

    GOLD = "gold"
    ASK = "ask"


class Topics(Choice):
    """Whether each question's topics are given to the system, or found by it."""

    GIVEN = "given"
    FOUND = "found"


class Baseline(Choice):
    """What can be measured in place of an interpreter and a retriever."""

    NONE = "none"
    ONE_HOP = "one-hop"
    COSINE = "cosine"
    PAGERANK = "pagerank"
    TEXT_TO_QUERY = "text-to-query"


class Prompting(Choice):
    """How a language model is asked without the graph, see `isomatch.answer.unaided`."""

    ZERO_SHOT = "zero-shot"
    FEW_SHOT = "few-shot"
    COT = "cot"
    SC = "sc"
    COT_SC = "cot-sc"


def option_problem(error: ValidationError, known: Iterable[str]) -> str:
    """The first problem with some options, in words: the option, and what it may be."""
    fault = error.errors()[0]
    name, context = ".".join(map(str, fault["loc"])), fault.get("ctx", {})
    if fault["type"] == "extra_forbidden":
        return f"unknown option {name!r}; the options are {', '.join(sorted(known))}"
    if fault["type"] == "greater_than_equal":
        return f"{name} must be from {context['ge']} on, not {fault['input']}"
    if fault["type"] == "enum":
        values = ", ".join(re.findall("'(.*?)'", context["expected"]))
        return f"{name} must be one of {values}, not {fault['input']!r}"
    if fault["type"] == "value_error":
        message = str(context["error"])
        return f"{name} {message[:1].lower()}{message[1:]}"
    return f"{name}: {fault['msg']}, not {fault['input']!r}"
