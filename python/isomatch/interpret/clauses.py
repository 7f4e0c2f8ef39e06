"""Which words of a question a model's conditions, orders and parts stand for.

`isomatch.interpret.coverage` finds what the facts of a pattern leave out. Some of that is said
by its clauses: "largest" by an order, "not" by ``not in``, "more than 100 million" by a
condition. Each clause stands for one such word, and only for one that says the same: a
pattern that keeps the least does not account for "largest".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from isomatch.interpret.content import Word, asks_whether, is_negated, words_of
from isomatch.interpret.types import Hypothesis, Span
from isomatch.lexicon.folding import fold, tokens
from isomatch.lexicon.language import Language, default_language
from isomatch.link.normalise import value_of
from isomatch.pattern.elements import EachFunction
from isomatch.pattern.types import Condition, Order, Pattern

_TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


@dataclass(slots=True)
class _Clauses:
    """What the clauses of a pattern and its parts say; taken out once a word stands for it."""

    language: Language
    orders: list[tuple[Order, tuple[str, ...]]] = field(default_factory=list)
    comparisons: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    functions: list[EachFunction] = field(default_factory=list)
    grouped: bool = False
    asks_whether: bool = False
    excluded: int = 0
    alternatives: int = 0


def with_clauses(question: str, given: Hypothesis, language: Language | None = None) -> Hypothesis:
    """The same hypothesis, whose coverage has what its clauses stand for.

    Args:
        given: with the coverage of its facts; one without is returned as it is.
        language: of the question; None for English.
    """
    coverage = given.coverage
    if coverage is None or not coverage.left_out:
        return given
    language = language or default_language()
    clauses = _clauses(given.pattern, language)
    words = words_of(question)
    meanings = {}
    for span in coverage.left_out:
        if meaning := _meaning(span, words, clauses):
            meanings[span] = meaning
    for span in coverage.left_out:  # "populous" in "most populous", where "most" is an order
        if span.kind == "operator" and _follows_most(span, words, meanings, language):
            meanings[span] = "order"
    understood = [*coverage.understood, *(replace(s, meaning=m) for s, m in meanings.items())]
    left_out = tuple(s for s in coverage.left_out if s not in meanings)
    ordered = tuple(sorted(understood, key=lambda s: s.start))
    return replace(given, coverage=replace(coverage, understood=ordered, left_out=left_out))


def _clauses(pattern: Pattern, language: Language) -> _Clauses:
    found = _Clauses(language, asks_whether=pattern.ask)
    for one in _with_parts(pattern):
        if one.order is not None and one.order.limit is not None:
            found.orders.append((one.order, _relations(one, one.order.node)))
            found.constants.append(str(one.order.limit))
        if one.aggregate is not None:
            found.functions.append(one.aggregate.function)
        found.functions += [each.function for each in one.each]
        found.grouped |= bool(one.each)
        for whole in one.where:
            found.alternatives += len(whole.either)
            for condition in whole.alternatives:
                _add_condition(found, condition, one)
        for part in one.parts:
            found.excluded += part.operator in ("not in", "!=")
            found.comparisons.append((part.operator, _relations(one, *part.nodes)))
            found.names |= {
                fold(n.text) for p in _with_parts(part.pattern) for n in p.nodes if n.text
            }
    return found


def _add_condition(found: _Clauses, condition: Condition, pattern: Pattern) -> None:
    found.excluded += condition.operator == "!="
    if condition.counted and condition.operator in ("<", "<="):
        return  # who has fewer may have none, and would be in no match
    relations = () if condition.counted else _relations(pattern, condition.node)
    between = condition.operator == "between"
    operators = (">=", "<=") if between else (condition.operator,)
    found.comparisons += [(operator, relations) for operator in operators]
    found.constants += condition.values
    if condition.operator == "in":
        found.alternatives += max(0, len(condition.values) - 1)


def _with_parts(pattern: Pattern) -> Iterator[Pattern]:
    yield pattern
    for part in pattern.parts:
        yield from _with_parts(part.pattern)


def _relations(pattern: Pattern, *nodes: str) -> tuple[str, ...]:
    """Words of the relations that lead to a value."""
    texts = (e.relation for e in pattern.edges if e.relation and not set(nodes).isdisjoint(e.nodes))
    return tuple(word for text in texts for word in tokens(text))


def _meaning(span: Span, words: Sequence[Word], clauses: _Clauses) -> str:
    """What a span stands for in the clauses; empty where nothing there says the same."""
    said = tuple(tokens(span.text))
    if span.kind == "name":
        return span.text if fold(span.text) in clauses.names else ""
    if span.kind == "number":
        return _constant(span, words, clauses)
    if span.kind != "operator":
        return ""
    operators, most = clauses.language.operators, clauses.language.grammar.most
    if said in operators.superlative or (len(said) == 1 and said[0] in most):
        return _order(said[0], words, clauses)
    if said in operators.negation or is_negated(said[0], clauses.language):
        if clauses.excluded:
            clauses.excluded -= 1
            return "not in"
        return ""
    if span.start == words[0].start and clauses.asks_whether:
        first = [w.text for w in words[:2]]
        return "ask" if asks_whether(first, clauses.language) else ""
    if said in operators.disjunction:
        return _alternative(span, words, clauses)
    if said in operators.each:
        return "each" if clauses.grouped else ""
    counts = said in operators.count
    function = "count" if counts else clauses.language.function_of.get(said[0])
    if function in clauses.functions:
        clauses.functions.remove(function)
        return function
    return _comparison(span, words, clauses)


def _alternative(span: Span, words: Sequence[Word], clauses: _Clauses) -> str:
    """What an "or" says: one of several constants or conditions, or "or more"."""
    place = next(i for i, w in enumerate(words) if w.start >= span.start) + 1
    if place < len(words):
        operators, scale_of = _operators(place, words, clauses.language)
        for entry in clauses.comparisons:
            operator, relations = entry
            reverses = any(f"-{r}" in scale_of for r in relations)
            wanted = {f"{_TURNED[o] if reverses else o}=" for o in operators if o in "<>"}
            if operator in wanted:
                clauses.comparisons.remove(entry)
                return operator
    if clauses.alternatives:
        clauses.alternatives -= 1
        return "or"
    return ""


def _order(word: str, words: Sequence[Word], clauses: _Clauses) -> str:
    """An order that keeps what a superlative says, and as many as the question does."""
    language = clauses.language
    numbers = {1, *(_number(w.text, language) for w in words)}
    for entry in clauses.orders:
        order, relations = entry
        if order.limit not in numbers or order.offset:  # the second largest is not the largest
            continue
        grammar = language.grammar
        high = word in grammar.last if word in grammar.first | grammar.last else None
        reverses = False
        for scale in language.scales:
            if word in (*scale.highest, *scale.lowest):
                high = word in scale.highest
                reverses = any(f"-{r}" in scale.of for r in relations)
        # Who has the fewest may have none, and would be in no match.
        if high is None or (order.counted and not order.descending):
            continue
        if order.descending == (high != reverses):
            clauses.orders.remove(entry)
            return "order"
    return ""


def _comparison(span: Span, words: Sequence[Word], clauses: _Clauses) -> str:
    """A comparison of the pattern that says what the words around a span say."""
    place = next(i for i, w in enumerate(words) if w.start >= span.start)
    operators, scale_of = _operators(place, words, clauses.language)
    for entry in clauses.comparisons:
        operator, relations = entry
        reverses = any(f"-{r}" in scale_of for r in relations)
        wanted = {_TURNED[o] if reverses else o for o in operators}
        if operator in wanted:
            clauses.comparisons.remove(entry)
            return operator
    return ""


def _operators(
    place: int, words: Sequence[Word], language: Language
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the words at a place compare by, and the scale that they are of."""
    grammar, texts = language.grammar, [w.text for w in words]
    found: tuple[int, tuple[str, ...], tuple[str, ...]] = (0, (), ())
    for operator, phrases in language.comparisons.items():
        for phrase in phrases:
            for start in range(max(0, place - len(phrase) + 1), place + 1):
                if tuple(texts[start : start + len(phrase)]) == phrase and len(phrase) > found[0]:
                    found = len(phrase), (operator,), ()
    than = texts[place] in grammar.than
    if found[0] > 1 or (found[0] and not than):
        return (">=", "<=") if found[1] == ("between",) else found[1], ()
    near = texts[:place][::-1] if than else texts[place : place + 1]
    for word in near:  # "larger than", "more people than"
        if word in grammar.more | grammar.fewer:
            return ((">",) if word in grammar.more else ("<",)), ()
        for scale in language.scales:
            if word in (*scale.higher, *scale.lower):
                return ((">",) if word in scale.higher else ("<",)), scale.of
    return (), ()


