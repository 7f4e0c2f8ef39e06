"""A language model picks the chains that mean a question (GSR's selected data).

After Huang et al. (EMNLP Findings 2024), section 4.2. The model sees the question and
numbered chains, and gives numbers back; nothing that it says enters a query.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from isomatch.learn.labels import Explanation
from isomatch.llm.conversation import prompt
from isomatch.phrasing import clean

if TYPE_CHECKING:
    from isomatch.llm import ChatModel

MOST_SHOWN = 10
_LIST = re.compile(r"\[[\d\s,]*\]")
_NUMBER = re.compile(r"\d{1,4}")
SCHEMA = {
    "type": "object",
    "properties": {"ways": {"type": "array", "items": {"type": "integer"}}},
    "required": ["ways"],
    "additionalProperties": False,
}


def choose(
    model: ChatModel, question: str, found: Sequence[Explanation], texts: Mapping[str, str]
) -> tuple[Explanation, ...]:
    """Those of the ten best explanations that the model chooses, in its order.

    A reply without a list of numbers chooses none, and so does a number of none.

    Args:
        texts: words by relation id.

    Raises:
        ModelError: the endpoint failed.
    """
    shown = found[:MOST_SHOWN]
    ways = "\n".join(f"{n}. {said(way, texts)}" for n, way in enumerate(shown, 1))
    reply = model.complete(
        [
            {"role": "system", "content": prompt("isomatch.learn", "choose.j2")},
            {"role": "user", "content": f"Question: {clean(question)}\n{ways}\nReply:"},
        ],
        schema=SCHEMA,
    )
    listed = _LIST.search(reply)
    numbers = dict.fromkeys(map(int, _NUMBER.findall(listed[0]))) if listed else {}
    return tuple(shown[n - 1] for n in numbers if 0 < n <= len(shown))


def said(explanation: Explanation, texts: Mapping[str, str]) -> str:
    """An explanation as a model reads it.

    Example:
        >>> from isomatch.chains.graph import Step
        >>> way = Explanation((("Mann", (Step("d", True), Step("s"))),), 1.0)
        >>> said(way, {"d": "by", "s": "of"})
        '(Mann) <-[by]- (?) -[of]-> (?)'
    """
    ways = []
    for topic, chain in explanation.parts:
        walk = f"({clean(topic)})"
        for step in chain:
            relation = clean(texts[step.relation])
            walk += f" <-[{relation}]- (?)" if step.back else f" -[{relation}]-> (?)"
        ways.append(walk)
    return ", which is also ".join(ways)
