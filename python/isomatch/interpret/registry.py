"""The interpreters by name, and which one ``auto`` is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from isomatch.errors import ArtifactError, ConfigurationError
from isomatch.interpret.given import GivenInterpreter
from isomatch.options import interpreter_name

if TYPE_CHECKING:
    from pathlib import Path

    from isomatch.interpret.gsr import GSRInterpreter
    from isomatch.interpret.llm.interpreter import LLMInterpreter
    from isomatch.interpret.programs.interpreter import ProgramInterpreter
    from isomatch.interpret.schema import SchemaInterpreter
    from isomatch.interpret.types import Interpreter
    from isomatch.resources import Resources


@dataclass(frozen=True, slots=True)
class ChosenInterpreter:
    """An interpreter, and in words why it was chosen where nobody named it."""

    interpreter: Interpreter
    note: str = ""


def interpreter_of(resources: Resources, name: str) -> Any:
    """The interpreter of a name other than ``auto``, made when it is first asked for.

    Raises:
        ConfigurationError: it is not set up.
        ArtifactError: the trained model is missing, damaged, or of another graph.
    """
    makers: Mapping[str, Callable[[Resources], Any]] = {
        "llm": llm_interpreter,
        "gsr": gsr_interpreter,
        "programs": programs_interpreter,
        "schema": schema_interpreter,
        "given": lambda resources: GivenInterpreter(resources.settings.prefixes),
    }
    return resources.derived(name, partial(makers[name], resources))


def choose(resources: Resources, name: str) -> ChosenInterpreter:
    """The interpreter of a name.

    ``auto`` is a trained model that fits the graph, of programs before one of chains, else the
    language model where one is configured, else the schema's own words.

    Raises:
        ConfigurationError: no such name, or the named one is not set up.
        ArtifactError: the trained model is missing, damaged, or of another graph.
            ``auto`` skips one that no setting names.
    """
    if interpreter_name(name) != "auto":
        return ChosenInterpreter(interpreter_of(resources, name))
    settings = resources.settings
    missing = "no trained model"
    for kind in ("programs", "gsr"):
        folder: Path = getattr(settings, f"{kind}_folder")
        named = getattr(settings, f"{kind}_model") is not None
        if named or folder.is_dir():
            try:
                note = f"read by the trained model in {folder}"
                return ChosenInterpreter(interpreter_of(resources, kind), note)
            except ArtifactError as error:
                if named:
                    raise
                missing = f"the trained model in {folder} cannot be used ({error})"
    if (llm := resources.llm) is not None:
        note = f"read by the language model {llm.model}: {missing}"
        return ChosenInterpreter(interpreter_of(resources, "llm"), note)
    note = f"read by the schema's words: {missing}, no language model"
    return ChosenInterpreter(interpreter_of(resources, "schema"), note)


def schema_interpreter(resources: Resources) -> SchemaInterpreter:
    """The interpreter that needs no model."""
    from isomatch.interpret.schema import SchemaInterpreter

    return SchemaInterpreter(
        resources.store,
        resources.schema,
        resources.word_embedder,
        resources.mentions,
        resources.lexicon,
        cache_folder=resources.settings.cache_path,
    )


def llm_interpreter(resources: Resources) -> LLMInterpreter:
    """The interpreter that asks the language model.

    Raises:
        ConfigurationError: none is configured.
    """
    from isomatch.interpret.llm.interpreter import LLMInterpreter

    if resources.llm is None:
        raise ConfigurationError(
            "no language model is configured: set ISOMATCH_MODEL and OPENAI_BASE_URL, "
            "or use the interpreter 'schema', which needs none"
        )
    return LLMInterpreter.for_graph(resources.llm, resources.store, resources.schema)


def gsr_interpreter(resources: Resources) -> GSRInterpreter:
    """The interpreter that a training run made, from the folder that the settings name.

    Raises:
        ArtifactError: there is none, or it does not fit the graph.
    """
    from isomatch.interpret.gsr import GSRInterpreter
    from isomatch.link.linker import prefetch
    from isomatch.trained.artifact import open_artifact

    artifact = open_artifact(resources.settings.gsr_folder, "gsr", resources.schema)
    return GSRInterpreter(
        resources.store,
        resources.schema,
        resources.mentions,
        artifact,
        cache_folder=resources.settings.cache_path,
        words=interpreter_of(resources, "schema") if artifact.config.words else None,
        prefetch=partial(prefetch, index=resources.index, embedder=resources.embedder),
    )


def programs_interpreter(resources: Resources) -> ProgramInterpreter:
    """The interpreter that a training run made, from the folder that the settings name.

    Raises:
        ArtifactError: there is none, or it does not fit the graph.
    """
    from isomatch.interpret.programs.interpreter import ProgramInterpreter
    from isomatch.trained.artifact import open_artifact

    artifact = open_artifact(resources.settings.programs_folder, "programs", resources.schema)
    return ProgramInterpreter(
        resources.store,
        resources.schema,
        resources.word_embedder,
        resources.lexicon,
        resources.mentions,
        artifact,
        words=interpreter_of(resources, "schema") if artifact.config.unchecked else None,
        cache_folder=resources.settings.cache_path,
    )
