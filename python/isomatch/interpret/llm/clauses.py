"""Which words of a question a model's conditions, orders and parts stand for.

`isomatch.interpret.coverage` finds what the facts of a pattern leave out. Some of that is said
by its clauses: "largest" by an order, "not" by ``not in``, "more than 100 million" by a
condition. Each clause stands for one such word, and only for one that says the same: a
pattern that keeps the least does not account for "largest".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from decimal import Decimal

from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word, asks_whether, is_negated, words_of
from isomatch.lexicon.folding import fold, tokens
from isomatch.lexicon.language import Language, default_language
from isomatch.link.normalise import value_of
from isomatch.match.notations import as_read, notation_of
from isomatch.pattern.elements import EachFunction
from isomatch.pattern.types import Condition, Order, Pattern
from isomatch.store.terms import literal, split_literal

_EXCLUDING = ("not in", "!=")
_OF_NONE = ("count", "sum")  # which are nothing for what is in no match
_LONGEST_DATE = 3  # words
_TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


@dataclass(slots=True)
class _Clauses:
    """What the clauses of a pattern and its parts say; taken out once a word stands for it."""

    language: Language
    orders: list[tuple[Order, tuple[str, ...]]] = field(default_factory=list)
    comparisons: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    excluded_names: set[str] = field(default_factory=set)
    dates: dict[int, str] = field(default_factory=dict)
    functions: list[tuple[EachFunction, tuple[str, ...]]] = field(default_factory=list)
    counts: bool = False
    grouped: bool = False
    asks_whether: bool = False
    excluded: int = 0
    alternatives: int = 0
    parts_by_or: int = 0
    values_by_or: int = 0


def with_clauses(question: str, given: Hypothesis, language: Language | None = None) -> Hypothesis:
    """The same hypothesis, whose coverage has what its clauses stand for.

    Args:
        given: with the coverage of its facts; one without is returned as it is.
        language: of the question; None for English.
    """
    coverage = given.coverage
    if coverage is None:
        return given
    language = language or default_language()
    clauses = _clauses(question, given.pattern, language)
    words = words_of(question)
    if given.source == "llm" and (does := _unasked(question, words, clauses)):
        note = f"the model's pattern {does}, which no word of the question says"
        given = replace(given, score=0.0, notes=(*given.notes, note))
    clauses.dates = _dates(question, words, clauses.constants)
    if any(_is_negation(span, language) for span in coverage.left_out):
        clauses.names |= clauses.excluded_names
    meanings = {}
    for span in coverage.left_out:
        if meaning := _meaning(span, words, clauses):
            meanings[span] = meaning
    for span in coverage.left_out:
        if span.kind != "operator" or span in meanings:
            continue
        if meaning := _beside(span, words, meanings, clauses):
            meanings[span] = meaning
    understood = [*coverage.understood, *(replace(s, meaning=m) for s, m in meanings.items())]
    left_out = tuple(s for s in coverage.left_out if s not in meanings)
    ordered = tuple(sorted(understood, key=lambda s: s.start))
    return replace(given, coverage=replace(coverage, understood=ordered, left_out=left_out))


def _unasked(question: str, words: Sequence[Word], clauses: _Clauses) -> str:
    """What the clauses of a pattern do that its question says by no word at all."""
    language, texts = clauses.language, [w.text for w in words]
    operators, said = language.operators, f" {' '.join(tokens(question))} "

    def has(phrases: Iterable[Sequence[str]]) -> bool:
        return any(f" {' '.join(phrase)} " in said for phrase in phrases)

    choosing = operators.superlative | operators.ordinal | operators.gradable
    if clauses.orders and not has(choosing | operators.comparison):
        return "keeps the greatest or the least"
    other = language.pointing | language.grammar.distinct
    denied = any(is_negated(text, language) or text in other for text in texts)
    denied = denied or has(operators.negation)
    if clauses.excluded and not denied and not has(operators.only):
        return "leaves some out"
    if clauses.counts and not has(operators.count):
        return "counts"
    ors = sum(said.count(f" {' '.join(phrase)} ") for phrase in operators.disjunction)
    # "Not between" and the like are two values by or.
    by_or = clauses.parts_by_or + (0 if denied else clauses.values_by_or)
    if by_or > (ors and ors + question.count(",")):  # "A, B or C" has one
        return "takes one of several for enough"
    return ""


def _clauses(question: str, pattern: Pattern, language: Language) -> _Clauses:
    found = _Clauses(language, counts=pattern.count is not None, asks_whether=pattern.ask)
    for one in pattern.patterns():
        if one.order is not None and one.order.limit is not None:
            found.orders.append((one.order, _relations(one, one.order.node)))
            found.functions += _function_of(one, one.order)
            found.constants.append(str(one.order.limit))
        if one.aggregate is not None:
            found.functions.append((one.aggregate.function, _relations(one, one.aggregate.node)))
        found.functions += [(each.function, _relations(one, each.node)) for each in one.each]
        found.grouped |= bool(one.each)
        for whole in one.where:
            found.functions += _function_of(one, whole)
            found.alternatives += len(whole.either)
            found.values_by_or += len(whole.either)
            for condition in whole.alternatives:
                _add_condition(found, condition, one, _subjects(question, one))
        for part in one.parts:
            found.excluded += part.operator in _EXCLUDING
            found.alternatives += part.alternative
            found.parts_by_or += part.alternative
            found.comparisons.append((part.operator, _relations(one, *part.nodes)))
            names = found.excluded_names if part.operator in _EXCLUDING else found.names
            names |= {fold(n.text) for p in part.pattern.patterns() for n in p.nodes if n.text}
        found.constants += [n.text for n in one.nodes if n.text and value_of(n.text)]
    return found


def _add_condition(
    found: _Clauses, condition: Condition, pattern: Pattern, subjects: Set[str]
) -> None:
    one = (
        bool(condition.function) or condition.other is not None or condition.node in pattern.answers
    )
    # Of several values one may be another: a crime film of the genre drama is no "not crime".
    found.excluded += one and condition.operator == "!="
    if condition.function in _OF_NONE and condition.operator in ("<", "<="):
        return  # who has fewer may have none, and would be in no match
    between = condition.operator == "between"
    operators: tuple[str, ...] = (">=", "<=") if between else (condition.operator,)
    if condition.other is not None:
        mine, other = (
            any(id in edge.nodes and not subjects.isdisjoint(edge.nodes) for edge in pattern.edges)
            for id in (condition.node, condition.other)
        )
        if mine == other:
            return  # nothing says which of the two the question compares
        operators = operators if mine else (_TURNED.get(condition.operator, condition.operator),)
    relations = () if condition.counted else _relations(pattern, condition.node)
    found.comparisons += [(operator, relations) for operator in operators]
    found.constants += condition.values
    names = found.excluded_names if condition.operator == "!=" else found.names
    names |= {fold(v) for v in condition.values if condition.operator in ("=", "!=", "in")}
    if condition.operator == "in":
        found.alternatives += max(0, len(condition.values) - 1)


def _function_of(
    pattern: Pattern, one: Condition | Order
) -> list[tuple[EachFunction, tuple[str, ...]]]:
    """What a condition or an order works out, with the words of the relations to its values."""
    function = None if one.counted else one.function
    return [(function, _relations(pattern, one.node))] if function else []


def _subjects(question: str, pattern: Pattern) -> set[str]:
    """What a pattern's question compares with others: the answers, or what it names first."""
    text = fold(question)
    places = ((text.find(fold(n.text)), n.id) for n in pattern.nodes if n.text)
    named = sorted((place, id) for place, id in places if place >= 0)
    return {id for _, id in named[:1]} if pattern.ask else {*pattern.answers}


