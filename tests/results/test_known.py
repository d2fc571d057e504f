"""Gold standards that have names: the lists, and what is recognised by them."""

import csv
import json
import re
import warnings
from hashlib import sha256

import numpy as np
import pytest
from demos import arguments_of
from thorough import each, each_module

import clineval
from clineval.base.errors import InputError
from clineval.evaluation.gold import describe_gold
from clineval.formats.by_name import list_formats
from clineval.results.known.entries import read_entries
from clineval.results.known.names import find_dataset, list_datasets, list_documents
from clineval.results.registry import NAMES, find_challenge

TABLES = {"tsv", "tsv-off", "tsv-mark", "jsonl", "parquet"}
READABLE = {
    "semeval15_task14": {"pipe", "jsonl", "parquet"},
    "clefehealth13_task1": {"clef", "jsonl", "parquet"},
    "i2b2_2014_deid": {"xml", "jsonl", "parquet"},
    "meddocan19": {"brat", "xml", "jsonl", "parquet"},
    "pharmaconer19": {"brat", "jsonl", "parquet"},
    "clinical_spans": {"brat", "jsonl", "parquet"},
    "i2b2_2010": {"con", "jsonl", "parquet"},
    "bc5cdr": {"jsonl", "parquet"},
    "ncbi_disease": {"jsonl", "parquet"},
    "medmentions": {"jsonl", "parquet"},
    "n2c2_2018_track2": {"brat", "jsonl", "parquet"},
    "clinical_tempeval": {"anafora", "jsonl", "parquet"},
    "i2b2_2012_temporal": {"i2b2-2012", "jsonl", "parquet"},
    "chemu20": {"brat", "jsonl", "parquet"},
    "tac2017_adr": {"jsonl", "parquet"},
    "drugprot21": {"relations", "brat", "jsonl", "parquet"},
    "chemprot17": {"relations", "brat", "jsonl", "parquet"},
    "ehealthkd20": {"brat", "jsonl", "parquet"},
    "medprocner23": TABLES,
    "distemist22": TABLES,
    "symptemist23": TABLES,
    "multicardioner24": TABLES,
    "toxhabits25": TABLES,
    "multiclinai26": TABLES,
    "livingner22": TABLES,
    "cantemist20": {"brat", "conll", "jsonl", "parquet"},
    "n2c2_2022_cmed": {"brat", "jsonl", "parquet"},
    "n2c2_2022_sdoh": {"brat", "jsonl", "parquet"},
    "clinical_relations": {"brat", "jsonl", "parquet"},
    "clinical_events": {"brat", "jsonl", "parquet"},
    "gutbrainie26": {"gutbrainie", "jsonl", "parquet"},
}
"""The formats that a challenge reads and that hold all of its demo; a test holds that no other can
be read and holds it."""
OTHERS = (
    "clefehealth13_task2",
    "clefehealth13_task3",
    "i2b2_2009_medication",
    "clinais23_b2",
    "codiesp20",
    "archehr_qa26",
    "clinical_codes",
    "mediqa_synur26",
    "mediqa_oe25",
    "clinical_records",
    "clinical_classes",
    "n2c2_2018_track1",
    "i2b2_2006_smoking",
    "i2b2_2008_obesity",
    "i2b2_2014_risk",
    "icd_coding",
)
"""Challenges of something else than mentions."""
XML = {"n2c2_2018_track1", "i2b2_2006_smoking", "i2b2_2008_obesity", "i2b2_2014_risk"}
LISTS = {
    "archehr_qa26",
    "clinais23_b2",
    "codiesp20",
    "clinical_codes",
    "clinical_classes",
    "icd_coding",
    "mediqa_oe25",
    *XML,
}
"""Challenges whose pieces are items of a list."""


LEFT_OUT = pytest.mark.filterwarnings("ignore:.*reactions are left out:clineval.InputWarning")


def test_no_challenge_is_left_out():
    assert sorted([*READABLE, *OTHERS]) == sorted(NAMES)


def demo_of(name):
    (_, gold), options = arguments_of(name)
    return gold, options


def documents_of(name):
    gold, _ = demo_of(name)
    corpus = find_challenge(name).task.corpora
    texts = next((corpus / each for each in ("text", "txt") if (corpus / each).exists()), None)
    return clineval.read(gold, name, texts=texts)


