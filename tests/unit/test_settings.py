"""Settings: where they come from, in which order, and how wrong ones are told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from isomatch.dates import RIGHT
from isomatch.errors import ConfigurationError
from isomatch.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working folder, and no variables of the machine's."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("ISOMATCH_", "NEO4J_", "OPENAI_", "QDRANT_")):
            monkeypatch.delenv(name)


def config(text: str, name: str = "isomatch.toml") -> None:
    Path(name).write_text(text, encoding="utf-8")


def test_arguments_go_before_variables_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    config('home = "file"\nembedder = "file"\nmodel = "file"')
    monkeypatch.setenv("ISOMATCH_EMBEDDER", "variable")
    monkeypatch.setenv("ISOMATCH_HOME", "variable")
    settings = load_settings(home=Path("argument"))
    assert (settings.home, settings.embedder, settings.model) == (
        Path("argument"),
        "variable",
        "file",
    )


def test_none_among_the_arguments_means_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISOMATCH_HOME", "variable")
    assert load_settings(home=None).home == Path("variable")


def test_the_folders_of_a_home() -> None:
    settings = load_settings(home="h")
    assert settings.graph_path == Path("h/graph")
    assert settings.schema_path == Path("h/schema.json")
    assert settings.index_path == Path("h/index")
    assert settings.lexicon_path == Path("h/lexicon.toml")
    assert settings.cache_path == Path("h/cache")


def test_a_tilde_is_the_users_folder() -> None:
    assert load_settings(home="~/graphs").home == Path.home() / "graphs"


@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "ISOMATCH_OPENAI_BASE_URL"])
def test_usual_variables_with_and_without_our_prefix(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config('openai_base_url = "http://file"')
    monkeypatch.setenv(name, "http://variable")
    assert load_settings().openai_base_url == "http://variable"


def test_our_prefix_goes_before_the_usual_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_URL", "http://theirs")
    monkeypatch.setenv("ISOMATCH_QDRANT_URL", "http://ours")
    assert load_settings().qdrant_url == "http://ours"


def test_an_empty_variable_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_URL", "")
    monkeypatch.setenv("ISOMATCH_HOME", "")
    settings = load_settings()
    assert settings.qdrant_url is None
    assert settings.home == Path(".isomatch")


def test_neo4js_usual_variables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (load_settings().neo4j_uri, load_settings().neo4j_username) == (None, "neo4j")
    for name in ("URI", "USERNAME", "PASSWORD", "DATABASE"):
        monkeypatch.setenv(f"NEO4J_{name}", f"their-{name}")
    settings = load_settings()
    assert settings.neo4j_uri == "their-URI"
    assert settings.neo4j_username == "their-USERNAME"
    assert settings.neo4j_database == "their-DATABASE"
    assert settings.neo4j_password is not None
    assert settings.neo4j_password.get_secret_value() == "their-PASSWORD"


def test_keys_are_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the-key")
    monkeypatch.setenv("NEO4J_PASSWORD", "the-key")
    settings = load_settings()
    assert "the-key" not in repr(settings) + str(settings)
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "the-key"


@pytest.mark.parametrize("text", ["el,en", " el , en ", '["el", "en"]'])
def test_a_list_in_a_variable(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISOMATCH_LANGUAGES", text)
    assert load_settings().languages == ("el", "en")


def test_the_file_of_isomatch_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config('home = "here"')
    config('home = "there"', "other.toml")
    monkeypatch.setenv("ISOMATCH_CONFIG", str(tmp_path / "other.toml"))
    assert load_settings().home == Path("there")


def test_settings_do_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().embedder = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('embeder = "x"', "isomatch.toml: unknown setting 'embeder'; did you mean 'embedder'?"),
        (
            "evidence_tokens = 0",
            "the setting 'evidence_tokens' (from isomatch.toml) is wrong: "
            "input should be greater than or equal to 1",
        ),
        (
            'memory = "perhaps"',
            "the setting 'memory' (from isomatch.toml) is wrong: "
            "input should be a valid boolean, unable to interpret input",
        ),
        (
            '[dates]\n"crime date" = "%d/%m"',
            "the setting 'dates' (from isomatch.toml) is wrong: '%d/%m' is no format of dates: it "
            f"has no year, %Y. Write {RIGHT}",
        ),
        (
            '[serve]\nsearches = "many"',
            "the setting 'serve' (from isomatch.toml) is wrong: [serve] searches: "
            "input should be a valid integer, unable to parse string as an integer",
        ),
        ("home = 3", "the setting 'home' (from isomatch.toml) is wrong: input is not a valid path"),
        (
            '[prefixes]\nfilms = "not an iri"',
            "the setting 'prefixes' (from isomatch.toml) is wrong: [prefixes] films: 'not an iri' "
            "is no namespace: write the IRI that names begin with, such as https://my.example/",
        ),
        (
            '[prefixes]\n1st = "urn:films:"',
            "the setting 'prefixes' (from isomatch.toml) is wrong: [prefixes] '1st' is no name: "
            "write letters, digits and _, beginning with a letter",
        ),
    ],
)
def test_wrong_settings_files_are_refused_by_name(text: str, message: str) -> None:
    config(text)
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    assert str(caught.value) == message


def test_a_key_that_is_like_none_lists_them_all() -> None:
    config("zzz = 1")
    with pytest.raises(
        ConfigurationError, match=r"unknown setting 'zzz'; there are answer_first, "
    ):
        load_settings()


def test_a_file_that_is_no_toml() -> None:
    config("home =")
    with pytest.raises(ConfigurationError, match=r"^isomatch\.toml is not valid TOML: "):
        load_settings()


def test_a_missing_file_of_isomatch_config(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISOMATCH_CONFIG", "nowhere.toml")
    with pytest.raises(ConfigurationError, match=r"ISOMATCH_CONFIG names 'nowhere\.toml'"):
        load_settings()


def test_wrong_variables_and_arguments_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match=r"unknown setting 'hom'; did you mean 'home'\?"):
        load_settings(hom="x")
    with pytest.raises(ConfigurationError, match=r"'model_timeout' \(as given\) is wrong"):
        Settings(model_timeout=-1)
    monkeypatch.setenv("ISOMATCH_LANGUAGES", '["el"')
    with pytest.raises(
        ConfigurationError,
        match=r"'languages' \(from the variable ISOMATCH_LANGUAGES\) is wrong: not a JSON list",
    ):
        load_settings()


def test_a_misspelled_variable_is_refused_and_a_foreign_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ISOMATCH_IMAGE_TAG", "1")
    assert load_settings().home == Path(".isomatch")
    monkeypatch.setenv("ISOMATCH_EMBEDER", "x")
    with pytest.raises(ConfigurationError, match="did you mean 'ISOMATCH_EMBEDDER'"):
        load_settings()


def test_formats_of_dates_by_file_and_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    config('[dates]\n"crime date" = "%d/%m/%Y"')
    assert load_settings().dates == {"crime date": "%d/%m/%Y"}
    monkeypatch.setenv("ISOMATCH_DATES", '{"born": "%Y%m%d"}')
    assert load_settings().dates["born"] == "%Y%m%d"
    monkeypatch.setenv("ISOMATCH_DATES", '{"born": "%Y%m%d')
    with pytest.raises(ConfigurationError, match=r'field "dates" .*: it must be JSON \('):
        load_settings()


# -- endpoints ------------------------------------------------------------------------

FILMS = """
endpoint = "films"
[endpoints.films]
url = "https://films.test/sparql"
graphs = ["http://g/1"]
timeout = 5
[endpoints.films.headers]
X-Key = "k"
"""


def test_an_endpoint_by_its_address_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().chosen_endpoint is None
    endpoint = load_settings(endpoint="https://e.test/sparql").chosen_endpoint
    assert endpoint is not None
    assert endpoint.url == "https://e.test/sparql"
    monkeypatch.setenv("ISOMATCH_ENDPOINT", "https://other.test/sparql")
    assert load_settings().endpoint == "https://other.test/sparql"


def test_an_endpoint_by_its_name_with_the_user_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config(FILMS)
    monkeypatch.setenv("ISOMATCH_ENDPOINT_USERNAME", "me")
    monkeypatch.setenv("ISOMATCH_ENDPOINT_PASSWORD", "hidden")
    settings = load_settings()
    endpoint = settings.chosen_endpoint
    assert endpoint is not None
    assert (endpoint.url, endpoint.graphs) == ("https://films.test/sparql", ("http://g/1",))
    assert (endpoint.timeout, endpoint.headers) == (5, {"X-Key": "k"})
    assert endpoint.username == "me"
    assert endpoint.password is not None
    assert endpoint.password.get_secret_value() == "hidden"
    assert "hidden" not in repr(settings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FILMS + "[endpoints.more]\nurll = 'http://e/'\n", "[endpoints.more]: unknown key 'urll'"),
        (FILMS + "[endpoints.more]\nurl = 'e'\n", "[endpoints.more] url: 'e' is no address"),
        (FILMS + "[endpoints.more]\ntimeout = 1\n", "[endpoints.more] url: field required"),
        ("[endpoint.films]\nurl = 'http://e/'\n", "called [endpoints.films]"),
        ("endpoints = 3", "the setting 'endpoints' (from isomatch.toml) is wrong"),
    ],
)
def test_wrong_endpoints_are_told_by_their_table(text: str, message: str) -> None:
    config(text)
    with pytest.raises(ConfigurationError) as failed:
        load_settings()
    assert message in str(failed.value)


def test_a_near_miss_is_suggested() -> None:
    config(FILMS.replace("timeout", "tiemout"))
    with pytest.raises(ConfigurationError, match="did you mean 'timeout'"):
        load_settings()
    config(FILMS)
    with pytest.raises(ConfigurationError, match="did you mean 'films'"):
        _ = load_settings(endpoint="film").chosen_endpoint
    with pytest.raises(ConfigurationError, match="unknown setting"):
        load_settings(endpont="x")


@pytest.mark.parametrize(
    ("endpoint", "message"),
    [
        (
            "films",
            r"no endpoint 'films' \(\[endpoints.films\] of isomatch.toml\): give its address",
        ),
        ("ftp://e.test/", "begins with http"),
        ("https://me:hidden@e.test/", "has a user in it"),
    ],
)
def test_wrong_addresses_are_told(endpoint: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as failed:
        _ = load_settings(endpoint=endpoint).chosen_endpoint
    assert "hidden" not in str(failed.value)


def test_there_is_one_database(monkeypatch: pytest.MonkeyPatch) -> None:
    config(FILMS)
    monkeypatch.setenv("NEO4J_URI", "bolt://n.test")
    with pytest.raises(ConfigurationError, match=r"two databases.*unset one"):
        load_settings()
    by_hand = load_settings(endpoint="films")
    assert (by_hand.endpoint, by_hand.neo4j_uri) == ("films", None)
    by_hand = load_settings(neo4j_uri="bolt://m.test")
    assert (by_hand.endpoint, by_hand.neo4j_uri) == (None, "bolt://m.test")
