"""The compiled rules of Omen: one extension module, ``rules``, with an include file for each part of the rules."""
