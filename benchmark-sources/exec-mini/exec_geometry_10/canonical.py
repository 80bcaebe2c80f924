def convex_hull_chain(points):
    """Convex hull by Andrew's monotone chain.

    Parameters
    ----------
    points : iterable of (x, y)
        Repeated points are counted once.

    Returns
    -------
    list of (x, y)
        Hull corners, counter-clockwise.
    """
    ordered = sorted(set(points))
    if len(ordered) <= 2:
        return ordered

    def cross(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    def half(candidates):
        chain = []
        for point in candidates:
            while len(chain) >= 2 and cross(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain

    lower = half(ordered)
    upper = half(ordered[::-1])
    return lower[:-1] + upper[:-1]
