//! Sums of weights that are always added together, so that the evaluation looks up one number instead of several. They are
//! added up when a model is built; training and explanations use the single weights.

use super::families::{Mobility, Reach, Threat};
use super::score::Score;
use super::weights::Weights;
use crate::chess::Role;

/// One more than the most squares that a piece attacks.
const SQUARES: usize = 28;
/// The least power of two that holds them, so that a masked number is in range.
const CELLS: usize = SQUARES.next_power_of_two();
/// The cells of the axis [`Defence`](super::axes::Defence).
const DEFENCES: usize = 4;

/// The sums of one model.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    mobility: [[[Score; CELLS]; CELLS]; 4], // [role][reach][safe squares]
    threats: [[[[Score; RoleSet::COUNT]; DEFENCES]; 5]; 2], // [to move][role][defence][attackers]
}

impl Sums {
    pub(super) const fn of(weights: &Weights) -> Self {
        Self {
            mobility: mobility(weights),
            threats: threats(weights),
        }
    }

    /// [`Mobility`] and [`Reach`] of one piece.
    #[inline(always)]
    pub(super) const fn mobility(&self, role: Role, safe: usize, reach: usize) -> Score {
        let role = role as usize - Role::Knight as usize;
        self.mobility[role][reach % CELLS][safe % CELLS]
    }

    /// The [`Threat`]s of several roles to one piece.
    #[inline(always)]
    pub(super) const fn threats(
        &self,
        is_to_move: bool,
        attackers: RoleSet,
        role: Role,
        defence: usize,
    ) -> Score {
        let role = role as usize - Role::Pawn as usize;
        self.threats[is_to_move as usize][role][defence % DEFENCES][attackers.0 % RoleSet::COUNT]
    }
}

const fn mobility(weights: &Weights) -> [[[Score; CELLS]; CELLS]; 4] {
    let mut table = [[[Score::ZERO; CELLS]; CELLS]; 4];
    let mut cell = 0;
    while cell < 4 * SQUARES * SQUARES {
        let (number, reach, safe) = (
            cell / SQUARES / SQUARES,
            cell / SQUARES % SQUARES,
            cell % SQUARES,
        );
        let role = Role::ALL[number + 1];
        table[number][reach][safe] = weights.0[Mobility::at(role, safe).get()]
            .score()
            .plus(weights.0[Reach::at(role, reach).get()].score());
        cell += 1;
    }
    table
}

const fn threats(weights: &Weights) -> [[[[Score; RoleSet::COUNT]; DEFENCES]; 5]; 2] {
    let mut table = [[[[Score::ZERO; RoleSet::COUNT]; DEFENCES]; 5]; 2];
    let mut cell = 0;
    while cell < 2 * 5 * DEFENCES {
        let (mover, role, defence) = (cell / DEFENCES / 5, cell / DEFENCES % 5, cell % DEFENCES);
        let mut set = 1;
        while set < RoleSet::COUNT {
            // A set is the greatest of its roles and the set of the others.
            let greatest = set.ilog2() as usize;
            let index = Threat::at(mover == 1, Role::ALL[greatest], Role::ALL[role], defence);
            let others = table[mover][role][defence][set ^ 1 << greatest];
            table[mover][role][defence][set] = others.plus(weights.0[index.get()].score());
            set += 1;
        }
        cell += 1;
    }
    table
}

/// A set of roles: one bit each, the pawn's lowest.
#[derive(Clone, Copy, Debug)]
pub struct RoleSet(usize);

impl RoleSet {
    const COUNT: usize = 1 << Role::ALL.len();

    /// The roles for which a test holds.
    #[inline(always)]
    pub(super) fn of(test: impl Fn(Role) -> bool) -> Self {
        let roles = Role::ALL.into_iter().rev();
        Self(roles.fold(0, |set, role| set << 1 | usize::from(test(role))))
    }

    #[inline]
    pub const fn contains(self, role: Role) -> bool {
        self.0 >> (role as usize - Role::Pawn as usize) & 1 != 0
    }
}
