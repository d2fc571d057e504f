"""Random corpora with many overlaps, repeats and ties: little room, few values."""

from functools import cache

from hypothesis import strategies as st

from clineval.formats.delimited.pipe import SLOTS

CODES = ["C0000001", "C0000002", "c0000002", None]
LOCATIONS = ["NULL", "C0000007", "C0000008", "CUI-less", ["C0000007", "C0000008"], "C0000008, NULL"]

# made once, as to make a strategy takes longer than to draw from it
QUARTERS = st.integers(0, 3)
SOME_CODE, SOME_LOCATION = st.sampled_from(CODES), st.sampled_from(LOCATIONS)
ONE_OF = cache(st.sampled_from)


@cache
def spans(room=24, most=3):
    """Sorted, disjoint, non-empty fragments."""
    bounds = st.lists(st.integers(0, room), min_size=2, max_size=2 * most, unique=True)
    return bounds.map(_as_fragments)


def _as_fragments(bounds):
    points = sorted(bounds)
    return [[start, end] for start, end in zip(points[::2], points[1::2], strict=False)]


@cache
@st.composite
def mentions(draw, slots=SLOTS, room=24):
    """A mention; slots are at default more often than not."""
    mention = {"spans": draw(spans(room)), "cui": draw(SOME_CODE)}
    for slot in slots:
        if slot.kind != "code" and not draw(QUARTERS):
            mention[slot.name] = draw(ONE_OF(slot.values) if slot.values else SOME_LOCATION)
    return mention


@cache
@st.composite
def corpora(draw, slots=SLOTS, documents=3, most=6, room=24):
    """References and predictions; predictions repeat, shift and alter references."""
    references, predictions = [], []
    one = mentions(slots, room)
    many, few = st.lists(one, max_size=most), st.lists(one, max_size=most // 2)
    for _ in range(draw(st.integers(1, documents))):
        gold, found = draw(many), draw(few)
        if gold:
            for mention in draw(st.lists(st.sampled_from(gold), max_size=most)):
                altered = draw(one)
                names = draw(st.sets(ONE_OF(tuple(sorted(altered))), max_size=3))
                found.append({**mention, **{name: altered[name] for name in names}})
        references.append(gold)
        predictions.append(draw(st.permutations(found)))
    return references, predictions
