//! The search for the repairs of a channel, one after the other.

use crate::check::{Checked, is_wide, stranded, widening};
use crate::cover::{self, Cover};
use crate::encode::{Formula, Slot, add_counter};
use crate::known::Known;
use crate::question::{Question, Repair, before_search, gave_up, of_length, too_costly, why_none};
use catalog::{BundleName, Channel};
use release::Refusal;
use sat::{Bound, Cnf, Lit, Model, PartialSolution, Tally};
use std::collections::BTreeSet;
use update_graph::{Change, Edit, applied};

/// The most repairs of a channel.
pub const REPAIRS: usize = 4;

/// By how much a further repair may weigh more than the cheapest one.
const MORE_WEIGHT: u32 = 2;

/// The sums of weights up to which formulas count, one after the other, from the least that is possible on.
const COUNTED: [u32; 4] = [2, 6, 20, MOST];

/// The most weight of a repair.
const MOST: u32 = 80;

/// The weight above which a channel with too many heads is repaired one head after the other.
const HARD: u32 = 16;

/// How many models of one weight are refused, because they are no repair after all, before the search ends.
const REFUSED: usize = 20;

/// The search for the repairs of a channel.
pub struct Search<'c> {
    known: Known<'c>,
    cover: Cover,
    /// By name, whether it has to reach the head: all that an edit can bring there.
    must_reach: Vec<bool>,
    /// By name, whether it does not reach the head now.
    is_stranded: Vec<bool>,
    tally: Tally,
    next: Next,
    /// Sets of edits of which another repair does not have all.
    known_sets: Vec<Vec<Slot>>,
    found: Vec<Repair>,
    refusal: Option<Refusal>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Cheapest,
    WithoutWidening,
    Further,
    Nothing,
}

impl<'c> Search<'c> {
    /// Prepares the search. Nothing is searched if every version reaches the head already, or no edit can help.
    #[must_use]
    pub fn new(question: Question<'c>) -> Self {
        let known = Known::of(question);
        let mut must_reach = vec![true; known.names.len()];
        let mut is_stranded = vec![false; known.names.len()];
        stranded(&known, question.channel).into_iter().for_each(|name| is_stranded[name] = true);
        let checked = Checked::of(&known, question.channel);
        let is_right =
            |must_reach: &[bool]| checked.as_ref().is_some_and(|it| it.is_right(&known, question.channel, must_reach));
        let is_whole = is_right(&must_reach);
        let too_long = of_length(&known).filter(|_| !is_whole);
        // The edits are many; they are listed if they are searched.
        let (cover, hopeless) = if is_whole || too_long.is_some() {
            (Cover::default(), Vec::new())
        } else {
            let cover = Cover::of(&known);
            let hopeless = cover.hopeless(&known);
            (cover, hopeless)
        };
        hopeless.iter().for_each(|name| must_reach[*name] = false);
        let is_right = is_whole || is_right(&must_reach);
        let refusal = too_long.or_else(|| before_search(&known, &hopeless));
        let is_searched = !is_right && refusal.as_ref().is_none_or(Refusal::is_partial);
        let next = if is_searched { Next::Cheapest } else { Next::Nothing };
        let tally = Tally::within(question.budget);
        Self { known, cover, must_reach, is_stranded, tally, next, known_sets: Vec::new(), found: Vec::new(), refusal }
    }

