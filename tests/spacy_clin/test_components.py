"""Components, scorers and what spaCy finds of them by itself."""

import pickle
import subprocess
import sys

import laws
import pytest
import spacy
from docs import CORPORA, HARD, TEXT, blank_doc, demo_docs
from spacy.tokens import DocBin
from spacy.training import Example

from clineval import InputError, InputWarning
from clineval.results.registry import find_challenge
from spacy_clin import score_docs, set_mentions, to_inputs

FACTORIES = [f"clin_{challenge}" for challenge in CORPORA]
SCORERS = [f"spacy_clin.{challenge}_scorer.v1" for challenge in CORPORA]


def run(code, *arguments, cwd, status=0):
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_spacy_finds_all_by_entry_points(tmp_path):
    """No import of ours, from any directory."""
    code = """
import spacy, sys
from spacy.util import registry
for name in sys.argv[1].split(","):
    spacy.blank("en").add_pipe(name)
for name in sys.argv[2].split(","):
    assert callable(registry.scorers.get(name)())
assert callable(registry.readers.get("spacy_clin.Corpus.v1"))
spacy.blank("en").add_pipe("clin_converter")
print("found")
"""
    scorers = [*SCORERS, "spacy_clin.combined_scorer.v1"]
    assert "found" in run(code, ",".join(FACTORIES), ",".join(scorers), cwd=tmp_path)


def test_spacy_alone_loads_nothing_heavy(tmp_path):
    code = """
import sys, spacy
spacy.blank("en").add_pipe("sentencizer")
heavy = {"evaluate", "datasets", "pyarrow", "clineval"} & sys.modules.keys()
assert not heavy, heavy
nlp = spacy.blank("en")
nlp.add_pipe("clin_semeval15_task14")
import spacy_clin.scoring, spacy_clin.cli, spacy_clin.files
assert not {"evaluate", "datasets", "pyarrow"} & sys.modules.keys()
print("light")
"""
    assert "light" in run(code, cwd=tmp_path)


BREAK = """
import sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "clineval" or name.startswith("clineval."):
            raise RuntimeError("clineval is broken")
sys.meta_path.insert(0, Broken())
import spacy
nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
print([t.text for t in nlp("It works.")])
"""


def test_a_broken_clineval_breaks_no_pipeline_of_others(tmp_path):
    assert "['It', 'works', '.']" in run(BREAK, cwd=tmp_path)
    broken = run(f"{BREAK}\nnlp.add_pipe('clin_semeval15_task14')", cwd=tmp_path, status=1)
    assert "clineval is broken" in broken
    command = (
        f"{BREAK}\nimport spacy.cli\nfrom spacy.cli._util import registry\nregistry.cli.get_all()"
    )
    assert "works" in run(command, cwd=tmp_path)


def examples_of(golds, preds):
    return [Example(pred, gold) for gold, pred in zip(golds, preds, strict=True)]


@pytest.fixture(scope="module", params=CORPORA)
def challenge(request):
    return request.param


def test_evaluate_gives_the_scores_of_the_docs(challenge):
    golds, preds = demo_docs(challenge)
    nlp = spacy.blank("en")
    nlp.add_pipe(f"clin_{challenge}")
    scores = nlp.evaluate(examples_of(golds, preds))
    expected = score_docs(golds, preds, challenge)
    prefix = find_challenge(challenge).faces.docs.prefix
    assert scores[f"{prefix}_scores"] == dict(expected.values)
    for key, name in find_challenge(challenge).faces.docs.names.items():
        assert scores[f"{prefix}_{name}"] == expected[key]


def test_names_are_short_unique_and_weighted(challenge):
    docs = find_challenge(challenge).faces.docs
    names = [f"{docs.prefix}_{name}" for name in docs.names.values()]
    assert all(len(name) <= 13 for name in names)
    assert len(set(names)) == len(names)
    nlp = spacy.blank("en")
    nlp.add_pipe(f"clin_{challenge}")
    weights = nlp.get_pipe_meta(f"clin_{challenge}").default_score_weights
    others = {f"{docs.prefix}_scores", f"{docs.prefix}_dataset"}
    assert set(weights) == {*names, *others}
    assert sum(weight for weight in weights.values() if weight) == 1.0
    # neither a dict nor a name must be weighted, or training stops
    assert {weights[name] for name in others} == {None}


