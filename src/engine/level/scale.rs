//! The rating scale of engines: the ratings of levels by games against engines of known rating (docs/levels.md).

use super::player::RATINGS;

/// Levels and their ratings on the scale of the CCRL lists, both ascending: measured by `lucena levels calibrate` and its
/// table of results.
pub const KNOTS: [(u16, u16); 12] = [
    (800, 588),
    (1000, 737),
    (1200, 883),
    (1400, 1024),
    (1600, 1177),
    (1800, 1300),
    (2000, 1424),
    (2200, 1554),
    (2350, 1789),
    (2500, 2004),
    (2650, 2217),
    (2800, 2436),
];

const _: () = {
    let mut place = 1;
    while place < KNOTS.len() {
        let ((level, rating), (next_level, next_rating)) = (KNOTS[place - 1], KNOTS[place]);
        assert!(level < next_level && rating < next_rating);
        place += 1;
    }
    assert!(KNOTS[0].0 == RATINGS[0] && KNOTS[KNOTS.len() - 1].0 == RATINGS[1]);
};

/// The ratings of the weakest and of the strongest level.
pub const CCRL_RATINGS: [u16; 2] = [KNOTS[0].1, KNOTS[KNOTS.len() - 1].1];

/// The level of a rating on the CCRL scale, which is limited to [`CCRL_RATINGS`]: linear between the knots.
pub fn level_of_ccrl(rating: u16) -> u16 {
    interpolate(KNOTS.map(|(level, rating)| (rating, level)), rating)
}

/// The rating of a level on the CCRL scale; the level is limited to [`RATINGS`].
pub fn ccrl_of_level(level: u16) -> u16 {
    interpolate(KNOTS, level)
}

/// The value at `x`, linear between knots with ascending `x`, constant outside.
fn interpolate(knots: [(u16, u16); KNOTS.len()], x: u16) -> u16 {
    let x = x.clamp(knots[0].0, knots[knots.len() - 1].0);
    let upper = knots.partition_point(|&(knot, _)| knot < x).max(1);
    let ([low_x, high_x], [low, high]) = (
        [knots[upper - 1].0, knots[upper].0].map(u32::from),
        [knots[upper - 1].1, knots[upper].1].map(u32::from),
    );
    let width = high_x - low_x;
    let above = (u32::from(x) - low_x) * (high - low);
    (low + (above + width / 2) / width) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_are_met_and_the_scales_are_inverse() {
        for (level, rating) in KNOTS {
            assert_eq!(ccrl_of_level(level), rating);
            assert_eq!(level_of_ccrl(rating), level);
        }
        let [low, high] = RATINGS;
        for level in low..=high {
            // A rating is a whole number, so that several levels may share it.
            let again = level_of_ccrl(ccrl_of_level(level));
            assert!(again.abs_diff(level) <= 3, "{level} {again}");
            assert!(ccrl_of_level(level) <= ccrl_of_level(level + 1));
        }
        assert_eq!(level_of_ccrl(0), low);
        assert_eq!(level_of_ccrl(4000), high);
    }
}
