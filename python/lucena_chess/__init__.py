"""The chess engine Lucena, which explains its evaluation, for programs that use python-chess."""

from ._engine import Engine, Line, SearchResult
from ._lucena import version as _version
from ._questions import (
    Claim,
    Concept,
    Evaluation,
    Explanation,
    Term,
    Threats,
    evaluate,
    explain,
    feature_names,
    features,
    level,
    threats,
    weight_shares,
    weights,
)
from ._reviews import GameReview, MoveReview, Profile, Reviews, SideReview, profile, review
from .errors import (
    ArgumentTypeError,
    EngineClosedError,
    InvalidBoardError,
    InvalidMoveError,
    LucenaError,
    NoAnswerError,
    OptionError,
    PgnError,
    StoreError,
    UnsupportedVariantError,
)

__version__ = _version()

__all__ = [
    "ArgumentTypeError",
    "Claim",
    "Concept",
    "Engine",
    "EngineClosedError",
    "Evaluation",
    "Explanation",
    "GameReview",
    "InvalidBoardError",
    "InvalidMoveError",
    "Line",
    "LucenaError",
    "MoveReview",
    "NoAnswerError",
    "OptionError",
    "PgnError",
    "Profile",
    "Reviews",
    "SearchResult",
    "SideReview",
    "StoreError",
    "Term",
    "Threats",
    "UnsupportedVariantError",
    "evaluate",
    "explain",
    "feature_names",
    "features",
    "level",
    "profile",
    "review",
    "threats",
    "weight_shares",
    "weights",
]
