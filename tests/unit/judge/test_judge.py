"""What a judge says of answers, and that nothing it fails at looks like a success."""

from __future__ import annotations

import asyncio
import json
from math import log
from pathlib import Path

import pytest
from tests.unit.endpoint import chat, problem
from tests.unit.judge.scripted import honest, scripted

from isomatch.errors import ConfigurationError, EmptyReferenceError, ModelError
from isomatch.judge.judge import Judge
from isomatch.judge.log import VerdictLog
from isomatch.judge.search import PassageSearch
from isomatch.judge.types import CRITERIA, METRICS, RULES
from isomatch.llm import Usage

QUESTION = "Who made Heat?"
ANSWER = "Michael Mann directed Heat. [1] Al Pacino wrote Heat. [1]"
REFERENCE = ["Heat | directed by | Michael Mann"]
CONTEXT = ["[1] Heat | directed by | Michael Mann"]


def found(query: str, k: int = 5) -> list[str]:
    return ["Heat | directed by | Michael Mann"]


found.name = "one fact"  # type: ignore[attr-defined]


def test_facts_are_taken_apart_and_each_is_checked():
    endpoint = scripted(honest)
    judged = Judge(endpoint.model(), ["factscore"]).judge(QUESTION, ANSWER, (), REFERENCE)
    assert judged.scores == {"factscore": 0.5}
    assert [(v.about, v.outcome, v.reason) for v in judged.verdicts] == [
        ("Michael Mann directed Heat.", "supported", "the texts decide"),
        ("Al Pacino wrote Heat.", "not supported", "the texts decide"),
    ]
    assert judged.usage == Usage(4, 4, 40, 4)
    checks = [said[1] for said in endpoint.said if "check one" in said[0]]
    assert all(REFERENCE[0] in words for words in checks)


def test_an_agent_searches_before_it_decides():
    searched = []

    def search(query: str, k: int = 5) -> list[str]:
        searched.append(query)
        return found(query)

    search.name = "noted"  # type: ignore[attr-defined]
    judged = Judge(scripted(honest).model(), ["safe"], search=search).judge(QUESTION, ANSWER)
    assert judged.scores == {"safe": 0.5}
    assert searched == ["Michael Mann directed Heat.", "Al Pacino wrote Heat."]
    assert judged.verdicts[0].evidence == ("Heat | directed by | Michael Mann",)


def test_an_agent_that_decides_at_once_is_made_to_search():
    def hasty(rules, said):
        if "carried by what a search gives" not in rules:
            return honest(rules, said)
        return {"reason": "I know", "action": "supported", "query": ""}

    searched = []

    def search(query: str, k: int = 5) -> list[str]:
        searched.append(query)
        return []

    search.name = "empty"  # type: ignore[attr-defined]
    judged = Judge(scripted(hasty).model(), ["safe"], search=search).judge(
        QUESTION, "Heat is a film."
    )
    assert searched == ["Heat is a film."]
    (verdict,) = judged.verdicts
    assert (judged.scores["safe"], verdict.outcome) == (0.0, "not supported")
    assert verdict.reason == "the search found nothing; the judge said: I know"


def test_an_agent_that_only_searches_must_decide_in_the_end():
    def endless(rules, said):
        if "carried by what a search gives" not in rules:
            return honest(rules, said)
        if "may not search any more" in said[-1]:
            return {"reason": "enough", "verdict": "supported"}
        return {"reason": "more", "action": "search", "query": f"q{len(said)}"}

    endpoint = scripted(endless)
    judge = Judge(endpoint.model(), ["safe"], search=found, searches=3)  # type: ignore[arg-type]
    assert judge.judge(QUESTION, "Heat is a film.").scores == {"safe": 1.0}
    assert len(endpoint.bodies) == 1 + 3 + 1


def test_what_is_irrelevant_to_the_question_is_not_counted():
    def irrelevant(rules, said):
        if "carried by what a search gives" in rules and "Pacino" in said[0]:
            return {"reason": "another matter", "action": "irrelevant", "query": ""}
        return honest(rules, said)

    judge = Judge(scripted(irrelevant).model(), ["safe"], search=found)  # type: ignore[arg-type]
    judged = judge.judge(QUESTION, ANSWER)
    assert judged.scores == {"safe": 1.0}
    assert [v.outcome for v in judged.verdicts] == ["supported", "irrelevant"]


