"""Labels as XML and as dicts, and random ones."""

import re
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

from clineval.challenges.tac2017_adr.labels import RELATIONS, TYPES

TEXTS = {"S1": "ab cd\nef gh ij & kl", "S2": "ab cd ef"}
SECTIONS = {"S1": "adverse reactions", "S2": "boxed warnings"}
NUMBER = st.sampled_from(["0", "2", "5"])
STRINGS = st.sampled_from(["nausea", "skin rash", "odd feeling"])
TERMS = st.sampled_from(
    [("Nausea", "1"), ("Rash", "2"), ("Eruption", "2"), ("Rash", "3"), ("Odd", "")]
)


def words_of(section, starts, lengths):
    pairs = zip(map(int, starts), map(int, lengths), strict=False)
    return " ".join(re.sub(r"\s+", " ", TEXTS[section][a : a + n]) for a, n in pairs)


def write_label(label, order=str, *, named=True):
    """A label as XML; ``order`` is a sort key of the elements of each list."""
    lines = [
        f'<Mention id="{id_}" section="{section}" type="{type_}" start="{",".join(starts)}" '
        f'len="{",".join(lengths)}"'
        + (f" str={quoteattr(words_of(section, starts, lengths))}" if named else "")
        + "/>"
        for id_, section, starts, lengths, type_ in label["mentions"]
    ]
    links = [
        f'<Relation id="RL{at}" type="{type_}" arg1="{a}" arg2="{b}"/>'
        for at, (type_, a, b) in enumerate(label["relations"])
    ]
    found = []
    for at, (string, terms) in enumerate(label["reactions"]):
        inner = [
            f'<Normalization id="AR{at}.N{k}" meddra_pt="{name}"'
            + (f' meddra_pt_id="{number}"' if number else "")
            + "/>"
            for k, (name, number) in enumerate(terms)
        ]
        unmapped = f'<Normalization id="AR{at}.N0" flag="unmapped"/>'
        found.append(
            f'<Reaction id="AR{at}" str="{string}">{"".join(inner) or unmapped}</Reaction>'
        )
    sections = "".join(
        f'<Section id="{id_}" name="{SECTIONS[id_]}">{escape(text)}</Section>'
        for id_, text in TEXTS.items()
    )
    lists = ("".join(sorted(of, key=order)) for of in (lines, links, found))
    parts = zip(("Mentions", "Relations", "Reactions"), lists, strict=True)
    inner = "".join(f"<{name}>{of}</{name}>\n" for name, of in parts)
    return f'<Label drug="X" track="TAC2017_ADR">\n<Text>{sections}</Text>\n{inner}</Label>\n'


def write_labels(folder, labels, **options):
    folder.mkdir(parents=True)
    for name, label in labels.items():
        (folder / f"{name}.xml").write_text(write_label(label, **options), "utf-8")
    return folder


def as_dict(label):
    """A label as a document of mentions and relations; offsets are those of the joined text."""
    shift = {"S1": 0, "S2": len(TEXTS["S1"]) + 1}
    mentions = [
        {
            "id": id_,
            "label": type_,
            "spans": [
                [shift[section] + int(a), shift[section] + int(a) + int(n)]
                for a, n in zip(starts, lengths, strict=True)
            ],
        }
        for id_, section, starts, lengths, type_ in label["mentions"]
    ]
    relations = [{"label": t, "from": a, "to": b} for t, a, b in label["relations"]]
    return {"mentions": mentions, "relations": relations}


@st.composite
def labels(draw, *, as_written=True):
    """A label of few places and types, so that many units are equal.

    ``as_written``: whether numbers may have leading zeros, and any order.
    """
    zeros = st.sampled_from(["", "", "0"]) if as_written else st.just("")
    mentions = []
    for at in range(draw(st.integers(0, 6))):
        starts = draw(st.lists(NUMBER, min_size=1, max_size=2, unique=True))
        starts = tuple(
            f"{draw(zeros)}{start}" for start in (starts if as_written else sorted(starts))
        )
        lengths = tuple(draw(st.sampled_from(["1", "2"])) for _ in starts)
        type_ = draw(st.sampled_from(TYPES[:2]))
        mentions.append((f"M{at}", draw(st.sampled_from(["S1", "S2"])), starts, lengths, type_))
    pairs = [(a[0], b[0]) for a in mentions for b in mentions if a is not b]
    links = st.tuples(st.sampled_from(RELATIONS[:2]), st.sampled_from(pairs or [("", "")]))
    found = draw(st.lists(links, max_size=6 if pairs else 0, unique=True))
    terms = st.lists(TERMS, max_size=2)
    return {
        "mentions": mentions,
        "relations": [(kind, *ends) for kind, ends in found],
        "reactions": draw(st.lists(st.tuples(STRINGS, terms), max_size=3)),
    }
