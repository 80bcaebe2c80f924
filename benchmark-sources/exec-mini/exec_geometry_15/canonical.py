from fractions import Fraction


def reflect_across_line(point, a, b):
    """Exact reflection; with a == b the point is mirrored through that single point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    px, py = point[0] - a[0], point[1] - a[1]

    def dot(ux, uy, vx, vy):
        return ux * vx + uy * vy

    length = dot(dx, dy, dx, dy)
    if length == 0:
        return (a[0] - px, a[1] - py)
    scale = Fraction(2 * dot(px, py, dx, dy), length)
    return (a[0] + scale * dx - px, a[1] + scale * dy - py)
