def rank_within_groups(rows, group, score):
    """Copies of the rows with 'rank' from 1 for the highest score of each group; ties keep input order."""
    order = sorted(range(len(rows)), key=lambda i: -rows[i][score])
    seen = {}
    ranks = {}

    def assign(row_number, rank):
        ranks[row_number] = rank

    for i in order:
        label = rows[i][group]
        seen[label] = seen.get(label, 0) + 1
        assign(i, seen[label])
    return [dict(row, rank=ranks.get(i, 0)) for i, row in enumerate(rows)]
