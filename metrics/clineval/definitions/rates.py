"""Precision, recall and F1 from counts, and means of them. A score without units is 0."""

NAMES = ("precision", "recall", "f1")


def divide(top, bottom):
    """Return a ratio, 0 if its denominator is 0."""
    return top / bottom if bottom else 0.0


def rate(tp, fp, fn):
    """Return precision, recall and F1."""
    return divide(tp, tp + fp), divide(tp, tp + fn), divide(2 * tp, 2 * tp + fp + fn)


def name_rates(name, values):
    """Return precision, recall and F1 under the names of their scores."""
    return {f"{name}_{key}": value for key, value in zip(NAMES, values, strict=True)}


def name_scores(name, tp, fp, fn):
    """Return the counts and their precision, recall and F1."""
    counts = {f"{name}_tp": tp, f"{name}_fp": fp, f"{name}_fn": fn}
    return {**name_rates(name, rate(tp, fp, fn)), **counts}


def add_rows(rows):
    """Return the sums of the columns of counts; (0, 0, 0) if there are no rows."""
    return tuple(map(sum, zip(*rows, strict=True))) or (0, 0, 0)


def compare_sets(gold, found):
    """Return true positives, false positives and false negatives of two sets."""
    return len(gold & found), len(found - gold), len(gold - found)


def mean(values):
    """Return the mean, 0 if there are no values."""
    return divide(sum(values), len(values))


def mean_rates(rows):
    """Return the means of precision, recall and F1 over the rows of counts that are not all 0."""
    scores = [rate(*row) for row in rows if any(row)]
    return [mean([score[column] for score in scores]) for column in range(3)]
