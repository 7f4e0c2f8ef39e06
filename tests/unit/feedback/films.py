"""A home folder with a graph of films, some questions about it, and what people say of answers."""

from __future__ import annotations

import json
from pathlib import Path

from isomatch.factories import make_index
from isomatch.feedback import Feedback, record
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load

RELATIONS = ("directed by", "written by", "starring", "genre")
FILMS = {
    "Heat": ("Michael Mann", "Bo Goldman", "Al Pacino", "crime"),
    "Ali": ("Michael Mann", "Eric Roth", "Will Smith", "drama"),
    "Serpico": ("Sidney Lumet", "Norman Wexler", "Al Pacino", "drama"),
    "Network": ("Sidney Lumet", "Paddy Chayefsky", "Faye Dunaway", "satire"),
    "Ronin": ("John Frankenheimer", "David Mamet", "Robert De Niro", "action"),
    "Seconds": ("John Frankenheimer", "Lewis Carlino", "Rock Hudson", "horror"),
    "Alien": ("Ridley Scott", "Dan Bannon", "Sigourney Weaver", "horror"),
    "Gladiator": ("Ridley Scott", "John Logan", "Russell Crowe", "action"),
    "Chinatown": ("Roman Polanski", "Robert Towne", "Faye Dunaway", "crime"),
    "Casino": ("Martin Scorsese", "Nick Pileggi", "Robert De Niro", "crime"),
}
ASKED = {
    "directed by": ("who directed {}?", "who is the director of {}?"),
    "written by": ("who wrote {}?", "who is the writer of {}?"),
    "starring": ("who starred in {}?", "who acted in {}?"),
    "genre": ("what genre is {}?", "which genre has {}?"),
}
QUESTIONS = [
    {"question": form.format(film), "answers": [ends[place]], "topics": [film]}
    for film, ends in FILMS.items()
    for place, relation in enumerate(RELATIONS)
    for form in ASKED[relation]
]


def make_home(folder: Path) -> Settings:
    """Load and index the films in a folder, with `QUESTIONS` in ``questions.jsonl``."""
    rows = [
        f"{film},{relation},{end}"
        for film, ends in FILMS.items()
        for relation, end in zip(RELATIONS, ends, strict=True)
    ]
    (folder / "films.csv").write_text("\n".join(rows) + "\n")
    (folder / "questions.jsonl").write_text("".join(json.dumps(q) + "\n" for q in QUESTIONS))
    settings = Settings(home=folder)
    load([folder / "films.csv"], settings.graph_path)
    make_index(settings)
    return settings


def say(session: Session, question: str, kind: str, **fields: object) -> str:
    """Keep feedback; the id."""
    return record(session.resources, Feedback.of(question=question, kind=kind, **fields))


def walk(film: str, relation: str) -> str:
    """The pattern of what a film has at a relation."""
    return f'("{film}")-[{relation}]->(?x)'
