def tile_viewport_range(left, top, width, height, tile=256):
    """(first column, first row, last column, last row), all inclusive; None for an empty viewport."""
    if width <= 0 or height <= 0:
        return None

    def span(origin, length):
        return origin // tile, (origin + length - 1) // tile

    first_column, last_column = span(left, width)
    first_row, last_row = span(top, height)
    return (first_column, first_row, last_column, last_row)
