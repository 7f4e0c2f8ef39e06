"""Which words of a question a program of a trained model accounts for.

As far as was learnt. A word that training never had is read as what the lexicon has it for, or
as the words that it is like: the result says so where it is only like them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial

from isomatch.chains.graph import Step
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.coverage.named_ends import ALIKE
from isomatch.interpret.programs.slots import asked_nouns, kind_words, named_values, phrases
from isomatch.interpret.programs.spelled import SpelledValues
from isomatch.interpret.programs.telling import ToldWords, seen_form
from isomatch.interpret.programs.tokens import Slot
from isomatch.interpret.programs.tree import (
    THING,
    kinds_of,
    parse,
    slots_of,
    with_things,
)
from isomatch.interpret.types import Coverage, Span, SpanKind
from isomatch.interpret.words.content import describes
from isomatch.lexicon.english import singular
from isomatch.lexicon.folding import tokens as tokens_of
from isomatch.lexicon.language import Language
from isomatch.lexicon.rank import Ranker
from isomatch.trained.alignment import ENOUGH, NEAR, OPERATORS, Program
from isomatch.trained.program_vocabulary import ProgramVocabulary

_PROGRAMS = 4_096
"""Programs of which is kept what words may say of them: questions have many in common."""
_RECENT = 16
"""Questions without names, whose words are kept: programs mostly have the same names."""


class ProgramCoverage:
    """Places the words of questions in programs over one graph.

    Args:
        kinds: of the graph.
        vocabulary: of the model, with what its words were seen to say.
        language: of the questions.
        ranker: for words that training never had; None leaves them out.
    """

    def __init__(
        self,
        kinds: GraphKinds,
        vocabulary: ProgramVocabulary,
        language: Language,
        ranker: Ranker | None = None,
    ):
        self._kinds = kinds
        self._ranker = ranker
        self._said = vocabulary.said
        self._language = language
        values = [token for token in vocabulary.steps if token.startswith("value:")]
        self._spelled = SpelledValues(values, language)
        self._contested = cache(self._has_rivals)
        self._heard = lru_cache(_RECENT)(self._hear)
        self._named = lru_cache(_RECENT)(partial(named_values, kinds=kinds))
        self._read_program = lru_cache(_PROGRAMS)(self._of_program)
        self.told = ToldWords(self._said, language)

    def read(self, question: str, program: Program, slots: Sequence[Slot]) -> Coverage:
        """What the words of a question say of a program.

        Args:
            slots: the question's names and values.
        """
        used = slots_of(program)
        spans = [
            Span(s.start, s.end, question[s.start : s.end], "name", s.text if n in used else "")
            for n, s in enumerate(slots)
            if n in used or s.variants
        ]
        hidden = question
        for span in spans:
            hidden = f"{hidden[: span.start]}{'@' * len(span.text)}{hidden[span.end :]}"
        every, asked, nouns = self._heard(hidden)
        kinds = "".join(self._called(slots[n]) for n in sorted(used)).replace(" ", "")
        spelled = self._spelled.found(hidden, program)
        counts = program[0] == "count"
        behind = min(nouns) if counts and nouns and not asked else None
        spans += self._words(every, program, kinds, spelled, nouns, behind)
        unsaid = self._said.unsaid((words for words, _ in every), program)
        unsaid = [token for token in unsaid if token not in spelled.values()]
        relations, _, _ = self._read_program(program)
        unspoken = self._unspoken((words for words, _ in every), relations)
        guessed = {s.meaning for s in spans if s.kind == "relation" and self.told.is_new(s.text)}
        unspoken = [relation for relation in unspoken if self._in_words(relation) not in guessed]
        unspoken += self._unspoken_value((words for words, _ in every), program, spans, hidden)
        spans, unsaid = self._graded(spans, unsaid, program)
        spans, unsaid = self._counted(spans, unsaid, program)
        if counts and self._asks_otherwise(question):
            unsaid = ["count", *unsaid]
        if unsaid := unsaid or [relation for relation in unspoken if self._contested(relation)]:
            # What the question does not say makes it another question.
            spans.append(Span(0, len(question), self._in_words(unsaid[0]), "operator"))
        ordered = sorted(spans, key=lambda span: span.start)
        starts = {s.start for s in ordered if s.meaning and s.kind == "relation"}
        understood = tuple(span for span in ordered if span.meaning)
        # "How many stolen cars" has no relation that tells what else is asked for.
        sure = bool(relations) and not unspoken
        new = self.told.new(question, ordered, asked) if sure else set()
        left_out = tuple(
            span if span in new else self._missed(question, span, starts)
            for span in ordered
            if not span.meaning
        )
        return Coverage(understood, left_out, exact=True)

    def _hear(self, hidden: str) -> tuple[Sequence[tuple[str, Span | None]], list[int], list[int]]:
        """The words of a question without the names of a program, see `phrases`.

        With where those begin that say what is asked for, and these where a name may describe it.
        """
        asked = [word.start for word in asked_nouns(hidden, self._language)]
        # "How many @ model cars" asks for cars.
        nouns = [word.start for word in asked_nouns(hidden, self._language, described=True)]
        return list(phrases(hidden, self._language)), asked, nouns

    def _called(self, slot: Slot) -> str:
        """What a name is, in all words that the lexicon has for it: "post code", "postal code"."""
        types = sorted({kind for variant in slot.variants for kind in variant.kinds})
        also = (" ".join(self._kinds.phrases.get(THING + kind, ())) for kind in types)
        return " ".join((kind_words(slot, self._kinds), *also))

    def _of_program(self, program: Program) -> tuple[Sequence[str], Program, Kinds]:
        """Of a program the relations between things, its tokens with types, and its answers' types.

        Values are told by what their names are, and words for them are many: "surnames".
        """
        tree = parse(program)
        steps = (one.symbol[1:] for one in tree.all() if one.symbol[0] in "+-~")
        relations = tuple(r for r in steps if not self._kinds.gives_value(r))
        return relations, with_things(program, self._kinds), kinds_of(tree, self._kinds)

    def _unspoken(self, words: Iterable[str], relations: Iterable[str]) -> list[str]:
        """The relations that no word speaks for."""
        seen = {self._seen(word) for word in words}
        said = self._said
        return [of for of in relations if not any(said.speaks_for(word, of) for word in seen)]

    def _unspoken_value(
        self, words: Iterable[str], program: Program, spans: Iterable[Span], hidden: str
    ) -> list[str]:
        """The relation to the values that a program gives, if no word is read as it.

        "The times of calls" are no durations, and "call times" are the values of `call_time`.
        """
        asked = program[0][1:] if program[0][0] == "+" else ""
        if not asked or not self._kinds.gives_value(asked):
            return []
        named = self._named(hidden)
        if named and asked not in named:
            return [asked]
        called = self._in_words(asked)
        is_read = any(span.meaning == called for span in spans)
        return [] if is_read else self._unspoken(words, [asked])

    def _graded(
        self, spans: Sequence[Span], unsaid: Sequence[str], program: Program
    ) -> tuple[list[Span], list[str]]:
        """Superlatives of the language where training had them for something else, or not at all.

        "Happened last": the greatest date, though "last" mostly says a surname. Only where no
        other word says the operator, or directly after one that does: "most recently".
        """
        found, missing = list(spans), list(unsaid)
        for tree in parse(program).all():
            operator = tree.symbol.removesuffix(":")
            if operator not in ("max", "min"):
                continue
            relation = self._kinds.schema.by_id[tree.step[1:]].text
            words = self._language.superlatives(relation, greatest=operator == "max")
            for place, span in enumerate(found):
                if span.meaning or span.text.lower() not in words:
                    continue
                called = OPERATORS[operator]
                before = found[place - 1].meaning if place else ""
                if before == called or all(one.meaning != called for one in found):
                    found[place] = replace(span, kind="operator", meaning=called)
                    missing = [token for token in missing if token != operator]
        return found, missing

    def _counted(
        self, spans: list[Span], unsaid: list[str], program: Program
    ) -> tuple[list[Span], list[str]]:
        """The first of the language's own words for counting, where no other says how many.

        "How often", which training never had.
        """
        how_many = OPERATORS["count"]
        if program[0] != "count" or any(span.meaning == how_many for span in spans):
            return spans, unsaid
        count = self._language.operators.count
        for place, span in enumerate(spans):
            if not span.meaning and tuple(tokens_of(span.text)) in count:
                placed = replace(span, kind="operator", meaning=how_many)
                found = [*spans[:place], placed, *spans[place + 1 :]]
                return found, [one for one in unsaid if one != "count"]
        return spans, unsaid

    def _asks_otherwise(self, question: str) -> bool:
        """Whether a question begins by asking for people, places or dates, and not for a number.

        "Who knows the phone number of Ann" counts nobody.
        """
        asking = self._language.asking
        return not (asking.who | asking.where | asking.when).isdisjoint(tokens_of(question)[:1])

    def _has_rivals(self, relation: str) -> bool:
        """Whether other relations join the same types, either way."""
        source, target = self._kinds.ends(Step(relation))
        for other in self._kinds.relations:
            ends = self._kinds.ends(Step(other.id))
            if other.id != relation and any(
                source & one and target & two for one, two in (ends, reversed(ends))
            ):
                return True
        return False

    def _words(
        self,
        every: Sequence[tuple[str, Span | None]],
        program: Program,
        named: str,
        spelled: Mapping[str, str],
        asked: Collection[int],
        behind: int | None,
    ) -> Iterator[Span]:
        """The words with content, with what they say of a program.

        Args:
            named: what the names of the program are.
            spelled: see `SpelledValues.found`.
            asked: where the words begin that say what is asked for.
            behind: where the noun begins that a name describes and that is counted; None for none.
        """
        _, tokens, answers = self._read_program(program)
        noun: Span | None = None  # directly before, and said
        for words, span in every:
            found: Span | None = None
            if span is not None and span.kind == "word" and singular(words) in named:
                # "The postcode M1"; but "how many Discovery models" asks for those of that model.
                several = span.start == behind and singular(words) != words
                found = replace(span, kind="kind" if several else "relation", meaning=words)
            elif span is not None:
                found = self._read(span, words, tokens, answers)
                of = self._asked_for(span, found, words, answers) if span.start in asked else None
                if of is not None:
                    found, asked = replace(span, kind="kind", meaning=self._in_words(of)), ()
                if found and not found.meaning and (token := spelled.get(words)):
                    found = replace(found, kind="relation", meaning=self._in_words(token))
            if found and not found.meaning and noun and self._is_compound(noun, words, program):
                found = replace(found, kind=noun.kind, meaning=noun.meaning)
            if found and not found.meaning and (of := self._sort_of(words, program)):
                found = replace(found, kind="relation", meaning=of)
            if found and not found.meaning:
                found = self._guess(found, words, tokens, answers)
            if found:
                yield found
            noun = found if found and found.meaning and found.kind != "operator" else None

    def _read(self, span: Span, words: str, tokens: Program, answers: Kinds) -> Span | None:
        """A span with the token that its words say; None where they only build the sentence.

        Args:
            tokens: of a program, with the types that it goes through.
            answers: the types of what it gives.
        """
        words = self._seen(words)
        asks = span.start == 0 and words in self._language.asking.whether
        if asks or span.kind == "operator":
            token = self._said.operator(words, tokens)
            if asks:
                token = "whether" if tokens[0] == "whether" else None
        else:
            token = self._said.token(words, tokens)
            token = self._had(words, tokens) if token is None else token
            of = self._said.shares.get(words, {})
            things = sorted((of.get(THING + kind, 0.0), THING + kind) for kind in answers)
            if token and things and things[-1][0] >= ENOUGH:
                token = things[-1][1]  # "sites": places, though they say "occurred at" too
        if token:
            return replace(span, kind=_kind(token, answers), meaning=self._in_words(token))
        return span if token is None else None

    def _had(self, word: str, program: Program) -> str | None:
        """The relation of a program that is had, of a word that mostly says another: "owned".

        Who has a phone owns it, and so who has an email.
        """
        of = self._said.shares.get(word, {})
        mostly = max(sorted(of), key=lambda token: of[token], default="")
        if of.get(mostly, 0.0) < NEAR or not self._is_had(mostly):
            return None
        return next((t for t in map(_bare, program) if self._is_had(t)), None)

    def _is_had(self, token: str) -> bool:
        """Whether a relation says that something is had, and is no property: "has email"."""
        relation = self._kinds.schema.by_id.get(token)
        if relation is None or self._kinds.gives_value(token):
            return False
        return not self._language.grammar.having.isdisjoint(tokens_of(relation.text)[:1])

    def _asked_for(self, span: Span, found: Span | None, words: str, answers: Kinds) -> str | None:
        """The type of the answers, if the noun that is asked for was learnt to ask for it.

        Not of a noun that says a relation which the program lacks: "how many friends" are people,
        and more than that.
        """
        seen = self._seen(words)
        lacks = found is not None and not found.meaning and not self._said.is_vague(seen)
        if span.kind != "word" or lacks:
            return None
        type = self._said.asked_for(seen, answers & self._kinds.type_texts.keys())
        return None if type is None else THING + type

    def _guess(self, span: Span, words: str, tokens: Program, answers: Kinds) -> Span:
        """A word that has no place, with what the lexicon has it for, or what it is like.

        No operator or value is guessed, and of a word that training knew only a type, or a relation
        that is called by it: else it would be another question.
        """
        of = self._said.shares.get(self._seen(words), {})
        known = bool(of) and self._seen(words) not in self._said.rare
        chooses = any(n >= ENOUGH and (t in OPERATORS or t[:6] == "value:") for t, n in of.items())
        if span.kind != "word" or (known and chooses) or span.text != span.text.lower():
            return span
        here = {token for token in map(_bare, tokens) if token in self._kinds.phrases}
        forms = self._language.forms(words)
        if known:
            here = {
                t for t in here if t.startswith(THING) or not forms.isdisjoint(self._named_by(t))
            }
        own = (t for t in sorted(here) if not forms.isdisjoint(self._lexicon_forms[t]))
        token, likeness = next(own, None), 1.0
        if token is None and here and not known and self._ranker is not None:
            (vector,) = self._ranker.vectors([words])
            like = {
                token: float((self._ranker.vectors(phrases) @ vector).max())
                for token, phrases in self._sayings.items()
            }
            token = max(sorted(here), key=lambda token: like[token])
            likeness = like[token]
            if likeness < max(ALIKE, *like.values()):
                return span
        if token is None:
            return span
        kind, meaning = _kind(token, answers), self._in_words(token)
        return replace(span, kind=kind, meaning=meaning, likeness=likeness)

    def _sort_of(self, word: str, program: Program) -> str:
        """The relation to what things are, where a word asks for it: "kinds" for a "type".

        Empty where the program does not give that.
        """
        relation = self._kinds.schema.by_id.get(program[0][1:]) if program[0][0] == "+" else None
        called = tokens_of(relation.text)[-1:] if relation else []
        sorts, noun = self._language.schemas.sorts, self._language.singular(word)
        return relation.text if relation and noun in sorts and sorts.issuperset(called) else ""

    def _named_by(self, token: str) -> set[str]:
        """The words that a relation is called by: "involve" of `involved in`, as forms."""
        relation = self._kinds.schema.by_id.get(token)
        words = tokens_of(relation.text) if relation else []
        return {form for word in words for form in self._language.forms(word)}

    @cached_property
    def _lexicon_forms(self) -> Mapping[str, frozenset[str]]:
        """The forms of the single words that the lexicon has for each relation and type."""
        forms, idle = self._language.forms, self._language.function_words
        single: dict[str, frozenset[str]] = {}
        for token, called in self._kinds.phrases.items():
            of = [[word for word in tokens_of(phrase) if word not in idle] for phrase in called]
            single[token] = frozenset(f for said in of if len(said) == 1 for f in forms(said[0]))
        return single

    @cached_property
    def _sayings(self) -> Mapping[str, Sequence[str]]:
        """For each token, the words that the lexicon has for it, or that mostly say it."""
        found = {token: list(of) for token, of in self._kinds.phrases.items()}
        for word, of in self._said.shares.items():
            if word in self._said.rare or not of:
                continue
            token = max(sorted(of), key=lambda token: of[token])
            if token and of[token] >= NEAR and self._said.speaks_for(word, token):
                found.setdefault(_bare(token), []).append(word)
        return found

    def _missed(self, question: str, span: Span, nouns: Collection[int]) -> Span:
        """A word that is left out.

        It is plain if it was seen with very many tokens, or was never seen and describes a noun:
        "the wonderful film". One that was seen to say what the program lacks is not: "the first
        film".
        """
        text = span.text.lower()
        is_seen = self._seen(text) in self._said.shares
        if span.kind != "word" or self._said.is_vague(text):
            return span
        if not is_seen and describes(question, span, nouns):
            return span
        name = span.start > 0 and question[span.start].isupper()
        return replace(span, kind="name" if name else "relation")

    def _is_compound(self, noun: Span, words: str, program: Program) -> bool:
        """Whether "number" ends a noun that says a token, as in "phone number of"."""
        last = words.split()[0]
        if last not in self._language.grammar.number:
            return False
        pair = f"{noun.text.lower()} {last}"
        token = self._said.of_pair(pair, {*program, *OPERATORS})
        return token in program and token not in OPERATORS

    def _seen(self, word: str) -> str:
        return seen_form(word, self._said, self._language)

    def _in_words(self, token: str) -> str:
        """A token of a program, without its direction, as people read it."""
        if token in OPERATORS:
            return OPERATORS[token]
        kind, _, rest = token.partition(":")  # of a value, a type, or a thing
        if kind == "value":
            return rest.partition("=")[2]
        relation = self._kinds.schema.by_id.get(token)
        return relation.text if relation else self._kinds.type_texts.get(rest, token)


def _bare(token: str) -> str:
    """A token without its direction; of a type, as of the things of it."""
    if token.startswith("type:"):
        return THING + token.removeprefix("type:")
    return token[1:] if token[0] in "+-~" else token


def _kind(token: str, answers: Kinds) -> SpanKind:
    """What a token is; the type of the answers is asked for like what leads to them."""
    if token in OPERATORS:
        return "operator"
    return "relation" if token.removeprefix(THING) in (token, *answers) else "type"
