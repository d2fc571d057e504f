// What pages lack for screen readers and keyboards: the buttons beside code are no navigation, what
// is wider than its box is scrolled with keys too, and a corner without a word heads no column.
const mend = () => {
  for (const bar of document.querySelectorAll("nav.md-code__nav")) bar.setAttribute("role", "none");
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .highlight code")) box.tabIndex = 0;
  for (const corner of document.querySelectorAll("th:empty")) corner.replaceWith(document.createElement("td"));
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
