"""Ways to a wrong score that nothing told of: each is refused, or warned about."""

import inspect
import warnings

import laws
import pytest
import spacy
from docs import CORPORA, TEXT, blank_doc, demo_docs
from spacy.tokens import Doc, Span
from spacy.training import Example

from clineval import InputError, InputWarning
from spacy_clin import get_mentions, score_docs, set_mentions, to_inputs

ENTS = {"span_getter": "ents"}
MENTION = {"spans": [[4, 15]], "cui": "C1"}


def annotated(mentions=(MENTION,), text=TEXT):
    doc = blank_doc(text)
    set_mentions(doc, mentions)
    return doc


def with_entities(code="", id_="", spans=((4, 15),)):
    doc = blank_doc()
    doc.ents = [doc.char_span(*s, label="X", kb_id=code, span_id=id_) for s in spans]
    return doc


def load(**settings):
    spacy.blank("en").add_pipe("clin_scorer", config=settings)


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"challenge": "semeval"}, ("unknown challenge", "semeval15_task14")),
        ({"challenge": "clefehealth13_task3"}, ("no scores of Docs",)),
        ({"config": "task3"}, ("unknown config", "task2b")),
        ({"protocol": "strict"}, ("unknown protocol", "official")),
        ({"options": {"overlap": "token"}}, ("unknown overlap", "word")),
        ({"options": {"overlaps": "word"}}, ("unknown option", "overlap")),
        ({"pred": "medspaCy"}, ("unknown preset", "medspacy")),
        ({"gold": "medspaCy"}, ("unknown preset", "medspacy")),
        ({"pred": {"atributes": {}}}, ("unknown setting", "attributes")),
        ({"pred": {"attributes": {"negated": "_.negex"}}}, ("unknown slot 'negated'", "negation")),
        ({"pred": {"attributes": {"negation": "is_negated"}}}, ("spans have no attribute",)),
        ({"pred": {"offsets": "tokens"}}, ("unknown offsets", "char, token")),
        (
            {"challenge": "clinais23_b2", "pred": {"labels": {"plan": "EVOLUTON"}}},
            ("unknown label", "EVOLUTION"),
        ),
        ({"prefix": "semeval2015"}, ("13 characters",)),
    ],
)
def test_what_does_not_exist_is_refused_when_the_pipeline_is_loaded(settings, parts):
    laws.refuses(lambda: load(**{"challenge": "semeval15_task14", **settings}), *parts)


def test_the_converter_is_judged_when_it_is_loaded():
    make = spacy.blank("en").add_pipe
    laws.refuses(lambda: make("clin_converter", config={"getter": "nobody"}), "unknown preset")


def test_a_file_that_is_not_at_hand_hinders_no_pipeline_but_its_scores():
    nlp = spacy.blank("en")
    config = {"challenge": "clinais23_b2", "options": {"weights": "weights.json"}}
    with pytest.warns(InputWarning, match=r"weights.*weights\.json"):
        scorer = nlp.add_pipe("clin_scorer", config=config)
    assert len(nlp(TEXT)) == 10
    golds, preds = demo_docs("clinais23_b2")
    laws.refuses(lambda: scorer.score([Example(preds[0], golds[0])]), "weights.json")


@pytest.mark.parametrize(
    ("pred", "hint"),
    [
        (lambda: with_entities(id_="C1"), "the ids of entities, set .*ent_id_"),
        (lambda: with_entities(code="NIL"), "Set the place of the codes"),
        (with_entities, "Set the place of the codes"),
    ],
)
def test_codes_that_are_nowhere_set_are_told(pred, hint):
    with pytest.warns(InputWarning, match=f"predictions: no mention has a code.*{hint}"):
        score = score_docs([annotated()], [pred()], pred="spacy", config="task1")
    assert score["strict_tp"] == 0
    with pytest.warns(InputWarning, match="references: no mention has a code"):
        score_docs([pred()], [annotated()], gold=ENTS, config="task1")


def test_codes_are_not_missed_where_they_are_not_scored(recwarn):
    score = score_docs([annotated()], [with_entities()], "clefehealth13_task1", config="task1a")
    assert score["exact_f1"] == 1.0
    nothing = annotated([{**MENTION, "cui": None}])
    assert score_docs([nothing], [with_entities("NIL")], config="task1")["strict_f1"] == 1.0
    assert not recwarn.list


def test_mentions_of_joined_docs_are_told():
    """Doc.from_docs loses attrs, and fragments of different Docs become one mention."""
    joined = Doc.from_docs([annotated([{**MENTION, "cui": None, "negation": "yes"}])] * 2)
    with pytest.warns(
        InputWarning, match=r"no attrs, because Doc\.from_docs and Span\.as_doc lose them"
    ):
        to_inputs([joined])


def test_the_name_of_a_group_that_could_be_words_of_a_note_is_withheld():
    doc = annotated([MENTION])
    doc.spans["Ann, 71, denies pain"] = list(doc.spans["clin"])
    with pytest.warns(InputWarning, match="has no attrs") as caught:
        get_mentions(doc, key="Ann, 71, denies pain")
    assert "71" not in str(caught[0].message)


