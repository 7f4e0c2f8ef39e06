"""Orders and parts of patterns, against their definitions and against search by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from tempfile import TemporaryDirectory

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from tests.oracle.brute import interpretations
from tests.oracle.checks import candidates_of, options, searched, thorough
from tests.oracle.graphs import Case, cases, schema_of, store_of
from tests.oracle.language import (
    SOME,
    TRIPLE,
    Films,
    Row,
    best_answers,
    by,
    check_language,
    films,
    key_of,
    kind_of,
    satisfies,
    values,
)
from tests.oracle.letters import Letters
from tests.servers.sessions import session_over

import isomatch
from isomatch.errors import ConfigurationError, PatternError
from isomatch.match import state
from isomatch.match.conditions import compare
from isomatch.match.enumeration import TOLERANCE
from isomatch.match.filter import Filter
from isomatch.match.nearness import Nearness
from isomatch.match.parts import PartAnswers, are_all, combinations, joined, least
from isomatch.match.search import search
from isomatch.options import Format, Options
from isomatch.output.json import result_form
from isomatch.output.queries import to_query
from isomatch.output.rows import answer_rows, result_rows, written
from isomatch.output.tree import interpretation_tree
from isomatch.output.words import group_words, nothing_words
from isomatch.pattern import Aggregate, Condition, Each, Edge, Node, Order, Part, Pattern, to_json
from isomatch.pattern.elements import EACH_FUNCTIONS, EachFunction, Function
from isomatch.pattern.types import COMPARISONS, FUNCTIONS, PART_OPERATORS, Operator
from isomatch.retrieve.types import Acceptance
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore
from isomatch.store.terms import XSD, literal, split_literal

functions = st.sampled_from((None, *EACH_FUNCTIONS))
orders = st.builds(
    Order,
    st.sampled_from("abc"),
    st.booleans(),
    st.one_of(st.none(), st.integers(1, 4)),
    offset=st.integers(0, 3),
)


@given(values, orders, st.sets(st.sampled_from("abc"), min_size=1), functions)
def test_an_order_keeps_the_answers_of_its_definition(
    rows: list[Row], order: Order, returns: set[str], function: EachFunction | None
) -> None:
    order = replace(order, function=None if order.node in returns else function)
    pattern = replace(TRIPLE, returns=tuple(sorted(returns)), order=order)
    answers = ["abc".index(id) for id in pattern.returns]

    filter = Filter(pattern, (0, 1, 2))
    kept = filter.rows(rows)

    assert {tuple(row[i] for i in answers) for row in kept} == best_answers(order, answers, rows)
    assert set(kept) <= set(rows)


@given(values, st.sampled_from(FUNCTIONS))
def test_aggregates_are_those_of_their_definitions(rows: list[Row], function: Function) -> None:
    filter = Filter(replace(TRIPLE, aggregate=Aggregate(function, "b")), (0, 1, 2))

    id = filter.value(filter.rows(rows))

    column = [row[1] or "" for row in rows]
    if function in ("sum", "avg"):
        numbers = [Fraction(n) for id in column if (n := key_of("number", id)) is not None]  # type: ignore[arg-type]
        if not numbers:
            assert id is None
            return
        expected = sum(numbers) / (len(numbers) if function == "avg" else 1)
        assert abs(Fraction(split_literal(id or "")[0]) - expected) < Fraction(1, 10**20)
    else:
        kind = kind_of(column)
        keys = [key for id in column if (key := key_of(kind, id)) is not None]
        best = (max if function == "max" else min)(keys, default=None)  # type: ignore[type-var]
        assert (None if id is None else key_of(kind, id)) == best


@given(
    values,
    st.sets(st.sampled_from("abc"), min_size=1, max_size=2),
    st.sampled_from(EACH_FUNCTIONS),
    st.integers(1, 12),
)
def test_what_is_worked_out_for_each_answer_is_what_its_rows_alone_give(
    rows: list[Row], returns: set[str], function: EachFunction, limit: int
) -> None:
    node = next(id for id in "cba" if id not in returns)
    answers, at = ["abc".index(id) for id in sorted(returns)], "abc".index(node)
    pattern = replace(TRIPLE, returns=tuple(sorted(returns)), each=(Each(function, node),))
    filter = Filter(pattern, (0, 1, 2))

    groups = filter.groups(filter.rows(rows))
    shown = filter.shown(rows, limit)

    of_each = {tuple(row[i] for i in answers) for row in rows}
    assert set(groups) == of_each
    for answer, (id,) in groups.items():
        own = [row for row in rows if tuple(row[i] for i in answers) == answer]
        if function == "count":
            assert id is not None
            assert int(split_literal(id)[0]) == len({row[at] for row in own})
        else:
            alone = Filter(replace(TRIPLE, aggregate=Aggregate(function, node)), (0, 1, 2))
            assert id == alone.value(own)
    assert shown == [row for row in rows if row in set(shown)][:limit]
    answered = {tuple(row[i] for i in answers) for row in shown}
    assert len(answered) == min(limit, len(of_each))


@given(values, st.sampled_from("ab"), st.sampled_from(COMPARISONS), st.integers(0, 4))
def test_conditions_on_counts_and_between_nodes_keep_the_rows_of_their_definitions(
    rows: list[Row], answer: str, operator: Operator, number: int
) -> None:
    at = "ab".index(answer)
    having = Condition("c", operator, (str(number),), function="count")
    filter = Filter(replace(TRIPLE, returns=(answer,), where=(having,)), (0, 1, 2))
    things = {row[at]: {r[2] for r in rows if r[at] == row[at]} for row in rows}
    holds = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}[operator]
    assert filter.rows(rows) == [row for row in rows if holds(len(things[row[at]]), number)]
    assert filter.together

    between = replace(TRIPLE, where=(Condition("a", operator, other="c"),))
    filter = Filter(between, (0, 1, 2))
    assert filter.rows(rows) == [r for r in rows if compare(operator, r[0] or "", r[2] or "")]
    assert not filter.together


constants = st.sampled_from(("-1", "2", "1.0", "2001", "2001-05", "a", "true", "7"))
comparisons = st.builds(
    lambda operator, first, second, other: Condition(
        "b",
        operator,
        () if other else (first, second)[: 2 if operator in ("between", "in") else 1],
        "c" if other else None,
    ),
    st.sampled_from((*COMPARISONS, "between", "in")),
    constants,
    constants,
    st.booleans(),
).filter(lambda c: c.other is None or c.operator in COMPARISONS)


@given(values, st.lists(comparisons, min_size=1, max_size=3), st.lists(comparisons, max_size=2))
def test_or_keeps_what_one_of_its_conditions_keeps(
    rows: list[Row], either: list[Condition], others: list[Condition]
) -> None:
    def kept(*where: Condition) -> list[Row]:
        return Filter(replace(TRIPLE, where=where), (0, 1, 2)).rows(rows)

    first, *rest = either
    found = kept(replace(first, either=tuple(rest)), *others)

    both = [kept(one) for one in others]
    assert found == [
        row for row in rows if any(row in kept(c) for c in either) and all(row in k for k in both)
    ]
    ends = [c for c in either if c.operator == "between"]
    for one in ends:
        halves = zip((">=", "<="), one.values, strict=True)
        assert kept(one) == kept(*(Condition("b", o, (v,)) for o, v in halves))  # type: ignore[arg-type]


@given(
    values,
    values,
    st.sampled_from(PART_OPERATORS),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True),
)
def test_a_part_keeps_the_rows_of_its_definition(
    rows: list[Row], given: list[Row], operator: str, nodes: list[str]
) -> None:
    nodes = nodes if "in" in operator else nodes[:1]
    part = Part(tuple(nodes), operator, replace(TRIPLE, returns=tuple(nodes)))  # type: ignore[arg-type]
    answers = list(dict.fromkeys(row[: len(nodes)] for row in given))
    pattern = replace(TRIPLE, parts=(part,))

    filter = Filter(pattern, (0, 1, 2), [PartAnswers(part, tuple(answers))])  # type: ignore[arg-type]

    assert filter.rows(rows) == [row for row in rows if satisfies(part, answers, row)]


@given(
    values,
    st.lists(st.tuples(values, st.booleans()), min_size=1, max_size=3),
    st.sampled_from((("a",), ("b",), ("a", "c"))),
)
def test_parts_joined_by_or_keep_what_one_of_them_keeps(
    rows: list[Row], given: list[tuple[list[Row], bool]], nodes: tuple[str, ...]
) -> None:
    pattern = replace(TRIPLE, returns=nodes)
    parts = [Part(nodes, "in", pattern, alternative=bool(n)) for n in range(len(given))]
    answers = [list(dict.fromkeys(row[: len(nodes)] for row in some)) for some, _ in given]
    gave = [
        PartAnswers(part, tuple(found), lacks=lacks)  # type: ignore[arg-type]
        for part, found, (_, lacks) in zip(parts, answers, given, strict=True)
    ]
    alone = Part(nodes, "not in", pattern)
    none = PartAnswers(alone, ())

    filter = Filter(replace(TRIPLE, parts=(*parts, alone)), (0, 1, 2), joined([*gave, none]))

    pairs = list(zip(parts, answers, strict=True))
    kept = [row for row in rows if any(satisfies(part, found, row) for part, found in pairs)]
    assert filter.rows(rows) == kept
    assert filter.lacks == any(lacks for _, lacks in given)
    missing = not any(answers) and not filter.lacks
    assert any("nothing satisfies" in note for note in filter.notes()) == missing


def test_a_comparison_does_not_hold_where_what_a_part_left_out_may_break_it() -> None:
    number = [literal(str(n), datatype=XSD + "integer") for n in range(4)]
    rows: list[Row] = [("<x:a>", "<x:r>", n) for n in number]
    part = Part(("c",), ">", replace(TRIPLE, returns=("c",)))
    answers = PartAnswers(part, ((number[0],),), unsure=frozenset({(number[2],)}))

    filter = Filter(replace(TRIPLE, parts=(part,)), (0, 1, 2), [answers])

    assert filter.rows(rows) == rows[3:]
    assert filter.undecided
    assert any("2 nodes or values could not be compared" in note for note in filter.notes())


@thorough
@given(cases(), options, st.data())
def test_every_strategy_orders_the_same_matches(
    case: Case, chosen: Options, data: st.DataObject
) -> None:
    unknown = [node.id for node in case.pattern.nodes if not node.known]
    if not unknown:
        return
    chosen = chosen.with_(limit=1000)
    returns = (data.draw(st.sampled_from(unknown)),)
    node = data.draw(st.sampled_from(unknown))
    order = Order(node, True, 1, function=None if node in returns else "count")
    plain = replace(case, pattern=replace(case.pattern, returns=returns))
    ordered = replace(case, pattern=replace(plain.pattern, order=order))

    with store_of(case.graph) as store:
        schema = schema_of(case.graph)
        before = searched(plain, store, schema, chosen, None)
        after = searched(ordered, store, schema, chosen, None)

    assert [i.gsd for i in before.interpretations] == [i.gsd for i in after.interpretations]
    assert after.certificate.exact == before.certificate.exact
    for all, some in zip(before.interpretations, after.interpretations, strict=True):
        if order.counted:
            things: dict[str, set[str]] = {}
            for match in all.matches:
                answer = match.bindings[returns[0]].id
                things.setdefault(answer, set()).add(match.bindings[node].id)
            most = max(map(len, things.values()), default=0)
            kept = {answer for answer, found in things.items() if len(found) == most}
            assert {m.bindings[returns[0]].id for m in some.matches} == kept
        assert set(map(str, some.matches)) <= set(map(str, all.matches))


@thorough
@given(cases(), options)
def test_what_is_excluded_is_all_that_the_least_distance_gives(case: Case, chosen: Options) -> None:
    chosen = chosen.with_(limit=1000, type_weight=chosen.type_weight or 1.0)
    with store_of(case.graph) as store:
        nearest = least(candidates_of(case, None))
        assert are_all(nearest, chosen.type_weight)
        within = chosen.with_(k=max(combinations(nearest), 1))
        outcome = search(case.pattern, nearest, store, schema_of(case.graph), within)

    assert outcome.certificate.exact
    assert outcome.certificate.complete
    used = outcome.plan.structure.used
    width = len(used)
    found = {tuple(zip(used, row[:width], strict=True)) for o in outcome.found for row in o.rows}
    distances = [
        (min(entries.values(), default=math.inf), weight)
        for lists, weight in (
            (case.lists.nodes, 1.0),
            (case.lists.relations, 1.0),
            (case.lists.types, chosen.type_weight),
        )
        for entries in lists.values()
    ]
    nearest_of_all = sum(distance * weight for distance, weight in distances)
    truth = interpretations(
        case.graph,
        case.pattern,
        case.lists,
        nodes=chosen.nodes,
        direction=chosen.direction,
        type_weight=chosen.type_weight,
    )
    expected = {
        tuple((n, match.nodes[n]) for n in used)
        for one in truth
        if one.gsd <= nearest_of_all + TOLERANCE
        for match in one.matches
    }
    assert found == expected


@thorough
@given(films())
def test_orders_and_parts_give_what_they_must_on_random_graphs(graph: Films) -> None:
    with TemporaryDirectory() as home, session(graph, Path(home)) as opened:
        check_language(opened, graph)


def test_rdflib_gives_what_orders_and_parts_must(tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(data=SOME.turtle(), format="turtle")
    with session_over(RdflibStore(graph), tmp_path, Letters(24)) as opened:
        check_language(opened, SOME)


def session(graph: Films, home: Path) -> isomatch.Session:
    """Over a graph in memory."""
    store = pyoxigraph.Store()
    store.load(graph.turtle().encode(), pyoxigraph.RdfFormat.TURTLE)
    return session_over(OxigraphStore.memory(store), home, Letters(24))


F, P = [f"http://e/f{i}" for i in range(6)], [f"http://e/p{i}" for i in range(4)]


@pytest.fixture
def few(tmp_path: Path) -> Iterator[isomatch.Session]:
    """Two people of one name, of whom one has films, and one of a similar name who has some."""
    names = {P[0]: "Ann Lee", P[1]: "Ann Lee", P[2]: "Anna Lee", P[3]: "Bob Ray"}
    facts = ((F[0], P[0], 1990), (F[1], P[2], 1991), (F[2], P[2], 1991), (F[3], P[0], 1992))
    with session(Films(names, facts), tmp_path) as opened:
        yield opened


def ids(result: isomatch.MatchResult) -> list[str]:
    return [bound.id for bound in result.answers()]


def test_answers_come_in_their_order_and_those_that_share_the_last_place_stay(
    few: isomatch.Session,
) -> None:
    down, up = by(order=Order("y", True)), by(order=Order("y", False, 2))
    first, *tied, last = ids(few.match(down, k=1))
    assert (first, sorted(tied), last) == (F[3], [F[1], F[2]], F[0])
    assert sorted(ids(few.match(up, k=1))) == [F[0], F[1], F[2]]


def test_an_offset_passes_over_all_answers_that_share_a_place(few: isomatch.Session) -> None:
    def of(order: Order, **more: object) -> list[str]:
        return sorted(ids(few.match(replace(by(), order=order, **more), k=1)))  # type: ignore[arg-type]

    assert of(Order("y", True, 1, offset=1)) == [F[1], F[2]]
    assert of(Order("y", True, 1, offset=2)) == [F[0]]
    assert of(Order("y", False, None, offset=1)) == [F[1], F[2], F[3]]
    result = few.match(by(order=Order("y", True, 1, offset=3)), k=1)
    assert not result.found
    assert nothing_words(result) == "there are not so many answers as the order passes over"
    note = "offset 3 passes over all answers: there are 3 different values of ?y"
    assert note in result.certificate.notes
    second = few.match("(?f)-[by]->(?p) return ?p order by count(?f) desc limit 1 offset 1", k=1)
    assert second.found is False


def test_what_has_nothing_excludes_nothing_and_never_by_a_similar_name(
    few: isomatch.Session,
) -> None:
    result = few.match(by(parts=(Part(("f",), "not in", by("Bob Ray")),)), k=1)

    assert len(ids(result)) == 4
    assert result.certificate.complete
    (part,) = result.parts
    assert [c.name for c in part.interpretations[0].choices] == ["Bob Ray", "by", "year"]
    assert part.interpretations[0].matches == ()


def test_a_part_that_is_not_near_answers_nothing(few: isomatch.Session) -> None:
    for operator in ("in", "not in"):
        part = Part(("f",), operator, by("Zebulon Q. Quux"))  # type: ignore[arg-type]
        result = few.match(by(parts=(part,)), k=1)

        assert result.interpretations
        assert not result.found
        assert Acceptance(Nearness()).near(result) == []


def test_a_part_without_an_interpretation_is_told(few: isomatch.Session) -> None:
    nowhere = Pattern((Node("f"), Node("x", "<http://e/none>")), (Edge("f", "by", "x"),), ("f",))
    result = few.match(replace(by(parts=(Part(("f",), "in", nowhere),)), returns=(), count="f"))

    assert not result
    assert not result.found
    assert any("that pattern gives nothing" in note for note in result.certificate.notes)
    result = few.match(by(parts=(Part(("f",), "not in", nowhere),)), k=1)
    assert len(ids(result)) == 4
    assert any(note.startswith("in a part: ") for note in result.certificate.notes)


def test_a_part_that_gives_nothing_leaves_what_its_alternative_gives(
    few: isomatch.Session,
) -> None:
    nowhere = Pattern((Node("f"), Node("x", "<http://e/none>")), (Edge("f", "by", "x"),), ("f",))
    parts = (Part(("f",), "in", nowhere), Part(("f",), "in", by("Anna Lee"), alternative=True))

    result = few.match(by(parts=parts), k=1)
    nothing = few.match(by(parts=(parts[0], replace(parts[0], alternative=True))), k=1)

    assert set(ids(result)) == {F[1], F[2]}
    assert result.certificate.exact
    assert not any("nothing satisfies" in note for note in result.certificate.notes)
    assert [part.get("alternative") for part in result_form(result)["parts"]] == [None, True]
    assert not nothing.interpretations
    assert "nothing satisfies ?f in { … } or …: these patterns give nothing" in (
        nothing.certificate.notes
    )


def test_parts_may_have_parts_and_counts(few: isomatch.Session) -> None:
    others = by(parts=(Part(("f",), "not in", by("Ann Lee")),))
    assert set(ids(few.match(by(parts=(Part(("f",), "not in", others),)), k=1))) == {F[0], F[3]}
    counted = replace(by("Anna Lee"), returns=(), count="f")
    assert not few.match(by(parts=(Part(("y",), "=", counted),)), k=1).found
    assert len(ids(few.match(by(parts=(Part(("y",), ">", counted),)), k=1))) == 4


def test_counts_of_answers_and_other_nodes_are_conditions(few: isomatch.Session) -> None:
    text = "(?f)-[by]->(?p) where count(?f) >= 2 return ?p"
    assert set(ids(few.match(text, k=1))) == {P[0], P[2]}
    assert few.match(text.replace("return ?p", "return count(?p)"), k=1).count().value == 2  # type: ignore[union-attr]
    later = "(?f)-[year]->(?y), (?g)-[year]->(?z) where ?y > ?z and ?z > 1990 return ?f"
    assert ids(few.match(later, k=1)) == [F[3]]
    with pytest.raises(ConfigurationError, match="where count needs all matches"):
        few.match(text, results="matches")
    with pytest.raises(PatternError, match="that is no number"):
        few.match(text.replace("2", '"x"'))


def test_or_is_of_counts_too_and_is_told_in_json(few: isomatch.Session) -> None:
    text = "(?f)-[by]->(?p) where count(?f) = 1 or count(?f) between 2 and 9 return ?p"
    assert set(ids(few.match(text, k=1))) == {P[0], P[2]}
    pattern = few.match(text, k=1).pattern
    assert to_json(pattern)["where"] == [
        {
            "node": "f",
            "operator": "=",
            "values": ["1"],
            "counted": True,
            "or": [
                {"node": "f", "operator": "between", "values": ["2", "9"], "counted": True},
            ],
        }
    ]
    years = "(?f)-[year]->(?y) where ?y = 1990 or ?y >= 1992 return ?f"
    assert set(ids(few.match(years, k=1))) == {F[0], F[3]}


def test_sums_are_over_matches_and_given_with_every_output(few: isomatch.Session) -> None:
    def value(text: str) -> str | None:
        result = few.match(text, k=1)
        found = result.value()
        assert result.found == (found is not None)
        return found and found.name

    assert value("(?f)-[year]->(?y) return sum(?y)") == "7964"
    assert value("(?f)-[year]->(?y), (?f)-[by]->(?p) where ?y > 1990 return avg(?y)") == (
        "1991.33333333"
    )
    assert value("(?f)-[year]->(?y) return max(?y)") == "1992"
    assert value("(?f)-[year]->(?y) where ?y > 3000 return min(?y)") is None
    assert value("(?f)-[by]->(?p) return avg(?p)") is None
    above = "(?f)-[year]->(?y) where ?y > { (?g)-[year]->(?z) return avg(?z) } return ?f"
    assert ids(few.match(above, k=1)) == [F[3]]
    result = few.match("(?f)-[year]->(?y) return sum(?y)", k=1)
    assert result_form(result)["interpretations"][0]["aggregated"]["value"]["name"] == "7964"
    assert written(result_rows(result), Format.csv).splitlines() == ["sum,rank,gsd", "7964,1,0.0"]
    tree = interpretation_tree(result.pattern, result.interpretations[0])
    assert "sum(?y) = 7964" in str(tree.label)
    assert few.ask("(?f)-[year]->(?y) return sum(?y)", interpreter="given").text == "7964."
    nothing = few.match("(?f)-[by]->(?p) return avg(?p)", k=1)
    assert nothing_words(nothing) == "no match has a value to work with"
    assert any("are no numbers" in note for note in nothing.certificate.notes)


def test_each_answer_has_its_own_counts_in_every_output(few: isomatch.Session) -> None:
    text = "(?f)-[by]->(?p), (?f)-[year]->(?y) return ?p, count(?f), max(?y), sum(?p2)"
    text = text.replace(", sum(?p2)", "") + " order by count(?f) desc"
    result = few.match(text, k=1)

    got = {g.answer[0].id: [v.name for v in g.values if v] for g in result.groups()}
    assert got == {P[0]: ["2", "1992"], P[2]: ["2", "1991"]}
    form = result_form(result)
    (one, _) = form["interpretations"][0]["groups"]
    assert one["values"][0] == {
        "function": "count",
        "node": "f",
        "value": {"id": '"2"^^<http://www.w3.org/2001/XMLSchema#integer>', "name": "2"},
    }
    assert set(one["answer"]) == {"p"}
    lines = written(result_rows(result), Format.csv).splitlines()
    assert lines[0] == "p,pLabel,count_f,max_y,rank,gsd"
    assert f"{P[0]},Ann Lee,2,1992,1,0.0" in lines
    words = group_words(result.pattern, result.groups()[0])
    assert words in (
        "Ann Lee: count(?f) = 2, max(?y) = 1992",
        "Anna Lee: count(?f) = 2, max(?y) = 1991",
    )
    labels = [
        child.label
        for child in interpretation_tree(result.pattern, result.interpretations[0]).children
    ]
    assert words in map(str, labels)
    answer = few.ask(text, interpreter="given")
    assert sorted(answer.text.removesuffix(".").split("; ")) == [
        "Ann Lee: 2, 1992",
        "Anna Lee: 2, 1991",
    ]
    assert {row[0].id for row in answer_rows(answer).rows} == {P[0], P[2]}
    assert "count(?f), max(?y)" in str(to_query(result, few))
    few_shown = few.match(text, k=1, limit=1)
    assert few_shown.interpretations[0].cut
    assert next(v.name for v in few_shown.groups()[0].values if v) == "2"


def test_an_answer_without_a_value_has_an_empty_cell(few: isomatch.Session) -> None:
    result = few.match("(?f)-[by]->(?p) return ?p, sum(?f)", k=1)

    assert [group.values for group in result.groups()] == [(None,), (None,)]
    assert result_form(result)["interpretations"][0]["groups"][0]["values"][0]["value"] is None
    assert written(result_rows(result), Format.csv).splitlines()[1].endswith(",,1,0.0")
    assert written(result_rows(result), Format.tsv).splitlines()[1].split("\t")[2] == ""
    (one, _) = json.loads(written(result_rows(result), Format.sparql_json))["results"]["bindings"]
    assert "sum_f" not in one
    assert any("an answer has no value for sum(?f)" in note for note in result.certificate.notes)


def test_what_is_worked_out_for_each_answer_needs_all_matches(
    few: isomatch.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "(?f)-[by]->(?p) return ?p, count(?f)"
    with pytest.raises(ConfigurationError, match="count needs all matches"):
        few.match(text, results="matches")
    monkeypatch.setattr(state, "WHOLE", 2)
    result = few.match(text, k=1)
    assert not result
    assert result.certificate.ended_by == "rows"


def test_a_sum_of_matches_that_are_cut_is_not_given(
    few: isomatch.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "(?f)-[year]->(?y) return sum(?y)"
    shown = few.match(text, k=1, limit=1)
    assert shown.value() is not None
    assert shown.interpretations[0].cut
    monkeypatch.setattr(state, "WHOLE", 2)
    result = few.match(text, k=1)
    assert not result
    assert result.certificate.ended_by == "rows"


def test_plain_matches_have_parts_and_no_order(few: isomatch.Session) -> None:
    parts = (Part(("f",), "not in", by("Anna Lee")),)
    result = few.match(by(parts=parts), k=9, results="matches")

    assert {m.bindings["f"].id for i, m in result.matches if i.near} == {F[0], F[3]}
    with pytest.raises(ConfigurationError, match="order by needs all matches"):
        few.match(by(order=Order("y")), results="matches")


def test_rows_that_are_cut_end_an_order(
    few: isomatch.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "WHOLE", 2)
    result = few.match(by(order=Order("y", True, 1)), k=1)

    assert result.certificate.ended_by == "rows"
    assert not result


@pytest.mark.parametrize("operator", PART_OPERATORS)
def test_a_part_that_is_cut_proves_nothing(
    few: isomatch.Session, monkeypatch: pytest.MonkeyPatch, operator: str
) -> None:
    from isomatch.retrieve import patterns

    monkeypatch.setattr(patterns, "WHOLE", 1)
    node = "f" if "in" in operator else "y"
    inner = replace(by("Anna Lee"), returns=(node,))
    result = few.match(by(parts=(Part((node,), operator, inner),)), k=1)  # type: ignore[arg-type]

    assert not result.certificate.complete
    assert not result.certificate.exact
    if operator == "in":
        assert all(i.cut for i in result.interpretations)
    else:
        assert result.certificate.ended_by == "rows"
        assert not result


def test_a_fixed_list_that_lacks_one_that_is_as_near_proves_nothing(few: isomatch.Session) -> None:
    pattern = by(parts=(Part(("f",), "not in", by("Ann Lee")),))

    assert few.match(pattern, k=1).certificate.complete
    assert not few.match(pattern, k=1, k_nodes=1).certificate.complete
    typed = replace(by("Ann Lee"), nodes=(Node("f", type="film"), *by("Ann Lee").nodes[1:]))
    pattern = by(parts=(Part(("f",), "not in", typed),))
    assert few.match(pattern, k=1).certificate.complete
    assert not few.match(pattern, k=1, type_weight=0.0).certificate.complete


@pytest.mark.parametrize("operator", ["in", "not in"])
def test_blank_nodes_that_change_their_names_are_not_compared(operator: str) -> None:
    edge = Edge("f", "part", "b", directed=True)
    pattern = Pattern((Node("f"), Node("b")), (edge,), ("b",))
    part = Part(("b",), operator, pattern)  # type: ignore[arg-type]
    graph = pyoxigraph.Store()
    graph.load(b"<http://e/f> <http://e/part> [], <http://e/g> .", pyoxigraph.RdfFormat.TURTLE)
    store = OxigraphStore.memory(graph)
    with TemporaryDirectory() as home, session_over(store, Path(home), Letters(24)) as opened:
        asked = replace(pattern, parts=(part,))
        assert len(ids(opened.match(asked, k=1))) == (2 if operator == "in" else 0)
        store.capabilities = replace(store.capabilities, stable_blanks=False)
        result = opened.match(asked, k=1)
        assert ids(result) == (["http://e/g"] if operator == "in" else [])
        assert not result.certificate.exact
        assert result.certificate.ended_by == (None if operator == "in" else "rows")
        assert any("blank nodes" in note for note in result.certificate.notes)


def test_a_budget_that_ended_a_part_is_told(few: isomatch.Session) -> None:
    part = Part(("f",), "not in", by("Anna Lee"))
    result = few.match(by(parts=(part,)), k=1, budget_rows=1)

    assert result.certificate.ended_by == "rows"
    assert not result
    assert math.isfinite(result.certificate.bound)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"order": Order("z")}, "order by names 'z'"),
        ({"order": Order("y", limit=0)}, "limit 0: at least one"),
        ({"order": Order("y", offset=-1)}, "offset -1: it is how many places"),
        ({"order": Order("f", function="count")}, "order by count"),
        ({"order": Order("y"), "count": "f", "returns": ()}, "count and order by"),
    ],
)
def test_orders_that_make_no_sense_are_refused(change: dict[str, object], problem: str) -> None:
    with pytest.raises(PatternError, match=problem):
        replace(by(), **change)  # type: ignore[arg-type]
