def semver_satisfies_caret(version, base):
    """Same left-most non-zero part and not older than `base`; False when either is no x.y.z."""

    def parse(text):
        parts = text.split(".")
        if len(parts) != 3 or not all(part.isdecimal() for part in parts):
            return None
        return tuple(int(part) for part in parts)

    def compatible(candidate, floor):
        if candidate < floor:
            return False
        for have, want in zip(candidate, floor):
            if have != want:
                return False
            if want > 0:
                return True
        return True

    have, want = parse(version), parse(base)
    if have is None or want is None:
        return False
    return compatible(have, want)
