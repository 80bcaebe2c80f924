def sudoku_conflict_cells(grid):
    """Sorted (row, column) of filled cells that share a row, column or box with an equal digit; 0 is empty."""

    def box_of(row, column):
        return row // 3 * 3 + column // 3

    groups = {}
    for row in range(9):
        for column in range(9):
            digit = grid[row][column]
            if digit == 0:
                continue
            for unit in (("row", row), ("column", column), ("box", box_of(row, column))):
                groups.setdefault((unit, digit), []).append((row, column))
    clashing = set()
    for cells in groups.values():
        if len(cells) > 1:
            clashing.update(cells)
    return sorted(clashing)
