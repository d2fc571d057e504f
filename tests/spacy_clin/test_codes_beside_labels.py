"""Codes of labelled mentions on Docs: they come back from a DocBin, though labels are scored."""

import json

import pytest
import spacy
from commands import invoke
from thorough import each

from clineval.evaluation.convert import write
from clineval.kinds.mentions.mention import Document, Mention
from clineval.results.registry import NAMES, find_challenge
from spacy_clin import score_docs
from spacy_clin.docbins import read_docbin


def is_labelled(name):
    challenge = find_challenge(name)
    classes = challenge.kind.class_slot
    return challenge.kind.in_columns and classes is not None and classes.name == "label"


LABELLED = [name for name in NAMES if is_labelled(name)]


@pytest.mark.parametrize("module", each(LABELLED, ["clinical_spans", "n2c2_2022_cmed", "bc5cdr"]))
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_codes_come_back_from_a_docbin(tmp_path, module):
    shown = find_challenge(module).kind.slots("default")
    [label, *_] = next(slot.values for slot in shown if slot.name == "label") or ("P",)
    mentions = [
        Mention([(0, 4)], "MeSH:D1,OMIM:2", {"label": label}),
        Mention([(5, 9)], None, {"label": label}, coded=False),
    ]
    write([Document("a", mentions, "pain here")], tmp_path / "a.jsonl", "jsonl", module)
    for source, target in (("a.jsonl", "a.spacy"), ("a.spacy", "b.jsonl")):
        done = invoke(["convert", tmp_path / source, tmp_path / target, "--module", module])
        assert done.exit_code == 0
    found = json.loads((tmp_path / "b.jsonl").read_text())["mentions"]
    assert [each.get("cui") for each in found] == ["MeSH:D1,OMIM:2", None]
    assert [each["label"] for each in found] == [label, label]


def test_labelled_mentions_with_codes_have_slots_of_any_name(tmp_path):
    ann = "T1\tP 0 4\tpain\nN1\tReference T1 MeSH:D1\tD1\nA1\tNegated T1 yes\n"
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "a.ann").write_text(ann)
    (tmp_path / "a" / "a.txt").write_text("pain")
    for source, target in (("a", "a.spacy"), ("a.spacy", "b")):
        options = () if target.endswith("spacy") else ("--to", "brat")
        done = invoke(["convert", tmp_path / source, tmp_path / target, *options,
                       "--module", "clinical_spans"])  # fmt: skip
        assert done.exit_code == 0
    assert sorted((tmp_path / "b" / "a.ann").read_text().splitlines()) == sorted(ann.splitlines())
    [doc] = read_docbin(tmp_path / "a.spacy", spacy.blank("en").vocab)
    assert score_docs([doc], [doc], "clinical_spans", slots=["negated"])["strict_slots_f1"] == 1
