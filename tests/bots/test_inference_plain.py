"""Plain Python weighs worlds as compiled code does."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

WEIGHTS = """
import json
import engine
from bots.inference import believe, model_for
from engine.rng import stream
found = {}
for name in engine.names():
    state = engine.load(name, players=3).new(seed=4)
    for _ in range(11):
        state = state.apply(state.legal_actions[-1])
    belief = believe(state.information_set(), model_for(state.game), 5, stream(6))
    found[name] = belief.weights.tolist()
print(json.dumps(found))
"""


def weights(switch):
    environment = os.environ | {"NUMBA_DISABLE_JIT": switch}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", WEIGHTS], env=environment, capture_output=True, text=True, timeout=500
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_weights_are_the_same_in_plain_python():
    compiled, plain = weights("0"), weights("1")
    assert len(compiled) == 4
    for name, found in compiled.items():
        assert plain[name] == pytest.approx(found, rel=1e-9)
        assert max(found) > min(found)