def test_ratings_are_values_from_0_to_1():
    judged = Judge(scripted(honest).model(), CRITERIA).judge(QUESTION, ANSWER, CONTEXT)
    assert judged.scores == dict.fromkeys(CRITERIA, 0.75)
    assert all(v.reason == "clear" and not v.weighted for v in judged.verdicts)


def test_ratings_are_weighted_by_probabilities_where_the_endpoint_gives_them():
    def reply(rules, said):
        texts = ['{"reason": "so", "score": ', "5", "}"]
        tops = [{}, {"5": log(0.5), "4": log(0.3), "1": log(0.2), "}": log(0.1)}, {}]
        content = [
            {
                "token": text,
                "logprob": tops[i].get(text, 0.0),
                "top_logprobs": [{"token": t, "logprob": p} for t, p in tops[i].items()],
            }
            for i, text in enumerate(texts)
        ]
        response = chat("".join(texts))
        body = json.loads(response.content)
        body["choices"][0]["logprobs"] = {"content": content}
        return type(response)(200, json=body)

    endpoint = scripted(reply)
    judged = Judge(endpoint.model(), ["correctness"]).judge(QUESTION, ANSWER, CONTEXT)
    assert judged.scores["correctness"] == pytest.approx(((5 * 0.5 + 4 * 0.3 + 0.2) - 1) / 4)
    assert judged.verdicts[0].weighted
    assert endpoint.bodies[0]["top_logprobs"] == 20


def test_an_endpoint_without_log_probabilities_rates_all_the_same():
    def reply(rules, said):
        return honest(rules, said)

    endpoint = scripted(reply)
    answer = endpoint.replies[0]
    endpoint.replies = [
        lambda request: (
            problem(400, "logprobs are not supported")(request)
            if b'"logprobs"' in request.content
            else answer(request)
        )  # type: ignore[operator]
    ]
    judged = Judge(endpoint.model(), ["correctness"]).judge(QUESTION, ANSWER)
    assert judged.scores == {"correctness": 0.75}


OUTSIDE = [
    "Yes, that is all true!",
    "{}",
    '{"reason": "", "verdict": "supported"}',
    '{"reason": "...", "verdict": "supported"}',
    '{"reason": "so", "verdict": "true"}',
    '{"reason": "so", "verdict": ["supported"]}',
    '{"verdict": "supported"}',
    '{"reason": "so", "verdict": "supported"} {"reason": "so", "verdict": "not supported"}',
    '[{"verdict": 1}]',
    "{" * 5000,
    '{"reason": "so", "verdict": "supported"',
]


@pytest.mark.parametrize("said", OUTSIDE, ids=range(len(OUTSIDE)))
def test_a_reply_outside_the_form_is_sent_back_once_and_then_invalid(said):
    def reply(rules, words):
        return said if "check one statement" in rules else honest(rules, words)

    endpoint = scripted(reply)
    judged = Judge(endpoint.model(), ["factscore"]).judge(
        QUESTION, "Heat is a film.", (), REFERENCE
    )
    assert judged.scores == {"factscore": None}
    assert judged.invalid == 1
    (verdict,) = judged.verdicts
    assert verdict.outcome == "invalid"
    assert "outside the form, twice" in verdict.reason
    assert len(endpoint.bodies) == 3
    assert "cannot be used" in endpoint.said[-1][-1]


def test_a_judge_is_sent_schemas_that_endpoints_take():
    endpoint = scripted(honest)
    Judge(endpoint.model(), search=found).judge(QUESTION, ANSWER, CONTEXT, REFERENCE)  # type: ignore[arg-type]
    schemas = [body["response_format"]["json_schema"]["schema"] for body in endpoint.bodies]
    keys = {"minLength", "maxLength", "pattern", "maxItems", "minimum", "maximum"}
    for schema in schemas:
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        assert not any(f'"{key}"' in json.dumps(schema) for key in keys)


