"""BioCreative V CDR in plain Python, both protocols, slow and readable.

Independent of the package: used as its oracle on random data. Reads PubTator lines.
"""

TYPES = ("Disease", "Chemical")


def _spec_concept(text):
    text = text.strip().upper()
    space, name = text.rsplit(":", 1) if ":" in text else ("MESH", text)
    return None if name.strip() in ("", "-", "-1") else f"{space.strip()}:{name.strip()}"


def _official_concept(text):
    if text in ("", "-1"):
        return None
    return text if ":" in text else f"MESH:{text}"


def _items(name, cells, concept, protocol):
    """What a line says."""
    if cells[0] == "CID" and protocol == "spec":
        for left in cells[1].split("|"):
            for right in cells[2].split("|"):
                yield "relations", name, "CID", (concept(left), concept(right))
    elif cells[0] == "CID":
        yield "relations", name, "CID", tuple(concept(end) for end in cells[1:3])
    else:
        start, end, _, label, *ids = cells
        yield "mentions", name, label, (int(start), int(end))
        for each in ids[0].split("|") if ids else []:
            if concept(each):
                yield "concepts", name, label, concept(each)


def read(text, protocol):
    """Items ``(kind, document, type, what)`` of a file."""
    concept = _spec_concept if protocol == "spec" else _official_concept
    items = set()
    for line in text.splitlines():
        if line.strip() and "|t|" not in line and "|a|" not in line:
            name, *cells = line.strip().split("\t")
            items.update(_items(name, cells, concept, protocol))
    return items


def score(predictions, references, protocol):
    """Counts of all kinds, of each type and of all."""
    gold, found = read(references, protocol), read(predictions, protocol)
    counts = {}
    for kind, types in (("mentions", TYPES), ("concepts", TYPES), ("relations", ("CID",))):
        for label in (*types, None) if kind != "relations" else (None,):
            wanted = lambda item, k=kind, t=label: item[0] == k and t in (None, item[2])  # noqa: E731
            golds, founds = set(filter(wanted, gold)), set(filter(wanted, found))
            if protocol == "official":
                visited = {item[1] for item in golds}
                founds = {item for item in founds if item[1] in visited}
            key = kind if label is None else f"{label.lower()}_{kind}"
            counts[f"{key}_tp"] = len(golds & founds)
            counts[f"{key}_fp"] = len(founds - golds)
            counts[f"{key}_fn"] = len(golds - founds)
    return counts