def _relations(pattern: Pattern, *nodes: str) -> tuple[str, ...]:
    """Words of the relations that lead to a value."""
    texts = (e.relation for e in pattern.edges if e.relation and not set(nodes).isdisjoint(e.nodes))
    return tuple(word for text in texts for word in tokens(text))


def _meaning(span: Span, words: Sequence[Word], clauses: _Clauses) -> str:
    """What a span stands for in the clauses; empty where nothing there says the same."""
    said = tuple(tokens(span.text))
    if date := clauses.dates.get(span.start):
        return date
    if span.kind == "name":
        known = {fold(span.text), fold(clauses.language.singular(span.text))} & clauses.names
        return span.text if known else ""
    if span.kind == "number":
        return _constant(span, words, clauses)
    if span.kind != "operator":
        return ""
    operators, most = clauses.language.operators, clauses.language.grammar.most
    if said in operators.superlative or (len(said) == 1 and said[0] in most):
        return _order(span, words, clauses) or _extreme(said[0], clauses)
    if _is_negation(span, clauses.language):
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
    for entry in clauses.functions:
        if entry[0] == function:
            clauses.functions.remove(entry)
            return function
    return _comparison(span, words, clauses)


def _is_negation(span: Span, language: Language) -> bool:
    said = tuple(tokens(span.text))
    return said in language.operators.negation or is_negated(said[0], language)


