"""ArchEHR-QA 2026 in plain Python: sets of each case."""

from fractions import Fraction


def score_sets(pairs):
    """Micro counts, micro scores, and means over the cases with something on either side."""
    tp = sum(len(gold & found) for gold, found in pairs)
    fp = sum(len(found - gold) for gold, found in pairs)
    fn = sum(len(gold - found) for gold, found in pairs)
    each = [divide(len(g & f), len(f - g), len(g - f)) for g, f in pairs if g or f]
    means = [sum(of) / len(each) for of in zip(*each, strict=True)] if each else [Fraction(0)] * 3
    return (tp, fp, fn), divide(tp, fp, fn), means


def divide(tp, fp, fn):
    parts = ((tp, tp + fp), (tp, tp + fn), (2 * tp, 2 * tp + fp + fn))
    return [Fraction(top, bottom) if bottom else Fraction(0) for top, bottom in parts]


def flatten(name, means, scored):
    """The keys of a match, with their values."""
    counts, micro, macro = scored
    words = ("precision", "recall", "f1")
    return {
        **dict(zip((f"{name}_{of}" for of in ("tp", "fp", "fn")), counts, strict=True)),
        **dict(zip((f"{name}_{of}" for of in words), micro, strict=True)),
        **dict(zip((f"{means}_{of}" for of in words), macro, strict=True)),
    }


def score_sentences(gold, predicted):
    """``gold`` maps cases to the grades of sentences, ``predicted`` cases to sentences."""
    names = gold.keys() | predicted.keys()
    strict, lenient = [], []
    for name in names:
        grades, found = gold.get(name, {}), set(predicted.get(name, ()))
        essential = {at for at, grade in grades.items() if grade == "essential"}
        strict.append((essential, found))
        lenient.append(
            (essential, {at for at in found if grades.get(at) != "supplementary"}),
        )
    return {
        **flatten("strict_micro", "strict_macro", score_sets(strict)),
        **flatten("lenient_micro", "lenient_macro", score_sets(lenient)),
    }


def score_links(gold, predicted):
    """Both map cases to pairs of an answer sentence and a sentence."""
    names = gold.keys() | predicted.keys()
    pairs = [(set(gold.get(name, ())), set(predicted.get(name, ()))) for name in names]
    return flatten("micro", "macro", score_sets(pairs))
