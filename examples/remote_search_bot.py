"""A bot that searches with the simulations of the service, so that it needs no rules where it runs.

Start a service (`omnilude serve`), then this: it plays a match against the greedy bot.
"""

from omnilude import Bot, Client, Simulation, Turn, run

TARGET = "localhost:7878"
ITERATIONS = 300
"""Iterations of the search for each decision."""


class RemoteSearch(Bot):
    """Takes the action that a tree search on the service visits most."""

    wants = ("position",)
    threads = 1  # the search blocks until the service has answered

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation

    def choose(self, turn: Turn) -> int:
        options = turn.bot_seat.game.messages.unpack(turn.match.options)
        seed = turn.rng.getrandbits(64)
        # One round trip: open the position of the turn, search, release it.
        request = self.simulation.request()
        state = request.open_game(turn.match.game, len(turn.match.seats), options=options, position=turn.position)
        found = request.search([state], [turn.seat], iterations=ITERATIONS, seed=seed)
        request.release([state])
        self.simulation.run(request)
        return found.value[0].actions[0].code


if __name__ == "__main__":
    with Client(TARGET) as client, client.simulation() as simulation:
        for played in run(RemoteSearch(simulation), TARGET, game="ominoes", against=["greedy"]):
            print(played.match.name, "place", played.place)
