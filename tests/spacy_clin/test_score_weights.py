"""The score that chooses a model is the configuration's own ranking measure, and is produced."""

import pytest
import spacy
from docs import CORPORA, demo_docs
from spacy import util
from spacy.tokens import DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import create_evaluation_callback
from thinc.api import Config
from thorough import each

from clineval.results.registry import find_challenge
from spacy_clin import score_docs

RANKED_BY = {
    ("semeval15_task14", "default"): {"f1_x_weighted_accuracy": 1.0},
    ("semeval15_task14", "task1"): {"strict_f1": 1.0},
    ("semeval15_task14", "task2a"): {"f1_x_weighted_accuracy": 1.0},
    ("semeval15_task14", "task2b"): {"f1_x_weighted_accuracy": 1.0},
    ("clefehealth13_task1", "default"): {"exact_f1": 0.5, "strict_accuracy": 0.5},
    ("clefehealth13_task1", "task1a"): {"exact_f1": 1.0},
    ("clefehealth13_task1", "task1b"): {"strict_accuracy": 1.0},
    ("clefehealth13_task2", "default"): {"strict_accuracy": 1.0},
    ("i2b2_2009_medication", "default"): {"exact_horizontal_system_f1": 1.0},
    ("clinais23_b2", "default"): {"b2": 1.0},
}
SCORER = "spacy_clin.semeval15_task14_scorer.v1"


def examples_of(challenge):
    return [Example(pred, gold) for gold, pred in zip(*demo_docs(challenge), strict=True)]


def pipeline(*scorers, factory="clin_semeval15_task14"):
    """A pipeline with a component for each scorer."""
    nlp = spacy.blank("en")
    for number, scorer in enumerate(scorers):
        nlp.add_pipe(factory, name=f"score_{number}", config={"scorer": scorer})
    return nlp


def weights_of(nlp):
    """What ``spacy train`` weighs models by, where nothing else is said."""
    return nlp.config["training"]["score_weights"]


def weigh(nlp, examples):
    """The score that ``spacy train`` compares models by."""
    return create_evaluation_callback(nlp, lambda _: examples, weights_of(nlp))()[0]


def test_every_configuration_is_here():
    configs = {(c, config) for c in CORPORA for config in find_challenge(c).task.configs}
    assert set(RANKED_BY) == configs


@pytest.mark.filterwarnings("ignore:Task 2a gives the spans")
@pytest.mark.parametrize(("challenge", "config"), RANKED_BY)
@pytest.mark.parametrize("prefix", each([None, "x"], [None]))
def test_models_are_chosen_by_what_the_configuration_ranks_by(challenge, config, prefix):
    scorer = {"@scorers": f"spacy_clin.{challenge}_scorer.v1"}
    scorer |= {} if config == "default" else {"config": config}
    scorer |= {} if prefix is None else {"prefix": prefix}
    nlp = pipeline(scorer, factory=f"clin_{challenge}")
    golds, preds = demo_docs(challenge)
    score = score_docs(golds, preds, challenge, config=config)
    ranking = RANKED_BY[challenge, config]
    expected = sum(weight * score[key] for key, weight in ranking.items())
    assert 0 < expected < 1
    examples = [Example(pred, gold) for gold, pred in zip(golds, preds, strict=True)]
    assert weigh(nlp, examples) == pytest.approx(expected, abs=1e-12)
    # all that the table shows is produced, and all that is produced is in meta.json
    weights, scores = weights_of(nlp), nlp.evaluate(examples)
    assert nlp.get_pipe_meta("score_0").default_score_weights == weights
    assert {name for name, weight in weights.items() if weight is not None} <= scores.keys()
    own = f"{prefix or find_challenge(challenge).faces.docs.prefix}_"
    assert {name for name in scores if name.startswith(own)} <= weights.keys()


