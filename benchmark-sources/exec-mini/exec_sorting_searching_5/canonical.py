def insertion_moves(values):
    work = list(values)
    moves = 0
    for i in range(1, len(work)):
        current = work[i]
        j = i
        while j > 0 and work[j - 1] > current:
            work[j] = work[j - 1]
            j -= 1
            moves += 1
        work[j] = current
    return moves
