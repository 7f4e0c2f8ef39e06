"""Names of a question set as nodes of the graph, by the index."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from isomatch.errors import ConfigurationError

if TYPE_CHECKING:
    from isomatch.link.index import Index

MOST = 64  # nodes of one name


class Entities:
    """Finds the nodes and values that have a name.

    Args:
        index: of the graph, with its nodes.

    Raises:
        ConfigurationError: the index was made without nodes.
    """

    def __init__(self, index: Index):
        if index.nodes is not None:
            raise ConfigurationError(
                "training needs the graph's names, but the index was made without nodes: unset "
                f"{index.nodes.setting}, then run `isomatch index`"
            )
        self._index = index

    @lru_cache(maxsize=200_000)  # noqa: B019 - lives as long as a run
    def ids(self, name: str) -> tuple[str, ...]:
        """Ids of that name: letter for letter, else without regard to case and accents.

        A text that is a number, a date or a boolean is also every literal of that value.
        """
        plain = name.replace("_", " ")
        texts = self._index.by_name("nodes", name)
        exact = [text for text in texts if text.text.replace("_", " ") == plain]
        keys = self._index.keys(exact or texts, MOST)
        found = [id for ids in keys.values() for id in ids] + self._index.values(name, MOST)
        return tuple(dict.fromkeys(sorted(found)))

    def known(self, name: str) -> bool:
        """Whether the graph has a node or a value of this name."""
        return bool(self.ids(name))
