"""The interpreters by name, and which one ``auto`` is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from isomatch.errors import ArtifactError, ConfigurationError

if TYPE_CHECKING:
    from isomatch.interpret.gsr import GSRInterpreter
    from isomatch.interpret.llm import LLMInterpreter
    from isomatch.interpret.schema import ChainInterpreter
    from isomatch.interpret.types import AsyncInterpreter, Hypothesis, Interpreter
    from isomatch.session import Session

NAMES = ("auto", "llm", "gsr", "schema", "given")
_RENAMED = {"model": "llm", "chains": "schema"}


def interpreter_name(name: str, what: str = "interpreter") -> str:
    """A name of an interpreter, or ``auto``.

    Args:
        what: the argument or option that it was given for.

    Raises:
        ConfigurationError: there is none of that name.
    """
    if name in NAMES:
        return name
    if name in _RENAMED:
        raise ConfigurationError(f"{what} {name!r} is called {_RENAMED[name]!r} now")
    raise ConfigurationError(f"{what} must be one of {', '.join(NAMES)}, not {name!r}")


@dataclass(frozen=True, slots=True)
class Chosen:
    """An interpreter, and in words why it was chosen where nobody named it."""

    interpreter: Interpreter
    note: str = ""

    def read(self, question: str, topics: Sequence[str] | None) -> tuple[Hypothesis, ...]:
        """See `Session.interpret`."""
        return self._noted(self.interpreter.interpret(question, topics=topics))

    async def aread(self, question: str, topics: Sequence[str] | None) -> tuple[Hypothesis, ...]:
        """`read` by an `AsyncInterpreter`."""
        reader = cast("AsyncInterpreter", self.interpreter)
        return self._noted(await reader.ainterpret(question, topics=topics))

    def _noted(self, hypotheses: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
        if not self.note:
            return hypotheses
        return tuple(replace(r, notes=(self.note, *r.notes)) for r in hypotheses)


def choose(session: Session, name: str) -> Chosen:
    """The interpreter of a name.

    ``auto`` is a trained model that fits the graph, else the language model where
    one is configured, else the schema's own words.

    Raises:
        ConfigurationError: no such name, or the named one is not set up.
        ArtifactError: the trained model is missing, damaged, or of another graph.
            ``auto`` passes one over that no setting names.
    """
    from isomatch.interpret.given import GivenInterpreter

    makers: dict[str, Any] = {
        "llm": lambda: session.llm_interpreter,
        "gsr": lambda: session.gsr_interpreter,
        "schema": lambda: session.schema_interpreter,
        "given": GivenInterpreter,
    }
    if interpreter_name(name) != "auto":
        return Chosen(makers[name]())
    settings = session.settings
    folder = settings.gsr_folder
    missing = "no trained model"
    if settings.gsr_model is not None or folder.is_dir():
        try:
            return Chosen(session.gsr_interpreter, f"read by the trained model in {folder}")
        except ArtifactError as error:
            if settings.gsr_model is not None:
                raise
            missing = f"the trained model in {folder} cannot be used ({error})"
    if session.model is not None:
        model = session.model.model
        return Chosen(session.llm_interpreter, f"read by the language model {model}: {missing}")
    note = f"read by the schema's words: {missing}, no language model"
    return Chosen(session.schema_interpreter, note)


def schema_interpreter(session: Session) -> ChainInterpreter:
    """The interpreter that needs no model."""
    from isomatch.interpret.schema import ChainInterpreter

    return ChainInterpreter(
        session.store,
        session.schema,
        session.embedder,
        session.index.all_names,
        session.lexicon,
        cache_folder=session.settings.cache_path,
        names_version=session.names_version,
    )


def llm_interpreter(session: Session) -> LLMInterpreter:
    """The interpreter that asks the session's language model.

    Raises:
        ConfigurationError: none is configured.
    """
    from isomatch.interpret.llm import LLMInterpreter

    if session.model is None:
        raise ConfigurationError(
            "no language model is configured: set ISOMATCH_MODEL and OPENAI_BASE_URL, "
            "or use the interpreter 'schema', which needs none"
        )
    return LLMInterpreter.for_graph(session.model, session.store, session.schema)


def gsr_interpreter(session: Session) -> GSRInterpreter:
    """The interpreter that a training run made, from the folder that the settings name.

    Raises:
        ArtifactError: there is none, or it does not fit the graph.
    """
    from isomatch.interpret.gsr import GSRInterpreter
    from isomatch.link.linker import prefetch
    from isomatch.trained.artifact import open_artifact

    artifact = open_artifact(session.settings.gsr_folder, "gsr", session.schema)
    return GSRInterpreter(
        session.store,
        session.schema,
        session.index.all_names,
        artifact,
        common=session.lexicon.words(),
        cache_folder=session.settings.cache_path,
        names_version=session.names_version,
        words=session.schema_interpreter if artifact.config.words else None,
        matcher=session,
        prefetch=partial(prefetch, index=session.index, embedder=session.embedder),
    )
