"""Nothing of a note is in a message, in an error behind it, or in a warning.

A canary, text of a note, is given in every place where something can be given: as a side, as each
part of a side, as each option, as a path, in files. Names of documents, records and topics, which
messages show, are the one exception.
"""

import json

import pytest
from canary import CANARIES, GOOD, NOTE, SECRET, everywhere, watch
from demos import arguments_of
from thorough import crossed, each, each_module

import clineval
from clineval import Counts
from clineval.cli import make_app
from clineval.evaluation import convert as converting
from clineval.formats.checking import find_problems
from clineval.formats.section_lines import read_sections
from clineval.results.registry import NAMES, find_challenge

IN_FILES = ("words", "lines", "very long", "double bars", "deep", "repeated key", "surrogate")
OTHER = {
    "clefehealth13_task3": {"query": ["q"], "docid": ["d"], "score": [1], "rel": [1]},
    "clinais23_b2": [{"text": "No", "sections": [{"start": 0, "end": 2, "label": "TREATMENT"}]}],
}
ITEM = {"span": "No", "boundary": "TREATMENT", "start_offset": 0, "end_offset": 2}
SECTION = {"segment": "No", "label": "TREATMENT", "start_offset": 0, "end_offset": 2}
ENTRY = {
    "note_text": "No",
    "boundary_annotation": {"gold": [ITEM], "prediction": [ITEM]},
    "section_annotation": {"gold": [SECTION], "prediction": [SECTION]},
}
VALUES = ("", "patient", "no", "unmarked", "unmarked", "false", "false")
LINES = {
    ".pipe": (
        "|", f"d|4-15,31-38|C1|no{'|NULL|'.join(VALUES)}|NULL|C2|1-2|", ["semeval15_task14"],
    ),
    ".clef.pipe": ("||", "d||T||C1||4||15", ["clefehealth13_task1", "clefehealth13_task2"]),
    ".i2b2.entries": (
        "||", 'm="x" 1:0 1:0||do="y" 1:1 1:1||mo="nm"||ln="list"', ["i2b2_2009_medication"],
    ),
    ".ann": ("\t", "T1\tDrug 4 15\tx", ["n2c2_2018_track2"]),
    ".run": (" ", "q Q0 d 1 1.5 t", ["clefehealth13_task3"]),
    ".qrels": (" ", "q 0 d 1", ["clefehealth13_task3"]),
    ".codes.tsv": ("\t", "d\tI10", ["codiesp20", "pharmaconer19"]),
    ".i2b2.xml": (
        '"',
        '<x><TEXT>No</TEXT><TAGS><ID start="0" end="2" TYPE="SSN"/></TAGS></x>',
        ["i2b2_2014_deid", "meddocan19"],
    ),
    ".spans.tsv": (
        "\t", "filename\tlabel\tstart_span\tend_span\ttext\nd\tX\t4\t15\tx", ["medprocner23"],
    ),
    ".words.ann": ("\t", "T1\tPROTEINAS 0 2\tNo", ["meddocan19", "pharmaconer19"]),
}  # fmt: skip
"""Extension to separator, a line, and the modules that read it."""
NAMES_IN_LINES = {".run": (0, 2), ".qrels": (0, 2), ".i2b2.entries": ()}


@pytest.mark.parametrize(("name", "kind"), crossed(NAMES, [*CANARIES]))
class TestEveryModule:
    def test_sides(self, name, kind):
        canary, good = CANARIES[kind], GOOD[name]
        other = OTHER.get(name, good)
        if name == "clefehealth13_task3" and kind == "repeated key":
            return  # its keys are topics
        for bad in [*everywhere(good, canary), *everywhere(other, canary)]:
            watch(lambda bad=bad: clineval.score(name, bad, good))
            watch(lambda bad=bad: clineval.score(name, good, bad))
            watch(lambda bad=bad: clineval.score(name, bad, bad))

    def test_options(self, name, kind):
        canary, sides, options = CANARIES[kind], (GOOD[name], GOOD[name]), {}
        known = [
            *(option.name for option in find_challenge(name).options),
            "config",
            "protocol",
            "interval",
            "confidence",
        ]
        for option in [*known, "n_resamples", "seed", "unknown"]:
            keyed = {canary: canary} if option == "weights" else {"x": canary}
            for value in (canary, [canary], keyed):
                given = {**options, "confidence": 0.9, "n_resamples": 2, option: value}
                watch(lambda given=given: clineval.score(name, *sides, **given))


def spoilt_lines(extension, canary):
    """A line with the canary in place of each cell that is no name, and beside it."""
    separator, line, _ = LINES[extension]
    cells = line.split(separator)
    for at in set(range(len(cells))) - set(NAMES_IN_LINES.get(extension, (0,))):
        yield separator.join([*cells[:at], canary, *cells[at + 1 :]])
        yield separator.join([*cells[:at], cells[at] + canary, *cells[at + 1 :]])
    yield separator.join([*cells, canary])


def as_bytes(text):
    return text.encode(errors="surrogatepass")


def as_json(value):
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize(
    ("extension", "kind"),
    crossed([*LINES], IN_FILES, slow=[(".pipe", "deep"), (".pipe", "very long")]),
)
def test_lines_of_files(extension, kind, tmp_path):
    canary, (_, line, modules) = CANARIES[kind], LINES[extension]
    good, bad = tmp_path / f"good{extension}", tmp_path / f"bad{extension}"
    good.write_text(line)
    for text in spoilt_lines(extension, canary):
        bad.write_bytes(as_bytes(text))
        for name in modules:
            watch(lambda name=name: clineval.score(name, bad, good))
            watch(lambda name=name: clineval.score(name, good, bad))
            challenge = find_challenge(name)
            watch(lambda of=challenge: refuse(find_problems(of, [bad])))
        if extension.endswith(".pipe"):
            watch(lambda: convert(bad, tmp_path / "out"))


