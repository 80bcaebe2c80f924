import re


def email_domain_allowed(address, allowed):
    """Case is ignored; 'dev.example.org' is allowed by 'example.org' but 'badexample.org' is not."""

    def is_within(domain, parent):
        return domain == parent or domain.endswith("." + parent)

    match = re.fullmatch(r"[A-Za-z0-9._+-]+@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)", address)
    if match is None:
        return False
    local = address.split("@")[0]
    if local.startswith(".") or local.endswith(".") or ".." in local:
        return False
    domain = match.group(1).lower()
    return any(is_within(domain, parent.lower()) for parent in allowed)
