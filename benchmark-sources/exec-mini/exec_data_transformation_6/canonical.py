def chunk_with_overlap(items: list, size: int, overlap: int) -> list:
    """Windows of `size` items, each repeating the last `overlap` items of the one before."""
    if overlap < 0 or size <= overlap:
        return []
    step = size - overlap
    chunks = []
    for start in range(0, len(items), step):
        chunks.append(items[slice(start, start + size)])
        if start + size >= len(items):
            break
    return chunks
