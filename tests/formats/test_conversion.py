"""Documents of every format that a metric reads are scored as the files are; labels stay labels."""

import re
from dataclasses import replace
from pathlib import Path

import laws
import pytest
from commands import invoke

import clineval
from clineval import Document, InputError, InputWarning, Mention
from clineval.evaluation.convert import read, read_documents, write
from clineval.results.registry import NAMES, find_challenge
from clineval.results.views import MentionView

CHALLENGES = Path(clineval.__file__).parent / "challenges"
MODULES = [
    name
    for name in NAMES
    if isinstance(find_challenge(name).faces.page, MentionView)
    and not find_challenge(name).kind.given
    and name != "gutbrainie26"  # systems lack the texts that its offsets need: tests of its own
]
WITH_SLOTS = (
    "bc5cdr",
    "ncbi_disease",
    "medmentions",
    "n2c2_2022_cmed",
    "n2c2_2022_sdoh",
    "clinical_events",
    "clinical_tempeval",
    "i2b2_2012_temporal",
)
"""Challenges whose labels come back with the rest only where the metric is named."""
LABELLED = [
    n for n in MODULES if find_challenge(n).kind.class_slot.name == "label" and n not in WITH_SLOTS
]


def run(*words):
    done = invoke(words, catch_exceptions=False)
    assert done.exit_code == 0, done.output


def paths(module):
    """The demo's gold standard, one system, and the notes where they are in files of their own."""
    demo, notes = find_challenge(module).demo, CHALLENGES / module / "demo" / "text"
    system = next(iter(demo.systems.values()))
    folder = CHALLENGES / module / "demo"
    return folder / demo.gold, folder / system, notes if notes.exists() else None


def scores(module, predictions, references, protocol="spec"):
    found = clineval.score(module, predictions, references, protocol=protocol).values
    unread = UNREAD.get(module)
    return {key: value for key, value in found.items() if not (unread and unread.search(key))}


UNREAD = {"tac2017_adr": re.compile("reactions|codes|signature")}
"""The scores of what documents do not hold."""
LEFT_OUT = pytest.mark.filterwarnings("ignore:.*reactions are left out")


@LEFT_OUT
@pytest.mark.parametrize("module", MODULES)
@pytest.mark.filterwarnings("ignore:.*(only|no predictions)")
def test_what_is_read_is_scored_as_the_files_are(module):
    gold, system, texts = paths(module)
    golds, found = (read(path, module, texts=texts) for path in (gold, system))
    for protocol in find_challenge(module).protocols:
        assert scores(module, found, golds, protocol) == scores(module, system, gold, protocol)
    assert scores(module, golds, golds) == scores(module, gold, gold)


@LEFT_OUT
@pytest.mark.parametrize("module", LABELLED)
@pytest.mark.filterwarnings("ignore:the format cannot represent the (slot 'code'|language)")
def test_labels_come_back_from_brat(module, tmp_path):
    gold, system, texts = paths(module)
    golds, found = (read(path, module, texts=texts) for path in (gold, system))
    notes = {document.id: document.text for document in golds}
    sides = []
    for name, documents in (("found", found), ("gold", golds)):
        told = [replace(document, text=notes[document.id]) for document in documents]
        write(told, tmp_path / name, "brat")
        sides.append(read(tmp_path / name, module))
    assert scores(module, *sides) == scores(module, system, gold)


@pytest.mark.parametrize(
    "module", [name for name in NAMES if "read" in find_challenge(name).kind.lacks]
)
def test_what_is_no_mention_is_refused(module):
    laws.refuses(lambda: read(CHALLENGES / module / "demo", module), "does not score mentions")


def test_codes_of_documents_are_read_and_written(tmp_path):
    codes = CHALLENGES / "pharmaconer19" / "demo" / "gold_codes"
    documents = read(codes, "pharmaconer19", config="indexing")
    assert documents
    assert all({"id", "codes"} == document.keys() for document in documents)
    write(documents, tmp_path / "gold.jsonl", module="pharmaconer19", config="indexing")
    path = tmp_path / "gold.jsonl"
    assert read(path, "pharmaconer19", config="indexing") == documents
    scored = clineval.score("pharmaconer19", path, codes, config="indexing")
    assert scored["micro_f1"] == 1


