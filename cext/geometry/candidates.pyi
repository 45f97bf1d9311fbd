"""For compiled packs, which cimport it; Python asks :class:`cext.geometry.table.Table`."""
