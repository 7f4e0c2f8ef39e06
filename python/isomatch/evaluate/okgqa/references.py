"""What answers are checked against: facts of the graph, descriptions of entities, texts."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.evaluate.okgqa.config import DESCRIPTIONS, GRAPH
from isomatch.judge.references import descriptions
from isomatch.judge.search import fact_line
from isomatch.lexicon.folding import fold
from isomatch.questions.open.sets import OpenQuestion
from isomatch.retrieve.topics import find_topics
from isomatch.triples.features import Elements
from isomatch.triples.ranking import Surroundings

if TYPE_CHECKING:
    from isomatch.session import Session

HOPS, FACTS = 2, 2_000  # around the topics
Texts = Mapping[str, tuple[str, ...]]
_SUFFIXES = (".txt", ".md")


@dataclass(frozen=True, slots=True)
class References:
    """Gives the texts that an answer to a question is checked against.

    Attributes:
        session: over the graph as it is, never over a copy with errors.
        kinds: `GRAPH`, `DESCRIPTIONS`, both or none of them.
        texts: further ones by folded name.
    """

    session: Session
    kinds: Collection[str] = (GRAPH, DESCRIPTIONS)
    texts: Texts = field(default_factory=dict)
    _kept: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def of(self, question: OpenQuestion) -> tuple[str, ...]:
        """The texts for a question, which are read once; none where there are none."""
        if question.id not in self._kept:
            self._kept[question.id] = self._read(question)
        return self._kept[question.id]

    def _read(self, question: OpenQuestion) -> tuple[str, ...]:
        found: list[str] = [*question.reference]
        for topic in question.topics:
            found += (f"{topic}: {text}" for text in self.texts.get(fold(topic), ()))
        if DESCRIPTIONS in self.kinds:
            found += descriptions(self.session, question.topics)
        if GRAPH in self.kinds:
            found += self._facts(question)
        return tuple(dict.fromkeys(found))

    def _facts(self, question: OpenQuestion) -> list[str]:
        """The facts within two hops of the topics, as lines."""
        resources = self.session.resources
        try:
            ids = find_topics(resources, question.text, question.topics).ids
        except InterpretationError:
            return []  # only where the set was not checked against the graph
        elements = resources.derived("elements", lambda: Elements(resources))
        around = Surroundings(HOPS, FACTS, seconds=None)
        hood = around.neighbourhood(resources, ids, elements)
        known = resources.schema.by_id
        rows = zip(hood.heads.tolist(), hood.links.tolist(), hood.tails.tolist(), strict=True)
        return [
            fact_line(hood.names[head], known[hood.relations[link]].text, hood.names[tail])
            for head, link, tail in rows
        ]

    def check(self, questions: Sequence[OpenQuestion]) -> None:
        """Refuse questions that nothing could be checked against.

        Raises:
            ConfigurationError: facts of the graph are not wanted, and a question has nothing else.
        """
        without = [q for q in questions if GRAPH not in self.kinds and not self.of(q)]
        if without:
            raise ConfigurationError(
                f"{len(without):,} of {len(questions):,} questions have no reference text, such as "
                f"{without[0].text!r}: give texts about {', '.join(without[0].topics)} with "
                "--reference PATH, or take --reference graph"
            )


def read_texts(places: Iterable[Path]) -> dict[str, tuple[str, ...]]:
    """Texts by the folded names of what they are about.

    Args:
        places: each a table of name, tab and text (``.tsv``); JSON lines with ``name`` and
            ``text``; or a folder of ``.txt`` and ``.md`` files called by the names.

    Raises:
        ConfigurationError: one is not there, has no text, or a line has another form.
    """
    found: dict[str, list[str]] = {}
    for place in places:
        try:
            pairs = _named_texts(place)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"--reference {place} cannot be read: {error}") from error
        texts = [(name, text) for name, text in pairs if name.strip() and text.strip()]
        if not texts:
            raise ConfigurationError(
                f"--reference {place} has no texts: expected name and text with a tab between "
                "(.tsv), JSON lines with name and text (.jsonl), or a folder of .txt and .md files"
            )
        for name, text in texts:
            found.setdefault(fold(name), []).append(" ".join(text.split()))
    return {name: tuple(texts) for name, texts in found.items()}


def _named_texts(place: Path) -> list[tuple[str, str]]:
    if place.is_dir():
        files = sorted(p for p in place.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
        return [(file.stem.replace("_", " "), file.read_text("utf-8-sig")) for file in files]
    pairs = []
    for number, line in enumerate(place.read_text("utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            if place.suffix == ".jsonl":
                row = json.loads(line)
                pairs.append((str(row["name"]), str(row["text"])))
            else:
                name, text = line.split("\t", 1)
                pairs.append((name, text))
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(
                f"--reference {place}, line {number}: expected a name and a text ({error})"
            ) from error
    return pairs
