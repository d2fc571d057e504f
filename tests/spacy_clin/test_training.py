"""Real training runs: on the demo corpus with the configuration of spaCy's page, and by heart.

What a model learns depends on the arithmetic of the processor. So nothing here expects a number of
a trained model; where scores must disagree, the component learns what it predicts by heart.
"""

import json
import re
import warnings
from functools import partial

import pytest
import spacy
from confection import Config
from docs import CORPORA, demo_docs
from pages import code_of
from processes import shell
from spacy.cli.train import train
from spacy.language import Language
from spacy.scorer import get_ner_prf
from thorough import each, thorough

from clineval import InputWarning
from clineval.results.registry import find_challenge
from spacy_clin import get_mentions, read_docs, set_mentions, write_docbin
from spacy_clin.files import make_corpus
from spacy_clin.presets import find_reader

blocks = partial(code_of, "spacy_clin/README.md")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder and what the commands printed."""
    folder = tmp_path_factory.mktemp("training")
    (folder / "base.cfg").write_text(blocks("ini")[0])
    prepare, train = blocks("bash")[:2]
    shell(prepare, folder)
    return folder, shell(train, folder)


@pytest.fixture(scope="module")
def table(run):
    """The rows of the training table: column to value."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in run[1].splitlines()]
    start = next(k for k, line in enumerate(lines) if line.startswith("E  "))
    names = re.split(r"\s{2,}", lines[start].strip())
    rows = []
    for line in lines[start + 2 :]:
        values = line.split()
        if len(values) != len(names):
            break
        rows.append(dict(zip(names, map(float, values), strict=True)))
    return rows


@thorough
def test_the_score_is_in_the_table_and_counts(table):
    assert len(table) == 9  # 160 steps, evaluated every 20
    for row in table:
        assert row["SCORE"] == pytest.approx(row["C13T1_EXACT_F"] / 100, abs=0.0051)


@thorough
def test_the_best_model_is_the_one_with_the_highest_score(run, table):
    best = json.loads((run[0] / "out" / "model-best" / "meta.json").read_text())["performance"]
    highest = max(row["C13T1_EXACT_F"] for row in table)
    assert 100 * best["c13t1_exact_f"] == pytest.approx(highest, abs=0.0051)  # two digits are shown


TEXT = "Severe chest pain, no fever."
GOLD = [{"spans": [[7, 17]], "severity": "severe"}, {"spans": [[22, 27]], "negation": "yes"}]
LESSONS = (
    [],
    # all of the words and none of the slots: spaCy's own F is 1, the challenge's score is low
    [{"spans": [[7, 17]], "negation": "yes"}, {"spans": [[22, 27]], "severity": "severe"}],
    # some of the words and all of the slots: spaCy's own F is 0, the challenge's score is 1
    [{"spans": [[13, 17]], "severity": "severe"}, {"spans": [[19, 27]], "negation": "yes"}],
    [],
)


@Language.factory("learns_by_heart")
class LearnsByHeart:
    """Predicts one lesson after the other, whatever the examples are that it is updated with."""

    is_trainable = True
    model = None

    def __init__(self, nlp, name):  # noqa: ARG002 - what spaCy hands in
        self.name, self.lesson = name, -1

    def update(self, *_, losses, **__):
        self.lesson += 1
        losses[self.name] = 0.0

    def __call__(self, doc):
        return annotate(doc, LESSONS[self.lesson])

    def score(self, examples, **_):
        return get_ner_prf(examples)

    def to_disk(self, path, **_):
        path.write_text(str(self.lesson))

    def from_disk(self, path, **_):
        self.lesson = int(path.read_text())
        return self


def annotate(doc, mentions):
    """The mentions with their slots, and as spaCy's own entities."""
    set_mentions(doc, [{"cui": None, **mention} for mention in mentions])
    doc.set_ents([doc.char_span(*mention["spans"][0], label="D") for mention in mentions])
    return doc


