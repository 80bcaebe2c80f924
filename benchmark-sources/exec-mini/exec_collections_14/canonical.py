def diff_keyed_lists(old, new, key="id"):
    """{'added': ids, 'removed': ids, 'changed': ids}, each sorted; records without the key are ignored."""

    def index(records):
        return {record[key]: record for record in records if key in record}

    def missing_from(here, there):
        return sorted(name for name in here if name not in there)

    before, after = index(old), index(new)
    return {
        "added": missing_from(after, before),
        "removed": missing_from(before, after),
        "changed": sorted(name for name in before if name in after and before[name] != after[name]),
    }
