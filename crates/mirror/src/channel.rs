//! Which entries of a channel remain: the order of a channel as oc-mirror has it, and its walk with a range (catalog-filter,
//! `pkg/filter/mirror-config/v1alpha1/channel.go`).

use catalog::{BundleName, Channel};
use fbc::quoted;
use go_semver::blang::Version;
use source::Spanned;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

/// The entries of a channel and all names that they replace and skip.
pub(crate) struct ChannelOrder<'c> {
    nodes: Vec<ChannelNode<'c>>,
    head: usize,
}

struct ChannelNode<'c> {
    name: &'c BundleName,
    replaces: Option<usize>,
    skips: BTreeSet<usize>,
}

/// What remains of a channel within a range.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct KeptEntries {
    /// Names, some of which may be no entries.
    pub(crate) names: BTreeSet<BundleName>,
    /// The notes of catalog-filter about names outside of the range, from the head on.
    pub(crate) notes: Vec<String>,
}

impl<'c> ChannelOrder<'c> {
    /// Orders a channel. The error is that of catalog-filter; several are joined by line breaks.
    pub(crate) fn of(channel: &'c Channel) -> Result<Self, String> {
        if channel.entries.is_empty() {
            return Err("channel has no entries".to_owned());
        }
        let mut ids: BTreeMap<&BundleName, usize> = BTreeMap::new();
        let mut nodes: Vec<ChannelNode<'c>> = Vec::new();
        let mut id = |name: &'c BundleName, nodes: &mut Vec<ChannelNode<'c>>| {
            *ids.entry(name).or_insert_with(|| {
                nodes.push(ChannelNode { name, replaces: None, skips: BTreeSet::new() });
                nodes.len() - 1
            })
        };
        let mut listed = BTreeSet::new();
        let mut errors = Vec::new();
        for entry in &channel.entries {
            let name = &entry.name.value;
            let at = id(name, &mut nodes);
            if !listed.insert(at) {
                errors.push(format!("duplicate channel entry {}", quoted(name.as_str())));
                continue;
            }
            if let Some(replaced) = entry.replaces.as_ref().map(|replaces| &replaces.value) {
                if replaced == name {
                    errors.push(format!("invalid channel entry {}: replaces itself", quoted(name.as_str())));
                }
                nodes[at].replaces = Some(id(replaced, &mut nodes));
            }
            for skipped in entry.skips.iter().map(|skip| &skip.value) {
                if skipped == name {
                    errors.push(format!("invalid channel entry {}: skips itself", quoted(name.as_str())));
                }
                let skipped = id(skipped, &mut nodes);
                nodes[at].skips.insert(skipped);
            }
        }
        let mut incoming = vec![0_usize; nodes.len()];
        nodes.iter().flat_map(targets).for_each(|target| incoming[target] += 1);
        let heads = channel.entries.iter().map(|entry| id(&entry.name.value, &mut nodes));
        let heads: Vec<usize> = heads.filter(|at| incoming[*at] == 0).collect();
        match &heads[..] {
            [] => errors.push("no channel heads found".to_owned()),
            [_] => {}
            several => {
                let mut names: Vec<&str> = several.iter().map(|at| nodes[*at].name.as_str()).collect();
                names.sort_unstable();
                errors.push(format!("multiple channel heads found: [{}]", names.join(" ")));
            }
        }
        let (Some(&head), true) = (heads.first(), errors.is_empty()) else { return Err(errors.join("\n")) };
        if has_cycle(&nodes, head, incoming) {
            return Err("detected a cycle in the upgrade graph of the channel".to_owned());
        }
        Ok(Self { nodes, head })
    }

    /// The entry that no other one replaces or skips.
    pub(crate) fn head(&self) -> &'c BundleName {
        self.nodes[self.head].name
    }

    /// The part of the chain of `replaces` that has all versions of the range at or below its head: it ends before the first
    /// node below which there is none. Of what its nodes skip, only what is in the range.
    pub(crate) fn within(&self, bounds: &Bounds, version: &dyn Fn(&BundleName) -> Option<Version>) -> KeptEntries {
        let mut chain = vec![self.head];
        chain.extend(std::iter::successors(self.nodes[self.head].replaces, |at| self.nodes[*at].replaces));
        let is_inside = |at: usize| version(self.nodes[at].name).is_some_and(|version| bounds.contain(&version));
        // How many versions of the range are at or below each node of the chain.
        let (mut counts, mut seen) = (vec![0_usize; chain.len()], BTreeSet::new());
        let mut count = 0;
        for (place, &at) in chain.iter().enumerate().rev() {
            let nodes = std::iter::once(at).chain(self.nodes[at].skips.iter().copied());
            count += nodes.filter(|node| is_inside(*node) && seen.insert(*node)).count();
            counts[place] = count;
        }
        let mut kept = KeptEntries::default();
        let all = counts[0];
        if all == 0 {
            return kept;
        }
        let head = counts.iter().rposition(|count| *count == all).unwrap_or_default();
        for &at in chain[head..].iter().zip(&counts[head..]).take_while(|(_, count)| **count > 0).map(|(at, _)| at) {
            let name = self.nodes[at].name;
            kept.notes.extend(note(name, version(name).as_ref(), bounds));
            kept.names.insert(name.clone());
            let skipped = self.nodes[at].skips.iter().filter(|skipped| is_inside(**skipped));
            kept.names.extend(skipped.map(|skipped| self.nodes[*skipped].name.clone()));
        }
        kept
    }
}

