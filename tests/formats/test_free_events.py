"""Events of any types in brat's files, JSON Lines, dicts and Documents: all forms score alike."""

import json

import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Document, InputError, InputWarning, Mention
from clineval.evaluation.convert import read, write
from clineval.kinds.mentions.mention import Relation

NAME = "clinical_events"
LINES = """\
T1\tStart 0 7\tStarted
T2\tMedication 8 18\tmetoprolol
T3\tDosage 19 24\t25 mg
T4\tStop 25 32\tstopped
E1\tStart:T1 Drug:T2 Dose:T3 Reason:E2
E2\tStop:T4 Drug:T2
A1\tStatus E1 done
A2\tCertainty T3 low
"""
EVENTS = [
    {
        "label": "Start",
        "spans": [[0, 7]],
        "arguments": [
            {"label": "Drug", "spans": [[8, 18]]},
            {"label": "Dose", "spans": [[19, 24]], "value": "low"},
            {"label": "Reason", "spans": [[25, 32]]},
            {"label": "status", "value": "done"},
        ],
    },
    {"label": "Stop", "spans": [[25, 32]], "arguments": [{"label": "Drug", "spans": [[8, 18]]}]},
]
MENTIONS = [
    {"id": "T1", "label": "Start", "spans": [[0, 7]], "status": "done"},
    {"id": "T2", "label": "Medication", "spans": [[8, 18]]},
    {"id": "T3", "label": "Dosage", "spans": [[19, 24]], "certainty": "low"},
    {"id": "T4", "label": "Stop", "spans": [[25, 32]]},
]
ENDS = [("Drug", "T1", "T2"), ("Dose", "T1", "T3"), ("Reason", "T1", "T4"), ("Drug", "T4", "T2")]
RELATIONS = [{"label": label, "from": a, "to": b} for label, a, b in ENDS]


def as_document():
    mentions = [
        Mention(
            m["spans"],
            slots={k: v for k, v in m.items() if k not in ("id", "spans")},
            id=m["id"],
            coded=False,
        )
        for m in MENTIONS
    ]
    return Document(None, mentions, relations=[Relation(*ends) for ends in ENDS])


FORMS = {
    "brat": LINES,
    "nested": {"events": EVENTS},
    "json": json.dumps({"events": EVENTS}),
    "related": {"mentions": MENTIONS, "relations": RELATIONS},
    "document": as_document(),
}


def score(found, gold, **options):
    return clineval.score(NAME, [found], [gold], **options)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", FORMS)
def test_all_forms_hold_the_same_events(form, other):
    scores = score(FORMS[form], FORMS[other])
    assert (scores["overall_tp"], scores["overall_f1"]) == (7, 1.0)
    assert [scores[f"{key}_tp"] for key in ("trigger", "labelled", "span")] == [2, 2, 3]
    assert scores["start_dose_low_tp"] == scores["start_status_done_tp"] == 1


