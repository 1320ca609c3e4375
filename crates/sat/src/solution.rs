//! Solutions found choice by choice: which literals are possible together with those that are fixed. splr decides whether
//! a formula has a model at all, unless that is easy although the formula is long; from that model on, the cheapest method that can answer does.

use std::cell::Cell;
use std::fmt;

use crate::budget::Budget;
use crate::cnf::{Cnf, ConstraintId, Constraints, Kind, Lit, Var};
use crate::splr::solve_with_splr;
use crate::trail::{Blame, Conflict, Trail};

/// The number of conflicts after which a bounded search ends, and the question goes to splr.
const CONFLICT_LIMIT: u32 = 100;

/// A formula with an at-most-one constraint of more literals is put to the bounded search first. splr simplifies a formula before
/// it searches, in a time that grows with the square of the length of such constraints; most of these formulas are easy.
const LONG: usize = 1000;

impl<R: Copy> Cnf<R> {
    /// Whether the formula has a model.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn is_satisfiable(&self, tally: &Tally) -> Result<bool, Bound> {
        self.solve(tally).as_ref().map(Option::is_some).map_err(Clone::clone)
    }

    /// A model of the formula, or none if it is unsatisfiable. Answered once for each formula: by unit propagation if that
    /// refutes it, by the bounded search if a constraint is long and the formula easy, else by splr. Variables that no broken clause leads to are false in the model.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn solve(&self, tally: &Tally) -> &Result<Option<Model>, Bound> {
        self.solution.get_or_init(|| {
            let mut trail = Trail::new(&self.constraints, None);
            let started = trail.start();
            tally.budget.charge(trail.take_work());
            if started.is_err() {
                tally.propagation.update(|count| count + 1);
                return Ok(None);
            }
            let model = Model::all_false(self.constraints.var_count);
            let is_long = |(kind, lits): (Kind, &[Lit])| kind == Kind::AtMostOne && lits.len() > LONG;
            if !self.constraints.ids().any(|id| is_long(self.constraints.get(id))) {
                return solve(&trail, &model, tally);
            }
            find(&mut trail, &model, None, true, tally).map(|found| match found {
                Solution::Model(model) => Some(model),
                Solution::Refuted(_) => None,
            })
        })
    }
}

/// A set of fixed literals, which only grows, and a model of the formula that contains them.
pub struct PartialSolution<'c> {
    tally: &'c Tally,
    /// The fixed literals and their consequences.
    trail: Trail<'c>,
    model: Model,
}

impl<'c> PartialSolution<'c> {
    /// Nothing is fixed, and the current model is that of [`Cnf::solve`]; `None` if the formula has no model.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn new<R: Copy>(cnf: &'c Cnf<R>, tally: &'c Tally) -> Result<Option<Self>, Bound> {
        let Some(model) = cnf.solve(tally).clone()? else { return Ok(None) };
        let mut trail = Trail::new(&cnf.constraints, None);
        trail.start().expect("a formula with a model has no conflict at level 0");
        tally.budget.charge(trail.take_work());
        Ok(Some(PartialSolution { tally, trail, model }))
    }

    /// Whether some model contains the fixed literals and this one. If so, it becomes the current model.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn is_possible(&mut self, lit: Lit) -> Result<bool, Bound> {
        if self.model.holds(lit) {
            self.tally.model.update(|count| count + 1);
            return Ok(true);
        }
        let fixed = self.trail.lits().len();
        if self.trail.value(lit) == Some(false) || self.trail.decide(lit).is_err() {
            self.trail.back_to(0);
            self.tally.budget.charge(self.trail.take_work());
            self.tally.propagation.update(|count| count + 1);
            return Ok(false);
        }
        let found = find(&mut self.trail, &self.model, Some(fixed), true, self.tally);
        self.trail.back_to(0);
        if let Solution::Model(model) = found? {
            self.model = model;
            return Ok(true);
        }
        Ok(false)
    }

    /// The current model.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// Whether unit propagation alone refutes these literals together with the fixed ones.
    pub fn is_refuted_by_propagation(&mut self, lits: &[Lit]) -> bool {
        let is_refuted = lits.iter().any(|&lit| match self.trail.value(lit) {
            Some(value) => !value,
            None => self.trail.decide(lit).is_err(),
        });
        self.trail.back_to(0);
        self.tally.budget.charge(self.trail.take_work());
        is_refuted
    }

    /// Fixes a literal that is true in the current model.
    ///
    /// # Panics
    /// When the literal is false in it.
    pub fn fix(&mut self, lit: Lit) {
        assert!(self.model.holds(lit), "only literals of the current model are fixed");
        self.trail.assume(lit, ConstraintId(u32::MAX)).expect("no conflict follows from literals of a model");
    }
}