    /// Whether something is wrong that edits may help.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.next != Next::Nothing
    }

    /// The versions that do not reach the head now: by version, those without one first.
    #[must_use]
    pub fn stranded(&self) -> Vec<&'c BundleName> {
        let mut names: Vec<usize> = (0..self.is_stranded.len()).filter(|name| self.is_stranded[*name]).collect();
        names.sort_by_key(|name| (self.known.names[*name].version, self.known.names[*name].name));
        names.into_iter().map(|name| self.known.names[name].name).collect()
    }

    /// The repairs that were found, the cheapest first.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.found
    }

    /// Why there is no repair, or none for some of the versions.
    #[must_use]
    pub const fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }

    /// How many questions each method of the solver answered.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Searches for one more repair. Returns whether the search has ended.
    pub fn advance(&mut self) -> bool {
        let found = match self.next {
            Next::Nothing => return true,
            Next::WithoutWidening => self.search(true),
            Next::Cheapest | Next::Further => self.search(false),
        };
        let last = self.next;
        self.next = match (last, &found) {
            (Next::Cheapest, Err(bound)) => {
                self.refusal = Some(gave_up(bound));
                Next::Nothing
            }
            (Next::Cheapest, Ok(None)) => {
                self.refusal = Some(match self.has_costly() {
                    true => too_costly(),
                    false => why_none(&self.known),
                });
                Next::Nothing
            }
            (Next::Cheapest, Ok(Some((_, repair)))) if repair.widening > 0 => Next::WithoutWidening,
            (Next::Further, Ok(None) | Err(_)) => Next::Nothing,
            _ => Next::Further,
        };
        if let Ok(Some((slots, repair))) = found {
            // Without its range, the repair that widens nothing may be the one that was found first.
            if last != Next::WithoutWidening || !self.found.contains(&repair) {
                self.found.push(repair);
            }
            self.known_sets.push(slots);
        }
        let known = &self.known;
        self.found.sort_by_key(|repair| order(known, repair));
        if self.found.len() >= REPAIRS || self.found.first().is_some_and(|cheapest| cheapest.weight > HARD) {
            self.next = Next::Nothing;
        }
        self.next == Next::Nothing
    }

    /// The cheapest repair that has not all edits of one that is known, with what it changes.
    fn search(&self, without_widening: bool) -> Result<Option<(Vec<Slot>, Repair)>, Bound> {
        let mut formula = Formula::of(&self.known, &self.cover, &self.must_reach);
        if without_widening {
            formula.forbid_updates(&|name, entry| is_wide(&self.known, &self.is_stranded, name, entry));
        } else {
            for slots in &self.known_sets {
                let edits = formula.edits.iter().filter(|(slot, _)| slots.contains(slot));
                let clause: Vec<Lit> = edits.map(|(_, lit)| !*lit).collect();
                formula.cnf.add_clause(clause, ());
            }
        }
        let most = match (self.next, self.found.first()) {
            (Next::Further, Some(cheapest)) => cheapest.weight + MORE_WEIGHT,
            _ => MOST,
        };
        let least_of_heads = self.least_weight(&formula);
        if least_of_heads > HARD && self.next == Next::Cheapest {
            // Few other edits are as cheap as these, and to compare all of them is hard for a solver.
            return Ok(self.skip_other_heads().filter(|(_, repair)| repair.weight == least_of_heads));
        }
        let least = self.found.first().map_or(1, |cheapest| cheapest.weight).max(least_of_heads);
        for _ in 0..REFUSED {
            let Some((weight, model)) = self.cheapest(&formula, least, most)? else { return Ok(None) };
            let slots: Vec<Slot> =
                formula.edits.iter().filter(|(_, lit)| model.holds(*lit)).map(|(slot, _)| *slot).collect();
            if let Some(repair) = self.repair(&formula, &model, &slots, weight)
                && !(without_widening && repair.widening > 0)
            {
                return Ok(Some((slots, repair)));
            }
            // Exactly these edits are no repair.
            let lits = formula.edits.iter().map(|(_, lit)| *lit).chain(formula.replaces.values().copied());
            let other: Vec<Lit> = lits.map(|lit| if model.holds(lit) { !lit } else { lit }).collect();
            formula.cnf.add_clause(other, ());
        }
        Ok(None)
    }

    /// The model with the least weight of edits, at least `least` and at most `most`.
    fn cheapest(&self, formula: &Formula<'_>, least: u32, most: u32) -> Result<Option<(u32, Model)>, Bound> {
        let first = least;
        let mut least = least;
        for counted in COUNTED.into_iter().map(|more| first.saturating_add(more).min(most)) {
            if counted < least {
                break;
            }
            let mut cnf: Cnf<()> = formula.cnf.clone();
            let mut weighted = Vec::new();
            for (slot, lit) in &formula.edits {
                match slot.weight(self.known.head) {
                    weight if weight > counted => cnf.add_clause([!*lit], ()),
                    weight => weighted.push((*lit, weight)),
                }
            }
            let sums = add_counter(&mut cnf, &weighted, counted);
            cnf.add_clause([!sums[counted as usize]], ());
            if let Some(mut solution) = PartialSolution::new(&cnf, &self.tally)? {
                for weight in least..=counted {
                    if solution.is_possible(!sums[weight as usize])? {
                        return Ok(Some((weight, solution.model().clone())));
                    }
                }
            }
            least = counted + 1;
        }
        Ok(None)
    }

    /// Whether there are edits of any weight.
    fn has_costly(&self) -> bool {
        let formula = Formula::of(&self.known, &self.cover, &self.must_reach);
        formula.cnf.is_satisfiable(&self.tally) == Ok(true)
    }

    /// The repair that lets the newest entry skip all other heads, if it is one.
    fn skip_other_heads(&self) -> Option<(Vec<Slot>, Repair)> {
        let known = &self.known;
        let heads = catalog::heads(known.question.channel).into_iter().filter_map(|name| known.index(&name.into()));
        let skipped: Vec<usize> = heads.filter(|head| *head != known.head).collect();
        let name = |at: usize| known.names[at].name.clone();
        let skip = |at: &usize| Edit { entry: name(known.head), change: Change::Skip(name(*at)) };
        let edits: Vec<Edit> = skipped.iter().map(skip).collect();
        let channel = applied(known.question.channel, &edits);
        let checked = Checked::of(known, &channel).filter(|it| it.is_right(known, &channel, &self.must_reach))?;
        let slots: Vec<Slot> = skipped.into_iter().map(|at| Slot::Skips(known.head, at)).collect();
        let weight = slots.iter().map(|slot| slot.weight(known.head)).sum();
        Some((slots, Repair { weight, widening: widening(known, &self.is_stranded, &checked.next), edits }))
    }

    /// A weight below which no edits are enough: all heads but one have to be named, each by an edit of its own.
    fn least_weight(&self, formula: &Formula<'_>) -> u32 {
        let heads = catalog::heads(self.known.question.channel);
        let heads = heads.into_iter().filter_map(|name| self.known.index(&name.into()));
        let weight = |head: usize| {
            let names_it = |slot: &Slot| match *slot {
                Slot::Skips(_, name) => name == head,
                Slot::Replaces(entry) => formula.replaces.contains_key(&(entry, head)),
                Slot::Range(_) => false,
            };
            let slots = formula.edits.iter().map(|(slot, _)| slot).filter(|slot| names_it(slot));
            slots.map(|slot| slot.weight(self.known.head)).min().unwrap_or(u32::MAX)
        };
        let mut weights: Vec<u32> = heads.map(weight).collect();
        weights.sort_unstable();
        weights.pop();
        weights.into_iter().fold(0, u32::saturating_add)
    }

    /// The repair that a model stands for, if it is one.
    fn repair(&self, formula: &Formula<'_>, model: &Model, slots: &[Slot], weight: u32) -> Option<Repair> {
        let known = &self.known;
        let name = |at: usize| known.names[at].name.clone();
        let named = slots.iter().filter_map(|slot| {
            let change = match *slot {
                Slot::Replaces(entry) => {
                    let mut of_entry = formula.replaces.range((entry, 0)..(entry + 1, 0));
                    let replaced = of_entry.find(|(_, lit)| model.holds(**lit));
                    replaced.map_or(Change::Unreplace, |((_, replaced), _)| Change::Replace(name(*replaced)))
                }
                Slot::Skips(entry, skipped) => {
                    let mut skips = known.entries[entry].skips.iter();
                    match skips.any(|name| name.value == *known.names[skipped].name) {
                        true => Change::Unskip(name(skipped)),
                        false => Change::Skip(name(skipped)),
                    }
                }
                Slot::Range(_) => return None,
            };
            Some(Edit { entry: name(slot.entry()), change })
        });
        let mut edits: Vec<Edit> = named.collect();
        let ranged: Vec<usize> = slots
            .iter()
            .filter_map(|slot| match slot {
                Slot::Range(entry) => Some(*entry),
                Slot::Replaces(_) | Slot::Skips(..) => None,
            })
            .collect();
        let covers =
            |entry: usize, version: usize| formula.ranges.get(&(entry, version)).is_some_and(|lit| model.holds(*lit));
        let texts = self.range_texts(&ranged, &edits, &covers);
        let mut best: Option<(usize, Vec<Edit>, Channel)> = None;
        for texts in texts {
            let ranges = ranged.iter().zip(texts);
            let ranges = ranges.map(|(entry, text)| Edit { entry: name(*entry), change: Change::Range(text) });
            let all: Vec<Edit> = edits.iter().cloned().chain(ranges).collect();
            let channel = applied(known.question.channel, &all);
            let is_read =
                |entry: &catalog::Entry| entry.skip_range.as_ref().is_none_or(|range| range.value.range.is_ok());
            let checked = Checked::of(known, &channel).filter(|_| channel.entries.iter().all(is_read));
            let Some(checked) = checked.filter(|it| it.is_right(known, &channel, &self.must_reach)) else { continue };
            let widening = widening(known, &self.is_stranded, &checked.next);
            if best.as_ref().is_none_or(|(least, ..)| widening < *least) {
                best = Some((widening, all, channel));
            }
        }
        let (widening, all, _) = best?;
        edits = all;
        edits.sort_by_cached_key(|edit| (known.index(&edit.entry), edit.change.clone()));
        Some(Repair { weight, widening, edits })
    }

    /// Texts for the skipRanges of these entries, the simplest first: one of each.
    fn range_texts(
        &self,
        entries: &[usize],
        edits: &[Edit],
        covers: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<Vec<Option<Box<str>>>> {
        let known = &self.known;
        // Who reaches the head without the new ranges needs none of them.
        let kept = |entry: usize, version: usize| {
            let range = crate::cover::range_of(known.entries[entry]);
            range.is_some_and(|range| range.matches(&known.versions[version]).unwrap_or(false))
        };
        let cut: Vec<Edit> = (entries.iter())
            .map(|&entry| {
                let text = cover::range_text(known, entry, &|version| kept(entry, version), false);
                Edit { entry: known.names[entry].name.clone(), change: Change::Range(text) }
            })
            .chain(edits.iter().cloned())
            .collect();
        let channel = applied(known.question.channel, &cut);
        let next = known.next_updates(known.question.after, &channel).unwrap_or_default();
        let is_needed = |name: usize| next.get(name).is_none_or(Option::is_none);
        let needed: BTreeSet<(usize, usize)> = (0..known.names.len())
            .filter(|name| is_needed(*name))
            .filter_map(|name| {
                let version = known.names[name].version?;
                let entry = entries.iter().copied().filter(|entry| covers(*entry, version)).min()?;
                Some((entry, version))
            })
            .collect();
        let texts = |covered: &dyn Fn(usize, usize) -> bool, is_joined: bool| -> Vec<Option<Box<str>>> {
            let of = |&entry: &usize| cover::range_text(known, entry, &|version| covered(entry, version), is_joined);
            entries.iter().map(of).collect()
        };
        let least = |entry: usize, version: usize| kept(entry, version) || needed.contains(&(entry, version));
        let mut all = vec![texts(&least, true), texts(&least, false), texts(covers, false)];
        all.dedup();
        all
    }
}

/// Repairs are offered in this order.
fn order(known: &Known<'_>, repair: &Repair) -> (u32, usize, usize, usize, Vec<Edit>) {
    let entries: BTreeSet<&BundleName> = repair.edits.iter().map(|edit| &edit.entry).collect();
    let head = known.names.get(known.head).map(|name| name.name);
    let older = entries.iter().filter(|entry| Some(**entry) != head).count();
    (repair.weight, repair.edits.len(), repair.widening, older, repair.edits.clone())
}
