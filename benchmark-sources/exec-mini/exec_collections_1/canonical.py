from collections import OrderedDict


def lru_keys_remaining(accesses, capacity):
    """Keys left in an LRU cache after replaying `accesses`, oldest first."""
    if capacity <= 0:
        return []
    cache = OrderedDict()
    for key in accesses:
        if key in cache:
            cache.move_to_end(key)
        cache[key] = True
        if len(cache) > capacity:
            cache.popitem(last=False)
    return list(cache)
