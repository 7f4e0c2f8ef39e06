"""The chat client, against an endpoint inside the process."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate
from itertools import repeat

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.endpoint import Endpoint, chat, chunks, events, problem, stream

from isomatch.errors import ConfigurationError, ModelError
from isomatch.llm import ChatModel
from isomatch.llm.reply import Events

ASK = [{"role": "user", "content": "Who?"}]
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
KEY = "sk-very-secret"
PASSWORD = "open-sesame"


def both(endpoint_of, **settings):
    """The outcome of `complete` and of `acomplete` on two equal endpoints."""
    outcomes = []
    for way in ("complete", "acomplete"):
        endpoint = endpoint_of()
        model = endpoint.model(**settings)
        try:
            said = getattr(model, way)(ASK, schema=SCHEMA)
            outcomes.append((asyncio.run(said) if way == "acomplete" else said, endpoint))
        except ModelError as error:
            outcomes.append((error, endpoint))
    return outcomes


def read(model: ChatModel, way: str) -> list[str]:
    if way == "stream":
        return list(model.stream(ASK))

    async def collect() -> list[str]:
        return [piece async for piece in model.astream(ASK)]

    return asyncio.run(collect())


def test_a_good_reply_is_returned_and_the_request_is_as_documented():
    for said, endpoint in both(lambda: Endpoint("  Heat  "), api_key=KEY, max_tokens=99):
        assert said == "Heat"
        (body,) = endpoint.bodies
        assert body["model"] == "test-model"
        assert body["messages"] == ASK
        assert body["temperature"] == 0
        assert body["max_tokens"] == 99
        assert body["response_format"]["type"] == "json_schema"
        assert body["response_format"]["json_schema"]["schema"] == SCHEMA
        assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"


def test_an_endpoint_of_ones_own_needs_no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert Endpoint("yes").model().complete(ASK) == "yes"


def test_address_and_key_come_from_the_usual_variables(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.test/api/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    seen = []

    def reply(request: httpx.Request) -> httpx.Response:
        seen.append((str(request.url), request.headers["authorization"]))
        return chat("ok")

    model = Endpoint(reply).model(base_url=None)
    assert model.complete(ASK) == "ok"
    assert seen == [("http://elsewhere.test/api/v1/chat/completions", f"Bearer {KEY}")]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": " "}, "ISOMATCH_MODEL"),
        ({"model": "m", "base_url": "localhost:8000/v1"}, "http://localhost:8000/v1"),
        ({"model": "m"}, "OPENAI_API_KEY"),
    ],
)
def test_wrong_settings_are_refused_at_once(settings, words, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ConfigurationError, match=words):
        ChatModel(**settings)


def test_429_is_retried_after_the_time_that_the_server_asks_for():
    busy = problem(429, "slow down", {"retry-after": "7"})
    for said, endpoint in both(lambda: Endpoint(busy, "ok")):
        assert said == "ok"
        assert endpoint.waits == [7.0]


def test_retry_after_may_be_a_date():
    later = formatdate(time.time() + 30, usegmt=True)
    endpoint = Endpoint(problem(429, "slow down", {"retry-after": later}), "ok")
    assert endpoint.model().complete(ASK) == "ok"
    assert 20 < endpoint.waits[0] <= 30


def test_a_wait_beyond_the_time_in_all_is_not_begun():
    busy = problem(429, "come back tomorrow", {"retry-after": "86400"})
    for error, endpoint in both(lambda: Endpoint(busy)):
        assert "429" in str(error)
        assert "wait 86400 s" in str(error)
        assert endpoint.waits == []


def test_an_empty_account_is_not_asked_again():
    spent = problem(429, "You exceeded your quota", code="insufficient_quota")
    endpoint = Endpoint(spent)
    with pytest.raises(ModelError, match="quota"):
        endpoint.model().complete(ASK)
    assert len(endpoint.bodies) == 1


def test_endless_500_ends_after_the_attempts_and_says_how_many():
    for error, endpoint in both(lambda: Endpoint(problem(500, "out of memory")), attempts=4):
        assert isinstance(error, ModelError)
        assert "'test-model' at http://models.test/v1 answered 500 (asked 4 times)" in str(error)
        assert "out of memory" in str(error)
        assert "Matching a pattern needs no model" in str(error)
        assert len(endpoint.bodies) == 4
        assert len(endpoint.waits) == 3
        assert endpoint.waits[-1] > endpoint.waits[0] >= 0.5


def test_a_silent_endpoint_times_out_and_is_asked_again():
    for error, endpoint in both(lambda: Endpoint(httpx.ReadTimeout("read")), timeout=3):
        assert "did not answer within 3 s (asked 3 times)" in str(error)
        assert "ISOMATCH_MODEL_TIMEOUT" in str(error)
        assert len(endpoint.bodies) == 3


def test_silence_in_the_middle_of_a_reply_is_a_time_out_too():
    def torn():
        yield b'{"choices": ['
        raise httpx.ReadTimeout("read")

    endpoint = Endpoint(lambda request: chunks(torn()), "ok")
    endpoint.replies.insert(0, lambda request: chunks(torn()))
    assert endpoint.model().complete(ASK) == "ok"
    assert len(endpoint.bodies) == 3


def test_a_server_that_drips_cannot_outlast_the_time_in_all():
    drip = Endpoint(lambda request: chunks(repeat(b" ")))
    with pytest.raises(ModelError, match=r"longer than 0\.2 s in all"):
        drip.model(total_seconds=0.2).complete(ASK)
    with pytest.raises(ModelError, match=r"longer than 0\.2 s in all"):
        list(drip.model(total_seconds=0.2).stream(ASK))


def test_an_endpoint_that_is_not_there_is_asked_thrice_and_named():
    for error, endpoint in both(lambda: Endpoint(httpx.ConnectError("connection refused"))):
        assert "cannot be reached (asked 3 times): connection refused" in str(error)
        assert "OPENAI_BASE_URL" in str(error)
        assert len(endpoint.waits) == 2


@pytest.mark.parametrize(
    "reply",
    [
        httpx.Response(200, text="<html>It works!</html>"),
        httpx.Response(200, json=[]),
        httpx.Response(200, json={"choices": []}),
        httpx.Response(200, json={"choices": [{"message": "hello"}]}),
        httpx.Response(200, json={"error": "no"}),
        httpx.Response(200, json=None),
        httpx.Response(200, content=b"\xff\xfe\x00"),
        httpx.Response(200, content=b"[" * 100_000),
        chat(None),
        chat("  "),
        chat(None, refusal="I may not"),
    ],
    ids=range(11),
)
def test_nonsense_is_a_model_error_and_is_not_asked_again(reply):
    endpoint = Endpoint(reply)
    with pytest.raises(ModelError, match=r"http://models\.test/v1 answered"):
        endpoint.model().complete(ASK)
    assert len(endpoint.bodies) == 1


def test_half_a_surrogate_pair_is_replaced_both_ways():
    endpoint = Endpoint(
        httpx.Response(200, content=rb'{"choices": [{"message": {"content": "a\ud800"}}]}')
    )
    assert endpoint.model().complete([{"role": "user", "content": "b\udc80"}]) == "a?"
    assert endpoint.said == [["b?"]]


def test_an_endless_reply_is_cut_off():
    with pytest.raises(ModelError, match="more than 4194304 bytes"):
        Endpoint(lambda request: chunks(repeat(b"x" * 65536))).model().complete(ASK)


@pytest.mark.parametrize(
    ("status", "said"),
    [(400, "unknown field"), (500, "1 validation error: {'loc': ('body', 'response_format')}")],
)
def test_a_refused_response_format_is_left_out_step_by_step_and_remembered(status, said):
    def reply(request: httpx.Request) -> httpx.Response:
        if b"response_format" in request.content:
            return problem(status, said)(request)
        return chat("{}")

    endpoint = Endpoint(reply)
    model = endpoint.model()
    assert model.complete(ASK, schema=SCHEMA) == "{}"
    assert asyncio.run(model.acomplete(ASK, schema=SCHEMA)) == "{}"
    formats = [body.get("response_format", {}).get("type") for body in endpoint.bodies]
    assert formats == ["json_schema", "json_object", None, None]


def test_a_400_for_another_reason_is_told_and_nothing_is_remembered():
    endpoint = Endpoint(problem(400, "context length exceeded"))
    model = endpoint.model()
    with pytest.raises(ModelError, match=r"answered 400: .*length exceeded.*fewer evidence"):
        model.complete(ASK, schema=SCHEMA)
    endpoint.replies = ["ok"]
    model.complete(ASK, schema=SCHEMA)
    assert endpoint.bodies[-1]["response_format"]["type"] == "json_schema"


def test_reasoning_models_take_no_temperature_and_another_name_for_max_tokens():
    def reply(request: httpx.Request) -> httpx.Response:
        if b'"temperature"' in request.content:
            return problem(400, "Unsupported value: 'temperature'")(request)
        if b'"max_tokens"' in request.content:
            return problem(400, "Use 'max_completion_tokens' instead")(request)
        return chat("<think>well, [7]</think>\nHeat")

    endpoint = Endpoint(reply)
    assert endpoint.model(max_tokens=5).complete(ASK) == "Heat"
    assert endpoint.bodies[-1]["max_completion_tokens"] == 5


def test_a_template_without_a_system_role_gets_its_words_from_the_user():
    def reply(request: httpx.Request) -> httpx.Response:
        if b'"system"' in request.content:
            return problem(400, "System role not supported")(request)
        return chat("ok")

    endpoint = Endpoint(reply)
    messages = [{"role": "system", "content": "Be brief."}, *ASK]
    assert endpoint.model().complete(messages, schema=SCHEMA) == "ok"
    assert endpoint.said[-1] == ["Be brief.\n\nWho?"]
    assert endpoint.bodies[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(("status", "words"), [(401, "OPENAI_API_KEY"), (404, "ISOMATCH_MODEL")])
def test_errors_that_stay_are_not_retried_and_name_the_fix(status, words):
    endpoint = Endpoint(problem(status, "no"))
    with pytest.raises(ModelError, match=f"answered {status}: .*{words}"):
        endpoint.model().complete(ASK)
    assert len(endpoint.bodies) == 1


def test_the_key_and_the_password_never_show():
    endpoint = Endpoint(problem(401, f"Incorrect API key provided: {KEY}"))
    model = endpoint.model(
        api_key=KEY, base_url=f"http://user:{PASSWORD}@models.test/v1?p={PASSWORD}"
    )
    with pytest.raises(ModelError) as caught:
        model.complete(ASK)
    error = caught.value
    assert "***" in str(error)
    shown = [str(error), repr(error), repr(model), str(error.__cause__), model.endpoint]
    assert not any(KEY in text or PASSWORD in text for text in shown)
    assert error.__suppress_context__


def test_the_cause_is_kept_otherwise():
    with pytest.raises(ModelError) as caught:
        Endpoint(problem(500, "no")).model(attempts=1).complete(ASK)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("way", ["stream", "astream"])
def test_a_stream_gives_its_pieces(way):
    text = "Heat – 東京 🎬 was directed by Michael Mann [1]."
    endpoint = Endpoint(text)
    pieces = read(endpoint.model(), way)
    assert len(pieces) > 3
    assert "".join(pieces) == text
    assert endpoint.bodies[0]["stream"] is True


@pytest.mark.parametrize("way", ["stream", "astream"])
def test_a_stream_is_retried_until_it_begins(way):
    endpoint = Endpoint(problem(503, "loading"), httpx.ConnectError("no"), "ok")
    assert "".join(read(endpoint.model(), way)) == "ok"
    assert len(endpoint.waits) == 2


@pytest.mark.parametrize("way", ["stream", "astream"])
@pytest.mark.parametrize(
    "reply",
    [
        lambda request: events({"error": {"message": "died"}}),
        lambda request: events("what"),
        lambda request: events({"choices": [7]}),
        lambda request: events(),
        lambda request: chunks([b"data: {nonsense\n\n"]),
        lambda request: chat("not a stream"),
    ],
    ids=range(6),
)
def test_a_stream_of_nonsense_is_a_model_error(way, reply):
    with pytest.raises(ModelError, match=r"died|streamed"):
        read(Endpoint(reply).model(), way)


@pytest.mark.parametrize("way", ["stream", "astream"])
def test_a_stream_that_breaks_off_is_not_begun_again(way):
    def torn():
        yield b'data: {"choices": [{"delta": {"content": "Hea"}}]}\n\n'
        raise httpx.ReadError("connection reset")

    endpoint = Endpoint(lambda request: chunks(torn()))
    with pytest.raises(ModelError, match="connection reset"):
        read(endpoint.model(), way)
    assert len(endpoint.bodies) == 1


def test_many_event_loops_may_use_one_client():
    model = Endpoint("ok").model()
    assert [asyncio.run(model.acomplete(ASK)) for _ in range(3)] == ["ok"] * 3


def test_closing_twice_is_safe():
    with Endpoint("ok").model() as model:
        model.complete(ASK)
        model.close()


@given(st.text(min_size=1).filter(str.strip), st.integers(1, 20))
def test_events_are_the_same_however_they_are_torn(text, size):
    body = b"".join(stream(text, 3).stream)
    reader = Events()
    pieces = [p for i in range(0, len(body), size) for p in reader.feed(body[i : i + size])]
    assert "".join([*pieces, *reader.end()]) == text


def weighed(text: str, *tokens: tuple[str, dict[str, float]]) -> httpx.Response:
    """A reply with the log-probabilities of its tokens."""
    content = [
        {
            "token": token,
            "logprob": chances[token],
            "top_logprobs": [{"token": t, "logprob": p} for t, p in chances.items()],
        }
        for token, chances in tokens
    ]
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "logprobs": {"content": content}}
    return httpx.Response(200, json={"choices": [choice]})


@pytest.mark.parametrize("way", ["reply", "areply"])
def test_log_probabilities_come_with_a_reply_where_they_are_asked_for(way):
    endpoint = Endpoint(lambda request: weighed("4", ("4", {"4": -0.1, "5": -2.5})))
    said = getattr(endpoint.model(), way)(ASK, alternatives=5)
    reply = asyncio.run(said) if way == "areply" else said
    assert reply.text == "4"
    assert [(t.text, dict(t.chances)) for t in reply.tokens] == [("4", {"4": -0.1, "5": -2.5})]
    assert endpoint.bodies[0]["logprobs"] is True
    assert endpoint.bodies[0]["top_logprobs"] == 5
    assert endpoint.model().reply(ASK).tokens == ()
    assert "logprobs" not in endpoint.bodies[1]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "unknown field"),
        (422, "top_logprobs is not supported"),
        (500, "logprobs is not supported for models created with logits_all=False"),
    ],
)
def test_an_endpoint_that_refuses_log_probabilities_is_asked_without(status, said):
    def reply(request: httpx.Request) -> httpx.Response:
        if b"logprobs" in request.content:
            return problem(status, said)(request)
        return chat("4")

    endpoint = Endpoint(reply)
    model = endpoint.model()
    assert model.reply(ASK, schema=SCHEMA, alternatives=5).text == "4"
    assert model.reply(ASK, schema=SCHEMA, alternatives=5).tokens == ()
    assert ["logprobs" in body for body in endpoint.bodies] == [True, False, False]
    assert all("response_format" in body for body in endpoint.bodies)


def test_a_refused_response_format_does_not_cost_the_log_probabilities():
    def reply(request: httpx.Request) -> httpx.Response:
        if b'"response_format"' in request.content:
            return problem(400, "response_format is not supported")(request)
        return weighed("4", ("4", {"4": -0.1}))

    endpoint = Endpoint(reply)
    assert endpoint.model().reply(ASK, schema=SCHEMA, alternatives=5).tokens
    assert "logprobs" in endpoint.bodies[-1]


@pytest.mark.parametrize("content", [None, 7, [7], [{"token": "4"}], [{"logprob": "x"}]])
def test_malformed_log_probabilities_are_none(content):
    choice = {"message": {"content": "4"}, "logprobs": {"content": content}}
    endpoint = Endpoint(httpx.Response(200, json={"choices": [choice]}))
    reply = endpoint.model().reply(ASK, alternatives=5)
    assert (reply.text, reply.tokens) == ("4", ())
