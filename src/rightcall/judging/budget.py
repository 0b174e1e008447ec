"""What may be spent, in money and in tokens: nothing is sent that would go beyond."""

from __future__ import annotations

from ..errors import JudgeError

__all__ = ["Budget"]

_BYTES_A_TOKEN = 3
"""Of JSON; a cautious figure, since it decides whether a request may still be sent."""
_TOKENS_A_PAIR = 12
"""Of an answer."""


class Budget:
    """Counts what was spent, and what requests on their way may cost.

    Args:
        usd: dollars in all; None for no limit.
        tokens: tokens in all, in and out; None for no limit.
        price: dollars for a million tokens in, and out; None where it is not known.

    Attributes:
        usd, tokens: spent so far.
    """

    def __init__(
        self, usd: float | None = None, tokens: int | None = None, price: tuple[float, float] | None = None
    ) -> None:
        self.usd = 0.0
        self.tokens = 0
        self._most_usd = usd
        self._most_tokens = tokens
        self._price = price
        self._underway: dict[int, tuple[int, float]] = {}
        self._number = 0

    def reserve(self, size: int, pairs: int) -> int:
        """Take what a request of `size` bytes about `pairs` pairs may come to; gives its number.

        Raises:
            JudgeError: it would go beyond the budget.
        """
        tokens_in, tokens_out = size // _BYTES_A_TOKEN + 1, _TOKENS_A_PAIR * pairs
        usd = self.cost(tokens_in, tokens_out)
        held_tokens = sum(tokens for tokens, _ in self._underway.values())
        held_usd = sum(each for _, each in self._underway.values())
        if (
            self._most_tokens is not None
            and self.tokens + held_tokens + tokens_in + tokens_out > self._most_tokens
        ):
            spent = f"{self.tokens:,} of {self._most_tokens:,} tokens are spent"
            raise JudgeError(f"{spent}, and the next request would go beyond", field="budget-tokens")
        if self._most_usd is not None and (
            self.usd + held_usd + usd > self._most_usd or self.usd >= self._most_usd
        ):
            spent = f"${self.usd:.4f} of ${self._most_usd:.4f} is spent"
            raise JudgeError(f"{spent}, and the next request would go beyond", field="budget-usd")
        self._number += 1
        self._underway[self._number] = (tokens_in + tokens_out, usd)
        return self._number

    def settle(self, number: int, tokens_in: int, tokens_out: int, usd: float | None) -> float:
        """What the request of this number really took; gives its dollars."""
        self._underway.pop(number, None)
        cost = self.cost(tokens_in, tokens_out) if usd is None else usd
        self.usd += cost
        self.tokens += tokens_in + tokens_out
        return cost

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Dollars for so many tokens; 0 where no price is known."""
        if self._price is None:
            return 0.0
        return (tokens_in * self._price[0] + tokens_out * self._price[1]) / 1e6
