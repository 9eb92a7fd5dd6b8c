"""The page in a real browser: quiet, without a network, in light and dark, on a desk and on a phone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tournaments.report.facts import gather
from tournaments.report.page import render
from tournaments.store import Store

REPLAYS = 6


@pytest.fixture(scope="module")
def address(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    with Store.open(folder) as store:
        facts = gather(store, "timetricks report results", datetime.now(UTC))
        path.write_text(render(facts, [game.full_record() for game in store.sample(REPLAYS)]), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(params=["light", "dark"])
def scheme(request):
    return request.param


@pytest.fixture(params=[360, 1280])
def page(browser, address, scheme, request):
    """The page at this width; what it said and asked for stands in `said` and `asked`."""
    context = browser.new_context(viewport={"width": request.param, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.said, page.asked = [], []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("request", lambda asked: page.asked.append(asked.url))
    page.goto(address)
    yield page
    context.close()


def test_it_is_quiet_and_asks_for_nothing(page, address):
    assert page.said == []
    assert page.asked == [address]


def test_only_boxes_of_wide_tables_scroll_sideways(page):
    wide = """() => [...document.querySelectorAll('body *')]
        .filter(one => !one.closest('.scroll, pre, nav ul, svg') && one.getBoundingClientRect().right > innerWidth + 1)
        .map(one => one.outerHTML.slice(0, 100))"""
    assert page.evaluate("document.documentElement.scrollWidth") == page.evaluate("innerWidth")
    assert page.evaluate(wide) == []


def test_text_of_the_page_and_of_the_figures_stands_out(page, scheme):
    """Contrast of at least 4.5 (WCAG AA) against the card behind, whatever the scheme."""
    colours = """() => [...document.querySelectorAll('.card :is(h3, .how, caption, td, figure text)')].map(one => {
        const style = getComputedStyle(one), card = getComputedStyle(one.closest('.card'))
        return [one.namespaceURI.endsWith('svg') ? style.fill : style.color, card.backgroundColor]
    })"""
    pairs = {tuple(pair) for pair in page.evaluate(colours)}
    assert len(pairs) >= 2
    for text, card in pairs:
        assert contrast(luminance(text), luminance(card)) >= 4.5
        assert (luminance(card) < 0.1) == (scheme == "dark")


def test_every_figure_is_drawn_inside_its_card(page):
    sizes = page.evaluate(
        "[...document.querySelectorAll('figure svg')].map(one => [one.getBoundingClientRect().width, "
        "one.getBoundingClientRect().height, one.closest('.card').getBoundingClientRect().width])"
    )
    assert sizes
    assert all(200 < width < card and height > 30 for width, height, card in sizes)


def test_games_can_be_replayed_and_keep_their_own_styles(page):
    viewer = page.locator("#replays .timetricks-viewer")
    assert viewer.locator("select").first.locator("option").count() == REPLAYS
    viewer.focus()
    page.keyboard.press("End")
    position = viewer.locator("input[type=range]")
    assert position.input_value() == position.get_attribute("max")
    styles = "[...document.querySelectorAll('.timetricks-viewer header')].map(one => getComputedStyle(one))"
    assert "40px" not in page.evaluate(styles + ".map(style => style.paddingTop)")  # that of the page's own header


def luminance(colour):
    """Relative luminance of ``rgb(r, g, b)`` (WCAG 2)."""
    channels = [int(number) / 255 for number in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
