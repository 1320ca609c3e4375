//! The order of a channel's entries from its head down, or why OLM cannot order them.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`sortChannel`). A skipRange plays
//! no role here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use go_semver::blang::Quoted;

/// The fields of an entry that decide its position in a channel.
pub trait Link {
    /// The bundle's name.
    fn name(&self) -> &str;
    /// The entry that it replaces; never the empty name.
    fn replaces(&self) -> Option<&str>;
    /// The entries that it skips.
    fn skips(&self) -> impl Iterator<Item = &str>;
}

impl<L: Link> Link for &L {
    fn name(&self) -> &str {
        L::name(self)
    }

    fn replaces(&self) -> Option<&str> {
        L::replaces(self)
    }

    fn skips(&self) -> impl Iterator<Item = &str> {
        L::skips(self)
    }
}

impl Link for catalog::Entry {
    fn name(&self) -> &str {
        self.name.value.as_str()
    }

    fn replaces(&self) -> Option<&str> {
        self.replaces.as_ref().map(|name| name.value.as_str())
    }

    fn skips(&self) -> impl Iterator<Item = &str> {
        self.skips.iter().map(|name| name.value.as_str())
    }
}

/// Why OLM cannot order some entries of a channel. Displays OLM's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    channel: Box<str>,
    package: Box<str>,
    kind: SortErrorKind,
}

/// What is wrong with the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortErrorKind {
    /// Every entry is replaced or skipped by one of the others or by itself.
    NoHead,
    /// The chain of `replaces` from a head ends in a circle.
    Cycle { head: Box<str> },
    /// Several entries are heads.
    SeveralChains {
        /// In the order of their heads in the input.
        chains: Vec<ChainEnds>,
    },
}

/// The first and last entry of a chain, without skipped entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainEnds {
    /// All of its entries are skipped.
    Nowhere,
    /// A chain of one entry.
    One(Box<str>),
    /// The first entry and the last.
    Two(Box<str>, Box<str>),
}

impl ChainEnds {
    /// The entry that it begins with, if one is left.
    #[must_use]
    pub fn head(&self) -> Option<&str> {
        match self {
            Self::Nowhere => None,
            Self::One(head) | Self::Two(head, _) => Some(head),
        }
    }
}

impl SortError {
    /// The channel.
    #[must_use]
    pub fn channel(&self) -> &str {
        &self.channel
    }

    /// The package of the channel.
    #[must_use]
    pub fn package(&self) -> &str {
        &self.package
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &SortErrorKind {
        &self.kind
    }
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (channel, package) = (Quoted(&self.channel), Quoted(&self.package));
        match &self.kind {
            SortErrorKind::NoHead => write!(
                f,
                "no channel heads (entries not replaced by another entry) found in channel {channel} of package \
                 {package}"
            ),
            SortErrorKind::Cycle { head } => write!(
                f,
                "a cycle exists in the chain of replacement beginning with {} in channel {channel} of package \
                 {package}",
                Quoted(head)
            ),
            SortErrorKind::SeveralChains { chains } => {
                let shown: Vec<String> = chains.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "a unique replacement chain within a channel is required to determine the relative order between \
                     channel entries, but {} replacement chains were found in channel {channel} of package {package}: \
                     {}",
                    chains.len(),
                    shown.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for SortError {}

impl fmt::Display for ChainEnds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => f.write_str("[]"),
            Self::One(only) => f.write_str(only),
            Self::Two(first, last) => write!(f, "{first}...{last}"),
        }
    }
}

/// The indices of the entries that lie on the one chain of the channel, head first, without skipped ones.
///
/// `entries` may be any part of a channel: names that are not among them are ignored. Entries that are not on the chain
/// are left out without an error. If two entries have the same name, edges lead to the last one.
///
/// ```
/// use update_graph::{Link, sort_channel};
///
/// struct Plain(&'static str, Option<&'static str>);
/// impl Link for Plain {
///     fn name(&self) -> &str { self.0 }
///     fn replaces(&self) -> Option<&str> { self.1 }
///     fn skips(&self) -> impl Iterator<Item = &str> { std::iter::empty() }
/// }
///
/// let entries = [Plain("v1", None), Plain("v3", Some("v2")), Plain("v2", Some("v1"))];
/// assert_eq!(sort_channel("stable", "etcd", &entries), Ok(vec![1, 2, 0]));
/// ```
pub fn sort_channel<L: Link>(channel: &str, package: &str, entries: &[L]) -> Result<Vec<usize>, SortError> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let failed = |kind| SortError { channel: channel.into(), package: package.into(), kind };
    let edges = Edges::of(entries);
    let heads: Vec<usize> = (0..entries.len()).filter(|&at| !edges.superseded[at]).collect();
    let cycle = |head: usize| failed(SortErrorKind::Cycle { head: entries[head].name().into() });
    match heads[..] {
        [] => Err(failed(SortErrorKind::NoHead)),
        [head] => edges.chain(head).ok_or_else(|| cycle(head)),
        _ => {
            let ends = |head: usize| {
                let name = |at: usize| Box::from(entries[at].name());
                Ok(match edges.chain(head).ok_or_else(|| cycle(head))?[..] {
                    [] => ChainEnds::Nowhere,
                    [only] => ChainEnds::One(name(only)),
                    [first, .., last] => ChainEnds::Two(name(first), name(last)),
                })
            };
            let chains = heads.into_iter().map(ends).collect::<Result<_, SortError>>()?;
            Err(failed(SortErrorKind::SeveralChains { chains }))
        }
    }
}

