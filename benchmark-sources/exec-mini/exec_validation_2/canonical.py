def is_valid_ipv4_cidr(text: str) -> bool:
    """True for e.g. 10.0.0.0/8; octets without leading zeros, prefix 0..32, host bits all zero."""
    address, slash, prefix = text.partition("/")
    if not slash or not prefix.isdecimal() or int(prefix) > 32:
        return False
    octets = address.split(".")
    if len(octets) != 4:
        return False

    def appended(network: int, low: int) -> int:
        return network * 256 + low

    value = 0
    for octet in octets:
        if not octet.isdecimal() or (len(octet) > 1 and octet[0] == "0"):
            return False
        if int(octet) > 255:
            return False
        value = appended(value, int(octet))
    host_bits = 32 - int(prefix)
    return value % (1 << host_bits) == 0
