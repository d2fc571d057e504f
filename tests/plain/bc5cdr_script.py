"""What the evaluation kit of BioCreative V CDR counts, in plain Python.

Independent of the package: used as its oracle on random data. Reads PubTator lines.
"""

TYPES = ("Disease", "Chemical")


def _concept(text):
    if text in ("", "-1"):
        return None
    return text if ":" in text else f"MESH:{text}"


def _items(name, cells):
    """What a line says."""
    if cells[0] == "CID":
        yield "relations", name, "CID", tuple(_concept(end) for end in cells[1:3])
    else:
        start, end, _, label, *ids = cells
        yield "mentions", name, label, (int(start), int(end))
        for each in ids[0].split("|") if ids else []:
            if _concept(each):
                yield "concepts", name, label, _concept(each)


def read(text):
    """Items ``(kind, document, type, what)`` of a file."""
    items = set()
    for line in text.splitlines():
        if line.strip() and "|t|" not in line and "|a|" not in line:
            name, *cells = line.strip().split("\t")
            items.update(_items(name, cells))
    return items


def score(predictions, references):
    """Counts of all kinds, of each type and of all."""
    gold, found = read(references), read(predictions)
    counts = {}
    for kind, types in (("mentions", TYPES), ("concepts", TYPES), ("relations", ("CID",))):
        for label in (*types, None) if kind != "relations" else (None,):
            wanted = lambda item, k=kind, t=label: item[0] == k and t in (None, item[2])  # noqa: E731
            golds, founds = set(filter(wanted, gold)), set(filter(wanted, found))
            visited = {item[1] for item in golds}
            founds = {item for item in founds if item[1] in visited}
            key = kind if label is None else f"{label.lower()}_{kind}"
            counts[f"{key}_tp"] = len(golds & founds)
            counts[f"{key}_fp"] = len(founds - golds)
            counts[f"{key}_fn"] = len(golds - founds)
    return counts
