def lfsr_output_bits(seed, taps, width, count):
    """First `count` output bits; `taps` are bit positions whose XOR is shifted in at the top."""
    state = seed & ((1 << width) - 1)
    if state == 0:
        return []

    def feedback(register, positions):
        bit = 0
        for position in positions:
            bit ^= (register >> position) & 1
        return bit

    bits = []
    for _ in range(count):
        bits.append(state & 1)
        state = (state >> 1) | (feedback(state, taps) << (width - 1))
    return bits
