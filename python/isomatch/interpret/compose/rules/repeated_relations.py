"""The rules for words that say one relation twice: "which students does Ann teach"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Along, Named, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.sets.joins import Joined, Rule
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language


def or_same_relation(rule: Rule, kinds: GraphKinds, language: Language) -> Rule:
    """A rule for a noun before a set; what its own verb leads to is that noun already.

    Between things of one type, the students of those whom Ann teaches could be read too, or those
    whom they `teachesMath`. Elsewhere the types forbid that.
    """

    def verb(step: Step) -> str:
        return tokens(kinds.schema.by_id[step.relation].text)[0]

    def is_own(own: Step, other: Step) -> bool:
        """Whether two steps are one, or of one verb."""
        verbs = (verb(own), verb(other))
        same = not language.forms(verbs[0]).isdisjoint(language.forms(verbs[1]))
        return own == other or (
            own.back == other.back and same and all(map(language.is_verb, verbs))
        )

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        word, of = left.value, right.value
        # Who "beat a team that beat Rovers" need not have beaten Rovers.
        noun = "noun" in word.role and language.grammar.any_article.isdisjoint(gap)
        if noun and right.head < 0 and isinstance(of, Along):
            own = word.to_things
            source, target = kinds.ends(own)
            if source & target and is_own(own, of.step):
                yield "set", of, 0.0, left.head
                return
        yield from rule(left, right, gap)

    return join


def or_same_value(rule: Rule, kinds: GraphKinds, language: Language) -> Rule:
    """A rule for a set and a relation: "units of tea are in stock", by its `unitsInStock`."""
    small = language.grammar.being | language.prepositions | language.grammar.having

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of, relation = left.value, right.value.relation
        own = isinstance(of, Along) and of.step == Step(relation) and kinds.gives_value(relation)
        if own and gap and small.issuperset(gap):
            yield "set", of, 0.0, left.head
        yield from rule(left, right, gap)

    return join


def or_had_value(rule: Rule, language: Language) -> Rule:
    """A rule for two sets; what has "an artificial surface" is "with" one.

    A relation's noun behind its value is no verb, as in what "has directed" a film.
    """
    having, with_ = language.grammar.having, min(language.grammar.owning, default="")

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of = right.value
        value = isinstance(of, Along) and of.step.back and isinstance(of.of, Named)
        said = [s.text.lower() for s in right.spans if s.kind == "relation"]
        noun = len(said) == 1 and not language.is_participle(said[0])
        if value and noun and is_value(of.of):
            gap = [with_ if word in having else word for word in gap]
        yield from rule(left, right, gap)

    return join
