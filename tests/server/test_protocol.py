"""What is documented of the protocol is what the server speaks."""

from __future__ import annotations

from pathlib import Path

from cardtown.server.protocol import page

PAGE = Path(__file__).parent.parent.parent / "docs" / "protocol.md"


def test_the_page_about_the_protocol_is_the_newest() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"
