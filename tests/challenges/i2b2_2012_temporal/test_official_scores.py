"""The scores of the released program as numbers, and other formats written as its tags."""

import re

import numpy as np
import pytest
from oracles import Oracle

from clineval.base.arrays import Coded
from clineval.challenges.i2b2_2012_temporal.official.counts import Mode, count_document
from clineval.challenges.i2b2_2012_temporal.official.measures import MEASURES, count_columns
from clineval.challenges.i2b2_2012_temporal.official.rendering import render
from clineval.challenges.i2b2_2012_temporal.official.tables import print_folders
from clineval.challenges.i2b2_2012_temporal.official.tags import Tags
from clineval.kinds.mentions.columns import Side
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.results.columns import MentionColumns

ORACLE = Oracle("i2b2_2012_temporal")
MODES = [Mode(), Mode(spans="exact"), Mode(spans="partialCredit"), Mode(links="oc")]
PARTS = {"EVENT": "event", "TIMEX3": "timex3", "TLINK": "links"}
ROWS = {
    "Precision": "precision", "Recall": "recall", "Average P&R": "average", "F measure": "f1",
    "type": "type", "Polarity": "polarity", "Modality": "modality", "Val": "value",
    "Modifier": "modifier",
}  # fmt: skip
SLOTS = ("label", "id", "type", "polarity", "modality", "value", "modifier")


def printed_scores(text):
    """The scores of the sums."""
    found, part = {}, ""
    for line in text[text.index("Aggregated Scores") :].splitlines():
        name, _, value = (word.strip() for word in line.partition(":"))
        part = PARTS.get(name, part)
        if name in ROWS and value:
            found[f"{part}_{ROWS[name]}"] = value
    return found


def count(case, mode):
    """The counts of the documents of a corpus."""
    counts = {}
    for path in sorted((case / "gold").iterdir()):
        files = [case / side / path.name for side in ("gold", "system")]
        tags = [Tags.of(path.name, file.read_bytes()) for file in files]
        counts[path.name] = count_document(*tags, mode)
    return counts


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("output", ORACLE.outputs("spec.json"), ids=lambda path: path.parent.name)
def test_scores_are_those_of_the_sums(output, mode):
    documents = count(output.parent, mode)
    columns = count_columns([*documents.values()], mode.spans)
    totals = {name: column.sum() for name, column in columns.items()}
    expected = printed_scores("".join(print_folders(documents, mode)))
    assert len(expected) == 4 * 3 + 2 * 3
    scores = MEASURES.finish(totals, "default")
    assert {name: f"{scores[name]:.4f}" for name in expected} == expected


def side_of(case, side, *, texts):
    """The corpus as columns, from its files by a reader of this test."""
    names, notes, rows, spans, links, ends, counts, documents = [], [], [], [], [], [], [], []
    for number, path in enumerate(sorted((case / side).iterdir())):
        content = path.read_text()
        names.append(path.name)
        notes.append(re.search(r"CDATA\[(.*?)\]\]>", content, re.DOTALL)[1])
        at = {}
        for label, written in re.findall(r"<(EVENT|TIMEX3) (.*) />", content):
            values = dict(re.findall(r'(\w+)="([^"]*)"', written))
            at[values["id"]] = len(rows)
            values |= {"label": label, "value": values.get("val"), "modifier": values.get("mod")}
            rows.append([values.get(slot) or "" for slot in SLOTS])
            spans.append([(int(values["start"]), int(values["end"]))])
            documents.append(number)
        found = re.findall(r'fromID="(\w+)" .* toID="(\w+)" .* type="(\w+)"', content)
        counts.append(len(found))
        links += [kind for _, _, kind in found]
        ends += [(at[source], at[target]) for source, target, _ in found]
    columns = zip(SLOTS, zip(*rows, strict=True), strict=True)
    attributes = {slot: Coded.of(list(values)) for slot, values in columns}
    mentions = MentionColumns.of(np.array(documents), spans, attributes)
    own = Side(tuple(names), tuple(names), mentions, tuple(notes) if texts else ())
    return RelatedSide(own, RelationColumns.of(counts, links, ends))


CORPORA = [
    path for path in ORACLE.outputs("spec.json") if path.parent.name != "random_06_odd"
]  # whose links have ends that are no mentions


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("output", CORPORA, ids=lambda path: path.parent.name)
def test_columns_are_rendered_as_the_files_are(output, mode):
    sides = (render(side_of(output.parent, side, texts=True)) for side in ("gold", "system"))
    for (name, expected), gold, system in zip(
        count(output.parent, mode).items(), *sides, strict=True
    ):
        assert gold.name == name
        assert count_document(gold, system, mode) == expected


def test_places_stand_for_texts_that_are_not_known():
    mentions = MentionColumns.of(
        [0, 0], [[(0, 4)], [(6, 9)]], {slot: Coded.of(["", ""]) for slot in SLOTS}
    )
    mentions.attributes["label"] = Coded.of(["EVENT", "ADMISSION"])
    mentions.attributes["id"] = Coded.of(['E"0', "A"])
    links = RelationColumns.of([1], ["BEFORE"], [(0, 1)])
    related = RelatedSide(Side(("1",), ("1",), mentions), links)
    [tags] = render(related)
    [event] = tags.list_events()
    [link] = tags.list_links()
    assert (event.start, event.end, event.words, event.spoken) == (0, 4, (b"0-4",), True)
    assert (link.source, link.target, link.type) == (event.id, "Admission", "BEFORE")
