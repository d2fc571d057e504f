"""What a user does with the challenge; run where it is installed, prints what came out as JSON."""

import json
import re
import sys
from pathlib import Path

import spacy

import clineval
from clineval import Document, Mention, hf
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import confuse, count_mistakes, find_frequent
from clineval.training import TagSet, Windows, compute_metrics_for, from_bigbio, from_mentions
from clineval.workbench import build_workbench
from spacy_clin import get_mentions, score_docs, set_mentions, to_inputs
from spacy_clin.scorers import make_scorer

NAME = "trial_concepts"
TEXTS = ["No fever. aspirin given.", "ecg"]
GOLD = [
    [
        {"spans": [[3, 8]], "type": "problem", "assertion": "absent", "conditional": True},
        {"spans": [[10, 17]], "type": "treatment"},
    ],
    [{"spans": [[0, 3]], "type": "test"}],
]
FOUND = [
    [
        {"spans": [[3, 8]], "type": "problem"},
        {"spans": [[10, 23]], "type": "treatment"},
    ],
    [{"spans": [[0, 3]], "type": "problem"}],
]


def documents(side):
    return [
        Document(f"n{at}", [Mention.from_dict(each) for each in mentions], text)
        for at, (mentions, text) in enumerate(zip(side, TEXTS, strict=True))
    ]


def docs(side):
    nlp, found = spacy.blank("en"), []
    for at, (text, mentions) in enumerate(zip(TEXTS, side, strict=True)):
        found.append(nlp(text))
        set_mentions(found[-1], mentions, document=f"n{at}")
    return found


def train():
    """What the Trainer calls, for a tagger that is always right."""
    words = [[*re.finditer(r"\w+|\W", text)] for text in TEXTS]
    windows = Windows.of({"offset_mapping": [[m.span() for m in row] for row in words]}, TEXTS)
    tags = TagSet.of(["problem", "test", "treatment"], "biohd")
    metrics = compute_metrics_for(NAME, windows, GOLD, tags)
    annotations = [from_mentions(mentions, lambda m: m["type"]) for mentions in GOLD]
    metrics.add(windows.encode(annotations, tags))
    return metrics.compute()


def refuse(call):
    """What the error of a call says."""
    try:
        call()
    except clineval.InputError as error:
        return str(error)
    return ""


def main(folder):
    results = {}
    results["dicts"] = clineval.score(NAME, FOUND, GOLD).as_dict()
    results["documents"] = clineval.score(NAME, documents(FOUND), documents(GOLD)).as_dict()
    results["objects without a code"] = [
        Mention([(0, 3)], slots={"type": "test"}, coded=coded).as_dict() for coded in (True, False)
    ]
    evaluation = clineval.evaluate(NAME, FOUND, GOLD)
    results["by type"] = break_down(evaluation.outcomes, "concept").values
    results["by assertion"] = break_down(evaluation.outcomes, "slot:assertion").values
    results["kinds"] = count_mistakes(evaluation.outcomes)
    results["errors"] = [[m.kind, m.gold, m.prediction] for m in find_frequent(evaluation.outcomes)]
    confusion = confuse(evaluation.outcomes, "type")
    results["confusion"] = [list(confusion.values), confusion.table.tolist()]
    [agreement] = agree(NAME, {"a": GOLD, "b": FOUND})
    results["agreement"] = {
        slot: [of.pairs, of.agreement, of.kappa] for slot, of in agreement.slots.items()
    }
    comparison = clineval.compare(NAME, {"a": FOUND, "b": GOLD}, GOLD)
    results["compare"] = str(comparison)
    page = build_workbench(NAME, documents(GOLD), {"found": documents(FOUND)}, notes=TEXTS)
    results["report"] = [page.to_html()[:15], page.head["classes"]]
    results["docs"] = score_docs(docs(GOLD), docs(FOUND), NAME).as_dict()
    results["kept on docs"] = [m.as_dict() for m in get_mentions(docs(GOLD)[0]).values()]
    entities = [
        {
            "type": mention["type"],
            "offsets": mention["spans"],
            "text": [],
            "normalized": [{"db_name": "UMLS", "db_id": "C1"}],
        }
        for mention in GOLD[0]
    ]
    results["bigbio"] = from_bigbio([{"passages": [], "entities": entities}], NAME)
    results["trained"] = train()
    results["weights"] = make_scorer(challenge=NAME).score_weights
    results["load"] = refuse(lambda: hf.load(NAME))
    doc = docs(GOLD)[0]
    doc.user_data["found"] = [{"start": 3, "end": 8, "type": "problem", "x": "1"}]
    getter = {"span_getter": lambda each: each.user_data["found"]}
    results["slots of the challenge alone"] = refuse(lambda: to_inputs([doc], NAME, getter=getter))
    (folder / "results.json").write_text(json.dumps(results))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
