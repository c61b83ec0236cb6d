//! Random games, by which UCT evaluates positions.

use crate::base::random::Random;
use crate::chess::Position;

use super::settings::RANDOM_GAME_PLIES;

/// Plays random moves from a position; the result for its side to move: 1, 0 or one half. `count` is called for each position;
/// `None` ends the game without a result.
pub fn play(
    position: &Position,
    random: &mut Random,
    mut count: impl FnMut() -> Option<()>,
) -> Option<f32> {
    let (mut position, us) = (*position, position.turn());
    for _ in 0..RANDOM_GAME_PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(match position.in_check() {
                false => 0.5,
                true if position.turn() == us => 0.0,
                true => 1.0,
            });
        }
        if position.is_insufficient_material() || position.halfmove_clock() >= 100 {
            break;
        }
        count()?;
        position = position.play(moves[random.below(moves.len())]);
    }
    Some(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(fen: &str) -> Option<f32> {
        let position = Position::from_fen(fen).expect("a position");
        play(&position, &mut Random::new(1, 0), || Some(()))
    }

    #[test]
    fn finished_games_have_their_results() {
        assert_eq!(result("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"), Some(0.0));
        assert_eq!(result("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"), Some(0.5));
        assert_eq!(result("k7/8/1K6/8/8/8/8/8 b - - 0 1"), Some(0.5));
    }

    #[test]
    fn a_stop_ends_the_game() {
        let mut left = 3;
        let position = Position::startpos();
        let stopped = play(&position, &mut Random::new(1, 0), || {
            left -= 1;
            (left > 0).then_some(())
        });
        assert_eq!(stopped, None);
    }
}
