//! The formula whose models are the states of a channel that are right.
//!
//! In a channel that `opm` accepts, the entries that nobody skips are one path of `replaces` from the head: its walk
//! stops at the first skipped predecessor, and what it did not reach and nobody skips is stranded (operator-registry
//! `alpha/model/model.go`, `validateReplacesChain`). OLM walks on through skipped entries, but leaves them out, and all behind
//! them are skipped; so this path is OLM's update chain. Edits keep the order of entries, so a position on the path needs no
//! variables: an entry is on the path if nobody skips it, and each of these but the head is replaced by another one of
//! them.

use crate::cover::{Cover, Edge};
use crate::known::Known;
use sat::{Cnf, Lit};
use std::collections::{BTreeMap, BTreeSet};

/// A formula, and what its literals mean. Entries and names are those of [`Known`].
pub(crate) struct Formula<'k> {
    known: &'k Known<'k>,
    pub(crate) cnf: Cnf<()>,
    /// The literal that is always true.
    yes: Lit,
    skips: BTreeMap<(usize, usize), Lit>,
    pub(crate) replaces: BTreeMap<(usize, usize), Lit>,
    /// The skipRange of an entry covers a version.
    pub(crate) ranges: BTreeMap<(usize, usize), Lit>,
    /// By entry, that some entry skips it; absent if none can.
    is_skipped: Vec<Option<Lit>>,
    /// By name, the entries that may update it.
    updating: Vec<BTreeSet<usize>>,
    /// An entry of the path has an edge that updates a name.
    updates: BTreeMap<(usize, usize), Lit>,
    pub(crate) edits: Vec<(Slot, Lit)>,
}

impl<'k> Formula<'k> {
    /// The formula for a channel in which the versions that have to reach the head do.
    pub(crate) fn of(known: &'k Known<'k>, cover: &Cover, must_reach: &[bool]) -> Self {
        let mut cnf = Cnf::default();
        let yes = cnf.add_var().positive();
        cnf.add_clause([yes], ());
        let mut formula = Self {
            known,
            cnf,
            yes,
            skips: BTreeMap::new(),
            replaces: BTreeMap::new(),
            ranges: BTreeMap::new(),
            is_skipped: vec![None; known.entries.len()],
            updating: cover.updating(known),
            updates: BTreeMap::new(),
            edits: Vec::new(),
        };
        formula.add_skips(cover);
        formula.add_replaces(cover);
        formula.add_ranges(cover);
        formula.add_path();
        for name in (0..known.names.len()).filter(|name| must_reach[*name]) {
            formula.add_covered(name);
        }
        formula.add_no_downgrade();
        formula.forbid_updates(&|_, entry| known.names[entry].is_avoided);
        formula
    }

    fn var(&mut self) -> Lit {
        self.cnf.add_var().positive()
    }

    fn clause(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.cnf.add_clause(lits, ());
    }

    /// The literal that an edge is there, and the edit that changes that.
    fn edge(&mut self, edge: Edge, slot: Slot) -> Lit {
        if !edge.is_free {
            return self.yes;
        }
        let lit = self.var();
        self.edits.push((slot, if edge.is_present { !lit } else { lit }));
        lit
    }

    fn add_skips(&mut self, cover: &Cover) {
        let mut skipping: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
        for (&(entry, name), &edge) in &cover.skips {
            let lit = self.edge(edge, Slot::Skips(entry, name));
            self.skips.insert((entry, name), lit);
            // A name that is no entry is not on the path anyway.
            if name < self.known.entries.len() {
                skipping.entry(name).or_default().push(lit);
            }
        }
        for (name, lits) in skipping {
            self.is_skipped[name] = Some(self.either(&lits));
        }
    }

    /// A literal that is true if and only if one of these is.
    fn either(&mut self, lits: &[Lit]) -> Lit {
        if lits.contains(&self.yes) {
            return self.yes;
        }
        // Both directions, because both are asked for: who is skipped has to be updated, and who is not has to be on the path.
        let any = self.var();
        lits.iter().for_each(|lit| self.clause([!*lit, any]));
        self.clause(lits.iter().copied().chain([!any]));
        any
    }