def test_a_scorer_takes_the_gold_standard_that_is_asked_for_by_name():
    golds, preds = demo_docs("semeval15_task14")
    asked = {"@scorers": "spacy_clin.scorer.v1", "dataset": "semeval15_task14/demo"}
    nlp = spacy.blank("en")
    nlp.add_pipe("clin_semeval15_task14", config={"scorer": asked})
    assert nlp.evaluate(examples_of(golds, preds))["s15_dataset"] == "semeval15_task14/demo"
    with pytest.raises(InputError, match="1 of the set's 24 annotated documents is missing"):
        nlp.evaluate(examples_of(golds[1:], preds[1:]))
    wrong = {**asked, "dataset": "meddocan19/demo"}
    with pytest.raises(InputError, match="is a gold standard of meddocan19"):
        nlp.add_pipe("clin_semeval15_task14", name="other", config={"scorer": wrong})


def test_prefixes_differ():
    prefixes = [find_challenge(name).faces.docs.prefix for name in CORPORA]
    assert len(set(prefixes)) == len(prefixes)


def test_nothing_found_scores_zero_and_never_none(challenge):
    """At the first step nothing is found; a None would lose the score its weight for good."""
    golds, preds = demo_docs(challenge)
    key = find_challenge(challenge).faces.docs.group
    for doc in preds:
        doc.spans[key] = []
    nlp = spacy.blank("en")
    nlp.add_pipe(f"clin_{challenge}")
    if challenge == "clefehealth13_task2":
        with pytest.warns(InputWarning, match="have no prediction"):
            scores = nlp.evaluate(examples_of(golds, preds))
    else:
        scores = nlp.evaluate(examples_of(golds, preds))
    prefix = find_challenge(challenge).faces.docs.prefix
    own = {name: value for name, value in scores.items() if name.startswith(f"{prefix}_")}
    nested = own.pop(f"{prefix}_scores")
    assert own.pop(f"{prefix}_dataset") == f"{challenge}/demo"
    assert {type(value) for value in [*own.values(), *nested.values()]} == {float}
    # bare references make B2 of a note without any prediction a little more than nothing
    headline = next(iter(find_challenge(challenge).faces.docs.names.values()))
    assert own[f"{prefix}_{headline}"] < 0.6


def test_no_examples_score_zero(challenge):
    from spacy_clin.scorers import ChallengeScorer

    scores = ChallengeScorer(challenge)([])
    assert {value for value in scores.values() if isinstance(value, float)} == {0.0}


def test_scorers_take_the_settings_of_any_component_and_can_be_pickled(challenge):
    golds, preds = demo_docs(challenge)
    nlp = spacy.blank("en")
    pipe = nlp.add_pipe(f"clin_{challenge}")
    examples = examples_of(golds, preds)
    expected = pipe.scorer(examples)
    assert pickle.loads(pickle.dumps(pipe)).scorer(examples, beam_width=1, labels=[]) == expected


def test_pipelines_are_saved_and_loaded(tmp_path):
    nlp = spacy.blank("en")
    scorer = {"@scorers": "spacy_clin.semeval15_task14_scorer.v1", "config": "task1"}
    nlp.add_pipe("clin_converter", config={"getter": {"preset": "spacy", "code": "label_"}})
    nlp.add_pipe("clin_semeval15_task14", config={"scorer": scorer})
    nlp.to_disk(tmp_path / "pipeline")
    loaded = spacy.load(tmp_path / "pipeline")
    assert loaded.get_pipe("clin_semeval15_task14").scorer.settings["config"] == "task1"
    assert loaded.get_pipe("clin_converter").getter["code"] == "label_"


def test_the_converter_writes_what_the_scorer_reads():
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "X", "pattern": "dilated", "id": "C0012359"}])
    getter = {"mentions": "ents", "code": "ent_id_"}
    nlp.add_pipe("clin_converter", config={"getter": getter})
    nlp.add_pipe("clin_semeval15_task14")
    gold = blank_doc()
    set_mentions(gold, [{"spans": [[26, 33]], "cui": "C0012359"}])
    scores = nlp.evaluate([Example(nlp.make_doc(TEXT), gold)])
    assert scores["s15_strict_f"] == 1.0


