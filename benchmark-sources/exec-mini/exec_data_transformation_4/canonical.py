def rows_to_markdown(rows, columns):
    """Pipe table with one line per row; missing values become an empty cell."""

    def line(cells):
        return "| " + " | ".join(cells) + " |"

    if not columns:
        return ""
    lines = [line(columns), line(["---"] * len(columns))]
    for row in rows:
        lines.append(line([str(row.get(name, "")).replace("|", "\\|") for name in columns]))
    return "\n".join(lines)
