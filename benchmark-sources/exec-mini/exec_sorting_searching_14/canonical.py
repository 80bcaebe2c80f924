from functools import cmp_to_key


def sort_records_by_fields(records, fields):
    """`fields` are names, with a leading '-' for descending; records without the field come last either way."""

    def compare_values(left, right):
        return (left > right) - (left < right)

    def compare(first, second):
        for field in fields:
            name = field.lstrip("-")
            left, right = first.get(name), second.get(name)
            if left is None or right is None:
                outcome = compare_values(left is None, right is None)
            elif field.startswith("-"):
                outcome = compare_values(right, left)
            else:
                outcome = compare_values(left, right)
            if outcome != 0:
                return outcome
        return 0

    return sorted(records, key=cmp_to_key(compare))
