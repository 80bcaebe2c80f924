def select_nth_set_bit(mask: int, n: int) -> int:
    """Zero-based position of the n-th (n >= 1) set bit of a non-negative mask, or -1."""
    if n < 1 or mask < 0:
        return -1

    def search(rest, remaining, position):
        while rest:
            if rest & 1:
                remaining -= 1
                if remaining == 0:
                    return position
            rest >>= 1
            position += 1
        return -1

    return search(mask, n, 0)
