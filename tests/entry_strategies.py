"""Random records of medication entries with many overlaps, repeats and ties."""

from hypothesis import strategies as st

TAGS = ("m", "do", "mo", "f", "du", "r")
TEXT = "a b  c d\ne\nf g h i j\nk l"
POSITIONS = [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 0), *((3, k) for k in range(5)), (4, 0)]


@st.composite
def phrases(draw, most=2):
    """A field with sorted fragments that may cross lines."""
    marks = st.lists(st.sampled_from(POSITIONS), min_size=2, max_size=2 * most, unique=True)
    points = sorted(draw(marks))
    pairs = zip(points[::2], points[1::2], strict=False)
    offsets = [[*first, *(first if draw(st.booleans()) else last)] for first, last in pairs]
    return {"text": "x", "offsets": offsets}


@st.composite
def entries(draw):
    """An entry; most fields are not mentioned."""
    entry = {"m": draw(phrases())}
    for tag in TAGS[1:]:
        entry[tag] = draw(phrases()) if not draw(st.integers(0, 3)) else None
    return {**entry, "ln": draw(st.sampled_from(("list", "narrative")))}


@st.composite
def corpora(draw, records=3, most=5):
    """Predictions and references; predictions repeat and alter references."""
    predictions, references = [], []
    for _ in range(draw(st.integers(1, records))):
        gold = draw(st.lists(entries(), max_size=most))
        found = draw(st.lists(entries(), max_size=2))
        if gold:
            for entry in draw(st.lists(st.sampled_from(gold), max_size=most)):
                altered = draw(entries())
                tags = draw(st.sets(st.sampled_from(TAGS), max_size=3))
                found.append({**entry, **{tag: altered[tag] for tag in tags}})
        references.append(gold)
        predictions.append(draw(st.permutations(found)))
    return predictions, references
