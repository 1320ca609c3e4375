//! OLM's search to the letter: its queue, its stack of guesses, and choices that stay used up once they are.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/solver/{search.go,solve.go}`, but for two
//! properties of gini. Propagation does not use the clauses that gini learned. And of the models that gini may find
//! every one counts in which a choice that was refused all its alternatives at once has the last of them, because gini
//! begins with the values that its variables had last. 8000 runs of OLM for two namespaces show no other.

use std::collections::{BTreeMap, VecDeque};

use resolver::{Fact, Problem, VarId};

/// A set of variables, by their places in [`Rules::ids`].
type Set = u64;

/// What the search can end with.
#[derive(Debug)]
pub(crate) struct End {
    /// Whether every choice was made by the search; then there is one answer.
    pub(crate) all_made: bool,
    /// Whether the search went back over a choice that had no alternative left.
    pub(crate) went_back: bool,
    /// All that is selected: what was guessed, and the smallest sets that complete it.
    pub(crate) answers: Vec<Vec<VarId>>,
}

/// What comes of one order of anchors, or nothing if the rules cannot be met.
pub(crate) fn search(problem: &Problem, anchors: &[VarId]) -> Option<End> {
    let rules = Rules::of(problem);
    let choices = anchors.iter().map(|&anchor| Choice::of(vec![rules.place(anchor)]));
    let baseline = anchors.iter().fold(0, |set, &anchor| set | 1 << rules.place(anchor));
    let first = rules.test(baseline);
    if first == Known::Unsatisfiable {
        return None;
    }
    let mut search =
        Search { rules: &rules, baseline, result: first, assumed: 0, guesses: Vec::new(), queue: choices.collect() };
    if first == Known::Unknown && !search.go() {
        return None;
    }
    let mut answers = rules.completions(search.assumed | baseline);
    for guess in search.guesses.iter().filter(|guess| guess.is_used_up && !guess.choice.was_accepted) {
        let last = guess.choice.candidates[guess.choice.candidates.len() - 1];
        if answers.iter().any(|answer| answer >> last & 1 == 1) {
            answers.retain(|answer| answer >> last & 1 == 1);
        }
    }
    let went_back = search.guesses.iter().any(|guess| guess.is_used_up);
    let all_made = first == Known::Unknown && !went_back;
    Some(End { all_made, went_back, answers: answers.into_iter().map(|set| rules.named(set)).collect() })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

struct Choice {
    /// Of the next candidate; at the end it stays there.
    index: usize,
    candidates: Vec<usize>,
    /// Whether unit propagation ever left a candidate open.
    was_accepted: bool,
}

impl Choice {
    fn of(candidates: Vec<usize>) -> Self {
        Self { index: 0, candidates, was_accepted: false }
    }
}

struct Guess {
    /// `None` if an alternative is selected already, or all are used up.
    taken: Option<usize>,
    choice: Choice,
    /// Whether it is left to the solver.
    is_used_up: bool,
    /// How many choices it brought.
    children: usize,
}

struct Search<'r> {
    rules: &'r Rules,
    baseline: Set,
    result: Known,
    assumed: Set,
    guesses: Vec<Guess>,
    queue: VecDeque<Choice>,
}

impl Search<'_> {
    /// Whether it ends with a model.
    fn go(&mut self) -> bool {
        loop {
            if self.queue.is_empty() && self.result == Known::Unknown {
                let completions = self.rules.completions(self.assumed | self.baseline);
                self.result = if completions.is_empty() { Known::Unsatisfiable } else { Known::Satisfiable };
            }
            if self.result == Known::Unsatisfiable {
                let Some(guess) = self.guesses.pop() else { return false };
                self.take_back(guess);
            } else {
                let Some(choice) = self.queue.pop_front() else { return true };
                self.guess(choice);
            }
        }
    }

    fn guess(&mut self, mut choice: Choice) {
        let is_content = choice.candidates.iter().any(|place| self.assumed >> place & 1 == 1);
        let taken = choice.candidates.get(choice.index).copied().filter(|_| !is_content);
        let mut children = 0;
        if let Some(place) = taken {
            for candidates in self.rules.choices.get(&place).into_iter().flatten().filter(|list| !list.is_empty()) {
                self.queue.push_back(Choice::of(candidates.clone()));
                children += 1;
            }
            self.assumed |= 1 << place;
            self.result = self.rules.test(self.assumed | self.baseline);
            choice.was_accepted |= self.result != Known::Unsatisfiable;
        }
        self.guesses.push(Guess { taken, choice, is_used_up: taken.is_none() && !is_content, children });
    }

    fn take_back(&mut self, guess: Guess) {
        let mut choice = guess.choice;
        if let Some(place) = guess.taken {
            self.assumed &= !(1 << place);
            self.result = self.rules.test(self.assumed | self.baseline);
            choice.index += 1;
        }
        self.queue.truncate(self.queue.len() - guess.children);
        self.queue.push_front(choice);
    }
}

