"""Rule out by one query what many would: which relations go on from where a beginning ends.

The ends of the first edges of an interpretation are looked at once, for all relations that the next
edge may have. An interpretation whose next relation none of them has, has no match. In a property
graph of many relationship types most nodes have few, so this comes before any interpretation is
asked about. With few types (`dynamic_types`) most first batches have what is wanted, and asking
ahead took a round trip more.
"""

from __future__ import annotations

from isomatch.compile.base import Onward
from isomatch.match.enumeration import Enumeration, Indices
from isomatch.match.state import State

# Entries of a list that are asked about at once.
ENTRIES_AT_ONCE = 64
# Beginnings of each length that are looked at. First few, since one that ends at many nodes takes
# as long as all the others, and is mostly not needed.
FIRST, GROWTH, MOST = 3, 4, 128


class LookAhead:
    """Looks at the beginnings of the next interpretations of a search, nearest first."""

    def __init__(self, search: State, enumeration: Enumeration):
        self._search = search
        self._enumeration = enumeration
        self._next = self._next_edges()
        self._looked: set[Indices] = set()
        self._rounds = 0

    def look(self) -> bool:
        """Ask about some beginnings more; whether that is any use in this search."""
        plan, streams = self._search.plan, self._search.streams
        most = min(FIRST * GROWTH**self._rounds, MOST)
        self._rounds += 1
        asked: list[Onward] = []
        after: list[tuple[Indices, list[int]]] = []
        for number, end in self._next.items():
            checkpoint = plan.checkpoints[number]
            entries = streams[checkpoint.stop].entries[:ENTRIES_AT_ONCE]
            for prefix in self._enumeration.prefixes(number, most, self._looked):
                left = self._enumeration.left(prefix, len(entries))
                relations = tuple(entries[i].id for i in left)
                branch = self._search.branch(prefix, checkpoint.edges)
                asked.append(Onward(branch, end, relations))
                after.append((prefix, left))
        if not asked:
            return bool(self._next)
        answer = self._search.executor.onward(asked)
        for (prefix, left), one, found in zip(
            after, asked, answer or (), strict=answer is not None
        ):
            self._looked.add(prefix)
            if found is not None:
                listed = zip(left, one.relations, strict=True)
                absent = (i for i, r in listed if r.startswith(":") and r not in found)
                self._enumeration.rule_out(prefix, absent)
        return answer is not None

    def covers(self, indices: Indices) -> bool:
        """Whether all but the last edge of an interpretation has been looked at."""
        return indices[: self._search.plan.checkpoints[max(self._next)].stop] in self._looked

    def _next_edges(self) -> dict[int, int]:
        """By number of a checkpoint: the end of the next edge that is in the part, an unknown."""
        plan = self._search.plan
        structure = plan.structure
        found = {}
        for number, checkpoint in enumerate(plan.checkpoints):
            following = plan.slots[checkpoint.stop : checkpoint.stop + 1]
            if checkpoint.start or not following or following[0].kind != "relation":
                continue
            edge = following[0].index
            part = {n for e in checkpoint.edges for n in structure.touched(e)}
            ends = [n for n in structure.edges[edge] if n in part]
            if len(ends) == 1 and not structure.known[ends[0]]:
                found[number] = ends[0]
        return found