@pytest.mark.parametrize("canary", [CANARIES[name] for name in IN_FILES], ids=IN_FILES)
class TestFiles:
    def test_json_lines(self, canary, tmp_path):
        line = {"id": "d", "mentions": GOOD["semeval15_task14"][0], "text": "No"}
        path = tmp_path / "bad.jsonl"
        for spoilt in everywhere(line, canary):
            path.write_bytes(as_bytes(as_json(spoilt)))
            watch(lambda: clineval.score("semeval15_task14", path, path))
            for target in ("pipe", "pipe3", "clef", "brat", "jsonl"):
                watch(lambda target=target: convert(path, tmp_path / f"out.{target}", target))

    def test_notes_of_clinais(self, canary, tmp_path):
        path = tmp_path / "bad.json"
        for spoilt in everywhere({"annotated_entries": {"n1": ENTRY}}, canary):
            path.write_bytes(as_bytes(as_json(spoilt)))
            watch(lambda: clineval.score("clinais23_b2", path, path))
            watch(lambda: refuse([*find_problems(find_challenge("clinais23_b2"), [path])]))

    def test_brat(self, canary, tmp_path):
        lines = ["T1\tDisorder 0 2\tNo", "A1\tNegation T1 yes", "N1\tReference T1 UMLS:C1\tC1"]
        (tmp_path / "note.txt").write_text(f"No {NOTE}")
        for at, line in enumerate(lines):
            for part in ("\t", " "):
                cells = line.split(part)
                for k in range(len(cells)):
                    spoilt = part.join([*cells[:k], canary, *cells[k + 1 :]])
                    text = "\n".join([*lines[:at], spoilt, *lines[at + 1 :]])
                    (tmp_path / "note.ann").write_bytes(as_bytes(text))
                    watch(lambda: converting.read_documents(tmp_path, "brat"))

    def test_files_of_options(self, canary, tmp_path):
        weights = {"negation": {"no": 0.1, "yes": 0.9}, "cui": 1.0}
        sections = {"id": "d", "sections": [{"start": 0, "end": 2, "label": "X"}]}
        path = tmp_path / "bad.json"
        for spoilt in everywhere([weights, sections, {"substitution": 1.0}], canary):
            for part in spoilt if isinstance(spoilt, list) else [spoilt]:
                path.write_bytes(as_bytes(as_json(part)))
                for name in ("semeval15_task14", "clinais23_b2"):
                    good = GOOD[name]
                    watch(lambda n=name, g=good: clineval.score(n, g, g, weights=path))
                watch(lambda: read_sections(path))

    def test_counts(self, canary, tmp_path):
        good = GOOD["semeval15_task14"]
        stored = json.loads(clineval.count("semeval15_task14", good, good).to_json())
        stored["details"] = [{"x": 1}]
        stored["columns"], stored["table"] = stored["columns"][:2], [stored["table"][0][:2]]
        for spoilt in everywhere(stored, canary):
            watch(lambda spoilt=spoilt: Counts.from_json(as_json(spoilt)))
            watch(lambda spoilt=spoilt: Counts.from_json(spoilt))
        watch(lambda: Counts.load(canary))
        (tmp_path / "counts.json").write_bytes(as_bytes(canary))
        watch(lambda: Counts.load(tmp_path / "counts.json"))


def refuse(problems):
    assert not any(SECRET in str(problem) for problem in problems)


def convert(source, target, wanted="pipe"):
    documents = converting.read_documents(source, converting.find_format(source))
    converting.write_documents(documents, target, wanted)


COMMANDS = (
    "score MODULE X X", "compare MODULE X X X", "errors MODULE X X", "agreement MODULE X X",
    "validate MODULE X", "convert X out.jsonl", "convert X out --to pipe", "prevalence X",
    "report MODULE X X --no-text", "official semeval15-task1 -n t -r 1 -input X -gold X",
    "official clefehealth13-task1 -n t -r 1 -t 1a -input X -gold X",
    "official i2b2-2009 -g X -s X -r X", "card-results X README.md --dataset a/b",
    "describe X", "score X a b", "app X",
)  # fmt: skip


@pytest.mark.parametrize("canary", each(["words", "very long"], fast=["words"]))
@pytest.mark.parametrize("command", COMMANDS)
def test_arguments_of_the_command_line(command, canary, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for module in NAMES if "MODULE" in command else [""]:
        words = command.split()
        words = [f"{CANARIES[canary]}{at}" if w == "X" else w for at, w in enumerate(words)]
        arguments = [module if word == "MODULE" else word for word in words]
        watch(lambda a=arguments: make_app([*map(str, a)])(a, standalone_mode=False))


def options_of(name):
    """The options of a challenge and of the command that take words or files."""
    unworded = ("flag", "column", "number")
    own = [option for option in find_challenge(name).options if option.kind not in unworded]
    own = [option.flag or "--" + option.name.replace("_", "-") for option in own]
    return [*own, "--by", "--sections", "--config", "--interval", "--format"]


@pytest.mark.parametrize("canary", each(["words", "long"], fast=["words"]))
@each_module()
def test_options_of_the_command_line(name, canary, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    sides, options = arguments_of(name)
    given = [str(sides[1]), str(sides[0])]
    given += [word for key, value in options.items() for word in (f"--{key}", str(value))]
    for option in options_of(name):
        arguments = ["score", name, *given, option, CANARIES[canary]]
        more = (
            ["--overlap", "word"] if option == "--text" and "--overlap" in options_of(name) else []
        )
        more += ["--by", "section"] if option == "--sections" else []
        watch(lambda a=[*arguments, *more]: make_app([*map(str, a)])(a, standalone_mode=False))
