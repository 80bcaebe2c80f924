from typing import Any


def json_pointer_resolves(document: Any, pointer: str) -> bool:
    """RFC 6901 look-up: '' is the whole document, '~1' stands for '/' and '~0' for '~'."""

    def unescape(token: str) -> str:
        return token.replace("~1", "/").replace("~0", "~")

    if pointer == "":
        return True
    if not pointer.startswith("/"):
        return False
    current = document
    for token in pointer[1:].split("/"):
        token = unescape(token)
        if isinstance(current, dict) and token in current:
            current = current[token]
        elif isinstance(current, list) and token.isdecimal():
            if str(int(token)) != token or int(token) >= len(current):
                return False
            current = current[int(token)]
        else:
            return False
    return True
