"""The rules of Omen, compiled: one extension module, ``rules``, whose include files are the parts of the rules."""