@pytest.mark.parametrize("n_process", [1, 2])
def test_converted_docs_travel(n_process):
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "X", "pattern": "dilated", "id": "C1"}])
    nlp.add_pipe("clin_converter", config={"getter": {"mentions": "ents", "code": "ent_id_"}})
    docs = list(nlp.pipe([TEXT] * 3, n_process=n_process))
    stored = DocBin(docs=docs)
    kept = list(DocBin().from_bytes(stored.to_bytes()).get_docs(spacy.blank("en").vocab))
    expected = [[{"spans": [[26, 33]], "cui": "C1"}]] * 3
    assert to_inputs(docs) == to_inputs(kept) == expected


@pytest.mark.parametrize("challenge", [c for c in CORPORA if c != "semeval15_task14"])
def test_converting_loses_nothing(challenge):
    from spacy_clin.kinds import convert_doc

    golds, preds = demo_docs(challenge)
    expected = score_docs(golds, preds, challenge)
    for doc in preds:
        convert_doc(doc, challenge, "clin")
    assert dict(score_docs(golds, preds, challenge).values) == dict(expected.values)


def test_combined_scorers_refuse_equal_names():
    from spacy_clin.scorers import (
        make_clefehealth13_task1_scorer,
        make_combined_scorer,
        make_semeval15_task14_scorer,
    )

    examples = examples_of(*demo_docs("semeval15_task14"))
    both = make_combined_scorer(
        make_semeval15_task14_scorer(), make_clefehealth13_task1_scorer(config="task1a")
    )
    scores = both(iter(examples))
    assert scores["s15_span_f"] == scores["c13t1_over_f"]
    twice = make_combined_scorer(make_semeval15_task14_scorer(), make_semeval15_task14_scorer())
    laws.refuses(lambda: twice(examples), "s15_strict_f", "another prefix")


def test_combined_scorers_work_in_a_config():
    nlp = spacy.blank("en")
    scorer = {
        "@scorers": "spacy_clin.combined_scorer.v1",
        "*": {
            "a": {"@scorers": "spacy_clin.semeval15_task14_scorer.v1", "prefix": "a"},
            "b": {"@scorers": "spacy_clin.semeval15_task14_scorer.v1", "prefix": "b"},
        },
    }
    nlp.add_pipe("clin_semeval15_task14", config={"scorer": scorer})
    scores = nlp.evaluate(examples_of(*demo_docs("semeval15_task14")))
    assert scores["a_strict_f"] == scores["b_strict_f"] > 0


def test_long_prefixes_are_refused():
    from spacy_clin.scorers import make_semeval15_task14_scorer

    laws.refuses(lambda: make_semeval15_task14_scorer(prefix="semeval2015"), "13 characters")


def test_the_table_of_spacy_evaluate_shows_the_rows():
    from spacy_clin.scorers import make_semeval15_task14_scorer

    golds, preds = demo_docs("semeval15_task14")
    scores = make_semeval15_task14_scorer(table_key="clin")(examples_of(golds, preds))
    expected = score_docs(golds, preds)
    assert scores["spans_clin_f"] == expected["strict_f1"]
    assert set(scores["spans_clin_per_type"]) == {"strict", "relaxed", "overlap"}
    assert scores["spans_clin_per_type"]["relaxed"]["r"] == expected["relaxed_recall"]


def test_overlapping_mentions_with_equal_offsets_and_other_codes_are_exact():
    gold, pred = blank_doc(), blank_doc()
    set_mentions(gold, HARD)
    set_mentions(pred, {**HARD, "T4": {**HARD["T4"], "cui": "C9"}})
    score = score_docs([gold], [pred])
    assert (score["strict_tp"], score["strict_fp"], score["strict_fn"]) == (4, 1, 1)


def test_a_document_without_any_slot_is_converted_without_a_warning():
    """That no document has a slot is news; that one has none is not."""
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "X", "pattern": "dilated"}])
    nlp.add_pipe("clin_converter")
    assert to_inputs([nlp(TEXT)]) == [[{"spans": [[26, 33]], "cui": None}]]
