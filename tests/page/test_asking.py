"""What people do on the page: ask, look at the reading, correct it, widen, copy, share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.page.conftest import Visit, Visits
from tests.page.site import CAIRO, EGYPT, HUB, IMAGE, MANY, SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

LANGUAGES = "which languages are spoken in the neighbours of Liechtenstein?"
MEDIAN = "what is the median population of the countries in Africa?"
MISSPELLED = '(?country:country)-[capital]-("Buenos Airs")'


def ask(page: Page, question: str) -> None:
    page.get_by_label("Question", exact=True).fill(question)
    page.keyboard.press("Enter")
    page.wait_for_selector("#result[data-shown]")


def kind(page: Page) -> str:
    return page.locator(".kind").inner_text()


def words(page: Page, selector: str) -> str:
    return " ".join(page.locator(selector).inner_text().split())


def test_five_examples_are_there_to_click(visit: Visit) -> None:
    page = visit.open()
    visit.shot("first")
    links = page.locator("#examples a")
    assert links.count() == 5
    links.first.click()
    page.wait_for_selector("#result[data-shown]")
    assert kind(page) == "Answer"
    assert "Ulaanbaatar" in page.locator(".answer").inner_text().replace(
        "Ulan Bator", "Ulaanbaatar"
    )
    assert not page.locator("#examples").is_visible()


def test_a_question_shows_its_reading_evidence_and_proof(visit: Visit) -> None:
    page = visit.open()
    ask(page, LANGUAGES)
    answers = page.locator(".answers li").all_inner_texts()
    assert {"Italian", "German", "Romansh", "French"} <= set(answers)
    reading = page.locator(".reading")
    assert reading.get_by_role("button", name="name Liechtenstein at distance 0.00").count() == 1
    assert reading.get_by_role("button", name="relation neighbour").count() == 1
    assert page.locator(".evidence h2").inner_text() == "Evidence"
    page.wait_for_selector(".legend li")
    expect(page.locator(".legend")).to_contain_text("country")
    proof = page.locator(".certificate")
    assert "no other interpretation in the whole graph is nearer" in proof.inner_text()
    proof.get_by_text("What does this mean?").click()
    assert "It does not prove that the reading is what you meant" in proof.inner_text()
    visit.shot("answer")


def test_what_words_were_taken_for_is_shown_before_several_answers(visit: Visit) -> None:
    page = visit.open()
    ask(page, "which countries border Switzerlnd?")
    assert {"Austria", "France"} <= set(page.locator(".answers li").all_inner_texts())
    assert words(page, ".answer .text") == "If “Switzerlnd” means “Switzerland”:"


def test_that_a_reading_is_doubtful_is_shown_before_several_answers(visit: Visit) -> None:
    page = visit.open()
    told = "“Switzerland” and the question is read rightly, which is 56 % sure: "

    def doubtful(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("“Switzerland”: ", told))

    page.route("**/v1/ask", doubtful)
    ask(page, "which countries border Switzerlnd?")
    assert words(page, ".answer .text") == f"If “Switzerlnd” means {told.strip()}"


def test_another_reading_is_asked_again_at_distance_zero(visit: Visit) -> None:
    page = visit.open(q=LANGUAGES)
    corrections = []
    page.on("request", lambda r: corrections.append(r) if "/v1/feedback" in r.url else None)
    page.locator(".chip-node").click()
    panel = page.locator("#readings")
    choice = panel.get_by_role("button", name="Switzerland country/CH")
    choice.wait_for()
    visit.shot("readings")
    choice.click()
    page.wait_for_selector(".changed")
    assert "Occitan" in page.locator(".answers").inner_text()
    assert words(page, ".chip-node") == "name Switzerland at distance 0.00"
    assert page.get_by_label("Question", exact=True).input_value() == LANGUAGES
    (sent,) = [request.post_data_json for request in corrections]
    assert sent["kind"] == "reading"
    assert sent["question"] == LANGUAGES
    texts = [node.get("text") for node in sent["pattern"]["nodes"]]
    assert "<https://geography.example/country/CH>" in texts
    assert "Liechtenstein" in [node.get("text") for node in sent["read_pattern"]["nodes"]]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".chip-node")).to_contain_text("Liechtenstein")


def test_another_relation_is_read_by_its_words(visit: Visit) -> None:
    page = visit.open(pattern='("Japan")-[money]-(?what)')
    chip = page.locator(".chip-relation")
    assert "“money”" in chip.inner_text()
    chip.click()
    page.locator("#readings").get_by_role("button", name="language").click()
    page.wait_for_selector(".changed")
    assert "Japanese" in page.locator(".answer").inner_text()
    assert words(page, ".chip-relation") == "relation language at distance 0.00"


def test_another_comparison_is_asked_again(visit: Visit) -> None:
    page = visit.open(pattern="(?c:country)-[area]->(?a) where ?a > 9000000 return ?c")
    assert "Russia" in page.locator(".answer").inner_text()
    page.locator(".chip-condition").click()
    page.locator("#readings").get_by_role("button", name="less than 9000000").click()
    expect(page.locator(".chip-condition")).to_contain_text("less than")
    assert "Russia" not in page.locator(".answers").inner_text()


def test_a_node_alone_is_shown_with_its_type_in_parts_too(visit: Visit) -> None:
    page = visit.open(pattern="(?c:country) where ?c not in { (?d:country) return ?d } return ?c")

    types = page.locator(".reading .chip-type").all_inner_texts()
    assert [" ".join(text.split()) for text in types] == ["type country at distance 0.00"] * 2
    assert words(page, ".reading .is-answer") == "the answer, c answer"


def test_one_of_several_sets_is_shown_as_such_and_not_as_two_noes(visit: Visit) -> None:
    page = visit.open(q="which countries are in Africa or in Asia?")
    said = page.locator(".reading .part > p.quiet").all_inner_texts()
    assert said == ["where x1 is one of", "or x1 is one of"]
    for inner, shown in (("country", 2), ("city", 3)):
        excluded = '{ (?c)-[continent]->("Africa") }', '{ (?c)-[continent]->("Asia") }'
        rest = f"(?c:{inner}) where ?c not in {' and ?c not in '.join(excluded)} return ?c"
        page = visit.open(pattern=f"(?c:country) where ?c not in {{ {rest} }} return ?c")
        assert page.locator(".reading .part").count() == shown


def test_a_node_is_widened_and_what_is_cut_is_said(visit: Visit) -> None:
    page = visit.open(graph="odd", pattern='("Stop 1")-[line to]-(?hub)')
    page.wait_for_selector(".point")
    page.get_by_role("button", name=HUB).first.click()
    expect(page.locator(".notices")).to_contain_text("has more facts than the 25 that were read")
    assert page.locator(".point").count() <= 27
    page.get_by_role("button", name="Table").click()
    assert page.locator(".facts tbody tr").count() == page.locator(".edges > g").count()


def test_no_more_than_500_facts_are_drawn(visit: Visit) -> None:
    page = visit.open(graph="odd", pattern=f'("{HUB}")-[line to]->(?stop)')
    page.wait_for_selector(".point")
    assert page.locator(".facts tbody tr").count() == MANY
    assert page.locator(".edges > g").count() == 500
    expect(page.locator(".notices")).to_contain_text("The drawing has the first 500 of 600 facts")
    visit.shot("many")


def test_the_query_is_copied_as_it_is_shown(visits: Visits) -> None:
    visit = visits(permissions=["clipboard-read", "clipboard-write"])
    page = visit.open(q=LANGUAGES)
    page.get_by_role("button", name="Copy SPARQL").click()
    page.wait_for_selector("#toast:not([hidden])")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator(".code code").first.inner_text()
    assert copied.startswith("PREFIX")


def test_the_query_tab_says_what_its_query_does_not(visit: Visit) -> None:
    page = visit.open(q="how many countries are in Africa?")
    expect(page.locator(".tabs .notices code")).to_contain_text("return count(")
    ask(page, LANGUAGES)
    assert page.locator(".tabs .notices").count() == 0


def test_an_address_shows_the_result_again(visits: Visits) -> None:
    first = visits()
    page = first.open(q=LANGUAGES)
    page.locator(".chip-node").click()
    page.get_by_role("button", name="Switzerland country/CH").click()
    page.wait_for_selector(".changed")
    answers = page.locator(".answers").inner_text()
    other = visits().page
    other.goto(page.url)
    other.wait_for_selector("#result[data-shown]")
    assert other.locator(".answers").inner_text() == answers
    assert other.get_by_label("Question", exact=True).input_value() == LANGUAGES


def test_an_address_with_a_question_and_a_pattern_says_that_they_may_not_agree(
    visits: Visits,
) -> None:
    asked = {"q": "what is the capital of Japan?", "pattern": '("France")-[capital]->(?what)'}
    with_script = visits().open(**asked)
    without = visits(java_script_enabled=False).page
    without.goto(with_script.url)
    for page in (with_script, without):
        expect(page.locator(".answer")).to_contain_text("chosen by hand")
        assert "Paris" in page.locator(".answer").inner_text()


def test_parts_of_a_pattern_without_a_match_are_not_called_missing(visit: Visit) -> None:
    page = visit.open(pattern='("France")-[currency]->("Yen") return ask')
    chips = page.locator(".chip-node")
    assert "not found" not in chips.first.inner_text()
    assert page.locator(".chip.is-unread").count() == 0


def test_words_that_are_left_out_are_underlined_and_nothing_is_proven(visit: Visit) -> None:
    page = visit.open(q=MEDIAN)
    assert kind(page) == "Not answered: the question was not understood whole"
    assert page.locator(".left-out").inner_text().startswith("median")
    expect(page.locator(".missing")).to_contain_text("nearest in the graph")
    assert page.locator(".is-proven").count() == 0
    assert "Nothing is proven" in page.locator(".certificate").inner_text()
    visit.shot("refused")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ('("France")-[capital]->("Berlin") return ask', "No, and that is proven"),
        ('("France")-[capital]->("Paris") return ask', "Yes, with the facts"),
        ('("Texas")-[capital]->("Austin") return ask', "Not found: the graph does not say"),
    ],
)
def test_a_proven_no_is_told_from_nothing_found(visit: Visit, pattern: str, expected: str) -> None:
    assert kind(visit.open(pattern=pattern)) == expected


def test_names_are_shown_as_text_whatever_they_are(visit: Visit) -> None:
    page = visit.open(graph="odd", pattern='("script")-[knows]-(?x)')
    page = visit.open(graph="odd", pattern="(?a)-[knows]->(?b)")
    page.wait_for_selector(".point")
    assert SCRIPT in page.locator(".facts").text_content()
    assert IMAGE in page.locator(".facts").text_content()
    assert page.title().endswith("isomatch")
    page = visit.open(graph="odd", pattern=f'("{CAIRO}")-[lies in]->(?land)')
    cell = page.locator(".facts bdi", has_text=CAIRO)
    assert cell.get_attribute("dir") == "auto"
    assert page.locator(".answer bdi", has_text=EGYPT).count() == 1
    expect(page.locator('.label[direction="rtl"]')).to_have_count(2)  # drawn after the answer
    visit.shot("odd-names")


def test_the_schema_is_searched_by_meaning(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Schema").click()
    page.get_by_role("button", name="population").wait_for()
    page.get_by_label("Search types and relations").fill("money")
    expect(page.locator(".schema-list button").first).to_have_text("currency")
    page.get_by_role("button", name="currency").click()
    page.wait_for_selector("#result[data-shown]")
    assert "[currency]" in page.get_by_label("Question", exact=True).input_value()


def test_the_history_opens_what_was_asked(visit: Visit) -> None:
    page = visit.open()
    ask(page, LANGUAGES)
    page.get_by_label("Question", exact=True).fill(MISSPELLED)
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_contain_text("Argentina")
    page.get_by_role("button", name="History").click()
    page.get_by_role("link", name=LANGUAGES).click()
    expect(page.locator(".answer")).to_contain_text("Romansh")
    page.go_back()
    expect(page.locator(".answer")).to_contain_text("Argentina")


def test_a_pattern_that_breaks_a_rule_is_told_where(visit: Visit) -> None:
    page = visit.open()
    page.get_by_label("Question", exact=True).fill("(a)-[b]-(?c)")
    page.keyboard.press("Enter")
    assert "needs quotes" in page.get_by_role("alert").inner_text()
