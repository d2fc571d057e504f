"""Where quotes are in a note, by looking at every substring. Slow, and nothing but Python."""

from unicodedata import normalize

TYPED = {
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}


def plain_form(text, match):
    """What two strings of the same form have in common."""
    if match == "exact":
        return text
    if match != "whitespace":
        text = "".join(fold(letter) for letter in text)
    for space in {letter for letter in text if letter.isspace()}:
        text = text.replace(space, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def fold(letter):
    return TYPED.get(letter) or normalize("NFKD", normalize("NFKD", letter).casefold())


def plain_places(quote, text, match, distance):
    """The places of one fragment, in order."""
    wanted = plain_form(quote, match)
    wanted = wanted if match == "exact" else wanted.strip()
    if not wanted:
        return []
    found = [
        (start, end)
        for start in range(len(text))
        for end in range(start + 1, len(text) + 1)
        if plain_form(text[start:end], match) == wanted
        and not has_edge_spaces(text[start:end], match)
    ]
    whole = [place for place in found if not cuts_word(text, *place, match)]
    if found or match != "fuzzy":
        return whole or found
    return nearest(wanted, text, distance)


def has_edge_spaces(words, match):
    return match != "exact" and words != words.strip()


def cuts_word(text, start, end, match):
    def sign(at, last):
        return plain_form(text[at], match)[-1 if last else 0].isalnum()

    before = start > 0 and sign(start - 1, True) and sign(start, False)  # noqa: FBT003
    after = end < len(text) and sign(end - 1, True) and sign(end, False)  # noqa: FBT003
    return before or after


def nearest(wanted, text, distance):
    """Runs of words at the least distance, the first and shortest of those that overlap."""
    most = int(distance * len(wanted))
    words = list(words_in(text))
    runs = [
        (edits(wanted, plain_form(text[a:d], "fold")), a, d)
        for at, (a, _) in enumerate(words)
        for _, d in words[at:]
    ]
    least = min((number for number, _, _ in runs), default=most + 1)
    kept = []
    for number, start, end in runs:
        if number == least <= most and most and (not kept or start >= kept[-1][1]):
            kept.append((start, end))
    return kept


def words_in(text):
    """Runs of letters, digits and underscores; each other sign, and each of Chinese, by itself."""
    start = None
    for at, letter in enumerate([*text, " "]):
        signs = fold(letter)
        if all(is_word(sign) for sign in signs):
            start = at if start is None else start
            continue
        if start is not None:
            yield start, at
            start = None
        if not letter.isspace():
            yield at, at + 1


def is_word(sign):
    accent = "\u0300" <= sign <= "\u036f"
    return accent or ((sign.isalnum() or sign == "_") and sign < "\u0e00")


def edits(left, right):
    """Levenshtein's distance."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def plain_align(quotes, text, align="in-order", match="exact", distance=0.2):
    """For each quote its verdict and its places."""
    results, used, end = [], [], 0
    for quote in quotes:
        if not quote:
            results.append(("without text", []))
            continue
        places = plain_chains([plain_places(part, text, match, distance) for part in quote])
        if align == "all":
            results.append(("aligned", places) if places else ("unaligned", []))
            continue
        if align == "unique" and len(places) > 1:
            results.append(("ambiguous", []))
            continue
        if align == "in-order":
            places = [place for place in places if place not in used]
            places = [p for p in places if p[0][0] >= end] or places
        if not places:
            results.append(("unaligned", []))
            continue
        used.append(places[0])
        end = places[0][0][1]
        results.append(("aligned", places[:1]))
    return results


def plain_chains(fragments):
    """Places of discontiguous mentions: of those with one last fragment the tightest."""
    chains = {}
    for first in fragments[0] if fragments else []:
        chain = [first]
        for places in fragments[1:]:
            later = [place for place in places if place[0] >= chain[-1][1]]
            if not later:
                break
            chain.append(min(later))
        else:
            chains[chain[-1]] = tuple(chain)
    return sorted(chains.values())
