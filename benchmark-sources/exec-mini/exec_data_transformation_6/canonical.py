def chunk_with_overlap(items: list, size: int, overlap: int) -> list:
    """Cut a list into overlapping windows.

    Args:
        items: What to cut.
        size: Items in a window; the last one may be shorter.
        overlap: Items that each window repeats from the one before.

    Returns:
        The windows in order, or [] when the sizes make no sense.
    """
    if overlap < 0 or size <= overlap:
        return []
    step = size - overlap
    chunks = []
    for start in range(0, len(items), step):
        chunks.append(items[slice(start, start + size)])
        if start + size >= len(items):
            break
    return chunks
