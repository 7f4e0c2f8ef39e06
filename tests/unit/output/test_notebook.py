"""Results as drawings of neo4j-viz."""

from __future__ import annotations

from tests.unit.answer.results import bound, directed, fact, result

from isomatch import to_viz
from isomatch.match.types import Interpretation, Match, Triple
from isomatch.output.convert import ANSWER, OTHER


def test_all_matches_are_one_drawing_where_answers_stand_out():
    drawing = to_viz(result(directed(["Heat", "Ali"]), directed(["Heat"], rank=2)))
    colours = {n.caption: n.color.as_hex(format="long") for n in drawing.nodes}
    assert colours == {"Heat": ANSWER, "Ali": ANSWER, "Michael Mann": OTHER}
    assert {(r.source, r.caption, r.target) for r in drawing.relationships} == {
        (bound(film).id, "directed by", bound("Michael Mann").id) for film in ("Heat", "Ali")
    }
    assert len({r.id for r in drawing.relationships}) == 2


def test_relationships_keep_their_ids_and_properties():
    plain = fact("Heat", "directed by", "Michael Mann")
    stored = Triple(plain.source, plain.relation, plain.target, "5:db:1", {"since": 1995})
    match = Match({"film": bound("Heat"), "micheal_man": bound("Michael Mann")}, (stored,))
    (drawn,) = to_viz(result(Interpretation(1, 0.0, (), (match,)))).relationships
    assert (drawn.id, drawn.properties) == ("5:db:1", {"since": 1995})


def test_names_are_on_one_line_and_a_drawing_can_be_rendered():
    drawing = to_viz(result(directed(["two\nlines </script>\x1b[31m"])))
    assert drawing.nodes[0].caption == "two lines </script>\ufffd[31m"
    page = drawing.render().data
    assert "two lines " in page
    assert "two lines </script>" not in page  # it would end the page's data
    assert to_viz(result()).nodes == []
