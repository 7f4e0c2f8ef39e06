"""Programs of the same tokens are told apart by the order of the question's words."""

from __future__ import annotations

import pytest

from isomatch.interpret.programs.nesting import turned
from isomatch.trained.alignment import Alignment, Program

SAID = Alignment(
    {"friends": {":FRIEND": 0.9}, "relatives": {":KIN": 0.9}, "names": {".name": 0.9}},
    usual={":FRIEND": 0.1, ":KIN": 0.1, ".name": 0.1},
)
FRIENDS_OF_KIN: Program = ("~:FRIEND", "~:KIN", "@0")
KIN_OF_FRIENDS: Program = ("~:KIN", "~:FRIEND", "@0")


@pytest.mark.parametrize(
    ("question", "programs", "counts"),
    [
        ("friends of relatives of", [FRIENDS_OF_KIN, KIN_OF_FRIENDS], [0, 1]),
        ("relatives of friends of", [FRIENDS_OF_KIN, KIN_OF_FRIENDS], [1, 0]),
        ("relatives of friends of", [FRIENDS_OF_KIN], [0]),  # nothing else has these tokens
        ("relatives of friends of", [FRIENDS_OF_KIN, ("~:KIN", "@0")], [0, 0]),
        ("relatives of chums of", [FRIENDS_OF_KIN, KIN_OF_FRIENDS], [0, 0]),
        ("friends and relatives of friends of", [FRIENDS_OF_KIN, KIN_OF_FRIENDS], [0, 0]),
        (
            "names of relatives of friends of",
            [("+.name", *KIN_OF_FRIENDS), ("+.name", *FRIENDS_OF_KIN)],
            [0, 1],
        ),
        (  # parts of "and" have no order
            "relatives and friends of",
            [("and", *FRIENDS_OF_KIN[:1], "@0", "~:KIN", "@0")],
            [0],
        ),
    ],
)
def test_pairs_in_another_order_than_their_words_are_counted(
    question: str, programs: list[Program], counts: list[int]
) -> None:
    assert turned(question.split(), programs, SAID, str) == counts
