"""The built site: every link and anchor leads somewhere, and every page is near."""

from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from needs import need

need("zensical", "docs")


class Reader(HTMLParser):
    """What a page links to, loads, and has for others to link to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors, self.lost = set(), set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors |= {found.get("id"), found.get("name")}
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        if tag == "autoref":
            self.lost.append(found)
        if tag in {"img", "script"} and "src" in found:
            self.loads.add(found["src"])
        if tag == "link" and found.get("rel") != "canonical":
            self.loads.add(found["href"])


@pytest.fixture(scope="module")
def pages(site):
    return {
        path.relative_to(site).as_posix(): Reader(path.read_text("utf-8"))
        for path in site.rglob("*.html")
        if path.name != "404.html"
    }


def target_of(page, link):
    """File and anchor that a link of a page leads to."""
    there = urlsplit(urljoin(f"http://site/{page}", link))
    return unquote(there.path.lstrip("/")) or "index.html", unquote(there.fragment)


def is_outside(link):
    return bool(urlsplit(link).scheme)


def test_every_link_and_anchor_leads_somewhere(site, pages):
    broken = []
    for name, page in pages.items():
        for link in page.links:
            file, anchor = target_of(name, link)
            if is_outside(link):
                continue
            there = (site / file).is_file() and (
                not anchor or anchor.startswith("__") or anchor in pages[file].anchors
            )
            broken += [] if there else [(name, link)]
    assert broken == []
    assert [(name, page.lost) for name, page in pages.items() if page.lost] == []


def test_pages_load_nothing_from_elsewhere(site, pages):
    for name, page in pages.items():
        assert [link for link in page.loads if is_outside(link)] == []
        assert all((site / target_of(name, link)[0]).is_file() for link in page.loads)


def test_every_page_is_within_two_clicks(pages):
    near = {"index.html"}
    for _ in range(2):
        near |= {
            target_of(name, link)[0]
            for name in near & pages.keys()
            for link in pages[name].links
            if not is_outside(link)
        }
    assert pages.keys() <= near
    assert len(pages) > 40


def test_links_in_docstrings_are_links(site):
    text = (site / "reference" / "clineval.html").read_text("utf-8")
    assert ":func:" not in text
    assert "``" not in text
    assert 'href="#clineval.compare_counts"' in text
