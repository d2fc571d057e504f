"""BioC in XML and JSON: mentions and relations of any types, for one's own data."""

import json
from xml.etree import ElementTree as ET

import laws
import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st

import clineval

TEXT = "aspirin 10 mg for pain"
ENDINGS = ("xml", "json")
LABELS = ("Drug", "Dose & unit")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def as_json(document):
    """The document of JSON Lines as BioC: the text in two passages, mentions in the second one."""
    annotations = [
        {
            "id": mention["id"],
            "infons": {"type": mention["label"]},
            "text": "ignored",
            "locations": [{"offset": a, "length": b - a} for a, b in mention["spans"]],
        }
        for mention in document["mentions"]
    ]
    relations = [
        {
            "id": f"R{at}",
            "infons": {"type": relation["label"]},
            "nodes": [
                {"refid": relation["from"], "role": "first"},
                {"refid": relation["to"], "role": "second"},
            ],
        }
        for at, relation in enumerate(document["relations"])
    ]
    first = {"offset": 0, "infons": {}, "text": TEXT[:7], "annotations": [], "relations": []}
    second = {
        "offset": 8,
        "text": TEXT[8:],
        "annotations": annotations,
        "relations": relations[:-1],
    }
    return {
        "id": document["id"],
        "infons": {},
        "passages": [first, second],
        "annotations": [],
        "relations": relations[-1:],
    }


def as_xml(document):
    """The same as an element of XML, written by hand from the DTD of BioC."""
    element = ET.Element("document")
    ET.SubElement(element, "id").text = document["id"]
    for passage in document["passages"]:
        part = ET.SubElement(element, "passage")
        ET.SubElement(part, "offset").text = str(passage["offset"])
        ET.SubElement(part, "text").text = passage["text"]
        for annotation in passage["annotations"]:
            inner = ET.SubElement(part, "annotation", id=annotation["id"])
            ET.SubElement(inner, "infon", key="type").text = annotation["infons"]["type"]
            for place in annotation["locations"]:
                ET.SubElement(inner, "location", {key: str(place[key]) for key in place})
            ET.SubElement(inner, "text").text = annotation["text"]
        add_relations(part, passage["relations"])
    add_relations(element, document["relations"])
    return element


def add_relations(element, relations):
    for relation in relations:
        inner = ET.SubElement(element, "relation", id=relation["id"])
        ET.SubElement(inner, "infon", key="type").text = relation["infons"]["type"]
        for node in relation["nodes"]:
            ET.SubElement(inner, "node", node)


def write(folder, name, documents):
    """Write JSON Lines, BioC XML and BioC JSON of the same documents."""
    held = [as_json(document) for document in documents]
    lines = "".join(json.dumps(document) + "\n" for document in documents)
    (folder / f"{name}.jsonl").write_text(lines)
    collection = {"source": "", "date": "", "key": "", "infons": {}, "documents": held}
    (folder / f"{name}.json").write_text(json.dumps(collection))
    root = ET.Element("collection")
    root.extend(map(as_xml, held))
    (folder / f"{name}.xml").write_bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))
    return {ending: folder / f"{name}.{ending}" for ending in (*ENDINGS, "jsonl")}


@st.composite
def documents(draw, name):
    starts = draw(st.lists(st.integers(0, 15), min_size=2, max_size=5))
    mentions = [
        {
            "id": f"T{at}",
            "spans": [[start, start + draw(st.integers(1, 4))]],
            "label": draw(st.sampled_from(LABELS)),
        }
        for at, start in enumerate(starts)
    ]
    if draw(st.booleans()):
        mentions[0]["spans"].append([20, 22])
    end = st.sampled_from([mention["id"] for mention in mentions])
    pairs = draw(st.lists(st.tuples(end, end).filter(lambda pair: pair[0] != pair[1]), max_size=4))
    types = st.sampled_from(["CAUSES", "has-dose"])
    relations = [{"label": draw(types), "from": a, "to": b} for a, b in pairs]
    return {"id": name, "text": TEXT, "mentions": mentions, "relations": relations}


sides = st.tuples(documents("a"), documents("b")).map(list)


@given(gold=sides, found=sides)
def test_scores_are_those_of_json_lines(tmp_path_factory, gold, found):
    folder = tmp_path_factory.mktemp("bioc")
    golds, founds = write(folder, "gold", gold), write(folder, "found", found)
    for module in ("clinical_relations", "clinical_spans"):
        expected, *others = (
            dict(clineval.score(module, golds[a], founds[b]))
            for a, b in (("jsonl", "jsonl"), ("xml", "json"), ("json", "xml"))
        )
        assert others == [expected] * 2


EXAMPLE = {
    "id": "d1",
    "text": TEXT,
    "mentions": [
        {"id": "T1", "spans": [[0, 7]], "label": "Drug"},
        {"id": "T2", "spans": [[8, 13]], "label": "Dose"},
        {"id": "T3", "spans": [[18, 22]], "label": "Sign"},
    ],
    "relations": [
        {"label": "DOSE_OF", "from": "T2", "to": "T1"},
        {"label": "TREATS", "from": "T1", "to": "T3"},
    ],
}
PLACE = "document d1"


