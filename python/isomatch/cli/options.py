"""The options of a search, as the command line names them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from isomatch.errors import ConfigurationError
from isomatch.executor import check_place
from isomatch.options import (
    CHOICES,
    INTERPRETERS,
    PRIZE_SOURCES,
    RETRIEVERS,
    TREE_PRUNINGS,
    UNSUPPORTED,
    Format,
    Kind,
    interpreter_name,
)

Function = TypeVar("Function", bound=Callable[..., None])


def choice(option: str, words: Iterable[str], help: str) -> Any:
    """An option that takes one of some words, checked when the command line is parsed.

    Words of several parts are written with hyphens on the command line. An `Enum` of
    strings will do for the words.
    """
    spelled = {word.replace(" ", "-"): word for word in words}

    def parse(value: str) -> str:
        if value not in spelled:
            listed = ", ".join(spelled)
            raise ConfigurationError(f"{option} must be one of {listed}, not {value!r}")
        return spelled[value]

    return typer.Option(option, metavar="|".join(spelled), parser=parse, help=help)


def interpreter_option(help: str) -> Any:
    """An option that takes the name of an interpreter; an old name is refused with the new one."""
    return typer.Option(
        metavar="|".join(INTERPRETERS),
        parser=lambda name: interpreter_name(name, "--interpreter"),
        help=help,
    )


Show = Annotated[
    int, typer.Option("--show", min=1, help="Most matches printed for one interpretation.")
]
OutputFormat = Annotated[
    Format | None,
    choice(
        "--format",
        Format,
        "Print rows: a table, or CSV, TSV or JSON as SPARQL has them, with the proof on standard "
        "error; json is --json.",
    ),
]
Ids = Annotated[bool, typer.Option("--ids", help="Show nodes with their ids.")]
ShowCypher = Annotated[
    bool,
    typer.Option(
        "--show-cypher",
        help="Also print the best interpretation as one Cypher statement for Neo4j Browser.",
    ),
]
ShowQuery = Annotated[
    bool,
    typer.Option(
        "--show-query",
        help="Also print the query of the best interpretation, to paste: SPARQL, or Cypher.",
    ),
]
NoPlugin = Annotated[
    bool,
    typer.Option(
        "--no-plugin",
        help="Search by compiled queries even where the Neo4j database has isomatch's plugin.",
    ),
]
Interpreter = Annotated[
    str,
    interpreter_option(
        "What interprets the question: a language model (llm), a trained model (programs, "
        "gsr), the words of the schema (schema), or nothing, because it is a pattern (given). auto "
        "takes a trained model that fits the graph, else the language model, else the schema.",
    ),
]
Retriever = Annotated[
    str,
    choice(
        "--retriever",
        RETRIEVERS,
        "What the answer is made from: the matches of the best interpretation; the three best "
        "chains as paths; triples scored by a trained model; chains and triples together. For "
        "open questions, by prizes and costs: single facts (triplets), paths, or the subgraph that "
        "is worth most (steiner).",
    ),
]
Topics = Annotated[
    list[str] | None,
    typer.Option(
        "--topic",
        metavar="NAME",
        help="Entity that the question is about, where it is known; may be repeated.",
    ),
]
UnsupportedSentences = Annotated[
    str | None,
    choice(
        "--unsupported",
        UNSUPPORTED,
        "What becomes of a sentence of a language model's paragraph (triplets, paths, steiner) "
        "that no fact carries: it is marked, or left out. [default: drop]",
    ),
]
TrainedModel = Annotated[
    list[Path] | None,
    typer.Option(
        "--model",
        metavar="DIR",
        help="Folder of a trained model, made by isomatch train; may be repeated, once for each "
        "kind. [default: HOME/models/programs, gsr, triples]",
    ),
]
LanguageModel = Annotated[
    str | None, typer.Option("--llm", metavar="NAME", help="Language model at OPENAI_BASE_URL.")
]

Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="CODE|FILE",
        help="Of questions without a model: en, de, or a table. [default: en]",
    ),
]

On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="here|processes[:NUMBER]|ray[:ADDRESS]",
        parser=check_place,
        help="Where the parts of the work run: in this process, in others on this machine, or on a "
        "Ray cluster (extra ray), which one without an address starts here.",
    ),
]

# No defaults here: what the user leaves out is decided by the interpreter of the question
# and by `isomatch.options.Options`.
FLAGS = ("exact_vectors", "same_as")
BUDGETS = ("budget_seconds", "budget_rows")
SEARCH: dict[str, Any] = {
    "k": Annotated[
        int | None,
        typer.Option(
            "-k",
            "--k",
            min=1,
            help="Interpretations to return. [default: 3] With triplets, paths and steiner: nodes "
            "and facts with a prize. [default: 10]",
        ),
    ],
    "limit": Annotated[
        int | None,
        typer.Option(min=1, help="Most matches kept for one interpretation. [default: 1000]"),
    ],
    "nodes": Annotated[
        str | None,
        choice(
            "--nodes",
            CHOICES["nodes"],
            "Which pattern nodes may be the same graph node: none, unknown ones, any; under walk "
            "edges may be the same fact too. [default: distinct]",
        ),
    ],
    "direction": Annotated[
        str | None,
        choice(
            "--direction",
            CHOICES["direction"],
            "Edges that are matched from source to target only: those drawn as arrows, none, or "
            "all. [default: as-drawn]",
        ),
    ],
    "type_weight": Annotated[
        float | None,
        typer.Option(min=0, help="Factor on the distance of a type; 0 as published. [default: 1]"),
    ],
    "k_nodes": Annotated[
        int | None,
        typer.Option(min=1, help="Fixed number of candidates for a name. [default: grows]"),
    ],
    "k_relations": Annotated[
        int | None, typer.Option(min=1, help="Fixed number of candidates for a relation.")
    ],
    "k_types": Annotated[
        int | None, typer.Option(min=1, help="Fixed number of candidates for a type.")
    ],
    "budget_seconds": Annotated[
        float | None,
        typer.Option(
            min=0,
            help="End the search after this time, with what is proven; 0 never. [default: 10]",
        ),
    ],
    "budget_rows": Annotated[
        int | None,
        typer.Option(min=0, help="End it after this many rows; 0 never. [default: 1000000]"),
    ],
    "results": Annotated[
        str | None,
        choice(
            "--results",
            CHOICES["results"],
            "Rank interpretations with all their matches, or single matches. "
            "[default: interpretations]",
        ),
    ],
    "exact_vectors": Annotated[
        bool,
        typer.Option("--exact-vectors", help="Scan every vector even where an HNSW index exists."),
    ],
    "same_as": Annotated[
        bool,
        typer.Option("--same-as", help="Nodes that owl:sameAs joins are one node (RDF)."),
    ],
    "strategy": Annotated[
        str | None,
        choice("--strategy", CHOICES["strategy"], "How to search. [default: auto]"),
    ],
}

PRIZES: dict[str, Any] = {
    "cost": Annotated[
        float | None,
        typer.Option(help="Of every fact in a path or subgraph. [default: 1]"),
    ],
    "prizes": Annotated[
        str | None,
        choice(
            "--prizes",
            PRIZE_SOURCES,
            "From the likeness of names to the question, or from the trained scorer of triples. "
            "[default: likeness]",
        ),
    ],
    "hops": Annotated[
        int | None,
        typer.Option(min=1, help="How far from the topics facts are read. [default: 2]"),
    ],
    "most_facts": Annotated[
        int | None,
        typer.Option(min=1, help="Most facts that are read around them. [default: 5000]"),
    ],
    "least_rank": Annotated[
        float | None,
        typer.Option(
            help="Nodes of a smaller personalised PageRank are left out. [default: 0.00001]"
        ),
    ],
    "most_nodes": Annotated[
        int | None,
        typer.Option(min=1, help="Most nodes kept, those of the highest ranks. [default: 500]"),
    ],
    "length": Annotated[int | None, typer.Option(min=1, help="Most facts of a path. [default: 3]")],
    "pruning": Annotated[
        str | None,
        choice(
            "--pruning",
            TREE_PRUNINGS,
            "Of the tree that the search starts from; gw with --proof-seconds 0 is the published "
            "method. [default: strong]",
        ),
    ],
    "proof_seconds": Annotated[
        float | None,
        typer.Option(help="For the proof that no subgraph is worth more. [default: 2]"),
    ],
}


def takes_search_options(
    *names: str, more: Mapping[str, Any] | None = None
) -> Callable[[Function], Function]:
    """Replace the ``**options`` of a command by the options of a search.

    Typer reads a command's options from its signature, so they are written into it.

    Args:
        names: keys of `SEARCH` and `PRIZES`; none for all of the first.
        more: further options, of which all are taken.
    """
    known = {**SEARCH, **PRIZES, **(more or {})}

    def changed(command: Function) -> Function:
        signature = inspect.signature(command, eval_str=True)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        options = [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=False if name in FLAGS else None,
                annotation=known[name],
            )
            for name in (*(names or SEARCH), *(more or {}))
        ]
        required = [p for p in own if p.default is p.empty]
        others = [p for p in own if p.default is not p.empty]
        parameters = [*required, *options, *others]
        vars(command)["__signature__"] = signature.replace(parameters=parameters)
        return command

    return changed


def given_options(said: Mapping[str, Any]) -> dict[str, Any]:
    """The search options that the user set, as `Options` takes them.

    Args:
        said: by the keys of `SEARCH` and `PRIZES`, as typer gives them.
    """
    given = {key: value for key, value in said.items() if value is not None and value is not False}
    # 0 stands for no budget.
    return given | {key: given[key] or None for key in BUDGETS if key in given}


def output_format(
    form: Format | None, as_json: bool, *drawings: bool, query: bool = False
) -> Format | None:
    """The form of the output that the options name; None for trees and lines.

    Args:
        drawings: whether each of the command's drawings is asked for.
        query: whether the query is too.

    Raises:
        ConfigurationError: two are asked for, or a drawing with the query.
    """
    if form is not None and as_json:
        drop = "either" if form is Format.json else f"--json for {form}, or --format for JSON"
        raise ConfigurationError(f"--json is --format json: drop {drop}")
    if (form is not None) + as_json + sum(drawings) > 1:
        raise ConfigurationError(
            "--json, --format, --mermaid and --dot exclude each other: give one"
        )
    if query and any(drawings):
        raise ConfigurationError("--show-query goes with --json or alone, not with a drawing")
    return Format.json if as_json else form


def model_settings(folders: Sequence[Path] | None) -> dict[str, Path]:
    """The settings that ``--model`` stands for, by the kind of each folder's model.

    Raises:
        ConfigurationError: a folder holds no trained model, or two hold the same kind.
    """
    settings: dict[str, Path] = {}
    for folder in folders or ():
        try:
            kind = json.loads((folder / "config.json").read_text(encoding="utf-8"))["kind"]
            key = f"{Kind(kind)}_model"
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(
                f"--model: {folder} holds no trained model (config.json with its kind); "
                "isomatch train makes one. A language model is named with --llm"
            ) from error
        if key in settings:
            raise ConfigurationError(
                f"--model: {settings[key]} and {folder} are both of the kind {kind!r}: give one"
            )
        settings[key] = folder
    return settings


def plugin_setting(no_plugin: bool) -> bool | None:
    """The setting that ``--no-plugin`` stands for; None leaves it to the other places."""
    return False if no_plugin else None
