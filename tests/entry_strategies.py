"""Random records of medication entries with many overlaps, repeats and ties."""

from functools import cache

from hypothesis import strategies as st

TAGS = ("m", "do", "mo", "f", "du", "r")
TEXT = "a b  c d\ne\nf g h i j\nk l"
POSITIONS = [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 0), *((3, k) for k in range(5)), (4, 0)]


# made once, as to make a strategy takes longer than to draw from it
MARKS = st.lists(st.sampled_from(POSITIONS), min_size=2, max_size=4, unique=True)
BOOLEANS, QUARTERS = st.booleans(), st.integers(0, 3)
SOME_TAGS = st.sets(st.sampled_from(TAGS), max_size=3)
PLACES = st.sampled_from(("list", "narrative"))


@cache
@st.composite
def phrases(draw):
    """A field with sorted fragments that may cross lines."""
    points = sorted(draw(MARKS))
    pairs = zip(points[::2], points[1::2], strict=False)
    offsets = [[*first, *(first if draw(BOOLEANS) else last)] for first, last in pairs]
    return {"text": "x", "offsets": offsets}


@cache
@st.composite
def entries(draw):
    """An entry; most fields are not mentioned."""
    entry = {"m": draw(phrases())}
    for tag in TAGS[1:]:
        entry[tag] = None if draw(QUARTERS) else draw(phrases())
    return {**entry, "ln": draw(PLACES)}


@cache
@st.composite
def corpora(draw, records=3, most=5):
    """Predictions and references; predictions repeat and alter references."""
    predictions, references = [], []
    many, few = st.lists(entries(), max_size=most), st.lists(entries(), max_size=2)
    for _ in range(draw(st.integers(1, records))):
        gold, found = draw(many), draw(few)
        if gold:
            for entry in draw(st.lists(st.sampled_from(gold), max_size=most)):
                altered = draw(entries())
                found.append({**entry, **{tag: altered[tag] for tag in draw(SOME_TAGS)}})
        references.append(gold)
        predictions.append(draw(st.permutations(found)))
    return predictions, references
