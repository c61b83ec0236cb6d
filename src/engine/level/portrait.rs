//! What a level weighs and overlooks, in words and as a picture.

use std::fmt::Write as _;

use super::feature::{Feature, Group};
use super::overlook::oversight_rates;
use super::weights::RatedWeights;

/// Features of a group that are shown.
const SHOWN: usize = 12;
/// The loss whose effect is shown, in expected points.
const SHOWN_LOSS: f32 = 0.10;

/// The size of a concept whose effect is shown, in pawns: more than that is rare between two moves of a position.
const SHOWN_PAWNS: f32 = 0.25;

/// The weights of a level at a rating, for people.
pub struct Portrait {
    rating: u16,
    weights: RatedWeights,
}

impl Portrait {
    /// The portrait of a level with these weights.
    pub const fn new(rating: u16, weights: RatedWeights) -> Self {
        Self { rating, weights }
    }

    /// The logarithm of how much more likely a move gets by a feature: by [`SHOWN_PAWNS`] of a concept, or by one unit.
    fn effect(&self, group: Group, feature: Feature) -> f32 {
        let amount = match group {
            Group::Judges => SHOWN_PAWNS,
            _ => 1.0,
        };
        self.weights.features[feature] * amount
    }

    /// How much more likely a move gets by losing [`SHOWN_LOSS`] at one of the depths.
    fn loss_factor(&self, loss: Feature, slip: Feature) -> f32 {
        let features = &self.weights.features;
        (features[loss] * SHOWN_LOSS + features[slip] * SHOWN_LOSS.sqrt()).exp()
    }

    fn losses(&self) -> [(u32, f32); 3] {
        [
            (1, self.loss_factor(Feature::Loss1, Feature::Slip1)),
            (2, self.loss_factor(Feature::Loss2, Feature::Slip2)),
            (4, self.loss_factor(Feature::Loss4, Feature::Slip4)),
        ]
    }

    /// Every feature by group: its key, its weight and its description.
    pub fn features(&self) -> String {
        let mut text = String::new();
        for group in Group::ALL {
            let _ = writeln!(text, "{}", group.name());
            for feature in Feature::of(group) {
                let weight = self.weights.features[feature];
                let (key, about) = (feature.key(), feature.words());
                let _ = writeln!(text, "  {key:<20} {weight:>8.3}  {about}");
            }
        }
        text
    }

    /// The features of a group with the greatest effect, greatest first.
    fn greatest(&self, group: Group) -> Vec<Feature> {
        let mut features: Vec<Feature> = Feature::of(group).collect();
        let size = |feature: &Feature| self.weights.features[*feature].abs();
        features.sort_by(|a, b| size(b).total_cmp(&size(a)));
        features.truncate(SHOWN);
        features
    }

    /// The text, with a line for each feature.
    pub fn text(&self) -> String {
        let mut text = format!(
            "A level of {}. The factors are how much more likely a move gets.\n\nIt sees\n",
            self.rating
        );
        for (depth, factor) in self.losses() {
            let _ = writeln!(
                text,
                "  {factor:5.2}  a move that loses {SHOWN_LOSS:.2} expected points at depth {depth}"
            );
        }
        let _ = writeln!(text, "\nIt overlooks a reply of this kind");
        for (class, rate) in oversight_rates(&self.weights) {
            let _ = writeln!(text, "  {:3.0} %  {}", 100.0 * rate, class.name());
        }
        for (title, group) in [
            ("It judges, by a quarter of a pawn", Group::Judges),
            ("It attends to", Group::Attends),
        ] {
            let _ = writeln!(text, "\n{title}");
            for feature in self.greatest(group) {
                let words = match group {
                    Group::Judges => feature.key().replace('_', " "),
                    _ => feature.words().to_owned(),
                };
                let _ = writeln!(text, "  {:5.2}  {words}", self.effect(group, feature).exp());
            }
        }
        text
    }

    /// The picture: a bar for each feature shown, to the right where it makes a move more likely.
    pub fn svg(&self) -> String {
        const ROW: usize = 20;
        const MIDDLE: f32 = 640.0;
        /// The width of a bar for a factor of e.
        const UNIT: f32 = 90.0;
        const MOST: f32 = 200.0;
        let mut rows: Vec<(String, f32, String)> = Vec::new();
        for (depth, factor) in self.losses() {
            let name = format!("loses {SHOWN_LOSS:.2} expected points at depth {depth}");
            rows.push((name, factor.ln(), format!("× {factor:.2}")));
        }
        for (class, rate) in oversight_rates(&self.weights) {
            let percent = format!("{:.0} %", 100.0 * rate);
            let name = format!("overlooks: {}", class.name());
            rows.push((name, rate * MOST / UNIT, percent));
        }
        for group in [Group::Judges, Group::Attends] {
            for feature in self.greatest(group) {
                let name = match group {
                    Group::Judges => {
                        format!("a quarter of a pawn of {}", feature.key().replace('_', " "))
                    }
                    _ => feature.words().to_owned(),
                };
                let effect = self.effect(group, feature);
                rows.push((name, effect, format!("× {:.2}", effect.exp())));
            }
        }
        let height = (rows.len() + 2) * ROW;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 920 {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"920\" height=\"{height}\" fill=\"#fff\"/>\n<text x=\"10\" y=\"15\" font-size=\"14\">A level of {}: what makes a move more likely (right) or less likely (left); the share of replies that it overlooks</text>\n",
            self.rating
        );
        for (index, (name, weight, figure)) in rows.iter().enumerate() {
            let y = (index + 1) * ROW;
            let width = (weight.abs() * UNIT).min(MOST);
            let (x, fill) = if *weight < 0.0 {
                (MIDDLE - width, "#c8641e")
            } else {
                (MIDDLE, "#2a6fb0")
            };
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"12\" fill=\"{fill}\"/><text x=\"430\" y=\"{}\" text-anchor=\"end\">{name}</text><text x=\"910\" y=\"{}\" text-anchor=\"end\">{figure}</text>",
                y + 4,
                y + 14,
                y + 14
            );
        }
        svg + "</svg>\n"
    }
}
