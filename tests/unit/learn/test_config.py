"""The options of training: checked once, and the same on the command line."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from isomatch.cli.train import train
from isomatch.errors import ConfigurationError
from isomatch.learn.config import GsrConfig, TrainConfig, TriplesConfig
from isomatch.texts import find_word


@pytest.mark.parametrize("config", [GsrConfig, TriplesConfig])
def test_the_command_line_has_the_same_defaults(config: type[TrainConfig]) -> None:
    parameters = inspect.signature(train).parameters
    shared = {name for name in config.model_fields if name in parameters}
    assert {"rule", "limit", "seed", "epochs", "rate"} <= shared
    for name in shared:
        assert parameters[name].default == config.model_fields[name].default, name


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epoch": 3}, "unknown option 'epoch'; the options are backbone, batch, deep, dropped"),
        ({"batch": 0}, "batch must be from 1 on, not 0"),
        ({"rule": "best"}, "rule must be one of filtered, raw, one, model, not 'best'"),
        ({"rate": -1.0}, "rate: Input should be greater than 0, not -1.0"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        GsrConfig.of(**options)


def test_options_replace_those_of_a_config() -> None:
    config = TriplesConfig.of(TriplesConfig(hidden=8, epochs=2), epochs=3)
    assert (config.hidden, config.epochs) == (8, 3)


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [("aliens in Alien", "Alien", 10), ("aliens", "alien", None), ("C++ and C", "C", 0)],
)
def test_find_word_finds_whole_words_only(text: str, name: str, place: int | None) -> None:
    assert find_word(text, name) == place
