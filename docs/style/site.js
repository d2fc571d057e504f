// Accessibility: the buttons next to code are not navigation, boxes that scroll need the keyboard
// focus, and an empty corner of a table is not a heading.
const mend = () => {
  for (const bar of document.querySelectorAll("nav.md-code__nav")) bar.setAttribute("role", "none");
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .highlight code")) box.tabIndex = 0;
  for (const corner of document.querySelectorAll("th:empty")) corner.replaceWith(document.createElement("td"));
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
