//! What is asked of a channel, the answer, and why there may be none.

use crate::cover::range_of;
use crate::known::Known;
use catalog::{BundleName, Channel, Entry, Package};
use go_semver::blang::Version;
use release::{Reason, Refusal};
use sat::{Bound, Budget};
use source::name_list;
use std::collections::BTreeSet;
use update_graph::Edit;

/// Which edits of a channel make every version reach its head?
#[derive(Clone, Copy, Debug)]
pub struct Question<'c> {
    /// The package before a change, if that is known.
    pub before: Option<&'c Package>,
    pub after: &'c Package,
    pub channel: &'c Channel,
    /// Versions that clusters have installed, beside those that the channel lists or names in one of the states, and those of other
    /// channels that a skipRange of the channel covers.
    pub installed: &'c BTreeSet<BundleName>,
    /// Versions that nobody may be updated to.
    pub avoid: &'c BTreeSet<BundleName>,
    /// The work that the solver may do.
    pub budget: &'c Budget,
}

impl<'c> Question<'c> {
    /// The channel before the change.
    pub(crate) fn old_channel(&self) -> Option<&'c Channel> {
        self.before?.channel(self.channel.name.value.as_str())
    }

    /// The versions of other channels that a skipRange of the channel takes to a higher version: whoever has one may change the
    /// channel of the Subscription.
    pub(crate) fn covered(&self, version: &dyn Fn(&BundleName) -> Option<Version>) -> BTreeSet<&'c BundleName> {
        let ranged = |channel: &'c Channel| {
            let ranges =
                channel.entries.iter().filter_map(|entry| Some((range_of(entry)?, version(&entry.name.value)?)));
            ranges.collect::<Vec<_>>()
        };
        let states = [Some((self.after, self.channel)), self.before.zip(self.old_channel())];
        let covered = states.into_iter().flatten().flat_map(|(package, channel)| {
            let ranges = ranged(channel);
            let others = package.channels.iter().filter(|other| other.name.value != channel.name.value);
            let names = others.flat_map(|other| other.entries.iter().map(|entry| &entry.name.value));
            let is_covered = move |name: &&BundleName| {
                let own = if ranges.is_empty() { None } else { version(name) };
                own.is_some_and(|own| {
                    ranges.iter().any(|(range, to)| own < *to && range.matches(&own).unwrap_or(false))
                })
            };
            names.filter(is_covered)
        });
        covered.collect()
    }
}

/// Edits after which `opm` accepts the channel and every version of the question reaches its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The sum of the weights of the edits.
    pub weight: u32,
    /// How many versions get a next update that they did not have and did not need, or one that leaves out an entry which
    /// they were updated to before.
    pub widening: usize,
    /// The edits, in the order of the channel.
    pub edits: Vec<Edit>,
}

// Why there is no repair, and what to do instead.

/// The most entries of a channel in which repairs are searched.
const ENTRIES: usize = 3000;

/// The refusal of a channel that is too long to be searched.
pub(crate) fn of_length(known: &Known<'_>) -> Option<Refusal> {
    let count = known.entries.len();
    let sentence = format!("the channel has {count} entries; repairs are searched in up to {ENTRIES}");
    let instead = "split the channel, or remove entries that nobody uses";
    (count > ENTRIES).then(|| Refusal::new(Reason::GaveUp, sentence, instead))
}

/// The refusal that needs no search, if there is one.
pub(crate) fn before_search(known: &Known<'_>, hopeless: &[usize]) -> Option<Refusal> {
    let count = known.entries.len();
    let is_faulty = |entry: &&Entry| {
        let has_invalid_range = entry.skip_range.as_ref().is_some_and(|range| range.value.range.is_err());
        let mut names = std::iter::once(&entry.name).chain(&entry.skips);
        has_invalid_range || names.any(|name| name.value.as_str().is_empty())
    };
    let has_duplicate = known.question.channel.entries.len() > count;
    let has_other_fault = has_duplicate || count == 0 || known.entries.iter().any(is_faulty);
    if has_other_fault {
        return Some(Refusal::rejected_otherwise());
    }
    let first = *hopeless.first()?;
    let head = known.names[known.head].name;
    let versions: Vec<BundleName> = hopeless.iter().map(|name| known.names[*name].name.clone()).collect();
    let names = name_list(versions.iter().map(BundleName::as_str));
    let is_one = versions.len() == 1;
    if hopeless.iter().all(|name| known.names[*name].version.is_none()) {
        let sentence = format!("{names} {} no version that a skipRange can cover", if is_one { "has" } else { "have" });
        let instead = "if clusters have it installed, name it in `skips` of the head";
        return Some(Refusal { versions, ..Refusal::new(Reason::UnknownVersion, sentence, instead) });
    }
    let highest = hopeless.iter().copied().max_by_key(|name| known.names[*name].version).unwrap_or(first);
    let it = if is_one { "it" } else { "them" };
    let is_equal = |name: &&usize| known.names[**name].version == known.names[known.head].version;
    let (equal, above): (Vec<usize>, Vec<usize>) = hopeless.iter().partition(is_equal);
    let list = |names: &[usize], one: &str, several: &str| {
        let verb = if names.len() == 1 { one } else { several };
        format!("{} {verb}", name_list(names.iter().map(|name| known.names[*name].name.as_str())))
    };
    let (is_above, has) = (list(&above, "is", "are"), list(&equal, "has", "have"));
    let sentence = match (above.is_empty(), equal.is_empty()) {
        (_, true) => format!("{is_above} above `{head}`, the head of the channel, and OLM must not go down"),
        (true, false) => {
            format!("{has} the same version as `{head}`, the head of the channel, so an update would lead nowhere")
        }
        (false, false) => format!(
            "{is_above} above `{head}`, the head of the channel, {has} the same version as the head, and OLM must not go down"
        ),
    };
    let instead = format!(
        "list `{}` again, or release a new version above it whose `skipRange` covers {it}",
        known.names[highest].name
    );
    Some(Refusal { versions, ..Refusal::new(Reason::HeadWithdrawn, sentence, instead) })
}

/// The refusal of a channel that only many edits would repair.
pub(crate) fn too_costly() -> Refusal {
    let sentence = "the channel needs so many edits that the smallest set of them is not searched";
    Refusal::new(Reason::GaveUp, sentence, "let each entry replace the one before it, or skip the older ones")
}

/// The refusal after too long a search.
pub(crate) fn gave_up(bound: &Bound) -> Refusal {
    Refusal::new(Reason::GaveUp, format!("the search gave up: {bound}"), "repair a part of the channel by hand first")
}

/// Why the search found nothing.
pub(crate) fn why_none(known: &Known<'_>) -> Refusal {
    let is_avoided = |at: usize| known.names[at].is_avoided;
    if is_avoided(known.head) {
        let head = known.names[known.head].name;
        let sentence = format!("`{head}` is the head of the channel, and nobody may be updated to it");
        let instead = "release a new version above it that replaces or skips it";
        return Refusal::new(Reason::HeadAvoided, sentence, instead);
    }
    Refusal::new(
        Reason::NoEdits,
        "no edits of `replaces`, `skips` and `skipRange` bring every version to one head",
        "release a new version whose `skipRange` covers all of them",
    )
}
