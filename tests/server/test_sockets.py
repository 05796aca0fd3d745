"""Frames that we make ourselves are those that others make."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from cardtown.server.sockets import head


@pytest.mark.parametrize("length", [0, 1, 125, 126, 0xFFFF, 0x10000, 1_000_000])
def test_a_text_is_framed_as_others_do_it(length: int) -> None:
    text = b"x" * length
    assert head(length) + text == Frame(Opcode.TEXT, text).serialize(mask=False)
