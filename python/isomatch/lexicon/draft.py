"""Class words for graphs without types: what is it that has these relations?

What has a director, actors and a release year is a film. A sentence embedding
knows that: "the director of it" is nearest to "the director of the film". So the
class word of a relation's end is the one of a short list of general classes (and
of the doers that its relations name: what plays is a player) that changes these
phrases least. It is a draft; the lexicon's file is there to correct it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice
from pathlib import Path

from isomatch.chains.graph import ChainGraph, Step
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Lexicon, draft_lexicon, draft_words
from isomatch.lexicon.rank import TextEmbedder
from isomatch.lexicon.relation_words import RelationWords
from isomatch.schema.labels import also_called
from isomatch.schema.types import Relation, Schema
from isomatch.store.base import Store
from isomatch.texts import data

_FORMS = data("isomatch.lexicon", "english_forms.toml")
CLASSES: tuple[str, ...] = tuple(_FORMS["classes"].split())
GENERAL = frozenset(_FORMS["general_classes"].split())
USUAL = 0.15  # share of an end's nodes that must have a relation for it to say anything
SURE = 0.01  # by which the mean cosine of a class is greater than that of any other
NEAREST = 3  # phrases to which a class must be nearest, or to all
MOST = 12  # relations that are compared for one end
MOST_GUESSED = 100  # relations whose ends are guessed, most frequent first
CALLED = 2000  # types whose other names are read


class ClassGuesser:
    """Guesses the class word of a relation's ends; see the module's text.

    Attributes:
        doubtful: ids of relations of whose sources another class is nearly as likely, or which
            a general class is guessed for.

    Args:
        graph: asked which relations the nodes at an end have.
        embedder: for about 400 phrases of one kind of node.
    """

    def __init__(self, graph: ChainGraph, embedder: TextEmbedder):
        self._graph = graph
        self._embedder = embedder
        self._words = {r.id: draft_words(r.text) for r in graph.schema.relations[:MOST_GUESSED]}
        self._fits: dict[str, Mapping[str, float]] = {}
        self.doubtful: set[str] = set()

    def __call__(self, relation: Relation, end: str) -> str | None:
        """The class word at the ``source`` or ``target`` of a relation; None for no guess."""
        if relation.id not in self._words:
            return None
        self._graph.begin()
        shares = self._graph.followers(Step(relation.id, back=end == "source"))
        usual = sorted(
            (s for s, share in shares.items() if share >= USUAL and s.relation in self._words),
            key=lambda s: (-shares[s], s),
        )[:MOST]
        nouns = [noun for s in usual for noun in self._read(s).nouns[:1]]
        doers = [noun for s in usual for noun in self._read(s).inverse_nouns[:1]]
        if doers and 2 * doers.count(doer := max(doers, key=doers.count)) > len(doers) > 1:
            return doer
        # A target is named by its relation's noun; only good evidence beats that.
        if len(set(nouns)) < (2 if end == "source" else 3):
            return None
        fits = [self._fit(noun) for noun in dict.fromkeys(nouns)]
        # What has a production company is no company.
        said = {word for noun in nouns for word in tokens(noun)}
        classes = [c for c in CLASSES if c not in said]
        means = {c: sum(f[c] for f in fits) / len(fits) for c in classes}
        first, second = sorted(classes, key=means.__getitem__, reverse=True)[:2]
        nearest = [max(classes, key=f.__getitem__) for f in fits].count(first)
        poor = means[first] < means[second] + SURE or nearest < min(len(fits), NEAREST)
        if poor or first in GENERAL:
            self.doubtful |= {relation.id} if end == "source" else set()
        return first

    def _read(self, step: Step) -> RelationWords:
        words = self._words[step.relation]
        return words.inverse() if step.back else words

    def _fit(self, noun: str) -> Mapping[str, float]:
        """For each class, how little it changes "the noun of it"."""
        if noun not in self._fits:
            phrases = [f"the {noun} of it", *(f"the {noun} of the {c}" for c in CLASSES)]
            vectors = self._embedder.embed(phrases)
            fits = (vectors[1:] @ vectors[0]).tolist()
            self._fits[noun] = dict(zip(CLASSES, fits, strict=True))
        return self._fits[noun]


def draft_from_graph(
    store: Store,
    schema: Schema,
    embedder: TextEmbedder,
    *,
    cache_folder: Path | None = None,
    language: Language | None = None,
) -> Lexicon:
    """The best draft of a lexicon: by the schema, and by `ClassGuesser` where it has no types.

    Classes are guessed in English only. What the graph says that relations and types are
    also called are words for them too.

    Guessing takes a second or two for ten relations, and none for a second draft where the
    embedder keeps its vectors and a folder what the graph said.
    """
    if language is not None and language.lemmas:
        lexicon = draft_lexicon(schema, language=language)
    else:
        graph = ChainGraph(store, schema, cache_folder)
        guesser = ClassGuesser(graph, embedder)
        lexicon = draft_lexicon(schema, classify=guesser)
        lexicon = replace(lexicon, doubtful=frozenset(guesser.doubtful))
        graph.save()
    lexicon = without_others(lexicon, schema)
    ids = [*lexicon.relations, *islice(lexicon.types, CALLED)]
    called = also_called(store, schema, ids, lexicon.language.code)
    return with_other_names(lexicon, schema, called) if called else lexicon


def without_others(lexicon: Lexicon, schema: Schema) -> Lexicon:
    """A lexicon without nouns for the sources of relations that are names of relations of theirs.

    What was "lived in" has a `resident`, and is none, where a residence says both.
    """
    if not schema.typed:
        return lexicon
    relations = {
        id: replace(words, inverse_nouns=tuple(n for n in words.inverse_nouns if n not in beside))
        for id, words in lexicon.relations.items()
        if words.inverse_nouns
        for beside in [schema.sibling_names(schema.by_id[id])]
    }
    return replace(lexicon, relations={**lexicon.relations, **relations})


def with_other_names(
    lexicon: Lexicon, schema: Schema, called: Mapping[str, Sequence[str]]
) -> Lexicon:
    """A lexicon with what relations and types are also called, but for what another is called.

    Args:
        called: other names, by id.
    """
    language = lexicon.language
    words_of_types = {words.word for words in lexicon.types.values()}
    own = words_of_types | {relation.text.lower() for relation in schema.relations}
    names = {
        id: [
            w
            for text in called.get(id, ())
            if (w := language.singular(text.lower())) not in words_of_types
        ]
        for id in lexicon.types
    }
    places = Counter(name for some in names.values() for name in {*some})
    types = {}
    for id, words in lexicon.types.items():
        by_head = [w for w in words.also if not places[w] or w in names[id]]
        types[id] = replace(words, also=tuple(dict.fromkeys((*by_head, *names[id]))))
    begun = {  # "work" says nothing of a job beside those whom people "work for"
        form: id
        for id, words in lexicon.relations.items()
        for phrase in (*words.forward, *called.get(id, ()))
        if len(tokens(phrase)) > 1 and tokens(phrase)[-1] in language.prepositions
        for form in language.forms(tokens(phrase)[0])
    }
    relations = {}
    for id, own_words in lexicon.relations.items():
        others = []
        for text in map(str.lower, called.get(id, ())):
            if text not in own and begun.get(text, id) == id:
                said = draft_words(text, language)
                nouns = tuple(n for n in said.nouns if n == text or n not in words_of_types)
                others.append(replace(said, nouns=nouns))
        relations[id] = reduce(RelationWords.beside, others, own_words)
    return replace(lexicon, types=types, relations=relations)
