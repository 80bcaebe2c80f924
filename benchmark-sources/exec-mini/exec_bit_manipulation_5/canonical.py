from typing import Optional


def first_free_block(bitmap: int, total_slots: int, needed: int) -> Optional[int]:
    """Lowest offset of `needed` clear bits in a row inside the first `total_slots` bits."""
    if needed <= 0:
        return None

    def window(size, shift):
        return ((1 << size) - 1) << shift

    for offset in range(total_slots - needed + 1):
        if bitmap & window(needed, offset) == 0:
            return offset
    return None