/// What a node replaces and skips, each once.
fn targets(node: &ChannelNode<'_>) -> BTreeSet<usize> {
    node.skips.iter().copied().chain(node.replaces).collect()
}

/// Whether the edges cannot all be followed from the head, each node after all that lead to it.
fn has_cycle(nodes: &[ChannelNode<'_>], head: usize, mut incoming: Vec<usize>) -> bool {
    let mut queue = VecDeque::from([head]);
    let mut followed = 0;
    while let Some(at) = queue.pop_front() {
        followed += 1;
        for target in targets(&nodes[at]) {
            incoming[target] -= 1;
            if incoming[target] == 0 {
                queue.push_back(target);
            }
        }
    }
    followed < nodes.len()
}

fn note(name: &BundleName, version: Option<&Version>, bounds: &Bounds) -> Option<String> {
    let name = quoted(name.as_str());
    match version {
        None => Some(format!(
            "including bundle {name}: it is unversioned but is required to ensure inclusion of all bundles in the range"
        )),
        Some(version) if !bounds.contain(version) => {
            let (version, range) = (quoted(&version.to_string()), quoted(bounds.range().trim_start()));
            Some(format!(
                "including bundle {name} with version {version}: it falls outside the specified range of {range} but is required to ensure inclusion of all bundles in the range"
            ))
        }
        Some(_) => None,
    }
}

// `minVersion` and `maxVersion`: how oc-mirror reads them, and which versions lie between them.
//
// oc-mirror checks them with `NewVersion` of Masterminds/semver 3.3.0, and then makes the range `>=MIN <=MAX` of them.
// That library differs from blang/semver, which OLM uses: a bound may leave out minor and patch numbers, and a bound
// without a pre-release matches no pre-release at all (`constraints.go`, `constraintGreaterThanEqual` and
// `constraintLessThanEqual`).

/// A bound as written, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    text: Box<str>,
    /// With zeros for the numbers that are left out.
    version: Version,
    /// How many of major, minor and patch are written.
    numbers: usize,
}

impl Bound {
    /// Reads a bound as `NewVersion` does; `None` if that fails.
    ///
    /// ```
    /// use mirror::Bound;
    ///
    /// assert!(Bound::parse("v1.2").is_some() && Bound::parse("1.2.x").is_none());
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('v').unwrap_or(text);
        let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
        let (release, pre) = rest.split_once('-').map_or((rest, None), |(release, pre)| (release, Some(pre)));
        let numbers: Vec<&str> = release.split('.').collect();
        if numbers.len() > 3 || build.is_some_and(|build| build.split('.').any(|part| !is_identifier(part))) {
            return None;
        }
        let mut whole = [0_u64; 3];
        for (at, number) in numbers.iter().enumerate() {
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            whole[at] = number.parse().ok().filter(|_| is_number)?;
        }
        let [major, minor, patch] = whole;
        let pre = pre.map_or_else(String::new, |pre| format!("-{pre}"));
        let version = Version::parse(&format!("{major}.{minor}.{patch}{pre}")).ok()?;
        Some(Self { text: text.into(), version, numbers: numbers.len() })
    }

    /// A bound at a version of a catalog.
    #[must_use]
    pub fn at(version: &Version) -> Self {
        Self { text: version.to_string().into(), version: version.clone(), numbers: 3 }
    }

    /// The version, with zeros for the numbers that are left out.
    #[must_use]
    pub const fn version(&self) -> &Version {
        &self.version
    }

    /// Whether the bound leaves a version out because that is a pre-release and the bound is not.
    fn is_for_releases_only(&self, version: &Version) -> bool {
        !version.pre().is_empty() && self.version.pre().is_empty()
    }

    fn is_at_least(&self, version: &Version) -> bool {
        !self.is_for_releases_only(version) && *version >= self.version
    }

    fn is_at_most(&self, version: &Version) -> bool {
        !self.is_for_releases_only(version) && self.is_not_below(version)
    }

    /// Whether a version is not above the bound: `<=1.2` contains every 1.2.z.
    fn is_not_below(&self, version: &Version) -> bool {
        match self.numbers {
            1 => version.major() <= self.version.major(),
            2 => (version.major(), version.minor()) <= (self.version.major(), self.version.minor()),
            _ => *version <= self.version,
        }
    }
}

fn is_identifier(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The bounds of a package or channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// `minVersion`; absent if it is missing, empty or wrong.
    pub min: Option<Spanned<Bound>>,
    /// `maxVersion`; absent if it is missing, empty or wrong.
    pub max: Option<Spanned<Bound>>,
}

