"""spaCy scores and chooses models by the metrics for a user's own codes, relations and events."""

import pytest
import spacy
from docs import blank_doc
from outside_cases import TEXT, at, mention, relate
from spacy.cli.init_config import fill_config
from spacy.cli.train import train
from spacy.language import Language
from spacy.training import Example
from thorough import each

import clineval
from clineval.results.registry import NAMES, find_challenge
from clineval.results.views import COLUMN
from spacy_clin import score_docs, set_mentions, write_docbin

HELD = [name for name in NAMES if "docs" not in find_challenge(name).kind.lacks]
GIVE = {"id": "T1", "spans": at("helped"), "label": "Give"}
DRUG = {"id": "T2", **mention("heparin", "Drug")}
OTHER = {"id": "T2", **mention("Aspirin", "Drug")}
ARGUMENT = {"label": "Drug", "from": "T1", "to": "T2"}
SIDES = {
    "clinical_relations": (
        relate(("CAUSES", 0, 1), ("TREATS", 2, 3)),
        relate(("CAUSES", 0, 1), ("TREATS", 3, 2)),
        {"strict_f1": 1 / 2, "mentions_f1": 1},
    ),
    "clinical_events": (
        {"mentions": [GIVE, DRUG], "relations": [ARGUMENT]},
        {"mentions": [GIVE, OTHER], "relations": [ARGUMENT]},
        {"trigger_f1": 1, "span_f1": 0, "overall_f1": 1 / 2},
    ),
}


@Language.factory("own_data_rules", default_config={"name_of": ""})
def make_rules(nlp, name, name_of):  # noqa: ARG001 - as spaCy calls it
    def annotate(doc):
        _, found, _ = SIDES[name_of]
        set_mentions(doc, found["mentions"], relations=found["relations"])
        return doc

    return annotate


@pytest.mark.parametrize("name", SIDES)
def test_pipelines_are_evaluated(name):
    gold, found, scores = SIDES[name]
    assert {k: clineval.score(name, [found], [gold])[k] for k in scores} == pytest.approx(scores)
    doc = blank_doc(TEXT)
    set_mentions(doc, gold["mentions"], relations=gold["relations"])
    nlp = spacy.blank("en")
    nlp.add_pipe("own_data_rules", config={"name_of": name})
    nlp.add_pipe("clin_scorer", config={"challenge": name})
    told = nlp.evaluate([Example(blank_doc(TEXT), doc)])
    [found_scores] = [v for v in told.values() if isinstance(v, dict) and {*scores} <= v.keys()]
    assert {key: found_scores[key] for key in scores} == pytest.approx(scores)


def test_a_categorizer_is_trained_with_codes(tmp_path):
    docs = []
    notes = ({"I10"}, "Raised pressure."), ({"I10", "E11.9"}, "Sugar."), ({"J45"}, "Wheezes.")
    for codes, text in notes:
        doc = spacy.blank("en")(text)
        doc.cats = {code: float(code in codes) for code in ("I10", "E11.9", "J45")}
        docs.append(doc)
    write_docbin(docs * 4, tmp_path / "gold.spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("textcat_multilabel")
    nlp.add_pipe("clin_scorer", config={"challenge": "clinical_codes"})
    config = nlp.config
    corpus = {"@readers": "spacy_clin.Corpus.v1", "path": str(tmp_path / "gold.spacy")}
    config["corpora"] = {"train": corpus, "dev": corpus}
    config["training"] |= {"max_steps": 20, "eval_frequency": 10}
    config.to_disk(tmp_path / "base.cfg")
    fill_config(tmp_path / "config.cfg", tmp_path / "base.cfg")
    train(tmp_path / "config.cfg", tmp_path)
    best = spacy.load(tmp_path / "model-best")
    scores = score_docs(docs, [best(doc.text) for doc in docs], "clinical_codes").as_dict()
    held = best.meta["performance"]
    [own] = [v for v in held.values() if isinstance(v, dict) and "micro_f1" in v]
    assert own["micro_f1"] == pytest.approx(scores["micro_f1"])
    assert scores["micro_f1"] > 0
    assert own.keys() >= {"macro_f1", "map", "auc_micro"}


@pytest.mark.parametrize("name", each(HELD, [*SIDES, "n2c2_2022_sdoh", "clinical_codes"]))
def test_every_challenge_has_names_that_fit_the_training_table(name):
    scorer = spacy.blank("en").add_pipe("clin_scorer", config={"challenge": name}).scorer
    names = [*scorer.names.values()]
    assert len({*names}) == len(names)
    assert max(map(len, names)) <= COLUMN
    headline = find_challenge(name).measures.headline
    assert not headline or {*headline} & scorer.names.keys()
    assert sum(weight or 0 for weight in scorer.score_weights.values()) == pytest.approx(1)
