"""Answers of events: quotes of triggers and arguments, placed and scored."""

import json

import laws
import pytest
from commands import invoke

import clineval
from clineval.answers import Alignment, Reward, read_answers, reward, score
from clineval.answers.alignment import align_events
from clineval.base.errors import InputWarning
from clineval.harness.samples import SampleScoring

MODULE = "n2c2_2022_sdoh"
NOTE = "Quit smoking in 2010, 1 pack per day. Drinks beer daily."
EVENTS = [
    {
        "label": "Tobacco",
        "text": "smoking",
        "arguments": [
            {"label": "StatusTime", "value": "past", "text": "Quit"},
            {"label": "Amount", "text": "1 pack per day"},
        ],
    },
    {
        "label": "Alcohol",
        "text": "beer",
        "arguments": [
            {"label": "StatusTime", "value": "current"},
            {"label": "Frequency", "text": "daily"},
        ],
    },
]
PLACES = {"smoking": 5, "Quit": 0, "1 pack per day": 22, "beer": 45, "daily": 50}


def with_spans(unit):
    """Return a unit of an event with the offsets of its quote."""
    arguments = {"arguments": [*map(with_spans, unit["arguments"])]} if "arguments" in unit else {}
    own = {name: value for name, value in unit.items() if name != "text"}
    if "text" not in unit:
        return own
    start = PLACES[unit["text"]]
    return {**own, "spans": [[start, start + len(unit["text"])]], **arguments}


GOLD = {"events": [*map(with_spans, EVENTS)]}


def counts_of(answer, **options):
    """Score one answer: tp, fp and fn of all units."""
    result = score(MODULE, [answer], [GOLD], texts=[NOTE], **options)
    return tuple(result[f"overall_{name}"] for name in ("tp", "fp", "fn"))


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize(
    "answer",
    [
        EVENTS,
        {"events": EVENTS},
        json.dumps(EVENTS),
        f"<think>[]</think>Found:\n```json\n{json.dumps({'events': EVENTS}, indent=1)}\n```",
        "\n".join(map(json.dumps, EVENTS)),
        str(EVENTS),
    ],
)
def test_quotes_score_as_their_offsets_do(answer, protocol):
    """Whatever form the answer has, also of the trigger's, its score is that of its offsets."""
    result = score(MODULE, [answer], [GOLD], texts=[NOTE], protocol=protocol)
    direct = clineval.score(MODULE, [GOLD], [GOLD], protocol=protocol)
    assert {key: result[key] for key in direct} == {**direct}
    assert (direct["overall_tp"], direct["overall_f1"]) == (6, 1.0)


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        (lambda e: e[0].update(text="smokes"), (3, 3, 3)),  # its arguments are lost with it
        (lambda e: e[0].update(label="tobacco"), (3, 3, 3)),
        (lambda e: e[0]["arguments"][1].update(text="a pack"), (5, 1, 1)),
        (lambda e: e[0]["arguments"][1].pop("text"), (5, 1, 1)),
        (lambda e: e[0]["arguments"][1].update(label="Dose"), (5, 1, 1)),
        (lambda e: e[0]["arguments"][1].update(label="Tobacco"), (5, 1, 1)),
        (lambda e: e[0]["arguments"][0].update(value="current"), (5, 1, 1)),
        (lambda e: e[0]["arguments"][0].update(value=["past"]), (5, 1, 1)),
        (lambda e: e[0]["arguments"][0].update(text="stopped"), (6, 0, 0)),  # the value counts
        (lambda e: e[0]["arguments"].append("1 pack"), (6, 1, 0)),
        (lambda e: e[1].update(arguments="daily"), (4, 1, 2)),
        (lambda e: e[1].update(arguments=None), (4, 0, 2)),
        (lambda e: e.append(7), (6, 1, 0)),
        (lambda e: e.append(e[1]), (6, 3, 0)),
        (lambda e: e.reverse(), (6, 0, 0)),
    ],
)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_nothing_is_left_out(change, counts):
    """What cannot be right is a false positive, one for each trigger and each argument."""
    events = json.loads(json.dumps(EVENTS))
    change(events)
    assert counts_of(events) == counts


