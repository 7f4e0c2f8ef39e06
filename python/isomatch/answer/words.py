"""An answer without a model: what the asked-for parts are bound to, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from isomatch.answer.types import HOW_SURE, RIGHTLY
from isomatch.interpret.types import Hypothesis
from isomatch.match.types import Bound, Interpretation, count_of
from isomatch.pattern.types import Pattern
from isomatch.phrasing import arrow_words, bound_words, clean, sentence, triple_words
from isomatch.store.terms import XSD, literal


def sureness_words(hypothesis: Hypothesis) -> str:
    """How sure the reading is that is answered, if its score says that."""
    return HOW_SURE.format(100 * hypothesis.score) if hypothesis.doubted < 1 else RIGHTLY


def bindings_words(
    pattern: Pattern, interpretations: Sequence[Interpretation], most: int
) -> tuple[str, tuple[Bound, ...]]:
    """The answer in words, and the distinct nodes that answer, in order.

    Args:
        pattern: what was looked for.
        interpretations: those that answer together; at least one.
        most: names that are written out for one asked-for part.
    """
    if pattern.ask:
        facts = dict.fromkeys(t for i in interpretations for t in i.matches[0].triples)
        listed = "; ".join(map(triple_words, list(facts)[:most]))
        return sentence(f"Yes: {listed}"), ()
    if not pattern.answers:  # everything is known: the question was whether it holds
        triples = interpretations[0].matches[0].triples
        return sentence(f"The graph holds: {'; '.join(map(triple_words, triples))}"), ()
    if pattern.count is not None:
        counts = dict.fromkeys(_counted(pattern.count, i) for i in interpretations)
        return sentence(" or ".join(c.name for c in counts)), tuple(counts)
    if pattern.aggregate is not None:
        values = dict.fromkeys(i.value for i in interpretations if i.value is not None)
        return sentence(" or ".join(map(bound_words, values))), tuple(values)
    if pattern.each:
        return _each_words(interpretations, most)
    if pattern.optional:
        return _column_words(pattern, interpretations, most)
    found: dict[str, dict[str, Bound]] = {id: {} for id in pattern.answers}
    for interpretation in interpretations:
        for match in interpretation.matches:
            for id, nodes in found.items():
                nodes.setdefault(match.bindings[id].id, match.bindings[id])
    at_least = any(i.cut for i in interpretations)
    lists = {id: names_words(list(nodes.values()), most, at_least) for id, nodes in found.items()}
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
    pattern: Pattern, interpretations: Sequence[Interpretation], most: int
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
            " and ".join(map(bound_words, columns[bound.id][id].values())) or "nothing"
            for id in own
        )
        for bound in list(names.values())[:most]
    ]
    if len(names) > most or any(i.cut for i in interpretations):
        listed.append(f"and more (at least {len(names)} in all)")
    return sentence("; ".join(listed)), tuple(names.values())


def absent_words(patterns: Sequence[Pattern]) -> str:
    """What a proven "no" is about, where that is facts of names; else nothing.

    Args:
        patterns: each of which has no match.

    Example:
        >>> from isomatch.pattern import parse_text
        >>> absent_words([parse_text('("Heat")-[directed by]->("Michael Moore") return ask')])
        ' as Heat ─directed by→ Michael Moore'
    """
    texts = [_facts_words(pattern) for pattern in patterns]
    return f" as {clean(' or '.join(texts), None)}" if all(texts) else ""


def _facts_words(pattern: Pattern) -> str:
    """The facts that a pattern is, if it is no more than these; a single one may be of anything."""
    bare = replace(pattern, ask=False)
    names = {n.id: n.text for n in pattern.nodes if n.text is not None and n.type is None}
    if len(pattern.edges) == 1:
        names = {n.id: n.text or "anything" for n in pattern.nodes if n.type is None}
    facts = [
        arrow_words(names[e.source], e.relation, names[e.target], directed=e.directed)
        for e in pattern.edges
        if e.relation is not None and e.value is None and {e.source, e.target} <= names.keys()
    ]
    plain = bare == Pattern(pattern.nodes, pattern.edges)
    return "; ".join(facts) if plain and len(facts) == len(pattern.edges) else ""


def _each_words(
    interpretations: Sequence[Interpretation], most: int
) -> tuple[str, tuple[Bound, ...]]:
    """What is worked out for each answer: ``Texas: 5; Ohio: 3``."""
    groups = list(dict.fromkeys(group for i in interpretations for group in i.groups))
    listed = []
    for group in groups[:most]:
        values = (bound_words(value) if value else "nothing" for value in group.values)
        listed.append(f"{', '.join(map(bound_words, group.answer))}: {', '.join(values)}")
    at_least = any(i.cut for i in interpretations)
    if len(groups) > most or at_least:
        rest = f"{len(groups) - len(listed)} more" if len(groups) > most else "perhaps more"
        listed.append(f"and {rest} ({'at least ' if at_least else ''}{len(groups)} in all)")
    answers = {bound.id: bound for group in groups for bound in group.answer}
    return sentence("; ".join(listed)), tuple(answers.values())


def _counted(node: str, interpretation: Interpretation) -> Bound:
    count = count_of(node, interpretation)
    return Bound(literal(str(count.value), datatype=f"{XSD}integer"), str(count))


def names_words(nodes: Sequence[Bound], most: int, at_least: bool = False) -> str:
    """Names as a list in words; a count where some are left out.

    Example:
        >>> names_words([Bound("1", "Heat"), Bound("2", "Ali"), Bound("3", "Thief")], 2)
        'Heat, Ali and 1 more (3 in all)'
    """
    names = [bound_words(node) for node in nodes[:most]]
    if len(nodes) > most or at_least:
        rest = f"{len(nodes) - len(names)} more" if len(nodes) > most else "perhaps more"
        return (
            f"{', '.join(names)} and {rest} ({'at least ' if at_least else ''}{len(nodes)} in all)"
        )
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
