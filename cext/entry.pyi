"""For compiled packs, which cimport it; Python asks :class:`cext.table.Table`."""
