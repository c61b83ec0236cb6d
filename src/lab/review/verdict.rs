//! The verdict of a search on a played move: its score and the best one's, from one root search of one depth.

use std::io;
use std::time::Duration;

use serde::Serialize;

use super::sacrifice::{accepting_capture, is_sacrifice};
use crate::base::clock::Instant;
use crate::base::value::{Bound, Depth, Value, is_decisive, is_win};
use crate::chess::{Game, Move, Position};
use crate::eval::{material_count, win_draw_loss};
use crate::explain::{mate_by_checks, mate_positions, mated_by_checks};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;
use crate::search::root::RootMove;
use crate::search::stop::Stop;

/// MiB of the TT.
const HASH: usize = 4;
/// Percent of the effort that finds the best move; the rest compares it with another one.
const SHARE_BEST: u64 = 60;
/// A mistake loses at least this many expected points, on every scale.
pub const LEAST_LOSS: f64 = 0.05;
/// How much worse the second best move must be for the best to count as the only good move, in expected points.
const ONLY_MOVE: f64 = 0.10;
/// Both moves of a mistake are compared again with this many times the effort, or this many plies deeper: of the marks that
/// 20,000 nodes give, 28 percent are none at 300,000 nodes, of the verified ones 9 percent.
const VERIFY_EFFORT: u64 = 8;
const VERIFY_PLIES: Depth = 4;
/// Plies of the game after a mistake that are searched.
pub const FOLLOWED: usize = 10;
/// Plies kept of a line.
pub const MAX_LINE: usize = 12;

/// The points that a side expects with a score for it.
pub fn expected_points(score: Value, position: &Position) -> f64 {
    let [win, draw, _] = win_draw_loss(score, material_count(position));
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// The effort for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewLimit {
    Nodes(u64),
    /// In plies.
    Depth(Depth),
    /// In milliseconds.
    MoveTime(u64),
}

impl ReviewLimit {
    /// The part of the effort that a search has.
    fn share(self, percent: u64) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes((nodes * percent / 100).max(1)),
            Self::Depth(depth) => Limits::depth(depth),
            Self::MoveTime(milliseconds) => Limits {
                started: Instant::now(),
                move_time: Some(Duration::from_micros(milliseconds * percent * 10)),
                ..Limits::none()
            },
        }
    }

    /// The effort that verifies a mistake.
    fn verifying(self) -> Limits {
        match self {
            Self::Depth(depth) => Self::Depth(depth.saturating_add(VERIFY_PLIES)).share(100),
            _ => self.share(100 * VERIFY_EFFORT),
        }
    }
}

/// The result of comparing a played move with the best. Scores are for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub best: Move,
    /// Never less than the score of the played move.
    pub best_score: Value,
    pub played_score: Value,
    /// If the played move is the best: how much worse the second best is, as two scores of one depth.
    pub second: Option<[Value; 2]>,
    /// The lines of both moves; the same if the played move is the best.
    pub best_line: Vec<Move>,
    pub played_line: Vec<Move>,
    /// The line in which the opponent takes what the played move leaves, if it is a sacrifice that is sound then, too.
    pub accepted_line: Vec<Move>,
    pub depth: Depth,
    pub nodes: u64,
}

impl Verdict {
    /// The lines of the best and of the played move.
    pub(super) fn lines(&self) -> Vec<RootMove> {
        let of = |moves: &[Move], score| {
            let mut line = RootMove::new(*moves.first()?);
            (line.score, line.bound, line.depth) = (score, Bound::Exact, self.depth);
            line.pv = moves.iter().copied().collect();
            Some(line)
        };
        let best = of(&self.best_line, self.best_score);
        best.into_iter()
            .chain(of(&self.played_line, self.played_score))
            .collect()
    }

    /// Whether the move counts as a mistake that no mate proves.
    pub fn is_doubtful(&self, position: &Position) -> bool {
        self.lost(position) >= LEAST_LOSS
            && !is_decisive(self.best_score)
            && !is_decisive(self.played_score)
    }

    /// Whether the played move is the best and much better than the second best.
    pub fn is_only_move(&self, position: &Position) -> bool {
        let gap = |[first, second]: [Value; 2]| {
            expected_points(first, position) - expected_points(second, position)
        };
        self.played_line.first() == Some(&self.best)
            && self.second.is_some_and(|pair| gap(pair) >= ONLY_MOVE)
    }

