"""A bot without any package: plays the first legal action, and breaks bots/PROTOCOL.md in one known way.

``python command_bot.py KIND``. A kind is a message type, a space, and what to answer to it instead.
"""

import json
import os
import signal
import sys
import time

HELLO = {"type": "hello", "protocol": "timetricks-bot/1"}
HELD = 3  # answers to `act` that are right

LINES = {
    "act nonsense": b"no JSON\n",
    "act empty line": b"\n",
    "act half an object": b'{"type": "action",\n',
    "act list": b"[1, 2]\n",
    "act number": b"5\n",
    "act bytes that are no UTF-8": b"\xff\xfe\n",
    "act deep brackets": b"[" * 500_000 + b"\n",
    "act number of many digits": b'{"type": "action", "action": ' + b"9" * 10_000 + b"}\n",
    "act other type": b'{"type": "ready"}\n',
    "act type that is no text": b'{"type": []}\n',
    "act no action": b'{"type": "action"}\n',
    "act null": b'{"type": "action", "action": null}\n',
    "act object": b'{"type": "action", "action": {"card": "F7"}}\n',
    "act not a number": b'{"type": "action", "action": NaN}\n',
    "act half a character": b'{"type": "action", "action": "\\ud800"}\n',
    "act long text": b'{"type": "action", "action": "' + b"x" * 500_000 + b'"}\n',
    "act error": b'{"type": "error", "message": "I give up"}\n',
    "act error of half a character": b'{"type": "error", "message": "\\ud800"}\n',
    "act error without words": b'{"type": "error"}\n',
    "new_game other type": b'{"type": "action", "action": 0}\n',
    "hello nonsense": b"Welcome to my bot!\n",
    "hello deep brackets": b"[" * 500_000 + b"\n",
    "hello other protocol": b'{"type": "hello", "protocol": "timetricks-bot/9"}\n',
    "hello long protocol": b'{"type": "hello", "protocol": "' + b"x" * 500_000 + b'"}\n',
    "hello no protocol": b'{"type": "hello"}\n',
    "hello other observation": b'{"type": "hello", "protocol": "timetricks-bot/1", "observation": "state"}\n',
}


def write(content):
    os.write(1, content)


def say(message):
    write(json.dumps(message).encode() + b"\n")


def right_answer(message):
    match message["type"]:
        case "hello":
            say(HELLO)
        case "new_game":
            say({"type": "ready"})
        case "act":
            say({"type": "action", "action": message["legal_actions"][0]})


def answer_twice(message):
    action = json.dumps({"type": "action", "action": message["legal_actions"][0]}).encode() + b"\n"
    write(2 * action)


def write_without_end(_):
    while True:
        write(b"x" * 4096)


def close_stdout(_):
    os.close(1)
    time.sleep(1000)


def stop(_):
    os.kill(os.getpid(), signal.SIGSTOP)


def never_read_again(_):
    time.sleep(1000)


WAYS = {
    "act two answers": answer_twice,
    "act line without end": write_without_end,
    "act closed stdout": close_stdout,
    "act stopped": stop,
    "act silence": never_read_again,
    "act exit": lambda _: sys.exit(5),
    "act quiet exit": lambda _: sys.exit(0),
    "new_game silence": never_read_again,
    "hello silence": never_read_again,
    "hello exit": lambda _: sys.exit("what a day"),
    "result answer": lambda _: say({"type": "thanks"}),
}


def main(kind):
    acts = 0
    for line in sys.stdin:
        message = json.loads(line)
        acts += message["type"] == "act"
        if message["type"] != kind.partition(" ")[0] or (message["type"] == "act" and acts <= HELD):
            right_answer(message)
        elif kind in LINES:
            write(LINES[kind])
        else:
            WAYS[kind](message)


if __name__ == "__main__":
    main(sys.argv[1])
