"""What the verbs of a question are said of: its whole subject, and not a part of it."""

from __future__ import annotations

from collections.abc import Set

from isomatch.interpret.compose.expressions import Named
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.syntax.parts import Part, Parts, Stretch, kinds_of_part
from isomatch.interpret.compose.syntax.scopes import is_thing, is_verb


class SubjectReader:
    """Finds the stretches of a question in which a verb would be said of a part of its subject.

    Args:
        kinds: of the graph.
    """

    def __init__(self, kinds: GraphKinds):
        self._kinds, self._language = kinds, kinds.language
        self._grammar = grammar = kinds.language.grammar
        asking = self._language.asking
        self._before_subjects = grammar.relative | grammar.joining | asking.where | asking.when
        self._helping = self._language.before_infinitives - grammar.being  # "does"
        self._owning = grammar.owning | grammar.lacking
        self._finite = grammar.singular | grammar.plural
        self._small = grammar.any_article | self._language.auxiliaries
        self._small |= grammar.being | grammar.having

    def bars(self, parts: Parts) -> set[Stretch]:
        """The stretches that are no parts of the question."""
        barred = self._inside_subject(parts) | self._beyond_denied(parts)
        nouns = {at for at, some in parts.leaves.items() if kinds_of_part(some, self._kinds)}
        for part in parts:
            named = any(isinstance(i.value, Named) for i in part.items)
            named = named and not any(map(is_thing, part.items))
            had = parts.before(part) in self._grammar.indefinite
            had = had and not self._owning.isdisjoint(parts.texts[part.start - 2 : part.start - 1])
            noun = (part.start, part.end) in nouns
            if named or (had and noun):
                barred |= self._of_subject(parts, part, nouns)
            if named or noun:
                barred |= self._behind_clause(parts, part, nouns)
        return barred

    def _of_subject(self, parts: Parts, had: Part, nouns: Set[Stretch]) -> set[Stretch]:
        """The stretches in which the verb of a question is said of what its subject has.

        "Which projects that have a successor named Atlas were managed by Ann" asks for what she
        managed of these, and so does "which projects with a successor did Ann manage".
        """
        head = min((start for start, _ in nouns), default=had.start)
        gap, items = parts.gap(had), parts.at(had.following)
        says = any(map(is_verb, items))
        finite = bool(gap) and gap[0] in self._finite and says
        elided = any(map(_denies, items))
        finite |= not (elided or self._helping.isdisjoint(gap[:1]))  # "but Ben does not"
        # "paintings with a pendant hang in Rome", and not "a captain born in Rome"
        plain = not gap and not self._owning.isdisjoint(
            parts.texts[max(had.start - 2, 0) : had.start - 1]
        )
        finite |= plain and self._is_main_verb(parts, had.following)
        if not finite or head >= had.start or parts.before(had) in self._before_subjects:
            return set()
        inside = [place for place in parts.places if head < place <= had.start]
        return parts.across(inside, had.following)

    def _behind_clause(self, parts: Parts, last: Part, nouns: Set[Stretch]) -> set[Stretch]:
        """The stretches that begin inside a clause, and end with or behind the verb after it.

        "Which people whose host lives in Bonn teach Ann" are those who teach her: the clause has
        its verb, and what follows is said of what it describes.

        Args:
            last: a noun or name, which may end the clause.
            nouns: the places of nouns, and those behind them.
        """
        texts, before, ends = parts.texts, range(last.start), {end for _, end in nouns}
        verb = any(end == last.start and start in ends for start, end in parts.leaves)
        elided = last.start in ends and not verb  # "a book Ann likes", not "whose coach pilots it"
        if elided or parts.before(last) in self._before_subjects or parts.gap(last):
            return set()
        relative = self._grammar.relative
        clause = next((n for n in before if texts[n] in relative and n in ends), None)
        if clause is None or not self._helping.isdisjoint(texts[: last.start]):
            return set()  # "which books that have a sequel did Ann like"
        said = any(
            any(map(is_verb, parts.at(place))) or self._is_main_verb(parts, place)
            for place in before[clause + 1 :]
        )
        said |= not self._finite.isdisjoint(texts[clause + 1 : last.start])
        if not (said and self._is_main_verb(parts, last.following)):
            return set()
        inside = [place for place in parts.places if clause < place <= last.start]
        return parts.across(inside, last.following)

    def _is_main_verb(self, parts: Parts, place: int) -> bool:
        """Whether a word right behind a noun is a verb that says more than what the noun is.

        "Built by Ann", "born in 1990" and "living in Oslo" describe it. "Built Oban" and "live in
        Oslo" do not, nor does "pilot Elder", be "pilot" a verb or what Elder has.
        """
        text, here, schemas = parts.texts[place], parts.at(place), self._language.schemas
        behind = (item for end in parts.ends(place) for item in parts.at(end))
        named = any(isinstance(item.value, Named) for item in behind)
        if not any(map(is_verb, here)):
            return named and any(item.category == "relation" for item in here)
        if self._language.is_participle(text):  # "awarded a prize"
            return named and self._language.forms(text).isdisjoint(schemas.ditransitive)
        return not text.endswith(self._language.endings.going)

    def _inside_subject(self, parts: Parts) -> set[Stretch]:
        """The stretches that end with the verb of "does", but begin inside its subject.

        "Which teams does the captain of Rovers play for" asks for no captain of those who do.
        """
        texts, grammar = parts.texts, self._grammar
        first = next((n + 1 for n, text in enumerate(texts) if text in self._helping), len(texts))
        verb = self._verb(parts, first)
        if verb is None or not grammar.joining.isdisjoint(texts[first:verb]):
            return set()  # "do Ann and Ben not know"
        # "does Ann not know": the negation is no part of the subject
        said = (at for at, some in parts.leaves.items() if not any(map(_denies, some)))
        begun = sorted({start for start, _ in said if first <= start < verb})
        if len(begun) == 2 and begun[0] + 1 == begun[1]:
            return set()  # "does the singer Ann live"
        return parts.across(begun[1:], verb)

    def _verb(self, parts: Parts, first: int) -> int | None:
        """The place of the verb whose subject begins at a place, past those of its clauses."""
        texts, grammar = parts.texts, self._grammar
        verbs = {at[0] for at, some in parts.leaves.items() if any(map(is_verb, some))}
        verbs -= {at[0] for at, some in parts.leaves.items() if any(map(is_thing, some))}
        clauses = 0  # that lack their verb
        for place in range(first, len(texts)):
            clauses += texts[place] in grammar.relative - grammar.whose
            if not clauses and texts[place] in grammar.having:
                return None  # "do you have"
            noun = texts[place - 1] in grammar.any_article  # "the captain"
            if place not in verbs or noun or grammar.by & {*texts[place + 1 : place + 2]}:
                continue
            if not clauses:
                return place
            clauses -= 1
        return None

    def _beyond_denied(self, parts: Parts) -> set[Stretch]:
        """The stretches that begin behind "not", but end behind an "and" and the verb after it.

        Who is "not born in Oban and owns a ship" owns one: "not" denies one verb, and what follows
        "and" has one of its own.
        """
        barred: set[Stretch] = set()
        # What follows "did not" may follow "and", too; "do own" and "own" are both in the plural.
        helping = self._language.auxiliaries - self._grammar.being - self._grammar.plural
        joining = [n for n, text in enumerate(parts.texts) if text in self._grammar.joining]
        for start, end in {at for at, some in parts.leaves.items() if any(map(_denies, some))}:
            does = not helping.isdisjoint(parts.texts[start - 1 : start])
            for joined in (place for place in joining if place > end):
                inside = [place for place in parts.places if end <= place < joined]
                # "did not write and direct Heat" denies both
                if len(inside) > 1 and self._begins_anew(parts, joined + 1, does=does):
                    barred |= parts.across(inside, joined)
        return barred

    def _begins_anew(self, parts: Parts, start: int, *, does: bool) -> bool:
        """Whether what follows "and" has a verb that stands for itself: by auxiliary, or form.

        Args:
            start: the place behind "and".
            does: whether "does not" is before it. An infinitive after "and" may go with that.
        """
        read = (place for place in parts.places if place >= start and parts.ends(place))
        place = next(read, len(parts.texts))
        between, here = parts.texts[start:place], parts.at(place)
        if not (self._finite | self._grammar.relative).isdisjoint(between):
            return True
        # "and lie near Oban" has a verb that stands for nothing by itself
        noun = not self._small.isdisjoint(between) or any(map(is_thing, here))
        if noun or not any(map(is_verb, here)):
            return False
        return not does or self._language.singular(parts.texts[start]) != parts.texts[start]


def _denies(item: Item) -> bool:
    """Whether an item is "not"."""
    return item.category == "not"
