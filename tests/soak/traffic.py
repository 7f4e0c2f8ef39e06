"""Clients that ask without end, and judge every reply."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Sequence
from time import monotonic
from typing import Any, Literal

import httpx
from tests.soak.questions import Question, other_graphs, said

Verdict = Literal[
    "right", "wrong", "silent", "partial", "misdirected", "busy", "fault", "failure", "cut"
]
"""``silent``: partial, and does not say so; ``fault``: a refusal that a fault explains;
``failure``: any that nothing explains; ``cut``: no answer at all after SIGTERM."""
PAUSE = 0.25  # seconds between two requests of a client, on average
KEPT = 20  # replies that are kept to be shown
SECONDS = 60.0  # after which a client gives up
PROBLEM = "application/problem+json"


class Traffic:
    """Clients of the service.

    Attributes:
        phase: what happens now, for the counts.
        excused: graphs whose database is away: they may be refused with 503 or 504.
        key: that clients have.
        counts: by phase, graph and verdict.
        bad: the first replies that were none of right, busy or excused, in words.
    """

    def __init__(self, url: str, questions: Sequence[Question], key: str):
        self.url = url.rstrip("/")
        self.phase = ""
        self.excused: frozenset[str] = frozenset()
        self.counts: Counter[tuple[str, str, Verdict]] = Counter()
        self.bad: list[str] = []
        self._questions = questions
        self.key = key
        self._ended = False
        self._told: float | None = None  # when the service was told to end

    def told_to_end(self) -> None:
        """From now on the service may refuse, but must answer what it had taken."""
        self._told = monotonic()

    def end(self) -> None:
        """Have the clients end with the reply that they wait for."""
        self._ended = True

    def of(self, *verdicts: Verdict, phase: str | None = None) -> int:
        """Replies with one of these verdicts."""
        return sum(
            count
            for (during, _, verdict), count in self.counts.items()
            if verdict in verdicts and phase in (None, during)
        )

    def connect(self) -> httpx.AsyncClient:
        """A client with the key."""
        headers = {"Authorization": f"Bearer {self.key}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=SECONDS)

    async def client(self, number: int) -> None:
        """One client, until `end`."""
        chance = random.Random(number)
        async with self.connect() as http:
            while not self._ended:
                await asyncio.sleep(chance.uniform(0, 2 * PAUSE))
                if self._told is not None and monotonic() > self._told:
                    return
                await self.ask(http, chance.choice(self._questions))

    async def ask(self, http: httpx.AsyncClient, question: Question) -> Verdict:
        """Send one request, judge the reply, and count it."""
        excused, phase, sent = self.excused, self.phase, monotonic()
        try:
            reply = await http.post(question.path, content=question.body, headers=question.headers)
        except httpx.HTTPError as error:
            verdict: Verdict = "failure" if self._told is None else "cut"
            words = f"{type(error).__name__} {error} after {monotonic() - sent:.1f} s"
        else:
            may_fail = question.graph in excused | self.excused or self._told is not None
            verdict = judge(question, reply, may_fail)
            words = f"{reply.status_code} {reply.text[:300]}"
        self.counts[phase, question.graph, verdict] += 1
        if verdict not in ("right", "busy", "fault") and len(self.bad) < KEPT:
            asked = question.body.decode()
            self.bad.append(f"{phase}: {verdict}: {question.path} {asked}: {words}")
        return verdict


def judge(question: Question, reply: httpx.Response, may_fail: bool) -> Verdict:
    """What a reply is worth.

    Args:
        may_fail: whether the graph's database is away, or the service was told to end.
    """
    status, kind = reply.status_code, reply.headers.get("content-type", "")
    if status != 200:
        if not kind.startswith(PROBLEM) or reply.json()["status"] != status:
            return "failure"
        if status == 429:
            return "busy"
        explained = may_fail and status in (503, 504) and "retry-after" in reply.headers
        return "fault" if explained else "failure"
    if other_graphs(question, reply.text):
        return "misdirected"
    form = _last_event(reply.text) if question.kind == "events" else reply.json()
    if "status" in form:  # of a stream that had begun
        return "fault" if may_fail and form["status"] in (503, 504) else "failure"
    if question.kind != "sparql" and form["graph"] != question.graph:
        return "misdirected"
    found = said(question.kind, form)
    if found.names == question.expected:
        return "right"
    if not found.complete:
        return "partial"
    return "silent" if found.names < question.expected else "wrong"


def _last_event(text: str) -> Any:
    """The object of a stream's last event: the answer, or a problem."""
    data = [line.partition(":")[2] for line in text.splitlines() if line.startswith("data:")]
    form = json.loads(data[-1])
    return form.get("problem", form)
