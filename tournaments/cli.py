"""The command line. Tables go to stdout, progress and errors to stderr; a wrong argument exits with 2."""

from tournaments.commands import playing, tuning, exploiting, results, records, analysing, person, starting, listings  # isort: skip  in the order of the help
from tournaments.commands.shell import app

# each adds its commands to the app
__all__ = [
    "analysing",
    "app",
    "exploiting",
    "listings",
    "person",
    "playing",
    "records",
    "results",
    "starting",
    "tuning",
]

if __name__ == "__main__":
    app()