def pieces_of(name):
    """The gold standard of a demo that is not one of mentions, piece by piece."""
    gold, options = demo_of(name)
    if name == "i2b2_2009_medication":
        records = sorted(options["records"].iterdir())
        found = [(gold / f"{record.name}.i2b2.entries", record) for record in records]
        return [tuple(file.read_text("utf-8") for file in both) for both in found]
    if name == "clinais23_b2":
        return list(json.loads(gold.read_text("utf-8"))["annotated_entries"].values())
    if name in ("archehr_qa26", "mediqa_oe25"):
        held = json.loads(gold.read_text("utf-8"))
        listed = isinstance(held, list)
        return held if listed else [{"id": at, "orders": of} for at, of in held.items()]
    if name in XML:
        form = find_challenge(name).document_form()
        return [form.as_dict(document) for document in form.list_files(gold)]
    return lines_of(name, gold.read_text("utf-8").splitlines(keepends=True))


def lines_of(name, lines):
    """The pieces of a file with a document, or a code, on each line."""
    if name == "icd_coding":
        return [line.strip().split(",")[3].split(";") for line in lines[1:]]
    if name in ("clinical_codes", "codiesp20"):
        headed = name == "clinical_codes"
        rows = [line.strip().split("," if headed else None) for line in lines[headed:]]
        ids = dict.fromkeys(note for note, _ in rows)
        return [[code for note, code in rows if note == one and code] for one in ids]
    return list(csv.DictReader(lines)) if name == "clinical_classes" else lines


def whole_of(name, pieces):
    """These pieces as they are given, and the options that go with them."""
    if name == "i2b2_2009_medication":
        entries, records = map(list, zip(*pieces, strict=True))
        return entries, {"records": records}
    return (pieces if name in LISTS else "".join(pieces)), {}


def recognised(name, references, **options):
    return describe_gold(name, references, **options).dataset


@pytest.mark.parametrize("name", NAMES)
def test_the_demo_is_in_the_list_with_its_digests(name):
    """What the list says is computed again; where it differs, put in what this prints."""
    gold, options = demo_of(name)
    found, listed = describe_gold(name, gold, **options), find_dataset(f"{name}/demo")
    assert {view: of[0] for view, of in listed.digests.items() if view in found.digests} == dict(
        found.digests
    ), json.dumps(dict(found.digests))
    assert (found.documents, found.annotations) == (listed.documents, listed.annotations)
    assert listed.access == "bundled"
    for view, of in found.named_views.items():
        assert list_documents(listed, *setting_of(view)) == of.by_document


def setting_of(view):
    """The configuration and the protocol of a view."""
    return [*view.split("/"), "spec"][:2]


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_says_all_that_there_is_to_say(name):
    configs = find_challenge(name).task.configs
    for dataset in list_datasets(find_challenge(name)):
        assert re.fullmatch(r"[\w-]+/[\w-]+", dataset.name)
        assert dataset.about
        assert dataset.language in ("en", "es", "it", "mul")
        assert dataset.source
        assert dataset.homepage.startswith("https://") or dataset.access == "bundled"
        assert dataset.licence or dataset.access == "agreement" or not dataset.files
        assert dataset.access == "open" or not dataset.files
        assert bool(dataset.gold) == (dataset.access == "bundled" or bool(dataset.files))
        assert all(view.split("/")[0] in configs for view in dataset.digests)
        if dataset.digests:
            assert dataset.documents
            assert dataset.annotations


@pytest.mark.parametrize("name", NAMES)
def test_the_digests_of_documents_are_those_of_the_whole(name):
    for dataset in list_datasets(find_challenge(name)):
        for view, (digest, *_) in dataset.digests.items():
            documents = list_documents(dataset, *setting_of(view))
            assert [*documents] == sorted(documents)
            if documents:
                numbers = np.array([int(each, 16) for each in documents], "<u8")
                assert sha256(numbers.tobytes()).hexdigest() == digest


@LEFT_OUT
@pytest.mark.parametrize("name", READABLE)
def test_it_is_recognised_from_every_format_in_any_order(name, tmp_path):
    documents, (_, options) = documents_of(name), demo_of(name)
    assert recognised(name, documents, **options) == f"{name}/demo"
    assert recognised(name, documents[::-1], **options) == f"{name}/demo"
    for kind in list_formats():
        path = tmp_path / f"{kind}.{kind}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", clineval.InputWarning)  # of what a format cannot hold
            try:
                clineval.write(documents, path, kind, name)
                given = clineval.Column(path, "mentions") if kind == "parquet" else path
                found = recognised(name, given, **options)
            except InputError:
                found = ""
        assert found == (f"{name}/demo" if kind in READABLE[name] else ""), kind


