"""`queries/README.md` says what the templates are and give now."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from tests.docs.queries_page import PAGE, examples, page
from tests.unit.compile.golden import check

SPARQL = [
    pytest.param(path, example, id=path)
    for path, _, example in examples()
    if example is not None and path.startswith("sparql/")
]
NOT_ALONE = {
    "sparql/store/values.rq.j2",  # a part of a query
    "sparql/store/is_fuseki.rq.j2",  # Jena's function, which the engine here has not
}


def test_the_page_is_up_to_date():
    check(PAGE, page())


@pytest.mark.parametrize(("path", "example"), SPARQL)
def test_the_examples_are_sparql(path: str, example: str):
    store = ox.Store()
    if path.endswith(".ru.j2"):
        store.update(example)
    elif path not in NOT_ALONE:
        store.query(example)
