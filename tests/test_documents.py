"""doc/documents.md: every line names a test that is there."""
import re

import pytest

import tool

PAGE = tool.ROOT / "doc" / "documents.md"
NAMED = re.findall(r"`(tests/[\w/.]+)::(\w+)` \|$", PAGE.read_text(), re.MULTILINE)


def test_every_row_names_a_test():
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ") and not line.startswith("| what it shows")]
    assert len(rows) == len(NAMED) > 20


@pytest.mark.parametrize("file, name", sorted(set(NAMED)))
def test_the_test_is_there(file, name):
    assert re.search(rf"^(def|static void) {name}\(", (tool.ROOT / file).read_text(), re.MULTILINE)
