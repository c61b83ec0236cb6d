//! A reviewed game as data: the JSON of `docs/review.schema.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::accuracy;
use super::judge::{Judgement, Mark, Scale, rounded_loss, shown_loss};
use super::opening;
use super::reasons::Cause;
use super::record::Record;
use super::verdict::{ReviewLimit, Verdict, expected_points};
use super::words::{first_moves, numbered};
use crate::base::value::{Value, moves_to_mate};
use crate::chess::{Color, Game, Move, Position};
use crate::eval::{material_count, normalise, win_draw_loss};
use crate::search::report::ReportedScore;

/// The version of the JSON format.
const FORMAT: u32 = 1;

/// A score from White's view after a move: normalised centipawns, or moves to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WhiteScore {
    Cp(Value),
    /// Positive: White mates; negative: Black mates. Never 0: a game that is over has no score.
    Mate(i32),
}

impl WhiteScore {
    /// The score for people.
    pub fn text(self) -> String {
        match self {
            Self::Cp(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
            Self::Mate(moves) => {
                let side = if moves > 0 { "White" } else { "Black" };
                format!("mate in {} for {side}", moves.abs())
            }
        }
    }
}

/// A side of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideReport {
    pub name: String,
    /// lichess's accuracy in percent; `None` without moves.
    pub accuracy: Option<f64>,
    /// Expected points lost per move.
    pub lost: Option<f64>,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveReport {
    /// From 1.
    pub ply: usize,
    #[serde(rename = "move")]
    pub san: String,
    pub uci: String,
    /// The position before the move.
    pub fen: String,
    /// The score after the move, for White; `None` where the game is over.
    pub score: Option<WhiteScore>,
    /// The chances to win, draw and lose of the mover after the move in self-play at 500 nodes a move, per mille.
    pub wdl: [u16; 3],
    /// Expected points that the move loses.
    pub lost: f64,
    pub accuracy: f64,
    pub mark: Option<Mark>,
    /// The best move in SAN, and the line that shows it.
    pub best: String,
    pub best_line: String,
    /// The line of the played move.
    pub line: String,
    pub text: Vec<String>,
    /// The expected points lost by a mistake, by cause.
    pub causes: BTreeMap<&'static str, f64>,
    /// In plies.
    pub depth: i32,
    pub nodes: u64,
    #[serde(skip)]
    pub position: Position,
    #[serde(skip)]
    pub played: Move,
    #[serde(skip)]
    pub best_moves: Vec<Move>,
    /// The moves expected after this one.
    #[serde(skip)]
    pub expected: Vec<Move>,
}

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningReport {
    pub eco: &'static str,
    pub name: &'static str,
}

/// A reviewed game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    pub format: u32,
    pub engine: String,
    pub limit: ReviewLimit,
    pub scale: Scale,
    pub source: String,
    /// Number in the source, from 1.
    pub number: u64,
    /// Its first line in the source, from 1.
    pub line: u64,
    pub tags: BTreeMap<String, String>,
    pub result: String,
    pub opening: Option<OpeningReport>,
    pub white: SideReport,
    pub black: SideReport,
    pub moves: Vec<MoveReport>,
    /// White's expected points before the first move.
    #[serde(skip)]
    pub start_points: f64,
    #[serde(skip)]
    pub record: Record,
    /// Its place among all games of the review, from 1.
    #[serde(skip)]
    pub index: u64,
}

/// A judged move with what was searched and said.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    pub mv: Move,
    pub verdict: Verdict,
    pub judgement: Judgement,
    pub text: Vec<String>,
    /// What the loss of a mistake consists of.
    pub reasons: Option<Vec<(Cause, i32)>>,
}

/// Rounds for JSON, where more digits mean nothing.
pub(super) fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}

impl MoveReport {
    pub(super) fn new(ply: usize, game: &Game, judged: &JudgedMove) -> Self {
        let (position, verdict) = (game.position(), &judged.verdict);
        let after = position.play(judged.mv);
        let first = |line: &[Move]| numbered(position, first_moves(line));
        Self {
            ply,
            san: position.san(judged.mv).to_string(),
            uci: position.uci(judged.mv),
            fen: position.to_fen(),
            score: white_score(position, &after, verdict.played_score),
            wdl: win_draw_loss(verdict.played_score, material_count(position)),
            lost: rounded_loss(judged.judgement.lost(), 3),
            accuracy: rounded(accuracy::of_move(100.0 * judged.judgement.lost()), 1),
            mark: judged.judgement.mark,
            best: position.san(verdict.best).to_string(),
            best_line: first(&verdict.best_line),
            line: first(&verdict.played_line),
            text: judged.text.clone(),
            causes: causes(judged),
            depth: verdict.depth,
            nodes: verdict.nodes,
            position: *position,
            played: judged.mv,
            best_moves: verdict.best_line.clone(),
            expected: verdict.played_line.iter().skip(1).copied().collect(),
        }
    }

