//! Enumerates the choices that OLM leaves to chance, such as the order of a Go map.

/// The random choices of one run of the search, as a sequence of decisions. [`advance`](Self::advance) goes on to the
/// next sequence. A new decision starts with its first possibility, which is the default order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RandomChoices {
    /// Whether there is only one run.
    once: bool,
    /// Whether all choices are left to OLM's solver.
    left_to_solver: bool,
    /// The decisions, each with the number of its possibilities.
    decisions: Vec<(usize, usize)>,
    /// How many decisions this run has taken.
    taken: usize,
}

impl RandomChoices {
    /// One run in the default order.
    pub(crate) fn once() -> Self {
        Self { once: true, ..Self::default() }
    }

    /// Runs in which all choices are left to OLM's solver.
    pub(crate) fn left_to_solver() -> Self {
        Self { left_to_solver: true, ..Self::default() }
    }

    /// Whether all choices are left to OLM's solver.
    pub(crate) fn leaves_all_to_solver(&self) -> bool {
        self.left_to_solver
    }

    /// Whether other runs follow. Only then all possibilities of a decision are needed, not just the first.
    pub(crate) fn are_explored(&self) -> bool {
        !self.once
    }

    /// Decides among `count` possibilities, at least one.
    pub(crate) fn decide(&mut self, count: usize) -> usize {
        if count <= 1 {
            return 0;
        }
        if self.taken == self.decisions.len() {
            self.decisions.push((0, count));
        }
        let (decision, _) = self.decisions[self.taken];
        self.taken += 1;
        decision
    }

    /// Goes on to the next run, in lexicographic order of the decisions; false after the last.
    pub(crate) fn advance(&mut self) -> bool {
        self.taken = 0;
        while let Some((decision, count)) = self.decisions.pop() {
            if decision + 1 < count {
                self.decisions.push((decision + 1, count));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_comes_once_and_the_first_takes_all_first_possibilities() {
        let mut random = RandomChoices::default();
        let mut runs = Vec::new();
        loop {
            let first = random.decide(2);
            // After the second possibility of the first decision there is nothing left to decide.
            let second = if first == 0 { random.decide(3) } else { random.decide(1) };
            runs.push((first, second));
            if !random.advance() {
                break;
            }
        }
        assert_eq!(runs, [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }
}
