"""The compiled rules of OMEGA: one extension module, ``rules``, with an include file for each part of the rulebook."""