def test_an_empty_reply_is_outside_the_form():
    def reply(rules, words):
        return chat("") if "check one statement" in rules else honest(rules, words)

    judge = Judge(scripted(reply).model(), ["factscore"])
    judged = judge.judge(QUESTION, "Heat is a film.", (), REFERENCE)
    assert (judged.scores["factscore"], judged.invalid) == (None, 1)


def test_a_repaired_reply_counts():
    def reply(rules, words):
        if "check one statement" in rules and len(words) == 1:
            return "I think so."
        return honest(rules, words)

    judge = Judge(scripted(reply).model(), ["factscore"])
    judged = judge.judge(QUESTION, "Heat is a film.", (), REFERENCE)
    assert (judged.scores["factscore"], judged.invalid) == (1.0, 0)


def test_an_invalid_verdict_counts_against_the_answer_and_never_for_it():
    def reply(rules, words):
        if "check one statement" in rules and "Pacino" in words[0]:
            return "?"
        return honest(rules, words)

    judged = Judge(scripted(reply).model(), ["factscore"]).judge(QUESTION, ANSWER, (), REFERENCE)
    assert (judged.scores["factscore"], judged.invalid) == (0.5, 1)


def test_a_fact_that_the_answer_does_not_state_is_none_of_it():
    def reply(rules, words):
        if "take texts apart" in rules:  # as weak models do: the example of the prompt
            return {"facts": ["Heat is a film.", "Michael Mann wrote Collateral."]}
        return honest(rules, words)

    endpoint = scripted(reply)
    judge = Judge(endpoint.model(), ["factscore"])
    judged = judge.judge("What is Heat?", "Heat is a film.", (), REFERENCE)
    assert [v.outcome for v in judged.verdicts] == ["invalid", "supported"]
    assert judged.scores["factscore"] == 0.5
    assert len(endpoint.bodies) == 2  # and it is not checked


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("彼はヒートを監督した。", "マイケル・マンはヒートを監督した。"),
        ("Berlin ist die Hauptstadt Deutschlands.", "Berlin ist Deutschlands Hauptstadt."),
        ("It was directed by Michael Mann.", "The director of Heat was Michael Mann."),
    ],
)
def test_a_fact_in_other_words_is_one_of_the_answer(answer, fact):
    def reply(rules, words):
        return {"facts": [fact]} if "take texts apart" in rules else honest(rules, words)

    judged = Judge(scripted(reply).model(), ["factscore"]).judge(QUESTION, answer, (), REFERENCE)
    assert [(v.about, v.outcome) for v in judged.verdicts] == [(fact, "not supported")]


def test_a_sentence_that_cannot_be_taken_apart_counts_against_the_answer():
    def reply(rules, words):
        if "take texts apart" in rules and "Pacino" in words[0].partition("The sentence:")[2]:
            return "no facts there"
        return honest(rules, words)

    judged = Judge(scripted(reply).model(), ["factscore"]).judge(QUESTION, ANSWER, (), REFERENCE)
    assert (judged.scores["factscore"], judged.invalid) == (0.5, 1)


@pytest.mark.parametrize("score", ["0", "6", "true", '"4"', "4.5", "null"])
def test_a_rating_that_is_none_is_invalid(score):
    endpoint = scripted(lambda rules, said: f'{{"reason": "so", "score": {score}}}')
    judged = Judge(endpoint.model(), ["correctness"]).judge(QUESTION, ANSWER)
    assert (judged.scores["correctness"], judged.invalid) == (None, 1)


@pytest.mark.parametrize("answer", ["The graph does not say.", "", "  "])
def test_an_answer_that_says_nothing_has_no_share(answer):
    endpoint = scripted(honest)
    judge = Judge(endpoint.model(), ["factscore", "safe"], search=found)  # type: ignore[arg-type]
    judged = judge.judge(QUESTION, answer, CONTEXT, REFERENCE)
    assert judged.scores == {"factscore": None, "safe": None}
    assert {v.outcome for v in judged.verdicts} == {"no facts"}
    assert endpoint.bodies == []


