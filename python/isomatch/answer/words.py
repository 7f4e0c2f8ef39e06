"""An answer without a model: what the asked-for parts are bound to, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from isomatch.interpret.types import Hypothesis
from isomatch.lexicon.answer_words import AnswerWords
from isomatch.match.types import Bound, Count, Interpretation, count_of, lacks_answers
from isomatch.pattern.types import Pattern
from isomatch.phrasing import arrow_words, bound_words, clean, sentence, triple_words
from isomatch.store.terms import XSD, literal


def sureness_words(hypothesis: Hypothesis, words: AnswerWords) -> str:
    """How sure the reading is that is answered, if its score says that."""
    known = hypothesis.doubted < 1
    return words.sure.format(100 * hypothesis.score) if known else words.rightly


def bindings_words(
    pattern: Pattern, interpretations: Sequence[Interpretation], most: int, words: AnswerWords
) -> tuple[str, tuple[Bound, ...]]:
    """The answer in words, and the distinct nodes that answer, in order.

    Args:
        pattern: what was looked for.
        interpretations: those that answer together; at least one.
        most: names that are written out for one asked-for part.
        words: the sentences of answers.
    """
    if pattern.ask:
        facts = dict.fromkeys(t for i in interpretations for t in i.matches[0].triples)
        listed = "; ".join(map(triple_words, list(facts)[:most]))
        return sentence(words.yes.format(listed)), ()
    if not pattern.answers:  # everything is known: the question was whether it holds
        triples = interpretations[0].matches[0].triples
        return sentence(words.holds.format("; ".join(map(triple_words, triples)))), ()
    if pattern.count is not None:
        counts = dict.fromkeys(_counted(pattern.count, i) for i in interpretations)
        return sentence(words.any(c.name for c in counts)), tuple(counts)
    if pattern.aggregate is not None:
        values = dict.fromkeys(i.value for i in interpretations if i.value is not None)
        return sentence(words.any(map(bound_words, values))), tuple(values)
    if pattern.each:
        return _each_words(pattern, interpretations, most, words)
    if pattern.optional:
        return _column_words(pattern, interpretations, most, words)
    found: dict[str, dict[str, Bound]] = {id: {} for id in pattern.answers}
    for interpretation in interpretations:
        for match in interpretation.matches:
            for id, nodes in found.items():
                nodes.setdefault(match.bindings[id].id, match.bindings[id])
    whole = not any(lacks_answers(pattern, i) for i in interpretations)
    alone = len(interpretations) == len(found) == 1  # else what several list may be the same
    number = interpretations[0].answers if alone and not whole else None
    lists = {
        id: names_words(list(nodes.values()), most, words, number, whole=whole)
        for id, nodes in found.items()
    }
    if len(lists) == 1:
        text = next(iter(lists.values()))
    else:
        text = "; ".join(f"{_label(pattern, id)}: {names}" for id, names in lists.items())
    answers = {node.id: node for nodes in found.values() for node in nodes.values()}
    return sentence(text), tuple(answers.values())


def _label(pattern: Pattern, id: str) -> str:
    """What a returned node is called: its type, the one relation that leads to it, or its id."""
    relations = [e.relation for e in pattern.edges if id == e.target and e.relation]
    return pattern.node(id).type or (relations[0] if len(relations) == 1 else id)


def _column_words(
    pattern: Pattern, interpretations: Sequence[Interpretation], most: int, words: AnswerWords
) -> tuple[str, tuple[Bound, ...]]:
    """The answers, each with what optional parts give it: ``Heat: 1995, 170; Ali: nothing``."""
    names: dict[str, Bound] = {}
    columns: dict[str, dict[str, dict[str, Bound]]] = {}
    (first, *_), own = pattern.answers, [id for id in pattern.columns if id not in pattern.answers]
    for match in (m for i in interpretations for m in i.matches):
        bound = match.bindings[first]
        names.setdefault(bound.id, bound)
        for id in own:
            values = columns.setdefault(bound.id, {}).setdefault(id, {})
            values.update((value.id, value) for value in match.column(id))
    listed = [
        f"{bound_words(bound)}: "
        + ", ".join(
            words.both(map(bound_words, columns[bound.id][id].values())) or words.nothing
            for id in own
        )
        for bound in list(names.values())[:most]
    ]
    if len(names) > most or any(lacks_answers(pattern, i) for i in interpretations):
        listed.append(words.rest.format(words.some, words.at_least.format(len(names))))
    return sentence("; ".join(listed)), tuple(names.values())


def absent_words(patterns: Sequence[Pattern], words: AnswerWords) -> str:
    """A proven "no", and what it is about where that is facts of names.

    Args:
        patterns: each of which has no match.

    Example:
        >>> from isomatch.lexicon.language import default_language
        >>> from isomatch.pattern import parse_text
        >>> pattern = parse_text('("Heat")-[directed by]->("Michael Moore") return ask')
        >>> absent_words([pattern], default_language().answers)
        'No: the graph has no such fact as Heat ─directed by→ Michael Moore.'
    """
    texts = [_facts_words(pattern, words) for pattern in patterns]
    return words.no_fact.format(clean(words.any(texts), None)) if all(texts) else words.no


def _facts_words(pattern: Pattern, words: AnswerWords) -> str:
    """The facts that a pattern is, if it is no more than these; a single one may be of anything."""
    bare = replace(pattern, ask=False)
    names = {n.id: n.text for n in pattern.nodes if n.text is not None and n.type is None}
    if len(pattern.edges) == 1:
        names = {n.id: n.text or words.anything for n in pattern.nodes if n.type is None}
    facts = [
        arrow_words(names[e.source], e.relation, names[e.target], directed=e.directed)
        for e in pattern.edges
        if e.relation is not None and e.value is None and {e.source, e.target} <= names.keys()
    ]
    plain = bare == Pattern(pattern.nodes, pattern.edges)
    return "; ".join(facts) if plain and len(facts) == len(pattern.edges) else ""


def _each_words(
    pattern: Pattern, interpretations: Sequence[Interpretation], most: int, words: AnswerWords
) -> tuple[str, tuple[Bound, ...]]:
    """What is worked out for each answer: ``Texas: 5; Ohio: 3``."""
    groups = list(dict.fromkeys(group for i in interpretations for group in i.groups))
    listed = []
    for group in groups[:most]:
        values = (bound_words(value) if value else words.nothing for value in group.values)
        listed.append(f"{', '.join(map(bound_words, group.answer))}: {', '.join(values)}")
    at_least = any(lacks_answers(pattern, i) for i in interpretations)
    if len(groups) > most or at_least:
        listed.append(_rest(len(groups), len(listed), words, at_least))
    answers = {bound.id: bound for group in groups for bound in group.answer}
    return sentence("; ".join(listed)), tuple(answers.values())


def _counted(node: str, interpretation: Interpretation) -> Bound:
    count = count_of(node, interpretation)
    return Bound(literal(str(count.value), datatype=f"{XSD}integer"), str(count))


def names_words(
    nodes: Sequence[Bound],
    most: int,
    words: AnswerWords,
    number: Count | None = None,
    *,
    whole: bool = True,
) -> str:
    """Names as a list in words; a count where some are left out.

    Args:
        most: that are written out.
        number: how many there are; None for as many as are given, or at least.
        whole: whether these are all.

    Example:
        >>> from isomatch.lexicon.language import default_language
        >>> nodes = Bound("1", "Heat"), Bound("2", "Ali"), Bound("3", "Thief")
        >>> names_words(nodes, 2, default_language().answers)
        'Heat, Ali and 1 more (3 in all)'
    """
    names = [bound_words(node) for node in nodes[:most]]
    if len(nodes) > most or not whole:
        count, at_least = (number.value, number.at_least) if number else (len(nodes), not whole)
        return f"{', '.join(names)} {_rest(count, len(names), words, at_least)}"
    return words.listed(names)


def _rest(number: int, told: int, words: AnswerWords, at_least: bool) -> str:
    """How many of a number are not told, and that number."""
    more = words.more.format(number - told) if number > told else words.perhaps
    return words.rest.format(more, words.at_least.format(number) if at_least else number)
