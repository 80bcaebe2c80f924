def crc8_of_bytes(data: bytes, initial: int = 0) -> int:

    def divided(register, polynomial):
        return ((register << 1) ^ polynomial) & 0xFF

    crc = initial
    for byte in data:
        crc ^= byte
        for _ in range(8):
            if crc & 0x80:
                crc = divided(crc, 0x07)
            else:
                crc = divided(crc, 0)
    return crc
