from collections import defaultdict


def invert_multimap(mapping):
    """{'red': ['apple', 'cherry'], 'green': ['apple']} -> {'apple': ['green', 'red'], 'cherry': ['red']}"""
    inverted = defaultdict(set)

    def link(member, owner):
        inverted[member].add(owner)

    for owner, members in mapping.items():
        for member in members:
            if member is None or member == "":
                continue
            link(member, owner)
    return {member: sorted(owners) for member, owners in inverted.items()}
