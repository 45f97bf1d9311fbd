"""The pytest plug-in of the pack API, active wherever omnilude is installed; it imports nothing heavy.

It registers the mark ``@pytest.mark.rule("OMI-MOVE-03", ...)``, by which a test says which rules it proves.
"""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the rules of a specification (RULES.md) that the test proves")
