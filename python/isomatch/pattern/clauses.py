"""What follows the paths or triples of a pattern: conditions, parts and order.

    clauses := ["where" (group ("and" group)* | either)] (part | opt)*
    group   := cond | "(" either ")"
    either  := cond ("or" cond)*
    cond    := what op constant | what "in" "(" constant ("," constant)* ")"
             | what "between" constant "and" constant | "?"id compare "?"id
             | ids ["not"] "in" braces | "?"id compare braces
    what    := "?"id | "count" "(" "?"id ")"
    part    := "without" braces
    opt     := "optional" braces
    ids     := "?"id | "(" "?"id ("," "?"id)* ")"
    op      := compare | "in" | "contains" | "starts" "with"
    compare := "=" | "!=" | "<" | "<=" | ">" | ">="
    braces  := "{" pattern "}"
    order   := "order" "by" ("?"id | "count" "(" "?"id ")") ["asc" | "desc"]
               ["limit" number] ["offset" number]

A pattern in braces is in the form of the whole and has nodes of its own. In ``without``
the unknown nodes that have the id of one outside are that one: it is written as
``?s not in { … return ?s }`` too. So they are in ``optional``, which has edges only. ``or``
beside ``and`` stands in parentheses, so that nobody has to know which of them goes first.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import replace

from isomatch.pattern.draft import Draft
from isomatch.pattern.elements import EachFunction
from isomatch.pattern.optional import RIGHT
from isomatch.pattern.rules import of_node
from isomatch.pattern.scanner import Scanner, quote
from isomatch.pattern.types import (
    EACH_FUNCTIONS,
    MOST_NESTED,
    OPERATORS,
    PART_OPERATORS,
    Condition,
    Operator,
    Order,
    Part,
    PartOperator,
    Pattern,
)

_CONSTANT = re.compile(
    r"(?:-?\d+(?:\.\d+)?|-?\d{4,}-\d\d(?:-\d\d(?:T[\d:.]+Z?)?)?|true|false)(?![\w.-])"
)
_DAY = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")
_SEVERAL = re.compile(r"\(\s*\?\w*\s*[,)]")
_NUMBER = re.compile(r"[0-9]+(?!\w)")
_OPERATORS = sorted(OPERATORS, key=len, reverse=True)  # <= before <

# Reads a pattern into a draft, which is so many braces deep.
Reader = Callable[[Scanner, Draft, int], None]


def read_clauses(scanner: Scanner, draft: Draft, depth: int, read: Reader) -> None:
    """Read ``where`` with its conditions, ``without`` and ``optional``, as they come next."""
    if scanner.take_keyword("where"):
        _group(scanner, draft, depth, read, alone=True)
        while scanner.take_keyword("and"):
            _group(scanner, draft, depth, read)
        _refuse_mixed(scanner, "or")
    while True:
        scanner.next()
        position = scanner.position
        if scanner.take_keyword("without"):
            _without(scanner, draft, position, depth, read)
        elif scanner.take_keyword("optional"):
            _optional(scanner, draft, position, depth, read)
        else:
            return


def read_order(scanner: Scanner, draft: Draft) -> None:
    """Read ``order by`` with ``limit`` and ``offset``, if they come next."""
    scanner.next()
    position = scanner.position
    if not scanner.take_keyword("order"):
        for word in ("limit", "offset"):
            if scanner.take_keyword(word):
                scanner.fail(
                    f"{word} needs an order, as in order by ?x desc limit 1; how many matches are "
                    "kept in any order is an option of the search",
                    position,
                )
        return
    if not scanner.take_keyword("by"):
        scanner.fail(f"expected by after order, as in order by ?x desc, found {scanner.found()}")
    function = take_function(scanner)
    if function:
        scanner.expect("(", f"after {function}, as in order by {function}(?x)")
    node = _unknown(scanner, "order by, as in order by ?x desc")
    if function:
        scanner.expect(")", f"after the node of {function}")
    descending = scanner.take_keyword("desc")
    if not descending:
        scanner.take_keyword("asc")
    limit = _amount(scanner, "limit", "how many answers")
    offset = _amount(scanner, "offset", "how many places are passed over")
    if limit is None and scanner.take_keyword("limit"):
        scanner.fail("offset stands behind limit, as in order by ?x desc limit 1 offset 1")
    draft.ordered(Order(node, descending, limit, function, offset or 0), position)


def format_clauses(pattern: Pattern, write: Callable[[Pattern], str]) -> str:
    """Conditions and parts as they are written, with ``where`` before, and optional parts.

    Empty without any.

    Args:
        write: gives the text of a part's pattern.
    """
    groups = [[*map(_comparison, condition.alternatives)] for condition in pattern.where]
    for part in pattern.parts:
        if not part.alternative:
            groups.append([])
        groups[-1].append(f"{part_words(part)} {{ {write(part.pattern)} }}")
    written = [" or ".join(group) for group in groups]
    if len(groups) > 1:
        written = [f"({w})" if g[1:] else w for g, w in zip(groups, written, strict=True)]
    text = f" where {' and '.join(written)}" if written else ""
    return text + "".join(f" optional {{ {write(part)} }}" for part in pattern.optional)


def part_words(part: Part) -> str:
    """The nodes and the operator of a part, as they are written before the brace."""
    ids = ", ".join(f"?{id}" for id in part.nodes)
    return f"{ids if len(part.nodes) == 1 else f'({ids})'} {part.operator}"


def format_order(pattern: Pattern) -> str:
    """The order as it is written, with a space before it; empty without one."""
    order = pattern.order
    if order is None:
        return ""
    key = of_node(order)
    limit = "" if order.limit is None else f" limit {order.limit}"
    limit += f" offset {order.offset}" if order.offset else ""
    return f" order by {key}{' desc' if order.descending else ''}{limit}"


def take_function(scanner: Scanner) -> EachFunction | None:
    """Read ``count`` or the name of another function, if it comes next."""
    return next((name for name in EACH_FUNCTIONS if scanner.take_keyword(name)), None)


def format_each(pattern: Pattern) -> list[str]:
    """What is worked out for each answer, as it is written after the returned nodes."""
    return [f"{one.function}(?{one.node})" for one in pattern.each]


def format_count(pattern: Pattern) -> str:
    """A count, an aggregate or ``ask`` as it is written, with ``return``; empty without one."""
    if pattern.ask:
        return " return ask"
    if (given := pattern.aggregate) is not None:
        return f" return {given.function}(?{given.node})"
    return "" if pattern.count is None else f" return count(?{pattern.count})"


def _amount(scanner: Scanner, word: str, what: str) -> int | None:
    """Read a keyword and its number, if it comes next."""
    if not scanner.take_keyword(word):
        return None
    number = scanner.take_match(_NUMBER)
    if number is None or len(number) > 9:
        scanner.fail(f"expected {what} after {word}, found {scanner.found()}")
    return int(number)


def _comparison(condition: Condition) -> str:
    node = of_node(condition)
    operator = condition.operator
    if condition.other is not None:
        return f"{node} {operator} ?{condition.other}"
    bare = (bool(_CONSTANT.fullmatch(v)) and _exists(v) for v in condition.values)
    values = [v if one else quote(v) for v, one in zip(condition.values, bare, strict=True)]
    if operator == "in":
        return f"{node} in ({', '.join(values)})"
    return f"{node} {operator} {' and '.join(values)}"  # two of between


def _group(
    scanner: Scanner, draft: Draft, depth: int, read: Reader, *, alone: bool = False
) -> None:
    """Read a condition, or several that are joined by ``or``.

    Args:
        alone: whether it may be several without parentheses: nothing stands before it.
    """
    scanner.next()
    position = scanner.position
    bracket = _SEVERAL.match(scanner.text, position) is None and scanner.take("(")
    places = [position]
    found = [_condition(scanner, depth, read)]
    while (bracket or alone) and scanner.take_keyword("or"):
        scanner.next()
        places.append(scanner.position)
        found.append(_condition(scanner, depth, read))
    if bracket:
        scanner.expect(")", "after the conditions, or another or")
    elif len(found) > 1:
        _refuse_mixed(scanner, "and")
    conditions = [one for one in found if isinstance(one, Condition)]
    parts = [one for one in found if isinstance(one, Part)]
    if conditions and parts:
        scanner.fail(
            "or joins conditions on one value, or patterns in braces, not both: write the "
            "condition in braces too, as in ?x in { (?x)-[r]-(?y) where ?y > 3 return ?x } or "
            "?x in { … }",
            position,
        )
    for number, part in enumerate(parts):
        draft.part(replace(part, alternative=number > 0), places[number])
    if conditions:
        draft.condition(replace(conditions[0], either=tuple(conditions[1:])), position)


def _refuse_mixed(scanner: Scanner, keyword: str) -> None:
    scanner.next()
    position = scanner.position
    if scanner.take_keyword(keyword):
        example = "as in (?x < 3 or ?x > 5) and ?y = 2"
        scanner.fail(f"and beside or needs parentheses, {example}", position)


def _condition(scanner: Scanner, depth: int, read: Reader) -> Condition | Part:
    several = scanner.next() == "("
    position = scanner.position
    function = take_function(scanner)
    if function:
        scanner.expect("(", f"after {function}, as in {function}(?x) > 3")
    nodes = _several(scanner) if several else [_unknown(scanner, "a condition, as in ?year > 2000")]
    if function:
        scanner.expect(")", f"after the node of {function}")
    node = nodes[0]

    operator = _operator(scanner, node, several)
    following = scanner.next()
    if (following == "{" or several or operator == "not in") and not function:
        if operator not in PART_OPERATORS:
            scanner.fail(f"{operator} compares with a text in quotes, not with a pattern")
        inner = _braces(scanner, depth, read, f"after {operator}")
        return Part(tuple(nodes), operator, inner.pattern(scanner.position - 1))
    if operator == "not in":
        scanner.fail(
            f"not in compares nodes with those of a pattern: leave {function} out", position
        )
    if following == "?" and not function:
        other = _unknown(scanner, "a condition, as in ?x != ?y")
        return Condition(node, operator, other=other)
    listed = operator == "in" and following == "("
    values = _constants(scanner) if listed else [_constant(scanner)]
    if operator == "between":
        if not scanner.take_keyword("and"):
            scanner.fail(f"expected and after the first value of between, found {scanner.found()}")
        values.append(_constant(scanner))
    return Condition(node, operator, tuple(values), function=function)


def _constants(scanner: Scanner) -> list[str]:
    scanner.expect("(", "before the values of in")
    values = [_constant(scanner)]
    while scanner.take(","):
        values.append(_constant(scanner))
    scanner.expect(")", "after the values of in")
    return values


def _operator(scanner: Scanner, node: str, several: bool) -> Operator | PartOperator:
    if scanner.take_keyword("not"):
        if not scanner.take_keyword("in"):
            scanner.fail(f"expected in after not, as in ?x not in {{ … }}, found {scanner.found()}")
        return "not in"
    if several:
        if not scanner.take_keyword("in"):
            scanner.fail(f"expected in or not in after several nodes, found {scanner.found()}")
        return "in"
    operator = next((o for o in _OPERATORS if _take_operator(scanner, o)), None)
    if operator is None:
        scanner.fail(
            f"expected a comparison after ?{node} ({', '.join(OPERATORS)}), found {scanner.found()}"
        )
    return operator


def _without(scanner: Scanner, draft: Draft, position: int, depth: int, read: Reader) -> None:
    inner = _braces(scanner, depth, read, "after without")
    if inner.asks:
        scanner.fail(
            "in without nothing is returned, counted or ordered: leave that out, or write "
            "?x not in { … return ?x }",
            position,
        )
    outside = draft.unknown_ids()
    shared = [id for id in inner.unknown_ids() if id in outside]
    if not shared:
        scanner.fail(
            "without shares no unknown node with the pattern before it: use an id of that, as in "
            '(?s)-[r]-(?x) without { (?s)-[q]-("X") }',
            position,
        )
    for id in shared:
        inner.returned(id, position)
    draft.part(Part(tuple(shared), "not in", inner.pattern(scanner.position - 1)), position)


def _optional(scanner: Scanner, draft: Draft, position: int, depth: int, read: Reader) -> None:
    inner = _braces(scanner, depth, read, f"after optional, as in {RIGHT}", draft.next_anonymous)
    if inner.has_clauses:
        scanner.fail(
            "an optional part has edges only: write conditions, what is returned and all else in "
            f"the pattern itself, as in {RIGHT}",
            position,
        )
    draft.optional(inner.pattern(scanner.position - 1), position)
    following = scanner.next()
    at = scanner.position
    if scanner.take_keyword("where") or following == ",":
        what = "edges stand" if following == "," else "where stands"
        scanner.fail(f"{what} before optional, as in {RIGHT}", at)


def _braces(scanner: Scanner, depth: int, read: Reader, after: str, anonymous: str = "_") -> Draft:
    """Read a pattern in braces, which is not finished yet.

    Args:
        anonymous: how ids of nodes without one begin.
    """
    scanner.next()
    position = scanner.position
    example = "" if "as in" in after else ", as in ?x in { … return ?x }"
    scanner.expect("{", f"and a pattern {after}{example}")
    if depth == MOST_NESTED:
        scanner.fail(f"patterns are nested more than {MOST_NESTED} deep", position)
    inner = Draft(scanner, anonymous)
    read(scanner, inner, depth + 1)
    if not scanner.next():
        scanner.fail("the brace opened here is not closed: } is missing", position)
    scanner.expect("}", "after the pattern")
    return inner


def _several(scanner: Scanner) -> list[str]:
    scanner.expect("(", "before several nodes")
    nodes = [_unknown(scanner, "a condition, as in (?x, ?y) in { … }")]
    while scanner.take(","):
        nodes.append(_unknown(scanner, "a condition, as in (?x, ?y) in { … }"))
    scanner.expect(")", "after the nodes")
    return nodes


def _unknown(scanner: Scanner, where: str) -> str:
    scanner.expect("?", f"and the id of an unknown node in {where}")
    return scanner.word()


def _take_operator(scanner: Scanner, operator: str) -> bool:
    if not operator[0].isalpha():
        return scanner.take(operator)
    start = scanner.position
    if all(scanner.take_keyword(word) for word in operator.split()):
        return True
    scanner.position = start
    return False


def _constant(scanner: Scanner) -> str:
    bare = scanner.take_match(_CONSTANT)
    if bare is not None and not _exists(bare):
        scanner.fail(f"{bare} is no date that exists; in quotes it is a text")
    if bare is not None:
        return bare
    if scanner.next() not in ('"', "'"):
        scanner.fail(
            "expected a number, a date (1995-07-01), true, false or a text in quotes, found "
            f"{scanner.found()}"
        )
    return scanner.quoted("the value")


def _exists(constant: str) -> bool:
    """Whether a constant is no date, or one of the calendar."""
    match = _DAY.match(constant)
    if match is None:
        return True
    year, month, day = (int(part or 1) for part in match.groups())
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 4, month)[1]
