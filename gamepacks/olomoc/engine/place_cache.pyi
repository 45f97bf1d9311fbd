"""For the pack's other compiled modules, which cimport it."""