    /// The expected points that the played move loses.
    fn lost(&self, position: &Position) -> f64 {
        expected_points(self.best_score, position) - expected_points(self.played_score, position)
    }

    /// Mates by checks that the searches did not see, of either side; `positions` is the effort for each.
    fn add_forced_mates(&mut self, root: &Position, positions: u64) {
        let Some(&played) = self.played_line.first() else {
            return;
        };
        let mate = |first: &[Move]| mate_by_checks(root, first, &mut positions.clone());
        if !is_decisive(self.played_score) {
            let found =
                mate(&[played]).or_else(|| mated_by_checks(root, played, &mut positions.clone()));
            if let Some(found) = found {
                self.played_score = found.score;
                self.played_line = line(&found);
                // A lost move is no longer known to be the best.
                let pair = self.second.filter(|_| is_win(found.score));
                self.second = pair.map(|[_, second]| [found.score, second]);
            }
        }
        if !is_win(self.best_score) {
            let found = mate(&root.legal_moves());
            if let Some(found) = found.filter(|found| found.score > self.played_score) {
                (self.best, self.best_score) = (found.mv, found.score);
                self.best_line = line(&found);
            }
        }
        if self.best == played || self.played_score >= self.best_score {
            (self.best, self.best_score) = (played, self.played_score);
            self.best_line.clone_from(&self.played_line);
        }
    }
}

/// Finds verdicts; each depends only on the game and the limit.
pub struct Judge {
    searcher: LocalSearcher,
    limit: ReviewLimit,
    nodes: u64,
}

impl Judge {
    /// # Errors
    /// The memory could not be allocated.
    pub fn new(limit: ReviewLimit) -> io::Result<Self> {
        Ok(Self {
            searcher: LocalSearcher::new(HASH)?,
            limit,
            nodes: 0,
        })
    }

    /// Lets a stop end the searches; a verdict whose search was stopped is invalid.
    #[must_use]
    pub fn with_stop(mut self, stop: &Stop) -> Self {
        let (signal, ticket) = stop.signal();
        self.searcher = self.searcher.with_signal(signal, ticket);
        self
    }

    /// Compares a legal move with the best one; `None` stands for the best one itself.
    pub fn verdict(&mut self, game: &Game, played: Option<Move>) -> Option<Verdict> {
        self.searcher.new_game();
        self.nodes = 0;
        let legal = game.position().legal_moves().len();
        let percent = if legal == 1 { 10 } else { SHARE_BEST };
        let first = self.lines(game, &[], 1, self.limit.share(percent)).pop()?;
        let played = played.unwrap_or(first.mv);
        let depth = first.depth;
        let mut verdict = Verdict {
            best: first.mv,
            best_score: first.best_known_score().0,
            played_score: first.best_known_score().0,
            second: None,
            best_line: line(&first),
            played_line: line(&first),
            accepted_line: Vec::new(),
            depth,
            nodes: 0,
        };
        if legal > 1 {
            let rest = 100 - percent;
            if first.mv == played {
                verdict.second = self.second(game, played, self.limit.share(rest));
            } else {
                self.compare(game, played, self.limit.share(rest), &mut verdict)?;
            }
        }
        verdict.add_forced_mates(game.position(), mate_positions(self.nodes));
        if verdict.is_doubtful(game.position()) {
            self.verify(game, played, &mut verdict)?;
        }
        self.accept(game, &mut verdict)?;
        verdict.nodes = self.nodes;
        Some(verdict)
    }

    /// Compares both moves of a mistake again. If the played move is the best after all, it is compared with the second best.
    fn verify(&mut self, game: &Game, played: Move, verdict: &mut Verdict) -> Option<()> {
        self.compare(game, played, self.limit.verifying(), verdict)?;
        if verdict.best == played {
            verdict.second = self.second(game, played, self.limit.verifying());
        }
        Some(())
    }

    /// The scores of the best move and of the second best, from one search; `None` if it prefers others.
    fn second(&mut self, game: &Game, best: Move, limits: Limits) -> Option<[Value; 2]> {
        let pair = self.lines(game, &[], 2, limits);
        let score = |is_best: bool| {
            let found = pair.iter().find(|line| (line.mv == best) == is_best);
            found.map(|line| line.best_known_score().0)
        };
        score(true).zip(score(false)).map(<[Value; 2]>::from)
    }