def _dates(question: str, words: Sequence[Word], constants: Sequence[str]) -> dict[int, str]:
    """The constants that dates of the question are, by where each of their words begins.

    In words, or as 29/08/2017, where one of the numbers is no month.
    """
    known = {iso for constant in constants if (iso := value_of(constant).iso)}
    found: dict[int, str] = {}
    for first in range(len(words) if known else 0):
        for last in range(first, min(first + _LONGEST_DATE, len(words))):
            id = literal(question[words[first].start : words[last].end])
            text = split_literal(as_read(id, notation_of([id])))[0]
            iso = value_of(text).iso
            if iso in known:
                found |= dict.fromkeys((w.start for w in words[first : last + 1]), iso)
    return found


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


def _order(span: Span, words: Sequence[Word], clauses: _Clauses) -> str:
    """An order that keeps what a superlative says, and as many as the question does."""
    language, word = clauses.language, tokens(span.text)[0]
    before = next((w.text for w in reversed(words) if w.end <= span.start), "")
    numbers = {1, *(_number(w.text, language) for w in words)}
    ordinals = language.numbers.ordinals
    passed = ordinals.index(before) if before in ordinals else 0
    for entry in clauses.orders:
        order, relations = entry
        if order.limit not in numbers or order.offset != passed:
            continue  # the second largest is not the largest
        high = _keeps_greatest(word, relations, language)
        # Who has the fewest may have none, and would be in no match.
        if high is None or (order.function in _OF_NONE and not order.descending):
            continue
        if order.descending == high:
            clauses.orders.remove(entry)
            return "order"
    return ""


def _keeps_greatest(word: str, relations: Sequence[str], language: Language) -> bool | None:
    """Whether a superlative is of the greatest values of some relations; None if it is unknown."""
    grammar = language.grammar
    high = word in grammar.last if word in grammar.first | grammar.last else None
    for scale in language.scales:
        if word in (*scale.highest, *scale.lowest):
            high = (word in scale.highest) != any(f"-{r}" in scale.of for r in relations)
    return high


def _extreme(word: str, clauses: _Clauses) -> str:
    """The function by which the one value is worked out that a superlative asks for."""
    for function, relations in clauses.functions:
        high = _keeps_greatest(word, relations, clauses.language)
        if high is not None and function == ("max" if high else "min"):
            clauses.functions.remove((function, relations))
            return function
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
    return ""


def _number(word: str, language: Language) -> Decimal | None:
    return value_of(language.numbers.digits.get(word, word)).number


def _beside(span: Span, words: Sequence[Word], meanings: dict[Span, str], clauses: _Clauses) -> str:
    """What a word stands for by the one beside it, of which it is a part.

    "Populous" in "most populous", "than" in "longer than", "second" in "second longest".
    """
    language, said = clauses.language, tuple(tokens(span.text))
    place = next(i for i, w in enumerate(words) if w.start >= span.start)
    ends = {s.start: m for s, m in meanings.items()}
    before = words[place - 1] if place else None
    meaning = ends.get(before.start, "") if before is not None else ""
    if before is not None and said in language.operators.gradable:
        return meaning if meaning == "order" and before.text in language.grammar.most_before else ""
    if said[0] in language.grammar.than:
        return meaning if meaning in _TURNED else ""
    following = words[place + 1] if place + 1 < len(words) else span
    ordinal = said[0] in language.numbers.ordinals
    return "order" if ordinal and ends.get(following.start) == "order" else ""
