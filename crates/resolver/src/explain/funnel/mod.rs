//! How many candidates of a Subscription or of a requirement each filter leaves.

mod hints;
mod requirement;
mod subscription;

use catalog::predicate::{Gvk, PackageName, Requirement};
use catalog::{BundleName, ChannelName};
use go_semver::blang::Version;
use update_graph::SortError;

use cluster::CatalogKey;

pub(crate) use self::requirement::reachable;
pub use self::requirement::requirement_funnel;
pub use self::subscription::subscription_funnel;
pub(crate) use self::subscription::{chain, choice, current};

/// The filters of a search for candidates, in OLM's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Funnel {
    /// The filters, each with the number of entries that it leaves. Ends with the first that leaves none.
    pub stages: Vec<Stage>,
    /// Other names that may be meant, if a filter leaves nothing.
    pub hints: Vec<Hint>,
}

impl Funnel {
    /// The filter that leaves nothing, if one does.
    #[must_use]
    pub fn dry(&self) -> Option<&Filter> {
        self.stages.last().filter(|stage| stage.left == 0).map(|stage| &stage.filter)
    }
}

/// One filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    pub filter: Filter,
    /// How many entries are left behind it; one bundle in two channels counts twice.
    pub left: usize,
}

/// The condition that a filter has for an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// To be in this catalog; or in any that the namespace sees, or installed.
    Catalog(Option<CatalogKey>),
    Package(PackageName),
    Channel(ChannelName),
    /// To be the bundle of `startingCSV`.
    StartingCsv(BundleName),
    /// To lie on the one chain of `replaces` from the head of its channel, without being skipped.
    Chain {
        /// Why a channel has no such chain, which stops the resolution of the namespace.
        broken: Option<SortError>,
    },
    /// To have an update edge from the installed CSV.
    Follows(BundleName),
    Provides(Gvk),
    /// To have a version in the range.
    InRange {
        range: Box<str>,
        versions: Vec<Version>,
    },
    /// To meet the requirement as a whole.
    Meets(Requirement),
    /// To be possible as far as the bundle itself goes: not deprecated, and something meets each of its requirements.
    Allowed,
}

/// Another name that may be meant, or another place where the name exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A visible catalog with a similar name, or with the same name in another namespace.
    Catalog(CatalogKey),
    Package(PackageName),
    Channel(ChannelName),
    /// The package's default channel.
    DefaultChannel(ChannelName),
    Bundle(BundleName),
    /// The package, or its channel, is in another visible catalog.
    InCatalog(CatalogKey),
    /// The bundle is in another channel of the package.
    InChannel(ChannelName),
    /// Package and channel are named the wrong way round.
    Swapped,
    /// A similar API: of another version or group, or with a similar kind.
    Api(Gvk),
}

/// Filters entries step by step and takes note of what is left.
struct Sieve<T> {
    left: Vec<T>,
    stages: Vec<Stage>,
}

impl<T: Copy> Sieve<T> {
    fn new(filter: Filter, left: Vec<T>) -> Self {
        let stages = vec![Stage { filter, left: left.len() }];
        Self { left, stages }
    }

    /// Whether anything is left to be filtered.
    fn is_dry(&self) -> bool {
        self.left.is_empty()
    }

    fn keep(&mut self, filter: Filter, test: impl Fn(T) -> bool) {
        if !self.is_dry() {
            self.left.retain(|&entry| test(entry));
            self.stages.push(Stage { filter, left: self.left.len() });
        }
    }

    /// Leaves what passes a filter whose entries an index has.
    fn leave(&mut self, filter: Filter, left: impl FnOnce() -> Vec<T>) {
        if !self.is_dry() {
            self.left = left();
            self.stages.push(Stage { filter, left: self.left.len() });
        }
    }
}