def test_files_and_lines_of_json(tmp_path):
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "a.ann").write_text(LINES)
    lines = [{"id": "a", "events": EVENTS}]
    (tmp_path / "found.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    scores = clineval.score(NAME, tmp_path / "found.jsonl", tmp_path / "gold")
    assert scores["overall_f1"] == 1.0


@pytest.mark.parametrize("form", ["brat", "related", "document"])
def test_the_label_of_the_mention_may_name_the_argument(form):
    scores = score(FORMS[form], FORMS["brat"], argument_names="mention")
    assert scores["overall_f1"] == 1.0
    # the trigger of the other event is named like its type
    keys = ("medication", "dosage_low", "stop", "status_done")
    assert [scores[f"start_{key}_tp"] for key in keys] == [1, 1, 1, 1]


def test_an_event_may_be_an_argument_of_itself_and_of_later_ones():
    lines = "T1\tStart 0 7\tStarted\nE1\tStart:T1 Cause:E2\nT2\tStop 8 9\tx\nE2\tStop:T2 Cause:E1\n"
    assert score(lines, lines)["overall_tp"] == 4


def test_a_trigger_of_two_events_is_counted_in_each():
    lines = """\
T1\tStart 0 7\tStarted
T2\tDrug 8 18\tmetoprolol
T3\tDrug 19 24\tother
E1\tStart:T1 Drug:T2
E2\tStart:T1 Drug:T3
A1\tStatus E2 planned
"""
    scores = score(lines, lines)
    assert [scores[f"start_{k}_tp"] for k in ("trigger", "drug", "status")] == [2, 2, 1]


def test_several_attributes_are_one_value():
    lines = LINES + "A3\tNegated T3\n"
    scores = score(lines, lines)
    assert scores["start_dose_certainty_low_negated_yes_tp"] == 1
    assert score(LINES, lines)["start_dose_tp"] == 0


def test_type_val_is_the_value():
    lines = LINES.replace("Certainty T3", "DosageVal T3").replace("Status E1", "StartVal E1")
    scores = score(lines, lines)
    assert scores["start_dose_low_tp"] == scores["start_value_done_tp"] == 1


def test_what_is_ignored_is_counted_with_its_module():
    lines = LINES + "R1\tof Arg1:T3 Arg2:T2\n*\tEquiv T1 T2\nT9\tDrug 0 2\tx\nA9\tNegated T2\n"
    with pytest.warns(InputWarning) as caught:
        score(LINES, lines, labeled_arguments=["Dose", "status"])
    messages = [str(each.message).removeprefix("references: ") for each in caught]
    links, mention, values = messages
    assert links.startswith("2 relations or equivalences in brat's files are ignored; ")
    assert links.endswith("clinical_relations scores relations")
    assert mention.startswith("1 mention belongs to no event and does not count; clinical_spans")
    assert values.startswith("2 values of triggers, or of span-only arguments, are ignored; pass")
    assert values.endswith("labeled_arguments= to score them, or score attributes of mentions with "
                           "clinical_spans")  # fmt: skip


def test_relations_that_begin_elsewhere_are_counted():
    related = {
        "mentions": MENTIONS,
        "relations": [*RELATIONS, {"label": "x", "from": "T2", "to": "T3"}],
    }
    with pytest.warns(InputWarning, match="1 relation does not begin at a trigger"):
        scores = score(related, LINES, events=["Start", "Stop"])
    assert scores["overall_f1"] == 1.0


def test_types_without_arguments_can_be_named():
    gold = {"mentions": [{"id": "T1", "label": "Stop", "spans": [[0, 4]]}], "relations": []}
    assert score(gold, gold, events=["Stop"])["stop_trigger_tp"] == 1
    with pytest.warns(InputWarning, match="1 mention belongs to no event"):
        assert score(gold, gold)["overall_tp"] == 0
    # a type of the references is one in the predictions, too
    lines = "T1\tStop 0 4\tStop\nE1\tStop:T1\n"
    assert score(gold, lines)["stop_trigger_tp"] == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("E3\tStart:T1 Drug:T9\n", "one of these ids belongs to no mention"),
        ("E3\tStart:T1 Drug:E9\n", "one of these ids belongs to no mention"),
        ("E3\tStart:E1\n", "expected E1<tab>Type:T1 Role:T2"),
        ("E1\tStart:T1\n", "occurs twice"),
        ("A3\tStatus E9 x\n", "no event has this id"),
        ("A3\tStatus T9 x\n", "no mention has this id"),
        ("A3\tStatus E1 planned\n", "already has this attribute"),
        ("T9\tDrug 5 2\tx\n", "the end is not after the start"),
    ],
)
def test_bad_lines_are_errors_with_their_place(line, problem, tmp_path):
    (tmp_path / "a.ann").write_text(LINES + line)
    with pytest.raises(InputError, match=rf"a\.ann:9: .*{problem}"):
        clineval.score(NAME, tmp_path, tmp_path)
    run = invoke(["validate", NAME, str(tmp_path)])
    assert (run.exit_code, "a.ann:9: " in run.stdout) == (2, True)