@pytest.mark.parametrize("ending", ENDINGS)
def test_documents_are_read_and_converted(tmp_path, ending):
    paths = write(tmp_path, "gold", [EXAMPLE])
    for module in ("clinical_relations", "clinical_spans"):
        assert clineval.read(paths[ending], module) == clineval.read(paths["jsonl"], module)
        target = tmp_path / f"{module}.jsonl"
        done = invoke(["convert", paths[ending], target, "--module", module])
        assert done.exit_code == 0, done.output
        assert json.loads(target.read_text()) == EXAMPLE
    folder = tmp_path / "folder"
    folder.mkdir()
    paths[ending].rename(folder / f"d1.{ending}")
    done = invoke(["score", "clinical_spans,clinical_relations", folder, paths["jsonl"]])
    assert done.exit_code == 0, done.output
    assert clineval.score("clinical_relations", folder, folder)["strict_tp"] == 2


def test_a_first_node_in_the_role_arg2_is_the_target(tmp_path):
    paths = write(tmp_path, "gold", [EXAMPLE])
    turned = paths["json"].read_text().replace('"first"', '"Arg2"').replace('"second"', '"Arg1"')
    (tmp_path / "turned.json").write_text(turned)
    [document] = clineval.read(tmp_path / "turned.json", "clinical_relations")
    assert [(of.source, of.target) for of in document.relations] == [("T1", "T2"), ("T3", "T1")]


def test_sentences_hold_the_text_if_passages_have_none(tmp_path):
    sentences = "".join(
        f"<sentence><offset>{start}</offset><text>{text}</text></sentence>"
        for start, text in ((0, "aspirin"), (8, "10 mg for pain"))
    )
    passage = f"<passage><offset>0</offset>{sentences}</passage>"
    path = tmp_path / "a.xml"
    path.write_text(f"<collection><document><id>1</id>{passage}</document></collection>")
    [document] = clineval.read(path, "clinical_spans")
    assert document.text == TEXT


BAD = {
    "unknown id": ('"refid": "T3"', '"refid": "T9"', "no mention has the id of a node"),
    "repeated id": ('"id": "T3"', '"id": "T1"', "two mentions have the id of a node"),
    "one node": ('{"refid": "T3", "role": "second"}', "", "a relation of two nodes, got 1"),
    "no place": ('{"offset": 18, "length": 4}', "", "a mention has no location"),
    "no length": ('"length": 4', '"length": 0', "not a valid fragment"),
    "offset": ('"offset": 18', '"offset": 18.5', "offset: expected a string or an integer"),
    "itself": ('"refid": "T3"', '"refid": "T1"', "connects a mention with itself"),
    "no list": ('"nodes": [', '"nodes": 3, "others": [', "nodes: expected a list"),
    "no JSON": ('"infons": {', '"infons": ', "expected BioC in JSON"),
}


@pytest.mark.parametrize("case", BAD)
def test_faults_have_a_place(tmp_path, case):
    before, after, problem = BAD[case]
    content = write(tmp_path, "gold", [EXAMPLE])["json"].read_text()
    assert before in content
    content = content.replace(before, after).replace(", ]", "]")
    path = tmp_path / "bad.json"
    path.write_text(content)
    place = "bad.json" if case == "no JSON" else "d1"
    laws.refuses(lambda: clineval.score("clinical_relations", path, path), problem, place)


@pytest.mark.parametrize("ending", ENDINGS)
def test_documents_have_different_ids(tmp_path, ending):
    path = write(tmp_path, "gold", [EXAMPLE, EXAMPLE])[ending]
    for module in ("clinical_relations", "clinical_spans"):
        laws.refuses(lambda of=module: clineval.score(of, path, path), "two documents", PLACE)


def test_relations_between_concepts_are_not_dropped(tmp_path):
    """As in BioRED; only spans can be scored, and the warning counts the relations."""
    content = write(tmp_path, "gold", [EXAMPLE])["json"]
    held = json.loads(content.read_text())
    concepts = {"entity1": "D1", "entity2": "D2", "type": "Association", "novel": "No"}
    held["documents"][0]["relations"] = [{"id": "R0", "infons": concepts, "nodes": []}]
    path = tmp_path / "concepts.json"
    path.write_text(json.dumps(held))
    laws.refuses(
        lambda: clineval.score("clinical_relations", path, path), "no mentions, but concepts", PLACE
    )
    with pytest.warns(clineval.InputWarning, match="relations of documents are ignored"):
        assert clineval.score("clinical_spans", path, path)["strict_tp"] == 3
    [document] = clineval.read(path, "clinical_spans")
    assert ("Association", "MESH:D1", "MESH:D2") in [
        (of.label, of.source, of.target) for of in document.relations
    ]
