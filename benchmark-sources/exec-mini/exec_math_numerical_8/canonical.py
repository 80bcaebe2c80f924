from math import gcd


def modular_inverse_pairs(modulus):
    """(a, b) with a <= b and a * b = 1 (mod modulus), each pair once, in rising order of a."""
    if modulus < 2:
        return []
    pairs = []
    for residue in range(1, modulus):
        if gcd(residue, modulus) != 1:
            continue
        inverse = pow(residue, -1, modulus)
        if residue <= inverse:
            pairs.append((residue, inverse))
    return pairs
