//! What edits cost, and formulas that limit the sum. An edit of the head, which is under review, costs less than one of an entry
//! that is published; a range is one line and needs no list of names; `replaces` changes the order of the channel.

use sat::{Cnf, Lit};

/// What an edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// `replaces` of an entry.
    Replaces(usize),
    /// A name in `skips` of an entry.
    Skips(usize, usize),
    /// `skipRange` of an entry.
    Range(usize),
}

impl Slot {
    /// The entry.
    pub(crate) const fn entry(self) -> usize {
        match self {
            Self::Replaces(entry) | Self::Skips(entry, _) | Self::Range(entry) => entry,
        }
    }

    /// The weight. Edits of older entries cost more: those were reviewed and are on clusters.
    pub(crate) const fn weight(self, head: usize) -> u32 {
        let on_head = match self {
            Self::Range(_) => 1,
            Self::Skips(..) => 2,
            Self::Replaces(_) => 3,
        };
        if self.entry() == head { on_head } else { on_head + 2 }
    }
}

/// Adds a counter of weights up to `most`. The literal at index `n` is true if the sum is more than `n`; those of true
/// literals weigh what is given. Sums above `most` count as one more than `most`.
pub(crate) fn add_counter(cnf: &mut Cnf<()>, weighted: &[(Lit, u32)], most: u32) -> Vec<Lit> {
    // sums[n]: more than n so far.
    let mut sums: Vec<Option<Lit>> = vec![None; most as usize + 1];
    for &(lit, weight) in weighted {
        let mut next = sums.clone();
        for (n, next) in next.iter_mut().enumerate() {
            // With this literal the sum is more than n if the rest is more than n - weight.
            let rest = n.checked_sub(weight as usize);
            let before = rest.map(|rest| sums[rest]);
            if before == Some(None) {
                continue;
            }
            let sum = cnf.add_var().positive();
            if let Some(old) = *next {
                cnf.add_clause([!old, sum], ());
            }
            cnf.add_clause([!lit, sum].into_iter().chain(before.flatten().map(|rest| !rest)), ());
            *next = Some(sum);
        }
        sums = next;
    }
    let never = |cnf: &mut Cnf<()>| {
        let var = cnf.add_var();
        cnf.add_clause([var.negative()], ());
        var.positive()
    };
    sums.into_iter().map(|sum| sum.unwrap_or_else(|| never(cnf))).collect()
}
