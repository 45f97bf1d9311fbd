"""A bot in ten lines. Start a service (`omnilude serve`), then this: it plays three matches against the greedy bot."""

import random

from omnilude import Bot, Turn, run


class MyBot(Bot):
    def choose(self, turn: Turn) -> int:
        return random.choice(turn.codes)


if __name__ == "__main__":
    for played in run(MyBot(), "localhost:7878", game="ominoes", against=["greedy"], matches=3):
        print(played.match.name, "place", played.place)
