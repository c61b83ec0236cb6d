//! Random numbers that depend only on a seed (`SplitMix64` by Steele, Lea and Flood). A seed has any number of independent
//! streams, so game 1234 of a run can be replayed without the games before it.

/// 2^64 divided by the golden ratio: an odd number with its bits spread, for counters and for multiplicative hashing.
pub const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of `SplitMix64`: every bit of the result depends on every bit of `number`.
#[must_use]
pub const fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Stream number `stream` of a seed.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self {
            state: mix(mix(seed.wrapping_add(GOLDEN_RATIO))
                .wrapping_add(stream.wrapping_mul(GOLDEN_RATIO))),
        }
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_RATIO);
        mix(self.state)
    }

    /// A number below `limit`, which must not be 0.
    pub const fn below(&mut self, limit: usize) -> usize {
        // The upper half of the product: no division, and a negligible bias.
        (self.bits() as u128 * limit as u128 >> 64) as usize
    }

    /// Shuffles the items (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let take = |seed, stream| {
            let mut random = Random::new(seed, stream);
            [random.bits(), random.bits(), random.bits()]
        };
        assert_eq!(take(1, 2), take(1, 2));
        assert_ne!(take(1, 2), take(1, 3));
        assert_ne!(take(1, 2), take(2, 2));
        assert_ne!(take(1, 2), take(2, 1));
    }

    #[test]
    fn numbers_are_uniform_and_shuffles_keep_every_item() {
        let mut random = Random::new(7, 0);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[random.below(10)] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
        let mut order: Vec<usize> = (0..100).collect();
        random.shuffle(&mut order);
        assert!(order.windows(2).any(|pair| pair[0] > pair[1]));
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
    }
}
