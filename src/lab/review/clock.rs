//! Clock times in the comments of a game: `[%clk 0:05:00]`, the time that a player has left after a move.

use super::record::{Item, Record};

/// The seconds left after each move of a game; `None` where no clock is given.
pub fn times(record: &Record) -> Vec<Option<f64>> {
    let mut times = Vec::with_capacity(record.moves.len());
    let mut depth = 0_usize;
    for item in &record.items {
        match item {
            Item::Open => depth += 1,
            Item::Close => depth = depth.saturating_sub(1),
            Item::Move { .. } if depth == 0 => times.push(None),
            Item::Comment(text) if depth == 0 => {
                if let Some(time) = times.last_mut()
                    && let Some(seconds) = clock(text)
                {
                    *time = Some(seconds);
                }
            }
            _ => {}
        }
    }
    times
}

/// The seconds at the start of a game: of `TimeControl`, such as `300+3`, or else the most that a player has left.
pub fn start(record: &Record, times: &[Option<f64>]) -> Option<f64> {
    let control = record.tag("TimeControl");
    let seconds = control.and_then(|text| text.split('+').next()?.parse::<f64>().ok());
    let most = || times.iter().flatten().copied().reduce(f64::max);
    seconds.or_else(most).filter(|seconds| *seconds > 0.0)
}

/// The time in a comment.
fn clock(text: &str) -> Option<f64> {
    let (_, rest) = text.split_once("[%clk")?;
    let (time, _) = rest.split_once(']')?;
    let mut seconds = 0.0;
    for part in time.trim().split(':') {
        let part: f64 = part.parse().ok().filter(|part: &f64| part.is_finite())?;
        seconds = 60.0 * seconds + part;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::pgn::RawGame;

    #[test]
    fn clocks_are_read_from_comments_of_the_game() {
        let text = "[TimeControl \"60+1\"]\n\n1. e4 {x [%clk 0:01:00.5] y} e5 {[%clk 1:00:02]} \
                    (1... c5 {[%clk 0:00:09]} 2. Nf3) 2. Nf3 {[%clk x:y]} Nc6 *";
        let raw = RawGame {
            text: text.into(),
            ..RawGame::default()
        };
        let record = Record::parse(&raw).expect("a game");
        let times = times(&record);
        assert_eq!(times, [Some(60.5), Some(3602.0), None, None]);
        assert_eq!(start(&record, &times), Some(60.0));
    }
}
