"""Perturbed copies of a graph, kept under its home folder. The graph itself is only read."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from isomatch import factories
from isomatch.errors import ConfigurationError, VectorIndexError
from isomatch.files import read_cached, write_cached
from isomatch.perturb.methods import keep_lexicon
from isomatch.perturb.similarity import Likeness
from isomatch.perturb.types import Facts, Perturbation
from isomatch.resources import ABOUT_FILE
from isomatch.session import Session
from isomatch.store.load import load
from isomatch.store.oxigraph import OxigraphStore

if TYPE_CHECKING:
    from isomatch.perturb.methods import Changed
    from isomatch.perturb.predictor import DistMult, Progress
    from isomatch.perturb.similarity import GraphFacts
    from isomatch.settings import Settings

FOLDER = "perturbed"  # under the home folder of the graph
RECORD, LIKENESS = "perturbed.json", "likeness.json"
ABOUT = "this graph is a copy with errors ({perturbation}): proofs are about the copy\n"
FORM = 1  # of the methods: another one makes other copies


@dataclass(frozen=True, slots=True)
class PerturbedCopy:
    """A copy of a graph with errors.

    Attributes:
        settings: of the copy's home folder.
        facts: of the graph.
        changed: how many of them were changed, or deleted.
        wanted: how many the level stands for.
        relations: ids of the graph's; the copy may have no facts of some.
        likeness: of graph and copy, where it was asked for.
    """

    settings: Settings
    perturbation: Perturbation
    facts: int
    changed: int
    wanted: int
    relations: tuple[str, ...] = ()
    likeness: Likeness | None = None

    @property
    def note(self) -> str:
        """Why fewer facts were changed than the level stands for; empty if none are missing."""
        if self.perturbation.method == "RS" and self.changed == self.wanted - self.wanted % 2:
            return ""
        if self.changed == self.wanted:
            return ""
        return (
            f"{self.changed:,} facts were changed, and not {self.wanted:,}: no more could be by "
            f"{self.perturbation.method}"
        )

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self.perturbation), "facts": self.facts, "changed": self.changed}


def open_perturbed(
    settings: Settings,
    perturbation: Perturbation,
    *,
    progress: Progress | None = None,
    **given: Any,
) -> Session:
    """A session over a perturbed copy of an embedded graph; the copy is made once.

    Words, names, types and trained models are those of the graph. A certificate of this
    session is about the copy.

    Args:
        settings: of the graph.
        progress: called while the names of the copy are indexed.
        given: further settings by name, as for `Session.open`.

    Raises:
        ConfigurationError: the graph is no embedded one, or nothing of it can be changed.
        MissingExtraError: RR needs torch.
        StoreError, VectorIndexError, EmbeddingError: there is no graph, or the copy could
            not be made.
    """
    copy = make_copy(settings, perturbation)
    return open_copy(copy, settings, progress=progress, **given)


def perturbed_settings(settings: Settings, perturbation: Perturbation) -> Settings:
    """The settings of a perturbed copy's home folder; the copy is made, but no index.

    Raises:
        ConfigurationError, MissingExtraError, StoreError: see `open_perturbed`.
    """
    return make_copy(settings, perturbation).settings


def open_copy(
    copy: PerturbedCopy, settings: Settings, *, progress: Progress | None = None, **given: Any
) -> Session:
    """A session over a copy that was made, which is indexed where it is not yet.

    Args:
        settings: of the graph, whose lexicon is used, as it is now.

    Raises:
        ConfigurationError: the lexicon is wrong, or cannot be written.
    """
    try:
        session = Session.open(copy.settings, **given)
    except VectorIndexError:
        _make_index(copy.settings, settings, progress)
        session = Session.open(copy.settings, **given)
    try:
        keep_lexicon(settings, copy.settings, set(copy.relations) - set(session.schema.by_id))
    except ConfigurationError:
        session.close()
        raise
    return session


def _make_index(settings: Settings, of_graph: Settings, progress: Progress | None) -> None:
    """Index a copy: from the graph's index, which has nearly all of its names and vectors."""
    if of_graph.qdrant_url is None and of_graph.index_path.is_dir():
        shutil.rmtree(settings.index_path, ignore_errors=True)
        shutil.copytree(of_graph.index_path, settings.index_path)
        try:
            factories.make_index(settings, sync=True, progress=progress)
            return
        except VectorIndexError:  # of another version or embedder
            shutil.rmtree(settings.index_path, ignore_errors=True)
    factories.make_index(settings, progress=progress)


def make_copy(
    settings: Settings, perturbation: Perturbation, *, progress: Progress | None = None
) -> PerturbedCopy:
    """Make a perturbed copy, unless there is one of this graph, method, level and seed.

    Args:
        settings: of the graph.
        progress: called with (epochs done, epochs) while a predictor is trained.

    Raises:
        ConfigurationError, MissingExtraError, StoreError: see `open_perturbed`.
    """
    with _Source(settings, progress) as source:
        return source.copy(perturbation)


