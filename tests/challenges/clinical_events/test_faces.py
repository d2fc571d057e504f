"""Events of any scheme in the faces: options, several systems, parts, answers, Docs, pages."""

import json

import pytest
import spacy
from commands import invoke

import clineval
from clineval import InputError, InputWarning
from clineval.answers import score as score_answers
from clineval.evaluation.convert import read
from clineval.protocols.own_events import parse_events
from clineval.results.registry import find_challenge
from spacy_clin import read_docs, score_docs

NAME = "clinical_events"
DEMO = find_challenge(NAME).task.corpora
GOLD, RULES, TAGGER = (DEMO / side for side in ("gold", "rules", "tagger"))
SCHEME = {"Start": {"status": ["done", "planned"], "Drug": [], "Dose": []}, "Stop": ["Drug"]}


def event(label, *arguments, at=0):
    return {"label": label, "spans": [[at, at + 4]], "arguments": [*arguments]}


def argument(label, value=None, at=6):
    return {"label": label, "spans": [[at, at + 4]], **({"value": value} if value else {})}


def score(found, gold, **options):
    return clineval.score(NAME, [{"events": found}], [{"events": gold}], **options)


# the scheme


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_a_scheme_limits_types_arguments_and_values(tmp_path):
    with pytest.warns(InputWarning) as caught:
        scores = clineval.score(NAME, TAGGER, GOLD, events=SCHEME)
    messages = [str(warning.message) for warning in caught]
    keys = {key.removesuffix("_tp") for key in scores if key.endswith("_tp")}
    assert keys == {
        *("overall", "trigger", "labelled", "span", "start", "start_trigger", "start_drug"),
        *("start_dose", "start_status", "start_status_done", "start_status_planned"),
        *("stop", "stop_trigger", "stop_drug"),
    }
    assert any("5 events have types that events= does not list" in each for each in messages)
    assert any("6 arguments have labels that events= does not list" in each for each in messages)
    assert "|events:start+stop|arguments:dose+drug+status|" in str(scores.signature)
    path = tmp_path / "scheme.json"
    path.write_text(json.dumps(SCHEME))
    run = invoke(["score", NAME, str(GOLD), str(TAGGER), "--events", str(path), "--format", "json"])
    assert json.loads(run.stdout)["signature"] == str(scores.signature)


def test_values_of_an_argument_need_no_list():
    scheme = {"Start": {"Status": None, "Drug": []}}
    found, gold = (
        [event("Start", argument("Status", "a"))],
        [event("Start", argument("Status", "b"))],
    )
    scores = score(found, gold, events=scheme)
    assert (scores["labelled_fn"], scores["start_status_fp"]) == (1, 1)
    assert "start_status_a_tp" not in scores


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        (3, "expected a list of events"),
        ({3: []}, "expected names of event types, got"),
        ({"Start": "Drug"}, "expected the arguments of each type as a dict or a list, such as"),
        ({"Start": {"Drug": "x"}}, "expected arguments with a list of values each, such as"),
        ({"Start": [3]}, "expected arguments with a list of values each"),
        ({"Start": [], "start": []}, "would be called 'start'"),
        ({"Start": ["Drug", "drug"]}, "'drug' would be called 'start_drug' in the results"),
        ({"Start": ["trigger"]}, "would be called 'start_trigger' in the results"),
        ({"Overall": []}, "'Overall' would be called 'overall' in the results"),
        ({"A": ["B"], "A B": []}, "would be called 'a_b' in the results"),
        ({"A": ["B", "B trigger"]}, "like the triggers of another one"),
        ({"A": ["?"]}, "would be called 'a_' in the results"),
        ({"A": {"B": ["x"]}, "C": ["B"]}, "the values of 'B' count in some event types only"),
    ],
)
def test_wrong_schemes_are_rejected(events, problem):
    with pytest.raises(InputError, match=problem):
        parse_events(events)


def test_names_in_files_are_rejected_like_those_of_options():
    gold = [event("Start", argument("Drug"), argument("drug"))]
    with pytest.raises(InputError, match="'drug' would be called 'start_drug' in the results"):
        score(gold, gold)
    with pytest.warns(InputWarning, match="1 event has a type that events= does not list"):
        assert score(gold, [event("Stop")], events=["Stop"])["stop_fn"] == 1


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"events": ["Strat"]}, "unknown event type 'Strat', expected one of .*Did you mean Start"),
        ({"labeled_arguments": ["Dos"]}, "unknown argument 'Dos', expected .*Did you mean Dose"),
        ({"events": SCHEME, "labeled_arguments": ["Dose"]}, "events= already lists the values"),
        ({"argument_names": "label"}, "unknown argument_names 'label'"),
        ({"trigger": "near"}, "unknown trigger 'near'"),
    ],
)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_wrong_options_are_rejected(options, problem):
    with pytest.raises(InputError, match=problem):
        clineval.score(NAME, TAGGER, GOLD, **options)


