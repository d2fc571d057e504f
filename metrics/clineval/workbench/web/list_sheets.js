"use strict";
// Lists of items on paper.

const drawOnPaper = (d, text) => VIEW.draw(d, text);
const joinOnPaper = () => {};

// The items of a document that the filter shows; without a filter, those that are not right.
function itemsOnPaper(d) {
  const { document: of, kind } = current.list.columns;
  return current.rows.filter((i) => of[i] === d && (hasFilter() || !kindOf(kind[i]).right));
}

const itemAt = (i) => ({ i, ...current.list.item(i) });
const remarkAt = (i) => remarks.get(keyOf(placeOfItem(itemAt(i))));

const PAPER_COLUMNS = {
  Kind: (i) => kindOf(current.list.columns.kind[i]).label,
  [head.row_title]: (i) => corpus.rows[current.list.columns.row[i]],
  Item: (i, text) => (text !== null && VIEW.describeWords ? VIEW.describeWords(itemAt(i), text) : VIEW.describe(itemAt(i))),
};

const detailOnPaper = () => (chosenItem() === null ? [] : [element("h3", {}, "The chosen item"), VIEW.detail(itemAt(chosenItem()))]);

const measuresOf = (d) => head.measures.map(([key, label]) => `${label} ${shownMeasure(key, d)}`).join(", ");
