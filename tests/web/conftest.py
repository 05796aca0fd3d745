"""What the tests in the browser share: one server and one browser for all of them, and people who come and go."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ViewportSize

from cardtown.games import games
from cardtown.server import client
from tests.server.serving import Server, serving
from tests.web.browsing import DESK, Visitor, browsing

Coming = Callable[..., Awaitable[Visitor]]
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert (client.FOLDER / "index.html").exists(), "the client has not been built: `make test` builds it"
    with serving(tmp_path_factory.mktemp("town")) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(server: Server, browser: Browser, request: pytest.FixtureRequest) -> AsyncIterator[Coming]:
    """People who come to the town; when the test fails their screens are kept, else nothing may have gone wrong."""
    visitors: list[Visitor] = []

    async def comes(size: ViewportSize = DESK, **more: Any) -> Visitor:
        found = await Visitor.comes(browser, server.url, size, seed=len(visitors), **more)
        visitors.append(found)
        return found

    yield comes
    failed = request.node.stash.get(FAILED, True)
    for number, each in enumerate(visitors):
        if failed:
            picture = await each.takes_picture(f"{request.node.name} {number}")
            request.node.add_report_section("call", f"visitor {number}", f"{await each.tells()}\n{picture}")
            request.node.add_report_section("call", f"problems of visitor {number}", "\n".join(each.problems))
        await each.context.close()
    assert failed or [problem for each in visitors for problem in each.problems] == []


@pytest.fixture(params=list(games()))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)
