//! Many inputs put to one target.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::trial::now;
use crate::{Fault, Target, mutate, trial};

/// So many faults of different kinds end a campaign.
const FAULTS: usize = 8;

/// What is tried.
pub struct Campaign<'a> {
    /// The target.
    pub target: &'a Target,
    /// What inputs are made of.
    pub seeds: Vec<Vec<u8>>,
    /// The same number gives the same inputs.
    pub random: u64,
    /// So many inputs are made.
    pub inputs: u64,
    /// The campaign ends after so long, whether or not all were made.
    pub time: Duration,
    /// Where the input is kept while it is tried: it is still there when the process died of it.
    pub running: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Tally {
    /// So many inputs were tried.
    pub tried: u64,
    /// How long that took.
    pub took: Duration,
    /// The one that took longest, and how long it took.
    pub slowest: (Duration, Vec<u8>),
    /// What did not hold, each kind once, with the input.
    pub faults: Vec<(Fault, Vec<u8>)>,
}

impl Campaign<'_> {
    /// Tries the seeds as they are, then inputs made of them.
    ///
    /// # Errors
    /// When the running input cannot be kept.
    pub fn run(&self) -> std::io::Result<Tally> {
        let mut tally = Tally::default();
        let mut rng = Rng::with_seed(self.random);
        let start = now();
        let mut running = self.running.as_ref().map(File::create).transpose()?;
        for seed in &self.seeds {
            self.put(seed.clone(), &mut running, &mut tally)?;
        }
        while !self.seeds.is_empty() && tally.tried < self.inputs && !self.ends(start, &tally) {
            let seed = &self.seeds[rng.usize(..self.seeds.len())];
            let other = &self.seeds[rng.usize(..self.seeds.len())];
            self.put(mutate(seed, other, self.target.words, &mut rng), &mut running, &mut tally)?;
        }
        tally.took = start.elapsed();
        if let Some(path) = &self.running {
            fs::remove_file(path)?;
        }
        Ok(tally)
    }

    fn ends(&self, start: Instant, tally: &Tally) -> bool {
        tally.faults.len() >= FAULTS || start.elapsed() >= self.time
    }

    fn put(&self, input: Vec<u8>, running: &mut Option<File>, tally: &mut Tally) -> std::io::Result<()> {
        if let Some(file) = running {
            file.rewind()?;
            file.write_all(&input)?;
            file.set_len(input.len() as u64)?;
        }
        tally.tried += 1;
        match trial(self.target, &input) {
            Ok(took) if took > tally.slowest.0 => tally.slowest = (took, input),
            Ok(_) => {}
            Err(fault) if tally.faults.iter().any(|(known, _)| known.kind() == fault.kind()) => {}
            Err(fault) => tally.faults.push((fault, input)),
        }
        Ok(())
    }
}
