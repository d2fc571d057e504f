"""Pages of 10,000 and 30,000 documents and three systems, and a long note: size, time, memory.

    python tests/benchmarks/bench_workbench.py [documents ...]

25 mentions a side and 2.8 kB of random words a note. ``clineval report`` writes each page in a
process of its own; a page is ready once it takes keys. The best of some loads is told beside the
median: other work on the machine only makes a load slower. Needs playwright and chromium, as
``make test-browser`` installs them.
"""

import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

CLINEVAL = Path(sys.executable).with_name("clineval")
SYSTEMS = ("rules", "tagger", "model")
LOADS = 5
WORDS = [
    "patient",
    "denies",
    "chest",
    "pain",
    "shortness",
    "of",
    "breath",
    "left",
    "right",
    "knee",
    "swelling",
    "fever",
    "history",
    "atrial",
    "fibrillation",
    "on",
    "coumadin",
    "no",
    "rash",
    "abdomen",
    "soft",
    "tender",
    "mild",
    "severe",
    "edema",
    "noted",
]
READY = {10_000: 2.0, 30_000: 6.0}
BUDGETS = {
    "report / scores": 2.5,
    "held, MB": 150.0,
    "megabytes a 10,000": 40.0,
    "switch": 0.5,
    "elements": 5000,
    "long note": 1.0,
}


def write_corpus(folder: Path, documents: int, mentions: int = 25) -> None:
    """Pipe files of three systems with shifted, missed, spurious and miscoded mentions; notes."""
    draw = random.Random(7)
    for name in ("gold", "notes", *SYSTEMS):
        (folder / name).mkdir(parents=True)
    for number in range(documents):
        text = "\n".join(" ".join(draw.choices(WORDS, k=11)) for _ in range(40))
        name = f"doc{number:05d}"
        sides: dict[str, list[str]] = {side: [] for side in ("gold", *SYSTEMS)}
        at = 0
        for _ in range(mentions):
            at += draw.randrange(3, 60)
            spans = [(at, at + draw.randrange(4, 16))]
            if draw.random() < 0.12:
                spans.append((spans[0][1] + 3, spans[0][1] + 3 + draw.randrange(4, 9)))
            at = spans[-1][1] + 1
            code = f"C{draw.randrange(4000):07d}" if draw.random() < 0.8 else "CUI-less"
            slots = [draw.choices(v, [9, 1])[0] for v in (("no", "yes"), ("patient", "other"))]
            others = ("no", "unmarked", "unmarked", "false", "false", "NULL")
            rest = "".join(f"{value}|NULL|" for value in (*slots, *others))
            in_gold = draw.random() < 0.95
            if in_gold:
                sides["gold"].append(f"{name}.txt|{written(spans)}|{code}|{rest}")
            for system in SYSTEMS:
                fate = draw.choices("TBCN", [74, 10, 10, 6] if in_gold else [20, 0, 0, 80])[0]
                if fate != "N":
                    moved = [(a, b - (fate == "B")) for a, b in spans]
                    other = f"C{draw.randrange(4000):07d}" if fate == "C" else code
                    sides[system].append(f"{name}.txt|{written(moved)}|{other}|{rest}")
        for side, lines in sides.items():
            (folder / side / f"{name}.pipe").write_text("".join(line + "\n" for line in lines))
        (folder / "notes" / f"{name}.txt").write_text(text[: max(len(text), at)].ljust(at))


def written(spans: list[tuple[int, int]]) -> str:
    """Fragments as the pipe format writes them."""
    return ",".join(f"{start}-{end}" for start, end in spans)