@LEFT_OUT
@pytest.mark.filterwarnings("ignore:.*equivalences:clineval.InputWarning")  # in brat's files alone
@pytest.mark.parametrize("name", READABLE)
def test_it_is_recognised_from_dicts(name, tmp_path):
    """What evaluate takes: a list of mentions, or an object where they have relations."""
    clineval.write(documents_of(name), tmp_path / "gold.jsonl", "jsonl", name)
    lines = (tmp_path / "gold.jsonl").read_text("utf-8").splitlines()
    given = [json.loads(line) for line in lines]
    if not any(document.get("relations") for document in given):
        given = [document["mentions"] for document in given]
    assert recognised(name, given, **demo_of(name)[1]) == f"{name}/demo"


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_mentions_is_recognised_too(name):
    gold, options = demo_of(name)
    assert recognised(name, gold, **options) == f"{name}/demo"
    pieces = pieces_of(name)
    for given, known in ((pieces, True), (pieces[::-1], True), (pieces[:-1], False)):
        found, more = whole_of(name, given)
        assert recognised(name, found, **more) == (f"{name}/demo" if known else "")


@LEFT_OUT
@pytest.mark.filterwarnings("ignore:.*no event:clineval.InputWarning")  # when its trigger is gone
@pytest.mark.parametrize("name", READABLE)
def test_one_changed_annotation_is_not_recognised(name):
    documents, (_, options) = documents_of(name), demo_of(name)
    at = next(k for k, each in enumerate(documents) if len(each.mentions) > 1)
    free = [m for m in documents[at].mentions if not linked(documents[at], m)] or documents[
        at
    ].mentions
    kept = tuple(m for m in documents[at].mentions if m is not free[0])
    ids = {m.id for m in kept}
    relations = tuple(r for r in documents[at].relations if {r.source, r.target} <= ids)
    changed = [*documents]
    changed[at] = clineval.Document(
        documents[at].id, kept, text=documents[at].text, relations=relations
    )
    assert recognised(name, changed, **options) == ""


def linked(document, mention):
    return any(mention.id in (r.source, r.target) for r in document.relations)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")  # relations are .rel files
@pytest.mark.parametrize("name", each([*READABLE, *OTHERS]))
def test_some_documents_are_a_part(name, tmp_path):
    gold, options = demo_of(name)
    if name in READABLE:
        given = [each for each in documents_of(name) if each.mentions][:1]
    else:
        kept = {"clefehealth13_task2": 5, "clefehealth13_task3": 45}.get(name, 3)
        given, options = whole_of(name, pieces_of(name)[:kept])
    if name == "i2b2_2010":  # the list has the digests of documents of its own files
        clineval.write(given, tmp_path / "gold", "con", name)
        given = tmp_path / "gold"
    found = describe_gold(name, given, **options)
    whole = describe_gold(name, gold, **demo_of(name)[1])
    assert found.dataset == ""
    assert found.part_of == {f"{name}/demo": whole.annotated}


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")  # of what the demos' systems lack
@each_module()
def test_scores_say_the_name_and_keep_their_signature(name):
    sides, options = arguments_of(name)
    score = clineval.score(name, *sides, **options)
    assert score.dataset == f"{name}/demo"
    assert score.as_dict()["dataset"] == score.dataset
    assert "dataset" not in score.as_dict(numbers_only=True)
    assert "(" not in str(score.signature)
    shown = score.sheet().signature
    assert f"|refs:{score.counts.references} ({name}/demo)|" in shown
    assert clineval.Signature.parse(shown) == score.signature
    assert clineval.Counts.from_json(score.counts.to_json()).score().dataset == score.dataset


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[test", "not TOML"),
        ("test = 1", "expected a table, got 1"),
        ('[test]\naccess = "free"', "unknown access 'free'"),
        ('[test]\nlicense = "MIT"', "unknown key 'license'.*Did you mean licence"),
        ('[test]\naccess = "open"\ndocuments = "5"', "documents: expected a whole number"),
        ('[test]\naccess = "open"\ndigests.default = "12"', "expected 64 hex digits"),
        ('[test]\naccess = "open"\nfiles = [{url = "http://a"}]', "begins with https://"),
        ('[test]\naccess = "open"\nfiles = [{uri = "http://a"}]', "unknown key 'uri'"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_place(text, problem, tmp_path):
    with pytest.raises(InputError, match=f"(?s)datasets.toml.*{problem}|{problem}"):
        read_entries("pharmaconer19", text, tmp_path / "datasets.toml")


def test_names_that_are_not_there_are_said_with_those_that_are():
    with pytest.raises(InputError, match="Did you mean pharmaconer19/demo"):
        find_dataset("pharmaconer19/dem")
    with pytest.raises(InputError, match="Did you mean meddocan19/"):
        find_dataset("meddocan/test")
    with pytest.raises(InputError, match="expected a name such as meddocan19/test, got 3"):
        find_dataset(3)
