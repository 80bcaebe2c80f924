from typing import List


def continued_fraction_terms(numerator: int, denominator: int, limit: int = 20) -> List[int]:
    """At most `limit` terms of the simple continued fraction of numerator/denominator."""
    if limit < 0:
        limit = 20  # a negative limit means the default
    terms: List[int] = []
    while denominator != 0 and len(terms) < limit:
        whole, rest = divmod(numerator, denominator)
        terms.append(whole)
        numerator, denominator = denominator, rest
    return terms