def test_an_empty_answer_has_the_worst_rating():
    judged = Judge(scripted(honest).model(), ["correctness"]).judge(QUESTION, " [1] ")
    assert judged.scores == {"correctness": 0.0}


def test_an_answer_of_which_the_judge_finds_no_facts_has_no_share():
    endpoint = scripted(lambda rules, said: {"facts": []})
    judged = Judge(endpoint.model(), ["factscore"]).judge(QUESTION, ANSWER, (), REFERENCE)
    assert judged.scores == {"factscore": None}
    assert [(v.outcome, v.reason) for v in judged.verdicts] == [("no facts", "it states none")]


@pytest.mark.parametrize("reference", [(), ("",), (" ", "\n")])
def test_an_empty_reference_is_an_error(reference):
    endpoint = scripted(honest)
    judge = Judge(endpoint.model(), ["factscore"])
    with pytest.raises(EmptyReferenceError, match=r"no reference .* 'Who made Heat"):
        judge.judge(QUESTION, ANSWER, CONTEXT, reference)
    with pytest.raises(EmptyReferenceError):
        judge.check("Heat is a film.", reference)
    assert endpoint.bodies == []


def test_without_a_context_its_relevance_is_not_judged():
    judged = Judge(scripted(honest).model(), ["context_relevance"]).judge(QUESTION, ANSWER)
    assert judged.scores == {"context_relevance": None}
    assert judged.verdicts[0].outcome == "not judged"


def test_a_judge_that_fails_is_an_error_and_what_it_had_said_is_kept(tmp_path: Path):
    asked = 0

    def reply(rules, words):
        nonlocal asked
        asked += 1
        if "You rate" in rules:
            return problem(401, "no")(None)  # type: ignore[arg-type]
        return honest(rules, words)

    file = tmp_path / "verdicts.jsonl"
    judge = Judge(scripted(reply).model(), ["factscore", "correctness"], log=VerdictLog(file))
    with pytest.raises(ModelError, match="401"):
        judge.judge(QUESTION, ANSWER, (), REFERENCE)
    again = scripted(honest)
    judge = Judge(again.model(), ["factscore", "correctness"], log=VerdictLog(file))
    judged = judge.judge(QUESTION, ANSWER, (), REFERENCE)
    assert judged.scores == {"factscore": 0.5, "correctness": 0.75}
    assert len(again.bodies) == 1
    assert judged.usage.requests == 5


def test_what_decides_is_part_of_what_verdicts_are_kept_under(tmp_path: Path):
    file = tmp_path / "verdicts.jsonl"

    def asks(reference=REFERENCE, answer=ANSWER, model="test-model", question=QUESTION):
        endpoint = scripted(honest)
        client = endpoint.model()
        client.model = model
        Judge(client, ["factscore"], log=VerdictLog(file)).judge(question, answer, (), reference)
        return len(endpoint.bodies)

    assert asks() == 4
    assert asks() == 0
    assert asks(reference=["Heat | written by | Michael Mann"]) == 2
    assert asks(answer="Heat is a film.") == 2
    assert asks(model="another") == 4
    assert asks(question="And who made Ali?") == 4


def test_a_line_that_a_kill_cut_off_is_judged_again(tmp_path: Path):
    file = tmp_path / "verdicts.jsonl"
    Judge(scripted(honest).model(), ["factscore"], log=VerdictLog(file)).judge(
        QUESTION, ANSWER, (), REFERENCE
    )
    whole = file.read_text("utf-8")
    file.write_text(whole[: len(whole) - 40], "utf-8")
    endpoint = scripted(honest)
    Judge(endpoint.model(), ["factscore"], log=VerdictLog(file)).judge(
        QUESTION, ANSWER, (), REFERENCE
    )
    assert len(endpoint.bodies) == 2  # the facts are there, the checks are not
    assert file.read_text("utf-8") == whole