def test_lines_and_tokens_need_the_notes(tmp_path):
    gold, _, texts = paths("i2b2_2010")
    laws.refuses(lambda: read(gold, "i2b2_2010"), "counts tokens", "texts=, --text DIR")
    other = {path.stem: "Short." for path in texts.iterdir()}
    laws.refuses(lambda: read(gold, "i2b2_2010", texts=other), "the text has no token")
    write(read(gold, "i2b2_2010", texts=texts), tmp_path, "con")
    assert scores("i2b2_2010", tmp_path, gold) == scores("i2b2_2010", gold, gold)


def test_bioc_is_read_as_pubtator_is(tmp_path):
    """With a text in passages, and a part of a composite mention that has no place of its own."""
    passage = "<passage><offset>{}</offset><text>{}</text>{}</passage>"
    mention = (
        '<annotation><infon key="type">Disease</infon><infon key="MESH">{}</infon>{}{}</annotation>'
    )
    place = '<location offset="{}" length="{}"/>'
    part = '<infon key="CompositeRole">IndividualMention</infon>'
    notes = [
        passage.format(0, "Fever.", mention.format("D1", "", place.format(0, 5))),
        passage.format(
            7,
            "Eye and ear pain.",
            mention.format("D2", "", place.format(7, 16)) + mention.format("D3", part, ""),
        ),
    ]
    xml = f"<collection><document><id>1</id>{''.join(notes)}</document></collection>"
    (tmp_path / "a.xml").write_text(xml)
    lines = ["1|t|Fever.", "1|a|Eye and ear pain.", "1\t0\t5\tFever\tDisease\tD1"]
    lines += ["1\t7\t23\tEye and ear pain\tDisease\tD2|D3", "1\tCID\tD8\tD2|D3", ""]
    (tmp_path / "a.PubTator").write_text("\n".join(lines))
    bioc, pubtator = (read(tmp_path / f"a.{end}", "bc5cdr")[0] for end in ("xml", "PubTator"))
    assert bioc.text == pubtator.text == "Fever. Eye and ear pain."
    assert bioc.mentions == pubtator.mentions
    assert [m.as_dict() for m in bioc.mentions] == [
        {"spans": [[0, 5]], "label": "Disease", "concept": "MESH:D1"},
        {"spans": [[7, 23]], "label": "Disease", "concept": "MESH:D2|MESH:D3"},
    ]
    assert [r.as_dict() for r in pubtator.relations] == [
        {"label": "CID", "from": "MESH:D8", "to": f"MESH:{concept}"} for concept in ("D2", "D3")
    ]


def test_slots_of_ones_own_are_kept(brat, tmp_path):
    (brat / "a.ann").write_text(f"{WOUND}A1\tNegated T1\nA2\tSeverity T1 Mild\n")
    documents = read(brat, "clinical_spans")
    write(documents, tmp_path / "again", "brat", "clinical_spans")
    for found in (documents, read(tmp_path / "again", "clinical_spans")):
        assert dict(found[0].mentions[0].slots) == {
            "label": "Wound", "negated": "yes", "severity": "Mild",
        }  # fmt: skip
        score = clineval.score("clinical_spans", found, brat, slots=["negated", "severity"])
        assert score["strict_slots_f1"] == 1


WOUND = "T1\tWound 0 5\tWound\n"


@pytest.fixture
def brat(tmp_path):
    """A folder of brat's whose labels are nobody's codes."""
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "a.txt").write_text("Wound")
    (folder / "a.ann").write_text(WOUND)
    return folder


@pytest.mark.parametrize("target", ["gold.jsonl", "gold.parquet", "gold.spacy"])
def test_types_that_are_all_there_is_are_labels(brat, tmp_path, target):
    run("convert", brat, tmp_path / target)
    options = ["--module", "clinical_spans"] if target == "gold.spacy" else []
    run("convert", tmp_path / target, tmp_path / "again.jsonl", *options)
    path = tmp_path / "again.jsonl"
    assert scores("clinical_spans", path, path)["strict_f1"] == 1


