"""All that a page of the Workbench holds, also what is compressed in it."""

import base64
import gzip
import re

_DATA = re.compile(r'<script type="application/octet-stream"[^>]*>([^<]*)<')


def decode_page(page):
    """A page's text, and after it each block of its data as a browser unpacks it."""
    blocks = [gzip.decompress(base64.b64decode(data)) for data in _DATA.findall(page)]
    assert blocks, "every page has data"
    return "\n".join([page, *(block.decode("utf-8", "replace") for block in blocks)])
