"""The rules of Olomòc, compiled, by the parts of the rulebook; ``state`` is what the engine drives."""
