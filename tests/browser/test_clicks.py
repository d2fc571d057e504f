"""Every mark in the notes can be pressed, wherever on it the mouse is."""

import pytest
from demos import arguments_of

from clineval.results.registry import NAMES, find_challenge
from clineval.results.views import MentionView

MARKED = [
    name
    for name in NAMES
    if isinstance(find_challenge(name).faces.page, MentionView)
    and find_challenge(name).kind.offsets == "characters"
    and (find_challenge(name).task.corpora / "text").is_dir()
]
DEAD = """() => {
  const box = document.getElementById("document-body");
  const dead = [];
  let tried = 0;
  for (const mark of box.querySelectorAll("mark")) {
    for (let k = 0; k < mark.getClientRects().length; k++) {
      box.scrollTop += mark.getClientRects()[k].top - box.getBoundingClientRect().top - box.clientHeight / 2;
      const place = mark.getClientRects()[k];
      for (const share of place.width ? [0.25, 0.5, 0.75] : []) {
        const hit = document.elementFromPoint(place.left + place.width / 2, place.top + place.height * share);
        tried += 1;
        if (!mark.contains(hit)) dead.push([mark.textContent, share, hit?.className]);
      }
    }
  }
  return [tried, dead];
}"""


@pytest.mark.parametrize("name", MARKED)
def test_every_mark_is_what_lies_under_the_mouse(name, make_report, open_page, go_to):
    (found, gold), options = arguments_of(name)
    asked = [word for option in options.items() for word in ("--" + option[0], option[1])]
    texts = ("--text", find_challenge(name).task.corpora / "text")
    page = open_page(make_report(name, gold, found, *asked, *texts), width=1440, height=900)
    tried = 0
    for document in page.evaluate("corpus.documents.slice(0, 6)"):
        for show in ("both", "merged"):
            go_to(page, doc=document, show=show)
            points, dead = page.evaluate(DEAD)
            assert dead == []
            tried += points
    assert tried > 100
