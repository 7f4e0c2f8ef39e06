"""Makes the picture of the page in the README: `make picture`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.page.site import browser, make_demo, serve
from tests.servers import ROOT, ServerUnavailable

QUESTION = "which languages are spoken in the neighbours of Lichtenstein?"
FILE = ROOT / "docs" / "page.png"
WIDTH, HEIGHT = 1000, 1180


def take(url: str, file: Path) -> None:
    """A picture of the page at an address, with an answer."""
    with browser() as opened:
        page = opened.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
        page.goto(url)
        page.get_by_label("Question", exact=True).fill(QUESTION)
        page.keyboard.press("Enter")
        page.wait_for_selector(".legend li")
        page.evaluate("document.activeElement.blur()")
        page.wait_for_timeout(1500)  # nodes come to rest
        page.screenshot(path=file)


def main() -> int:
    """The command line; returns its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with serve({"demo": make_demo(Path(folder))}) as url:
                take(url, FILE)
        except ServerUnavailable as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    print(f"{FILE.relative_to(ROOT)}: {FILE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
