"""``python -m omnilude_cli``: the same as the command ``omnilude``."""

from omnilude_cli.main import run

run()
