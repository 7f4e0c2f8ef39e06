"""The options of a search, as the command line names them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import typer

from isomatch.errors import ConfigurationError

Function = TypeVar("Function", bound=Callable[..., None])

Show = Annotated[int, typer.Option("--show", min=1, help="Most matches printed for one reading.")]
ShowCypher = Annotated[
    bool,
    typer.Option(
        "--show-cypher",
        help="Print the best reading as one Cypher statement to paste into Neo4j Browser too.",
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
    typer.Option(
        metavar="auto|llm|gsr|schema|given",
        help="Who reads the question: a language model, a trained model, the schema's own "
        "words, or nobody, because it is a pattern. auto takes the trained model where one "
        "fits, else the language model where one is configured, else the schema.",
    ),
]
Retriever = Annotated[
    str,
    typer.Option(
        metavar="pattern|chain|triples|fused",
        help="What the answer is made of: the best reading's matches; the three best chains as "
        "paths; triples scored by a trained model; chains and triples together.",
    ),
]
Topics = Annotated[
    list[str] | None,
    typer.Option(
        "--topic",
        metavar="NAME",
        help="Entity that the question is about, where it is known; may be given again.",
    ),
]
TrainedModel = Annotated[
    list[Path] | None,
    typer.Option(
        "--model",
        metavar="DIR",
        help="Folder of a trained model, as isomatch train made it; may be given once for each "
        "kind. [default: HOME/models/gsr, HOME/models/triples]",
    ),
]

# No default here: what the user does not say is left to the reading and to
# `isomatch.options.Options`, which checks the values too.
FLAGS = ("exact_vectors", "same_as")
SEARCH: dict[str, Any] = {
    "k": Annotated[
        int | None, typer.Option("-k", "--k", min=1, help="Readings to return. [default: 3]")
    ],
    "limit": Annotated[
        int | None,
        typer.Option(min=1, help="Most matches kept for one reading. [default: 1000]"),
    ],
    "nodes": Annotated[
        str | None,
        typer.Option(
            metavar="distinct|anchored|repeat|walk",
            help="Which pattern nodes may be one graph node: none, unknown ones, any; in a walk "
            "edges may be one fact too. "
            "[default: distinct]",
        ),
    ],
    "direction": Annotated[
        str | None,
        typer.Option(
            metavar="any|as-written", help="Which way edges of the pattern run. [default: any]"
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
            min=0, help="End the search after this, with what is proven; 0 never. [default: 10]"
        ),
    ],
    "budget_rows": Annotated[
        int | None,
        typer.Option(min=0, help="End it after this many rows; 0 never. [default: 1000000]"),
    ],
    "results": Annotated[
        str | None,
        typer.Option(
            metavar="interpretations|matches",
            help="Rank readings with all their matches, or single matches. "
            "[default: interpretations]",
        ),
    ],
    "exact_vectors": Annotated[
        bool,
        typer.Option("--exact-vectors", help="Scan every vector even where an HNSW index is."),
    ],
    "same_as": Annotated[
        bool,
        typer.Option("--same-as", help="Nodes that owl:sameAs joins are one node (RDF)."),
    ],
    "strategy": Annotated[
        str | None,
        typer.Option(
            metavar="auto|ascending|semi-join|brute-force", help="How to search. [default: auto]"
        ),
    ],
}


def takes_search_options(*names: str) -> Callable[[Function], Function]:
    """Give a command the options of a search, in place of its ``**options``.

    Typer reads a command's options from its signature, so they are written there.

    Args:
        names: keys of `SEARCH`; none for all of them.
    """

    def changed(command: Function) -> Function:
        signature = inspect.signature(command, eval_str=True)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        options = [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=False if name in FLAGS else None,
                annotation=SEARCH[name],
            )
            for name in names or SEARCH
        ]
        required = [p for p in own if p.default is p.empty]
        others = [p for p in own if p.default is not p.empty]
        parameters = [*required, *options, *others]
        vars(command)["__signature__"] = signature.replace(parameters=parameters)
        return command

    return changed


def given_options(said: Mapping[str, Any]) -> dict[str, Any]:
    """Search options by the names and values of `Options`: only those that the user set.

    Args:
        said: by the keys of `SEARCH`, as typer gives them.

    Raises:
        ConfigurationError: a word that is none of an option's.
    """
    from isomatch import options as allowed

    given = {key: value for key, value in said.items() if value is not None and value is not False}
    for key, words in (
        ("nodes", get_args(allowed.Nodes)),
        ("direction", get_args(allowed.Direction)),
        ("results", get_args(allowed.Results)),
        ("strategy", allowed.STRATEGIES),
    ):
        if key in given:
            spelled = {word.replace(" ", "-"): word for word in words}
            given[key] = spelled[one_of(f"--{key}", given[key], list(spelled))]
    for key in ("budget_seconds", "budget_rows"):
        if key in given:
            given[key] = given[key] or None
    return given


def model_settings(folders: Sequence[Path] | None) -> dict[str, Path]:
    """The settings that ``--model`` stands for, by what each folder holds.

    Raises:
        ConfigurationError: a folder holds no trained model, or two hold the same kind.
    """
    import json

    settings: dict[str, Path] = {}
    for folder in folders or ():
        try:
            kind = json.loads((folder / "config.json").read_text(encoding="utf-8"))["kind"]
            key = {"gsr": "gsr_model", "triples": "triples_model"}[kind]
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


def one_of(option: str, value: str, words: Sequence[str]) -> str:
    """The value of an option that takes one of some words.

    Raises:
        ConfigurationError: it is none of them.
    """
    if value not in words:
        raise ConfigurationError(f"{option} must be one of {', '.join(words)}, not {value!r}")
    return value
