"""The index: names of a graph by vector, by normalised name and by value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from isomatch.errors import VectorIndexError
from isomatch.link import manifest as manifests
from isomatch.link.edge import EdgeHome
from isomatch.link.manifest import Manifest, damaged_file
from isomatch.link.name_table import FOLDER, IndexedTable, open_table
from isomatch.link.names import Names, Text
from isomatch.link.normalise import normalise, value_of
from isomatch.link.vectors import COLLECTIONS, RecentSearches, is_sound
from isomatch.link.work import compared, counted
from isomatch.texts import one_edit

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import Hits, Matrix, NodeSource, VectorHome, VectorStore

MOST_NAMESPACES = 200


class Index:
    """A finished index, open for reading; a context manager.

    Any number of processes may read the same index, also while a new one is
    being built: each keeps the generation that it opened. Thread-safe.

    Attributes:
        manifest: its description.
        nodes: where nodes are found when they are not in the index, whose collection
            ``nodes`` then holds only values.
        table: the names of nodes by their letters; None where the index was made by a
            version that wrote none.
    """

    def __init__(
        self,
        manifest: Manifest,
        names: Names,
        vectors: VectorStore,
        nodes: NodeSource | None = None,
        *,
        table: IndexedTable | None = None,
        changes: bool,
    ):
        """See `open`; ``changes``: whether a sync may change the vectors while they are open."""
        self.manifest = manifest
        self.table = table
        self.nodes = nodes
        self._names = names
        self._vectors = vectors
        self._counts = {c: int(manifest.counts.get(c, 0)) for c in COLLECTIONS}
        self._changes = changes
        self._recent = None if changes else RecentSearches(self._search)

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        embedder: Embedder,
        fingerprint: str | None = None,
        vectors: VectorHome | None = None,
        nodes: NodeSource | None = None,
    ) -> Index:
        """Open the index in a folder, if it is of this embedder and graph.

        Args:
            folder: where `isomatch.link.build.build_index` wrote it.
            embedder: the one that questions will be embedded with.
            fingerprint: of the graph now; None does not check it.
            vectors: where the vectors are; None for the folder itself.
            nodes: where nodes are found, of an index made without them.

        Raises:
            VectorIndexError: missing, half-written, damaged, or of another
                embedder, format or graph; the message has the command that
                repairs it.
        """
        folder = Path(folder)
        home = vectors or EdgeHome(folder)
        for _ in range(3):
            manifest = manifests.read(folder)
            _check(manifest, folder, embedder, fingerprint, home.kind)
            _check_nodes(manifest, folder, nodes)
            try:
                return cls._open(manifest, folder, home, nodes)
            except VectorIndexError:
                # A build may have replaced it between the two steps.
                if manifests.read(folder).generation == manifest.generation:
                    raise
        raise VectorIndexError(f"the index in {folder} keeps being replaced; try again")

    @classmethod
    def _open(
        cls, manifest: Manifest, folder: Path, home: VectorHome, nodes: NodeSource | None
    ) -> Index:
        if name := damaged_file(folder / manifest.generation, manifest.files):
            raise VectorIndexError(
                f"the index in {folder} is damaged: {manifest.generation}/{name} is not what was "
                "written. Run `isomatch index` to mend it"
            )
        names = Names(folder / manifest.generation / "names.db")
        try:
            table = open_table(folder / manifest.generation / FOLDER, names)
        except (OSError, ValueError) as error:
            names.close()
            raise VectorIndexError(
                f"the index in {folder} is damaged: {manifest.generation}/{FOLDER}: {error}. "
                "Run `isomatch index` to mend it"
            ) from error
        store = home.open(manifest.vectors)
        try:
            # All at once: after a later build the files can no longer be opened.
            for collection in COLLECTIONS:
                expected = int(manifest.counts.get(collection, 0))
                if (found := store.count(collection)) < expected:
                    raise VectorIndexError(
                        f"the index in {folder} is damaged: {found} of {expected} vectors of "
                        f"{collection} are there. Run `isomatch index` to rebuild it"
                    )
        except VectorIndexError:
            names.close()
            store.close()
            raise
        return cls(manifest, names, store, nodes, table=table, changes=home.in_place)

    def count(self, collection: str) -> int:
        """How many distinct texts a collection has."""
        return self._counts[collection]

    def approximate(self, collection: str) -> bool:
        """Whether a search that is not exact uses an approximate index (HNSW)."""
        return collection in self.manifest.approximate

    @property
    def caches_searches(self) -> bool:
        """Whether a repeated search is answered from memory."""
        return self._recent is not None

    def search(
        self,
        collection: str,
        vectors: Matrix,
        limit: int,
        *,
        exact: bool = False,
        within: Sequence[Sequence[int]] | None = None,
    ) -> list[Hits]:
        """For each query (point ids, L2 distances), ascending; see `VectorStore.search`.

        Below the size at which an approximate index is built, every search is
        an exact scan.
        """
        exact = exact or within is not None or not self.approximate(collection)
        if within is None and self._recent is not None:
            return self._recent.search(collection, vectors, limit, exact=exact)
        return self._search(collection, vectors, limit, exact=exact, within=within)

    def _search(
        self,
        collection: str,
        vectors: Matrix,
        limit: int,
        *,
        exact: bool,
        within: Sequence[Sequence[int]] | None = None,
    ) -> list[Hits]:
        """A search of the engine; fewer points than there are would look like all of them."""
        with counted() as work:
            found = self._vectors.search(collection, vectors, limit, exact=exact, within=within)
            if exact and not work.vectors:  # an engine counts nothing: it compares all
                all_there = [self._counts[collection]] * len(vectors)
                compared(sum(all_there if within is None else map(len, within)))
        for number, (points, distances) in enumerate(found):
            there = self._counts[collection] if within is None else len(set(within[number]))
            if len(points) < min(limit, there):
                if not exact:  # a graph of neighbours does not reach every point
                    return self._search(collection, vectors, limit, exact=True, within=within)
                if self._changes:  # on a server, a sync may have deleted some meanwhile
                    there = min(there, self._vectors.count(collection))
            few = len(points) < min(limit, there) and not (within and self._changes)
            if few or not is_sound(points, distances):
                raise self._damaged(f"a search of {collection} gave {len(points)} points")
        return found

    def texts(self, points: Sequence[int]) -> dict[int, Text]:
        """Texts by point; on a server, points that a sync has deleted are left out.

        Raises:
            VectorIndexError: the vectors have points that the names do not have.
        """
        found = self._names.texts(points)
        if not self._changes and (unknown := set(points).difference(found)):
            raise self._damaged(f"its names lack the point {min(unknown)}")
        return found

    def _damaged(self, how: str) -> VectorIndexError:
        return VectorIndexError(
            f"the index of {self.manifest.created} ({self.manifest.generation}) is damaged: {how}. "
            "Run `isomatch index` to mend it"
        )

    def keys(self, texts: Iterable[Text], limit: int) -> dict[int, list[str]]:
        """By point, the ids of what has the text as a name, ascending, ``limit`` each."""
        return self._names.keys(texts, limit)

    def aliases(self, points: Sequence[int]) -> set[tuple[int, str]]:
        """(point, graph id) where the text of the point is but an alias."""
        return self._names.aliases(points)

    def by_name(self, collection: str, text: str) -> list[Text]:
        """Texts of a collection that equal the text after normalisation."""
        return self._names.by_forms(collection, [normalise(text)])

    def by_spelling(self, collection: str, text: str) -> list[Text]:
        """Texts of a collection that are one edit from the text after normalisation."""
        return self._names.by_forms(collection, one_edit(normalise(text)))

    def two_edits(self, text: str) -> list[Text]:
        """Names of nodes at most two edits from the text after normalisation, by point.

        None where `table` is None.
        """
        near = {} if self.table is None else self.table.near_points(text, 2)
        return sorted(self._names.texts(list(near)).values())

    def points_of(self, collection: str, keys: Iterable[str]) -> dict[int, list[str]]:
        """By point of a collection, which of these graph ids have its text as a name."""
        return self._names.points_of(collection, keys)

    def values(self, text: str, limit: int = 1000) -> dict[str, str]:
        """What is equal to the text by value: ids, ascending, with names.

        Number literals equal numbers (``1,995``), a year, month or day equals itself
        and every date in it, also where the date is a text or the name of a node.
        """
        value = value_of(text)
        return self._names.values(value, limit) if value else {}

    def vectors_of(self, texts: Sequence[str]) -> dict[str, Matrix]:
        """Vectors of those texts that are in the index with the same spelling."""
        import numpy as np

        found = self._names.embedded(texts)
        vectors: dict[str, Matrix] = {}
        for collection in {collection for collection, _ in found.values()}:
            mine = [t for t, (where, _) in found.items() if where == collection]
            rows = self._vectors.retrieve(collection, [found[t][1] for t in mine])
            vectors.update(zip(mine, np.asarray(rows), strict=True))
        return vectors

    def all_names(self, collection: str = "nodes") -> Iterator[tuple[str, str]]:
        """Every (name, graph id) of a collection, in a fixed order."""
        return self._names.all(collection)

    def name_of(self, keys: Iterable[str]) -> dict[str, str]:
        """Graph ids to names; ids without a name are left out."""
        return self._names.of(keys)

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """What IRIs of nodes begin with, up to the last ``#``, ``/`` or ``:``; the first ones."""
        return frozenset(self._names.namespaces(MOST_NAMESPACES))

    def close(self) -> None:
        """Release the files; safe to call twice."""
        self._names.close()
        self._vectors.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _check(
    manifest: Manifest, folder: Path, embedder: Embedder, fingerprint: str | None, kind: str
) -> None:
    if manifest.embedder != embedder.name:
        raise VectorIndexError(
            f"the index in {folder} was made with the embedder {manifest.embedder!r}, "
            f"but {embedder.name!r} is in use: use the former, or run `isomatch index` "
            "to rebuild the index"
        )
    if manifest.dimension != embedder.dimension or manifest.metric != manifests.METRIC:
        raise VectorIndexError(
            f"the index in {folder} has vectors of {manifest.dimension} numbers "
            f"({manifest.metric}), the embedder {embedder.name!r} makes {embedder.dimension} "
            f"({manifests.METRIC}): run `isomatch index` to rebuild the index"
        )
    if manifest.vector_kind != kind:
        raise VectorIndexError(
            f"the index in {folder} has its vectors in {manifest.vector_kind!r}, but "
            f"{kind!r} is in use: set or unset QDRANT_URL, or run `isomatch index` "
            "to rebuild the index"
        )
    if fingerprint is not None and manifest.fingerprint != fingerprint:
        (was, _, then), (now, _, out) = (
            text.partition(manifests.WITHOUT) for text in (manifest.fingerprint, fingerprint)
        )
        if was == now:
            raise VectorIndexError(
                f"the index in {folder} was made with other settings exclude or subclasses (left "
                f"out: {then or 'nothing'} then, {out or 'nothing'} now): run `isomatch index`, or "
                "set them as they were"
            )
        raise VectorIndexError(
            f"the graph has changed since the index in {folder} was made, or is another "
            f"(fingerprint {manifest.fingerprint!r} then, {fingerprint!r} now): run "
            "`isomatch index --sync`, or name the right folder with --home"
        )


def _check_nodes(manifest: Manifest, folder: Path, nodes: NodeSource | None) -> None:
    if manifest.without_nodes and nodes is None:
        raise VectorIndexError(
            f"the index in {folder} was made without nodes, for a database that finds them "
            "itself: set ISOMATCH_NEO4J_VECTOR_INDEX to its vector index, or "
            "ISOMATCH_TEXT_SEARCH to true for an endpoint's search; or run `isomatch index` "
            "to rebuild the index"
        )
    if nodes is not None and not manifest.without_nodes:
        raise VectorIndexError(
            f"the index in {folder} has the nodes itself, but {nodes.setting} asks for others: "
            "unset it, or run `isomatch index` to rebuild the index, without them"
        )