@pytest.mark.parametrize(
    ("event", "problem"),
    [
        ({"label": "", "spans": [[0, 1]]}, "event 0: label: expected a label in printable"),
        ({"label": 3, "spans": [[0, 1]]}, "event 0: label: expected a label in printable"),
        ({"label": "Start"}, "event 0: 'spans' is missing"),
        ({"label": "Start", "spans": [[0, 1]], "role": 1}, "event 0: unknown 'role', expected"),
        (
            {"label": "Start", "spans": [[0, 1]], "arguments": [{"label": "Drug"}]},
            "event 0, argument 0: 'spans' is missing",
        ),
    ],
)
def test_bad_events_are_errors_with_their_place(event, problem):
    with pytest.raises(InputError, match=problem):
        score({"events": []}, {"events": [event]})


@st.composite
def files(draw):
    """Lines of brat's files with events; mentions that are no triggers have other labels.

    Relations and equivalences, which are ignored, lead anywhere.
    """
    spans = draw(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 4)), min_size=1, max_size=5))
    triggers = draw(st.lists(st.integers(0, len(spans) - 1), max_size=3))
    types = {trigger: draw(st.sampled_from(["Start", "Stop"])) for trigger in triggers}
    mentions = [
        f"T{n}\t{types.get(n, 'Drug')} {at} {at + size}\tx" for n, (at, size) in enumerate(spans)
    ]
    ends = [f"T{n}" for n in range(len(spans))] + [f"E{n}" for n in range(len(triggers))]
    argument = st.tuples(st.sampled_from(["Drug", "Theme"]), st.sampled_from(ends))
    events = []
    for n, trigger in enumerate(triggers):
        given = draw(st.lists(argument, min_size=1, max_size=2))
        roles = [f"{role}{at or ''}:{end}" for at, (role, end) in enumerate(given)]
        events.append(" ".join([f"E{n}\t{types[trigger]}:T{trigger}", *roles]))
    value = st.tuples(st.sampled_from(["Status", "Sure"]), st.sampled_from(ends))
    pairs = draw(st.lists(value, max_size=3, unique=True))
    attributes = [f"A{n}\t{name} {end} high" for n, (name, end) in enumerate(pairs)]
    ends = st.lists(st.sampled_from(ends[: len(spans)]), min_size=2, max_size=2, unique=True)
    pairs = draw(st.lists(ends, max_size=2)) if len(spans) > 1 else []
    links = [f"R{n}\tOf Arg1:{source} Arg2:{target}" for n, (source, target) in enumerate(pairs)]
    links += [f"*\tSame {first} {second}" for first, second in pairs[:1]]
    return "".join(f"{line}\n" for line in [*mentions, *events, *attributes, *links])


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(st.lists(st.tuples(files(), files()), min_size=1, max_size=2))
def test_converted_files_score_as_the_files(tmp_path_factory, pairs):
    folder = tmp_path_factory.mktemp("events")
    sides = {}
    for side, texts in zip(("gold", "found"), zip(*pairs, strict=True), strict=True):
        (folder / side).mkdir()
        for number, lines in enumerate(texts):
            (folder / side / f"{number}.ann").write_text(lines)
            (folder / side / f"{number}.txt").write_text("x" * 12)
        documents = read(folder / side, NAME)
        write(documents, folder / f"{side}.jsonl", "jsonl", NAME)
        write(documents, folder / f"{side}-back", "brat", NAME)
        sides[side] = documents
    types = {line.split("\t")[1].split(":")[0] for pair in pairs for lines in pair
             for line in lines.splitlines() if line[0] == "E"}  # fmt: skip
    scores = clineval.score(NAME, folder / "found", folder / "gold", events=sorted(types) or None)
    for found, gold in [
        (sides["found"], sides["gold"]),
        (folder / "found.jsonl", folder / "gold.jsonl"),
        (folder / "found-back", folder / "gold-back"),
    ]:
        converted = clineval.score(NAME, found, gold, events=sorted(types) or None)
        assert converted.values == scores.values