def compare_copies(
    settings: Settings,
    perturbations: Sequence[Perturbation],
    *,
    progress: Progress | None = None,
) -> tuple[Likeness, tuple[PerturbedCopy, ...]]:
    """Make perturbed copies, and measure how alike each and the graph are.

    ATS is left out where torch is missing.

    Args:
        settings, progress: see `make_copy`.

    Returns:
        How alike the graph and itself are, and the copies.

    Raises:
        ConfigurationError, MissingExtraError, StoreError: see `open_perturbed`; scipy is
            needed too.
    """
    with _Source(settings, progress) as source:
        copies = tuple(source.compared(perturbation) for perturbation in perturbations)
        return source.itself(), copies


def check_embedded(settings: Settings) -> None:
    """See that a graph is an embedded one, of which copies can be made.

    Raises:
        ConfigurationError: it is in Neo4j, or behind an endpoint.
    """
    if settings.endpoint is None and settings.neo4j_uri is None:
        return
    name = "NEO4J_URI" if settings.neo4j_uri is not None else "ISOMATCH_ENDPOINT"
    raise ConfigurationError(
        f"{name} is set, and errors are only ever made in a copy of an embedded graph: export "
        f"the graph, load it with `isomatch load`, and unset {name}"
    )


class _Source:
    """The graph that copies are made of. What is expensive is read when it is first needed."""

    def __init__(self, settings: Settings, progress: Progress | None):
        check_embedded(settings)
        self.settings = settings
        self._progress = progress
        # Read once, so not from a copy in memory.
        store = factories.open_store(settings.model_copy(update={"memory": False}))
        assert isinstance(store, OxigraphStore)
        self._store = store
        identity = factories.identity_of(settings, store)
        self._key = hashlib.sha256(f"{FORM}\0{identity}".encode()).hexdigest()[:16]
        self._facts: GraphFacts | None = None
        self._last: tuple[Perturbation, Changed] | None = None  # to be copied and compared

    def __enter__(self) -> _Source:
        return self

    def __exit__(self, *exc: object) -> None:
        self._store.close()

    def copy(self, perturbation: Perturbation) -> PerturbedCopy:
        settings = self._home(perturbation)
        kept = read_cached(settings.home / RECORD, self._key)
        if kept is None or not settings.graph_path.is_dir():
            found = self._changed(perturbation)
            self._write(found.facts, settings)
            source = self._read()
            kept = {
                "facts": len(source.facts),
                "changed": found.changed,
                "wanted": found.wanted,
                "relations": [relation.value for relation in source.relations],
            }
            write_cached(settings.home / RECORD, self._key, kept)
        if not (about := settings.home / ABOUT_FILE).is_file():
            about.write_text(ABOUT.format(perturbation=perturbation), encoding="utf-8")
        relations = tuple(kept.pop("relations"))
        return PerturbedCopy(settings, perturbation, **kept, relations=relations)

    def compared(self, perturbation: Perturbation) -> PerturbedCopy:
        """The copy, with how alike it and the graph are."""
        copy = self.copy(perturbation)
        path = copy.settings.home / LIKENESS
        kept = read_cached(path, self._key, lambda value: Likeness(**value))
        if kept is None or (kept.ats is None and find_spec("torch")):
            kept = self._likeness(self._changed(perturbation).facts)
            write_cached(path, self._key, asdict(kept))
        return replace(copy, likeness=kept)

    def itself(self) -> Likeness:
        """How alike the graph and itself are."""
        return self._likeness(self._read().facts)

    def _home(self, perturbation: Perturbation) -> Settings:
        seed = f"-{perturbation.seed}-{self._key}"
        name = str(perturbation).replace(":", "-") + seed
        home = self.settings.home / FOLDER / name
        kinds = ("gsr", "programs", "triples")
        models = {f"{kind}_model": getattr(self.settings, f"{kind}_folder") for kind in kinds}
        there = {name: folder for name, folder in models.items() if folder.is_dir()}
        return self.settings.model_copy(update={"home": home, **there})

    def _changed(self, perturbation: Perturbation) -> Changed:
        from isomatch.perturb.methods import perturbed

        if self._last is None or self._last[0] != perturbation:
            predictor = self._predictor() if perturbation.method == "RR" else None
            self._last = perturbation, perturbed(self._read().facts, perturbation, predictor)
        return self._last[1]

    def _write(self, facts: Facts, settings: Settings) -> None:
        (settings.home / RECORD).unlink(missing_ok=True)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "graph.nt"
            self._read().write(facts, path)
            load([path], settings.graph_path, replace=True)

    def _read(self) -> GraphFacts:
        from isomatch.perturb.similarity import read_facts

        if self._facts is None:
            schema = factories.schema_of(self.settings, self._store)
            self._facts = read_facts(self._store, schema.by_id)
        return self._facts

    def _predictor(self) -> DistMult:
        """The predictor of the graph's facts, which is trained once."""
        from isomatch.perturb.predictor import FORM as FORM_OF_PREDICTOR
        from isomatch.perturb.predictor import DistMult, train

        path = self.settings.home / FOLDER / f"distmult-{FORM_OF_PREDICTOR}-{self._key}.npz"
        facts = self._read().facts
        if (found := DistMult.read(path, facts)) is None:
            found = train(facts, progress=self._progress)
            found.write(path)
        return found

    def _likeness(self, facts: Facts) -> Likeness:
        from isomatch.perturb.similarity import likeness

        predictor = self._predictor() if find_spec("torch") else None
        return likeness(self._read().facts, facts, predictor)
