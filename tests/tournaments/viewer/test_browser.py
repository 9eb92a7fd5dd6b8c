"""The viewer in a browser: what is on the screen is what an independent replay says."""

from __future__ import annotations

import json
import re
from itertools import chain, groupby
from pathlib import Path

import pytest

from tests.tournaments.viewer.games import FOUR, recorded, states
from tests.tournaments.viewer.test_page import HOSTILE
from tournaments.viewer import Thoughts, fragment, page
from tournaments.viewer.frames import compact, frames

STATIC = Path(__file__).resolve().parents[3] / "tournaments/viewer/static"
NOBODY_TAKES = 7  # a seed of Day & Night for three: in a round amid the game, and in the last one
PHONE, DESK = 360, 1280  # pixels
SHOWN = """() => {
  const one = (selector) => document.querySelector(selector).innerText;
  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const names = (root, selector) => all(root, selector).map((card) => card.title.split(":")[0]);
  return {
    lines: all(document, ".t-said p").map((line) => line.innerText),
    counter: one(".t-counter"),
    table: names(document, ".t-spot .t-card"),
    best: names(document, ".t-spot .t-best"),
    seats: all(document, ".t-panel").map((panel) => ({
      hand: names(panel, ".t-hand .t-card"),
      placed: all(panel, ".t-timeline li").map((slot) => slot.querySelector(".t-card")?.title.split(":")[0] ?? null),
      score: Number(panel.querySelector(".t-score").innerText.match(/-?\\d+/)?.[0]),
      isTurn: panel.classList.contains("t-turn"),
    })),
  };
}"""


@pytest.fixture
def screen(browser, tmp_path):
    """Opens HTML; at the end nothing was complained of on the console and nothing asked of any network."""
    complaints, requests, tabs = [], [], []

    def opened(html, width=DESK, scheme="light"):
        path = tmp_path / f"page-{len(tabs)}.html"
        path.write_text(html, "utf-8", errors="replace")
        tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("request", lambda request: requests.append(request.url) if request.url != path.as_uri() else None)
        tab.goto(path.as_uri())
        tabs.append(tab)
        return tab

    yield opened
    for tab in tabs:
        tab.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith("data:")] == []


def stops(tab):
    """What is shown at every stop, stepping with the right arrow key from the start to the end."""
    last = int(tab.get_by_role("slider").get_attribute("max"))
    tab.keyboard.press("Home")
    found = [tab.evaluate(SHOWN)]
    for _ in range(last):
        tab.keyboard.press("ArrowRight")
        found.append(tab.evaluate(SHOWN))
    assert found[-1]["counter"] == f"{last} / {last}"
    return found


def after_actions(tab):
    """The stop at which each frame is shown whole: the last one of those that name the same action."""
    return [list(group)[-1] for _, group in groupby(stops(tab), key=lambda stop: stop["lines"][0])]


def look_as(tab, seat):
    tab.get_by_label("who looks").select_option(str(seat))
    tab.locator(".timetricks-viewer").focus()


def placed_in(facts):
    """Cards in front of the seats on the table."""
    return {
        "daytime_minutes": lambda: [*facts["table"], (facts["caller"] or {}).get("card")],
        "day_and_night": lambda: [*chain.from_iterable(facts["played"]), *facts["committed"]],
        "trick_or_repeat": lambda: [],
        "tricky_time_crisis": lambda: facts["table"],
    }[facts["game"]]()


def score_in(facts, seat):
    return facts[{"daytime_minutes": "tokens", "day_and_night": "stars"}.get(facts["game"], "points")][seat]


def shown_cards(names):
    return sorted("not known" if name == "?" else name for name in names if name)


def check(stop, facts):
    """What is on the screen is what the facts say, every unknown card a back."""
    assert sorted(stop["table"]) == shown_cards(placed_in(facts))
    for seat, panel in enumerate(stop["seats"]):
        assert shown_cards(panel["hand"]) == shown_cards(facts["hands"][seat])
        assert panel["score"] == score_in(facts, seat)
        assert panel["isTurn"] == (facts["seat_to_move"] == seat)
        if "placed" in facts:
            assert panel["placed"] == [name and name.replace("?", "not known") for name in facts["placed"][seat]]


