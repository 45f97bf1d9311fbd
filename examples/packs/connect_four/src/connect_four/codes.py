"""The numbers of Connect Four, from which the build generates the C constants."""

from gamepacks.api import CodeBook, Verb

C_CONSTANTS = {"ROWS": "", "COLUMNS": "", "CELLS": "", "BOOK": "VERB"}

ROWS = 6
COLUMNS = 7
CELLS = ROWS * COLUMNS
BOOK = CodeBook(DROP := Verb("DROP", column=3))
