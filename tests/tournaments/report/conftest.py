import pytest

from tests.tournaments.report.tournament import play_into


@pytest.fixture(scope="package")
def folder(tmp_path_factory):
    """A results folder."""
    return play_into(tmp_path_factory.mktemp("report") / "results")