# --- Stepping ---


@pytest.mark.parametrize("name", FOUR)
def test_stepping_with_keys_shows_hands_table_and_scores_of_every_state(screen, name):
    record = recorded(name, **FOUR[name])
    shown = after_actions(screen(page([record])))
    found = list(frames(record))
    assert len(shown) == len(found)
    replayed = states(record)
    for number, (stop, frame) in enumerate(zip(shown, found, strict=True)):
        is_before_deal = number + 1 < len(found) and found[number + 1].action is None
        check(stop, frame.facts if is_before_deal else next(replayed).facts())
        if frame.action:
            assert stop["lines"][0] == f"seat {frame.seat} ({record['bots'][frame.seat]}): {frame.action}"
    assert "the end: seat 0 (Ann)" in stop["lines"][-1]
    assert next(replayed, None) is None


@pytest.mark.parametrize("name", FOUR)
def test_a_seat_sees_what_it_knows_and_the_backs_of_other_cards(screen, name):
    record = recorded(name, **FOUR[name])
    tab = screen(page([record]))
    look_as(tab, 1)
    hidden = 0
    for stop, frame in zip(after_actions(tab), frames(record), strict=True):
        check(stop, frame.views[1])
        hidden += json.dumps(frame.views[1]).count('"?"')
        if frame.is_secret and frame.seat != 1:
            assert stop["lines"][0].endswith(": chooses in secret")
            assert all(frame.action not in line for line in stop["lines"])
    assert hidden > 100


def test_a_trick_is_shown_whole_before_it_is_collected(screen):
    record = recorded("daytime_minutes", players=4)
    whole = [stop for stop in stops(screen(page([record]))) if "the trick is complete" in stop["lines"]]
    cards = [action for action in record["actions"] if not action.startswith("plan")]
    assert [sorted(stop["table"]) for stop in whole] == [sorted(cards[n : n + 4]) for n in range(0, len(cards), 4)]


def test_the_unknown_caller_is_seen_in_the_trick_it_ends(screen):
    """At a table for three every trick that the caller does not lead holds four cards."""
    record = recorded("daytime_minutes", players=3)
    whole = [stop["table"] for stop in stops(screen(page([record]))) if "the trick is complete" in stop["lines"]]
    assert len(whole) > 10
    assert {len(table) for table in whole} == {4}


def test_tricks_of_trick_or_repeat_are_resolved_one_by_one(screen):
    record = recorded("trick_or_repeat", **FOUR["trick_or_repeat"])
    tricks = [stop for stop in stops(screen(page([record]))) if stop["lines"][1].startswith("trick ")]
    assert len(tricks) == 2 * 5
    for number, stop in enumerate(tricks):
        line = stop["lines"][1]
        played = re.findall(r"seat \d (\w\d)", line)
        winner = int(line.split("; seat ")[1].split()[0])
        assert line.startswith(f"trick {number % 5 + 1}, ")
        assert sorted(stop["table"]) == sorted(played)
        assert stop["best"] == [played[winner]]
    assert [panel["score"] for panel in tricks[4]["seats"]] == [0, 0, 0, 0]


def test_a_slot_is_not_seen_before_its_trick(screen):
    tab = screen(page([recorded("trick_or_repeat", players=4)]))
    look_as(tab, 0)
    tricks = [stop for stop in stops(tab) if stop["lines"][1].startswith("trick ")]
    for number, stop in enumerate(tricks):
        for panel in stop["seats"][1:]:
            backs = [name == "not known" for name in panel["placed"]]
            assert backs == [slot > number % 5 for slot in range(5)]


