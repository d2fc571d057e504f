"""Relations of whatever challenge: reading, joining, pairing, listing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import refuses
from plain import relations as plain

from clineval import Document, Mention, Relation
from clineval.formats import jsonl
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.overlap import Candidates, find_candidates
from clineval.kinds.mentions.pairing import find_same_spans
from clineval.kinds.relations.joining import join_related, pair_by_partners
from clineval.kinds.relations.outcomes import UnitCorpus, list_rows
from clineval.kinds.relations.pairing import find_related
from clineval.results.slots import Slot

LABEL = Slot("label", "label", required=True)
LABELS = ("causes", "same-as")


def mention(name, label, *spans):
    return {"id": name, "spans": [list(span) for span in spans], "label": label}


def relation(label, source, target):
    return {"label": label, "from": source, "to": target}


def read(documents, side="references"):
    return read_related(documents, LABEL, LABELS, side=side)


def join(gold, prediction):
    return join_related(read(gold), read(prediction), [LABEL])


DOCUMENT = {
    "mentions": [mention("T1", "Drug", (0, 7)), mention("T2", "Form", (9, 12), (15, 17))],
    "relations": [relation("causes", "T2", "T1")],
}


def test_relations_connect_rows_of_mentions():
    side = read([{"mentions": []}, DOCUMENT])
    found = side.relations
    assert (found.document.tolist(), found.source.tolist(), found.target.tolist()) == (
        [1],
        [1],
        [0],
    )
    assert found.label.values == ("causes",)


def test_every_form_of_a_document_gives_the_same(tmp_path):
    document = Document(
        "a",
        [
            Mention([(0, 7)], slots={"label": "Drug"}, id="T1", coded=False),
            Mention([(9, 12), (15, 17)], slots={"label": "Form"}, id="T2", coded=False),
        ],
        relations=[Relation("causes", "T2", "T1")],
    )
    named = {"id": "a", **DOCUMENT}
    (tmp_path / "a.jsonl").write_text(jsonl.format_document(document))
    sides = [
        read(given) for given in ([named], [document], [jsonl.format_document(document)], tmp_path)
    ]
    for side in sides:
        assert side.side.documents == ("a",)
        assert side.side.mentions.starts.tolist() == [0, 9, 15]
        assert [side.relations.source.tolist(), side.relations.target.tolist()] == [[1], [0]]
    assert jsonl.read_documents(tmp_path) == [document]


def test_mentions_alone_have_no_relations():
    assert len(read([[mention("T1", "Drug", (0, 7))]]).relations) == 0


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"relations": [relation("causes", "T2", "T9")]}, ("relation 0", "no mention")),
        ({"relations": [relation("causes", "T1", "T1")]}, ("relation 0", "with itself")),
        ({"relations": [relation("cures", "T2", "T1")]}, ("relation 0", "one of causes, same-as")),
        ({"relations": [relation("causes", ["T2"], "T1")]}, ("relation 0", "from")),
        ({"relations": [{"label": "causes"}]}, ("relation 0", "expected 'label', 'from' and 'to'")),
        ({"relations": [relation("causes", "T2", "T1"), 3]}, ("relation 1", "expected a dict")),
        ({"relations": 3}, ("relations: expected a list",)),
        ({"mentions": [mention("T1", "Drug", (0, 7))] * 2}, ("same 'id'",)),
        ({"arcs": []}, ("unknown",)),
        ({"text": "secret words"}, ("mention 1", "offset 17 is outside", "12 characters")),
        ({"text": 3}, ("text: expected a string",)),
        ({"id": 3}, ("id: expected a string",)),
    ],
)
def test_bad_documents_are_refused_with_their_place(change, parts):
    refuses(lambda: read([{**DOCUMENT, **change}]), "references", *parts)


def test_copies_are_one_and_arguments_follow_their_mentions():
    copies = {
        "mentions": [*DOCUMENT["mentions"], mention("T3", "Drug", (0, 7))],
        "relations": [relation("causes", "T2", "T1"), relation("causes", "T2", "T3")],
    }
    corpus = join([copies], [DOCUMENT])
    assert (len(corpus.mentions.gold), len(corpus.gold)) == (2, 1)
    assert (corpus.gold.source.tolist(), corpus.gold.target.tolist()) == ([1], [0])


def test_digests_know_label_and_direction_but_not_order():
    def digest(*relations):
        return join([{**DOCUMENT, "relations": relations}], [DOCUMENT]).digests.tolist()

    there, back = relation("causes", "T2", "T1"), relation("causes", "T1", "T2")
    other = relation("same-as", "T2", "T1")
    distinct = [digest(), digest(there), digest(back), digest(other), digest(there, other)]
    assert len(set(map(tuple, distinct))) == len(distinct)
    assert digest(there, other) == digest(other, there) == digest(other, there, there)


def test_units_hold_mentions_and_relations():
    corpus = join([{"mentions": []}, DOCUMENT], [DOCUMENT, DOCUMENT])
    units = UnitCorpus.of(corpus, "label")
    columns = units.corpus.prediction.columns
    assert columns.document.tolist() == [0, 0, 0, 1, 1, 1]
    assert [columns.text_of_spans(row) for row in range(3)] == [
        "0-7", "9-12,15-17", "9-12,15-17,0-7"
    ]  # fmt: skip
    same = find_same_spans(corpus.mentions)
    related = pair_by_partners(corpus, same)
    found = units.join(list_rows(same, 2, 4), list_rows(related, 1, 2))
    pairs = zip(found.gold.tolist(), found.prediction.tolist(), found.verdict.tolist(), strict=True)
    assert sorted((g, p) for g, p, verdict in pairs if verdict == 0) == [
        (0, 3), (1, 4), (2, 5)
    ]  # fmt: skip
    assert units.arguments[1].tolist() == 2 * [[0, 0], [0, 0], [-1, -2]]  # rows before the relation
    alone = UnitCorpus.of(corpus, "label", alone=True).corpus
    assert (len(alone.gold), len(alone.prediction)) == (1, 2)


starts = st.integers(0, 6)
spans = st.builds(lambda start, size: (start, start + size), starts, st.integers(1, 4))
dense_mentions = st.lists(st.tuples(st.sampled_from("AB"), spans), min_size=2, max_size=6)


@st.composite
def documents(draw):
    mentions = [
        mention(f"T{number}", label, span)
        for number, (label, span) in enumerate(draw(dense_mentions))
    ]
    ends = st.integers(0, len(mentions) - 1)
    arcs = draw(st.lists(st.tuples(st.sampled_from(LABELS), ends, ends), max_size=7))
    return {
        "mentions": mentions,
        "relations": [relation(n, f"T{a}", f"T{b}") for n, a, b in arcs if a != b],
    }


corpora = st.lists(st.tuples(documents(), documents()), min_size=1, max_size=3)


def rows_of(relations):
    labels = [relations.label.values[number] for number in relations.label.ids.tolist()]
    return list(zip(labels, relations.source.tolist(), relations.target.tolist(), strict=True))


def near_of(corpus):
    gold, prediction = corpus.mentions.gold, corpus.mentions.prediction
    rows = np.arange(len(gold)), np.arange(len(prediction))
    near = find_candidates(gold.columns, prediction.columns, *rows)
    return near.take(same_value(near, corpus.mentions, LABEL))


@given(corpora)
def test_pairing_by_partners_is_what_it_says(corpus):
    gold, prediction = zip(*corpus, strict=True)
    joined = join(gold, prediction)
    same = find_same_spans(joined.mentions)
    same = same.take(same_value(same, joined.mentions, LABEL))
    pairs = pair_by_partners(joined, same)
    partner = dict(zip(same.prediction.tolist(), same.gold.tolist(), strict=True))
    expected = plain.pair_by_partners(
        rows_of(joined.gold),
        rows_of(joined.prediction),
        [partner.get(row) for row in range(len(joined.mentions.prediction))],
    )
    assert set(zip(pairs.gold.tolist(), pairs.prediction.tolist(), strict=True)) == expected
    assert len(pairs) == len(expected)


@given(corpora)
def test_related_pairs_are_all_there_are(corpus):
    gold, prediction = zip(*corpus, strict=True)
    joined = join(gold, prediction)
    near = near_of(joined)
    columns = (near.gold.tolist(), near.prediction.tolist(), near.shared.tolist())
    shared = {(g, p): size for g, p, size in zip(*columns, strict=True)}
    found = find_related(joined, near)
    expected = plain.find_related(rows_of(joined.gold), rows_of(joined.prediction), shared)
    columns = (found.gold.tolist(), found.prediction.tolist(), found.shared.tolist())
    assert len(found) == len(expected)
    assert {(g, p): size for g, p, size in zip(*columns, strict=True)} == expected


@given(corpora)
def test_blocks_pair_as_the_whole(corpus):
    gold, prediction = zip(*corpus, strict=True)
    joined = join(gold, prediction)
    whole = find_related(joined, near_of(joined))
    parts = [find_related(block, near_of(block)) for block in joined.blocks(1)]
    assert sum(map(len, parts)) == len(whole)
    assert sum(part.shared.sum() for part in parts) == whole.shared.sum()


def test_no_pairs_of_mentions_have_no_relations():
    nothing = Candidates(*[np.zeros(0, np.int64)] * 3)
    assert len(find_related(join([DOCUMENT], [DOCUMENT]), nothing)) == 0


def test_texts_of_some_documents_are_kept():
    side = read([{"mentions": []}, {"mentions": [], "text": "words"}]).side
    assert tuple(side.texts) == (None, "words")


@pytest.mark.parametrize("given", [3, {}, {"label": "causes", "from": "T1"}])
def test_a_relation_is_made_of_a_whole_dict(given):
    refuses(lambda: Relation.from_dict(given), "'label', 'from' and 'to'")