    fn add_replaces(&mut self, cover: &Cover) {
        for entry in 0..self.known.entries.len() {
            let of_entry = cover.replaces.range((entry, 0)..(entry + 1, 0));
            if !cover.free_replaces.contains(&entry) {
                self.replaces.extend(of_entry.map(|(at, _)| (*at, self.yes)));
                continue;
            }
            // An entry has one `replaces`, so that any change of it is one edit with one weight: that the present name is not
            // chosen, or where there is none, that some name is.
            let edges: Vec<_> = of_entry.map(|(at, edge)| (*at, edge.is_present)).collect();
            let vars: Vec<_> = edges.iter().map(|_| self.cnf.add_var()).collect();
            self.cnf.add_at_most_one(&vars, ());
            let lits: Vec<Lit> = vars.iter().map(|var| var.positive()).collect();
            let present = edges.iter().zip(&lits).find(|((_, is_present), _)| *is_present).map(|(_, lit)| !*lit);
            if !lits.is_empty() {
                let edit = present.unwrap_or_else(|| self.either(&lits));
                self.edits.push((Slot::Replaces(entry), edit));
            }
            self.replaces.extend(edges.iter().map(|(at, _)| *at).zip(lits));
        }
    }

    fn add_ranges(&mut self, cover: &Cover) {
        for entry in 0..self.known.entries.len() {
            let edges: Vec<_> = cover.ranges.range((entry, 0)..(entry + 1, 0)).collect();
            let is_free = edges.iter().any(|(_, edge)| edge.is_free);
            // A skipRange is one line whatever it covers, so that one literal pays for all its versions. Whether a range has exactly
            // these is not asked here: the text that is written for a model is checked.
            let edit = is_free.then(|| self.var());
            self.edits.extend(edit.map(|edit| (Slot::Range(entry), edit)));
            for (at, edge) in edges {
                let lit = match edit.filter(|_| edge.is_free) {
                    None => self.yes,
                    Some(edit) => {
                        let lit = self.var();
                        self.clause([edit, if edge.is_present { lit } else { !lit }]);
                        lit
                    }
                };
                self.ranges.insert(*at, lit);
            }
        }
    }

    /// One entry that nobody names, and from it one path of all that nobody skips.
    fn add_path(&mut self) {
        let count = self.known.entries.len();
        let mut replacing: BTreeMap<usize, Vec<(usize, Lit)>> = BTreeMap::new();
        for (&(entry, name), &lit) in &self.replaces {
            replacing.entry(name).or_default().push((entry, lit));
        }
        let mut heads = Vec::new();
        for name in 0..count {
            let replacing = replacing.get(&name).map(Vec::as_slice).unwrap_or_default();
            let is_skipped = self.is_skipped[name];
            let naming: Vec<Lit> = replacing.iter().map(|(_, lit)| *lit).chain(is_skipped).collect();
            // An entry is skipped, or the head, or replaced by an entry of the path. There is one head (operator-registry
            // `alpha/model/model.go`, `Channel.Head`), each entry has one `replaces`, and no circle is possible: what is not
            // skipped is one path, without a variable for a place on it.
            let mut one_of: Vec<Lit> = is_skipped.into_iter().collect();
            if !naming.contains(&self.yes) {
                let head = self.cnf.add_var();
                naming.iter().for_each(|lit| self.clause([!*lit, head.negative()]));
                self.clause(naming.iter().copied().chain([head.positive()]));
                if self.known.names[name].is_avoided {
                    self.clause([head.negative()]);
                }
                for entry in self.updating[name].clone() {
                    // The head stays: no other entry covers it, unless it covers itself.
                    if let Some(covers) = self.ranged(entry, name) {
                        let itself = self.ranged(name, name);
                        let otherwise = self.is_skipped[entry].into_iter().chain(itself);
                        self.cnf.add_clause(otherwise.chain([head.negative(), !covers]), ());
                    }
                }
                heads.push(head);
                one_of.push(head.positive());
            }
            for &(entry, lit) in replacing {
                if entry < name {
                    one_of.push(self.on_path(entry, &[lit]));
                } else {
                    // Against the order of the entries it would close a circle.
                    let off_path = is_skipped.into_iter().chain(self.is_skipped[entry]);
                    self.cnf.add_clause(off_path.chain([!lit]), ());
                }
            }
            self.clause(one_of);
        }
        self.cnf.add_clause(heads.iter().map(|head| head.positive()), ());
        self.cnf.add_at_most_one(&heads, ());
    }

    /// A literal that is true only if an entry is on the path and one of these literals is true.
    fn on_path(&mut self, entry: usize, lits: &[Lit]) -> Lit {
        let is_skipped = self.is_skipped[entry];
        if is_skipped.is_none() && lits.contains(&self.yes) {
            return self.yes;
        }
        // One direction is enough: no clause has this literal negated but these, so that a solver gains nothing by leaving it false.
        let both = self.var();
        is_skipped.iter().for_each(|is_skipped| self.clause([!both, !*is_skipped]));
        self.clause(lits.iter().copied().chain([!both]));
        both
    }

