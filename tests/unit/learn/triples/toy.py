"""A toy graph of films, and questions over it, for a scorer to learn from in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from isomatch.chains.graph import Step
from isomatch.factories import make_index
from isomatch.learn.triples.data import TripleQuestion, triple_questions
from isomatch.learn.walks import Entities
from isomatch.questions.datasets import Question
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load

COUNT = 16
RELATIONS = {"directed_by": "who directed {}?", "starred_actors": "who acted in {}?"}
BASE = "http://films.example/"


def facts() -> list[tuple[str, str, str]]:
    """Films with a director, two actors and a year; people make several."""
    found = []
    for i in range(COUNT):
        film = f"Film {chr(65 + i)}"
        found.append((film, "directed_by", f"Director {chr(65 + i // 2)}"))
        found += [(film, "starred_actors", f"Actor {chr(65 + (i + d) % COUNT)}") for d in (0, 1)]
        found += [(film, "release_year", str(1990 + i % 4)), (film, "has_genre", "Drama")]
    return found


def open_toy(folder: Path) -> Session:
    """The graph, loaded and indexed under a folder."""
    data = folder / "films.tsv"
    data.write_text("".join(f"{h}\t{r}\t{t}\n" for h, r, t in facts()), encoding="utf-8")
    settings = Settings(home=folder / "home")
    load([data], settings.graph_path, base=BASE)
    make_index(settings)
    return Session.open(settings)


def questions() -> list[Question]:
    """One of each kind for each film."""
    return [
        Question(
            f"{relation} {film}",
            text.format(film),
            (film,),
            tuple(t for h, r, t in facts() if (h, r) == (film, relation)),
            None,
            1,
        )
        for relation, text in RELATIONS.items()
        for film in sorted({h for h, _, _ in facts()})
    ]


def learnt(session: Session, chosen: Sequence[Question]) -> list[TripleQuestion]:
    """Questions with the chain that their id names."""
    relations = {r.text.replace(" ", "_"): r.id for r in session.schema.relations}
    chains = {q.id: [(q.topics[0], (Step(relations[q.id.split(" ")[0]]),))] for q in chosen}
    return list(triple_questions(chosen, Entities(session.index).ids, chains))
