"""The page of `isomatch serve`: its bytes, and how soon an answer and its drawing are there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.bench.rows import Row, row
from tests.page.site import HUB, browser, make_demo, make_odd, serve, wait

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUESTION = "which languages are spoken in the neighbours of Liechtenstein?"
MANY = f'("{HUB}")-[line to]->(?stop)'
FACTS = 500
PASSES = 5

# Notes when what is looked for is painted: the second frame after it is in the document.
WATCH = """
window.seen = {};
const note = (key) => {
  if (seen[key] !== undefined) return;
  seen[key] = null;
  requestAnimationFrame(() => requestAnimationFrame(() => { seen[key] = performance.now(); }));
};
new MutationObserver(() => {
  if (document.querySelector('#result .answer')) note('answer');
  const points = document.querySelectorAll('.edges > g');
  if (points.length >= FACTS && points[0].firstChild.hasAttribute('d')) note('drawn');
}).observe(document, { subtree: true, childList: true, attributes: true });
""".replace("FACTS", str(FACTS))
ANSWERED = "performance.getEntriesByType('resource').find((r) => r.name.endsWith('/v1/ask'))"


def page() -> Iterator[Row]:
    """The rows, of a service over the demo's graph and one of a node with many facts."""
    with tempfile.TemporaryDirectory() as folder:
        demo, odd = Path(folder, "demo"), Path(folder, "odd")
        odd.mkdir()
        with serve({"demo": make_demo(demo), "odd": make_odd(odd)}) as url:
            yield from measure_page(url)


def measure_page(url: str) -> Iterator[Row]:
    """The rows of a service with the graphs ``demo`` and ``odd`` (`tests.page.site`).

    Raises:
        ServerUnavailable: there is no Chromium.
    """
    with browser() as opened:
        note = f"headless Chromium {opened.version}, median of {PASSES}"
        asked = [_answer(opened, url) for _ in range(PASSES)]
        drawn = [_drawing(opened, url) for _ in range(PASSES)]
    yield row(
        "page: bytes over the wire, with an answer",
        max(sent for sent, _ in asked),
        "bytes",
        at_most=150_000,
        note=f"with an empty cache, d3-force and /v1/ask; {note}",
    )
    yield row(
        "page: first answer visible after the server's answer",
        median(shown for _, shown in asked),
        "ms",
        at_most=150.0,
        note=note,
    )
    yield row(
        f"page: {FACTS} triples drawn after the server's answer, and one moved",
        median(drawn),
        "ms",
        at_most=1000.0,
        note=note,
    )


def _answer(opened: Browser, url: str) -> tuple[float, float]:
    """Bytes, and milliseconds from the end of the server's answer until it is painted."""
    with opened.new_context() as context:
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        sizes: list[float] = []
        session.on(
            "Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"])
        )
        _ask(page, url, "demo", QUESTION)
        shown = _seen(page, "answer")
        page.wait_for_selector(".legend li")
        return sum(sizes), shown


def _drawing(opened: Browser, url: str) -> float:
    """Milliseconds from the server's answer until the facts are painted, and a node has moved."""
    with opened.new_context() as context:
        page = context.new_page()
        _ask(page, url, "odd", MANY)
        drawn = _seen(page, "drawn")
        node = page.locator(".point").nth(7)
        node.scroll_into_view_if_needed()
        box: Any = node.locator("circle").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.evaluate(
            """([x, y]) => {
              const point = document.elementFromPoint(x, y).closest('.point');
              const before = point.getAttribute('transform');
              addEventListener('pointermove', () => { seen.begun ??= performance.now(); }, true);
              const look = () => {
                if (point.getAttribute('transform') === before || seen.begun === undefined) {
                  requestAnimationFrame(look);
                } else seen.moved = performance.now() - seen.begun;
              };
              look();
            }""",
            [x, y],
        )
        page.mouse.move(x, y)
        page.evaluate("delete seen.begun")
        page.mouse.down()
        page.mouse.move(x + 60, y + 40, steps=4)
        wait(lambda: page.evaluate("seen.moved > 0"), 10, "the node did not move")
        page.mouse.up()
        return drawn + float(page.evaluate("seen.moved"))


def _ask(page: Page, url: str, graph: str, question: str) -> None:
    page.add_init_script(WATCH)
    page.goto(f"{url}/?{urlencode({'graph': graph})}")
    page.get_by_label("Question", exact=True).fill(question)
    page.keyboard.press("Enter")


def _seen(page: Page, key: str) -> float:
    """Milliseconds between the end of the server's answer and when something was painted."""
    page.wait_for_selector("#result[data-shown]")
    wait(lambda: page.evaluate(f"seen.{key} > 0"), 10, f"nothing was seen of: {key}")
    return float(page.evaluate(f"seen.{key} - {ANSWERED}.responseEnd"))
