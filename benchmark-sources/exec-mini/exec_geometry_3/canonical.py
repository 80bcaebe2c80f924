def rectangles_union_area(a, b):
    """Rectangles are (left, bottom, right, top)."""

    def area(left, bottom, right, top):
        if right <= left or top <= bottom:
            return 0
        return (right - left) * (top - bottom)

    shared = area(max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))
    return area(*a) + area(*b) - shared
