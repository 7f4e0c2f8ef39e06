"""Takes away verbs that the words before them exclude: no "called" in "people called Irene"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.categories import is_class
from isomatch.interpret.compose.expressions import Named, OfType, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.leaves.record import Record
from isomatch.interpret.compose.lexical.creation_verbs import creation_verbs
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon


def without_naming_verbs(
    words: Sequence[Word], leaves: Mapping[tuple[int, int], list[Item]], kinds: GraphKinds
) -> Mapping[tuple[int, int], list[Item]]:
    """The leaves without verbs of the graph where "called" gives a name to a class before it.

    "People called Irene" called nobody, where no relation of that verb leads from or to people.
    """
    read = dict(leaves)
    for place, word in enumerate(words):
        if word.text not in kinds.language.grammar.calling or (place, place + 1) not in leaves:
            continue
        before = [i.value for (_, end), some in leaves.items() if end == place for i in some]
        after = [i.value for (at, _), some in leaves.items() if at == place + 1 for i in some]
        named = [one.kinds for one in after if isinstance(one, Named) and not is_value(one)]
        nouns = [of for of in (kinds_of_noun(one, kinds) for one in before) if of]
        same = {kind for of in nouns for those in named for kind in of & those}
        verbs = leaves[place, place + 1]
        if same and not any(_may_say(i, nouns, named, kinds) for i in verbs):
            del read[place, place + 1]
    return without_bare_prepositions(words, read, kinds)


def without_bare_prepositions(
    words: Sequence[Word], leaves: Mapping[tuple[int, int], list[Item]], kinds: GraphKinds
) -> Mapping[tuple[int, int], list[Item]]:
    """The leaves without prepositions as relations that the class before them does not have.

    "From" is the relation `from` in "a fare from Oslo", and says whence in "trains from Oslo".
    """
    small = kinds.language.prepositions
    classes = [(at, i.value) for at, some in leaves.items() for i in some if is_class(i.value)]

    def is_of_none(start: int, item: Item) -> bool:
        if words[start].text not in small or not isinstance(item.value, RelationWord):
            return False
        if kinds.schema.by_id[item.value.relation].text.lower() != words[start].text:
            return False
        ends = max((end for (_, end), _ in classes if end <= start), default=0)
        before = [of.kinds for (_, end), of in classes if end == ends and isinstance(of, OfType)]
        sources = kinds.ends(Step(item.value.relation))[0]
        return bool(before) and all(of and of.isdisjoint(sources) for of in before)

    kept = {at: [i for i in some if not is_of_none(at[0], i)] for at, some in leaves.items()}
    return {at: some for at, some in kept.items() if some}


def without_creation_verbs(
    words: Sequence[Word],
    leaves: Mapping[tuple[int, int], list[Item]],
    joins: Joins,
    lexicon: Lexicon,
) -> Mapping[tuple[int, int], list[Item]]:
    """The leaves without verbs for when things of another type than those before were made.

    A question was made when it was asked, and no user who asked it.
    """
    kinds, people = joins.kinds, joins.grading.people  # "who joined first"

    def is_other(at: int, item: Item) -> bool:
        value = item.value
        if not isinstance(value, RelationWord) or value.role != "forward":
            return False
        begun, forms = creation_verbs(value.relation, kinds, lexicon), kinds.language.forms
        own = {f for w in tokens(kinds.schema.by_id[value.relation].text) for f in forms(w)}
        said = forms(words[at].text)
        if not begun or not own.isdisjoint(said):
            return False
        meant = {t for t, verbs in begun.items() if any(said & forms(v) for v in verbs)}
        before = sorted((span for span in leaves if span[1] <= at), key=lambda span: span[1])
        sets = (Named, OfType)
        named = [i.value.kinds for at in before for i in leaves[at] if isinstance(i.value, sets)]
        links = (r for r in kinds.relations if not kinds.gives_value(r.id))
        by = any(not said.isdisjoint(forms(w)) for r in links for w in tokens(r.text))
        named = named if by else named[-1:]  # no ticket that "Ann opened", if no fact says so
        things = named or [of.kinds for of in people]
        return all(some.isdisjoint(meant) for some in things)

    return {at: [item for item in some if not is_other(at[0], item)] for at, some in leaves.items()}


def kinds_of_noun(value: object, kinds: GraphKinds) -> Kinds:
    """The kinds that a noun is for: a class, or what a relation leads to; none for other words."""
    if isinstance(value, OfType):
        return value.kinds
    if not isinstance(value, RelationWord) or "noun" not in value.role:
        return frozenset()
    return kinds.ends(value.to_things)[1]


def _may_say(verb: Item, nouns: Sequence[Kinds], named: Sequence[Kinds], kinds: GraphKinds) -> bool:
    """Whether a verb of the graph may stand between things of a noun and of a name."""
    if not isinstance(verb.value, RelationWord):
        own = _of_verb(verb, kinds)
        return any(not own.isdisjoint(of) for of in nouns)
    ends = kinds.ends(Step(verb.value.relation))
    return any(
        a & of and b & those for a, b in (ends, ends[::-1]) for of in nouns for those in named
    )


def _of_verb(item: Item, kinds: GraphKinds) -> Kinds:
    """The kinds that what a verb says leads from or to."""
    value = item.value[0] if isinstance(item.value, tuple) else item.value
    if isinstance(value, RelationWord):
        steps = [Step(value.relation)]
    elif isinstance(value, Record):
        steps = [value.doer, *value.objects]
    else:
        return frozenset()
    return frozenset().union(*(kind for step in steps for kind in kinds.ends(step)))
