"""The tables of a page whose rows are tests."""

import re


def rows_of(page):
    """Each row of the page's tables as a dict by the table's head, with its section."""
    rows = []
    for part in page.split("\n## ")[1:]:
        section, _, body = part.partition("\n")
        for table in re.findall(r"(?:^\|.*\n)+", body, re.MULTILINE):
            head, _, *lines = ([*map(cell, split(line))] for line in table.splitlines())
            rows += [{"section": section, **dict(zip(head, line, strict=True))} for line in lines]
    return rows


def split(line):
    return re.split(r"(?<!\\)\|", line.strip())[1:-1]


def cell(text):
    return text.strip().strip("`").replace("\\|", "|")