def test_whose_mentions_they_are_is_asked(brat, tmp_path):
    (brat / "a.ann").write_text(f"{WOUND}A1\tNegation T1\n")
    target = tmp_path / "gold.jsonl"
    laws.refuses(lambda: run("convert", brat, target), "no mention has a code", "--module NAME")
    assert not target.exists()
    (brat / "a.ann").write_text(f"{WOUND}A1\tSeverity T1 Mild\n")
    laws.refuses(lambda: run("convert", brat, target), "severity: expected", "--module NAME")
    (brat / "a.ann").write_text(f"{WOUND}A1\tNegation T1\n")
    run("convert", brat, target, "--module", "semeval15_task14")
    assert '"cui": null' in target.read_text()
    with pytest.warns(InputWarning, match="the types of 1 mention"):
        run("convert", brat, tmp_path / "pipe", "--to", "pipe")  # which tells it
    (brat / "a.ann").write_text(f"{WOUND}A1\tNegation T1\n#1\tAnnotatorNotes T1\tC0043250\n")
    run("convert", brat, target)
    assert '"cui": "C0043250"' in target.read_text()


def test_the_field_that_is_there_is_named(tmp_path):
    path = tmp_path / "gold.jsonl"
    write([Document("a", [Mention([(0, 5)], None, {"type": "Wound"})], "Wound")], path, "jsonl")
    refused = lambda: scores("clinical_spans", path, path)  # noqa: E731
    laws.refuses(refused, "'label' is missing, but 'type' is present", "--module")


def test_the_pipe_format_tells_its_module(tmp_path):
    run("convert", CHALLENGES / "semeval15_task14" / "demo" / "gold", tmp_path / "gold.jsonl")
    [mention, *_] = read_documents(tmp_path / "gold.jsonl", "jsonl")[0].mentions
    assert mention.coded


LANGUAGES = {"a": "es", "b": "en", "c": None}


def told(documents):
    return {document.id: document.language for document in documents}


@pytest.mark.parametrize("form", ["jsonl", "parquet", "tsv"])
def test_a_documents_language_is_kept(form, tmp_path):
    mention = Mention.from_dict({"spans": [(0, 4)], "label": "SYMPTOM"})
    documents = [Document(name, [mention], language=of) for name, of in LANGUAGES.items()]
    write(documents, tmp_path / f"a.{form}", form, "multiclinai26")
    assert told(read(tmp_path / f"a.{form}", "multiclinai26")) == LANGUAGES


@pytest.mark.parametrize("form", ["brat", "tsv-off", "tsv-mark"])
def test_a_format_that_has_no_place_for_languages_says_so(form, tmp_path):
    mention = Mention.from_dict({"spans": [(0, 4)], "label": "SYMPTOM"})
    documents = [Document(name, [mention], "tos.", language=of) for name, of in LANGUAGES.items()]
    with pytest.warns(InputWarning, match="cannot represent the language of 2 documents"):
        write(documents, tmp_path / "a.tsv", form, "multiclinai26")


@pytest.mark.parametrize("language", [3, ["es"], "e\ns"])
def test_what_is_no_language_is_refused(language):
    laws.refuses(lambda: Document("a", language=language), "language: expected a code")


def test_languages_survive_a_round_trip_through_docs(tmp_path):
    """The corpus in three languages, to a .spacy file of either kind and back, is the same."""
    demo, module = CHALLENGES / "multiclinai26" / "demo", ("--module", "multiclinai26")
    gold, texts = demo / "gold.tsv", ("--text", demo / "text")
    for given in (module, ()):
        first, docs, back = (tmp_path / name for name in ("a.jsonl", "a.spacy", "b.tsv"))
        run("convert", gold, first, *module, *texts)
        run("convert", first, docs, *given)
        run("convert", docs, back, *given, "--to", "tsv")
        assert back.read_text("utf-8") == gold.read_text("utf-8")
    for path in (gold, first):
        run("score", *module[1:], path, path, "--by", "language")
    by = [clineval.score(module[1], path, first).values for path in (gold, first)]
    assert by[0] == by[1]


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_every_system_of_a_demo_can_be_converted(module, tmp_path):
    """Also one with a relation between places that are not concepts, which is warned of."""
    _, _, notes = paths(module)
    text = ["--text", notes] if notes and module == "i2b2_2010" else []
    for system in find_challenge(module).demo.systems.values():
        source = CHALLENGES / module / "demo" / system
        run("convert", source, tmp_path / "x.jsonl", "--module", module, *text)


