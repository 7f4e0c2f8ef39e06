"""Values that things have by another thing: the address of the place where somebody lives."""

from __future__ import annotations

from collections.abc import Iterator

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Along, Expression
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.lexicon.folding import tokens

OF_OWN = 0.2  # for the step to what has the value


def values_of_own(
    of: Expression, word: RelationWord, kinds: GraphKinds
) -> Iterator[tuple[Expression, float]]:
    """The "addresses of people", whose `currentAddress` is a place with an `address`."""
    value, schema = Step(word.relation), kinds.schema
    source, target = kinds.ends(value)
    apart = word.role == "noun" and schema.typed and source.isdisjoint(of.kinds)
    if not (apart and kinds.gives_value(word.relation)):
        return
    schemas, said = kinds.language.schemas, tokens(schema.by_id[word.relation].text)
    stints = [s for s in kinds.between(of.kinds, source) if _leads_to_stint(s, kinds)]
    own = {kinds.language.singular(one) for one in said} & schemas.by_stint
    if len(stints) == 1 and own:  # "the salary of Ann", who `hasEmployment`
        yield Along(Along(of, stints[0], kinds.ends(stints[0])[1]), value, target), OF_OWN
        return
    ways = []
    for step in kinds.between(of.kinds, source):
        name = tokens(schema.by_id[step.relation].text)
        if step.back or not {*said[-1:], *name[-1:]} & {*said} & {*name}:
            continue
        small = {*said[-1:], *name[-1:]} | schemas.general | kinds.language.function_words
        plain = {*name} <= small and {*said} <= small | schemas.naming
        ways.append((step, plain))
    if len(ways) == 1 and ways[0][1]:  # and no `homeAddress` beside it
        ((step, _),) = ways
        yield Along(Along(of, step, kinds.ends(step)[1]), value, target), OF_OWN


def _leads_to_stint(step: Step, kinds: GraphKinds) -> bool:
    """Whether a step leads from each thing to its one record of a time somewhere."""
    relation, texts = kinds.schema.by_id[step.relation], kinds.type_texts
    called = {
        text.rpartition(" ")[2].lower()
        for t in relation.target_types
        for text in [texts.get(t, "")]
    }
    single = relation.leads_to_one() and not step.back
    return single and bool(called) and called <= kinds.language.schemas.stints
