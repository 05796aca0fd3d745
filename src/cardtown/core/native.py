"""Single machine instructions for compiled code, where the processor has them. Imported only when compiling."""

from __future__ import annotations

from typing import Any

from llvmlite import binding, ir
from numba import njit, types
from numba.extending import intrinsic

HAS_DEPOSIT = binding.get_host_cpu_features().get("bmi2", False)


@intrinsic  # type: ignore[untyped-decorator]
def deposit(typing: Any, bits: Any, places: Any) -> Any:
    """Put the low bits of `bits` into the places of the set bits of `places`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, (word, word))
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind), args)

    return types.int64(types.int64, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def trailing_zeros(typing: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


@njit(forceinline=True)  # type: ignore[untyped-decorator]
def nth_by_deposit(cards: int, n: int) -> Any:
    """`cards.nth` without a loop: uniform choice is half of what a random game does."""
    return trailing_zeros(deposit(1 << n, cards))
