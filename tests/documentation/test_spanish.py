"""Rules that change a score: each row of the page, by both protocols."""

import warnings

import pytest
from page_tables import rows_of
from pages import read

import clineval

PAGE = "hub_cards/spanish/README.md"
ROWS = rows_of(read(PAGE).partition("\n## Rules that change a score")[2].replace("\n### ", "\n## "))
NEW = ["filename", "label", "start_span", "end_span", "text"]
OLD = ["filename", "label", "off0", "off1", "span"]
MARKED = ["filename", "mark", *OLD[1:]]
IMPACTS = ["filename", "isPet", "PetIDs", "isAnimalInjury", "AnimalInjuryIDs", "isFood", "FoodIDs",
           "isNosocomial", "NosocomialIDs"]  # fmt: skip
CHALLENGES = {
    "multiclinai26": (NEW, "", ""),
    "medprocner23": (NEW, "PROCEDIMIENTO", "code"),
    "multicardioner24": (NEW, "", ""),
    "symptemist23": (NEW, "SINTOMA", "code"),
    "distemist22": (OLD, "ENFERMEDAD", "code"),
    "livingner22": (MARKED, "", "NCBITax"),
    "toxhabits25": (OLD, "", ""),
    "cantemist20": ([], "MORFOLOGIA_NEOPLASIA", "code"),
}
"""Columns, the label where there is one, and the column of codes."""
RULE = "rule of the program"


def table_of(said, module, config):
    """The table that a cell of the page describes."""
    columns, label, code = CHALLENGES[module]
    rows = [row.split(" ") for row in said.split("; ")]
    if config in {"index", "coding"}:
        return "\n".join(["filename\tcode", *map("\t".join, rows)]) + "\n"
    if config == "app":
        return "\n".join(["\t".join(IMPACTS), *map("\t".join, rows)]) + "\n"
    written = ["\t".join([*columns, *([code] if code and config == "norm" else [])])]
    for name, *rest in rows:
        of = label or rest.pop(0)
        place, *others = rest
        mark = ["T1"] if "mark" in columns else []
        others = [cell.replace("_", " ").replace("NULL", "") for cell in others]
        written.append("\t".join([name, *mark, of, *place.split("-"), *others]))
    return "\n".join(written) + "\n"


def write_brat(folder, said):
    """Write the files that a cell of the page describes, with the codes in notes."""
    folder.mkdir()
    label = CHALLENGES["cantemist20"][1]
    for number, row in enumerate(said.split("; "), 1):
        name, place, words, *codes = row.split(" ")
        lines = [f"T{number}\t{label} {place.replace('-', ' ')}\t{words}"]
        lines += [f"#{number}\tAnnotatorNotes T{number}\t{code}" for code in codes]
        with (folder / f"{name}.ann").open("a", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['section']}, {row[RULE]}")
def test_a_rule_moves_the_number_as_the_page_says(row, tmp_path):
    module = row["section"].partition(":")[0]
    config, key = row["score"].split(" ")
    sides = []
    for side in ("predicted", "gold"):
        sides.append(tmp_path / f"{side}.tsv")
        if module == "cantemist20" and config != "coding":
            write_brat(sides[-1], row[side])
            continue
        header, end, rows = table_of(row[side], module, config).partition("\n")
        headed = config != "coding" or (side == "gold" and "without a header" not in row[RULE])
        sides[-1].write_text(f"{header}{end}{rows}" if headed else rows, "utf-8")
    listed = tmp_path / "codes.tsv"
    listed.write_text("code\tname\n12\ta\n34\tb\n8140/3\tc\n")
    options = {"codes": listed} if "the list has" in row[RULE] else {}
    for protocol in ("official", "spec"):
        asked = {"config": config, "protocol": protocol, **options}
        assert said_of(module, *sides, key, asked) == row[protocol], protocol


def said_of(module, predicted, gold, key, asked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return f"{clineval.score(module, predicted, gold, **asked)[key]:.3f}"
        except clineval.InputError:
            return "–"
