//! The choices that OLM leaves to chance, such as the order of a Go map, enumerated.

/// One way to make all random choices of a resolution, and the next ones after it. A choice that is new takes its first
/// possibility, which is the default order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RandomChoices {
    /// Whether no other plays come after the first.
    once: bool,
    /// Whether all choices are left to OLM's solver.
    loose: bool,
    /// What was decided, and among how many.
    decisions: Vec<(usize, usize)>,
    /// How many decisions of this play were asked for so far.
    played: usize,
}

impl RandomChoices {
    /// The default order, played once.
    pub(crate) fn once() -> Self {
        Self { once: true, ..Self::default() }
    }

    /// All choices left to OLM's solver.
    pub(crate) fn loose() -> Self {
        Self { loose: true, ..Self::default() }
    }

    /// Whether all choices are left to OLM's solver.
    pub(crate) fn is_loose(&self) -> bool {
        self.loose
    }

    /// Whether it is worth while to know all possibilities of a decision, not only the first.
    pub(crate) fn goes_on(&self) -> bool {
        !self.once
    }

    /// Decides among `count` possibilities; at least one.
    pub(crate) fn decide(&mut self, count: usize) -> usize {
        if count <= 1 {
            return 0;
        }
        if self.played == self.decisions.len() {
            self.decisions.push((0, count));
        }
        let (decision, _) = self.decisions[self.played];
        self.played += 1;
        decision
    }

    /// Whether every decision of this play was for the first possibility.
    pub(crate) fn is_default(&self) -> bool {
        self.decisions.iter().all(|(decision, _)| *decision == 0)
    }

    /// Goes on to the next play, in lexicographic order; false after the last.
    pub(crate) fn advance(&mut self) -> bool {
        self.played = 0;
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
    fn every_play_comes_once_and_the_first_decides_for_the_first() {
        let mut random = RandomChoices::default();
        let mut plays = Vec::new();
        loop {
            let first = random.decide(2);
            // The second play of the first decision asks one question less.
            let second = if first == 0 { random.decide(3) } else { random.decide(1) };
            plays.push((first, second));
            if !random.advance() {
                break;
            }
        }
        assert_eq!(plays, [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }
}
