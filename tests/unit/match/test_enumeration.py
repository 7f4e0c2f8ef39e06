"""Known nodes of one name: their readings differ, and the clock is looked at."""

from __future__ import annotations

from itertools import permutations

import pytest

from isomatch.link.candidates import Candidate, CandidateList
from isomatch.match.enumeration import Enumeration, Incidence, SearchedList, Stream
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.plan.planner import Checkpoint
from isomatch.plan.structure import Structure


def enumeration(streams: int, entries: int, check=lambda: None) -> Enumeration:
    listed = [Candidate(f"urn:{i}", 0.1 * i, f"name {i}") for i in range(entries)]
    structure = Structure.of(parse('("a")-[r]-(?x)'), Options())
    source = SearchedList(CandidateList.of("name", "node", listed), None)
    lists = [Stream(source) for _ in range(streams)]
    return Enumeration(lists, (), Incidence(structure, (), None), check, range(streams))


def test_streams_that_must_differ_do():
    given = enumeration(3, 4)
    found = []
    while (item := given.next()) is not None:
        found.append(item)
    assert sorted(indices for _, indices in found) == sorted(permutations(range(4), 3))
    assert [gsd for gsd, _ in found] == sorted(gsd for gsd, _ in found)


@pytest.mark.parametrize("most", [5, 100])
def test_prefixes_are_the_nearest_that_may_match(most: int):
    given = enumeration(3, 5)
    given.checkpoints = (Checkpoint(0, 2, (0,)),)
    given._dead = [set()]
    given.prune(0, (0, 1))
    alive = [pair for pair in permutations(range(5), 2) if pair != (0, 1)]
    found = given.prefixes(0, most, ())
    assert [sum(pair) for pair in found] == sorted(map(sum, alive))[:most]
    assert set(found) <= set(alive)
    assert len(set(found)) == min(most, len(alive))
    others = given.prefixes(0, 100, set(found))
    assert sorted([*found, *others]) == sorted(alive)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_entries_that_are_absent_after_a_choice_are_left_out(at: int):
    given, before = enumeration(3, 4), enumeration(3, 4)
    every = [item[1] for _ in range(24) if (item := before.next()) is not None]
    first = given.next()
    assert first is not None
    prefix = (1, 3)[:at]
    given.rule_out(prefix, [0])
    given.rule_out(prefix, [2])
    left = [one for one in every if one[:at] != prefix or one[at] not in (0, 2)]
    found = [item[1] for _ in range(24) if (item := given.next()) is not None]
    assert found == [one for one in left if one != first[1]]
    assert [one for one in every if not given.is_ruled_out(one)] == left


def test_a_list_that_does_not_grow_is_asked_for_once():
    first = (Candidate("urn:1", 0.1, "name 1"),)
    found = CandidateList("name", "node", first, frontier=0.2)

    class Stuck:
        asked = 0

        def widened(self, found: CandidateList, limit: int) -> CandidateList:
            self.asked += 1
            return found

    source = Stuck()
    searched = SearchedList(found, source)
    assert [searched.widen() for _ in range(3)] == [False] * 3
    assert source.asked == 1
    assert not searched.widen(1000)
    assert source.asked == 2


def test_no_list_is_widened_where_the_next_one_need_not_come():
    entries = [Candidate(f"urn:{i}", 0.1 * i, f"name {i}") for i in range(5)]

    class Growing:
        asked = 0

        def widened(self, found: CandidateList, limit: int) -> CandidateList:
            self.asked += 1
            return CandidateList.of("name", "node", entries)

    source = Growing()
    first = CandidateList("name", "node", tuple(entries[:2]), frontier=0.2)
    structure = Structure.of(parse('("a")-[r]-(?x)'), Options())
    lists = [Stream(SearchedList(first, source))]
    given = Enumeration(lists, (), Incidence(structure, (), None))
    assert [given.next(widen=False) for _ in range(2)] == [(0.0, (0,)), (0.1, (1,))]
    assert given.waits
    assert given.next(widen=False) is None
    assert source.asked == 0
    assert [given.next() for _ in range(2)] == [(0.2, (2,)), (pytest.approx(0.3), (3,))]
    assert source.asked == 1
    assert not given.waits


def test_the_clock_is_looked_at_although_nothing_is_found():
    class DeadlineExceeded(Exception):
        pass

    def late() -> None:
        raise DeadlineExceeded

    # 30 streams over 20 entries can never all differ.
    with pytest.raises(DeadlineExceeded):
        enumeration(30, 20, late).next()
