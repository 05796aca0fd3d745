"""Every game by keys alone: from the town to a table, and choice after choice without losing the focus."""

from __future__ import annotations

import pytest

from cardtown.games import find
from tests.conftest import Tally
from tests.server.serving import Server
from tests.web.browsing import DESK, PHONE, words
from tests.web.conftest import Coming

pytestmark = pytest.mark.asyncio(loop_scope="session")

A_FEW = 4


async def test_a_game_is_played_by_keys_alone(
    server: Server, visitor: Coming, game: str, soak: int, tally: Tally
) -> None:
    person = await visitor(DESK)
    await person.opens()
    play = person.district(find(game).title).get_by_role("button", name=words("town.play"))
    await person.tabs_to(play)
    await person.presses("Enter")
    await person.is_at_table()
    await person.until_turn()
    made = await person.chooses_by_keys(A_FEW if soak == 1 else 10**6)
    assert made >= A_FEW
    if soak > 1:
        await person.sees_the_end()
        await person.tabs_to(person.dialog().get_by_role("button", name=words("table.rematch")))
        await person.presses("Enter")
        await person.until("() => eyes.isMyTurn()")
    tally("choices made by keys", made)


async def test_the_panels_open_and_close_by_keys(server: Server, visitor: Coming) -> None:
    person = await visitor(PHONE)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.until_turn()
    await person.presses("Escape")  # ends the tour
    await person.button("help.skip").wait_for(state="detached")
    for key, title in (("?", "help.title"), ("l", "table.logScoreChat"), ("h", "review.hint")):
        await person.presses(key)
        await person.dialog().get_by_role("heading", name=words(title), exact=True).wait_for()
        await person.until("() => document.activeElement.closest('dialog') !== null")
        await person.presses("Escape")
        await person.until("() => document.querySelector('dialog') === null")
    await person.until_turn()
    await person.presses("ArrowUp")  # from nowhere to what glows, from a card to the next one
    await person.until("() => document.activeElement.matches('[data-stop]')")


async def test_what_happens_is_said_to_screen_readers(server: Server, visitor: Coming) -> None:
    person = await visitor(DESK)
    await person.opens()
    await person.plays_now(find("hollywood").title)
    await person.until_turn()
    prompt = await person.page.locator("[data-prompt]").inner_text()
    await person.until("() => document.querySelector('.unseen[role=status]').innerText !== ''")
    await person.chooses(1)
    await person.until_turn()
    said = await person.page.locator(".unseen[role=status], .unseen[role=alert]").all_inner_texts()
    assert prompt
    assert any(said)