/// The answer of the bounded search, or of splr after it.
pub(crate) enum Solution {
    Model(Model),
    /// There is no model, for this reason if the search found it; splr gives no reason.
    Refuted(Option<Blame>),
}

/// Looks for a model that contains the trail: near `model`, then with splr if that is allowed. `met` is as in
/// [`Search::new`].
pub(crate) fn find(
    trail: &mut Trail<'_>,
    model: &Model,
    met: Option<usize>,
    may_ask_splr: bool,
    tally: &Tally,
) -> Result<Solution, Bound> {
    if tally.budget.is_spent() {
        return Err(Bound::Budget);
    }
    let base = trail.level();
    let end = Search::new(trail, model, met).run(CONFLICT_LIMIT);
    tally.budget.charge(trail.take_work());
    let found = match end {
        End::Model => Solution::Model(trail.completed(model)),
        End::Refuted(blame) => Solution::Refuted(Some(blame)),
        End::Bound if !may_ask_splr => return Err(Bound::Questions(1)),
        End::Bound => {
            trail.back_to(base);
            return Ok(solve(trail, model, tally)?.map_or(Solution::Refuted(None), Solution::Model));
        }
    };
    tally.descent.update(|count| count + 1);
    Ok(found)
}

// Models, the limits of solving, and counts of the methods that answered.

/// The limit at which solving stopped without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// The work that was left of the [`Budget`].
    Budget,
    Questions(u32),
    /// splr failed or returned a wrong model.
    Failure,
}

impl fmt::Display for Bound {
    /// A sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Budget => f.write_str("the solver's budget does not suffice"),
            Self::Questions(count) => write!(f, "the search takes more than {count} hard questions"),
            Self::Failure => f.write_str("the solver failed"),
        }
    }
}

/// A truth value for every variable of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// By variable index.
    values: Vec<bool>,
}

impl Model {
    /// The model in which every variable is false.
    pub(crate) fn all_false(var_count: u32) -> Model {
        Model { values: vec![false; var_count as usize] }
    }

    /// Whether a literal is true.
    pub fn holds(&self, lit: Lit) -> bool {
        self.values[lit.var().index() as usize] == lit.is_positive()
    }

    pub(crate) fn set(&mut self, var: Var, value: bool) {
        self.values[var.index() as usize] = value;
    }
}

/// How many questions each method answered, and the budget of the work for them. Displays as `propagation 1, model 2, descent
/// 3, splr 4`.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Refuted by unit propagation.
    pub propagation: Cell<u32>,
    /// Answered by the current model.
    pub model: Cell<u32>,
    /// Decided by the bounded search.
    pub descent: Cell<u32>,
    pub splr: Cell<u32>,
    /// The work that is left.
    pub(crate) budget: Budget,
}

impl Tally {
    /// A tally without counts, whose questions take their work from this budget.
    #[must_use]
    pub fn within(budget: &Budget) -> Self {
        Self { budget: budget.clone(), ..Self::default() }
    }

