def pivot_long_rows(records, blank=""):
    """Wide table from long records; rows and columns keep first-seen order."""
    rows, columns, cells = [], [], {}
    for row, column, value in records:
        if row not in rows:
            rows.append(row)
        if column not in columns:
            columns.append(column)
        if value is not None:
            cells[row, column] = value
    table = [["id"] + columns]
    for row in rows:
        table.append([row] + [cells.get((row, column), blank) for column in columns])
    return table
