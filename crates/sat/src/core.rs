//! Minimal unsatisfiable cores over reasons, by deletion in the caller's order.

use std::collections::BTreeSet;

use crate::backend::Verdict;
use crate::cnf::Cnf;
use crate::session::Session;

/// Which reasons clash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Core<R> {
    /// The clauses of these reasons, with those of unlisted reasons, are unsatisfiable, and without any one of them no
    /// longer. In the caller's order.
    Minimal(Vec<R>),
    /// Nothing clashes.
    Satisfiable,
    /// A question was left undecided.
    GaveUp,
}

/// A subset-minimal set of the listed reasons that is still unsatisfiable.
///
/// A reason stands for all its clauses. Reasons are tried for deletion in the order listed, so those listed last are the
/// ones most likely to be kept: of two cores the one that does without the earlier reasons is returned. Clauses whose
/// reason is not listed always stay.
pub fn minimal_core<R: Copy + Ord>(cnf: &Cnf<R>, order: &[R]) -> Core<R> {
    let active: BTreeSet<R> = order.iter().copied().collect();
    let mut deletion = Deletion { cnf, listed: active.clone(), active };
    let found = match deletion.clashes() {
        Ok(false) => return Core::Satisfiable,
        Ok(true) => deletion.shrink(order),
        Err(undecided) => Err(undecided),
    };
    match found {
        Ok(()) => {
            // Removed as met, so that a reason listed twice comes out once.
            Core::Minimal(order.iter().copied().filter(|reason| deletion.active.remove(reason)).collect())
        }
        Err(Undecided) => Core::GaveUp,
    }
}

struct Undecided;

struct Deletion<'c, R> {
    cnf: &'c Cnf<R>,
    listed: BTreeSet<R>,
    /// Listed reasons not deleted; unsatisfiable at every return from `shrink`.
    active: BTreeSet<R>,
}

impl<R: Copy + Ord> Deletion<'_, R> {
    /// Deletes what it can of the reasons: all at once, or else the first half and then the second.
    ///
    /// Unsatisfiability is monotone, so this keeps exactly what deleting one by one would, in fewer questions.
    fn shrink(&mut self, reasons: &[R]) -> Result<(), Undecided> {
        let removed: Vec<R> = reasons.iter().copied().filter(|reason| self.active.remove(reason)).collect();
        if removed.is_empty() || self.clashes()? {
            return Ok(());
        }
        self.active.extend(&removed);
        if removed.len() > 1 {
            let (first, second) = removed.split_at(removed.len() / 2);
            self.shrink(first)?;
            self.shrink(second)?;
        }
        Ok(())
    }

    fn clashes(&self) -> Result<bool, Undecided> {
        let wanted = |reason| self.active.contains(&reason) || !self.listed.contains(&reason);
        match Session::new(&self.cnf.restricted(wanted)).solve(&[]) {
            Verdict::Satisfiable(_) => Ok(false),
            Verdict::Unsatisfiable => Ok(true),
            Verdict::GaveUp => Err(Undecided),
        }
    }
}
