"""Documents of every challenge as lists, invented, for tests that hold for all of them."""

import json

from clineval.challenges.n2c2_2018_track1.measures import CRITERIA
from clineval.kinds.records.inferring import infer_schema

MENTIONS = [(0, 4, "a"), (5, 9, "b"), (5, 12, "a"), (14, 20, "c"), (22, 30, "a")]
TEXT = "one two three four five six seven eight nine ten"


def _mentions(labels, name="label", **more):
    """Documents with some mentions, of none to all."""
    codes = dict(zip("abc", labels, strict=True))
    every = [{"spans": [[s, e]], name: codes[c], **more} for s, e, c in MENTIONS]
    return [[], every[:2], every[1:4], every[::2], every]


def _related(labels, relation, **more):
    """Documents with mentions and relations; the second mention is the relation's source."""
    documents = []
    for mentions in _mentions(labels, **more):
        named = [{"id": f"T{at}", **mention} for at, mention in enumerate(mentions, 1)]
        links = [{"label": relation, "from": "T2", "to": "T1"}] if len(named) > 1 else []
        documents.append({"mentions": named, "relations": links})
    return documents


def _interacting(gene, relation):
    """Documents with chemicals and genes, and relations between the two."""
    documents = _related(["CHEMICAL", gene, "CHEMICAL"], relation)
    for document in documents:
        labels = {mention["label"] for mention in document["mentions"][:2]}
        document["relations"] *= len(labels) > 1
    return documents


def _entries():
    first = {"m": {"text": "x", "offsets": [[1, 0, 1, 0]]}, "ln": "list"}
    second = {
        "m": {"text": "x", "offsets": [[1, 2, 1, 3]]},
        "do": {"text": "x", "offsets": [[2, 0, 2, 1]]},
        "ln": "narrative",
    }
    return [[], [first], [second], [first, second]]


def _sections():
    labels = ["TREATMENT", None, "EVOLUTION", None, "EXPLORATION", None]
    return [labels, [None] * 6, labels[::-1], ["TREATMENT", *[None] * 5]]


def _slots():
    severe = {"severity": "severe", "negation": "yes", "body_location": "C0000007,C0000008"}
    more = [{**m, **severe} for m in _mentions(["C1", "C2", None], "cui")[3]]
    return [*_mentions(["C1", "c1", None], "cui"), more]


def _concepts():
    labels = ["Chemical", "Disease", "Chemical"]
    links = [{"label": "CID", "from": "D1", "to": "D2"}]
    return [
        {"mentions": mentions, "relations": links[: at % 2]}
        for at, mentions in enumerate(_mentions(labels, concepts=["D1"]))
    ]


def _observations():
    first = {"id": "5", "value_type": "SINGLE_SELECT", "name": "Unit", "value": "Fahrenheit"}
    second = {"id": "8", "value_type": "MULTI_SELECT", "name": "Sounds", "value": ["a", "b"]}
    third = {"id": "4", "value_type": "NUMERIC", "name": "Temperature", "value": 98.6}
    other = {**third, "value": 99}
    records = [[], [first, third], [second, other], [first, second, third, other]]
    return list(map(json.dumps, records))  # a column of a table has values of one type


def _risks():
    first = {"tag": "CAD", "time": "before DCT", "indicator": "mention"}
    second = {"tag": "MEDICATION", "time": "during DCT", "indicator": "ARB + diuretic"}
    third = {"tag": "SMOKER", "indicator": "past"}
    other = {**first, "time": "after DCT"}
    return [[], [first, third], [second, other], [first, second, third, other]]


def _nested():
    times = [{"when": "am", "n": 1}, {"when": "pm", "n": 2.5}]
    first = {"drug": "aspirin", "dose": 5, "tags": ["a"], "times": times}
    second = {"drug": "heparin", "dose": None, "tags": [], "times": times[:1]}
    other = {**second, "tags": ["a", "b"], "dose": 5.5}
    return [[], [first], [second, other], [first, second, other]]


def _cohort():
    whole = dict.fromkeys(CRITERIA, "not met")
    return [whole, {**whole, "ENGLISH": "met"}, {**whole, "ABDOMINAL": "met", "KETO-1YR": "met"}]


def _orders():
    first = {"order_type": "lab", "description": "lipid panel", "reason": "x", "provenance": [1]}
    second = {"order_type": "lab", "description": "urine culture", "reason": "", "provenance": []}
    third = {**first, "order_type": "imaging", "description": "chest x-ray today"}
    other = {**third, "description": "x-ray", "provenance": [2, 1]}
    return [[], [first, third], [second, other], [first, second, third, other]]


