"""The readers of question sets, on small files in each format."""

from __future__ import annotations

from pathlib import Path

import pytest

from isomatch.errors import ConfigurationError, LoadError
from isomatch.pattern import format_text
from isomatch.questions.datasets import read

SHARED = Path(__file__).resolve().parents[3] / "../shared/data"
KB = """Heat|directed_by|Michael Mann
Heat|starred_actors|Al Pacino
Heat|release_year|1995
Heat|has_genre|Crime
Heat|has_tags|heist
Heat|in_language|English
Heat|written_by|Michael Mann
Heat|has_imdb_rating|good
Heat|has_imdb_votes|many
"""


@pytest.fixture
def metaqa(tmp_path: Path) -> Path:
    (tmp_path / "kb.txt").write_text(KB)
    questions = "what did [Al Pacino] act in\tHeat\nwho directed [Heat]\tMichael Mann|Mann\n"
    (tmp_path / "qa_dev_1hop.txt").write_text(questions)
    (tmp_path / "qa_dev_qtype_1hop.txt").write_text("actor_to_movie\nmovie_to_director\n")
    return tmp_path


def only(folder: Path, name: str, **options):
    (part,) = read(name, folder, **options)
    return part


def gold(part, index=0) -> str:
    return format_text(part.questions[index].pattern)


def test_metaqa_gives_topics_answers_and_gold_chains(metaqa: Path):
    part = only(metaqa, "metaqa")
    first, second = part.questions
    assert (part.name, part.graph.name, part.delimiter) == ("1hop", "kb.txt", "|")
    assert (first.id, first.text) == ("qa_dev_1hop.txt:1", "what did Al Pacino act in")
    assert (first.topics, first.answers, first.hops) == (("Al Pacino",), ("Heat",), 1)
    assert second.answers == ("Michael Mann", "Mann")
    assert (
        gold(part, 0)
        == '(topic "Al Pacino"), (?x1), (?x1)-[starred actors]-(topic "Al Pacino") return ?x1'
    )


@pytest.mark.parametrize(
    ("type", "edges"),
    [
        ("movie_to_imdbrating", [("topic", "has imdb rating", "x1")]),
        ("movie_to_imdbvotes", [("topic", "has imdb votes", "x1")]),
        ("tag_to_movie", [("x1", "has tags", "topic")]),
        ("movie_to_tags", [("topic", "has tags", "x1")]),
        (
            "director_to_movie_to_language",
            [("x1", "directed by", "topic"), ("x1", "in language", "x2")],
        ),
        (
            "movie_to_writer_to_movie_to_year",
            [
                ("topic", "written by", "x1"),
                ("x2", "written by", "x1"),
                ("x2", "release year", "x3"),
            ],
        ),
    ],
)
def test_types_become_directed_patterns(metaqa: Path, type: str, edges: list):
    (metaqa / "qa_dev_qtype_1hop.txt").write_text(f"{type}\n{type}\n")
    pattern = only(metaqa, "metaqa").questions[0].pattern
    assert [(e.source, e.relation, e.target) for e in pattern.edges] == edges
    assert pattern.answers == (pattern.nodes[-1].id,)


def test_without_types_there_is_no_gold(metaqa: Path):
    (metaqa / "qa_dev_qtype_1hop.txt").unlink()
    assert [q.gold for q in only(metaqa, "metaqa").questions] == [None, None]


def test_another_split_is_other_files(metaqa: Path):
    (metaqa / "qa_test_1hop.txt").write_text("who directed [Heat]\tMichael Mann\n")
    assert len(only(metaqa, "metaqa", split="test").questions) == 1
    with pytest.raises(ConfigurationError, match="no questions in the format of metaqa"):
        read("metaqa", metaqa, split="train")
    with pytest.raises(LoadError, match=r"qa_dev_2hop\.txt is missing"):
        read("metaqa", metaqa, hops=2)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("kb.txt", "Heat|directed_by\n", r"kb\.txt, line 1: expected three columns"),
        ("qa_dev_1hop.txt", "fine [Heat]\tx\nno topic\tx\n", r"1hop\.txt, line 2: .*brackets"),
        ("qa_dev_1hop.txt", "no [answer]\n", r"1hop\.txt, line 1: expected `question TAB"),
        ("qa_dev_qtype_1hop.txt", "movie_to_colour\n", r"line 1: no one relation .*colour"),
        ("qa_dev_qtype_1hop.txt", "movie_to_director\n", r"line 2: no type for line 2"),
    ],
)
def test_a_bad_line_is_named(metaqa: Path, file: str, text: str, said: str):
    (metaqa / file).write_text(text)
    with pytest.raises(LoadError, match=said):
        read("metaqa", metaqa)


