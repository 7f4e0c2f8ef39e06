"""Settings: where things are and what to use.

What is given in code or on the command line goes first, then environment
variables (``ISOMATCH_HOME``), then the file ``isomatch.toml`` of the working
folder (``ISOMATCH_CONFIG`` names another), then the defaults below. Variables
that mean the same everywhere keep their usual names: ``NEO4J_URI``,
``NEO4J_USERNAME``, ``NEO4J_PASSWORD``, ``NEO4J_DATABASE``, ``OPENAI_BASE_URL``,
``OPENAI_API_KEY``, ``QDRANT_URL`` and ``QDRANT_API_KEY``.

pydantic-settings takes 150 ms to import: the command line imports this module
inside its commands only.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from isomatch.errors import ConfigurationError
from isomatch.settings.endpoint import Endpoint
from isomatch.settings.file import CONFIG_FILE as CONFIG_FILE
from isomatch.settings.file import CONFIG_VARIABLE, DateFormat, problem_of, unknown_key
from isomatch.settings.file import config_file as config_file
from isomatch.settings.service import ServiceSettings

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
DEFAULT_GRAPH = "default"  # what the only graph is called
PREFIX = "ISOMATCH_"
# Variables that other programs read too, and mean the same by.
USUAL_VARIABLES = (
    *("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"),
    *("OPENAI_BASE_URL", "OPENAI_API_KEY", "QDRANT_URL", "QDRANT_API_KEY"),
)

Prefix = Annotated[str, Field(pattern=r"^[A-Za-z]\w*$")]
Namespace = Annotated[str, Field(pattern=r"^[A-Za-z][\w+.-]*:[^<>\"{}|^`\\\s]*$")]
GraphName = Annotated[str, Field(pattern=r"^[A-Za-z][\w-]{0,63}$")]
Texts = Annotated[tuple[str, ...], NoDecode]


class Settings(BaseSettings):
    """Everything that can be set, with its default.

    Attributes:
        home: folder of the graph, its schema, its index and the lexicon.
        embedder: ``minilm`` (the built-in ONNX model), ``static`` (quicker, and knows less),
            ``sentence-transformers:NAME_OR_PATH``, or ``openai:MODEL`` at an
            OpenAI-compatible endpoint. ``auto``: the one of these that the index was made
            with, if it is built in, else ``minilm``.
        language: of questions without a model: ``en``, ``de``, or the path of a table
            (``it.toml``).
        languages: language tags of names, preferred first; in the environment a
            comma-separated or JSON list, like every list.
        label_relations: IRIs that give names, best first; None for the usual
            ones (rdfs:label, skos:prefLabel, …). In Neo4j properties that name
            nodes (``title``), or those of one label (``Movie.title``).
        type_relation: IRI that gives types.
        prefixes: namespaces by prefix, for nodes in patterns and topics (``films:heat``),
            beside the well-known ones; in the file a table ``[prefixes]``.
        dates: format of the texts of a relation that are dates, by its name: ``[dates]``.
        exclude: what is not indexed nor searched, a list: IRIs of predicates, or namespaces
            of them (they end with ``#``, ``/`` or ``:``); in Neo4j labels and relationship
            types (``:LOGGED``), and property keys (``.hash``). Nodes with such a label are
            left out whole, with their relationships.
        subclasses: whether nodes of a subclass (``rdfs:subClassOf``, Wikidata's P279) are
            nodes of a type too.
        memory: copy the embedded graph into memory when it is opened.
        endpoint: a SPARQL endpoint, which is asked instead of the embedded graph: its
            address, or its name among ``endpoints``.
        endpoint_username, endpoint_password, endpoint_token: to log in there with;
            they go before what ``endpoints`` says.
        endpoints: endpoints by name, see `isomatch.settings.endpoint.Endpoint`; in the
            file tables ``[endpoints.NAME]``.
        neo4j_uri: address of a Neo4j server (``neo4j://``, ``bolt://``, with ``+s`` or
            ``+ssc`` for encryption); its database is asked instead of the embedded graph.
        neo4j_username, neo4j_password: the user; no password for a server without
            authentication.
        neo4j_database: None for the user's home database.
        neo4j_impersonate: user as whom to read (Enterprise edition).
        neo4j_fetch_size: rows that the server sends at a time.
        neo4j_copy_limit: nodes and relationships of the largest graph that is read into
            memory, where questions are then answered faster; 0 for none.
        plugin: whether to search by isomatch's plugin where the Neo4j database has it.
        updated_at: property of nodes that says when they were changed last;
            ``isomatch index --sync`` then reads only those of Neo4j's nodes that were
            changed since, and those without it.
        model: language model for questions and answers; None for none.
        model_timeout: seconds that one reply of the model may take.
        model_retries: further attempts after a reply that failed.
        gsr_model, programs_model, triples_model: folders of trained models that read questions,
            read them as programs, and score triples; None for those in ``HOME/models``, if any.
        evidence_tokens: most tokens of evidence for one answer.
        answer_first: whether a language model that reads triples explains its answers last.
        unsupported: whether a paragraph's sentences without support are marked or dropped.
        least_score: questions that are read with less certainty than this (0 to 1)
            are not answered.
        left_out_words: whether a reading that leaves out a plain word of the question is
            answered with a warning (``warn``) or not at all (``refuse``). One that leaves
            out a name, a number, or a word such as "largest" or "not" never is.
        openai_base_url, openai_api_key: the language model's endpoint.
        qdrant_url, qdrant_api_key: a Qdrant server; None for the embedded one.
        qdrant_prefix: of the collections there; None makes one of the home folder.
        qdrant_shards: of each collection that is made there, which a cluster spreads over its
            nodes; None for as many as it has nodes.
        text_search: whether the nodes of an endpoint are found by its own search for
            words, so that the index of the home folder has no names; ``auto``: where
            there are very many of them, and the endpoint has such a search.
        neo4j_vector_index: vector indexes of the Neo4j database that nodes are found
            by, a list; the index of the home folder then holds the rest.
        graphs: the graphs that `isomatch serve` answers from, by name; in the file tables
            ``[graphs.NAME]``, each with settings of its own (``home``, ``endpoint``,
            ``neo4j_database``, …) that go before those of the file. None: only this one.
        serve: limits of the service; in the file a table ``[serve]``.
        serve_token: without it nobody is answered by `isomatch serve`; None for
            anybody.

    Raises:
        ConfigurationError: a setting is unknown or of the wrong form, or the
            file of settings cannot be read.

    Example:
        >>> Settings(home="graphs/films").graph_path.as_posix()
        'graphs/films/graph'
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True
    )

    home: Path = Path(".isomatch")
    embedder: str = Field(default="auto", min_length=1)
    language: str = "en"
    languages: Texts = ("en",)
    label_relations: Texts | None = None
    type_relation: str = RDF_TYPE
    prefixes: Mapping[Prefix, Namespace] = Field(default_factory=dict)
    dates: Mapping[str, DateFormat] = Field(default_factory=dict)
    exclude: Texts = ()
    subclasses: bool = True
    memory: bool = False
    endpoint: str | None = None
    endpoint_username: str | None = None
    endpoint_password: SecretStr | None = None
    endpoint_token: SecretStr | None = None
    endpoints: Mapping[str, Endpoint] = Field(default_factory=dict)
    neo4j_uri: str | None = None
    neo4j_username: str = Field(default="neo4j", min_length=1)
    neo4j_password: SecretStr | None = None
    neo4j_database: str | None = None
    neo4j_impersonate: str | None = None
    neo4j_fetch_size: int = Field(default=1000, ge=1)
    neo4j_copy_limit: int = Field(default=200_000, ge=0)
    plugin: bool = True
    model: str | None = None
    model_timeout: float = Field(default=60.0, gt=0)
    model_retries: int = Field(default=2, ge=0)
    gsr_model: Path | None = None
    programs_model: Path | None = None
    triples_model: Path | None = None
    evidence_tokens: int = Field(default=2000, ge=1)
    answer_first: bool = False
    unsupported: Literal["mark", "drop"] = "drop"
    least_score: float = Field(default=0.5, ge=0, le=1)
    left_out_words: Literal["warn", "refuse"] = "warn"
    openai_base_url: str | None = None
    openai_api_key: SecretStr | None = None
    qdrant_url: str | None = None
    qdrant_api_key: SecretStr | None = None
    qdrant_prefix: str | None = None
    qdrant_shards: int | None = Field(default=None, ge=1)
    text_search: bool | Literal["auto"] = "auto"
    neo4j_vector_index: Texts = ()
    updated_at: str | None = None
    graphs: Mapping[GraphName, Mapping[str, Any]] = Field(default_factory=dict)
    serve: ServiceSettings = Field(default_factory=ServiceSettings)
    serve_token: SecretStr | None = None

    def __init__(self, **given: Any):
        """Settings by name; what is not given comes from the other places."""
        for key in given:
            if key not in Settings.model_fields:
                raise ConfigurationError(unknown_key("setting", key, Settings.model_fields))
        _check_variables()
        try:
            super().__init__(**_one_database(given))
        except SettingsError as error:  # a variable that is to be JSON
            raise ConfigurationError(f"{error}: it must be JSON ({error.__cause__})") from error
        except ValidationError as error:
            key = str(error.errors()[0]["loc"][0])
            raise ConfigurationError(
                f"the setting {key!r} ({_origin(key, given)}) is wrong: {problem_of(error)}"
            ) from error
        if self.endpoint is not None and self.neo4j_uri is not None:
            raise ConfigurationError(
                f"there are two databases: a SPARQL endpoint "
                f"({_origin('endpoint', given)}) and a Neo4j server "
                f"({_origin('neo4j_uri', given)}): unset one of them"
            )

    @field_validator("languages", "label_relations", "exclude", "neo4j_vector_index", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if value.lstrip().startswith("["):
            try:
                return json.loads(value)
            except ValueError as error:
                raise ValueError(f"not a JSON list: {error}") from error
        return tuple(part.strip() for part in value.split(",") if part.strip())

    @field_validator("endpoint", mode="before")
    @classmethod
    def _no_table(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            name = next((key for key, inner in value.items() if isinstance(inner, Mapping)), "NAME")
            raise ValueError(
                "it is an address or a name, and no table: tables of endpoints are called "
                f"[endpoints.{name}]"
            )
        return value

    @field_validator("home", "gsr_model", "programs_model", "triples_model")
    @classmethod
    def _expand(cls, value: Path | None) -> Path | None:
        return None if value is None else value.expanduser()

    @property
    def chosen_endpoint(self) -> Endpoint | None:
        """The SPARQL endpoint to ask, with the user to log in; None where none is set.

        Raises:
            ConfigurationError: it is neither an address nor a name of `endpoints`.
        """
        if self.endpoint is None:
            return None
        login = {
            "username": self.endpoint_username,
            "password": self.endpoint_password,
            "token": self.endpoint_token,
        }
        given = {key: value for key, value in login.items() if value is not None}
        named = self.endpoints.get(self.endpoint)
        if named is None and "://" not in self.endpoint:
            near = difflib.get_close_matches(self.endpoint, self.endpoints, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else "give its address, https://…"
            raise ConfigurationError(
                f"there is no endpoint {self.endpoint!r} ([endpoints.{self.endpoint}] of "
                f"{CONFIG_FILE}): {hint}"
            )
        try:
            return Endpoint(
                **{**(named.model_dump() if named else {"url": self.endpoint}), **given}
            )
        except ValidationError as error:
            # Without the address, which may have a password in it.
            raise ConfigurationError(
                f"the setting 'endpoint' is wrong: {problem_of(error)}"
            ) from error

    def graph_settings(self) -> dict[str, Settings]:
        """The settings of every graph of `graphs`; only these, as ``default``, where it has none.

        Raises:
            ConfigurationError: the settings of a graph are wrong.
        """
        if not self.graphs:
            return {DEFAULT_GRAPH: self}
        made = {}
        for name, own in self.graphs.items():
            if nested := {"graphs", "serve", "serve_token"} & own.keys():
                raise ConfigurationError(
                    f"[graphs.{name}]: {min(nested)} is a setting of the service, not of a graph"
                )
            try:
                made[name] = Settings(**own, graphs={})
            except ConfigurationError as error:
                raise ConfigurationError(f"[graphs.{name}]: {error}") from error
        return made

    @property
    def excluded(self) -> tuple[str, ...]:
        """What is left out of the graph, also by the settings of the endpoint."""
        endpoint = self.chosen_endpoint
        return tuple(sorted({*self.exclude, *(endpoint.exclude if endpoint else ())}))

    @property
    def profile_path(self) -> Path:
        """File of what the SPARQL endpoint was found to be able to do."""
        return self.home / "endpoint.json"

    @property
    def graph_path(self) -> Path:
        """Folder of the embedded store."""
        return self.home / "graph"

    @property
    def schema_path(self) -> Path:
        """File of the introspected schema."""
        return self.home / "schema.json"

    @property
    def index_path(self) -> Path:
        """Folder of the vector index."""
        return self.home / "index"

    @property
    def lexicon_path(self) -> Path:
        """File of the words for relations and types."""
        return self.home / "lexicon.toml"

    @property
    def gsr_folder(self) -> Path:
        """Folder of the trained model that reads questions; it need not be there."""
        return self.gsr_model or self.home / "models" / "gsr"

    @property
    def programs_folder(self) -> Path:
        """Folder of the trained model that reads questions as programs; it need not be there."""
        return self.programs_model or self.home / "models" / "programs"

    @property
    def triples_folder(self) -> Path:
        """Folder of the trained model that scores triples; it need not be there."""
        return self.triples_model or self.home / "models" / "triples"

    @property
    def cache_path(self) -> Path:
        """Folder of cached vectors."""
        return self.home / "cache"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then environment, then the file."""
        return (
            init_settings,
            env_settings,
            _Source(settings_cls, _usual_variables),
            _Source(settings_cls, read_config),
        )


class _Source(PydanticBaseSettingsSource):
    """Values by field name, all at once, from a function."""

    def __init__(self, settings_cls: type[BaseSettings], read: Callable[[], dict[str, Any]]):
        super().__init__(settings_cls)
        self._read = read

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        """Not used: `__call__` gives all values at once."""
        raise NotImplementedError

    def __call__(self) -> dict[str, Any]:
        return self._read()


def _usual_variables() -> dict[str, Any]:
    return {name.lower(): os.environ[name] for name in USUAL_VARIABLES if os.environ.get(name)}


def read_config() -> dict[str, Any]:
    """The settings of `config_file`; none where there is no file.

    Raises:
        ConfigurationError: not TOML, or a key that is no setting.
    """
    if (path := config_file()) is None:
        return {}
    try:
        with path.open("rb") as stream:
            values: dict[str, Any] = toml.load(stream)
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from error
    for key in values:
        if key not in Settings.model_fields:
            raise ConfigurationError(
                f"{path}: {unknown_key('setting', key, Settings.model_fields)}"
            )
    return values


def load_settings(**given: Any) -> Settings:
    """The settings in force, where None among the arguments means 'not given'.

    Raises:
        ConfigurationError: see `Settings`.

    Example:
        >>> load_settings(home="elsewhere", embedder=None).home.as_posix()
        'elsewhere'
    """
    return Settings(**{key: value for key, value in given.items() if value is not None})


def _check_variables() -> None:
    # Only what looks like a slip of the pen: a compose file or a CI job may have
    # variables of its own under our prefix.
    names = {PREFIX + name.upper() for name in Settings.model_fields} | {CONFIG_VARIABLE}
    for variable in os.environ:
        if (
            variable.startswith(PREFIX)
            and variable not in names
            and difflib.get_close_matches(variable, names, n=1, cutoff=0.9)
        ):
            raise ConfigurationError(unknown_key("variable", variable, names))


def _one_database(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, where a database given by hand takes the place of another's variable."""
    others = {"endpoint": "neo4j_uri", "neo4j_uri": "endpoint"}
    taken = [other for key, other in others.items() if given.get(key) and other not in given]
    return {**given, **dict.fromkeys(taken)}


def _origin(key: str, given: Mapping[str, Any]) -> str:
    if key in given:
        return "as given"
    for variable in (PREFIX + key.upper(), key.upper()):
        if variable in os.environ and variable.startswith((PREFIX, "NEO4J_")):
            return f"from the variable {variable}"
    return f"from {config_file()}"
