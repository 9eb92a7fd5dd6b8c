"""What is written is what Python reads."""

from __future__ import annotations

import tomllib

import pytest

from tournaments.toml_text import toml_text

CONTENT = {
    "name": 'a "quoted" \\ näme\n',
    "seed": 7,
    "rate": 1e-07,
    "is_on": True,
    "names": ["a", "b"],
    "limits": {"milliseconds": 2.5, "deep": {"x": {"y": 1}}},
    "empty": {},
    "bots": [{"name": "a", "weights": {"long run": 1.0, "nested": {"z": -2.0}}}, {"name": "b", "ladder": [{"a": 1}]}],
}


def test_it_reads_back():
    assert tomllib.loads(toml_text(CONTENT)) == CONTENT


@pytest.mark.parametrize("key", CONTENT)
def test_each_part_reads_back_alone(key):
    assert tomllib.loads(toml_text({key: CONTENT[key]})) == {key: CONTENT[key]}


def test_it_is_laid_out_as_people_write_it():
    text = toml_text({"name": "x", "games": [{"game": "y", "players": 4}], "bots": [{"name": "z"}]})
    assert text == 'name = "x"\n\n[[games]]\ngame = "y"\nplayers = 4\n\n[[bots]]\nname = "z"\n'
