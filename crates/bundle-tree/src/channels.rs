//! The channels of a package: what both kinds of rules make.

use bundle::{Bundle, Entry};
use std::collections::BTreeMap;

/// How many entries and skips the channels of a package have at most. They grow with the product of channels and bundles.
const MAX_EDGES: usize = 1_000_000;

/// The channels of a package.
#[derive(Debug, Default)]
pub(crate) struct Channels {
    pub(crate) default: String,
    pub(crate) by_name: BTreeMap<String, Channel>,
}

/// A channel.
#[derive(Debug, Default)]
pub(crate) struct Channel {
    pub(crate) head: String,
    /// The entries by name, as `opm` exports them.
    pub(crate) entries: BTreeMap<String, Entry>,
}

/// Why a package has no channels.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The error of `opm`; `None` when the answer is ours.
    pub(crate) is_of_opm: bool,
    pub(crate) message: String,
    pub(crate) bundle: Option<String>,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>, bundle: Option<&Bundle>) -> Self {
        Self { is_of_opm: true, message: message.into(), bundle: bundle.map(|bundle| bundle.name.clone()) }
    }
}

/// Counts what is built of a package.
#[derive(Default)]
pub(crate) struct Budget(usize);

impl Budget {
    /// Counts an entry with its skips.
    pub(crate) fn take(&mut self, skips: usize) -> Result<(), Refusal> {
        self.0 += 1 + skips;
        if self.0 <= MAX_EDGES {
            return Ok(());
        }
        let message = format!("its channels would have more than {MAX_EDGES} entries and skips");
        Err(Refusal { is_of_opm: false, message, bundle: None })
    }
}