def test_each_component_has_its_own_weights():
    task1 = {"@scorers": SCORER, "config": "task1", "prefix": "a"}
    task2 = {"@scorers": SCORER, "config": "task2b", "prefix": "b"}
    both = pipeline(task1, task2)
    again = pipeline(task1)  # neither changes what was made before, nor what is made after
    alone = pipeline({"@scorers": SCORER})
    for nlp, expected in (
        (both, {"a_strict_f": 0.5, "b_f_x_wa": 0.5}),
        (again, {"a_strict_f": 1.0}),
        (alone, {"s15_f_x_wa": 1.0}),
    ):
        assert {name: weight for name, weight in weights_of(nlp).items() if weight} == expected
    scores = both.evaluate(examples_of("semeval15_task14"))
    expected = (scores["a_strict_f"] + scores["b_f_x_wa"]) / 2
    assert expected > 0
    weighed = weigh(both, examples_of("semeval15_task14"))
    assert weighed == pytest.approx(expected, abs=1e-12)


def test_scorers_of_one_component_count_alike():
    scorers = {
        "a": {"@scorers": SCORER, "config": "task1"},
        "b": {"@scorers": "spacy_clin.clefehealth13_task1_scorer.v1", "config": "task1a"},
        "c": {"@scorers": "spacy.ner_scorer.v1"},
    }
    nlp = pipeline({"@scorers": "spacy_clin.combined_scorer.v1", "*": scorers})
    own = nlp.get_pipe_meta("score_0").default_score_weights
    assert {name: w for name, w in own.items() if w} == {"s15_strict_f": 1.0, "c13t1_exact_f": 1.0}
    scores = nlp.evaluate(examples_of("semeval15_task14"))
    expected = (scores["s15_strict_f"] + scores["c13t1_exact_f"]) / 2
    assert expected > 0
    weighed = weigh(nlp, examples_of("semeval15_task14"))
    assert weighed == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("challenge", CORPORA)
def test_a_factory_without_a_scorer_of_ours_has_the_weights_of_its_own(challenge):
    pipeline({"@scorers": SCORER, "config": "task1"})
    factory, scorer = f"clin_{challenge}", {"@scorers": f"spacy_clin.{challenge}_scorer.v1"}
    weights = weights_of(pipeline(None, factory=factory))
    assert list(weights.items()) == list(weights_of(pipeline(scorer, factory=factory)).items())


CONFIG = """
[nlp]
lang = "en"
pipeline = ["score"]

[components]

[components.score]
factory = "clin_semeval15_task14"

[components.score.scorer]
@scorers = "spacy_clin.semeval15_task14_scorer.v1"
config = "task1"

[corpora]

[corpora.train]
@readers = "spacy_clin.Corpus.v1"
path = "docs.spacy"

[corpora.dev]
@readers = "spacy_clin.Corpus.v1"
path = "docs.spacy"
"""


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("", {"s15_strict_f": 1.0}),
        ("s15_strict_f = 0.0\ns15_relax_f = 1.0\n", {"s15_relax_f": 1.0}),
    ],
    ids=["nothing said", "said"],
)
def test_training_uses_them_unless_others_are_said(tmp_path, monkeypatch, said, expected):
    """As ``spacy init fill-config`` and ``spacy train`` make a pipeline of a configuration."""
    monkeypatch.chdir(tmp_path)
    DocBin(docs=demo_docs("semeval15_task14")[0]).to_disk("docs.spacy")
    text = CONFIG + (f"\n[training]\n\n[training.score_weights]\n{said}" if said else "")
    filled = util.load_model_from_config(Config().from_str(text), auto_fill=True)
    nlp = init_nlp(filled.config)
    for made in (filled, nlp):
        assert {name: weight for name, weight in weights_of(made).items() if weight} == expected
    nlp.to_disk("pipeline")
    stored = spacy.load("pipeline")
    assert weights_of(stored) == weights_of(nlp)


def test_a_sourced_component_brings_its_weights():
    source = pipeline({"@scorers": SCORER, "config": "task1"})
    nlp = spacy.blank("de")
    nlp.add_pipe("score_0", source=source)
    assert weights_of(nlp)["s15_strict_f"] == 1.0


def test_a_challenge_that_says_nothing_of_the_table_is_ranked_by_its_main_score():
    """Clinical spans: no names, no ranking, only main scores; all names fit into the table."""
    nlp = spacy.blank("en")
    nlp.add_pipe("clin_scorer", config={"challenge": "clinical_spans"})
    weights = weights_of(nlp)
    assert weights["cs_strict_f1"] == 1
    assert weights["cs_lenient_f1"] == 0
    assert max(map(len, weights)) <= 13
    assert "cs_boundary_f" in weights  # whole words, where the key is too long
