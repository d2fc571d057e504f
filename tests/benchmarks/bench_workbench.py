"""The page of 10,000 documents: size, time until it is ready, time to switch documents.

    python tests/benchmarks/bench_workbench.py [documents]

25 mentions a side and 2.8 kB of random words a note. Needs playwright and chromium, as
``make test-browser`` installs them.
"""

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from clineval.workbench import build_workbench

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
BUDGETS = {"megabytes": 15.0, "ready": 2.0, "switch": 0.5, "elements": 5000}


def write_corpus(folder: Path, documents: int, mentions: int = 25) -> None:
    """Pipe files with shifted, missed, spurious and miscoded mentions, and their notes."""
    draw = random.Random(7)
    for name in ("gold", "pred", "notes"):
        (folder / name).mkdir()
    for number in range(documents):
        text = "\n".join(" ".join(draw.choices(WORDS, k=11)) for _ in range(40))
        name = f"doc{number:05d}"
        sides: dict[str, list[str]] = {"gold": [], "pred": []}
        at = 0
        for _ in range(mentions):
            at += draw.randrange(3, 60)
            spans = [(at, at + draw.randrange(4, 16))]
            if draw.random() < 0.12:
                spans.append((spans[0][1] + 3, spans[0][1] + 3 + draw.randrange(4, 9)))
            at = spans[-1][1] + 1
            code = f"C{draw.randrange(4000):07d}" if draw.random() < 0.8 else "CUI-less"
            fate = draw.choices("TBCFN", [70, 10, 10, 5, 5])[0]
            slots = [draw.choices(v, [9, 1])[0] for v in (("no", "yes"), ("patient", "other"))]
            others = ("no", "unmarked", "unmarked", "false", "false", "NULL")
            rest = "".join(f"{value}|NULL|" for value in (*slots, *others))
            if fate != "F":
                sides["gold"].append(f"{name}.txt|{written(spans)}|{code}|{rest}")
            if fate != "N":
                moved = [(a, b - (fate == "B")) for a, b in spans]
                other = f"C{draw.randrange(4000):07d}" if fate == "C" else code
                sides["pred"].append(f"{name}.txt|{written(moved)}|{other}|{rest}")
        for side, lines in sides.items():
            (folder / side / f"{name}.pipe").write_text("\n".join(lines) + "\n")
        (folder / "notes" / f"{name}.txt").write_text(text[: max(len(text), at)].ljust(at))


def written(spans: list[tuple[int, int]]) -> str:
    """Fragments as the pipe format writes them."""
    return ",".join(f"{start}-{end}" for start, end in spans)


def measure_page(path: Path) -> dict[str, float]:
    """Open the page in Chromium and go through it; seconds, the median of three loads."""
    found = {"megabytes": path.stat().st_size / 1e6}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        ready = []
        for _ in range(3):
            page = browser.new_context(offline=True).new_page()
            started = time.perf_counter()
            page.goto(path.as_uri() + "#doc=doc00777.txt")
            page.wait_for_selector("body[data-ready]", timeout=60_000)
            ready.append(time.perf_counter() - started)
        found["ready"] = sorted(ready)[1]
        actions = {
            "switch": "change({ doc: corpus.documents[corpus.documents.length - 3], m: null })",
            "match mode": "change({ match: 'overlap' })",
            "filter": "change({ ...NO_FILTER, verdicts: new Set(['fn']), tab: 'pairs' })",
            "next pair": "openPair(5)",
        }
        for name, action in actions.items():
            page.evaluate("delete document.getElementById('document-body').dataset.document")
            started = time.perf_counter()
            page.evaluate(
                f"""() => new Promise((done) => {{
                  {action};
                  requestAnimationFrame(() => requestAnimationFrame(done));
                }})"""
            )
            if name == "switch":
                page.wait_for_selector("#document-body[data-document]")
            found[name] = time.perf_counter() - started
        found["elements"] = page.locator("*").count()
        browser.close()
    return found


def main() -> None:
    """Measure, and print beside the budgets."""
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        write_corpus(folder, documents)
        started = time.perf_counter()
        workbench = build_workbench(
            "semeval15_task14", folder / "gold", {"pred": folder / "pred"}, notes=folder / "notes"
        )
        path = folder / "report.html"
        path.write_text(workbench.to_html(), "utf-8")
        print(f"{documents:,} documents, written in {time.perf_counter() - started:.1f} s")
        for name, value in measure_page(path).items():
            budget = f"   budget {BUDGETS[name]}" if name in BUDGETS else ""
            print(f"{name:<12}{value:10.2f}{budget}")


if __name__ == "__main__":
    main()
