"""The rules of four games about time, as immutable states over compiled records.

>>> import engine
>>> state = engine.load("daytime_minutes", players=4).new(seed=7)
>>> state = state.apply(state.legal_actions[0])
>>> info = state.information_set()
"""

from engine.batch import Batch
from engine.game import Game, load, names
from engine.observation import observation_layout
from engine.playout import perft
from engine.record import RecordError, replay
from engine.state import IllegalActionError, InformationSet, State

__all__ = [
    "Batch",
    "Game",
    "IllegalActionError",
    "InformationSet",
    "RecordError",
    "State",
    "load",
    "names",
    "observation_layout",
    "perft",
    "replay",
]
