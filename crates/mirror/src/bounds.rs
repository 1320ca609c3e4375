//! `minVersion` and `maxVersion`: how oc-mirror reads them, and which versions lie between them.
//!
//! oc-mirror checks them with `NewVersion` of Masterminds/semver 3.3.0, and then makes the range `>=MIN <=MAX` of them. That
//! library differs from blang/semver, which OLM uses: a bound may leave out minor and patch numbers, and a bound without a
//! pre-release matches no pre-release at all (`constraints.go`, `constraintGreaterThanEqual` and `constraintLessThanEqual`).

use go_semver::blang::Version;
use source::Spanned;
use std::fmt;

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
