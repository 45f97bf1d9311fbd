"""An engine for the arena without any library: it reads turns and writes moves (docs/engine-protocol.md).

It scores in Ominoes when it can, and chooses at random otherwise.
"""

import json
import random
import sys

for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "omnilude":
        print("id Scorer 1.0", "wants actions", "ready", sep="\n", flush=True)
    elif command == "turn":
        number, _, data = rest.partition(" ")
        actions = json.loads(data)["actions"]
        scoring = [entry for entry in actions if "score" in entry["action"]]
        print("move", number, random.choice(scoring or actions)["code"], flush=True)
    elif command == "quit":
        break
