"""The exceptions of this package. All derive from `LucenaError`."""

from __future__ import annotations

from typing import Any, Optional, Tuple


class LucenaError(Exception):
    """Lucena cannot do what it was asked to."""


class EngineClosedError(LucenaError):
    """The engine is closed: open another one with `Engine()`."""


class ArgumentTypeError(LucenaError, TypeError):
    """An argument has the wrong type. The message names the argument and the types that it takes."""


class UnsupportedVariantError(LucenaError, ValueError):
    """The board is of a variant other than standard chess and Chess960."""


class InvalidBoardError(LucenaError, ValueError):
    """The position cannot occur in a game. The message names what is wrong."""


class InvalidMoveError(LucenaError, ValueError):
    """The move is not legal, or its text cannot be read."""


class OptionError(LucenaError, ValueError):
    """An option or a limit is missing, out of range, or cannot be applied. The message names it."""


class NoAnswerError(LucenaError):
    """The position has no answer, such as an explanation of a game that is over."""


class StoreError(LucenaError):
    """A store of reviews or a file of training games is damaged, in use, or of another version. The message names the file."""


class PgnError(LucenaError, ValueError):
    """A game cannot be read."""

    def __init__(self, message: str, number: Optional[int] = None, line: Optional[int] = None) -> None:
        super().__init__(message)
        #: The number of the game in the text, from 1.
        self.number = number
        #: The line of the text at fault, from 1.
        self.line = line

    def __reduce__(self) -> Tuple[Any, ...]:
        return (type(self), (self.args[0], self.number, self.line))