impl Bounds {
    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// The only version of the range, if both bounds are the same text.
    pub(crate) fn one_version(&self) -> Option<&Bound> {
        let (min, max) = (&self.min.as_ref()?.value, &self.max.as_ref()?.value);
        (min.text == max.text).then_some(min)
    }

    /// Whether a version is in the range.
    #[must_use]
    pub fn contain(&self, version: &Version) -> bool {
        self.min.as_ref().is_none_or(|min| min.value.is_at_least(version))
            && self.max.as_ref().is_none_or(|max| max.value.is_at_most(version))
    }

    /// Whether a version would be in the range if pre-releases were not left out.
    pub(crate) fn leave_out_as_prerelease(&self, version: &Version) -> bool {
        !self.contain(version)
            && self.min.as_ref().is_none_or(|min| *version >= min.value.version)
            && self.max.as_ref().is_none_or(|max| max.value.is_not_below(version))
    }

    /// The range as oc-mirror writes it (`internal/pkg/operator/common.go`): a blank stands before `<=` even where it is first.
    #[must_use]
    pub fn range(&self) -> String {
        let min = self.min.as_ref().map(|min| format!(">={}", min.value));
        let max = self.max.as_ref().map(|max| format!(" <={}", max.value));
        min.unwrap_or_default() + &max.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::{FileId, Span};

    fn bounds(min: &str, max: &str) -> Bounds {
        let bound = |text: &str| Bound::parse(text).map(|bound| Spanned::new(bound, Span::new(FileId(0), 0, 0)));
        Bounds { min: bound(min), max: bound(max) }
    }

    /// Which of the versions are in the range.
    fn contained<'v>(min: &str, max: &str, versions: &[&'v str]) -> Vec<&'v str> {
        let bounds = bounds(min, max);
        versions.iter().copied().filter(|version| bounds.contain(&Version::parse(version).unwrap())).collect()
    }

    #[test]
    fn bounds_are_read_as_masterminds_reads_them() {
        for accepted in ["1.2.3", "v1.2.3", "1.2", "1", "01.2.3", "1.2.3-rc.1", "1.2.3+build", "1.2.3-rc.1+b", "1.2-rc"]
        {
            assert!(Bound::parse(accepted).is_some(), "{accepted}");
        }
        for refused in
            ["", "abc", "-+?", "1.2.3.4", "1.2.x", "1.2.3-", "1.2.3+", "1.2.3-01", "V1.2.3", " 1.2.3", "1..3"]
        {
            assert!(Bound::parse(refused).is_none(), "{refused}");
        }
    }

    #[test]
    fn both_ends_belong_to_the_range() {
        let versions = ["0.9.0", "1.0.0", "1.5.0", "2.0.0", "2.0.1"];
        assert_eq!(contained("1.0.0", "2.0.0", &versions), ["1.0.0", "1.5.0", "2.0.0"]);
        assert_eq!(contained("1.5.0", "", &versions), ["1.5.0", "2.0.0", "2.0.1"]);
        assert_eq!(contained("", "1.0.0", &versions), ["0.9.0", "1.0.0"]);
    }

    #[test]
    fn an_upper_bound_without_patch_contains_all_patches() {
        let versions = ["1.1.9", "1.2.0", "1.2.9", "1.3.0", "2.0.0"];
        assert_eq!(contained("", "1.2", &versions), ["1.1.9", "1.2.0", "1.2.9"]);
        assert_eq!(contained("", "1", &versions), ["1.1.9", "1.2.0", "1.2.9", "1.3.0"]);
        assert_eq!(contained("1.2", "", &versions), ["1.2.0", "1.2.9", "1.3.0", "2.0.0"]);
    }

    #[test]
    fn a_plain_bound_matches_no_prerelease() {
        let versions = ["1.42.0-5", "1.42.0", "1.42.1-1"];
        assert_eq!(contained("1.42.0", "1.43.0", &versions), ["1.42.0"]);
        assert_eq!(contained("1.42.0-0", "", &versions), versions);
        // Each bound looks for itself.
        assert_eq!(contained("1.42.0-0", "1.43.0", &versions), ["1.42.0"]);
        assert_eq!(contained("1.42.0-0", "1.43.0-0", &versions), versions);
        let out = |version: &str| bounds("1.42.0", "1.43.0").leave_out_as_prerelease(&Version::parse(version).unwrap());
        assert_eq!((out("1.42.1-1"), out("1.42.0-5"), out("1.42.1")), (true, false, false));
    }

    #[test]
    fn the_range_is_written_as_oc_mirror_writes_it() {
        assert_eq!(bounds("1.0", "v2.0.0").range(), ">=1.0 <=v2.0.0");
        assert_eq!((bounds("", "2.0.0").range(), bounds("1.0.0", "").range()), (" <=2.0.0".into(), ">=1.0.0".into()));
    }
}
