"""The rules of Omen, compiled, for both editions; ``state`` is what the engine drives."""
