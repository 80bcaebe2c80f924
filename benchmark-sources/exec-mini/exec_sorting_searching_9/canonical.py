def sort_by_custom_alphabet(words, alphabet, descending=False):
    """Shorter words come first when one is the beginning of the other; unknown letters sort by code point after all others."""
    position = {letter: index for index, letter in enumerate(alphabet)}

    def letter_key(known, code):
        return (known, code)

    def word_key(word):
        return [letter_key(position.get(ch, len(alphabet)), ord(ch)) for ch in word]

    return sorted(words, key=word_key, reverse=descending)
