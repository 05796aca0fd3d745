"""`cardtown report`, as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_commands import cardtown


def test_it_writes_one_page_and_says_how_to_make_it_again(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    args = ["--bots", "random,wander", "--games", "12", "--vary", "carpet=3,6", "--seed", "4", "--out", str(file)]
    done = cardtown("report", "hollywood", *args)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{file}: 52 games\n"
    page = file.read_text(encoding="utf-8")
    assert "Hollywood Sensation: balance report" in page
    assert "carpet 6" in page
    again = "cardtown report hollywood --seats 2 --bots random,wander --games 12 --vary carpet=3,6 --seed 4"
    assert f"<code>{again}</code>" in page


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["hollywod"], "there is no game 'hollywod'"),
        (["hollywood", "--bots", "random"], "at least two different ones"),
        (["hollywood", "--bots", "random,hard"], "hard thinks by the clock"),
        (["hollywood", "--bots", "random,clever"], "there is no bot 'clever'"),
        (["hollywood", "--vary", "rug=1"], "nothing to vary that is called 'rug'"),
        (["hollywood", "--vary", "carpet=7"], "option carpet can't be 7"),
        (["hollywood", "--out", "report.pdf"], "--out writes an .html file, not 'report.pdf'"),
        (["hollywood", "--out", "no/such/report.html"], "no/such/report.html: there is no such folder"),
        (["hollywood", "--games", "0"], "0 is not in the range x>=1"),
        (["hollywood", "--seats", "3"], "hollywood can't be played by 3"),
    ],
)
def test_wrong_input_is_answered_in_one_line(args: list[str], message: str) -> None:
    done = cardtown("report", *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