@pytest.mark.parametrize(("players", "mid_knight"), [(5, "team_up"), (4, "replace:K")])
def test_totals_of_heroes_and_villain_are_those_of_the_rules(screen, players, mid_knight):
    """The engine tells them in words. Double Take and Mid-Knight's half depend on other cards."""
    tab = screen(page([recorded("tricky_time_crisis", players=players, mid_knight=mid_knight)]))
    judged = set()
    while not (said := tab.locator(".t-said").inner_text()).count("the end: "):
        if totals := re.search(r"heroes (\d+) against (\d+)", said):
            assert tab.locator(".t-side b").all_inner_texts() == list(totals.groups())
            judged |= set(tab.evaluate(SHOWN)["table"])
        tab.keyboard.press("PageDown")
    assert judged > {"D+2", "Mhalf"}


def test_a_round_of_day_and_night_in_which_nobody_takes_is_shown_whole(screen):
    """In the last round the cards stay on the table, in others they are cleared."""
    shown = stops(screen(page([recorded("day_and_night", seed=NOBODY_TAKES, players=3)])))
    words = ("no colour wins", "nobody may take")
    told = [n for n, stop in enumerate(shown) if any(line.endswith(words) for line in stop["lines"])]
    whole, cleared, last = told
    assert (cleared, last) == (whole + 1, len(shown) - 1)
    assert [len(shown[number]["table"]) for number in told] == [6, 0, 6]


def test_home_end_pages_and_the_slider(screen):
    tab = screen(page([recorded("day_and_night", players=3)]))
    slider, counter = tab.get_by_role("slider"), tab.locator(".t-counter")
    last = slider.get_attribute("max")
    tab.keyboard.press("End")
    assert counter.inner_text() == f"{last} / {last}"
    tab.keyboard.press("ArrowRight")
    assert counter.inner_text() == f"{last} / {last}"
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowLeft")
    assert counter.inner_text() == f"0 / {last}"
    tab.keyboard.press("PageDown")
    assert "all cards are shown" in tab.locator(".t-said").inner_text()
    assert counter.inner_text() == f"3 / {last}"
    slider.fill("7")
    assert counter.inner_text() == f"7 / {last}"
    assert slider.get_attribute("aria-valuetext") == f"step 7 of {last}"
    tab.get_by_role("button", name="back").click()
    assert counter.inner_text() == f"6 / {last}"


def test_space_plays_and_stops(screen):
    tab = screen(page([recorded("trick_or_repeat", players=2)]))
    tab.clock.install()
    tab.keyboard.press(" ")
    tab.get_by_role("button", name="pause").wait_for()
    tab.clock.run_for(3500)
    tab.keyboard.press(" ")
    tab.clock.run_for(3500)
    assert tab.locator(".t-counter").inner_text().startswith("3 / ")
    tab.get_by_role("button", name="play").wait_for()


def test_a_fault_is_told_with_its_action(screen):
    fault = {"seat": 1, "bot": "Ben", "reason": "illegal action", "message": "x", "action_number": 1}
    tab = screen(page([recorded("trick_or_repeat", players=2) | {"faults": [fault]}]))
    told = [number for number, stop in enumerate(stops(tab)) if any("at fault" in line for line in stop["lines"])]
    assert told == [2]


def test_games_are_picked_by_name(screen):
    tab = screen(page([recorded(name, **options) for name, options in FOUR.items()]))
    picker = tab.get_by_label("game", exact=True)
    assert [text.split(",")[0] for text in picker.locator("option").all_inner_texts()] == [
        "1. Daytime Minutes", "2. Day & Night (2021)", "3. Trick or Repeat", "4. Tricky Time Crisis"
    ]  # fmt: skip
    picker.select_option("3")
    assert tab.locator(".t-panel").count() == 5
    assert tab.locator(".t-counter").inner_text().startswith("0 / ")


# --- What was thought ---


def thoughts():
    """Of the first and of the second action of a game."""
    rows = [["A1", 30, 0.75, 0.02], ["B2", 10, 0.25, None], ["C3", 0, 0.0, None]]
    return Thoughts("a search", {0: {"choice": "A1", "iterations": 40, "actions": rows}})


