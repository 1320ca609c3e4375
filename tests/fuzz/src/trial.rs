//! One input put to one target: does it hold, and in time?

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Target;

/// What does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The target panicked with this message.
    Panic(String),
    /// It took longer than an input of this length may take.
    Slow(Duration),
}

impl Fault {
    /// What two faults of one cause have in common: numbers differ from input to input.
    #[must_use]
    pub fn kind(&self) -> String {
        match self {
            Self::Panic(message) => message.chars().filter(|c| !c.is_ascii_digit()).take(60).collect(),
            Self::Slow(_) => "slow".to_owned(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic(message) => f.write_str(message),
            Self::Slow(took) => write!(f, "took {:.1} s", took.as_secs_f64()),
        }
    }
}

/// Memory is measured for the whole process, so trials are one after the other.
static TURN: Mutex<()> = Mutex::new(());

/// Puts an input to a target, and how long that took.
///
/// # Errors
/// What does not hold. What is too slow is tried again: the machine may have been busy.
pub fn trial(target: &Target, input: &[u8]) -> Result<Duration, Fault> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut fastest = Duration::MAX;
    for _ in 0..3 {
        let start = now();
        catch_unwind(AssertUnwindSafe(|| (target.check)(input))).map_err(|payload| Fault::Panic(message(&*payload)))?;
        fastest = fastest.min(start.elapsed());
        if fastest <= patience(input.len()) {
            return Ok(fastest);
        }
    }
    Err(Fault::Slow(fastest))
}

/// How long an input may take. A page that waits longer looks dead.
fn patience(bytes: usize) -> Duration {
    let release = Duration::from_secs(2) + Duration::from_micros(20) * bytes as u32;
    if cfg!(debug_assertions) { release * 4 } else { release }
}

#[expect(clippy::disallowed_methods, reason = "tests never run on wasm32")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("panicked").to_owned()
}