def test_half_of_the_gold_values_make_an_argument_labelled():
    found = [event("Start", argument("Dose", "a", at=20))]
    gold = [event("Start", argument("Dose", "a"), argument("Dose"))]
    assert score(found, gold)["labelled_tp"] == 1
    more = [event("Start", argument("Dose", "a"), argument("Dose"), argument("Dose"))]
    with pytest.warns(InputWarning, match="1 value of triggers, or of span-only arguments"):
        scores = score(found, more)
    assert (scores["labelled_tp"], scores["span_tp"], scores["span_fn"]) == (0, 0, 3)
    assert score(found, more, labeled_arguments=["Dose"])["labelled_tp"] == 1


def test_an_argument_with_many_values_has_no_scores_of_values():
    def of(number):
        return [event("Start", *(argument("Dose", f"v{at}") for at in range(number)))]

    assert score(of(20), of(20))["start_dose_v19_f1"] == 1.0
    scores = score(of(21), of(21))
    assert scores["start_dose_tp"] == 21
    assert not any("dose_v" in key for key in scores)


def test_values_with_taken_keys_have_no_scores_of_their_own():
    gold = [event("A", argument("B", "x y"), argument("B", "X-Y"), argument("B", "+"))]
    scores = score(gold, gold)
    keys = [key for key in scores if key.startswith("a_b_") and key.endswith("_tp")]
    assert keys == ["a_b_tp", "a_b_x_y_tp"]
    assert (scores["a_b_tp"], scores["a_b_x_y_tp"]) == (3, 1)


def test_types_of_predictions_alone_are_warned_about():
    with pytest.warns(InputWarning, match="1 event type of predictions does not occur in the ref"):
        scores = score([event("Stop")], [event("Start")])
    assert (scores["stop_fp"], scores["macro_overall_f1"]) == (1, 0.0)


# the faces


def test_systems_that_are_read_together_have_the_same_scores():
    systems = [[{"events": [event("Stop", argument("Drug"))]}], [{"events": []}]]
    gold = [{"events": [event("Start")]}]
    with pytest.warns(InputWarning, match="event type"):
        compared = clineval.compare(NAME, dict(zip("ab", systems, strict=True)), gold)
    first, second = compared.scores.values()
    assert first.values.keys() == second.values.keys() >= {"stop_drug_f1", "start_trigger_f1"}


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_parts_need_a_scheme():
    challenge = find_challenge(NAME)
    found, given = (challenge.setup("default", "spec", {"events": of}) for of in (None, SCHEME))
    assert challenge.steps.whole(found).endswith("Pass a whole scheme with events=")
    assert not challenge.steps.whole(given)
    sides = [read(side, NAME) for side in (TAGGER, GOLD)]
    parts = [[side[at : at + 3] for side in sides] for at in (0, 3)]
    first, second = (clineval.count(NAME, *part, events=SCHEME) for part in parts)
    assert (first + second).score().values == clineval.score(NAME, *sides, events=SCHEME).values


def test_quotes_score_as_their_offsets():
    note = "Started aspirin 5 mg, not warfarin."
    answer = [
        {
            "label": "Start",
            "text": "Started",
            "arguments": [
                {"label": "Drug", "text": "aspirin"},
                {"label": "Status", "value": "done"},
            ],
        },
        {"label": "", "text": "warfarin"},
    ]
    gold = {"events": [{
        "label": "Start", "spans": [[0, 7]],
        "arguments": [{"label": "Drug", "spans": [[8, 15]]}, {"label": "Status", "value": "done"}],
    }]}  # fmt: skip
    scores = score_answers(NAME, [answer], [gold], texts=[note])
    assert [scores[f"overall_{v}"] for v in ("tp", "fp", "fn")] == [3, 1, 0]
    assert (scores["n_invalid"], scores["start_status_done_tp"]) == (1, 1)
    # a label whose key is taken has no scores, and is wrong
    answer[1]["label"] = "start"
    assert score_answers(NAME, [answer], [gold], texts=[note])["overall_fp"] == 1
    answer[1]["label"] = "Stop"
    with pytest.warns(InputWarning, match="event type"):
        assert score_answers(NAME, [answer], [gold], texts=[note])["stop_fp"] == 1


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("system", [RULES, TAGGER])
def test_docs_of_files_score_as_the_files(system):
    blank = spacy.blank("en").make_doc
    docs = [[*read_docs(side, blank, NAME, text=DEMO / "text")] for side in (GOLD, system)]
    of_docs, of_files = score_docs(*docs, NAME), clineval.score(NAME, system, GOLD)
    assert of_docs.values == of_files.values
    assert of_docs.signature == of_files.signature


def test_the_page_shows_events_with_their_arguments(tmp_path):
    path = tmp_path / "page.html"
    words = [NAME, str(GOLD), str(TAGGER), "--text", str(DEMO / "text"), "-o", str(path)]
    assert invoke(["report", *words]).exit_code == 0
    page = path.read_text()
    assert '"key":"overall_f1"' in page.replace(" ", "")


def test_errors_name_what_is_wrong():
    run = invoke(["errors", NAME, str(GOLD), str(TAGGER)])
    assert {"event", "value", "label"} <= {line.split(" ")[0] for line in run.stdout.splitlines()}
