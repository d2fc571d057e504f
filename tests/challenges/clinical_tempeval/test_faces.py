"""Clinical TempEval in evaluate, Docs, BigBIO items and answers of models, and on the page."""

import json
import re

import evaluate
import pytest
import spacy
from commands import invoke
from demos import arguments_of

import clineval
from clineval import InputError
from clineval.answers import reward
from clineval.answers import score as score_answers
from clineval.results.registry import find_challenge
from clineval.training.bigbio import from_bigbio
from spacy_clin import score_docs

NAME = "clinical_tempeval"
(SYSTEM, GOLD), _ = arguments_of(NAME, 0)
TEXTS = GOLD.parent / "text"
CONFIGS = ("default", "entities", "links")
NOTE = "On May 3 a scan showed polyps"
MENTIONS = [
    {"id": "t", "spans": [[3, 8]], "label": "TIMEX3", "class": "DATE"},
    {"id": "a", "spans": [[11, 15]], "label": "EVENT", "doctimerel": "BEFORE", "type": "N/A"},
    {"id": "b", "spans": [[23, 29]], "label": "EVENT", "doctimerel": "OVERLAP", "type": "N/A"},
]
LINKS = [
    {"label": "CONTAINS", "from": "t", "to": "a"},
    {"label": "CONTAINS", "from": "a", "to": "b"},
]
DOCUMENT = {"text": NOTE, "mentions": MENTIONS, "relations": LINKS}
INFERRED = {**DOCUMENT, "relations": [{"label": "CONTAINS", "from": "t", "to": "b"}]}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_a_report_is_written_and_errors_are_listed(config, protocol, tmp_path):
    page = tmp_path / "page.html"
    options = ("--config", config, "--protocol", protocol)
    for texts in (("--no-text",), ("--text", TEXTS)):
        done = invoke(["report", NAME, GOLD, SYSTEM, "-o", page, *options, *texts])
        assert done.exit_code == 0, (done.output, done.exception)
        assert page.stat().st_size > 10_000
    listed = invoke(["errors", NAME, GOLD, SYSTEM, *options, "--format", "json"])
    assert json.loads(listed.stdout)


@pytest.mark.parametrize("config", ["default", "links"])
def test_errors_show_paths_and_cycles(config):
    done = invoke(["errors", NAME, GOLD, SYSTEM, "--config", config, "--format", "json"])
    listed = json.loads(done.stdout)["reasonings"]
    kinds = [each["kind"] for each in listed]
    assert kinds == ["right by inference", *["contradictory"] * 3]
    assert [step["to"] for step in listed[0]["chain"]] == ["79-90", "108-114"]
    shown = invoke(["errors", NAME, GOLD, SYSTEM, "--config", config]).stdout
    assert "91-100 CONTAINS 79-90, 79-90 CONTAINS 108-114" in shown


def test_errors_of_the_program_have_no_paths():
    words = ["errors", NAME, GOLD, SYSTEM, "--protocol", "official", "--format", "json"]
    assert "reasonings" not in json.loads(invoke(words).stdout)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_evaluate_gives_the_scores_of_the_command(config, protocol):
    metric = evaluate.load(NAME, config)
    found = metric.compute(predictions=str(SYSTEM), references=str(GOLD), protocol=protocol)
    words = ["--config", config, "--protocol", protocol, "--format", "json"]
    scores = json.loads(invoke(["score", NAME, GOLD, SYSTEM, *words]).stdout)["scores"]
    assert {key: found[key] for key in scores} == scores


@pytest.mark.parametrize("words", [("--by", "document"), ("--by", "slot:polarity")])
@pytest.mark.parametrize("config", CONFIGS)
def test_groups(words, config):
    done = invoke(["score", NAME, GOLD, SYSTEM, *words, "--config", config])
    known = words[1] == "document" or config != "links"  # containers have no polarity
    assert (done.exit_code == 0) == known, done.exception


