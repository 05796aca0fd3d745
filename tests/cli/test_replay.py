"""A game that was played is watched in the terminal, step by step, as a seat saw it."""

from __future__ import annotations

from pathlib import Path

from cardtown.cli.replay import Watcher
from cardtown.cli.terminal.watch import Watching, WatchScreen
from cardtown.core import transcript
from cardtown.games import games

SAMPLE = Path(__file__).parent.parent / "samples" / "hollywood.jsonl"


def watching(seat: int | None) -> Watching:
    _, found = next(transcript.read(SAMPLE))
    watcher = Watcher(seat)
    match = transcript.replay(found, games(), watcher)
    return Watching(match.game, ["Ann", "Bob"], watcher.moments, match.lines(seat))


async def test_keys_step_through_the_game() -> None:
    app = watching(0)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        assert isinstance(screen, WatchScreen)
        assert "Step 0 of" in str(screen.notice)
        await pilot.press("right", "right", "left")
        assert screen.number == 1
        assert any("plays" in str(line) for line in screen.log_lines())
        await pilot.press("end")
        assert screen.seen.ending is not None
        await pilot.press("right")
        assert screen.number == len(screen.moments) - 1
        await pilot.press("home")
        assert screen.number == 0
        for key in ("s", "l", "question_mark"):
            await pilot.press(key)
            assert app.screen is not screen
            await pilot.press("escape")
            assert app.screen is screen
        await pilot.press("q")


async def test_a_seat_sees_its_hand_and_a_spectator_sees_none() -> None:
    def hands(app: Watching) -> dict[int | None, set[bool]]:
        zones = [zone for moment in app.watched[2] for zone in moment.table.zones if zone.kind == "fan"]
        return {
            owner: {
                getattr(card, "face", None) is not None for zone in zones if zone.owner == owner for card in zone.things
            }
            for owner in (0, 1)
        }

    assert hands(watching(0))[0] == {True}
    assert False in hands(watching(0))[1]
    assert False in hands(watching(None))[0]
