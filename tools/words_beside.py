"""What the words beside marks add to a table: values as printed, names of points; and the sizes of bubbles.

Not handled here: the words themselves (`ocr`), means that notes beside lines give (`overlines`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.point_columns import with_point_columns
from tools.printed_values import with_printed
from tools.table import Table
from tools.types import Panel, Series, Word


def with_more(table: Table, panel: Panel, series: Sequence[Series], words: Sequence[Word]) -> Table:
    """The table of a panel with all that stands beside its marks; `words` are those of the figure."""
    return with_point_columns(with_printed(table, panel, words), panel, series, words)