struct Rules {
    ids: Vec<VarId>,
    choices: BTreeMap<usize, Vec<Vec<usize>>>,
    never: Set,
    /// No two of each.
    groups: Vec<Set>,
}

impl Rules {
    fn of(problem: &Problem) -> Self {
        let mut ids: Vec<VarId> = problem.facts().flat_map(|(_, fact)| members(fact)).collect();
        ids.sort_unstable();
        ids.dedup();
        assert!(ids.len() < 64, "only small problems are searched to the letter");
        let mut rules = Self { ids, choices: BTreeMap::new(), never: 0, groups: Vec::new() };
        for (_, fact) in problem.facts() {
            rules.add(fact);
        }
        rules
    }

    fn add(&mut self, fact: &Fact) {
        let members: Vec<usize> = members(fact).into_iter().map(|id| self.place(id)).collect();
        match fact {
            Fact::Subscribed { .. } | Fact::Freestanding { .. } => {}
            Fact::Wants { .. } | Fact::Requires { .. } => {
                self.choices.entry(members[0]).or_default().push(members[1..].to_vec());
            }
            Fact::NothingFound { .. } | Fact::Deprecated { .. } => self.never |= 1 << members[0],
            Fact::Supersedes { .. } | Fact::OneProvider { .. } | Fact::OneOfPackage { .. } => {
                let mut group = 0;
                for place in members {
                    // Twice one of the group is two of it.
                    self.never |= group & 1 << place;
                    group |= 1 << place;
                }
                self.groups.push(group);
            }
        }
    }

    fn place(&self, id: VarId) -> usize {
        self.ids.binary_search(&id).expect("every variable occurs in a rule")
    }

    fn named(&self, set: Set) -> Vec<VarId> {
        (0..self.ids.len()).filter(|place| set >> place & 1 == 1).map(|place| self.ids[place]).collect()
    }

    fn clauses(&self) -> impl Iterator<Item = (usize, Set)> {
        let set = |list: &Vec<usize>| list.iter().fold(0, |set, place| set | 1 << place);
        self.choices.iter().flat_map(move |(&subject, lists)| lists.iter().map(move |list| (subject, set(list))))
    }

    /// Unit propagation.
    fn test(&self, assumed: Set) -> Known {
        let (mut yes, mut no): (Set, Set) = (assumed, self.never);
        loop {
            let before = (yes, no);
            for group in self.groups.iter().filter(|&&group| group & yes != 0) {
                no |= if (group & yes).count_ones() > 1 { *group } else { group & !yes };
            }
            for (subject, alternatives) in self.clauses().filter(|(subject, set)| set >> subject & 1 == 0) {
                let open = alternatives & !no;
                if open == 0 {
                    no |= 1 << subject;
                } else if yes >> subject & 1 == 1 && open.count_ones() == 1 {
                    yes |= open;
                }
            }
            if yes & no != 0 {
                return Known::Unsatisfiable;
            }
            if (yes, no) == before {
                let is_total = (yes | no).count_ones() as usize == self.ids.len();
                return if is_total { Known::Satisfiable } else { Known::Unknown };
            }
        }
    }

    /// The models that contain the set and of which no part but themselves does.
    fn completions(&self, set: Set) -> Vec<Set> {
        let mut found = Vec::new();
        self.complete(set, &mut found);
        found.sort_unstable();
        found.dedup();
        let smallest = |set: &&Set| !found.iter().any(|other| other != *set && other & *set == *other);
        found.iter().filter(smallest).copied().collect()
    }

    fn complete(&self, set: Set, found: &mut Vec<Set>) {
        if self.test(set) == Known::Unsatisfiable {
            return;
        }
        let lacking = |(subject, alternatives): &(usize, Set)| set >> subject & 1 == 1 && alternatives & set == 0;
        match self.clauses().find(lacking) {
            None => found.push(set),
            Some((_, alternatives)) => {
                let places = (0..self.ids.len()).filter(|place| alternatives >> place & 1 == 1);
                places.for_each(|place| self.complete(set | 1 << place, found));
            }
        }
    }
}

/// What a rule is about, its subject first.
fn members(fact: &Fact) -> Vec<VarId> {
    match fact {
        Fact::Subscribed { subscription: subject } | Fact::NothingFound { subscription: subject, .. } => vec![*subject],
        Fact::Freestanding { bundle: subject } | Fact::Deprecated { bundle: subject } => vec![*subject],
        Fact::Wants { subscription: subject, alternatives, .. }
        | Fact::Requires { bundle: subject, alternatives, .. } => {
            [*subject].into_iter().chain(alternatives.iter().copied()).collect()
        }
        Fact::Supersedes { upgrade, installed } => vec![*upgrade, *installed],
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => members.clone(),
    }
}