def test_relations_of_no_concepts_are_counted():
    folder = CHALLENGES / "i2b2_2010" / "demo"
    with pytest.warns(InputWarning, match="1 relation does not connect two concepts"):
        read(folder / "tagger", "i2b2_2010", texts=folder / "text")


NO_MENTIONS = {
    "livingner22": ("gold_app.tsv", "app, are not mentions"),
    "medprocner23": ("gold_index.tsv", "index, are not mentions"),
    "cantemist20": ("gold_coding.tsv", "coding and codingf1, are not mentions"),
    "pharmaconer19": ("gold_codes", "indexing, are not mentions"),
    "clinais23_b2": ("gold.json", "the sections of clinais23_b2 are not mentions"),
    "i2b2_2009_medication": ("gold", "the entries of i2b2_2009_medication are not mentions"),
    "clefehealth13_task3": ("qrels.txt", "the rankings of clefehealth13_task3 are not mentions"),
}


@pytest.mark.parametrize("module", NO_MENTIONS)
def test_what_are_no_mentions_is_said_to_be_none(module, tmp_path):
    file, said = NO_MENTIONS[module]
    call = ["convert", CHALLENGES / module / "demo" / file, tmp_path / "x.jsonl"]
    assert "Codes of documents and rankings are not mentions" in str(invoke(call).exception)
    assert said in str(invoke([*call, "--module", module]).exception)


@pytest.mark.filterwarnings("ignore:the format cannot represent")
def test_docbins_follow_the_named_formats(tmp_path):
    pytest.importorskip("spacy")
    gold = CHALLENGES / "clinical_spans" / "demo" / "gold.jsonl"
    to = ("--module", "clinical_spans")
    run("convert", gold, tmp_path / "a.spacy", *to)
    run("convert", tmp_path / "a.spacy", tmp_path / "brat", "--to", "brat", *to)
    assert list((tmp_path / "brat").glob("*.ann"))
    run("convert", tmp_path / "brat", tmp_path / "b.spacy", "--from", "brat", *to)
    run("convert", tmp_path / "b.spacy", tmp_path / "c", "--to", "jsonl", *to)
    (tmp_path / "c").rename(tmp_path / "c.jsonl")
    assert scores("clinical_spans", tmp_path / "c.jsonl", gold)["strict_f1"] == 1
    run("convert", gold, tmp_path / "d", "--to", "spacy", *to)
    run("convert", tmp_path / "d", tmp_path / "d.jsonl", "--from", "spacy", *to)
    assert scores("clinical_spans", tmp_path / "d.jsonl", gold)["strict_f1"] == 1


def test_pubtator_becomes_a_docbin_whatever_the_file_is_called(tmp_path):
    pytest.importorskip("spacy")
    gold = CHALLENGES / "bc5cdr" / "demo" / "gold.PubTator"
    (tmp_path / "a.txt").write_bytes(gold.read_bytes())
    to = ("--module", "bc5cdr")
    run("convert", tmp_path / "a.txt", tmp_path / "a.spacy", "--from", "pubtator", *to)
    run("convert", tmp_path / "a.spacy", tmp_path / "a.jsonl", *to)
    assert scores("bc5cdr", tmp_path / "a.jsonl", gold)["mentions_f1"] == 1


@pytest.mark.parametrize(
    "module", ["clinical_relations", "clinical_events", "n2c2_2018_track2", "chemu20"]
)
def test_relations_between_concepts_are_not_converted_for_metrics_of_mentions(module, tmp_path):
    gold = CHALLENGES / "bc5cdr" / "demo" / "gold.PubTator"
    with pytest.raises(InputError, match="connects no mentions, but concepts"):
        run("convert", gold, tmp_path / "gold.jsonl", "--module", module)
    assert not (tmp_path / "gold.jsonl").exists()
    for other in ("bc5cdr", "clinical_spans"):
        run("convert", gold, tmp_path / f"{other}.jsonl", "--module", other)
