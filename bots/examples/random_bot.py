"""A whole bot for bots/PROTOCOL.md without any package: it plays a random legal action."""

import json
import random
import sys

rng = random.Random()


def answer_to(message):
    match message["type"]:
        case "hello":
            return {"type": "hello", "protocol": "timetricks-bot/1"}
        case "new_game":
            rng.seed(message["seed"])
            return {"type": "ready"}
        case "act":
            return {"type": "action", "action": rng.choice(message["legal_actions"])}


for line in sys.stdin:
    answer = answer_to(json.loads(line))
    if answer:
        print(json.dumps(answer), flush=True)