def write_long_note(folder: Path, size: int = 1_000_000, mentions: int = 5000) -> None:
    """One note of many lines, with the same mentions on both sides."""
    draw = random.Random(7)
    words = draw.choices(WORDS, k=size // 6)
    text = "".join(word + (" " if k % 10 else "\n") for k, word in enumerate(words, 1))[:size]
    step = len(text) // mentions
    lines = [f"big.txt|{k * step + 1}-{k * step + 9}|C{k:07d}|\n" for k in range(mentions)]
    for name in ("gold", "notes", SYSTEMS[0]):
        (folder / name).mkdir(parents=True)
    for side in ("gold", SYSTEMS[0]):
        (folder / side / "big.pipe").write_text("".join(lines))
    (folder / "notes" / "big.txt").write_text(text)


def report(folder: Path, *options: str, systems: tuple[str, ...] = SYSTEMS) -> dict[str, float]:
    """Write the page ``report.html``; what the process took."""
    sides = [folder / name for name in ("gold", *systems)]
    notes = ("--text", folder / "notes", "--output", folder / "report.html")
    taken = run("report", *sides, *notes, *options)
    return {**taken, "page, MB": (folder / "report.html").stat().st_size / 1e6}


def compare_with_scoring(folder: Path) -> dict[str, float]:
    """How many times the processor's time of ``score`` of two systems their report takes."""
    used = "of a processor, s"
    scores = [run("score", folder / "gold", folder / name)[used] for name in SYSTEMS[:2]]
    return {"report / scores": report(folder, systems=SYSTEMS[:2])[used] / sum(scores)}


def run(name: str, *arguments: object) -> dict[str, float]:
    """What a command takes, in a process of its own."""
    command = [str(part) for part in (CLINEVAL, name, "semeval15_task14", *arguments)]
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    started = time.perf_counter()
    process = os.posix_spawn(CLINEVAL, command, os.environ, file_actions=silent)
    _, status, used = os.wait4(process, 0)
    if status:
        raise SystemExit(f"clineval {name} ended with status {status}")
    return {
        f"{name}, s": time.perf_counter() - started,
        "of a processor, s": used.ru_utime + used.ru_stime,
        "memory, MB": used.ru_maxrss * 1024 / 1e6,
    }


def load(browser, path: Path, address: str = ""):
    """A page that is ready, and the seconds until it was."""
    page = browser.new_context(offline=True).new_page()
    page.set_default_timeout(120_000)
    started = time.perf_counter()
    page.goto(path.as_uri() + address)
    page.wait_for_selector("body[data-ready]")
    return page, time.perf_counter() - started


def measure_loads(browser, path: Path, address: str = "") -> dict[str, float]:
    """The best and the median of some loads, each in a context of its own."""
    seconds = []
    for _ in range(LOADS):
        page, taken = load(browser, path, address)
        seconds.append(taken)
        page.context.close()
    return {"ready, best": min(seconds), "ready, median": statistics.median(seconds)}


def measure_memory(browser, path: Path) -> dict[str, float]:
    """Megabytes that a page holds once it is ready: objects, and arrays of numbers."""
    page, _ = load(browser, path, "#doc=doc00777.txt")
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    held = session.send("Runtime.getHeapUsage")
    page.context.close()
    return {"held, MB": (held["usedSize"] + held["backingStorageSize"]) / 1e6}


ACTIONS = {
    "switch": "change({ doc: corpus.documents[corpus.documents.length - 3], m: null })",
    "match mode": "change({ match: 'overlap' })",
    "filter": "change({ ...NO_FILTER, verdicts: new Set(['fn']), tab: 'pairs' })",
    "next item": "openPair(5)",
}
TWO_FRAMES = """() => new Promise((done) => {
  %s;
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def measure_actions(browser, path: Path) -> dict[str, float]:
    """Seconds from an action until it is drawn, and how many elements the page then has."""
    page, _ = load(browser, path, "#doc=doc00777.txt")
    found: dict[str, float] = {}
    for name, action in ACTIONS.items():
        page.evaluate("delete document.getElementById('document-body').dataset.document")
        started = time.perf_counter()
        page.evaluate(TWO_FRAMES % action)
        if name == "switch":
            page.wait_for_selector("#document-body[data-document]")
        found[name] = time.perf_counter() - started
    found["elements"] = page.locator("*").count()
    page.context.close()
    return found


def measure_long_note(browser, path: Path) -> dict[str, float]:
    """Seconds from the press that opens the note until it is painted."""
    page, _ = load(browser, path)
    page.wait_for_selector("#document-body[data-document]")
    seconds = []
    for _ in range(LOADS):
        page.evaluate("delete document.getElementById('document-body').dataset.document")
        started = time.perf_counter()
        page.evaluate("delete drawnFor.document; refresh()")
        page.wait_for_selector("#document-body[data-document]")
        page.evaluate(TWO_FRAMES % "")
        seconds.append(time.perf_counter() - started)
    return {"long note": min(seconds), "long note, median": statistics.median(seconds)}


def show(found: dict[str, float], budgets: dict[str, float]) -> None:
    """Figures beside their budgets."""
    for name, value in found.items():
        print(
            f"  {name:<20}{value:10.2f}" + (f"   budget {budgets[name]}" if name in budgets else "")
        )


def main() -> None:
    """Measure, and print beside the budgets."""
    sizes = [int(size) for size in sys.argv[1:]] or list(READY)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for documents in sizes:
            folder = Path(name) / str(documents)
            write_corpus(folder, documents)
            print(f"{documents:,} documents, {len(SYSTEMS)} systems")
            show(compare_with_scoring(folder), BUDGETS)
            show(measure_memory(browser, folder / "report.html"), BUDGETS)
            show(report(folder), {})
            budgets = {"ready, best": READY[documents]} if documents in READY else {}
            show(measure_loads(browser, folder / "report.html", "#doc=doc00777.txt"), budgets)
            show(measure_actions(browser, folder / "report.html"), BUDGETS)
            shutil.rmtree(folder)
        folder = Path(name) / "long"
        write_long_note(folder)
        report(folder, "--config", "task1", systems=SYSTEMS[:1])
        print("A note of 1 MB with 5,000 mentions a side, in many lines")
        show(measure_long_note(browser, folder / "report.html"), BUDGETS)
        browser.close()


if __name__ == "__main__":
    main()