    /// Finds the line in which the opponent takes what the only good move leaves, if it loses nothing then.
    fn accept(&mut self, game: &Game, verdict: &mut Verdict) -> Option<()> {
        let position = game.position();
        if !verdict.is_only_move(position) || is_decisive(verdict.played_score) {
            return Some(());
        }
        let Some(capture) = accepting_capture(position, verdict.best) else {
            return Some(());
        };
        let mut next = game.clone();
        next.play(verdict.best);
        next.play(capture);
        if next.end().is_some() {
            return Some(());
        }
        let limits = self.limit.share(100 - SHARE_BEST);
        let reply = self.lines(&next, &[], 1, limits).pop()?;
        let expected = expected_points(reply.best_known_score().0, next.position());
        let accepted: Vec<Move> = [verdict.best, capture]
            .into_iter()
            .chain(line(&reply))
            .take(MAX_LINE)
            .collect();
        let is_sound = expected_points(verdict.best_score, position) - expected < LEAST_LOSS;
        if is_sound && is_sacrifice(position, &accepted) {
            verdict.accepted_line = accepted;
        }
        Some(())
    }

    /// The verdict on a mistake, with knowledge of how the game went on. If the side that played it then expects as much as
    /// before, the positions of the next plies are searched from the last to the first, as programs analyse games backwards,
    /// and both moves are compared again with the same TT: so the search sees a sacrifice that takes long to work.
    /// `coming` are the next moves of the game, at most [`FOLLOWED`].
    pub fn follow(&mut self, game: &Game, coming: &[Move], verdict: Verdict) -> Option<Verdict> {
        let position = game.position();
        let &played = verdict.played_line.first()?;
        let mut next = game.clone();
        next.play(played);
        let mut games = Vec::new();
        for &mv in coming {
            next.play(mv);
            if next.end().is_none() {
                games.push(next.clone());
            }
        }
        if games.is_empty() {
            return Some(verdict);
        }
        self.searcher.new_game();
        self.nodes = 0;
        let before = expected_points(verdict.best_score, position);
        for coming in games.iter().rev() {
            let limits = self.limit.share(SHARE_BEST);
            let line = self.lines(coming, &[], 1, limits).pop()?;
            let expected = expected_points(line.best_known_score().0, coming.position());
            let is_same_side = coming.position().turn() == position.turn();
            let after = if is_same_side {
                expected
            } else {
                1.0 - expected
            };
            if before - after >= LEAST_LOSS {
                return Some(verdict);
            }
        }
        let mut found = verdict;
        self.verify(game, played, &mut found)?;
        self.accept(game, &mut found)?;
        found.nodes += self.nodes;
        Some(found)
    }

    /// Compares a move with the best one in one search, which may prefer either.
    fn compare(
        &mut self,
        game: &Game,
        played: Move,
        limits: Limits,
        verdict: &mut Verdict,
    ) -> Option<()> {
        let pair = self.lines(game, &[verdict.best, played], 2, limits);
        let found = pair.iter().find(|line| line.mv == played)?;
        let best = pair.iter().find(|line| line.mv != played)?;
        verdict.depth = found.depth;
        verdict.played_score = found.best_known_score().0;
        verdict.played_line = line(found);
        if best.best_known_score().0 > verdict.played_score {
            verdict.best_score = best.best_known_score().0;
            verdict.best_line = line(best);
        } else {
            verdict.best = played;
            verdict.best_score = verdict.played_score;
            verdict.best_line.clone_from(&verdict.played_line);
        }
        Some(())
    }

    fn lines(
        &mut self,
        game: &Game,
        moves: &[Move],
        count: usize,
        mut limits: Limits,
    ) -> Vec<RootMove> {
        limits.search_moves = moves.to_vec();
        let lines = self.searcher.search_lines(game, limits, count).to_vec();
        self.nodes += self.searcher.nodes();
        lines
    }
}