def test_text_that_is_not_utf8_is_named(metaqa: Path):
    (metaqa / "kb.txt").write_bytes(b"Heat|directed_by|Mann\nCaf\xe9|directed_by|Mann\n")
    with pytest.raises(LoadError, match=r"kb\.txt, after line \d: not UTF-8"):
        read("metaqa", metaqa)


def test_pathquestion_gives_all_answers_and_directed_patterns(tmp_path: Path):
    (tmp_path / "2H-kb.txt").write_text("anna\tparents\tbo_(x)\nbo_(x)\tgender\tmale\n")
    (tmp_path / "PQ-2H.txt").write_text(
        "her father 's sex ?\tmale(male/no_(y)/)\tanna#parents#bo_(x)#gender#male#<end>#male\n"
        "whose child is male ?\tanna(anna/)\tmale#gender#bo_(x)#parents#anna#<end>#anna\n"
        "odd names ?\ta_(b)(a_(b)/)\tanna#parents#bo_(x)#gender#male#<end>#male\n"
    )
    part = only(tmp_path, "pathquestion", hops=2)
    assert part.questions[0].answers == ("male", "no_(y)")
    assert part.questions[2].answers == ("a_(b)",)
    edges = [(e.source, e.relation, e.target) for e in part.questions[0].pattern.edges]
    assert edges == [("topic", "parents", "x1"), ("x1", "gender", "answer")]
    back = [(e.source, e.relation, e.target) for e in part.questions[1].pattern.edges]
    assert back == [("x1", "gender", "topic"), ("answer", "parents", "x1")]
    (tmp_path / "PQ-2H.txt").write_text("q\tmale\tanna#parents#bo_(x)#gender#male\n")
    with pytest.raises(LoadError, match=r"PQ-2H\.txt, line 1: expected the answers as"):
        read("pathquestion", tmp_path, hops=2)


def test_worldcup_joins_two_paths_in_one_pattern(tmp_path: Path):
    (tmp_path / "WC2014.txt").write_text(
        "Ann\tplays_in_club\tFC_X\nFC_X\tplays_in_club_inverse\tAnn\nAnn\tplays_position\tForward\n"
    )
    path = "Forward#plays_position_inverse#Ann#<end>#Ann*FC_X#plays_in_club_inverse#Ann#<end>#Ann"
    (tmp_path / "WC-P1.txt").write_text(
        "club of Ann ?\tFC_X\tAnn#plays_in_club#FC_X#<end>#FC_X\tFC_X/\tmore\n"
    )
    (tmp_path / "WC-P2.txt").write_text(
        "two ?\tForward\tFC_X#plays_in_club_inverse#Ann#plays_position#Forward\tForward/\tmore\n"
    )
    (tmp_path / "WC-C.txt").write_text(f"which Forward is at FC_X ?\tAnn\t{path}\tAnn/Bea/\tmore\n")
    one, two, both = read("worldcup", tmp_path)
    assert [p.name for p in (one, two, both)] == ["1hop", "2hop", "conjunctive"]
    assert [e.relation for e in two.questions[0].pattern.edges] == [
        "plays in club inverse",
        "plays position",
    ]
    question = both.questions[0]
    assert (question.topics, question.answers) == (("Forward", "FC_X"), ("Ann", "Bea"))
    assert question.pattern.answers == ("answer",)
    assert len(question.pattern.components()) == 1
    assert [p.name for p in read("worldcup", tmp_path, hops=2)] == ["2hop"]
    (tmp_path / "WC-P1.txt").write_text("q\ta\tAnn#plays_in_club\ta/\n")
    with pytest.raises(LoadError, match=r"WC-P1\.txt, line 1: expected the gold path"):
        read("worldcup", tmp_path)


def test_an_unknown_set_is_refused_with_the_nearest(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="did you mean metaqa"):
        read("metaq", tmp_path)


@pytest.mark.parametrize(
    ("name", "folder", "counts"),
    [
        ("metaqa", "metaqa", [9992, 14872, 14274]),
        ("pathquestion", "pathquestion", [1908, 5198]),
        ("worldcup", "worldcup2014", [6482, 1472, 2208]),
    ],
)
@pytest.mark.slow
def test_the_published_sets_are_read_whole(name: str, folder: str, counts: list[int]):
    if not (SHARED / folder).is_dir():
        pytest.skip("the question sets are not on this machine")
    parts = read(name, SHARED / folder)
    assert [len(p.questions) for p in parts] == counts
    assert all(q.gold is not None for p in parts for q in p.questions)
