"""MEDDOCAN's counts by its own pages, in plain Python with sets.

Independent of the package: used as its oracle on random data. A document is a list of
(start, end, label) and a text.
"""


def merged(spans, text):
    result = []
    for start, end in sorted(spans):
        if result and (start <= result[-1][1] or quiet(text, result[-1][1], start)):
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return set(result)


def quiet(text, start, end):
    return not any(character.isalnum() for character in text[start:end])


def counts(gold, found, text):
    """View to true positives, false positives and false negatives of a document."""
    spans = [{(start, end) for start, end, _ in side} for side in (gold, found)]
    views = {
        "strict": (set(gold), set(found)),
        "span": tuple(spans),
        "merged": tuple(merged(side, text) for side in spans),
    }
    return {name: (len(g & p), len(p - g), len(g - p)) for name, (g, p) in views.items()}
