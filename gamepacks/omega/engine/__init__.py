"""The rules of OMEGA, compiled; ``state`` is what the engine drives."""
