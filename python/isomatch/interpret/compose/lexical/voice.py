"""What a set is to the verb beside it, and in which voice the verb is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import takewhile
from typing import Literal

from isomatch.chains.graph import Step
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.types import Span
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language

Beside = Literal[
    "subject",
    "object",
    "agent",
    "undergoer",
    "undergoer if named",
    "subject if named",
    "object if named",
]
"""``agent``: who does it, beside a verb in the passive, and ``undergoer``: whom it is done to.
``undergoer if named``: a set without a name is the agent there. ``object if named``: a verb in the
plural has no single name for its subject, and one in the singular no several things."""


def beside_verb(words: Sequence[Word], place: int, language: Language) -> Beside | None:
    """What a set beside the verb at a place is to it, in a language with a free order of words.

    None where that is not known.

    Example:
        >>> from isomatch.interpret.words.content import words_of
        >>> from isomatch.lexicon.language import language_of
        >>> beside_verb(words_of("Wen bewundert Anna?"), 1, language_of("de"))
        'subject'
    """
    grammar, asking = language.grammar, language.asking
    texts = [w.text for w in words]
    if place == 0:  # "Zitiert Anna Berta?"
        return "subject"
    if (agents := _agents(texts, language)) and not grammar.passive.isdisjoint(texts):
        return _beside_passive(texts, language) if agents == 1 else None
    final = place == len(texts) - 1 and texts[1] in language.auxiliaries
    if place == 1 or final:  # "Wer hat Anna gelehrt?"
        if texts[0] in asking.subjects:
            return "object"
        if texts[0] in asking.objects:
            return "subject"
    if texts[0] in grammar.having and place == len(texts) - 1:  # "Hat Anna Berta zitiert?"
        return "object"
    some = grammar.indefinite | grammar.anything
    follows = not some.isdisjoint(texts[place + 1 : place + 2])
    auxiliary = next((w for w in texts[:place] if w in grammar.having), "")
    if auxiliary in grammar.singular or (not auxiliary and not _is_plural(texts[place], language)):
        if not _asks_for_several(texts[: texts.index(auxiliary or texts[place])], language):
            return None
        return "subject" if follows else "subject if named"  # "Welche Personen betreut Anna?"
    if not grammar.joining.isdisjoint(texts):
        return None
    # "Welche Personen bewundern eine Lehrerin?", "… jemanden?"
    return "object" if follows else "object if named"


def _beside_passive(texts: Sequence[str], language: Language) -> Beside:
    """What a set beside a verb in the passive is: in "von wem wird Anna betreut" no agent."""
    asking = language.asking
    if not language.grammar.by.isdisjoint(texts[:1]) and len(texts) > 1:
        if texts[1] in asking.objects:
            return "undergoer"
        if texts[1] in asking.which:
            return "undergoer if named"
    return "agent"


def _is_plural(verb: str, language: Language) -> bool:
    """Whether a verb is in the plural, by its ending: "begleiten", and not "gewann"."""
    return verb.endswith(language.endings.infinitive) and verb[-1] != verb[-2:-1]


def _asks_for_several(texts: Sequence[str], language: Language) -> bool:
    """Whether words ask for things in the plural: "welche Personen", and not "welche Beamte".

    An adjective that is a noun has the endings of both numbers.
    """
    *first, noun = texts or [""]
    which = language.asking.which.issuperset(first)
    if not first or not (which or tuple(first) in language.operators.count):
        return False
    one = language.singular(noun)
    return one != noun and not one.startswith(noun)


def does_it(beside: Beside, *, named: bool) -> bool | None:
    """Whether a set beside a verb is who does it; None where that is not known.

    Args:
        named: whether the set is one thing by its name.
    """
    if beside in ("object if named", "subject if named"):
        return beside == "subject if named" if named else None
    return not named if beside == "undergoer if named" else beside in ("subject", "agent")


def _agents(words: Sequence[str], language: Language) -> int:
    """How many words for "by" there are; of several, those behind an auxiliary or a pronoun.

    The others say of what something is: "wurde von der Leiterin von Atlas gelobt".
    """
    grammar = language.grammar
    places = [n for n, word in enumerate(words) if word in grammar.by]
    begins = grammar.passive | grammar.relative
    first = [n for n in places if n and words[n - 1] in begins] if len(places) > 1 else places
    return len(first) or len(places)


def beside_verb_of_clause(words: Sequence[Word], place: int, language: Language) -> Beside | None:
    """What a set beside the verb at a place is to it, in a relative clause that ends with verbs.

    Example:
        >>> from isomatch.interpret.words.content import words_of
        >>> from isomatch.lexicon.language import language_of
        >>> beside_verb_of_clause(words_of("den Anna bewundert"), 2, language_of("de"))
        'subject'
    """
    grammar, texts = language.grammar, [w.text for w in words]
    if (agents := _agents(texts, language)) and not grammar.passive.isdisjoint(texts):
        return "agent" if agents == 1 else None
    if texts[0] in grammar.subject_pronouns:
        return "object"
    if texts[0] in grammar.object_pronouns:
        return "subject"
    several = not grammar.joining.isdisjoint(texts)
    pronoun = texts[0] in grammar.relative and grammar.whose.isdisjoint(texts[:1])
    plural = texts[-1].endswith(language.endings.infinitive) and not several
    if plural and pronoun and not grammar.indefinite.isdisjoint(texts[1:2]):
        return "object"  # "die eine Lehrerin bewundern"
    return "object if named" if plural and pronoun else None


class Voice:
    """Tells whether words say what is done by something, or to it, over one graph.

    Args:
        kinds: of the graph.
        language: of the question.
        classes: what the members of its classes are called.
        called: ids of relations, by the forms of the words that their names begin with.
    """

    def __init__(
        self,
        kinds: GraphKinds,
        language: Language,
        classes: Set[str],
        called: Mapping[str, Set[str]],
    ):
        self._kinds = kinds
        self._language = language
        self._classes = classes
        self._called = called
        asking, grammar = language.asking, language.grammar
        self._asks = asking.commands | asking.which
        # A verb may follow these: "which have sold", "who sold".
        verbs = grammar.finite | grammar.been | grammar.relative | language.auxiliaries
        self._beginning = language.function_words - verbs - asking.who
        counted = {phrase[-1] for phrase in language.operators.count}
        numbers = grammar.most | grammar.fewest | grammar.more | grammar.fewer | grammar.than
        articles = grammar.any_article | grammar.every | grammar.lacking
        self._each = {phrase[-1] for phrase in language.operators.each}
        self._amounts = grammar.more | grammar.fewer | grammar.most | grammar.fewest | grammar.some
        self._before_nouns = articles | counted | numbers | language.prepositions
        dating = [s for s in language.scales if {*s.of} & {*asking.dates}]
        self._dating = {w for s in dating for w in (*s.highest, *s.lowest)}
        self._dating |= {*language.numbers.ordinals}

    def names_class(self, word: str) -> bool:
        """Whether a word is what the members of a class are called: "painters"."""
        return not self._classes.isdisjoint(self._language.noun_forms(word))

    def is_for_telling(self, words: Sequence[Word], place: int, relation: str) -> bool:
        """Whether "about" is no word for a topic: "tell me about Ann", and not "is about Ann"."""
        language, word = self._language, words[place].text
        called = tokens(self._kinds.schema.by_id[relation].text)
        if word not in language.grammar.about or word in called:
            return False
        before = words[place - 1].text if place else ""
        things = language.idle | language.grammar.generic
        said = before in language.grammar.being | things or self.names_class(before)
        return not (said or place + 1 == len(words))

    def is_noun_of(
        self, words: Sequence[Word], place: int, length: int, last: str, role: str
    ) -> bool:
        """Whether "translations" are no titles, which each "is the translation of".

        But "what does she head" asks for what she is the "head of".
        """
        language, grammar = self._language, self._language.grammar
        nouns = grammar.any_article | grammar.own | grammar.every
        before = [word.text for word in words[:place]]
        after = {word.text for word in words[place + length :][:1]}
        base = language.singular(words[place].text) == words[place].text
        base = base and nouns.isdisjoint(before[-1:])
        does = base and not language.auxiliaries.isdisjoint(before)
        verb = does or not language.prepositions.isdisjoint(after)
        return last in grammar.of and role == "forward" and not verb

    def is_own_doer(self, words: Sequence[Word], place: int) -> bool:
        """Whether a verb is what those are called who do it, too, and no noun here: "mentor".

        So it is in "whom does Ann mentor" and "which editors mentor Bob", but not after "the".
        """
        language, grammar = self._language, self._language.grammar
        if not place or not language.is_doer_itself(words[place].text):
            return False
        *first, before = words[:place]
        if before.text in self._before_nouns | grammar.own or before.end - before.start > len(
            before.text
        ):  # "Ann's mentor"
            return False
        does = language.before_infinitives - grammar.being
        subject = before.text in (language.asking.who | grammar.relative) - grammar.whose
        subject |= self.names_class(before.text)
        return subject or any(word.text in does for word in first)

    def is_doing(self, words: Sequence[Word], place: int, relation: str, role: str) -> bool:
        """Whether a noun for who does it is a verb: "whom does Ann mentor" asks for no mentor."""
        told = self._kinds.is_told(self._kinds.schema.by_id[relation])
        return role == "inverse noun" and not told and self.is_own_doer(words, place)

    def says_another(self, phrase: Sequence[str], value: object) -> bool:
        """Whether a verb for a value is what another relation is called: what a host "runs"."""
        relation, (verb, *more) = getattr(value, "relation", None), phrase
        if more or relation is None or not self._kinds.gives_value(relation):
            return False
        source = self._kinds.ends(Step(relation))[0]
        others = self._called.get(verb, frozenset()) - {relation}
        return any(source & self._kinds.ends(Step(other))[0] for other in others)

    def described(self, words: Sequence[Word], place: int) -> list[str]:
        """What a participle says of the noun after it: "the sold cars", not "who sold cars".

        Returns:
            what the relations are called that begin with it; empty where it may be a verb, as in
            any free order of words.
        """
        language, grammar = self._language, self._language.grammar
        verb, before = words[place].text, words[place - 1].text if place else ""
        if place > 1 and before in grammar.joining | grammar.choosing:  # "sold and inspected cars"
            return self.described(words, place - 2) and self.described(words[place:], 0)
        if language.free_order or not language.is_verb(verb):
            return []
        start = 1 if words[0].text in self._asks else 0
        begins = self._beginning.issuperset(word.text for word in words[start:place])
        degree = words[place - 2].text if place > 1 else ""
        does = self._does(before) and not self.names_class(before)  # painters may have painted
        begins |= does and grammar.relative.isdisjoint(w.text for w in words[1:place])
        superlative = before.endswith(language.endings.highest)
        superlative |= degree in grammar.most_before | grammar.least_before
        if not (begins or before in self._before_nouns or superlative):
            return []
        return self._texts(verb)

    def _does(self, word: str) -> bool:
        """Whether a word is a verb, and what follows it is none: "sold used cars".

        "Sellers" are nouns, of `sold by`, and may have used cars.
        """
        texts, language = self._texts(word), self._language
        if not any(map(language.is_verb, texts)):
            return False
        done = None if language.is_doer_itself(word) else language.done_by(language.singular(word))
        return done not in {deed[0] for deed in map(language.deed, texts) if deed}

    def _texts(self, word: str) -> list[str]:
        """What the relations are called that begin with a form of a word."""
        forms = self._language.forms(word)
        called = {id for form in forms for id in self._called.get(form, ())}
        return sorted({self._kinds.schema.by_id[id].text for id in called})

    def is_noun_described(
        self, words: Sequence[Word], place: int, length: int, relation: str
    ) -> bool:
        """Whether a participle is of no relation to the class after it: "the reserved books".

        But "the first sold car" asks for the date, too, and where nothing else says that it was
        sold, the date does.
        """
        after = [w.text for w in words[place + length :]][:1]
        if not (after and self.names_class(after[0])):
            return False
        called, before = self.described(words, place), words[place - 1].text if place else ""
        alone = called == [self._kinds.schema.by_id[relation].text] or before in self._dating
        return bool(called) and not (alone and self._kinds.gives_value(relation))

    def is_other(
        self,
        words: Sequence[Word],
        place: int,
        length: int,
        participle: str,
        relation: str,
        role: str,
    ) -> bool:
        """Whether a verb is active where a relation as "managed by" is passive, or the reverse.

        Who "manages" somebody is managed by nobody of that name.
        """
        language, by, being = (
            self._language,
            self._language.grammar.by,
            self._language.grammar.being,
        )
        before, after = words[:place], words[place + length :]
        if relation in self._kinds.done_by_sources:  # who "is mentored by" somebody, of `mentorOf`
            said = any(w.text in by for w in (*before[:1], *after[:1]))
            return role in ("forward", "backward") and said == (role == "forward")
        if language.free_order or not self._kinds.is_passive(relation):
            return False
        if role == "backward":
            asked = before[:1] and before[0].text in by  # "by whom was Bob managed"
            return bool(asked) or any(w.text in by for w in after[:1])
        if role != "forward":
            return False
        active = all(w.text not in by | being for w in (*before, *after))
        return words[place].text != participle or active

    def is_active(self, words: Sequence[Word], place: int, length: int, relation: str) -> bool:
        """Whether words say that somebody does it, without "by".

        "Has Kern acquired Mito", "which firms acquired no other", "a firm that acquired Mito".
        """
        grammar, texts = self._language.grammar, [w.text for w in words]
        clause, agent = self._clause(texts, place), self._agent(texts, place)
        before = {*texts[max(clause, agent) : place]}
        ended = clause > 0 and self._is_ended(texts[clause:place])
        passive = grammar.by if ended else grammar.been | grammar.by
        done = bool(before & passive) or texts[place] in grammar.by
        after = texts[place + length] if place + length < len(texts) else ""
        objects = grammar.lacking
        if not self._language.is_passive(self._kinds.schema.by_id[relation].text):
            objects |= grammar.any_article  # "used by", of a `user`
            objects |= self._amounts  # "trained more than two captains"
        active = bool(before & self._language.auxiliaries) or after in objects
        whose = clause > 0 and texts[clause - 1] in grammar.whose
        # "who acquired Mito", "whose owner acquired Mito", "a firm run by Ann acquired Mito"
        subject = 0 < clause == place - whose
        named = self._language.is_passive(self._kinds.schema.by_id[relation].text)
        said = subject and (length == 1 or not named)  # "who first crossed a strait"
        said |= 0 < agent < place and not named
        active |= said and bool(after) and after not in self._language.prepositions
        each = not (self._each.isdisjoint(before) or named)
        active |= each and after not in self._language.prepositions  # "that each captain trained"
        return active and not (done or after in grammar.by)

    def _is_ended(self, clause: Sequence[str]) -> bool:
        """Whether a clause has its verb and object, and what follows is said of another subject.

        "Bands whose genre is jazz influenced many" were influenced by none.
        """
        been = self._language.grammar.been
        said = takewhile(lambda text: text not in been, reversed(clause))
        return not self._language.function_words.issuperset(said)

    def _agent(self, texts: Sequence[str], place: int) -> int:
        """Where the agent of another verb before a place begins; 0 where there is none.

        In "which captain trained by Ann trained Bob" only the first verb is passive; but "by whom"
        is for what follows.
        """
        asking, grammar = self._language.asking, self._language.grammar
        asked = asking.who | asking.which | grammar.relative
        others = (n for n in range(2, place) if texts[n - 1] in grammar.by)
        return max((n for n in others if texts[n] not in asked), default=0)

    def _clause(self, texts: Sequence[str], place: int) -> int:
        """Where the relative clause around a place begins; 0 where there is none."""
        relative = self._language.grammar.relative
        return max((n + 1 for n in range(1, place) if texts[n] in relative), default=0)

    def is_handed_on(self, words: Sequence[Word], place: int, length: int, relation: str) -> bool:
        """Whether words say who did something, of which a relation says to whom, or when.

        "Who sold cars", "were sold by Ann", and not "was sold to Ann", "the sold cars".
        """
        grammar, text = self._language.grammar, self._kinds.schema.by_id[relation].text
        verb, *others = tokens(text)
        to = self._language.is_for_another(text)
        dated = self._kinds.gives_date(relation) and self._language.is_verb(verb)
        if not (to or dated) or self._language.free_order:
            return False
        texts = [w.text for w in words]
        clause = max((n + 1 for n in range(place) if texts[n] in grammar.relative), default=0)
        before, after = {*texts[clause:place]}, texts[place + length :]
        if not before.isdisjoint(grammar.been) or self.described(words, place):
            return to and not grammar.by.isdisjoint(after[:1])
        opens = grammar.any_article | grammar.lacking | grammar.some
        follows = after[:1] and (after[0] in opens or self.names_class(after[0]))
        if follows and any(map(self.names_class, after[:3])):
            return True  # "sold the cheapest car"
        agents = self._language.auxiliaries | grammar.by  # "did Ann sell", "sold by Ann"
        does = clause > 0 or not agents.isdisjoint((*before, *after[:1]))  # "that Ann sold"
        return to and others[0] not in after and does


def asks_for_agent(words: Sequence[str], spans: Iterable[Span], language: Language) -> bool:
    """Whether "by" at the end asks for who does what a participle says, which is no relation's own.

    "Who is it used by", but not "when was it used by Ann".
    """
    if language.grammar.by.isdisjoint(words[-1:]):
        return False
    relations = (span for span in spans if span.kind == "relation")
    return any(
        language.is_participle(span.text.lower())
        and language.forms(span.text.lower()).isdisjoint(tokens(span.meaning))
        for span in relations
    )
