"""The configuration of an evaluation: defaults, refusals, and what a run records."""

from __future__ import annotations

import pytest

from isomatch.errors import ConfigurationError
from isomatch.evaluate import EvalConfig, run_eval
from isomatch.evaluate.metrics import Naming


@pytest.mark.parametrize(
    ("source", "fields", "patterns", "interpreter"),
    [
        ("metaqa:d", {}, "gold", "schema"),
        ("metaqa:d", {"interpreter": "gsr"}, "ask", "gsr"),
        ("metaqa:d", {"retriever": "chain"}, "ask", "schema"),
        ("metaqa:d", {"own_graph": True}, "gold", "auto"),
        ("mine.jsonl", {}, "ask", "auto"),
        ("mine.jsonl", {"patterns": "gold"}, "gold", "auto"),
    ],
)
def test_defaults_follow_from_the_source(source, fields, patterns, interpreter):
    config = EvalConfig.make(source, **fields)
    assert (config.patterns, config.interpreter) == (patterns, interpreter)


def test_none_stands_for_a_default():
    assert EvalConfig.make("metaqa", "d", split_by=None, topics=None) == EvalConfig.make("metaqa:d")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"topics": "some"}, "topics must be one of given, found, not 'some'"),
        ({"split_by": "word"}, "split_by must be one of none, row, text, not 'word'"),
        ({"interpreter": "model"}, "interpreter 'model' is called 'llm' now"),
        ({"retriever": "bm25"}, "retriever must be one of pattern, chain"),
        ({"wording": "shouted"}, "wording must be 'names', 'unknown relation' or a mapping"),
        ({"limit": 0}, "limit must be from 1 on, not 0"),
        ({"hop": 2}, "unknown option 'hop'; the options are "),
    ],
)
def test_a_wrong_field_is_refused_by_name(fields, message):
    with pytest.raises(ConfigurationError, match=message):
        EvalConfig.make("mine.jsonl", **fields)


def test_a_record_has_only_what_the_rows_depend_on():
    gold = EvalConfig.make("metaqa:d", wording={"directed by": "by"}).record("abc")
    assert (gold["patterns"], gold["wording"], "topics" in gold) == ("gold", "paraphrases", False)
    assert gold["choice"] == {
        **{"split": "dev", "hops": None, "limit": None, "seed": 2014},
        **{"split_by": "none", "share": 0.5, "strict": False, "questions": "abc"},
    }
    baseline = EvalConfig.make("metaqa:d", baseline="cosine").record("abc")
    assert list(baseline) == ["source", "baseline", "topics", "choice", "naming"]
    named = EvalConfig.make("mine.jsonl", naming=Naming(True, {"NYC": "New York"})).record("abc")
    assert named["naming"] == {"fold_case": True, "aliases": {"NYC": "New York"}}


def test_a_configuration_takes_no_further_fields():
    with pytest.raises(ConfigurationError, match="not both"):
        run_eval(EvalConfig.make("mine.jsonl"), hops=2)
