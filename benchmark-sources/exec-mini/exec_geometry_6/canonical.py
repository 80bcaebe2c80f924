import math


def rotate_about_pivot(point, pivot, degrees):
    """Counter-clockwise rotation, rounded to nine decimals."""

    def vector(tail, head):
        return head[0] - tail[0], head[1] - tail[1]

    if point == pivot:
        return (float(point[0]), float(point[1]))
    angle = math.radians(degrees)
    dx, dy = vector(pivot, point)
    x = pivot[0] + dx * math.cos(angle) - dy * math.sin(angle)
    y = pivot[1] + dx * math.sin(angle) + dy * math.cos(angle)
    return (round(x, 9), round(y, 9))