    /// Adds the counts of another tally.
    pub fn add(&self, other: &Self) {
        self.propagation.update(|count| count + other.propagation.get());
        self.model.update(|count| count + other.model.get());
        self.descent.update(|count| count + other.descent.get());
        self.splr.update(|count| count + other.splr.get());
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [propagation, model, descent, splr] =
            [&self.propagation, &self.model, &self.descent, &self.splr].map(Cell::get);
        write!(f, "propagation {propagation}, model {model}, descent {descent}, splr {splr}")
    }
}

// Asks splr about a part of a formula only: the constraints that are connected, through unassigned variables, with the
// clauses that the current model breaks. All other variables keep their values in that model.

/// A model that contains the trail, or none if there is none. `model` may break clauses, but no at-most-one constraint.
pub(crate) fn solve(trail: &Trail<'_>, model: &Model, tally: &Tally) -> Result<Option<Model>, Bound> {
    let mut queue: Vec<ConstraintId> = trail.constraints.ids().filter(|&id| is_broken(trail, model, id)).collect();
    let mut is_queued = vec![false; trail.constraints.len() as usize];
    queue.iter().for_each(|id| is_queued[id.index()] = true);
    let mut is_in_part = vec![false; trail.constraints.var_count as usize];
    let mut vars: Vec<Var> = Vec::new();
    let mut part = Constraints::default();
    part.var_count = trail.constraints.var_count;
    while let Some(id) = queue.pop() {
        let (kind, lits) = trail.constraints.get(id);
        if kind == Kind::Clause && lits.iter().any(|&lit| trail.value(lit) == Some(true)) {
            continue;
        }
        // If a member of an at-most-one constraint is true, propagation has made all others false.
        let open = || lits.iter().copied().filter(|&lit| trail.value(lit).is_none());
        part.push(kind, open());
        for var in open().map(|lit| lit.var()) {
            if !std::mem::replace(&mut is_in_part[var.index() as usize], true) {
                vars.push(var);
                let restricted = [var.positive(), var.negative()].map(|lit| trail.constraints.restricted_by(lit));
                let new = restricted.concat().into_iter().filter(|&id| trail.is_active(id));
                queue.extend(new.filter(|id| !std::mem::replace(&mut is_queued[id.index()], true)));
            }
        }
    }
    let found = solve_with_splr(&part, tally)?;
    Ok(found.map(|found| {
        let mut whole = trail.completed(model);
        vars.into_iter().for_each(|var| whole.set(var, found.holds(var.positive())));
        whole
    }))
}

// A bounded search for a model near a given one, without clause learning.
//
// Variables that propagation leaves unassigned keep their values in the given model. While that breaks a clause, the
// search decides for the clause's first unassigned literal, then for the next one if that fails. After a conflict it
// changes the last decision that the conflict follows from (conflict-directed backjumping: Prosser 1993), and so does
// not try all combinations of unrelated decisions.

#[derive(Debug)]
enum End {
    /// The trail, completed by the given model, is a model.
    Model,
    /// There is no model, for this reason.
    Refuted(Blame),
    /// The limit on conflicts is reached.
    Bound,
}

struct Search<'t, 'c> {
    trail: &'t mut Trail<'c>,
    model: &'t Model,
    /// Decisions up to this level were there before the search.
    base: usize,
    /// One for each decision of the search.
    branches: Vec<Branch>,
    checked: Checked,
}

/// A decision for one of the literals of a broken clause.
struct Branch {
    clause: ConstraintId,
    /// The position of the literal that is decided.
    at: usize,
    /// Why the literals before it failed.
    blame: Blame,
    checked_before: Checked,
}

/// Which clauses are known to be met.
#[derive(Clone, Copy, Debug)]
struct Checked {
    /// All that the first `lits` literals of the trail restrict,
    lits: usize,
    /// of those that the next literal restricts the first `restricted`,
    restricted: usize,
    /// and of the whole formula the first `clauses`.
    clauses: u32,
}

