"""Connections to PostgreSQL: opened when they are needed, and again when they were lost; and the schema of a town.

Whoever opens a town's database first makes its schema, or brings an older one up to date, while the others wait.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import asyncpg

from .store import StoreError

T = TypeVar("T")
Connection = asyncpg.Connection

SCHEMA = "cardtown"
MIGRATIONS = (
    """
    CREATE SEQUENCE process_id;
    CREATE TABLE log (
        "table" text COLLATE "C" NOT NULL,
        number integer NOT NULL,
        at double precision NOT NULL,
        body bytea NOT NULL,
        process bigint NOT NULL,
        tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
        PRIMARY KEY ("table", number)
    );
    CREATE INDEX ON log (tx);
    CREATE TABLE note (
        kind text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        body bytea NOT NULL,
        tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
        PRIMARY KEY (kind, name)
    );
    CREATE INDEX ON note (tx) WHERE kind = 'person';
    CREATE UNLOGGED TABLE process (id bigint PRIMARY KEY, seen timestamptz NOT NULL);
    CREATE UNLOGGED TABLE care ("table" text COLLATE "C" PRIMARY KEY, process bigint NOT NULL);
    CREATE INDEX ON care (process);
    CREATE UNLOGGED TABLE there (
        process bigint NOT NULL,
        "table" text COLLATE "C" NOT NULL,
        person text COLLATE "C" NOT NULL,
        is_there boolean NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
        PRIMARY KEY (process, "table", person)
    );
    CREATE INDEX ON there (tx);
    """,
    "CREATE TABLE channel AS SELECT 'cardtown-' || gen_random_uuid() AS name",
)
"""What leads from each version to the next; never changed, only added to. `tx` finds what is new, see notices.py.

Whoever may connect to the database can use any channel of its notices, so only who may read the town knows ours.
"""

LAST_PORT = 65535
PORT = re.compile(r":([^:,\]]*)(?=,|$)")
"""That of each host of an address, but nothing of an IPv6 one."""

CONNECT_WITHIN = 5.0
ANSWER_WITHIN = 30.0
"""Seconds after which a database that does not answer counts as lost."""

MIGRATE_WITHIN = 3600.0
"""The same, while the schema is brought up to date, and for those who wait for it."""

PLANNING = {
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}
"""Each statement is planned once, so it must be for any number of rows: all that is asked for often has an index."""

PATIENCE = 10.0
"""Seconds to wait for a database that is gone: it may only be starting again."""

NAP = 0.1
LOST = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
)
"""What tells that the database is gone, or the connection to it: with another one it may work."""

BAD_INPUT = (ValueError, asyncpg.exceptions.DataError, asyncpg.IntegrityConstraintViolationError)
"""What the database, or the way to it, does not take: with another connection it does not work either."""


class Database:
    """Where a town is kept."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.shown = without_password(url)
        who, at, _ = url.partition("://")[2].rpartition("@")
        if at and set(who) & set("/?#"):
            raise StoreError(f"{self.shown}: in a password / is written %2F, ? is %3F and # is %23")
        hosts = self.shown.partition("://")[2].partition("/")[0]
        if not all(port.isdecimal() and int(port) <= LAST_PORT for port in PORT.findall(hosts)):
            raise StoreError(f"{self.shown}: a port is a whole number up to {LAST_PORT}")

    async def connect(self, **settings: str) -> Connection:
        """A new connection; `settings` are PostgreSQL's own."""
        ours = {"application_name": "cardtown", "search_path": SCHEMA, **PLANNING}
        return await asyncpg.connect(
            self.url,
            timeout=CONNECT_WITHIN,
            command_timeout=ANSWER_WITHIN,
            server_settings={**ours, **settings},
        )

    async def prepare(self) -> None:
        """Make the schema, or bring it up to date; one process at a time."""
        async with self.connected() as db:
            if await self._version(db) != len(MIGRATIONS):
                async with db.transaction():
                    await self._migrate(db)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Connection]:
        """A connection for once; what goes wrong is told as a StoreError."""
        try:
            db = await self.connect()
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            raise StoreError(f"{self.shown}: the database can't be reached: {reason(error)}") from None
        try:
            yield db
        except (*LOST, asyncpg.PostgresError) as error:
            raise StoreError(f"{self.shown}: the database can't be used: {reason(error)}") from None
        finally:
            await hang_up(db)

    async def _version(self, db: Connection) -> int:
        """That of the schema; 0: there is none."""
        if not await db.fetchval("SELECT to_regclass('version')"):
            return 0
        return await db.fetchval("SELECT max(version) FROM version") or 0

    async def _migrate(self, db: Connection) -> None:
        lock = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
        await db.execute(lock, f"{SCHEMA}/schema", timeout=MIGRATE_WITHIN)
        await db.execute(f"SET LOCAL client_min_messages = warning; CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        await db.execute("CREATE TABLE IF NOT EXISTS version (version integer NOT NULL)")
        version = await self._version(db)
        if version > len(MIGRATIONS):
            raise StoreError(
                f"{self.shown}: was written by a newer Cardtown (version {version}; known is {len(MIGRATIONS)})"
            )
        for number, statements in enumerate(MIGRATIONS[version:], version + 1):
            await db.execute(statements, timeout=MIGRATE_WITHIN)
            await db.execute("INSERT INTO version VALUES ($1)", number)


class Line:
    """One connection, for one at a time, that is opened again after it was lost."""

    def __init__(self, database: Database, **settings: str) -> None:
        self.database = database
        self.settings = settings
        self.db: Connection | None = None
        self.using = asyncio.Lock()

    @asynccontextmanager
    async def use(self) -> AsyncIterator[Connection]:
        """The connection; if what is done with it fails by its loss it is given up."""
        async with self.using:
            if self.db is None or self.db.is_closed():
                self.db = await self.database.connect(**self.settings)
            try:
                yield self.db
            except BaseException as error:  # also when cancelled: an answer may be under way
                if isinstance(error, (*LOST, asyncio.CancelledError)) and not isinstance(error, BAD_INPUT):
                    self.db.terminate()
                    self.db = None
                raise

    async def ask(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do what may be done twice, if need be again on a new connection."""
        end = asyncio.get_running_loop().time() + PATIENCE
        while True:
            try:
                async with self.use() as db:
                    return await work(db)
            except LOST as error:
                if isinstance(error, BAD_INPUT) or asyncio.get_running_loop().time() > end:
                    raise StoreError(f"{self.database.shown}: {reason(error)}") from error
            except asyncpg.PostgresError as error:
                raise StoreError(f"{self.database.shown}: {reason(error)}") from error
            await asyncio.sleep(NAP)

    async def close(self) -> None:
        if self.db is not None:
            await hang_up(self.db)


def without_password(url: str) -> str:
    """An address as it may be shown."""
    scheme, _, where = url.partition("://")
    return f"{scheme}://{re.split('[?#]', where.rpartition('@')[2])[0]}"


async def hang_up(db: Connection) -> None:
    with suppress(*LOST):
        await db.close(timeout=CONNECT_WITHIN)


def reason(error: BaseException) -> str:
    """An error in one line."""
    found: Any = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(found).split())