STATED = """\
T1\tStart 0 5\tstart
E1\tStart:T1
A1\tCurrent E1 {}
T2\tStart 6 11\tstart
E2\tStart:T2
A2\tCurrent E2 yes
T3\tStart 12 17\tstart
E3\tStart:T3
"""


def as_nested(value):
    arguments = [[{"label": "current", "value": of}] for of in (value, "yes")]
    places = zip((0, 6, 12), [*arguments, []], strict=True)
    return {
        "events": [
            {"label": "Start", "spans": [[start, start + 5]], "arguments": of}
            for start, of in places
        ]
    }


def as_mentions(value):
    slots = [{"current": value}, {"current": "yes"}, {}]
    return {
        "mentions": [
            {"id": f"T{at}", "label": "Start", "spans": [[6 * at, 6 * at + 5]], **own}
            for at, own in enumerate(slots)
        ],
        "relations": [],
    }


@pytest.mark.parametrize("value", ["no", "false", False])
def test_the_value_no_of_an_event_counts_in_every_form(tmp_path, value):
    """Gold and prediction differ in it: one tp, one missed no, one spurious yes."""
    written = STATED.format(str(value).lower())
    golds = [[written], [as_nested(value)], [as_mentions(value)]]
    for gold in golds:
        for found in ([STATED.format("yes")], [as_nested("yes")]):
            scores = clineval.score(NAME, found, gold, events=["Start"])
            counts = [scores[f"start_current_{key}"] for key in ("tp", "fp", "fn")]
            assert counts == [1, 1, 1]
        for other in golds:
            scores = clineval.score(NAME, other, gold, events=["Start"])
            assert (scores["labelled_tp"], scores["overall_f1"]) == (2, 1.0)
    (tmp_path / "brat").mkdir()
    (tmp_path / "brat" / "a.ann").write_text(written)
    (tmp_path / "brat" / "a.txt").write_text("start start start\n")
    documents = read(tmp_path / "brat", NAME)
    with pytest.warns(InputWarning, match="3 events have a type whose events have no arguments"):
        write(documents, tmp_path / "again.jsonl", "jsonl", NAME)
    scores = clineval.score(NAME, tmp_path / "again.jsonl", tmp_path / "brat", events=["Start"])
    assert (scores["labelled_tp"], scores["overall_f1"]) == (2, 1.0)


def test_events_without_arguments_survive_brat(tmp_path):
    lines = "T1\tStop 25 32\tstopped\nE1\tStop:T1\nA1\tStatus E1 done\nT2\tDrug 8 18\tmetoprolol\n"
    first, again = tmp_path / "first", tmp_path / "again"
    first.mkdir()
    (first / "note.ann").write_text(lines)
    (first / "note.txt").write_text("Started metoprolol 25 mg stopped")
    documents = read(first, NAME)
    write(documents, again, "brat", NAME)
    assert "E1\tStop:T1\n" in (again / "note.ann").read_text()
    assert "E2" not in (again / "note.ann").read_text()
    with pytest.warns(InputWarning, match="1 mention belongs to no event"):
        expected = clineval.score(NAME, first, first)
    assert (expected["stop_tp"], expected["stop_status_done_tp"]) == (2, 1)
    with pytest.warns(InputWarning, match="1 mention belongs to no event"):
        assert clineval.score(NAME, again, first).values == expected.values
    with pytest.warns(InputWarning, match="1 mention belongs to no event"):
        assert clineval.score(NAME, documents, documents).values == expected.values
    with pytest.warns(InputWarning, match="1 event has a type whose events have no arguments"):
        write(documents, tmp_path / "note.jsonl", "jsonl", NAME)