    /// The best move with its line, and what the played one loses; the score is that after the played move.
    pub fn summary(&self) -> String {
        let score = self.score.map_or("game over".into(), WhiteScore::text);
        if self.is_best() {
            return format!("best {}, {score}", self.best_line);
        }
        let sign = self.mark.map_or("", Mark::sign);
        let (best, san, lost) = (&self.best_line, &self.san, shown_loss(self.lost));
        format!("best {best}; {san}{sign}, {score}, loses {lost}")
    }

    pub fn by_black(&self) -> bool {
        self.position.turn().is_black()
    }

    /// Whether the played move is the best.
    pub fn is_best(&self) -> bool {
        self.best_moves.first() == Some(&self.played)
    }

    /// The expected points of White after the move.
    pub fn white_points(&self) -> f64 {
        let [win, draw, _] = self.wdl.map(f64::from);
        let own = (win + draw / 2.0) / 1000.0;
        if self.by_black() { 1.0 - own } else { own }
    }
}

/// The expected points that a mistake loses, divided among its causes as their shares are.
fn causes(judged: &JudgedMove) -> BTreeMap<&'static str, f64> {
    let Some(reasons) = &judged.reasons else {
        return BTreeMap::new();
    };
    let whole: f64 = reasons.iter().map(|(_, share)| f64::from(*share)).sum();
    let lost = judged.judgement.lost();
    reasons
        .iter()
        .map(|(cause, share)| (cause.key(), rounded(lost * f64::from(*share) / whole, 4)))
        .filter(|(_, lost)| *lost > 0.0)
        .collect()
}

/// The score of a move for White, as it is after the move.
fn white_score(position: &Position, after: &Position, score: Value) -> Option<WhiteScore> {
    if !after.has_legal_move() {
        return None;
    }
    let sign = if position.turn().is_white() { 1 } else { -1 };
    Some(match moves_to_mate(score) {
        // The mover has made one move of it.
        Some(moves) if moves > 0 => WhiteScore::Mate(sign * (moves - 1).max(1)),
        Some(moves) => WhiteScore::Mate(sign * moves.min(-1)),
        None => {
            let shown = ReportedScore::from(normalise(score, material_count(position)));
            WhiteScore::Cp(sign * shown.centipawns())
        }
    })
}

impl GameReport {
    pub fn new(
        source: String,
        record: Record,
        judged: &[JudgedMove],
        limit: ReviewLimit,
        scale: Scale,
    ) -> Self {
        let mut game = Game::new(record.start);
        let mut moves = Vec::with_capacity(judged.len());
        for (ply, judged) in (1..).zip(judged) {
            moves.push(MoveReport::new(ply, &game, judged));
            game.play(judged.mv);
        }
        let first = judged.first().map_or(0.5, |first| {
            let own = expected_points(first.verdict.best_score, &record.start);
            if record.start.turn().is_white() {
                own
            } else {
                1.0 - own
            }
        });
        let points = std::iter::once(first).chain(moves.iter().map(MoveReport::white_points));
        let chances: Vec<f64> = points.map(|points| 100.0 * points).collect();
        let side = |color| side(&record, color, &moves, &chances);
        let opening = opening::name(&record.start, &record.moves);
        Self {
            format: FORMAT,
            engine: concat!("Lucena ", env!("CARGO_PKG_VERSION")).into(),
            limit,
            scale,
            source,
            number: record.number,
            line: record.line,
            tags: record.tags.iter().cloned().collect(),
            result: record.result.clone(),
            opening: opening.map(|(eco, name)| OpeningReport { eco, name }),
            white: side(Color::White),
            black: side(Color::Black),
            moves,
            start_points: first,
            record,
            index: 0,
        }
    }
}

fn side(record: &Record, color: Color, moves: &[MoveReport], chances: &[f64]) -> SideReport {
    let own = |index: usize| moves[index].by_black() == color.is_black();
    let accuracies: Vec<f64> = moves.iter().map(|mv| mv.accuracy).collect();
    let own_moves = || {
        (0..moves.len())
            .filter(|&index| own(index))
            .map(|index| &moves[index])
    };
    let count = |mark| own_moves().filter(|mv| mv.mark == Some(mark)).count();
    let lost: f64 = own_moves().map(|mv| mv.lost).sum();
    let played = own_moves().count();
    let name = if color.is_white() { "White" } else { "Black" };
    let accuracy = accuracy::of_game(chances, &accuracies, own);
    SideReport {
        name: record.tag(name).unwrap_or("?").to_owned(),
        accuracy: accuracy.map(|accuracy| rounded(accuracy, 1)),
        lost: (played > 0).then(|| rounded(lost / played as f64, 4)),
        inaccuracies: count(Mark::Inaccuracy),
        mistakes: count(Mark::Mistake),
        blunders: count(Mark::Blunder),
    }
}
