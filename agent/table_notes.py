"""What is odd about a deposited file, in words for people: rows of other lengths, nothing in it that could be plotted.

Not handled here: reading it (`source_tables`).
"""

from __future__ import annotations

from collections.abc import Sequence

Cells = Sequence[Sequence[str]]


def ragged(cells: Cells, numbers: Sequence[int], header: int) -> tuple[str, ...]:
    """A note on the rows below a header that have fewer or more cells than it, where most have as many.

    `numbers`: the rows of the block, and `header` the row of its names, counted from 1.

    >>> ragged([["x", "a"], ["1", "2"], ["2"], ["3", "4"]], [1, 2, 3, 4], 1)
    ('row 3 of the file: not 2 cells as in the header',)
    """
    width = len(cells[header - 1])
    odd = [n for n in numbers if n > header and any(cells[n - 1]) and len(cells[n - 1]) != width]
    if not odd or len(odd) > 0.5 * len(numbers):
        return ()
    rows = ", ".join(map(str, odd[:6])) + (" and others" if len(odd) > 6 else "")
    return (f"row{'s' * (len(odd) > 1)} {rows} of the file: not {width} cells as in the header",)


def lack(sheets: Sequence[Cells]) -> str:
    """Why these cells give no table, and what to do.

    >>> lack([[]]), lack([[["Group", "Before"]]])
    ('is empty: export it again', 'holds a header and no rows of data')
    """
    rows = [row for cells in sheets for row in cells if any(row)]
    if not rows:
        return "is empty: export it again"
    if len(rows) == 1:
        return "holds a header and no rows of data"
    first = ", ".join(map(repr, [cell for cell in rows[0] if cell][:4]))
    return f"holds no table with a column of numbers ({len(rows)} rows, the first {first}): name the plotted values"
