"""What a judge replies: forms, and what happens where a reply is outside of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from re import finditer
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from isomatch.errors import ModelError
from isomatch.flows import Flow
from isomatch.llm import ChatModel, Message, Reply, WeighedCompletion, continued, prompt
from isomatch.llm.reply import Token, WithoutText, cut

_PACKAGE = "isomatch.judge"
_MOST = 20_000  # characters of a reply that are read
_SAID = 2_000  # characters of one that are sent back
ALTERNATIVES = 20  # OpenAI's own limit
BEST = 5  # of a rating; the worst is 1
_MOST_FACTS = 30  # of a sentence


def _spoken(text: str) -> str:
    """A text that says something: a weak judge repeats the "..." of its prompt."""
    if not any(map(str.isalnum, text)):
        raise ValueError("it says nothing")
    return " ".join(text.split())


def _few(facts: list[str]) -> list[str]:
    if len(facts) > _MOST_FACTS:
        raise ValueError(f"more than {_MOST_FACTS} facts of one sentence")
    return facts


def _on_scale(score: int) -> int:
    if not 1 <= score <= BEST:
        raise ValueError(f"a rating is 1 to {BEST}")
    return score


# The limits are not in the JSON Schema: many endpoints refuse one that has such.
Words = Annotated[str, AfterValidator(_spoken)]


class Form(BaseModel):
    """An object that a judge replies with; other keys of it are passed over.

    Attributes:
        key: by which it is known among other objects in a reply.
    """

    key: ClassVar[str] = "verdict"
    model_config = ConfigDict(extra="ignore", json_schema_extra={"additionalProperties": False})


class FactList(Form):
    """The facts that a sentence states."""

    key: ClassVar[str] = "facts"
    facts: Annotated[list[Words], AfterValidator(_few)]


class FactCheck(Form):
    """Whether a reference carries a fact."""

    reason: Words
    verdict: Literal["supported", "not supported"]


class Decision(Form):
    """What an agent that searched decides."""

    reason: Words
    verdict: Literal["supported", "not supported", "irrelevant"]


class Step(Form):
    """What an agent does next: search, or decide."""

    key: ClassVar[str] = "action"
    reason: Words
    action: Literal["search", "supported", "not supported", "irrelevant"]
    query: str


class Rating(Form):
    """A rating on a scale."""

    key: ClassVar[str] = "score"
    reason: Words
    score: Annotated[
        int,
        Field(strict=True, json_schema_extra={"enum": list(range(1, BEST + 1))}),
        AfterValidator(_on_scale),
    ]


Of = TypeVar("Of", bound=Form)


@dataclass(frozen=True, slots=True)
class Read(Generic[Of]):
    """A reply that has the form.

    Attributes:
        reply: as it was written.
        repaired: whether the one before it was outside the form.
    """

    form: Of
    reply: Reply
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Invalid:
    """Two replies outside the form, and why."""

    reason: str


class _OutsideForm(Exception):
    """What is wrong with a reply, in words for the model."""


def asked(
    model: ChatModel, messages: Sequence[Message], form: type[Of], *, alternatives: int = 0
) -> Flow[Read[Of] | Invalid]:
    """Ask a judge; a reply outside the form is sent back once.

    Raises:
        ModelError: the endpoint failed. An empty reply is one outside the form.
    """
    schema = form.model_json_schema()
    said, problem = "", ""
    for repaired in (False, True):
        sent = messages if not repaired else _sent_back(messages, said, problem, form)
        said = ""
        try:
            reply = yield WeighedCompletion(model, sent, schema, alternatives)
            said = reply.text
            return Read(read(said, form), reply, repaired)
        except _OutsideForm as error:
            problem = str(error)
        except ModelError as error:
            if not isinstance(error.__cause__, WithoutText):
                raise
            problem = "it is empty"
    return Invalid(f"the judge replied outside the form, twice: {problem}. It said: {cut(said)!r}")


def _sent_back(
    messages: Sequence[Message], said: str, problem: str, form: type[Form]
) -> list[Message]:
    repair = prompt(_PACKAGE, "repair.j2", problem=problem, keys=list(form.model_fields))
    return continued(messages, said[:_SAID] or "(nothing)", repair)


def read(text: str, form: type[Of]) -> Of:
    """The object that a reply holds, whatever stands around it.

    Raises:
        _OutsideForm: it holds none, several that differ, or one with wrong values.
    """
    found = _objects(text[:_MOST], form.key)
    if not found:
        keys = ", ".join(form.model_fields)
        raise _OutsideForm(f"it is no JSON object with the keys {keys}")
    if any(other != found[0] for other in found):
        raise _OutsideForm("it holds several JSON objects, which differ")
    try:
        return form.model_validate(found[0])
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise _OutsideForm(f"at {place!r}: {first['msg']}") from error


def _objects(text: str, key: str) -> list[dict[str, Any]]:
    """The JSON objects in a text that have a key, those inside of others left out."""
    decoder = json.JSONDecoder()
    found = []
    start = text.find("{")
    while start >= 0:
        end = start + 1
        try:
            value, end = decoder.raw_decode(text, start)
            if isinstance(value, dict) and key in value:
                found.append(value)
        except (ValueError, RecursionError):
            pass  # a brace that begins no object
        start = text.find("{", end)
    return found


def weighted_rating(tokens: Sequence[Token], score: int) -> float | None:
    """The mean of all ratings by their probabilities, at the place of the one that was given.

    As G-Eval weighs ratings (Liu et al. 2023, equation 1), over the ratings among the
    alternatives of that token. None where no token is the rating alone.

    Example:
        >>> from math import log
        >>> chances = {"4": log(0.5), " 2": log(0.25), "x": log(0.25)}
        >>> tokens = [Token('{"score": ', {}), Token("4", chances), Token("}", {})]
        >>> round(weighted_rating(tokens, 4), 4)
        3.3333
    """
    text = "".join(token.text for token in tokens)
    places = [m.end() - 1 for m in finditer(r'"score"\s*:\s*\d', text)]
    at = 0
    for token in tokens:
        if places and at <= places[-1] < at + len(token.text):
            return _mean(token, score)
        at += len(token.text)
    return None


def _mean(token: Token, score: int) -> float | None:
    if token.text.strip() != str(score):
        return None
    chances: dict[int, float] = {}
    for text, chance in token.chances.items():
        if text.strip() in map(str, range(1, BEST + 1)):
            rating = int(text.strip())
            chances[rating] = chances.get(rating, 0.0) + exp(min(chance, 0.0))
    total = sum(chances.values())
    return sum(rating * chance for rating, chance in chances.items()) / total if total else None
