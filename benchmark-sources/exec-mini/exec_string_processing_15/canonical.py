from typing import List


def highlight_matches(text: str, terms: List[str], before: str = "[", after: str = "]") -> str:
    """Case-insensitive; overlapping or touching hits are wrapped once."""
    lowered = text.lower()
    marked = [False] * len(text)
    for term in terms:
        if term == "":
            continue
        at = lowered.find(term.lower())
        while at >= 0:
            for i in range(at, at + len(term)):
                marked[i] = True
            at = lowered.find(term.lower(), at + 1)

    def wrap(opening, content, closing):
        return opening + content + closing

    out = ""
    start = 0
    for i in range(1, len(text) + 1):
        if i == len(text) or marked[i] != marked[start]:
            piece = text[start:i]
            out += wrap(before, piece, after) if marked[start] else piece
            start = i
    return out
