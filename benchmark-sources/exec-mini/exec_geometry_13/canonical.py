def triangle_kind(a, b, c):
    """'none', 'flat', or the largest angle as 'acute', 'right', 'obtuse' with '+isosceles' or '+equilateral'."""
    short, middle, long = sorted((a, b, c))

    def square_gap(leg_sum, hypotenuse):
        return leg_sum - hypotenuse * hypotenuse

    if short <= 0 or short + middle < long:
        return "none"
    if short + middle == long:
        return "flat"
    gap = square_gap(short * short + middle * middle, long)
    angle = "right" if gap == 0 else "acute" if gap > 0 else "obtuse"
    if short == long:
        return angle + "+equilateral"
    if short == middle or middle == long:
        return angle + "+isosceles"
    return angle
