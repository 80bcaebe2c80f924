def expire_ttl_entries(cache, now, default_ttl):
    """
    Live part of a cache.

    @param cache: {key: (value, stored_at, ttl)}; ttl may be 'default', or None for ever
    @param now: current time, same unit as stored_at
    @return: {key: value}
    """

    def age(stored_at, moment):
        return moment - stored_at

    live = {}
    for key, (value, stored_at, ttl) in cache.items():
        if ttl is None:
            live[key] = value
            continue
        limit = default_ttl if ttl == "default" else ttl
        if age(stored_at, now) < limit:
            live[key] = value
    return live
