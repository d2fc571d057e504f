"""A canary, text of a note, in every place where something can be given."""

import json
import traceback
import warnings

from clineval import InputError, InputWarning
from clineval.challenges.n2c2_2018_track1.measures import CRITERIA

SECRET = "Quillfeather"
NOTE = f"{SECRET} Ann, 71, denies pain"
CANARIES = {
    "words": NOTE,
    "path": f"{NOTE}/HR 120/80 {SECRET}",
    "suffix": f"{NOTE}.json",
    "lines": f"{NOTE}\nNo rash.\n",
    "blank first": f" {NOTE}",
    "long": f"{NOTE}. " * 20,
    "very long": f"{NOTE}. " * 400,
    "bars": f"a|b|{NOTE}|c",
    "double bars": f"a||b||{NOTE}||c",
    "quotes": f'm="{NOTE}" 1:0 1:1',
    "tabs": f"a\t{NOTE}\tc",
    "object": json.dumps({"id": "a", "mentions": [], "text": NOTE}),
    "repeated key": f'{{"{NOTE}": 1, "{NOTE}": 2}}',
    "list": json.dumps([NOTE]),
    "torn": f'{{"id": "{NOTE}',
    "deep": '{"a":' * 5000 + f'"{NOTE}"',
    "NUL": f"{NOTE}\0",
    "surrogate": f"{NOTE}\ud800",
    "Japanese": f"患者は発熱{SECRET}と咳",
}
LONGEST = 3000
HOLD_NAMES = {"query", "docid", "id", "documents"}
ARE_NAMES = {"q", "d", "query", "n1"}
GOOD = {
    "semeval15_task14": [[{
        "spans": [[4, 15], [31, 38]], "cui": "C0344720", "negation": "no",
        "body_location": ["C0018792", "C0018793"], "cues": {"negation": [[0, 2]]},
    }]],
    "clefehealth13_task1": [[{"spans": [[4, 15]], "cui": "C0344720"}]],
    "clefehealth13_task2": [["C1", "C2"]],
    "clefehealth13_task3": {"q": {"d": 1}},
    "i2b2_2009_medication": [[{"m": {"text": "x", "offsets": [[1, 0, 1, 0]]}, "ln": "list"}]],
    "clinais23_b2": [["TREATMENT", None]],
    "pharmaconer19": [[{"spans": [[4, 15]], "label": "PROTEINAS"}]],
    "multiclinai26": [[{"spans": [[4, 15]], "label": "DISEASE"}]],
    "cantemist20": [[{"spans": [[4, 15]], "label": "MORFOLOGIA_NEOPLASIA"}]],
    "toxhabits25": [[{"spans": [[4, 15]], "label": "Tobacco"}]],
    "multicardioner24": [[{"spans": [[4, 15]], "label": "FARMACO"}]],
    "symptemist23": [[{"spans": [[4, 15]], "label": "SINTOMA"}]],
    "livingner22": [[{"spans": [[4, 15]], "label": "SPECIES"}]],
    "distemist22": [[{"spans": [[4, 15]], "label": "ENFERMEDAD"}]],
    "medprocner23": [[{"spans": [[4, 15]], "label": "PROCEDIMIENTO"}]],
    "meddocan19": [[{"spans": [[4, 15]], "label": "FECHAS"}]],
    "i2b2_2014_deid": [[{"spans": [[4, 15]], "label": "DOCTOR"}]],
    "archehr_qa26": [
        ["5", {"sentence_id": "6", "relevance": "essential"}],
        [{"answer_id": "1", "evidence_id": ["5"]}],
    ],
    "clinical_codes": [["I10", {"code": "E11.9", "score": 0.7}]],
    "icd_coding": [["401.9", {"code": "428.0", "score": 0.7}]],
    "codiesp20": [["I10", {"code": "E11.9", "spans": [[4, 15]]}]],
    "clinical_spans": [[{"spans": [[4, 15]], "label": "Drug"}]],
    "n2c2_2022_sdoh": [{"events": [{
        "label": "Alcohol", "spans": [[4, 15]],
        "arguments": [{"label": "StatusTime", "spans": [[0, 2]], "value": "none"}],
    }]}],
    "n2c2_2022_cmed": [[{"spans": [[4, 15]], "label": "Disposition", "action": "Stop"}]],
    "i2b2_2010": [{
        "mentions": [{"id": "p", "spans": [[4, 15]], "label": "problem"},
                     {"id": "t", "spans": [[0, 2]], "label": "test"}],
        "relations": [{"label": "TeRP", "from": "t", "to": "p"}],
    }],
    "medmentions": [[{"spans": [[4, 15]], "label": "T047", "concepts": ["C0000001"]}]],
    "ncbi_disease": [[{"spans": [[4, 15]], "label": "Disease", "concepts": ["D1"]}]],
    "bc5cdr": [{
        "mentions": [{"spans": [[4, 15]], "label": "Disease", "concepts": ["D1"]}],
        "relations": [{"label": "CID", "from": "D2", "to": "D1"}],
    }],
    "ehealthkd20": [{
        "text": "ab cd",
        "mentions": [
            {"id": "T1", "spans": [[0, 2]], "label": "Concept"},
            {"id": "T2", "spans": [[3, 5]], "label": "Action"},
        ],
        "relations": [{"label": "target", "from": "T2", "to": "T1"}],
    }],
    "n2c2_2018_track2": [{
        "mentions": [
            {"id": "T1", "spans": [[4, 15]], "label": "Drug"},
            {"id": "T2", "spans": [[16, 18]], "label": "Dosage"},
        ],
        "relations": [{"label": "Dosage-Drug", "from": "T2", "to": "T1"}],
    }],
    "clinical_tempeval": [{
        "mentions": [
            {"id": "T1", "spans": [[4, 15]], "label": "TIMEX3", "class": "DATE"},
            {"id": "T2", "spans": [[16, 18]], "label": "EVENT", "polarity": "POS"},
        ],
        "relations": [{"label": "CONTAINS", "from": "T1", "to": "T2"}],
    }],
    "i2b2_2012_temporal": [{
        "mentions": [
            {"id": "T1", "spans": [[4, 15]], "label": "TIMEX3", "value": "2001-03-04"},
            {"id": "T2", "spans": [[16, 18]], "label": "EVENT", "polarity": "POS"},
        ],
        "relations": [{"label": "BEFORE", "from": "T1", "to": "T2"}],
    }],
    "chemu20": [{
        "text": "add dry water",
        "mentions": [
            {"id": "T1", "spans": [[0, 3]], "label": "REACTION_STEP"},
            {"id": "T2", "spans": [[4, 13]], "label": "SOLVENT"},
        ],
        "relations": [{"label": "ARG1", "from": "T1", "to": "T2"}],
    }],
    "gutbrainie26": [{
        "text": "ab cd",
        "mentions": [
            {"id": "T1", "spans": [[0, 2]], "label": "drug", "code": "u:1"},
            {"id": "T2", "spans": [[3, 5]], "label": "human"},
        ],
        "relations": [{"label": "target", "from": "T1", "to": "T2"}],
    }],
    "tac2017_adr": [{
        "mentions": [
            {"id": "M1", "spans": [[4, 15]], "label": "AdverseReaction"},
            {"id": "M2", "spans": [[16, 18]], "label": "Severity"},
        ],
        "relations": [{"label": "Effect", "from": "M1", "to": "M2"}],
    }],
    "drugprot21": [{
        "mentions": [
            {"id": "T1", "spans": [[4, 15]], "label": "CHEMICAL"},
            {"id": "T2", "spans": [[16, 18]], "label": "GENE-Y"},
        ],
        "relations": [{"label": "INHIBITOR", "from": "T1", "to": "T2"}],
    }],
    "chemprot17": [{
        "mentions": [
            {"id": "T1", "spans": [[4, 15]], "label": "CHEMICAL"},
            {"id": "T2", "spans": [[16, 18]], "label": "GENE-Y"},
        ],
        "relations": [{"label": "CPR:3", "from": "T1", "to": "T2"}],
    }],
    "i2b2_2006_smoking": ["UNKNOWN"],
    "i2b2_2008_obesity": [{"CAD": "Y"}],
    "n2c2_2018_track1": [dict.fromkeys(CRITERIA, "met")],
    "clinical_relations": [{
        "mentions": [
            {"id": "T1", "spans": [[4, 15]], "label": "Drug"},
            {"id": "T2", "spans": [[16, 18]], "label": "Dose"},
        ],
        "relations": [{"label": "DOSE_OF", "from": "T2", "to": "T1"}],
    }],
    "clinical_events": [{
        "mentions": [
            {"id": "T1", "spans": [[4, 15]], "label": "Start", "status": "planned"},
            {"id": "T2", "spans": [[16, 18]], "label": "Drug"},
        ],
        "relations": [{"label": "Drug", "from": "T1", "to": "T2"}],
    }, {"events": [{
        "label": "Start", "spans": [[4, 15]],
        "arguments": [
            {"label": "Status", "value": "planned"}, {"label": "Drug", "spans": [[0, 2]]},
        ],
    }]}],
    "mediqa_oe25": [[{
        "order_type": "lab", "description": "lipid panel", "reason": "x", "provenance": [1],
    }]],
    "clinical_records": [{"drug": "aspirin", "dose": 5, "times": [{"when": "am", "tags": ["a"]}]}],
    "clinical_classes": [{"status": "past", "pain": ["no", "some"]}],
    "i2b2_2014_risk": [[
        {"tag": "CAD", "time": "before DCT", "indicator": "mention"},
        {"tag": "MEDICATION", "time": "after DCT", "indicator": ["ARB", "statin"]},
    ]],
    "mediqa_synur26": [[
        {"id": "5", "value_type": "MULTI_SELECT", "name": "Unit", "value": ["F", {"low": 1}]},
    ]],
}  # fmt: skip


def watch(call):
    """Call; whatever is raised or warned of must not have the canary in it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        error = raised_by(call)
    message = "" if error is None else str(error)
    assert message.isprintable(), "no line ends and no terminal's escapes"
    assert len(message) < LONGEST
    said = [message, *traceback.format_exception(error)] if error else []
    said += [str(warning.message) for warning in caught]
    assert not any(SECRET in line for line in said), said


def raised_by(call):
    try:
        call()
    except InputError as error:
        return error
    return None


def everywhere(value, canary):
    """A value with the canary in place of each of its parts, one at a time, but for names."""
    yield canary
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in HOLD_NAMES:
                yield from ({**value, key: other} for other in everywhere(part, canary))
            if key not in ARE_NAMES:
                yield {canary if name == key else name: kept for name, kept in value.items()}
        if not value.keys() & ARE_NAMES:
            yield {**value, canary: canary}
    if isinstance(value, list):
        for at, part in enumerate(value):
            yield from ([*value[:at], o, *value[at + 1 :]] for o in everywhere(part, canary))