@pytest.mark.parametrize(("key", "lesson"), [("s15_f_x_wa", 2), ("ents_f", 1)])
def test_the_weight_of_a_score_chooses_the_model(tmp_path, key, lesson):
    """By construction of the data, spaCy's own F prefers another step than the challenge's."""
    nlp = spacy.blank("en")
    nlp.add_pipe("learns_by_heart")
    scorer = {"@scorers": "spacy_clin.semeval15_task14_scorer.v1", "config": "task2b"}
    nlp.add_pipe("clin_semeval15_task14", config={"scorer": scorer})
    write_docbin([annotate(nlp.make_doc(TEXT), GOLD)], tmp_path / "gold.spacy")
    corpus = {"@readers": "spacy_clin.Corpus.v1", "path": str(tmp_path / "gold.spacy")}
    config = nlp.config
    config["corpora"] = {"train": corpus, "dev": corpus}
    config["training"] |= {"max_steps": len(LESSONS) - 1, "eval_frequency": 1}
    config["training"]["score_weights"] = {"s15_f_x_wa": 0.0, "ents_f": 0.0} | {key: 1.0}
    config.to_disk(tmp_path / "config.cfg")
    train(tmp_path / "config.cfg", tmp_path)
    best = spacy.load(tmp_path / "model-best")
    assert best.get_pipe("learns_by_heart").lesson == lesson
    last = spacy.load(tmp_path / "model-last")
    assert last.get_pipe("learns_by_heart").lesson == len(LESSONS) - 1
    assert best.meta["performance"]["ents_f"] == (lesson == 1)
    assert (best.meta["performance"]["s15_f_x_wa"] == 1) is (lesson == 2)


@thorough
def test_spacy_evaluate_writes_the_scores(run):
    folder, _ = run
    written = json.loads((folder / "scores.json").read_text())
    nlp = spacy.load(folder / "out" / "model-best")
    scores = nlp.evaluate(list(make_corpus(folder / "dev.spacy")(nlp)))
    assert written["c13t1_scores"]
    # spaCy writes ten digits
    assert written["c13t1_exact_f"] == pytest.approx(scores["c13t1_exact_f"], abs=1e-9)
    assert written["c13t1_scores"] == pytest.approx(scores["c13t1_scores"], abs=1e-9)
    best = json.loads((folder / "out" / "model-best" / "meta.json").read_text())["performance"]
    assert best["c13t1_exact_f"] == pytest.approx(scores["c13t1_exact_f"], abs=1e-9)


@thorough
def test_the_table_of_the_challenge_is_printed(run):
    assert "ShARe/CLEF eHealth 2013 Task 1" in run[1]
    assert "clefehealth13_task1|task1a|protocol:spec" in run[1]


def test_the_configuration_is_short():
    assert len([line for line in blocks("ini")[0].splitlines() if line]) <= 25


def test_the_settings_of_another_package_fit_into_the_configuration():
    base, settings = blocks("ini")
    overrides = {"paths.train": "train", "paths.dev": "dev"}
    config = Config().from_str(base + settings, overrides=overrides)
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    reader = find_reader(nlp.config["components"]["score"]["pred"])
    assert reader.span_getter == {"ents": ["PROBLEM", "DIAGNOSIS"]}
    assert reader.sources["cui"].path == "label_"
    assert reader.sources["negation"] == find_reader("medspacy").sources["negation"]


