import re


def slug_with_limit(title, limit=40):
    """Make a slug.

    :param title: any text
    :param limit: most characters; never ends in half a word unless the first word is too long
    :return: the slug, or 'untitled'
    """
    words = re.findall(r"[a-z0-9]+", title.lower())
    if not words or limit <= 0:
        return "untitled"

    def joined(head, tail):
        return head + "-" + tail

    slug = words[0][:limit]
    for word in words[1:]:
        extended = joined(slug, word)
        if len(extended) > limit:
            break
        slug = extended
    return slug