@pytest.mark.parametrize("challenge", CORPORA)
def test_gold_that_nobody_annotated_has_no_scores(challenge):
    """None, as spaCy has it; 0.0 is for a model that finds nothing."""
    golds, preds = demo_docs(challenge)
    nlp = spacy.blank("en")
    nlp.add_pipe("clin_scorer", config={"challenge": challenge})
    examples = [Example(pred, blank_doc(pred.text)) for pred in preds]
    with pytest.warns(InputWarning, match="no reference is annotated.*gold_preproc"):
        scores = nlp.evaluate(examples)
    assert {scores[name] for name in nlp.get_pipe("clin_scorer").scorer.names.values()} == {None}
    laws.refuses(lambda: score_docs([e.reference for e in examples], preds, challenge), "no span")
    assert golds


def test_entities_that_nobody_set_are_told():
    preds = [with_entities("C1"), with_entities("C1")]
    golds = [with_entities("C1"), blank_doc()]
    with pytest.warns(InputWarning, match="entities are not set in 1 of 2 documents.*doc.ents = "):
        score = score_docs(golds, preds, gold=ENTS, pred=ENTS, config="task1")
    assert score["strict_fp"] == 1


def test_labels_that_no_span_has_are_told():
    settings = {"span_getter": {"ents": ["PROBLM"]}}
    with pytest.warns(InputWarning, match="no span of 'ents' has the label 'PROBLM'.*'X'"):
        to_inputs([with_entities("C1")], getter=settings)


def test_warnings_point_to_the_line_that_led_to_them():
    Span.set_extension("negex", default=False, force=True)
    gold, pred = annotated(), with_entities("C1")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score_docs([gold], [pred], pred="negspacy", config="task2a")
        line = inspect.currentframe().f_lineno - 1
    assert len(caught) > 1
    assert {(w.filename, w.lineno) for w in caught} == {(__file__, line)}


def test_the_span_group_counts_where_there_is_one_and_entities_elsewhere(recwarn):
    """The same for scores, scorers, the converter and inputs."""
    other = annotated([{"spans": [[26, 33]], "cui": "C1"}])
    other.ents = with_entities("C1").ents
    gold = annotated()
    assert score_docs([gold], [with_entities("C1")], config="task1")["strict_f1"] == 1.0
    assert score_docs([gold], [other], config="task1")["strict_f1"] == 0.0
    assert to_inputs([other]) == [[{"spans": [[26, 33]], "cui": "C1"}]]
    nlp = spacy.blank("en")
    convert = nlp.add_pipe("clin_converter")
    assert to_inputs([convert(with_entities("C1"))]) == [[MENTION]]
    assert to_inputs([convert(other)]) == [[{"spans": [[26, 33]], "cui": "C1"}]]
    settings = {"challenge": "semeval15_task14", "config": "task1"}
    scorer = nlp.add_pipe("clin_scorer", config=settings)
    assert scorer.score([Example(with_entities("C1"), gold)])["s15_strict_f"] == 1.0
    assert not recwarn.list
    laws.refuses(lambda: score_docs([gold], [blank_doc()]), "no span group 'clin'", "pred='spacy'")


def test_arguments_may_be_named():
    gold, pred = annotated(), annotated([MENTION, {"spans": [[26, 33]], "cui": "C2"}])
    score = score_docs(preds=[pred], golds=[gold], config="task1")
    assert (score["strict_fp"], score["strict_fn"]) == (1, 0)


SCORER = "spacy_clin.semeval15_task14_scorer.v1"


@pytest.mark.parametrize("weight", ["s15_f_x_wa", "s15_f1", "x_f_x_wa"])
@pytest.mark.parametrize("prefix", ["s15", "x"])
def test_weights_of_scores_that_are_never_given_are_refused(weight, prefix):
    """A configuration that was filled, and then changed to task1, chose any model."""
    nlp = spacy.blank("en")
    scorer = {"@scorers": SCORER, "config": "task1", "prefix": prefix}
    nlp.add_pipe("clin_semeval15_task14", config={"scorer": scorer})
    nlp.initialize()
    nlp.config["training"]["score_weights"][weight] = 1.0
    foreign = prefix == "s15" and weight.startswith("x_")
    if foreign:  # of a component that is none of ours
        nlp.initialize()
        return
    with pytest.raises(InputError, match=f"{weight}.*no scorer returns.*{prefix}_strict_f.*fill"):
        nlp.initialize()


@pytest.mark.parametrize("weight", [0.0, None])
def test_weights_that_are_all_0_are_refused(weight):
    """No score would have a part in the choice of the best model."""
    nlp = spacy.blank("en")
    nlp.add_pipe("clin_semeval15_task14", config={"scorer": {"@scorers": SCORER}})
    nlp.config["training"]["score_weights"]["s15_f_x_wa"] = weight
    with pytest.raises(InputError, match=r"all weights are 0.*s15_f_x_wa = 1\.0"):
        nlp.initialize()
