"""What each format costs: the table of the manual on scale, and the seconds in the README.

The same corpus in each format: 5,000 documents of 150 words with 12 labelled mentions on each side.
Pipe lines have codes in place of labels. ``clineval score`` runs in one process; its processor time
(the least of two runs, start-up included) and its peak memory count.

    python tests/benchmarks/bench_formats.py [--write] [documents]

``--write`` puts them between the marks in both pages; the README has 5,000 documents.
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import measure_with_memory

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
MANUAL = ROOT / "metrics/clineval/evaluation/counting/README.md"
MARKED = re.compile(r"(?<=<!-- bench_formats\.py -->).*?(?=<!-- end -->)", re.DOTALL)
REPEATS = 2
LABELS = tuple(f"L{number}" for number in range(10))
SPANS = ("clinical_spans", "--labels", ",".join(LABELS))
PIPE = ("semeval15_task14", "--config", "task1")
FORMATS = {
    # ending: name, when to choose it, metric
    ".parquet": ("Parquet", "large corpora; scores that are repeated", SPANS),
    ".pipe": ("lines of a challenge (pipe)", "submissions, `official`", PIPE),
    ".brat": ("brat with texts", "annotation by hand", SPANS),
    ".jsonl": ("JSON Lines", "programs, exchange", SPANS),
    ".texts.jsonl": ("JSON Lines with texts", "reports that show the notes", SPANS),
    ".conll": ("CoNLL", "taggers of words", SPANS),
    ".spacy": ("spaCy's DocBin", "spaCy pipelines", SPANS),
}
WORDS = 150


def make_corpus(documents, kept):
    """Documents whose mentions a system finds with the probability ``kept``; same texts."""
    import clineval

    chance, system = random.Random(57), random.Random(kept)
    for number in range(documents):
        words = [f"w{chance.randrange(3000):04d}" for _ in range(WORDS)]
        mentions = []
        for first in range(0, WORDS - 8, 12):
            end = first + chance.randrange(1, 4)
            span, label = (6 * first, 6 * end - 1), chance.choice(LABELS)  # words of five letters
            if system.random() < kept:
                mentions.append(clineval.Mention([span], slots={"label": label}))
        yield clineval.Document(f"n{number:06d}", mentions, " ".join(words))


def write_corpora(folder, documents):
    """Write both sides in each format."""
    from dataclasses import replace

    from clineval.evaluation.convert import write
    from spacy_clin.files import write_documents

    for side, kept in (("gold", 1), ("system", 0.9)):
        found = list(make_corpus(documents, kept))
        plain = [replace(document, text=None) for document in found]
        codes = [replace(each, mentions=map(as_code, each.mentions)) for each in plain]
        write(codes, folder / f"{side}.pipe", "pipe3")
        write(found, folder / f"{side}.brat", "brat", "clinical_spans")
        write(found, folder / f"{side}.conll", "conll", "clinical_spans")
        write(plain, folder / f"{side}.jsonl", "jsonl", "clinical_spans")
        write(found, folder / f"{side}.texts.jsonl", "jsonl", "clinical_spans")
        write(plain, folder / f"{side}.parquet", "parquet", "clinical_spans")
        write_documents(found, folder / f"{side}.spacy", "en", "none")


def as_code(mention):
    """The mention with its label as a code."""
    import clineval

    return clineval.Mention(mention.spans, f"C{LABELS.index(mention.slots['label']):07d}")


def measure_formats(folder):
    """Yield the rows of the table, of both sides each."""
    for ending, (name, use, metric) in FORMATS.items():
        paths = [folder / f"{side}{ending}" for side in ("gold", "system")]
        module, *options = metric
        score = ("-m", "clineval", "score", module, *paths, *options, "--jobs", 1)
        runs = [measure_with_memory(*score) for _ in range(REPEATS)]
        _, seconds, memory = map(min, zip(*runs, strict=True))
        size = sum(map(size_of, paths)) / 1e6
        processes = "yes" if takes_processes(*score[:-1]) else "no"
        yield (
            name,
            f"{size:.{size < 10:d}f} MB",
            f"{seconds:.1f} s",
            f"{memory:.0f} MB",
            processes,
            use,
        )


def takes_processes(*score):
    """Whether ``--jobs`` has an effect; the command says so if not."""
    command = [sys.executable, *map(str, score), "2"]
    return (
        "has no effect"
        not in subprocess.run(command, check=True, capture_output=True, text=True).stderr
    )


def size_of(path):
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def lay_out(rows, documents):
    """Return the table in Markdown, with a sentence that describes it."""
    about = (
        f"{documents:,} documents of {WORDS} words with 12 labelled mentions on each side, in one "
        "process, with start-up:"
    )
    header = "format", "files", "time", "memory", "`--jobs`", "choose it for"
    lines = [header, ("---", *["---:"] * 3, "---", "---"), *rows]
    return about + "\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write_between(page, words):
    """Replace what is between the marks of a page."""
    page.write_text(MARKED.sub(lambda _: words, page.read_text("utf-8")), "utf-8")


def main(arguments):
    if arguments[:1] == ["--make"]:
        write_corpora(Path(arguments[1]), int(arguments[2]))
        return
    documents = next((each for each in arguments if each.isdigit()), "5000")
    with tempfile.TemporaryDirectory() as folder:
        # in a process of its own, because a process has the peak memory of the one that starts it
        subprocess.run([sys.executable, __file__, "--make", folder, documents], check=True)
        rows = list(measure_formats(Path(folder)))
    table = lay_out(rows, int(documents))
    print(table)
    if "--write" in arguments:
        write_between(MANUAL, f"\n\n{table}\n")
        write_between(README, ", ".join(f"{row[0]} {row[2].removesuffix(' s')}" for row in rows))


if __name__ == "__main__":
    main(sys.argv[1:])