/// The edges between some entries, by index.
struct Edges {
    replaces: Vec<Option<usize>>,
    /// Whether another entry, or the entry itself, replaces or skips it.
    superseded: Vec<bool>,
    skipped: Vec<bool>,
}

impl Edges {
    fn of<L: Link>(entries: &[L]) -> Self {
        let by_name: BTreeMap<&str, usize> = entries.iter().enumerate().map(|(at, entry)| (entry.name(), at)).collect();
        let none = vec![false; entries.len()];
        let mut edges = Self { replaces: Vec::with_capacity(none.len()), superseded: none.clone(), skipped: none };
        let mut skipped = BTreeSet::new();
        for entry in entries {
            let older = entry.replaces().and_then(|name| by_name.get(name)).copied();
            older.iter().for_each(|&older| edges.superseded[older] = true);
            edges.replaces.push(older);
            for name in entry.skips() {
                if let Some(&older) = by_name.get(name) {
                    edges.superseded[older] = true;
                    skipped.insert(name);
                }
            }
        }
        // All entries with a skipped name are skipped, although edges lead only to the last of them.
        edges.skipped = entries.iter().map(|entry| skipped.contains(entry.name())).collect();
        edges
    }

    /// From the head down along `replaces`; absent if that runs in a circle.
    fn chain(&self, head: usize) -> Option<Vec<usize>> {
        let mut chain = Vec::new();
        let mut seen = vec![false; self.replaces.len()];
        let mut next = Some(head);
        while let Some(at) = next {
            if std::mem::replace(&mut seen[at], true) {
                return None;
            }
            if !self.skipped[at] {
                chain.push(at);
            }
            next = self.replaces[at];
        }
        Some(chain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain {
        name: String,
        replaces: Option<String>,
        skips: Vec<String>,
    }

    impl Link for Plain {
        fn name(&self) -> &str {
            &self.name
        }

        fn replaces(&self) -> Option<&str> {
            self.replaces.as_deref()
        }

        fn skips(&self) -> impl Iterator<Item = &str> {
            self.skips.iter().map(String::as_str)
        }
    }

    /// `name>replaces-skip-skip`, the edges optional.
    fn plain(text: &str) -> Plain {
        let mut skips = text.split('-').map(str::to_owned);
        let link = skips.next().unwrap();
        let (name, replaces) = match link.split_once('>') {
            Some((name, replaces)) => (name.to_owned(), Some(replaces.to_owned())),
            None => (link, None),
        };
        Plain { name, replaces, skips: skips.collect() }
    }

    #[track_caller]
    fn check(entries: &str, expected: &str) {
        let entries: Vec<Plain> = entries.split_whitespace().map(plain).collect();
        let found = match sort_channel("ch", "p", &entries) {
            Ok(order) => order.iter().map(|&at| entries[at].name()).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn entries_are_listed_from_the_head_down() {
        check("", "");
        check("b>a a d>c c>b", "d c b a");
    }

    #[test]
    fn a_chain_passes_through_skipped_entries_without_listing_them() {
        check("a>b-c b>c c", "a b");
        check("a>b-b b>c c", "a c");
    }

    #[test]
    fn entries_off_the_chain_are_dropped() {
        check("v3-v2 v2>v1 v1", "v3");
    }

    #[test]
    fn names_that_are_no_entries_are_ignored() {
        check("b>gone-lost a>b", "a b");
    }

    #[test]
    fn an_entry_that_supersedes_itself_is_no_head() {
        let text = "no channel heads (entries not replaced by another entry) found in channel \"ch\" of package \"p\"";
        check("a>a", text);
        check("a-a", text);
        check("a>b b>a", text);
    }

    #[test]
    fn a_circle_below_the_head_is_named_by_the_head() {
        check(
            "a>b b>c c>b",
            "a cycle exists in the chain of replacement beginning with \"a\" in channel \"ch\" of package \"p\"",
        );
    }

    #[test]
    fn several_chains_are_named_in_input_order() {
        check(
            "a c b>c",
            "a unique replacement chain within a channel is required to determine the relative order between channel \
             entries, but 2 replacement chains were found in channel \"ch\" of package \"p\": a, b...c",
        );
        check(
            "a>c b>c c>d-d d",
            "a unique replacement chain within a channel is required to determine the relative order between channel \
             entries, but 2 replacement chains were found in channel \"ch\" of package \"p\": a...c, b...c",
        );
        check(
            "a b>c c>d d>c",
            "a cycle exists in the chain of replacement beginning with \"b\" in channel \"ch\" of package \"p\"",
        );
    }
}
