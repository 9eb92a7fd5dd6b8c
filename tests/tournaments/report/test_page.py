"""The page, read as a parser of HTML reads it."""

from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from tests.tournaments.experiments import named, timetricks
from tests.tournaments.report.test_pairings import ROCK_PAPER_SCISSORS, duel
from tests.tournaments.report.tournament import BAD, CONFIG, GAMES
from tournaments.report import svg
from tournaments.report.facts import gather
from tournaments.report.page import heat, render
from tournaments.results import collect
from tournaments.store import Store


class Page(HTMLParser):
    """What a page holds: every element with its attributes, and all text outside the style sheet."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.texts, self._open = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._open.append(tag)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if "style" not in self._open:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def values(self, attribute):
        return [attributes[attribute] for _, attributes in self.elements if attribute in attributes]


def page_of(store):
    return Page(render(gather(store, "timetricks report results", datetime(2031, 5, 6, 7, 8, tzinfo=UTC))))


@pytest.fixture(scope="module")
def page(folder):
    with Store.open(folder) as store:
        return page_of(store)


def test_names_and_messages_are_text_whatever_they_hold(page):
    assert BAD in page.text
    assert CONFIG.name in page.text
    assert "RuntimeError: out of ideas" in page.text
    assert len(page.all("style")) == 1  # that of the page: what stands in a figure would hold for all of it
    assert {tag for tag, _ in page.elements} & {"b", "i", "script", "img", "iframe"} == set()


def test_nothing_is_loaded(page):
    assert page.values("src") == []
    assert [link for link in page.values("href") + page.values("xlink:href") if not link.startswith("#")] == ["data:,"]
    assert any("default-src 'none'" in content for content in page.values("content"))


def test_ids_are_unique_and_every_link_has_its_end(page):
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    targets = {link.removeprefix("#") for link in page.values("href") + page.values("xlink:href")} - {"data:,"}
    assert targets | set(page.values("aria-labelledby")) <= set(ids)


def test_every_table_has_a_caption_and_every_figure_a_label(page):
    assert len(page.all("table")) == len(page.all("caption")) >= 9
    assert all(drawing["aria-label"] for drawing in page.all("svg"))
    assert len(page.all("svg")) == 3 + 6 + 5  # ratings, budget and times; seats and scores; Daytime Minutes' lengths


def test_what_stands_there(page):
    assert f"Games played {GAMES} 21 of 21 deal blocks" in page.text
    assert "6 May 2031, 07:08 UTC" in page.text
    assert "The rating of random is 0 by definition." in page.text
    assert "timetricks report results" in page.text
    assert 'bot = "tests.tournaments.scripted_bots:Raises"' in page.text
    assert "Every game took" in page.text  # of Trick or Repeat


def test_a_cycle_is_told_in_words(tmp_path, monkeypatch):
    names = ["rock", "paper", "scissors"]
    config = named(names, games=[{"game": "trick_or_repeat", "players": 2}])
    rows = [
        ("trick_or_repeat/2", *game[1:]) for pair in ROCK_PAPER_SCISSORS for n in range(12) for game in duel(*pair, n)
    ]
    with Store.create_or_open(tmp_path, config) as store:
        monkeypatch.setattr(store, "results", lambda progress: collect(rows, names))
        page = page_of(store)
    assert "paper → rock → scissors → paper" in page.text
    assert "3 of 3 pairs" in page.text
    assert page.text.count("▲") == 3 + 1  # and in the legend


def test_an_unfinished_run_says_so(tmp_path):
    with Store.create_or_open(tmp_path, named(["a", "b", "c"])) as store:
        text = page_of(store).text
    assert "of a run that is not finished" in text
    assert "No game has been finished yet." in text


def test_heat_is_deeper_the_farther_from_a_half():
    assert heat(0.5) == 'class="below" style="--depth:0.00"'
    assert heat(0.85) == 'class="above" style="--depth:1.00"'
    assert heat(0.325) == 'class="below" style="--depth:0.50"'
    assert heat(None) == ""


def test_a_figure_has_text_as_text_and_colours_of_the_style_sheet():
    def draw(axes):
        axes.plot([0, 1], [0, 1], color=svg.ACCENT)
        axes.set_xlabel("<$x_1$> & 悪い")

    drawn = svg.svg(draw, 100, "one", "title")
    root = ElementTree.fromstring(drawn)
    texts = {"".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert "<$x_1$> & 悪い" in texts
    assert "var(--accent)" in drawn
    assert "#010101" not in drawn
    assert "width" not in root.attrib
    assert root.get("viewBox") == "0 0 400 100"
    assert drawn == svg.svg(draw, 100, "one", "title")  # the same figure is the same text


def test_the_command_writes_the_file(folder, tmp_path):
    run = timetricks("report", folder, "--to", "page.html", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "page.html" in run.stderr
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert f"timetricks report {folder} --to page.html" in page.text
    assert "replays" in page.values("id")


def test_a_report_can_do_without_replays(folder, tmp_path):
    assert timetricks("report", folder, "--replays", "0", "--to", "page.html", folder=tmp_path).returncode == 0
    assert "replays" not in Page((tmp_path / "page.html").read_text(encoding="utf-8")).values("id")


def test_a_folder_without_results_is_a_mistake_of_the_user(tmp_path):
    run = timetricks("report", tmp_path, folder=tmp_path)
    assert run.returncode == 2
    assert "expected a results folder" in run.stderr
    assert "Traceback" not in run.stderr
