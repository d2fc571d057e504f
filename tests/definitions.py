"""Demos as the definitions take them: documents as JSON Lines contain them."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

import clineval
from clineval.results.registry import find_challenge

FILES = {
    ("archehr_qa26", "subtask4"): ("key.json", "model_links.json", "keywords_links.json"),
    ("codiesp20", "P"): ("gold_D.tsv", "dictionary_D.tsv"),
    ("codiesp20", "X"): ("gold_X.tsv", "dictionary_X.tsv"),
    ("livingner22", "app"): ("gold_app.tsv", "dictionary_app.tsv", "tagger_app.tsv"),
    ("pharmaconer19", "indexing"): ("gold_codes", "dictionary_codes", "tagger_codes"),
    ("medprocner23", "index"): ("gold_index.tsv", "dictionary_index.tsv", "tagger_index.tsv"),
    ("cantemist20", "coding"): ("gold_coding.tsv", "dictionary_coding.tsv", "tagger_coding.tsv"),
    ("cantemist20", "codingf1"): ("gold_coding.tsv", "dictionary_coding.tsv", "tagger_coding.tsv"),
}
"""Files of configurations that do not score those of the demo: the gold standard first."""


def list_files(name, config):
    """The files of a demo: the gold standard, and those of the systems."""
    demo, corpus = find_challenge(name).demo, find_challenge(name).task.corpora
    files = FILES.get((name, config), (demo.gold, *demo.systems.values()))
    return [corpus / file for file in files]


def as_documents(side):
    """Lists of mentions as documents without ids, which are paired by position."""
    return [{"mentions": mentions} for mentions in side]


def as_dicts(documents, name, config):
    """Documents of mentions as dicts; those of other kinds are dicts already."""
    if not documents or isinstance(documents[0], dict):
        return documents
    with TemporaryDirectory() as folder:
        path = Path(folder, "documents.jsonl")
        clineval.write(documents, path, "jsonl", name, config)
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def read_documents(path, name, config):
    """The documents of a demo's file or folder."""
    if (name, config) == ("codiesp20", "X"):
        return list(read_placed_codes(path))
    if name in READERS:
        return list(READERS[name](path))
    texts = path.parent / "text" if name == "i2b2_2010" else None
    return as_dicts(clineval.read(path, name, config=config, texts=texts), name, config)


def read_placed_codes(path):
    documents = {}
    for line in path.read_text("utf-8").splitlines():
        document, *cells = line.split("\t")
        _, code, _, places = cells if len(cells) == 4 else ("", cells[2], "", cells[0])
        spans = [[int(end) for end in place.split()] for place in places.split(";")]
        documents.setdefault(document, []).append({"code": code, "spans": spans})
    return ({"id": name, "mentions": mentions} for name, mentions in documents.items())


def read_abbreviations(path):
    for line in path.read_text("utf-8").splitlines():
        document, _, codes, *offsets = line.split("||")
        yield {"id": document, "spans": offsets, "codes": codes.split(",")}


def read_ranking(path):
    topics = {}
    for line in path.read_text("utf-8").splitlines():
        cells = line.split()
        topics.setdefault(cells[0], []).append(cells[2:])
    for topic, rows in topics.items():
        if len(rows[0]) == 2:
            yield {"id": topic, "judgments": {document: int(grade) for document, grade in rows}}
        else:
            ranking = {document: float(score) for document, _, score, _ in rows}
            yield {"id": topic, "ranking": ranking}


def read_sections(path):
    for name, note in json.loads(path.read_text("utf-8"))["annotated_entries"].items():
        tokens = note["boundary_annotation"]
        if isinstance(tokens, dict):
            tokens = tokens.get("prediction") or tokens["gold"]
        yield {"id": name, "boundaries": [token["boundary"] for token in tokens]}


def read_entries(folder):
    for path in sorted(folder.glob("*.entries")):
        name = path.name.partition(".")[0]
        entries = [read_entry(line) for line in path.read_text("utf-8").splitlines() if line]
        text = (folder.parent / "records" / name).read_text("utf-8")
        yield {"id": name, "entries": entries, "text": text}


def read_entry(line):
    fields = [re.fullmatch(r'(\w+)="(.*)"([^"]*)', field).groups() for field in line.split("||")]
    return {
        name: None
        if words == "nm"
        else {"text": words, "offsets": [read_offset(part) for part in places.split(",")]}
        for name, words, places in fields
        if name != "ln"
    }


def read_offset(text):
    return [int(number) for place in text.split() for number in place.split(":")]


def read_brat(folder):
    """Documents with the words of their mentions; lines of * relate the first mention to others."""
    for path in sorted(folder.glob("*.ann")):
        text = path.with_suffix(".txt")
        text = text.read_text("utf-8") if text.exists() else ""
        mentions, relations = [], []
        for line in path.read_text("utf-8").splitlines():
            name, value, *words = line.split("\t")
            label, *cells = value.split()
            if name[0] == "T":
                places = [part.split() for part in value.removeprefix(label).split(";")]
                spans = [[int(start), int(end)] for start, end in places]
                mentions.append({"id": name, "label": label, "spans": spans, "text": words[0]})
            elif name == "*":
                relations += [{"label": label, "from": cells[0], "to": end} for end in cells[1:]]
            elif name[0] == "R":
                one, other = (cell.partition(":")[2] for cell in cells)
                relations.append({"label": label, "from": one, "to": other})
        yield {"id": path.stem, "text": text, "mentions": mentions, "relations": relations}


def read_articles(path):
    for name, document in json.loads(path.read_text("utf-8")).items():
        yield {"id": name, **document}


def read_labels(folder):
    for path in sorted(folder.glob("*.xml")):
        root = ET.parse(path).getroot()
        mentions = [
            {
                "id": tag.get("id"),
                "section": tag.get("section"),
                "label": tag.get("type"),
                "spans": [
                    [int(start), int(start) + int(length)]
                    for start, length in zip(
                        *(tag.get(k).split(",") for k in ("start", "len")), strict=True
                    )
                ],
            }
            for tag in root.iter("Mention")
        ]
        relations = [
            {"label": tag.get("type"), "from": tag.get("arg1"), "to": tag.get("arg2")}
            for tag in root.iter("Relation")
        ]
        terms = [tag for tag in root.iter("Normalization") if tag.get("meddra_pt")]
        yield {
            "id": path.stem,
            "mentions": mentions,
            "relations": relations,
            "reactions": [tag.get("str") for tag in root.iter("Reaction")],
            "codes": [tag.get("meddra_pt_id") or tag.get("meddra_pt") for tag in terms],
        }


READERS = {
    "chemu20": read_brat,
    "ehealthkd20": read_brat,
    "gutbrainie26": read_articles,
    "tac2017_adr": read_labels,
    "clefehealth13_task2": read_abbreviations,
    "clefehealth13_task3": read_ranking,
    "clinais23_b2": read_sections,
    "i2b2_2009_medication": read_entries,
}
