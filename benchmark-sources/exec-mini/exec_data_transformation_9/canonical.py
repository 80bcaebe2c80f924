import re

GRAMS_PER_UNIT = {"mg": 0.001, "g": 1, "kg": 1000, "t": 1000000}


def normalise_units_table(cells):
    """Grams as numbers rounded to three decimals; None where a cell is no weight or is negative."""

    def convert(amount, unit):
        return round(float(amount) * GRAMS_PER_UNIT[unit], 3)

    grams = []
    for cell in cells:
        match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*(mg|kg|g|t)\s*", cell.lower())
        if match is None or match.group(1).startswith("-"):
            grams.append(None)
        else:
            grams.append(convert(match.group(1), match.group(2)))
    return grams
