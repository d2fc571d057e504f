"""Random corpora with many overlaps, repeats and ties: little room, few values."""

from hypothesis import strategies as st

from clineval.challenges.semeval15_task14 import SLOTS

CODES = ["C0000001", "C0000002", "c0000002", None]
LOCATIONS = ["NULL", "C0000007", "C0000008", "CUI-less", ["C0000007", "C0000008"], "C0000008, NULL"]


@st.composite
def spans(draw, room=24, most=3):
    """Sorted, disjoint, non-empty fragments."""
    bounds = st.lists(st.integers(0, room), min_size=2, max_size=2 * most, unique=True)
    points = sorted(draw(bounds))
    return [[start, end] for start, end in zip(points[::2], points[1::2], strict=False)]


@st.composite
def mentions(draw, slots=SLOTS, room=24):
    """A mention; slots are at default more often than not."""
    mention = {"spans": draw(spans(room=room)), "cui": draw(st.sampled_from(CODES))}
    for slot in slots:
        if slot.kind == "code" or draw(st.integers(0, 3)):
            continue
        mention[slot.name] = draw(st.sampled_from(slot.values or LOCATIONS))
    return mention


@st.composite
def corpora(draw, slots=SLOTS, documents=3, most=6, room=24):
    """References and predictions; predictions repeat, shift and alter references."""
    references, predictions = [], []
    for _ in range(draw(st.integers(1, documents))):
        gold = draw(st.lists(mentions(slots, room), max_size=most))
        found = draw(st.lists(mentions(slots, room), max_size=most // 2))
        if gold:
            for mention in draw(st.lists(st.sampled_from(gold), max_size=most)):
                altered = draw(mentions(slots, room))
                names = draw(st.sets(st.sampled_from(sorted(altered)), max_size=3))
                found.append({**mention, **{name: altered[name] for name in names}})
        references.append(gold)
        predictions.append(draw(st.permutations(found)))
    return references, predictions
