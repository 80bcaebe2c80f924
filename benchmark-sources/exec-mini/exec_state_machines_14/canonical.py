def match_wildcard_states(pattern, text):
    """'*' stands for any run of characters, '?' for exactly one; the whole text has to match."""

    def closure(positions):
        reached = set(positions)
        for place in sorted(positions):
            while place < len(pattern) and pattern[place] == "*":
                place += 1
                reached.add(place)
        return reached

    states = closure({0})
    for char in text:
        following = set()
        for place in states:
            if place == len(pattern):
                continue
            if pattern[place] == "*":
                following.add(place)
            elif pattern[place] == "?" or pattern[place] == char:
                following.add(place + 1)
        states = closure(following)
    return len(pattern) in states