@pytest.mark.parametrize("challenge", each(CORPORA))
def test_training_selects_by_what_each_challenge_ranks_by(tmp_path, challenge):
    """By construction: one lesson is the gold standard, the others are empty."""
    golds, _ = demo_docs(challenge)
    nlp = spacy.blank("en")
    group = find_challenge(challenge).faces.docs.group
    nlp.add_pipe("learns_the_gold", config={"gold": str(tmp_path / "gold.spacy"), "group": group})
    nlp.add_pipe("clin_scorer", config={"challenge": challenge})
    write_docbin(golds, tmp_path / "gold.spacy")
    reader = {"@readers": "spacy_clin.Corpus.v1", "path": str(tmp_path / "gold.spacy")}
    config = nlp.config
    config["corpora"] = {"train": reader, "dev": reader}
    config["training"] |= {"max_steps": 3, "eval_frequency": 1}
    config.to_disk(tmp_path / "config.cfg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        train(tmp_path / "config.cfg", tmp_path)
    best = spacy.load(tmp_path / "model-best")
    assert best.get_pipe("learns_the_gold").step == GOLDEN
    declared = find_challenge(challenge)
    for key in declared.measures.ranking["default"]:
        name = f"{declared.faces.docs.prefix}_{declared.faces.docs.names[key]}"
        assert best.meta["performance"][name] == 1.0
        assert best.config["training"]["score_weights"][name] > 0


GOLDEN = 1


@Language.factory("learns_the_gold", default_config={"gold": "", "group": ""})
class LearnsTheGold:
    """Predicts the gold standard after one update, and nothing before and after."""

    is_trainable = True
    model = None

    def __init__(self, nlp, name, gold, group):
        self.name, self.gold, self.group, self.step = name, gold, group, -1
        self.nlp = nlp

    def update(self, *_, losses, **__):
        self.step += 1
        losses[self.name] = 0.0

    def __call__(self, doc):
        doc.spans[self.group] = []
        if self.step == GOLDEN:
            known = {d.text: d for d in read_docs(self.gold, self.nlp.make_doc)}
            doc.spans[self.group] = known[doc.text].spans[self.group].copy(doc=doc)
            if any("," in span.kb_id_ for span in doc.spans[self.group]):  # of Task 2, one counts
                found = get_mentions(doc, key=self.group).values()
                first = [{"spans": m.spans, "cui": (m.cui or "").split(",")[0]} for m in found]
                set_mentions(doc, first, key=self.group)
        return doc

    def score(self, *_, **__):
        return {}

    def to_disk(self, path, **_):
        path.write_text(str(self.step))

    def from_disk(self, path, **_):
        self.step = int(path.read_text())
        return self


@thorough
def test_task_2a_works_on_the_command_line(run):
    folder, _ = run
    (folder / "negation.py").write_text(blocks("python")[0])
    printed = shell(blocks("bash")[2], folder)
    assert "semeval15_task14|task2a|protocol:spec" in printed


@thorough
def test_task_2a_works_as_a_dev_corpus(run, tmp_path):
    """Gold spans are given; the component of the page predicts their negation."""
    folder, _ = run
    (tmp_path / "negation.py").write_text(blocks("python")[0])
    config = (folder / "config.cfg").read_text()
    config = config.replace('"ner","score"', '"ner","find_negation","score"')
    section = '[components.find_negation]\nfactory = "find_negation"\n\n'
    config = config.replace("[components.ner]", f"{section}[components.ner]", 1)
    config = config.replace('"clefehealth13_task1"', '"semeval15_task14"', 1)
    config = config.replace('config = "task1a"', 'config = "task2a"')
    config = re.sub(r"c13t1_exact_f = .*", "s15_f_x_wa = 1.0", config)
    config = re.sub(r"c13t1_\w+ = .*", "", config)
    head, dev = config.split("[corpora.dev]")
    dev = dev.replace('given = "nothing"', 'given = "spans"', 1)
    train = head.replace('given = "nothing"', 'given = "spans"')
    (tmp_path / "config.cfg").write_text(f"{train}[corpora.dev]{dev}")
    printed = shell(
        "python -m spacy train config.cfg --output out --code negation.py "
        f"--paths.train {folder}/train.spacy --paths.dev {folder}/dev.spacy "
        "--training.max_steps 2 --training.eval_frequency 1",
        tmp_path,
    )
    assert "S15_F_X_WA" in printed
    best = json.loads((tmp_path / "out" / "model-best" / "meta.json").read_text())["performance"]
    assert best["s15_span_f"] == 1.0
    assert 0.3 < best["s15_f_x_wa"] < 1.0
    evaluated = shell(
        f"python -m spacy clin evaluate out/model-best {folder}/dev.spacy --config task2a "
        "--given spans --code negation.py --format json",
        tmp_path,
    )
    scores = json.loads(evaluated)["scores"]
    assert scores["f1_x_weighted_accuracy"] == pytest.approx(best["s15_f_x_wa"], abs=1e-9)
    assert scores["negation_accuracy"] > 0.8