impl<'t, 'c> Search<'t, 'c> {
    /// A search near `model`. `met` is given if the first `met` literals of the trail, completed by the model, are
    /// known to meet all active constraints; then only the clauses that later literals restrict are checked.
    pub(crate) fn new(trail: &'t mut Trail<'c>, model: &'t Model, met: Option<usize>) -> Self {
        let checked = match met {
            Some(lits) => Checked { lits, restricted: 0, clauses: u32::MAX },
            None => Checked { lits: trail.lits().len(), restricted: 0, clauses: 0 },
        };
        Search { base: trail.level(), trail, model, branches: Vec::new(), checked }
    }

    /// Looks for a model that contains the trail; stops at `limit` conflicts.
    fn run(&mut self, limit: u32) -> End {
        let mut conflicts = 0;
        while let Some(clause) = self.next_broken() {
            let branch = Branch { clause, at: 0, blame: Blame::default(), checked_before: self.checked };
            let mut result = self.try_next(branch);
            while let Err(blame) = result {
                conflicts += 1;
                if conflicts >= limit {
                    return End::Bound;
                }
                result = match self.back_to_cause(blame) {
                    Ok(branch) => self.try_next(branch),
                    Err(blame) => return End::Refuted(blame),
                };
            }
        }
        End::Model
    }

    /// Decides for the next unassigned literal of a clause.
    fn try_next(&mut self, mut branch: Branch) -> Result<(), Blame> {
        let (_, lits) = self.trail.constraints.get(branch.clause);
        let open = (branch.at..lits.len()).find(|&at| self.trail.value(lits[at]).is_none());
        let Some(at) = open else {
            let falsified: Vec<_> = lits.iter().copied().filter(|&lit| self.trail.value(lit) == Some(false)).collect();
            self.trail.blame_values(&falsified, &mut branch.blame);
            branch.blame.constraints.insert(branch.clause);
            return Err(branch.blame);
        };
        branch.at = at;
        self.branches.push(branch);
        self.trail.decide(lits[at]).map_err(|conflict: Conflict| self.trail.blame(&conflict))
    }

    /// Undoes the last decision of the search that the conflict follows from, and all decisions after it.
    fn back_to_cause(&mut self, mut blame: Blame) -> Result<Branch, Blame> {
        let Some(level) = blame.levels.last().copied().filter(|&level| level > self.base) else { return Err(blame) };
        blame.levels.remove(&level);
        self.trail.back_to(level - 1);
        self.branches.truncate(level - self.base);
        let mut branch = self.branches.pop().expect("every decision of a search has a branch");
        self.checked = branch.checked_before;
        branch.at += 1;
        branch.blame.add(blame);
        Ok(branch)
    }

    /// The first clause that the trail, completed by the model, breaks.
    fn next_broken(&mut self) -> Option<ConstraintId> {
        while let Some(&lit) = self.trail.lits().get(self.checked.lits) {
            if !self.model.holds(lit) {
                let restricted = self.trail.constraints.restricted_by(lit);
                while let Some(&id) = restricted.get(self.checked.restricted) {
                    if is_broken(self.trail, self.model, id) {
                        return Some(id);
                    }
                    self.checked.restricted += 1;
                }
            }
            self.checked.restricted = 0;
            self.checked.lits += 1;
        }
        while self.checked.clauses < self.trail.constraints.len() {
            let id = ConstraintId(self.checked.clauses);
            if is_broken(self.trail, self.model, id) {
                return Some(id);
            }
            self.checked.clauses += 1;
        }
        None
    }
}

/// Whether the trail, completed by the model, breaks this active clause.
fn is_broken(trail: &Trail<'_>, model: &Model, id: ConstraintId) -> bool {
    let (kind, lits) = trail.constraints.get(id);
    trail.add_work(lits.len());
    kind == Kind::Clause && trail.is_active(id) && !lits.iter().any(|&lit| trail.holds(lit, model))
}
