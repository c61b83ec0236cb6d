//! The second checker: proves every motif with shakmaty's rules and none of the code that finds motifs.
//!
//! A claim is proved if each of its facts holds on the board: the line is legal, the pieces stand where they are said to
//! stand, and what the kind means is true of them.

mod facts;
mod mates;
pub mod record;

pub use record::{Claim, Record};

/// Why a claim is not proved.
pub type Proof = Result<(), String>;

/// Proves a claim about a line.
pub fn prove(record: &Record, claim: &Claim) -> Proof {
    record.check_pieces(claim)?;
    record.check_numbers(claim)?;
    if claim.kind.ends_with("_mate") || claim.kind == "mate" {
        return mates::prove(record, claim);
    }
    facts::prove(record, claim)
}

/// Fails with a reason unless a fact holds.
pub fn ensure(fact: bool, reason: &str) -> Proof {
    if fact { Ok(()) } else { Err(reason.to_owned()) }
}