def test_comparison_intervals_and_agreement():
    other = arguments_of(NAME, 1)[0][0]
    done = invoke(["compare", NAME, GOLD, SYSTEM, other])
    assert (done.exit_code, "links_written_f1" in done.stdout) == (0, True)
    score = clineval.score(NAME, SYSTEM, GOLD, confidence=0.9, n_resamples=50).as_dict()
    assert score["links_written_f1_low"] <= score["links_written_f1"]
    assert "doctimerel" in invoke(["agreement", NAME, GOLD, SYSTEM]).stdout


def test_xml_of_documents_is_scored():
    files = [sorted(side.rglob("*.xml")) for side in (SYSTEM, GOLD)]
    texts = [[path.read_text("utf-8") for path in of] for of in files]
    for protocol in ("spec", "official"):
        whole = clineval.score(NAME, SYSTEM, GOLD, protocol=protocol)
        assert clineval.score(NAME, *texts, protocol=protocol).values == whole.values


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_a_folder_of_files_and_a_single_file_are_scored(protocol, tmp_path):
    flat = [tmp_path / side.name for side in (SYSTEM, GOLD)]
    for folder, side in zip(flat, (SYSTEM, GOLD), strict=True):
        folder.mkdir()
        for path in side.rglob("*.xml"):
            (folder / path.name).write_bytes(path.read_bytes())
    whole = clineval.score(NAME, SYSTEM, GOLD, protocol=protocol)
    assert clineval.score(NAME, *flat, protocol=protocol).values == whole.values
    first = [next(iter(sorted(folder.iterdir()))) for folder in flat]
    assert clineval.score(NAME, *first, protocol=protocol)["n_documents"] == 1


def test_conversion_keeps_everything(tmp_path):
    """Anafora to JSON Lines, brat and Anafora again; also links of other types."""
    expected = clineval.score(NAME, SYSTEM, GOLD).values
    sides = []
    for side in (SYSTEM, GOLD):
        source = side
        for name, to in (("a.jsonl", "jsonl"), ("brat", "brat"), ("anafora", "anafora")):
            target = tmp_path / side.name / name
            target.parent.mkdir(exist_ok=True)
            more = ("--text", TEXTS) if to == "brat" else ()
            words = ["convert", source, target, "--to", to, "--module", NAME, *more]
            assert invoke(words).exit_code == 0
            source = target
        sides.append(source)
    assert clineval.score(NAME, *sides).values == expected
    first, again = (clineval.read(path, NAME) for path in (GOLD, sides[1]))
    for one, other in zip(first, again, strict=True):
        assert [r.label for r in one.relations] == [r.label for r in other.relations]
        assert [m.slots for m in one.mentions] == [m.slots for m in other.mentions]
    assert (sides[1] / "ID901_clinic_001" / "ID901_clinic_001").is_file()
    assert again[0].text == (TEXTS / "ID901_clinic_001").read_text("utf-8")


def test_what_anafora_cannot_hold(tmp_path):
    mention = clineval.Mention([(0, 2)], slots={"label": "EVENT"}, id="x", coded=False)
    twice = clineval.Document("n", [mention, mention])
    with pytest.raises(InputError, match="two mentions have the same 'id'"):
        clineval.write([twice], tmp_path / "a", "anafora", NAME)
    bad = clineval.Mention([(0, 2)], slots={"label": "EVENT", "type": "a\x02"}, coded=False)
    with pytest.raises(InputError, match=r"U\+0002"):
        clineval.write([clineval.Document("n", [bad])], tmp_path / "a", "anafora", NAME)
    assert not (tmp_path / "a").exists()


def test_relations_between_other_annotations_are_left_out_of_documents(tmp_path):
    folder = tmp_path / "n1"
    folder.mkdir()
    entity = "<entity><id>a</id><span>0,2</span><type>EVENT</type></entity>"
    relation = (
        "<relation><id>r</id><type>TLINK</type><properties><Source>a</Source><Type>CONTAINS</Type>"
        "<Target>z</Target></properties></relation>"
    )
    (folder / "n1.xml").write_text(
        f"<data><annotations>{entity}{relation}</annotations></data>", "utf-8"
    )
    with pytest.warns(clineval.InputWarning, match="1 relation does not connect two entities"):
        [document] = clineval.read(tmp_path, NAME)
    assert (len(document.mentions), document.relations) == (1, ())