def _constant(span: Span, words: Sequence[Word], clauses: _Clauses) -> str:
    """The constant of a clause that a number of the question is, "100" in "100 million" too."""
    place = next(i for i, w in enumerate(words) if w.start >= span.start)
    language, powers = clauses.language, clauses.language.numbers.powers
    before = _number(words[place - 1].text, language) if place else None
    if before is not None and words[place].text in powers:
        place -= 1
    number = _number(words[place].text, language)
    following = words[place + 1].text if place + 1 < len(words) else ""
    if number is not None and following in powers:
        number *= powers[following]
    for constant in clauses.constants:
        meant = value_of(constant)
        if number is not None and meant.number == number:
            return constant
        if meant.iso and meant.iso == value_of(span.text).iso:
            return constant
    return ""


def _number(word: str, language: Language) -> Decimal | None:
    return value_of(language.numbers.digits.get(word, word)).number


def _follows_most(
    span: Span, words: Sequence[Word], meanings: dict[Span, str], language: Language
) -> bool:
    """Whether a gradable adjective stands behind a "most" that an order stands for."""
    if tuple(tokens(span.text)) not in language.operators.gradable:
        return False
    place = next(i for i, w in enumerate(words) if w.start >= span.start)
    before = words[place - 1] if place else None
    return before is not None and any(
        s.start == before.start and m == "order" and before.text in language.grammar.most_before
        for s, m in meanings.items()
    )
