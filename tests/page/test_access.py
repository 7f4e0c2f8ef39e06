"""The page for everybody: keyboard, small screens, dark colours, no scripts, keys; bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.page.conftest import Visit, Visits
from tests.page.site import serve
from tests.page.test_asking import LANGUAGES, MEDIAN, ask

from isomatch.serve.page import routes

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from isomatch.settings import Settings

TOKEN = "a key of the tests"


def tab_to(page: Page, selector: str, most: int = 40) -> None:
    """Press Tab until an element that fits has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"{most} times Tab do not lead to {selector}")


def test_everything_can_be_done_with_the_keyboard(visit: Visit) -> None:
    page = visit.open()
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type(LANGUAGES)
    page.keyboard.press("Enter")
    page.wait_for_selector(".point")
    tab_to(page, ".chip-node")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choices button")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('.chip-node')")
    assert not page.locator("#readings").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_selector(".choices button")
    tab_to(page, ".choices button")
    page.keyboard.press("Enter")
    page.wait_for_selector(".changed")
    page.wait_for_selector(".point")
    tab_to(page, "g.point")
    drawn = page.locator(".point").count()
    page.keyboard.press("Enter")
    page.wait_for_selector(".notices li")
    assert page.locator(".point").count() >= drawn
    tab_to(page, "summary", 80)
    page.keyboard.press("Enter")
    tab_to(page, "[role=tab]")
    page.keyboard.press("ArrowRight")
    assert page.locator(".timing tr").count() > 3
    page.keyboard.press("ArrowRight")
    assert '"question"' in page.locator("[role=tabpanel]:not([hidden])").inner_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("question", [None, LANGUAGES, MEDIAN])
def test_axe_finds_nothing_serious(visits: Visits, theme: Any, question: str | None) -> None:
    visit = visits(color_scheme=theme)
    page = visit.open()
    if question is not None:
        ask(page, question)
        page.wait_for_selector(".legend li")
        page.locator(".chip").first.click()
        page.wait_for_selector(".choices button")
        page.get_by_role("tab", name="Timing").click()
    if theme == "dark" and question is not None:
        visit.shot("dark" if question == LANGUAGES else "dark-refused")
    found = Axe().run(page).response["violations"]
    told = [
        f"{one['id']}: {node['html']} {node.get('failureSummary', '')}"
        for one in found
        for node in one["nodes"]
        if one["impact"] in ("serious", "critical")
    ]
    assert told == []


def test_nothing_is_wider_than_a_screen_of_360_pixels(visits: Visits) -> None:
    visit = visits(viewport={"width": 360, "height": 740}, has_touch=True)
    page = visit.open()
    widest = "document.scrollingElement.scrollWidth"
    assert page.evaluate(widest) <= 360
    ask(page, LANGUAGES)
    page.wait_for_selector(".legend li")
    page.locator(".chip-node").tap()
    page.wait_for_selector(".choices button")
    for tab in ("Timing", "JSON", "Query"):
        page.get_by_role("tab", name=tab).tap()
        assert page.evaluate(widest) <= 360
    page.get_by_role("button", name="Table").tap()
    assert page.evaluate(widest) <= 360
    page.get_by_role("button", name="Drawing").tap()
    visit.shot("narrow")
    visit.open(q=MEDIAN)
    assert page.evaluate(widest) <= 360


def test_the_answer_is_there_without_scripts(visits: Visits) -> None:
    visit = visits(java_script_enabled=False)
    page = visit.page
    page.goto(visit.site)
    assert page.locator("#examples a").count() == 5
    page.get_by_label("Question", exact=True).fill(MEDIAN)
    page.get_by_role("button", name="Ask").click()
    assert "not understood whole" in page.locator(".kind").inner_text()
    assert page.locator(".left-out").inner_text() == "median"
    page.goto(f"{visit.site}/?q=what+is+the+capital+of+Mongolia%3F")
    assert page.locator(".facts tbody tr").count() >= 1
    assert "Proven complete" in page.locator(".certificate").inner_text()


def test_a_key_is_asked_for_and_kept_in_the_tab(
    visits: Visits, graphs: dict[str, Settings]
) -> None:
    with serve(graphs, token=TOKEN) as url:
        visit = visits(url)
        page = visit.page
        page.goto(f"{url}/?q={LANGUAGES}")
        page.get_by_label("Key", exact=True).fill("a wrong one")
        page.get_by_role("button", name="Use this key").click()
        page.get_by_label("Key", exact=True).fill(TOKEN)
        page.get_by_role("button", name="Use this key").click()
        page.wait_for_selector("#result[data-shown]")
        assert "Romansh" in page.locator(".answers").inner_text()
        assert page.locator("#graph option").all_inner_texts() == ["demo", "odd"]
        stored = page.evaluate("[JSON.stringify(localStorage), document.cookie, location.href]")
        assert not any(TOKEN in text for text in stored)
        page.context.close()


def test_the_table_is_shown_where_nothing_can_be_drawn(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "LAYOUT", routes.STATIC / "vendor" / "missing.js")
    page = visit.open(q=LANGUAGES)
    page.locator(".facts").wait_for()
    assert page.locator(".facts tbody tr").count() == 10
    page.get_by_role("button", name="Drawing").click()
    assert "make page" in page.locator(".drawing").inner_text()


def test_the_page_is_small_over_the_wire(visit: Visit) -> None:
    visit.page.context.set_offline(False)
    session = visit.page.context.new_cdp_session(visit.page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page = visit.open()
    ask(page, LANGUAGES)
    page.wait_for_selector(".legend li")
    assert len(sizes) > 15
    assert sum(sizes) <= 150_000


def test_it_may_load_only_what_is_its_own(site: str) -> None:
    import httpx

    response = httpx.get(site)
    assert "default-src 'self'" in response.headers["content-security-policy"]
    assert "unsafe" not in response.headers["content-security-policy"]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert httpx.get(f"{site}/static/page.js").headers["content-type"].startswith("text/javascript")
    assert httpx.get(f"{site}/static/../routes.py").status_code == 404
