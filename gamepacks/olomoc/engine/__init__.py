"""The compiled rules of Olomòc: one extension module, ``rules``, with an include file for each part of the rulebook."""
