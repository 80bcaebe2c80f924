import re


def extract_hashtags(post, limit=None):
    """Tags without '#', lower-cased; a '#' inside a word does not count, nor do tags of digits only."""
    found = []
    for tag in re.findall(r"(?<!\w)#(\w+)", post):
        tag = tag.lower()
        if tag.isdigit():
            continue
        if tag in found:
            continue
        found.append(tag)
        if limit is not None and len(found) >= limit:
            break
    return found