def test_the_place_of_a_value_counts_where_it_is_asked_for():
    events = json.loads(json.dumps(EVENTS))
    events[0]["arguments"][0]["text"] = "smoking"
    assert counts_of(events, labeled="exact") == (5, 1, 1)
    assert counts_of(EVENTS, labeled="exact") == (6, 0, 0)


def test_arguments_stand_near_their_trigger():
    note = "Drugs: none. Denies beer: none, wine, none."
    events = [
        [("Drug", ("Drugs",)), ("Status", ("none",)), ("Status", ("none",))],
        [("Alcohol", ("wine",)), ("Status", ("none",)), ("Method", ("none",)), ("Type", ("beer",))],
        [("Drug", ("wine",)), ("Status", ("Denies",))],
    ]
    starts = [[p.places[0][0][0] for p in of] for of in align_events(events, note, Alignment())]
    assert starts == [[0, 7, 26], [32, 38, 38, 20], [32, 13]]
    first = align_events(events, note, Alignment("first"))
    assert [p.places[0][0][0] for p in first[1]] == [32, 7, 7, 20]
    unique = align_events(events, note, Alignment("unique"))
    assert [p.verdict for p in unique[1]] == ["aligned", "ambiguous", "ambiguous", "aligned"]


def test_what_is_lost_is_listed_by_unit(tmp_path):
    events = [{"label": "Wine", "text": "beer", "arguments": [{"label": "Amount", "text": "two"}]}]
    answers, gold = tmp_path / "answers.jsonl", tmp_path / "gold.jsonl"
    answers.write_text(json.dumps({"id": "a", "answer": json.dumps(events)}) + "\n")
    gold.write_text(json.dumps({"id": "a", "text": NOTE, **GOLD}) + "\n")
    lost, page = tmp_path / "lost.csv", tmp_path / "report.html"
    invoke(["score", MODULE, gold, answers, "--answers", "--unplaced", lost])
    assert lost.read_text().splitlines()[1:] == [
        "answers.jsonl,a,0,invalid label",
        "answers.jsonl,a,1,unaligned",
    ]
    invoke(["report", MODULE, gold, answers, "--answers", "-o", page])
    assert "two" in page.read_text()


def test_rewards_and_harnesses_take_events():
    torn = json.dumps({"events": EVENTS})[:-60]
    written = [json.dumps(EVENTS), "I cannot", "[]", torn, json.dumps(EVENTS[1])]
    rewards = reward(MODULE, written, [GOLD] * 5, texts=[NOTE] * 5)
    assert rewards == [1.0, 0.0, 0.0, pytest.approx(2 / 3), pytest.approx(2 / 3)]
    judge = Reward(MODULE, references="gold", texts="note")
    assert judge(["[]", "x"], gold=['{"events": []}'] * 2, note=[NOTE] * 2) == [1.0, 0.0]
    scoring = SampleScoring(MODULE, ("overall_f1",))
    part = scoring.count_sample(written[0], {"gold": json.dumps(GOLD), "note": NOTE}, "a")
    assert scoring.tell([part]) == {"overall_f1": 1.0}


@pytest.mark.parametrize(
    ("alignment", "said"),
    [(Alignment("all"), "align: each event needs"), (Alignment(match="text"), "match: each ev")],
)
def test_policies_that_give_no_place_are_refused(alignment, said):
    laws.refuses(lambda: counts_of(EVENTS, alignment=alignment), said)


def test_quotes_need_a_note_and_are_read_as_others_are():
    laws.refuses(lambda: score(MODULE, [EVENTS], [GOLD]), "1 document has answers, but no text")
    assert read_answers([[{"text": ["a", 5]}, 7]])[0].items[0].quote == ()
    with pytest.warns(InputWarning, match="1 item in the answers has no 'text'"):
        assert counts_of([{"label": "Drug"}]) == (0, 1, 6)