fn line(found: &RootMove) -> Vec<Move> {
    found.pv.iter().copied().take(MAX_LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::is_loss;

    fn verdict(fen: &str, played: &str) -> Verdict {
        let game = Game::new(Position::from_fen(fen).expect("a position"));
        let played = game.position().find_move(played).expect("a move");
        let mut judge = Judge::new(ReviewLimit::Nodes(20_000)).expect("memory");
        judge.verdict(&game, Some(played)).expect("a verdict")
    }

    #[test]
    fn sacrifices_that_a_small_search_calls_blunders_are_verified() {
        let lost = |fen: &str, played: &str| {
            let root = Position::from_fen(fen).expect("a position");
            let found = verdict(fen, played);
            expected_points(found.best_score, &root) - expected_points(found.played_score, &root)
        };
        // Byrne against Fischer, 1956: a queen is given up.
        let byrne = "r4rk1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3RK2R b K - 1 16";
        assert!(lost(byrne, "f8e8") < LEAST_LOSS);
        // Steinitz against von Bardeleben, 1895.
        let steinitz = "r1r2k2/pp1qR2p/5pp1/3p2N1/6Q1/8/PP3PPP/2R3K1 w - - 1 23";
        assert!(lost(steinitz, "e7f7") < LEAST_LOSS);
        // And a true mistake.
        assert!(lost(byrne, "c3d1") > LEAST_LOSS);
    }

    #[test]
    fn the_rest_of_the_game_shows_what_a_sacrifice_gains() {
        let lost = |fen: &str, moves: &str| {
            let mut game = Game::new(Position::from_fen(fen).expect("a position"));
            let root = game.clone();
            let moves: Vec<Move> = moves
                .split(' ')
                .map(|text| {
                    let mv = game.position().find_move(text).expect("a move");
                    game.play(mv);
                    mv
                })
                .collect();
            let mut judge = Judge::new(ReviewLimit::Nodes(30_000)).expect("memory");
            let alone = judge.verdict(&root, Some(moves[0])).expect("a verdict");
            let followed = judge.follow(&root, &moves[1..], alone.clone());
            [alone, followed.expect("a verdict")].map(|found| found.lost(root.position()))
        };
        // Rotlewi against Rubinstein, 1907: four pieces are given up.
        let rotlewi = "2rr2k1/1b2qppp/pb2p3/1p2P3/1P2BPn1/P1N5/1B2Q1PP/R4R1K b - - 4 21";
        let [alone, followed] = lost(rotlewi, "e7h4 g2g3 c8c3 g3h4 d8d2 e2d2 b7e4 d2g2 c3h3");
        assert!(alone >= LEAST_LOSS && followed < LEAST_LOSS);
        // Botvinnik against Capablanca, 1938: the king walks out of the checks.
        let botvinnik = "6k1/p6p/1p2PQ2/3p3p/2pP4/qnP5/6PP/6K1 w - - 1 34";
        let [alone, followed] = lost(
            botvinnik,
            "e6e7 a3c1 g1f2 c1c2 f2g3 c2d3 g3h4 d3e4 h4h5 e4e2 h5h4",
        );
        assert!(alone >= LEAST_LOSS && followed < LEAST_LOSS);
        // The queen is left, and Black overlooks it: a mistake in spite of the good end.
        let blunder = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        let [alone, followed] = lost(blunder, "f3g5 a7a6 g5f3 a6a5 f3g1");
        assert!(alone.min(followed) >= LEAST_LOSS);
        // After mate there is nothing to search.
        let mut game = Game::new(Position::startpos());
        for uci in ["f2f3", "e7e5"] {
            game.play_uci(uci).expect("a move");
        }
        let played = game.position().parse_move("g2g4").expect("a move");
        let after = game.position().play(played);
        let mate = after.parse_move("d8h4").expect("a move");
        let mut judge = Judge::new(ReviewLimit::Nodes(500)).expect("memory");
        let alone = judge.verdict(&game, Some(played)).expect("a verdict");
        assert_eq!(judge.follow(&game, &[mate], alone.clone()), Some(alone));
    }

    #[test]
    fn a_mate_by_checks_is_found_where_the_search_misses_it() {
        // Réti against Tartakower, 1910: the queen is given up for mate in three.
        let reti = "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9";
        let found = verdict(reti, "d3d8");
        assert!(is_win(found.played_score), "{found:?}");
        assert_eq!(found.best.uci(true).to_string(), "d3d8");
        assert!(is_win(verdict(reti, "d1e1").best_score));
        // Anderssen against Kieseritzky, 1851: White mates in three.
        let immortal = "rnb1k1nr/p2p1ppp/3B4/1p1NPN1P/6P1/3P1Q2/P1P1K3/q5b1 b kq - 1 20";
        let found = verdict(immortal, "b8a6");
        assert!(is_loss(found.played_score), "{found:?}");
    }
}
