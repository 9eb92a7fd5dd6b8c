"""The command line. Tables go to stdout, progress and errors to stderr; a wrong argument exits with 2."""

from tournaments.commands import playing, tuning, results, records, listings  # isort: skip  in the order of the help
from tournaments.commands.shell import app

__all__ = ["app", "listings", "playing", "records", "results", "tuning"]  # each module adds its commands to the app

if __name__ == "__main__":
    app()
