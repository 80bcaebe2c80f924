from fractions import Fraction


def point_segment_distance_squared(point, start, end):
    """Exact for integer coordinates; a segment without length is a point."""

    def between(a, b):
        return (b[0] - a[0], b[1] - a[1])

    along = between(start, end)
    towards = between(start, point)
    length = along[0] ** 2 + along[1] ** 2
    if length == 0:
        return Fraction(towards[0] ** 2 + towards[1] ** 2)
    t = Fraction(along[0] * towards[0] + along[1] * towards[1], length)
    t = min(max(t, 0), 1)
    gap_x = towards[0] - t * along[0]
    gap_y = towards[1] - t * along[1]
    return gap_x ** 2 + gap_y ** 2
