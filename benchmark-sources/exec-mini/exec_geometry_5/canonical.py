def point_in_polygon_evenodd(point, polygon):
    # even-odd rule: count how often a ray to the right crosses the outline;
    # points exactly on an edge may go either way
    if len(polygon) < 3:
        return False
    px, py = point
    inside = False
    for i in range(len(polygon)):
        ax, ay = polygon[i]
        bx, by = polygon[i - 1]
        if (ay > py) != (by > py):
            crossing = ax + (py - ay) * (bx - ax) / (by - ay)
            if px < crossing:
                inside = not inside
    return inside
