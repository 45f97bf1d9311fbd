"""The rules of Olomòc, compiled: one extension module, ``rules``, whose include files are the parts of the rulebook."""
