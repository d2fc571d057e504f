"""A corpus of notes that a careless page would show wrongly, or run."""

import random
import re

from clineval.formats.delimited.pipe import SLOTS

NOTES = {
    "plain": "Chest pain.\nNo fever.\n",
    "emoji": "😀 pain 👩‍⚕️ and 🩸 bleeding\n𝔘nd 😷 cough\n",
    "tabs": "BP\t120/80\tHR\t70\n\t\tindented\trash  \n",
    "crlf": "Line one pain\r\nline two\r\n\r\nfever at the end",
    "lone_cr": "one\rtwo pain\rthree\n",
    "rtl": "החולה מתלונן על כאב בחזה\nالمريض يعاني من ألم\nmixed כאב pain\n",
    "markup": "</script><script>throw 1</script><img src=x onerror='throw 2'>\n"
    "<!--<script> pain &amp; ]]>\n",
    "controls": "nul\x00in the middle pain\x0b\x0c\x1b[31m\x7f end\n",
    "separators": "pain\u2028between\u2029lines\u00a0and\ufeffmarks\u200dhere\n",
    "blank": "\n\n\n   \n\n",
    "empty": "",
    "no_end": "no line end after pain",
    "long": "pain " * 3000,
    "combining": "cafe\u0301 pa\u0308in n\u0303 ﷽ ﬁbrosis\n",
    "json": '{"a": "\\u003c", \'b\': `${1}`} pain\n',
}


def write_corpus(folder, seed=1):
    """Write notes, a gold standard and a prediction; returns their folders."""
    random_ = random.Random(seed)
    folders = [folder / name for name in ("notes", "gold", "pred")]
    for made in folders:
        made.mkdir()
    for name, text in NOTES.items():
        (folders[0] / f"{name}.txt").write_bytes(text.encode())
        gold = {_spans(random_, text) for _ in range(5)} - {""}
        pred = {spans for spans in gold if random_.random() < 0.6}
        pred |= {_spans(random_, text) for _ in range(3)} - {""}
        for side, mentions in zip(folders[1:], (gold, pred), strict=True):
            lines = "".join(_line(random_, name, spans) for spans in sorted(mentions))
            (side / f"{name}.pipe").write_text(lines)
    return folders


def _spans(random_, text):
    most = min(len(text), 90)
    points = (
        sorted(random_.sample(range(most + 1), k=random_.choice([2, 2, 4]))) if most > 3 else []
    )
    return ",".join(f"{a}-{b}" for a, b in zip(points[::2], points[1::2], strict=True))


def _line(random_, name, spans):
    values = [random_.choice(["C0000001", "C0000002", "CUI-less"])]
    for slot in SLOTS[1:]:
        values += [random_.choice(slot.values[:2]) if slot.values else "NULL", "NULL"]
    return f"{name}.txt|{spans}|" + "|".join(values) + "|\n"


def words_of_notes():
    """Runs of letters that stand in a note and nowhere else in a page."""
    words = {word for text in NOTES.values() for word in re.findall(r"[^\W\d_]{4,}", text)}
    return words - {"script", "throw", "onerror", "Line", "line", "lines", "marks", "plain"}