def test_visits_and_values_are_bars(screen):
    tab = screen(page([recorded("trick_or_repeat", players=2)], [thoughts()]))
    rows = tab.locator(".t-thought tbody tr")
    assert [row.split()[-2:] for row in rows.all_inner_texts()] == [["30", "0.750"], ["10", "0.250"], ["0", "–"]]
    wide = tab.locator(".t-bar").evaluate_all("bars => bars.map((bar) => bar.style.getPropertyValue('--share'))")
    assert [float(share) for share in wide] == pytest.approx([1, 0.75, 1 / 3, 0.25, 0, 0])
    assert "a search as seat 0: A1" in tab.locator(".t-thought").inner_text()
    tab.keyboard.press("ArrowRight")
    assert rows.count() == 0


def test_thoughts_of_another_seat_are_not_for_who_looks(screen):
    tab = screen(page([recorded("trick_or_repeat", players=2)], [thoughts()]))
    look_as(tab, 1)
    assert tab.locator(".t-thought tbody tr").count() == 0
    look_as(tab, 0)
    assert tab.locator(".t-thought tbody tr").count() == 3


# --- Any game, any name, any page ---


def test_hostile_names_are_text(screen):
    record = recorded("day_and_night") | {"bots": HOSTILE}
    tab = screen(page([record], title=HOSTILE[0]))
    assert tab.locator(".t-name").all_inner_texts() == HOSTILE
    assert tab.locator("img").count() == 0
    assert tab.title() == HOSTILE[0]


def test_an_own_game_is_drawn_from_its_facts(screen):
    record = recorded("tests.engine.high_card")
    tab = screen(page([record]))
    for stop, state in zip(stops(tab), [frame.facts for frame in frames(record)], strict=True):
        for seat, panel in enumerate(stop["seats"]):
            assert (panel["hand"], panel["score"]) == (state["hands"][seat], state["points"][seat])
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowRight")
    assert tab.locator(".t-middle").inner_text().split() == ["table", record["actions"][0]]


def test_a_page_around_the_viewer_is_left_alone(screen):
    around = '<style>p {{ margin: 33px }}</style><body><p id="own" class="t-card">own</p>{}</body>'
    script = """() => {
      const own = getComputedStyle(document.querySelector("#own"));
      return [[own.display, own.color, own.marginTop], Object.getOwnPropertyNames(window).sort()];
    }"""
    record = recorded("trick_or_repeat", players=2)
    alone, together = (screen(around.format(html)).evaluate(script) for html in ("", fragment([record])))
    assert alone == together


def test_keys_work_in_the_viewer_only_where_it_is_a_part_of_a_page(screen):
    tab = screen(f'<button id="other">x</button>{fragment([recorded("trick_or_repeat", players=2)])}')
    tab.locator("#other").focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator(".t-counter").inner_text().startswith("0 / ")
    tab.keyboard.press("Tab")
    tab.keyboard.press("ArrowRight")
    assert tab.locator(".t-counter").inner_text().startswith("1 / ")


@pytest.mark.parametrize("name", FOUR)
@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "dark"), (900, "light"), (DESK, "dark")])
def test_nothing_is_wider_than_the_screen(screen, name, width, scheme):
    tab = screen(page([recorded(name, **FOUR[name])], [thoughts()]), width, scheme)
    for _ in range(40):
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        tab.keyboard.press("ArrowRight")


@pytest.mark.parametrize("name", FOUR)
def test_the_script_reads_what_python_wrote(screen, name):
    shorter = {"rounds": 1} if name == "tricky_time_crisis" else {}
    record = recorded(name, **FOUR[name] | shorter)
    tab = screen("<p>empty</p>")
    source = (STATIC / "frames.js").read_text()
    read = "([source, game, seat]) => new Function(source + '; return framesOf')()(game, seat)"
    for seat in (None, *range(record["players"])):
        found = tab.evaluate(read, [source, compact(record), seat])
        for script, frame in zip(found, frames(record), strict=True):
            assert script["facts"] == (frame.facts if seat is None else frame.views[seat])
            assert (script["seat"], script["action"]) == (frame.seat, frame.action)
