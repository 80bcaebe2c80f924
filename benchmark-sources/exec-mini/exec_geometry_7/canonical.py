def simplify_collinear(points):
    """Keep the ends and every vertex where the direction changes."""
    if len(points) < 3:
        return list(points)

    def turn(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    kept = [points[0]]
    for i in range(1, len(points) - 1):
        if turn(kept[-1], points[i], points[i + 1]) != 0:
            kept.append(points[i])
    kept.append(points[-1])
    return kept
