"""NCBI Disease and MedMentions in plain Python, slow and readable.

Independent of the package: used as its oracle on random data. Reads PubTator lines.
"""


def _concepts(cell, space, separators):
    """The concepts of a cell."""
    for separator in separators[1:]:
        cell = cell.replace(separator, separators[0])
    for each in cell.split(separators[0]):
        name = each.strip().upper()
        name = name if ":" in name else f"{space}:{name}"
        if name.rsplit(":", 1)[1].strip() not in ("", "-", "-1"):
            yield "".join(name.split())


def read(text, space, separators, kept=None):
    """Items of each kind of a file: sets of tuples that begin with the document."""
    items = {"mentions": set(), "typed": set(), "linked": set(), "concepts": set()}
    for line in text.splitlines():
        if line.strip() and "|t|" not in line and "|a|" not in line:
            name, start, end, _, label, *ids = line.strip().split("\t")
            types = {t for t in label.split(",") if kept is None or t in kept}
            if types:
                place = (name, int(start), int(end))
                items["mentions"].add(place)
                items["typed"] |= {(*place, each) for each in types}
                for each in _concepts(ids[0], space, separators) if ids else ():
                    items["linked"].add((*place, each))
                    items["concepts"].add((name, each))
    return items


def score(predictions, references, kinds, **reading):
    """Counts of each kind."""
    gold, found = read(references, **reading), read(predictions, **reading)
    counts = {}
    for kind in kinds:
        counts[f"{kind}_tp"] = len(gold[kind] & found[kind])
        counts[f"{kind}_fp"] = len(found[kind] - gold[kind])
        counts[f"{kind}_fn"] = len(gold[kind] - found[kind])
    return counts