DOCUMENTS = {
    "semeval15_task14": _slots(),
    "clefehealth13_task1": _mentions(["C1", "c1", None], "cui"),
    "clefehealth13_task2": ["C1", "c1", "C2", "CUI-less"],
    "i2b2_2009_medication": _entries(),
    "clinais23_b2": _sections(),
    "codiesp20": [["I10"], ["I10", "E11.9"], ["e11.9", "Z00"], ["A00", "B00", "I10"]],
    "i2b2_2014_deid": _mentions(["DOCTOR", "DATE", "PATIENT"]),
    "meddocan19": _mentions(["NOMBRE_SUJETO_ASISTENCIA", "FECHAS", "HOSPITAL"]),
    "pharmaconer19": _mentions(["NORMALIZABLES", "PROTEINAS", "NO_NORMALIZABLES"]),
    "multiclinai26": _mentions(["DISEASE", "SYMPTOM", "PROCEDURE"]),
    "cantemist20": _mentions(["MORFOLOGIA_NEOPLASIA"] * 3),
    "toxhabits25": _mentions(["Tobacco", "Drug", "Type"]),
    "multicardioner24": _mentions(["ENFERMEDAD", "FARMACO", "b"]),
    "symptemist23": _mentions(["SINTOMA", "a", "b"]),
    "distemist22": _mentions(["ENFERMEDAD", "ENFERMEDAD", "ENFERMEDAD"]),
    "livingner22": _mentions(["SPECIES", "HUMAN", "SPECIES"]),
    "medprocner23": _mentions(["PROCEDIMIENTO", "a", "b"]),
    "clinical_spans": _mentions(["a", "b", "c"]),
    "i2b2_2010": _related(["problem", "treatment", "test"], "TrIP"),
    "bc5cdr": _concepts(),
    "medmentions": _mentions(["T047", "T116", "T033"], concept="C0000001"),
    "ncbi_disease": _mentions(["SpecificDisease", "Modifier", "Disease"], concept="D1"),
    "tac2017_adr": _related(["AdverseReaction", "Severity", "AdverseReaction"], "Effect"),
    "n2c2_2018_track2": _related(["Drug", "Dosage", "Form"], "Dosage-Drug"),
    "clinical_tempeval": _related(["EVENT", "TIMEX3", "EVENT"], "CONTAINS", polarity="POS"),
    "i2b2_2012_temporal": _related(["EVENT", "TIMEX3", "EVENT"], "BEFORE", polarity="POS"),
    "chemu20": [
        {**document, "text": TEXT}
        for document in _related(["SOLVENT", "REACTION_STEP", "TIME"], "ARG1")
    ],
    "drugprot21": _interacting("GENE", "INHIBITOR"),
    "chemprot17": _interacting("GENE-Y", "CPR:3"),
    "n2c2_2022_sdoh": _related(["Amount", "Alcohol", "StatusTime"], "Amount"),
    "n2c2_2022_cmed": _mentions(["Disposition", "Undetermined", "Drug"], action="Stop"),
    "ehealthkd20": [
        {**document, "text": TEXT}
        for document in _related(["Concept", "Action", "Concept"], "subject")
    ],
    "gutbrainie26": [
        {**document, "text": TEXT}
        for document in _related(["drug", "food", "DDF"], "target", code="u:1")
    ],
    "mediqa_synur26": _observations(),
    "mediqa_oe25": _orders(),
    "i2b2_2014_risk": _risks(),
    "clinical_relations": _related(["a", "b", "a"], "R"),
    "clinical_events": _related(["Drug", "Start", "Dose"], "Drug"),
    "archehr_qa26": [["1"], ["1", "2", "1>2"], ["2", "5", "2>5"], ["3", "1", "1>1", "1>2"]],
    "clinical_codes": [["I10"], ["I10", "E11.9"], ["e11.9", "Z00"], ["A00", "B00", "I10"]],
    "icd_coding": [["401.9"], ["401.9", "428.0"], ["4280", "V58.61"], ["486", "38.93", "401.9"]],
    "clinical_records": list(map(json.dumps, _nested())),
    "clinical_classes": ["past", "never", "current", "never"],
    "n2c2_2018_track1": _cohort(),
    "i2b2_2006_smoking": ["UNKNOWN", "SMOKER", "NON-SMOKER", "PAST SMOKER"],
    "i2b2_2008_obesity": [
        {"CAD": "Y"},
        {"CAD": "N", "Gout": "U"},
        {"OA": "Q", "Gout": "Y", "intuitive CAD": "N"},
    ],
}  # fmt: skip
"""Documents, each of which may be on either side."""
OPTIONS = {
    "clinical_spans": {"labels": ["a", "b", "c"]},
    "clinical_relations": {"types": ["R"]},
    "clinical_events": {"events": {"Start": {"Drug": []}}},
    "clinical_records": {"schema": infer_schema(_nested())},
    "clinical_classes": {"classes": ["past", "never", "current"]},
}
"""Options without which documents depend on each other."""
