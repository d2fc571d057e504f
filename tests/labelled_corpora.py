"""Random corpora of labelled spans."""

from hypothesis import strategies as st
from strategies import spans

LABELS = ("Drug", "ADE", "Dose")


SLOTS = ("negated", "severity")
FLAGS = (True, False, None, "yes", "no", "true")
GRADES = ("mild", "severe", "no", None)


@st.composite
def mentions(draw, room=16):
    return {"spans": draw(spans(room)), "label": draw(st.sampled_from(LABELS))}


@st.composite
def slotted(draw, mention):
    """The mention with values of slots, as people write them."""
    values = {"negated": draw(st.sampled_from(FLAGS)), "severity": draw(st.sampled_from(GRADES))}
    kept = draw(st.sets(st.sampled_from(SLOTS)))
    return {**mention, **{name: value for name, value in values.items() if name in kept}}


@st.composite
def slotted_corpora(draw):
    """As :func:`corpora`, with slots."""
    sides = draw(corpora())
    return tuple([[draw(slotted(m)) for m in document] for document in side] for side in sides)


@st.composite
def corpora(draw):
    """Dense: little room, few labels, nested and discontiguous mentions, copies."""
    side = st.lists(mentions(), max_size=6)
    documents = draw(st.integers(1, 3))
    gold = [draw(side) for _ in range(documents)]
    found = []
    for document in gold:
        kept = draw(st.lists(st.sampled_from(document), max_size=4)) if document else []
        relabelled = [{**each, "label": draw(st.sampled_from(LABELS))} for each in kept]
        found.append(draw(st.permutations([*kept[:2], *relabelled[2:], *draw(side)])))
    return gold, found
