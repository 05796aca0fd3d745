"""Tournaments that hold the bots to what is promised of them; `make soak bots` runs them and writes docs/bots.md.

Every figure is from duplicate deals: each deal is played from every seat. What is there already is not played again
(`docs/bots.json`), unless the code that bots think with has changed since.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cardtown.bots.budgets import budget_of
from cardtown.bots.thinking import Budget, think
from cardtown.cli.progress import progress
from cardtown.core.cards import is_single, lowest
from cardtown.core.game import Game, Options
from cardtown.core.state import State
from cardtown.games import find
from cardtown.lab.plot import plot_results
from cardtown.lab.standings import Result
from cardtown.lab.table import Table
from cardtown.lab.tournament import Player, games_of, hold, seat_bot
from tests.open_spiel_player import is_open_spiel, seat_open_spiel
from tests.soak import commit

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
CHAPTER = "## Tournaments"
SEED = 2026
QUICK = "hard:20ms"
SEES_ALL = "sees all"

Results = Sequence[Result]


def seat_anybody(name: str, game: Game, seed: int) -> Player:
    """Seats bots and guests by name; SEES_ALL thinks as long as QUICK does, but about the true state."""
    if is_open_spiel(name):
        return seat_open_spiel(name, game, seed)
    if name != SEES_ALL:
        return seat_bot(name, game, seed)

    def choose(s: State, seat: int, decision: int) -> int:
        choices = game.rules.legal(s, seat)
        if is_single(choices):
            return lowest(choices)
        return think(game, s, seat, Budget(seconds=0.02, sees_all=True), seed + decision).best

    return choose


def wins_at_least(share: float) -> Callable[[Results], bool]:
    """The first bot named wins at least that share of its games."""
    return lambda results: results[0].win_rate >= share


def surely_wins(share: float) -> Callable[[Results], bool]:
    """Even the lower end of its range is that high."""
    return lambda results: results[0].low >= share


def beats_the_next(results: Results) -> bool:
    """The first bot wins more than its fair share, by more than the 95 % interval."""
    return results[0].low > results[0].fair


def wins_more_alone(results: Results) -> bool:
    """Each plays alone: the ranges do not touch."""
    return results[0].low > results[1].high


def whatever(results: Results) -> bool:
    return True


@dataclass(frozen=True)
class Contest:
    """A tournament and what must come of it; results are in the order of the bots."""

    about: str
    game: str
    seats: int
    bots: tuple[str, ...]
    games: int
    promise: str
    is_kept: Callable[[Results], bool]
    options: Options = field(default_factory=dict)

    @property
    def name(self) -> str:
        options = "".join(f", {key} {value}" for key, value in self.options.items())
        return f"{self.game} {self.seats}{options}: {', '.join(self.bots)}"


BLINDLY = "Against players who choose blindly"
LONGER = "Thinking longer"
LEVELS = "Easy, medium, hard"
SOLO = "Alone against the Citybots"
GUEST = "Against OpenSpiel's search, at equal time"
PAIRS = (
    ("hollywood", 2, 200, 200),
    ("egocentric", 2, 100, 200),
    ("crimson", 4, 80, 100),
    ("gossip", 4, 300, 1000),
    ("hinode", 4, 200, 100),
)
"""Where levels meet: game, seats, games of hard and medium, games of medium and easy."""


def meet(one: str, other: str, seats: int) -> tuple[str, ...]:
    return (one, other) * (seats // 2)


CONTESTS = (
    Contest(BLINDLY, "hollywood", 2, (QUICK, "random"), 600, "surely ≥ 93 %", surely_wins(0.93)),
    Contest(BLINDLY, "egocentric", 2, (QUICK, "random"), 400, "surely ≥ 97 %", surely_wins(0.97)),
    Contest(BLINDLY, "crimson", 4, (QUICK, "random"), 120, "≥ 75 %", wins_at_least(0.75)),
    Contest(BLINDLY, "hinode", 4, (QUICK, "random"), 120, "≥ 75 %", wins_at_least(0.75)),
    Contest(BLINDLY, "gossip", 4, (QUICK, "random"), 800, "≥ 75 %, or ≥ 90 % of the next row", whatever),
    Contest(BLINDLY, "gossip", 4, (SEES_ALL, "random"), 800, "for comparison", whatever),
    Contest(LONGER, "hollywood", 2, ("hard:2000", "hard:200"), 400, "beats the other", beats_the_next),
    Contest(LONGER, "hollywood", 2, ("hard:20000", "hard:2000"), 600, "beats the other", beats_the_next),
    Contest(LONGER, "gossip", 4, meet("hard:2000", "hard:200", 4), 1000, "beats the other", beats_the_next),
    Contest(LONGER, "gossip", 4, meet("hard:20000", "hard:2000", 4), 400, "beats the other", beats_the_next),
    *(
        Contest(LEVELS, game, seats, meet(one, other, seats), games, "beats the other", beats_the_next)
        for game, seats, few, many in PAIRS
        for one, other, games in (("hard", "medium", few), ("medium", "easy", many))
    ),
    Contest(GUEST, "hollywood", 2, ("hard:50ms", "openspiel:50ms"), 160, "surely > 70 %", surely_wins(0.70)),
    Contest(GUEST, "hollywood", 2, ("hard:200ms", "openspiel:200ms"), 40, "> 70 %", wins_at_least(0.70)),
    Contest(GUEST, "hollywood", 2, ("hard:50ms", "openspiel-playouts:50ms"), 160, "for comparison", whatever),
    Contest(GUEST, "hollywood", 2, ("hard:200ms", "openspiel-playouts:200ms"), 40, "for comparison", whatever),
    *(
        Contest(SOLO, "egocentric", 1, ("hard", "easy"), 160, "more than the other", wins_more_alone, {"difficulty": d})
        for d in (1, 2, 3)
    ),
)


def play(contest: Contest) -> dict[str, Any]:
    """Hold a contest; what came of it."""
    game = find(contest.game)
    options = game.complete(contest.options, contest.seats)
    table = Table(contest.game, None, contest.seats, options)
    began = time.perf_counter()
    with progress(games_of(table, contest.bots, contest.games)) as tick:
        held = hold(table, contest.bots, contest.games, SEED, tick, sit=seat_anybody)
    results = [held.result(bot) for bot in dict.fromkeys(contest.bots)]
    return {
        "results": [asdict(result) for result in results],
        "games": len(held.played),
        "seconds": round(time.perf_counter() - began),
        "commit": commit(),
        "thinking": thinking(contest),
    }


def thinking(contest: Contest) -> str:
    """A hash of all that decides how the bots play that game."""
    bots = ROOT / "src/cardtown/bots"
    files = [bots / "__init__.py", bots / "levels.py", bots / "thinking.py", *sorted((bots / "search").glob("*.py"))]
    texts = [file.read_text(encoding="utf-8") for file in files]
    budgets = [str(budget_of(bot)) for bot in contest.bots]
    return hashlib.sha256("\0".join([*texts, *budgets, find(contest.game).rules_hash]).encode()).hexdigest()[:16]


def is_played(contest: Contest, found: dict[str, Any] | None) -> bool:
    """Is it there already, often enough and with bots that think as they do now?"""
    return bool(found and found["games"] >= contest.games and found["thinking"] == thinking(contest))


def results_of(found: dict[str, Any]) -> list[Result]:
    return [Result(**result) for result in found["results"]]


def broken_promises(results: dict[str, Any]) -> list[str]:
    """The contests whose promise is not kept."""
    broken = [c.name for c in CONTESTS if c.name in results and not c.is_kept(results_of(results[c.name]))]
    knowing, seeing = (f"gossip 4: {bot}, random" for bot in (QUICK, SEES_ALL))
    if knowing in results and seeing in results:
        wins, most = (results_of(results[name])[0].win_rate for name in (knowing, seeing))
        if wins < min(0.75, 0.9 * most):
            broken.append(knowing)
    return broken


def main(words: list[str]) -> int:
    """Hold all contests, or those whose name holds one of the words."""
    file = DOCS / "bots.json"
    results = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for contest in CONTESTS:
        is_asked = not words or any(word in contest.name for word in words)
        if not is_asked or is_played(contest, results.get(contest.name)):
            continue
        print(f"bots: {contest.name}", flush=True)
        results[contest.name] = play(contest)
        results = {c.name: results[c.name] for c in CONTESTS if c.name in results}
        file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        write(results)
    write(results)
    broken = broken_promises(results)
    for name in broken:
        print(f"bots: not as promised: {name}", file=sys.stderr)
    return 1 if broken else 0


def write(results: dict[str, Any]) -> None:
    """The last chapter of docs/bots.md; what stands above it is left as it is."""
    page = DOCS / "bots.md"
    broken = broken_promises(results)
    lines = [
        page.read_text(encoding="utf-8").partition(CHAPTER)[0] + CHAPTER,
        "",
        "Written by `make soak bots`. Each deal is played from every seat; a range is the 95 % interval, widened where "
        f"games share the luck of their deal. Machine: {platform.machine()}, two games at a time.",
        "",
    ]
    for about in dict.fromkeys(contest.about for contest in CONTESTS):
        lines += [f"### {about}", "", "| game | seats | bots | wins | range | fair | promise | kept | games | commit |"]
        lines += ["|---|---|---|---|---|---|---|---|---|---|"]
        for contest in CONTESTS:
            if contest.about == about and contest.name in results:
                lines.append(row(contest, results[contest.name], contest.name not in broken))
        lines.append("")
    lines += ["![How often hard and easy win alone, by difficulty](bots-solo.svg)", ""]
    page.write_text("\n".join(lines), encoding="utf-8")
    plot(results)


def row(contest: Contest, found: dict[str, Any], kept: bool) -> str:
    results = results_of(found)
    options = "".join(f", {key} {value}" for key, value in contest.options.items())
    cells = (
        find(contest.game).title + options,
        contest.seats,
        "<br>".join(result.bot for result in results),
        "<br>".join(f"{result.win_rate:.1%}" for result in results),
        "<br>".join(f"{result.low:.1%} – {result.high:.1%}" for result in results),
        f"{results[0].fair:.0%}",
        contest.promise,
        "yes" if kept else "**no**",
        found["games"],
        found["commit"],
    )
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def plot(results: dict[str, Any]) -> None:
    """How often `hard` wins alone, by difficulty: the measure of the Citybots."""
    shown = []
    for contest in CONTESTS:
        if contest.about == SOLO and contest.name in results:
            for result in results_of(results[contest.name]):
                shown.append(Result(**{**asdict(result), "bot": f"{result.bot}, {contest.options['difficulty']}"}))
    if shown:
        plot_results(shown, "Egocentric World alone, by difficulty", DOCS / "bots-solo.svg")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
