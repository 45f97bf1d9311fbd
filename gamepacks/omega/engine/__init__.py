"""The rules of OMEGA, compiled: one extension module, ``rules``, whose include files are the parts of the rulebook."""
