def align_columns_text(rows, gap=2):
    """One string a row; a column is right-aligned when all its cells are numbers. Rows are of equal length."""
    if not rows:
        return []

    def pad(text, width, right):
        return text.rjust(width) if right else text.ljust(width)

    columns = list(zip(*rows))
    widths = [max(len(str(cell)) for cell in column) for column in columns]
    numeric = [all(isinstance(cell, (int, float)) for cell in column) for column in columns]
    lines = []
    for row in rows:
        cells = [pad(str(cell), width, right) for cell, width, right in zip(row, widths, numeric)]
        lines.append((" " * gap).join(cells).rstrip())
    return lines
