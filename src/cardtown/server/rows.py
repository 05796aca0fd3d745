"""What the rows of a table's log say. Everything else about a table follows from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Stage = Literal["open", "playing", "over", "closed"]
"""How far a table is: people may still come and go, the match is on, it is over, or it was closed before."""


class Clock(Struct, frozen=True, gc=False):
    """How long people may think: as long as they like, so many seconds per move, or so many for the whole game."""

    kind: Literal["none", "move", "game"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=30 * 24 * 3600)] = 0


class Player(Struct, frozen=True, gc=False):
    """Who sits in a seat: a person, a bot of some level, or nobody yet."""

    person: str | None = None
    bot: str | None = None

    @property
    def is_nobody(self) -> bool:
        return self.person is None and self.bot is None


NOBODY = Player()
ITSELF = Player(bot="itself")
"""A seat for which the rules choose."""


class Beginning(Struct, frozen=True, gc=False):
    """The first choices of a match that is over, from which another goes on.

    `secrets`, each up to a step, decided chance until then; they are no secrets any more.
    """

    moves: tuple[tuple[int, str], ...] = ()
    secrets: tuple[tuple[int, str], ...] = ()

    @property
    def known(self) -> list[tuple[int, bytes]]:
        return [(last, bytes.fromhex(secret)) for last, secret in self.secrets]


class Opened(Struct, frozen=True, gc=False, tag="opened"):
    """A table is there. `secret` decides all chance; until the match is over only its commitment is shown.

    `begins`: all seats are taken, and the match begins with it.
    """

    game: str
    rules: str
    seats: int
    options: dict[str, int | str]
    players: tuple[Player, ...]
    host: str
    secret: str
    is_listed: bool = False
    may_hint: bool = True
    clock: Clock = Clock()
    components: dict[str, Any] | None = None
    beginning: Beginning = Beginning()
    begins: bool = False


class Sat(Struct, frozen=True, gc=False, tag="sat"):
    """Somebody takes a seat, or (NOBODY) it is free again."""

    seat: int
    player: Player


class Started(Struct, frozen=True, gc=False, tag="started"):
    """The last seat is taken: the match begins."""


class Chose(Struct, frozen=True, gc=False, tag="chose"):
    """A seat made a choice, in the notation of the game; `choice` is its number, if that is known."""

    seat: int
    move: str
    choice: int | None = None


class AskedUndo(Struct, frozen=True, gc=False, tag="asked-undo"):
    """A seat would like its last choice back; the other people are asked."""

    seat: int


class AnsweredUndo(Struct, frozen=True, gc=False, tag="answered-undo"):
    """One of them agrees or does not."""

    seat: int
    agrees: bool


class Undone(Struct, frozen=True, gc=False, tag="undone"):
    """A seat's last choice and all that followed is taken back."""

    seat: int


class Resigned(Struct, frozen=True, gc=False, tag="resigned"):
    """A seat gives up; with three or more a bot plays on for it."""

    seat: int


class TakenOver(Struct, frozen=True, gc=False, tag="taken-over"):
    """A person is away: a bot plays for them until they come back."""

    seat: int
    bot: str


class CameBack(Struct, frozen=True, gc=False, tag="came-back"):
    seat: int


class Removed(Struct, frozen=True, gc=False, tag="removed"):
    """The host sent somebody away."""

    person: str


class Muted(Struct, frozen=True, gc=False, tag="muted"):
    """The host decided whether somebody may talk."""

    person: str
    is_muted: bool


class Said(Struct, frozen=True, gc=False, tag="said"):
    """Somebody said something to all who are at the table."""

    person: str
    text: str


class WantsRematch(Struct, frozen=True, gc=False, tag="wants-rematch"):
    seat: int


class Rematched(Struct, frozen=True, gc=False, tag="rematched"):
    """All want it: the next match is at another table."""

    table: str


class Closed(Struct, frozen=True, gc=False, tag="closed"):
    """The table is closed before the match is over."""


class Finished(Struct, frozen=True, gc=False, tag="finished"):
    """What follows from the end has been noted: ratings, and the table among the finished ones of its people."""


class Forgot(Struct, frozen=True, gc=False, tag="forgot"):
    """What was said until now is forgotten. Where it stood in the log the same stands instead."""


class Gone(Struct, frozen=True, gc=False, tag="gone"):
    """The table is forgotten: nothing can follow, and its log is deleted."""


Body = (
    Opened
    | Sat
    | Started
    | Chose
    | AskedUndo
    | AnsweredUndo
    | Undone
    | Resigned
    | TakenOver
    | CameBack
    | Removed
    | Muted
    | Said
    | WantsRematch
    | Rematched
    | Closed
    | Finished
    | Forgot
    | Gone
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Body] = msgspec.json.Decoder(Body)


def encode(body: Body) -> bytes:
    return _encoder.encode(body)


def decode(body: bytes) -> Body:
    return _decoder.decode(body)
