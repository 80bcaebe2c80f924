def grid_cells_on_line(start, end):
    """Integer cells from start to end inclusive."""
    x, y = start
    dx, dy = abs(end[0] - x), -abs(end[1] - y)
    step_x = 1 if end[0] > x else -1
    step_y = 1 if end[1] > y else -1
    error = dx + dy
    cells = [(x, y)]
    for _ in range(max(dx, -dy) * 2):
        if (x, y) == end:
            break
        doubled = 2 * error
        if doubled >= dy:
            error += dy
            x += step_x
        if doubled <= dx:
            error += dx
            y += step_y
        cells.append((x, y))
    return cells
