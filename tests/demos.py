"""The bundled demo corpora, for tests that hold for every challenge."""

import json
import shutil
from xml.etree import ElementTree as ET

from clineval.results.registry import find_challenge

DOCUMENTS = {
    "semeval15_task14": "demo-001",
    "clefehealth13_task1": "demo-001",
    "clefehealth13_task2": "demo-001",
    "clefehealth13_task3": "demo1 ",
    "i2b2_2009_medication": "900101",
    "clinais23_b2": "nota-01",
    "codiesp20": "caso-01",
    "i2b2_2014_deid": "201-01",
    "i2b2_2014_risk": "301-01",
    "meddocan19": "caso-01",
    "pharmaconer19": "caso-01",
    "clinical_spans": "spans-1",
    "i2b2_2010": "demo-01",
    "bc5cdr": "900001",
    "ncbi_disease": "910001",
    "medmentions": "920001",
    "n2c2_2018_track2": "demo-001",
    "clinical_tempeval": "ID901_clinic_001",
    "i2b2_2012_temporal": "note-01",
    "chemu20": "patent-001",
    "drugprot21": "90000001",
    "chemprot17": "80000001",
    "n2c2_2022_cmed": "demo-001",
    "n2c2_2022_sdoh": "demo-001",
    "ehealthkd20": "transfer",
    "medprocner23": "caso-01",
    "mediqa_synur26": "dictation-01",
    "distemist22": "caso-01",
    "symptemist23": "caso-01",
    "multicardioner24": "caso-01",
    "toxhabits25": "caso-01",
    "cantemist20": "caso-01",
    "multiclinai26": "caso-01",
    "mediqa_oe25": "visit-01",
    "livingner22": "caso-01",
    "clinical_relations": "note-1",
    "clinical_events": "note-1",
    "archehr_qa26": "1",
    "clinical_codes": "letter-1",
    "clinical_records": "visit-1",
    "clinical_classes": "letter-1",
    "n2c2_2018_track1": "101",
    "i2b2_2006_smoking": "601",
    "i2b2_2008_obesity": "1",
    "icd_coding": "900003",
    "gutbrainie26": "90000001",
    "tac2017_adr": "BELUMAR",
}
"""A document of each demo, as its files or their lines name it."""
OTHER_FILES = {
    "archehr_qa26": ("subtask4",),
    "codiesp20": ("X",),
    "livingner22": ("app",),
    "pharmaconer19": ("indexing",),
    "medprocner23": ("index",),
    "cantemist20": ("coding", "codingf1"),
}
"""Configurations that score files of another layout than the demo's."""


def arguments_of(name, system=0):
    """Predictions, references and options of a demo, as ``clineval.score`` takes them."""
    demo, corpus = find_challenge(name).demo, find_challenge(name).task.corpora
    options = {option: corpus / path for option, path in demo.options.items()}
    return (corpus / [*demo.systems.values()][system], corpus / demo.gold), options


def lacking_a_document(name, folder):
    """A demo's gold standard and first system without a document, the second system with it."""
    demo, corpus, document = (
        find_challenge(name).demo,
        find_challenge(name).task.corpora,
        DOCUMENTS[name],
    )
    first, second = (corpus / path for path in demo.systems.values())
    gold = _copy_without(corpus / demo.gold, folder, document)
    return gold, _copy_without(first, folder, document), second


def _copy_without(source, folder, document):
    target = folder / source.name
    if list(source.glob("*entities.tsv")):
        for path in sorted(source.iterdir()):
            target.mkdir(exist_ok=True)
            _copy_without(path, target, document)
    elif source.is_dir():
        shutil.copytree(source, target, ignore=lambda _, names: [n for n in names if document in n])
    elif source.suffix == ".json":
        corpus = json.loads(source.read_text("utf-8"))
        if isinstance(corpus, list):
            corpus = [each for each in corpus if document not in each.values()]
        else:
            del corpus.get("annotated_entries", corpus)[document]
        target.write_text(json.dumps(corpus), "utf-8")
    elif source.suffix == ".xml":
        tree = ET.parse(source)
        for parent in list(tree.iter()):
            for child in [each for each in parent if document in each.attrib.values()]:
                parent.remove(child)
        tree.write(target, "utf-8", xml_declaration=True)
    else:
        lines = source.read_text("utf-8").splitlines(keepends=True)
        target.write_text("".join(line for line in lines if document not in line), "utf-8")
    return target
