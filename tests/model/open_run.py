"""An evaluation on open questions in a process of its own, which a test kills.

`python -m tests.model.open_run HOME QUESTIONS OUT ENDPOINT`
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tests.unit.learn.toy import toy

from isomatch.evaluate import run_open_eval
from isomatch.llm import ChatModel, Retry
from isomatch.session import Session

NAME = "smollm2"
# One of each kind: facts that are checked, a rating, and a rule. All six are in the unit tests.
CHOSEN: dict[str, Any] = {
    "systems": ("steiner", "paths", "zero-shot"),
    "metrics": ("factscore", "correctness", "supported_sentences"),
    "facts": 6,
}


def client(endpoint: str) -> ChatModel:
    """A client whose replies are short: each fact that they state is asked about."""
    retry = Retry(attempts=1, total_seconds=400)
    return ChatModel(NAME, base_url=endpoint, timeout=300, max_tokens=96, retry=retry)


def evaluate(session: Session, questions: Path, out: Path) -> dict[str, Any]:
    """The run, which goes on where it was stopped."""
    return run_open_eval(str(questions), session=session, out=out, **CHOSEN)


def main(home: str, questions: str, out: str, endpoint: str) -> None:
    with client(endpoint) as model, toy(Path(home)) as session:
        session.model = model
        evaluate(session, Path(questions), Path(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
