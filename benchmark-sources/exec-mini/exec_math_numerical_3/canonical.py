from fractions import Fraction


def linear_fit_exact(points):
    """(slope, intercept) of the least-squares line, or None when x never changes."""
    n = len(points)
    if n < 2:
        return None
    sum_x = sum(x for x, _ in points)
    sum_y = sum(y for _, y in points)
    sum_xx = sum(x * x for x, _ in points)
    sum_xy = sum(x * y for x, y in points)
    spread = n * sum_xx - sum_x * sum_x
    if spread == 0:
        return None
    slope = Fraction(n * sum_xy - sum_x * sum_y, spread)
    intercept = Fraction(sum_y - slope * sum_x) / n
    return (slope, intercept)
