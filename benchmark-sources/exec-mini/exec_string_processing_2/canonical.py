def mask_card_number(number: str, visible: int = 4, mask: str = "*") -> str:
    total = sum(ch.isdigit() for ch in number)
    if total <= visible:
        return number
    hidden = total - visible
    out = []
    for ch in number:
        if ch.isdigit() and hidden > 0:
            out.append(mask)
            hidden -= 1
        else:
            out.append(ch)
    return "".join(out)
