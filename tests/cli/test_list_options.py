"""Options that are lists: given twice they add up, and ``a,b`` is the same as two of them."""

import json

import pytest
import typer.main
from commands import invoke
from demos import arguments_of
from thorough import each, thorough

from clineval.cli import COMMANDS, make_app
from clineval.results.registry import NAMES, find_challenge

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
VALUES = {
    ("clinical_spans", "--labels"): ("problem", "treatment"),
    ("clinical_spans", "--slots"): ("negated", "severity"),
    ("clinical_classes", "--classes"): ("current", "never"),
    ("clinical_classes", "--label-column"): ("smoking", "chest_pain"),
    ("clinical_events", "--events"): ("Start", "Stop"),
    ("clinical_events", "--labeled-arguments"): ("status", "Dose"),
    ("clinical_relations", "--types"): ("DOSE_OF", "TREATS"),
    ("clinical_relations", "--symmetric"): ("SAME_AS", "CAUSES"),
    ("clinais23_b2", "--labels"): ("EXPLORATION", "TREATMENT"),
    ("codiesp20", "--cutoffs"): ("5", "10"),
    ("clinical_codes", "--cutoffs"): ("5", "10"),
    ("icd_coding", "--cutoffs"): ("5", "10"),
    ("cantemist20", "--cutoffs"): ("5", "10"),
    ("clefehealth13_task3", "--measures"): ("map", "P.5"),
    ("clefehealth13_task3", "--restricted"): ("3", "9"),
}
"""Two values of each list option that challenges declare."""
COMMANDS_OWN = {
    ("score", "--score"),
    ("compare", "--score"),
    ("power", "--score"),
    ("card-results", "--key"),
    ("report", "--print-documents"),
}
APART = {("power", "--pilot"), ("app", "--labels"), ("app", "--slots")}
"""In a pilot the comma is between its two systems, not between pilots; ``app`` has all metrics."""


def commands_of(name):
    """Each command that a challenge's name is for, with its options."""
    for command in (*COMMANDS, "datasets"):
        words = [command, *(["digest"] if command == "datasets" else []), name]
        found = typer.main.get_command(make_app(words)).commands[command]
        if command == "datasets":
            found = found.commands["digest"]
        yield command, {word: p for p in found.params for word in p.opts}


def test_every_list_option_of_a_challenge_is_known_here():
    declared = {
        (name, option.flag or f"--{option.name}")
        for name in NAMES
        for option in (
            *find_challenge(name).options,
            *find_challenge(name).faces.validation_options,
        )
        if option.kind in ("names", "numbers")
    }
    assert declared == set(VALUES)


@pytest.mark.parametrize("name", each(sorted({name for name, _ in VALUES}), ["clinical_spans"]))
def test_every_command_takes_lists_several_times(name):
    """Otherwise the last one alone would count, without a word."""
    lists = {option for module, option in VALUES if module == name}
    several = set()
    for command, options in commands_of(name):
        for word, parameter in options.items():
            if parameter.param_type_name == "option" and parameter.multiple:
                several.add((command, word))
            assert parameter.multiple or word not in lists, (command, word)
    own = {(command, word) for command, word in several if word not in lists}
    assert own <= COMMANDS_OWN | APART
    assert own >= COMMANDS_OWN


