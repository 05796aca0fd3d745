"""A small network: from what a seat knows to how good each choice and its prospects look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from cardtown.core.state import MAX_CHOICES

WIDTH = 128


class Network(nn.Module):  # type: ignore[misc]
    """Two layers, then a weight for each choice, and what share of the win each place may hope for, me first."""

    scale: Tensor

    def __init__(self, size: int, places: int, width: int = WIDTH) -> None:
        super().__init__()
        self.register_buffer("scale", torch.ones(size))
        self.first = nn.Linear(size, width)
        self.second = nn.Linear(width, width)
        self.policy = nn.Linear(width, MAX_CHOICES)
        self.value = nn.Linear(width, places)
        for head in (self.policy, self.value):  # at first all choices are alike
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, known: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithms of how likely each choice is (hopeless where it is not legal), and of each place's share."""
        x = torch.relu(self.first(known.float() * self.scale))
        x = torch.relu(self.second(x))
        weights = self.policy(x).masked_fill(legal == 0, -1e9)
        return torch.log_softmax(weights, 1), torch.log_softmax(self.value(x), 1)

    def fit_scale(self, known: Tensor) -> None:
        """Let every number that was seen lie between -1 and 1."""
        most = known.abs().amax(0).float()
        self.scale.copy_(1 / torch.maximum(self.scale.reciprocal(), most))

    def save(self, file: Path, **facts: str) -> None:
        """Write the weights as NumPy arrays, with the scale already in them, and some facts about them."""
        arrays: dict[str, Any] = {key: np.array(fact) for key, fact in facts.items()}
        for name in ("first", "second", "policy", "value"):
            layer: nn.Linear = getattr(self, name)
            weight = layer.weight.detach() * (self.scale if name == "first" else 1)
            arrays[f"{name}_weight"] = as_array(weight.T)
            arrays[f"{name}_bias"] = as_array(layer.bias.detach())
        np.savez_compressed(file, **arrays)


def as_array(weights: Tensor) -> Any:
    return np.ascontiguousarray(weights.cpu().numpy(), np.float32)
