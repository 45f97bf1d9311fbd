"""The pytest plug-in of the pack API, active wherever omnilude is installed.

It registers the marks by which a test says which rules it proves: ``@pytest.mark.rule("OMI-MOVE-03", ...)``, and
``@pytest.mark.worked_examples("OMI", ...)`` for the rules that the worked examples of the specification name.
"""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the rules of a specification (RULES.md) that the test proves")
    config.addinivalue_line("markers", "worked_examples(*prefixes): the test plays the worked examples of a RULES.md")
