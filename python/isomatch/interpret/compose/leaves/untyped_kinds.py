"""Kinds of things in a graph without types, where a relation is called as they are.

A loan has a `book`, and what it leads to has an author, a year and a shelf. So has everything else
that has one of these: then all of them are books, those that nobody borrowed too. But a captain is
only who is one of some ship: see `roles`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from isomatch.chains.graph import ChainGraph, Step
from isomatch.interpret.compose.analysis import all_parts
from isomatch.interpret.compose.expressions import Along, Expression, OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.types import Hypothesis
from isomatch.interpret.words.relation_spans import unsaid
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Lexicon, by_path
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.relation_words import THING
from isomatch.lexicon.substitutions import Substitution
from isomatch.pattern.types import Pattern
from isomatch.phrasing import clean
from isomatch.schema.types import Relation

LEAST = 2  # relations that all things of a kind have
SAID = 0.7  # score of a reading whose relations are all said
OF_NAMES = 0.5  # the same, where all of them are between names and what is asked for
SHARE = 0.5  # of the sources of a relation, that have another one of their class
MOST = 90  # relations whose ends are compared; a question may ask of 200 steps


def learn(kinds: GraphKinds, graph: ChainGraph, lexicon: Lexicon) -> Mapping[str, str]:
    """Let the kinds of a graph know what is of which; the words for them, with their nouns.

    Raises:
        QueryTimeout: the database did not answer in time.
    """
    own, called = own_kinds(graph, lexicon), classes(graph, lexicon)
    kinds.know(own, own_sources(graph, lexicon), ways(graph), called)
    kinds.roles = frozenset(roles(graph, lexicon))
    nouns = (*own, *sorted(kinds.classes.difference(own)))
    others = lexicon.language.other_nouns
    return {word: noun for noun in nouns for word in (noun, *others(noun))}


def own_kinds(graph: ChainGraph, lexicon: Lexicon) -> Mapping[str, str]:
    """For each noun for a kind, the relation that all things of the kind have, and nothing else.

    Args:
        graph: asked what follows its relations.
        lexicon: nouns of relations, and the class words of their ends.

    Raises:
        QueryTimeout: the database did not answer in time.
    """
    known = {r.id: r for r in graph.schema.relations if r.id in lexicon.relations}
    found = {}
    for called in known.values():
        noun = lexicon.relations[called.id].target
        if graph.schema.typed or noun not in lexicon.relations[called.id].nouns:
            continue
        having = [r for r in known.values() if lexicon.relations[r.id].source == noun]
        if len(having) >= LEAST and (total := _total(graph, called, having)):
            found[noun] = total
    return found


def own_sources(graph: ChainGraph, lexicon: Lexicon) -> Mapping[str, str]:
    """For each relation of things without a class word, the noun of the relation to all of them.

    All that have a year of birth are authors, where a book leads to each of them.

    Raises:
        QueryTimeout: the database did not answer in time.
    """
    found = {}
    for relation in graph.schema.relations:
        words = lexicon.relations.get(relation.id)
        if graph.schema.typed or words is None or words.source != THING:
            continue
        beside = graph.followers(Step(relation.id, back=True))
        steps = (step for step, share in beside.items() if step.back and share == 1.0)
        called = [lexicon.relations[s.relation] for s in steps if s.relation in lexicon.relations]
        if len(called) == 1 and called[0].target in called[0].nouns:
            found[relation.id] = called[0].target
    return found


def classes(graph: ChainGraph, lexicon: Lexicon) -> Mapping[str, str]:
    """For relations from things with a class word, this word, but where it is a poor guess.

    Films are what is directed and has actors, though no relation leads to all films. The sources
    of a relation are so called where most of them have another relation of films. Of a graph with
    too many relations to ask, only names that are paths say their class.

    Raises:
        QueryTimeout: the database did not answer in time.
    """
    known = [r for r in graph.schema.relations if r.id in lexicon.relations]
    own = {noun for r in known for noun in lexicon.relations[r.id].nouns}
    found: dict[str, list[Relation]] = {}
    for relation in () if graph.schema.typed else known:
        word = lexicon.relations[relation.id].source
        if word not in (THING, *own) and relation.id not in lexicon.doubtful:
            found.setdefault(word, []).append(relation)
    few = len(graph.schema.relations) <= MOST
    sources: dict[str, str] = {}
    for word, relations in found.items():
        called = [
            r
            for r in relations
            if (_are_alike(graph, r, relations) if few else by_path(r, lexicon.language)[0])
        ]
        sources |= {r.id: word for r in called if len(called) >= LEAST}
    return sources


def _are_alike(graph: ChainGraph, relation: Relation, others: Sequence[Relation]) -> bool:
    """Whether most sources of a relation have one of some others."""
    beside = graph.followers(Step(relation.id, back=True))
    return any(beside.get(Step(r.id), 0.0) >= SHARE for r in others if r != relation)


def ways(graph: ChainGraph) -> Mapping[Step, frozenset[str]]:
    """For each step, the steps that lead away from the things that it leads away from.

    Things are alike where they share some. Empty for a graph with too many relations to ask.

    Raises:
        QueryTimeout: the database did not answer in time.
    """
    relations = graph.schema.relations
    if graph.schema.typed or len(relations) > MOST:
        return {}
    steps = [Step(r.id, back) for r in relations for back in (False, True)]
    return {
        step: frozenset(f"{s.relation} {s.back}" for s in graph.followers(step.inverse))
        for step in steps
    }


def has_facts(graph: ChainGraph, pattern: Pattern, names: Sequence[Mention]) -> bool:
    """Whether the names of a pattern have the relations that it says of them.

    "A book by Otto" is no loan whose book he is, where such kinds are guesses.
    """
    schema = graph.schema
    steps: dict[str, set[tuple[str, bool]]] = {}
    for mention in names:
        around = graph.around(mention.ids) if mention.ids else ()
        found = {(schema.by_id[step.relation].text, step.back) for step in around}
        steps.setdefault(mention.text, set()).update(found)
    ends = (
        (pattern.node(id).text, edge.relation, back)
        for edge in pattern.edges
        for id, back in ((edge.source, False), (edge.target, True))
    )
    return all((text, back) in steps[name] for name, text, back in ends if name in steps)


def is_called(item: Item, kinds: GraphKinds) -> bool:
    """Whether a relation's own noun may stand for all that the relation leads to: "captains".

    Not a word that is only like it, nor a part of it.
    """
    relation = item.value.relation
    if relation not in kinds.roles or any(span.likeness < 1 for span in item.spans):
        return False
    said = [word for span in item.spans for word in tokens(span.text)]
    forms = kinds.language.noun_forms(said[-1])
    own = (tokens(noun) for noun in kinds.called(relation))
    return any(words[:-1] == said[:-1] and words[-1] in forms for words in own)


def roles(graph: ChainGraph, lexicon: Lexicon) -> Iterator[str]:
    """The relations whose noun is for nothing but what they lead to.

    Who is a captain is so by a relation to them; a book is one though nobody borrowed it. Of
    other nouns than those for doers only where what they lead to has something that nothing else
    has.

    Raises:
        QueryTimeout: the database did not answer in time.
    """
    schemas = lexicon.language.schemas
    doers = schemas.people | schemas.kin | schemas.roles | schemas.doers.keys()
    texts = Counter(relation.text for relation in graph.schema.relations)
    for relation in graph.schema.relations:
        words = lexicon.relations.get(relation.id)
        if graph.schema.typed or relation.literal_kinds or words is None or not words.nouns:
            continue
        if texts[relation.text] > 1:  # a pattern would count what each of them leads to
            continue
        doer = tokens(words.nouns[0])[-1] in doers
        if doer or _is_closed(graph, Step(relation.id)):
            yield relation.id


def _is_closed(graph: ChainGraph, called: Step) -> bool:
    """Whether what a step leads to has something that nothing else has, or nothing at all."""
    ends = graph.followers(called)
    own = [step for step in ends if not step.back]
    usual = [step for step in own if ends[step] == 1.0]
    shares = [graph.followers(step.inverse).get(called.inverse) == 1.0 for step in usual]
    if own:
        return any(shares)
    into = [graph.followers(step.inverse).get(called.inverse) == 1.0 for step in ends]
    return bool(into) and all(into)


def anything(relation: str, kinds: GraphKinds) -> OfType:
    """Whatever has a relation, of whichever kind."""
    return OfType("", kinds.ends(Step(relation))[0])


def guessed_kinds(item: Item, kinds: GraphKinds) -> tuple[Substitution, ...]:
    """The nouns of an item that stand for all that a relation leads to.

    A graph without types may have more of them, of which it says nothing.
    """
    if kinds.schema.typed:
        return ()
    nouns = {
        kinds.schema.by_id[id].text: {tokens(noun)[-1] for noun in kinds.called(id)}
        for id in _called(item.value)
    }
    forms = kinds.language.noun_forms  # "wrote" stands for no author
    spans = (
        span
        for span in item.spans
        if span.kind == "relation"
        and not forms(tokens(span.text)[-1]).isdisjoint(nouns.get(span.meaning, ()))
    )
    led_to = kinds.language.assumed.led_to
    return tuple(Substitution(s.text, led_to.format(clean(s.meaning))) for s in spans)


def _called(of: Expression) -> Iterator[str]:
    for one in all_parts(of):
        if isinstance(one, Along) and isinstance(one.of, OfType) and not one.of.type:
            yield one.step.relation


def says_all(given: Iterable[Hypothesis], language: Language) -> list[Hypothesis]:
    """The probable readings all of whose relations are said.

    "Ferries" says the vessel type of which "ferry" is one. Not where a relation is there twice: who
    acted "together with" somebody is another. But several names may have one thing's relation.
    """
    return [one for one in given if _is_likely(one) and _says_all(one, language)]


def _is_likely(given: Hypothesis) -> bool:
    """Whether a reading costs little; beside a class word only of what names have to do with."""
    of_names, several = _is_of_names(given.pattern), len(given.pattern.edges) > 1
    spans = given.understood
    least = OF_NAMES if of_names and several else SAID
    return given.score >= least and (of_names or all(span.kind != "type" for span in spans))


def _is_of_names(pattern: Pattern) -> bool:
    """Whether all that a pattern says of its answers is what they have to do with names.

    What is said of others on the way is read better as a chain.
    """
    ends = [pattern.node(id) for edge in pattern.edges for id in edge.nodes]
    others = {node.id for node in ends if node.text is None}
    return others <= {*pattern.answers}


def _says_all(given: Hypothesis, language: Language) -> bool:
    coverage, edges = given.coverage, given.pattern.edges
    told = Counter(edge.relation for edge in edges)
    named = {e for e in edges if any(given.pattern.node(id).text is not None for id in e.nodes)}
    again = any(told[edge.relation] > 1 and edge not in named for edge in edges)
    if coverage is None or coverage.left_out or again:
        return False
    once = {edge.relation: edge for edge in edges}.values()
    silent = unsaid(once, coverage.understood, once=True)
    return all(
        given.pattern.node(edge.target).text is not None
        and tokens(edge.relation or "")[-1] in language.schemas.sorts
        for edge in silent
    )


def _total(graph: ChainGraph, called: Relation, having: list[Relation]) -> str | None:
    """The first of some relations that what a relation leads to has, and all that have others."""
    ends = graph.followers(Step(called.id))
    all_have = [r for r in having if ends.get(Step(r.id)) == 1.0]
    if len(all_have) < LEAST or len({r.subjects for r in all_have}) > 1:
        return None
    for relation in having:
        beside = graph.followers(Step(relation.id, back=True))
        if any(beside.get(Step(r.id)) != 1.0 for r in all_have if r != relation):
            return None
    # What another relation leads to, as to a film beside the books, is of another kind.
    others = graph.followers(Step(all_have[0].id, back=True))
    if any(step.back and step.relation != called.id for step in others):
        return None
    return all_have[0].id
