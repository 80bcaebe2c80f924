def knight_attack_mask(square):
    """Square 0 is a1, 7 is h1, 63 is h8; 0 when the square is not on the board."""
    if not 0 <= square < 64:
        return 0

    def on_board(column, line):
        return 0 <= column < 8 and 0 <= line < 8

    def bit_at(column, line):
        return 1 << (line * 8 + column)

    rank, file = divmod(square, 8)
    mask = 0
    for across, up in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
        if on_board(file + across, rank + up):
            mask |= bit_at(file + across, rank + up)
    return mask
