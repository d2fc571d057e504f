"""Notes, and what a scripted model answers: repaired, unreadable, wrong, repeated."""

import json

from clineval.answers import Alignment

MODULE = "semeval15_task14"
ALIGNMENT = Alignment(match="fold")
NOTES = [
    {"id": "n1", "note": "The left atrium is moderately dilated. No edema.",
     "gold": [{"spans": [[4, 15], [30, 37]], "cui": "C0344720", "severity": "moderate"},
              {"spans": [[42, 47]], "cui": "C0013604", "negation": "yes"}]},
    {"id": "n2", "note": "Patient denies chest pain. History of asthma.",
     "gold": [{"spans": [[15, 25]], "cui": "C0008031", "negation": "yes"},
              {"spans": [[38, 44]], "cui": "C0004096"}]},
    {"id": "n3", "note": "edema and pain of the left leg; edema resolved.",
     "gold": [{"spans": [[0, 5]], "cui": "C0013604"},
              {"spans": [[10, 14], [27, 30]], "cui": "C0023222"},
              {"spans": [[32, 37]], "cui": "C0013604", "course": "resolved"}]},
    {"id": "n4", "note": "Cough.", "gold": [{"spans": [[0, 5]], "cui": "C0010200"}]},
]  # fmt: skip
ANSWERS = {
    "n1": json.dumps([
        {"text": ["left atrium", "dilated"], "cui": "C0344720", "severity": "moderate"},
        {"text": "EDEMA", "cui": "C0013604", "negation": "maybe"},
    ]),
    "n2": json.dumps([
        {"text": "chest pain", "cui": "C0008031", "negation": "yes"},
        {"text": "fever", "cui": "C0015967"},
        {"text": "History of asthma", "cui": "C0004096"},
    ]),
    "n3": 'Sure: [{"text": "edema", "cui": "C0013604"}, {"text": "pain", "cui": "C0030193"}, {"te',
    "n4": "I cannot help with that.",
}  # fmt: skip
KEYS = ["strict_f1", "relaxed_f1", "weighted_accuracy", "n_unaligned", "n_invalid", "n_unreadable"]


def prompt_of(note):
    return f"List disorders.\nID: {note['id']}\n{note['note']}"


def id_in(prompt):
    return prompt.split("ID: ")[1].split("\n")[0]


def command_line(folder, answers=ANSWERS, notes=NOTES):
    """The numbers of the command line on the same answers."""
    from commands import invoke

    (folder / "text").mkdir(exist_ok=True)
    for note in notes:
        (folder / "text" / note["id"]).write_text(note["note"])
    for name, lines in (
        ("gold", [{"id": n["id"], "mentions": n["gold"]} for n in notes]),
        ("answers", [{"id": name, "answer": answer} for name, answer in answers.items()]),
    ):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text)
    done = invoke([
        "score", MODULE, folder / "gold.jsonl", folder / "answers.jsonl", "--answers",
        "--text", folder / "text", "--match", ALIGNMENT.match, "--format", "json",
    ])  # fmt: skip
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["scores"]