def make_doc(relations):
    doc = spacy.blank("en")(NOTE)
    spans = []
    for mention in MENTIONS:
        [(start, end)] = mention["spans"]
        spans.append(doc.char_span(start, end, label=mention["label"], span_id=mention["id"]))
    doc.spans["clin"] = spans
    doc.spans["clin"].attrs["relations"] = relations
    return doc


def test_docs_with_relations():
    gold, found = make_doc(LINKS), make_doc(INFERRED["relations"])
    for config, key, value in (
        ("default", "links_written_precision", 1),
        ("entities", "event_span_f1", 1),
        ("links", "links_as_written_f1", 0),
    ):
        assert score_docs([gold], [found], NAME, config=config)[key] == value


def test_docs_keep_properties(tmp_path):
    docs, lines = tmp_path / "gold.spacy", tmp_path / "gold.jsonl"
    words = ["convert", GOLD, docs, "--module", NAME, "--text", TEXTS]
    assert invoke(words).exit_code == 0
    assert invoke(["convert", docs, lines, "--module", NAME]).exit_code == 0
    score = clineval.score(NAME, lines, GOLD)
    assert (score["event_all_f1"], score["links_written_f1"], score["timex3_class_f1"]) == (1, 1, 1)


def test_bigbio_items():
    entities = [
        {
            "id": mention["id"],
            "type": mention["label"],
            "text": [NOTE[slice(*mention["spans"][0])]],
            "offsets": mention["spans"],
            "normalized": [],
        }
        for mention in MENTIONS
    ]
    relations = [
        {"id": str(at), "type": of["label"], "arg1_id": of["from"], "arg2_id": of["to"]}
        for at, of in enumerate(LINKS)
    ]
    row = {
        "passages": [{"text": [NOTE], "offsets": [[0, len(NOTE)]]}],
        "entities": entities,
        "relations": relations,
    }
    found = from_bigbio([row], NAME)
    score = clineval.score(NAME, found, [DOCUMENT])
    assert (score["event_span_f1"], score["links_written_f1"]) == (1, 1)


def quote(document):
    mentions = [
        {
            **{name: value for name, value in mention.items() if name != "spans"},
            "text": NOTE[slice(*mention["spans"][0])],
        }
        for mention in document["mentions"]
    ]
    return json.dumps({"mentions": mentions, "relations": document["relations"]})


def test_answers_of_a_model_have_a_reward():
    answers = [quote(DOCUMENT), quote(INFERRED), "?"]
    keys = ("links_written_precision",)
    asked = {"texts": [NOTE] * 3, "keys": keys}
    assert reward(NAME, answers, [DOCUMENT] * 3, **asked) == [1, 1, 0]
    keys = ("links_as_written_f1", "event_doctimerel_f1")
    found = reward(NAME, answers, [DOCUMENT] * 3, texts=[NOTE] * 3, keys=keys)
    assert found == [1, 0.5, 0]
    scores = score_answers(NAME, answers[:1], [DOCUMENT], texts=[NOTE])
    assert (scores["event_type_f1"], scores["timex3_all_f1"]) == (1, 1)


def test_models_are_asked_for_values_of_thyme():
    kind = find_challenge(NAME).kind
    asked = " ".join(kind.ask("default"))
    assert all(word in asked for word in ("BEFORE/OVERLAP", "PREPOSTEXP", "TIMEX3", "CONTAINS"))
    assert not re.search("PREPOSTEXP", " ".join(kind.ask("links")))


def test_validation_lists_every_problem(tmp_path):
    for name in ("n1", "n2"):
        (tmp_path / name).mkdir()
        body = "<entity><id>a</id><span>x</span><type>EVENT</type></entity>"
        text = f"<data><annotations>\n{body}\n</annotations></data>"
        (tmp_path / name / f"{name}.xml").write_text(text, "utf-8")
    done = invoke(["validate", NAME, tmp_path])
    assert done.exit_code != 0
    for name in ("n1", "n2"):
        assert f"{name}/{name}.xml:2" in done.output, done.output
