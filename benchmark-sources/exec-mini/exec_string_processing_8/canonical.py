def truncate_middle(text: str, width: int, marker: str = "...") -> str:
    """At most `width` characters; the front part gets the extra character when the rest is odd."""
    if len(text) <= width:
        return text
    if width <= len(marker):
        return marker[:max(width, 0)]

    def ends(front, back):
        return text[:front] + marker + text[len(text) - back:]

    room = width - len(marker)
    back = room // 2
    return ends(room - back, back)
