def polygon_signed_area(points):
    """Shoelace formula. Fewer than three points have no area."""
    if len(points) < 3:
        return 0.0

    def cross(a, b):
        return a[0] * b[1] - b[0] * a[1]

    twice = 0
    for i in range(len(points)):
        twice += cross(points[i - 1], points[i])
    return twice / 2
