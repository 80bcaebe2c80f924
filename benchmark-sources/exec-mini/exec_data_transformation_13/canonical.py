def one_hot_rows(values, vocabulary, keep_unknown=True):
    """One row of 0/1 a value; the last column marks values outside the vocabulary."""
    place = {word: index for index, word in enumerate(vocabulary)}
    width = len(vocabulary) + 1
    rows = []
    for value in values:
        index = place.get(value, len(vocabulary))
        if index == len(vocabulary) and not keep_unknown:
            continue
        row = [0] * width
        row[index] = 1
        rows.append(row)
    return rows