@pytest.fixture(scope="module")
def spans(tmp_path_factory):
    """A gold standard and two systems with labels and slots, for ``clinical_spans``."""
    folder = tmp_path_factory.mktemp("spans")
    values = {"gold": ("yes", "mild"), "one": ("yes", "severe"), "two": ("no", "mild")}
    for name, (negated, severity) in values.items():
        lines = [
            {
                "id": f"d{number}",
                "mentions": [
                    {"spans": [[0, 4]], "label": label, "negated": negated, "severity": severity}
                    for label in ("problem", "treatment", "test")
                ],
            }
            for number in range(3)
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return [folder / f"{name}.jsonl" for name in ("one", "gold", "two")]


def tried(command, name, spans, *more):
    """The result of a command on the demo of a challenge: its exit status, and what it printed."""
    predictions, gold = arguments_of(name)[0]
    other = arguments_of(name, 1)[0][0]
    if name == "clinical_spans":
        predictions, gold, other = spans
    sides = {
        "compare": (gold, predictions, other),
        "agreement": (gold, predictions),
        "validate": (predictions, other),
        "datasets": (gold,),
    }.get(command, (gold, predictions))
    words = ("datasets", "digest") if command == "datasets" else (command,)
    options = {
        "compare": ("--trials", 10, "--format", "json"),
        "score": ("--format", "json"),
        "agreement": ("--format", "json"),
        "validate": ("--json",),
        "errors": ("--format", "json"),
        "datasets": ("--format", "json"),
    }[command]
    result = invoke([*words, name, *sides, *options, *more])
    return result.exit_code, result.stdout, str(result.exception)


FAST = (
    ("score", "clinical_spans", "--slots"),
    ("datasets", "clinical_spans", "--labels"),
    ("validate", "clefehealth13_task3", "--restricted"),
    ("score", "clefehealth13_task3", "--measures"),
)
SLOW = (
    *(
        (command, "clinical_spans", option)
        for command in ("score", "compare", "errors", "agreement", "datasets")
        for option in ("--labels", "--slots")
    ),
    *((command, "clinais23_b2", "--labels") for command in ("score", "compare", "validate")),
    *((command, "codiesp20", "--cutoffs") for command in ("score", "compare")),
    ("compare", "clefehealth13_task3", "--measures"),
)


@pytest.mark.parametrize(
    ("command", "name", "option"),
    [*FAST, *(pytest.param(*case, marks=thorough) for case in SLOW if case not in FAST)],
)
def test_twice_is_the_same_as_with_a_comma(command, name, option, spans):
    first, second = VALUES[name, option]
    twice = tried(command, name, spans, option, first, option, second)
    assert twice == tried(command, name, spans, option, f"{first},{second}")
    if command != "errors":  # which may be alike
        assert twice != tried(command, name, spans, option, second)


@thorough
def test_scores_asked_for_add_up(tmp_path):
    """Of commands that show some scores, on a terminal and on a model's card."""
    predictions, gold = arguments_of("clinical_spans")[0]
    other = arguments_of("clinical_spans", 1)[0][0]
    counts, result, card = (tmp_path / n for n in ("counts.json", "result.json", "README.md"))
    scored = ("score", "clinical_spans", gold, predictions, "--format", "json")
    assert invoke([*scored, "-o", result, "--save-counts", counts]).exit_code == 0
    compared = ("compare", "clinical_spans", gold, predictions, other, "--trials", 10)
    keys = ("strict_f1", "lenient_f1")
    for words, option in (
        (scored, "--score"),
        (compared, "--score"),
        (("power", counts), "--score"),
        (("card-results", result, card, "--dataset", "me/notes"), "--key"),
    ):
        said = []
        for given in ([option, keys[0], option, keys[1]], [option, ",".join(keys)]):
            card.unlink(missing_ok=True)
            done = invoke([*words, *given])
            assert done.exit_code == 0, done.exception
            said.append(done.stdout + (card.read_text() if card.exists() else ""))
        assert said[0] == said[1]
        assert all(key in said[0] for key in keys)


def test_documents_to_print_add_up(tmp_path):
    pytest.importorskip("jinja2")
    predictions, gold = arguments_of("clinical_spans")[0]
    words = ("report", "clinical_spans", gold, predictions, "-o", tmp_path / "page.html")
    names = ("spans-1", "spans-2")
    pages = []
    for given in (
        ["--print-documents", names[0], "--print-documents", names[1]],
        ["--print-documents", ",".join(names)],
    ):
        assert invoke([*words, *given]).exit_code == 0
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]
    assert json.dumps(names, separators=(",", ":")).encode() in pages[0].replace(b", ", b",")


@pytest.mark.parametrize("word", ["two", "1.5", "9" * 5000, ""])
def test_numbers_of_a_list_are_whole(word):
    predictions, _ = arguments_of("clefehealth13_task3")[0]
    done = invoke(["validate", "clefehealth13_task3", predictions, "--restricted", f"1,{word}"])
    assert done.exit_code == 2
    assert "expected whole numbers" in done.output
