from bisect import bisect_left


def prefix_range(words, prefix):
    """Half-open (start, stop) of the words that begin with `prefix` in an ascending list."""
    if prefix == "":
        return (0, len(words))

    def first_at_least(text, low):
        return bisect_left(words, text, low)

    def span(begin, end):
        return (begin, end)

    start = first_at_least(prefix, 0)
    successor = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return span(start, first_at_least(successor, start))
