"""spaCy scores and keeps models by the metrics for a user's own codes, classes and relations."""

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


def make_docs(notes, categories):
    docs = [spacy.blank("en")(text) for text in notes]
    for doc, right in zip(docs, notes.values(), strict=True):
        doc.cats = {each: float(each in right) for each in categories}
    return docs


@spacy.registry.callbacks("own_data_spoiler")
def spoil_the_end():
    """Turn the outputs around before the last evaluation, so that the last model is a bad one."""

    def spoil(nlp, args):
        outputs = {"softmax", "linear", "sparse_linear"}
        layers = nlp.get_pipe(nlp.pipe_names[0]).model.walk()
        for layer in layers if args["step"] == LAST - 1 else ():
            if layer.name in outputs:
                layer.set_param("W", -layer.get_param("W"))

    return spoil


LAST = 20
TRAINED = {
    "clinical_codes": (
        "textcat_multilabel",
        {"Raised pressure.": {"I10"}, "Sugar.": {"I10", "E11.9"}, "Wheezes.": {"J45"}},
        "micro_f1",
        {"macro_f1", "map", "auc_micro"},
    ),
    "icd_coding": (
        "textcat_multilabel",
        {"Raised pressure.": {"401.9"}, "Failing heart.": {"401.9", "428.0"}, "Cough.": {"486"}},
        "micro_f1",
        {"macro_f1", "map", "auc_macro"},
    ),
    "clinical_classes": (
        "textcat",
        {"He quit.": {"past"}, "Never smoked.": {"never"}, "Smokes daily.": {"now"}},
        "macro_f1",
        {"micro_f1", "kappa", "past_roc_auc", "brier"},
    ),
}
"""The component, the notes with their categories, the main score, and others."""


@pytest.mark.parametrize("name", TRAINED)
def test_a_categorizer_is_trained_and_the_best_one_is_kept(name, tmp_path):
    component, notes, main, others = TRAINED[name]
    docs = make_docs(notes, sorted(set.union(*notes.values())))
    write_docbin(docs * 4, tmp_path / "gold.spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe(component)
    nlp.add_pipe("clin_scorer", config={"challenge": name})
    config = nlp.config
    corpus = {"@readers": "spacy_clin.Corpus.v1", "path": str(tmp_path / "gold.spacy")}
    config["corpora"] = {"train": corpus, "dev": corpus}
    config["training"] |= {"max_steps": LAST, "eval_frequency": LAST // 2}
    config["training"]["optimizer"] = {"@optimizers": "Adam.v1", "use_averages": False}
    config["training"]["before_update"] = {"@callbacks": "own_data_spoiler"}
    config.to_disk(tmp_path / "base.cfg")
    fill_config(tmp_path / "config.cfg", tmp_path / "base.cfg")
    train(tmp_path / "config.cfg", tmp_path)
    found = {}
    for which in ("best", "last"):
        model = spacy.load(tmp_path / f"model-{which}")
        found[which] = score_docs(docs, [model(doc.text) for doc in docs], name).as_dict()
    held = spacy.load(tmp_path / "model-best").meta["performance"]
    [own] = [v for v in held.values() if isinstance(v, dict) and main in v]
    assert own[main] == pytest.approx(found["best"][main])
    assert own[main] > found["last"][main]
    assert own.keys() >= others


@pytest.mark.parametrize("name", each(HELD, [*SIDES, "n2c2_2022_sdoh", *TRAINED]))
def test_every_challenge_has_names_that_fit_the_training_table(name):
    scorer = spacy.blank("en").add_pipe("clin_scorer", config={"challenge": name}).scorer
    names = [*scorer.names.values()]
    assert len({*names}) == len(names)
    assert max(map(len, names)) <= COLUMN
    headline = find_challenge(name).measures.headline
    assert not headline or {*headline} & scorer.names.keys()
    assert sum(weight or 0 for weight in scorer.score_weights.values()) == pytest.approx(1)