    /// The literals of what may let an entry update a name.
    fn edges(&self, entry: usize, name: usize) -> Vec<Lit> {
        self.named(entry, name).into_iter().chain(self.ranged(entry, name)).collect()
    }

    fn named(&self, entry: usize, name: usize) -> Vec<Lit> {
        [&self.skips, &self.replaces].into_iter().filter_map(|edges| edges.get(&(entry, name)).copied()).collect()
    }

    fn ranged(&self, entry: usize, name: usize) -> Option<Lit> {
        let version = self.known.names[name].version?;
        self.ranges.get(&(entry, version)).copied()
    }

    /// A literal that is true only if an entry of the path may update a name.
    fn updates(&mut self, entry: usize, name: usize) -> Lit {
        if let Some(known) = self.updates.get(&(entry, name)) {
            return *known;
        }
        let edges = self.edges(entry, name);
        let lit = self.on_path(entry, &edges);
        self.updates.insert((entry, name), lit);
        lit
    }

    /// The same for the entries before one in the order; nothing if one of them always does.
    fn updates_before(&mut self, entry: usize, name: usize) -> Option<Vec<Lit>> {
        let before: Vec<usize> = self.updating[name].range(..entry).copied().collect();
        let lits: Vec<Lit> = before.into_iter().map(|entry| self.updates(entry, name)).collect();
        (!lits.contains(&self.yes)).then_some(lits)
    }

    /// A version that is not on the path itself is updated to an entry that is. That is enough to reach the head: every entry of the
    /// path but the head is replaced by another one of it, and OLM takes the one nearest to the head, so that no update leads back.
    fn add_covered(&mut self, name: usize) {
        let is_skipped = match self.is_skipped.get(name) {
            // An entry that nobody can skip is on the path.
            Some(None) => return,
            Some(Some(is_skipped)) => Some(*is_skipped),
            None => None,
        };
        if let Some(lits) = self.updates_before(self.known.entries.len(), name) {
            self.clause(lits.into_iter().chain(is_skipped.map(|is_skipped| !is_skipped)));
        }
    }

    /// The next update of a version is not by a skipRange of a lower entry.
    fn add_no_downgrade(&mut self) {
        for name in 0..self.known.names.len() {
            for entry in self.updating[name].clone() {
                // An author who names a version means it, as in a respin 1.0.1-1 of 1.0.1; a range covers more than was meant.
                if let Some(covers) = self.ranged(entry, name).filter(|_| self.known.is_newer(name, entry)) {
                    let named = self.named(entry, name);
                    self.forbid(entry, name, covers, &named);
                }
            }
        }
    }

    /// No version gets a next update of which this holds: by name and entry.
    pub(crate) fn forbid_updates(&mut self, is_forbidden: &dyn Fn(usize, usize) -> bool) {
        for name in 0..self.known.names.len() {
            for entry in self.updating[name].clone() {
                if is_forbidden(name, entry) {
                    self.edges(entry, name).into_iter().for_each(|edge| self.forbid(entry, name, edge, &[]));
                }
            }
        }
    }

    /// An edge is not what gives a name its next update: the entry is not on the path, or OLM comes to an entry before it, which
    /// may be the installed one itself, or one of `others` holds.
    fn forbid(&mut self, entry: usize, name: usize, edge: Lit, others: &[Lit]) {
        // OLM takes the first entry of the chain that has an edge (operator-lifecycle-manager
        // `pkg/controller/registry/resolver/resolver.go`, `getSubscriptionVariables`). That may be the installed one, whose own
        // skipRange covers it: then there is no update.
        let Some(mut otherwise) = self.updates_before(entry, name) else { return };
        if let Some(itself) = self.ranged(name, name).filter(|_| name < entry) {
            otherwise.push(self.on_path(name, &[itself]));
        }
        otherwise.extend(self.is_skipped[entry]);
        otherwise.extend(others);
        self.clause(otherwise.into_iter().chain([!edge]));
    }
}

// What edits cost, and formulas that limit the sum. An edit of the head, which is under review, costs less than one of
// an entry that is published; a range is one line and needs no list of names; `replaces` changes the order of the
// channel.

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
    // One direction is enough, because only upper limits are asked for, each by `!sums[n]`.
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
