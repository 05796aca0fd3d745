"""Learning by self-play: one network plays every seat of many games, and learns to choose what turned out well.

Proximal policy optimisation: choices that led to more than was hoped for become likelier, by small steps, over and
over. Games lie in NumPy arrays or in a GPU's memory; the same code learns from both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_

from .network import Network


@dataclass(frozen=True)
class Plan:
    """How to learn."""

    seconds: float = float("inf")
    lessons: int = 0  # as many at most, where it is not 0: so the same seed leads to the same network
    steps: int = 32  # decisions of each game before the network learns from them
    passes: int = 2  # times that it learns from the same decisions
    pieces: int = 8  # parts in which it does
    pace: float = 1e-3
    look_ahead: float = 0.95  # how far to trust what came of it, rather than what was hoped for meanwhile
    clip: float = 0.2
    curiosity: float = 0.01
    seed: int = 0
    against_random: bool = False  # one seat learns, the others choose at random


@dataclass
class Played:
    """What was played between two lessons: [step, game]."""

    known: Tensor
    legal: Tensor
    seats: Tensor
    choices: Tensor
    likely: Tensor
    shares: Tensor  # what was hoped for each place
    ended: Tensor
    rewards: Tensor
    is_mine: Tensor


@dataclass(frozen=True)
class Progress:
    """How far it is."""

    share: float
    decisions: int
    games: int
    entropy: float
    surprise: float
    """How little it expected what came: the cross entropy of its hopes."""


def train(games: Any, plan: Plan, tick: Callable[[Progress], None] = lambda progress: None) -> Network:
    """Learn for a while. `games` is a `Vector` or `DeviceGames`."""
    torch.manual_seed(plan.seed)
    known = tensor(games.observe())
    network: Network = Network(known.shape[1], games.rewards.shape[1]).to(known.device)
    teacher = torch.optim.Adam(network.parameters(), plan.pace, eps=1e-5)
    began = time.monotonic()
    decisions = finished = lessons = 0
    share = 0.0
    while share < 1:
        lessons += 1
        share = min(1.0, max((time.monotonic() - began) / plan.seconds, lessons / plan.lessons if plan.lessons else 0))
        for group in teacher.param_groups:
            group["lr"] = plan.pace * max(1 - share, 0.02)
        played = play(games, network, plan)
        targets = returns(played, plan.look_ahead)
        entropy, surprise = learn(network, teacher, played, targets, plan)
        decisions += played.choices.numel()
        finished += int((played.ended == 1).sum())
        tick(Progress(share, decisions, finished, entropy, surprise))
    return network


def tensor(array: Any) -> Tensor:
    """An array of whatever library as PyTorch's, in the same memory."""
    made: Tensor = torch.from_dlpack(array)
    return made


@torch.no_grad()  # type: ignore[untyped-decorator]
def play(games: Any, network: Network, plan: Plan) -> Played:
    """Play on for some steps, choosing as likely as the network says."""
    rows: list[tuple[Tensor, ...]] = []
    for step in range(plan.steps):
        known, legal, seats = tensor(games.observe()).clone(), tensor(games.legal()).clone(), tensor(games.seats).long()
        if step == 0:
            network.fit_scale(known)
        likely, hopes = network(known, legal)
        is_mine = torch.ones_like(seats, dtype=torch.bool)
        if plan.against_random:
            is_mine = seats == torch.arange(len(seats), device=seats.device) % games.table_seats
        odds = torch.where(is_mine[:, None], likely.exp(), legal.float())
        choices = torch.multinomial(odds, 1).squeeze(1)
        chosen = likely.gather(1, choices[:, None]).squeeze(1)
        games.step(choices)
        ended, rewards = tensor(games.ended).clone(), tensor(games.rewards).clone()
        rows.append((known, legal, seats, choices, chosen, turned(hopes.exp(), -seats), ended, rewards, is_mine))
    return Played(*(torch.stack(column) for column in zip(*rows, strict=True)))


def returns(played: Played, look_ahead: float) -> Tensor:
    """What each place may expect after each choice, seen from the end, or from where the games stand now."""
    targets = torch.zeros_like(played.shares)
    coming = played.shares[-1]
    for step in reversed(range(len(targets))):
        coming = torch.where((played.ended[step] > 0)[:, None], played.rewards[step], coming)
        targets[step] = coming
        coming = look_ahead * coming + (1 - look_ahead) * played.shares[step]
    return targets


def turned(shares: Tensor, by: Tensor) -> Tensor:
    """Shares counted from another place on."""
    places = shares.shape[1]
    clockwise = torch.arange(places, device=shares.device)[None]
    return shares.gather(1, (clockwise + by[:, None]) % places)


def learn(network: Network, teacher: Any, played: Played, targets: Tensor, plan: Plan) -> tuple[float, float]:
    """Learn from what was played; the entropy of its choices, and how little it expected what came."""
    known, legal = played.known.flatten(0, 1), played.legal.flatten(0, 1)
    seats, choices, before = (each.flatten() for each in (played.seats, played.choices, played.likely))
    ends = turned(targets.flatten(0, 1), seats)
    gains = ends[:, 0] - turned(played.shares.flatten(0, 1), seats)[:, 0]
    is_mine = played.is_mine.flatten()
    spread, middle = gains[is_mine].std() + 1e-6, gains[is_mine].mean()
    entropies, surprises = [], []
    for _ in range(plan.passes):
        for piece in torch.randperm(len(choices), device=choices.device).chunk(plan.pieces):
            likely, shares = network(known[piece], legal[piece])
            now = likely.gather(1, choices[piece][:, None]).squeeze(1)
            ratio = (now - before[piece]).exp()
            gain = (gains[piece] - middle) / spread
            better = torch.minimum(ratio * gain, ratio.clamp(1 - plan.clip, 1 + plan.clip) * gain)
            better = better[is_mine[piece]].mean()
            surprise = -(ends[piece] * shares).sum(1).mean()
            entropy = -(likely.exp() * likely).sum(1).mean()
            teacher.zero_grad()
            (surprise - better - plan.curiosity * entropy).backward()
            clip_grad_norm_(network.parameters(), 0.5)
            teacher.step()
            entropies.append(entropy.detach())
            surprises.append(surprise.detach())
    return float(torch.stack(entropies).mean()), float(torch.stack(surprises).mean())
