"""Rows and runs as an evaluation writes them, without one."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from isomatch.evaluate.metrics import Score
from isomatch.evaluate.runs import Run
from isomatch.evaluate.summary import summarise

SETTINGS = {
    "source": "films.jsonl",
    "patterns": "ask",
    "interpreter": "schema",
    "retriever": "pattern",
    "topics": "found",
    "options": {},
    "choice": {"limit": None, "split_by": "none", "seed": 7, "share": 0.5, "questions": "abc"},
    "naming": None,
    "graph": "g",
    "model": None,
    "trained": {},
}


def row(id: str, *, f1: float = 1.0, **other: Any) -> dict[str, Any]:
    """One question, answered wholly right where ``f1`` is 1, else wholly wrong."""
    right = f1 == 1.0
    scored = Score(right, right, right, f1, f1, f1, right, 1.0 if right else -1.0, right, 1, 1)
    made = {
        "id": id,
        "part": "questions",
        "question": f"who directed film {id}",
        "topics": [f"Film {id}"],
        "hops": 1,
        "type": "directed by",
        "answers": ["Mann"],
        "answerable": True,
        "gold_triples": 1,
        "found": ["Mann" if right else "Scott"],
        "gold": "directed by",
        "pattern": '("Film")-[directed by]->(?x)',
        "links": {"Film": "Film"},
        "query": None,
        "reading_score": 0.9,
        "gsd": 0.1,
        "complete": True,
        "cut": False,
        "refused": False,
        "reason": None,
        "error": None,
        "score": asdict(scored),
        "chains": None,
        "triples": None,
        "usage": None,
        "stages_ms": {"total": 2.0},
    }
    return json.loads(json.dumps({**made, **other}))


def finished_run(folder: Path, rows: list[dict[str, Any]], **settings: Any) -> dict[str, Any]:
    """A run with these rows in a folder; its summary."""
    run = Run.open(folder, {**SETTINGS, **settings})
    for one in rows:
        run.add(one)
    summary = {
        **run.settings,
        **summarise(rows, seed=7),
        "problems": {"counts": {}, "listed": []},
    }
    run.finish(summary)
    return summary