@pytest.mark.parametrize("line", ["what", "[]", "{}", '{"key": "a", "verdicts": [{}]}'])
def test_a_file_of_other_lines_is_refused(tmp_path: Path, line: str):
    file = tmp_path / "verdicts.jsonl"
    file.write_text(line + "\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"line 1 .*name another file"):
        VerdictLog(file)
    with pytest.raises(ConfigurationError, match="cannot be kept"):
        VerdictLog(tmp_path)


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        (["fact-score"], "no metric 'fact-score': those are factscore, safe"),
        ([], "name a metric"),
        (["factscore"], "needs a language model"),
    ],
)
def test_metrics_that_cannot_be_had_are_refused(metrics, words):
    with pytest.raises(ConfigurationError, match=words):
        Judge(None, metrics)


def test_safe_needs_a_search_and_searches():
    model = scripted(honest).model()
    with pytest.raises(ConfigurationError, match="by a search"):
        Judge(model, ["safe"])
    with pytest.raises(ConfigurationError, match="a search needs a name"):
        Judge(model, ["safe"], search=lambda query, k=5: [])  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="at least 1 search"):
        Judge(model, ["safe"], search=found, searches=0)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="a list of texts"):
        Judge(model, ["factscore"]).judge(QUESTION, ANSWER, (), REFERENCE[0])


def test_the_metrics_are_by_default_all_that_can_be_had():
    model = scripted(honest).model()
    assert Judge().metrics == RULES
    assert Judge(model, search=PassageSearch(REFERENCE)).metrics == METRICS
    assert set(METRICS) - set(Judge(model).metrics) == {"safe"}


def test_a_judge_on_an_event_loop_says_the_same():
    judge = Judge(scripted(honest).model(), search=PassageSearch(REFERENCE))
    other = Judge(scripted(honest).model(), search=PassageSearch(REFERENCE))
    said = judge.judge(QUESTION, ANSWER, CONTEXT, REFERENCE, right=["Michael Mann"])
    awaited = other.ajudge(QUESTION, ANSWER, CONTEXT, REFERENCE, right=["Michael Mann"])
    assert asyncio.run(awaited) == said


def test_of_a_long_reference_a_fact_is_shown_what_is_near():
    endpoint = scripted(honest)
    far = [f"Nothing of interest happens in chapter {i} of this book. " * 5 for i in range(100)]
    reference = [*far[:50], "Heat is a film by Michael Mann.", *far[50:]]
    Judge(endpoint.model(), ["factscore"]).judge(QUESTION, "Heat is a film.", (), reference)
    (words,) = [said[1] for said in endpoint.said if "check one" in said[0]]
    assert "Heat is a film by Michael Mann." in words
    assert len(words) < 10_000


@pytest.mark.parametrize("question", [QUESTION, "東京?"])
def test_of_a_very_long_context_a_rating_has_what_is_near(question):
    endpoint = scripted(honest)
    judge = Judge(endpoint.model(), ["correctness"])
    judge.judge(question, ANSWER, ["x " * 100_000, "Heat was made by a man.", "y " * 100_000])
    assert len(endpoint.said[0][1]) < 10_000
    assert ("Heat was made by a man." in endpoint.said[0][1]) == (question == QUESTION)


def test_a_rating_is_given_the_reference_so_that_systems_are_rated_by_the_same():
    endpoint = scripted(honest)
    judge = Judge(endpoint.model(), ["context_relevance"])
    judge.judge(QUESTION, ANSWER, CONTEXT, ["Heat is a film."])
    judge.judge(QUESTION, "Another answer.", (), ["Heat is a film."])
    judge.judge(QUESTION, ANSWER, CONTEXT)
    assert ["Heat is a film." in said[1] for said in endpoint.said] == [True, True, False]
    assert ["[1] Heat" in said[1] for said in endpoint.said] == [False, False, True]


def test_a_judgement_is_ready_for_json():
    judged = Judge(scripted(honest).model()).judge(QUESTION, ANSWER, CONTEXT, REFERENCE)
    row = json.loads(json.dumps(judged.as_json()))
    assert row["scores"]["factscore"] == 0.5
    assert row["model"] == "test-model"
    assert row["usage"]["prompt_tokens"] == 10 * judged.usage.requests
