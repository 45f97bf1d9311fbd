"""The public names of the geometry."""

from __future__ import annotations

from types import ModuleType

import cext.geometry


def test_the_package_exports_every_name_that_it_imports() -> None:
    assert set(cext.geometry.__all__) == {
        name
        for name, value in vars(cext.geometry).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
