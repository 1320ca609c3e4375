//! The order of versions in replaces mode: `bundleVersion` (`pkg/registry/populator.go`).

use go_semver::blang::Version;
use std::cmp::Ordering;

/// The version that a bundle without one has.
const NONE: &str = "0.0.0-z";

/// The version of a bundle as its CSV has it, or the one that stands for none.
pub(crate) fn stated(version: &str) -> &str {
    if version.is_empty() { NONE } else { version }
}

/// Compares by precedence, then build metadata as if it were a pre-release; none is lowest.
pub(crate) fn compare(one: &Version, other: &Version) -> Result<Ordering, String> {
    match one.cmp(other) {
        Ordering::Equal => Ok(build(one)?.cmp(&build(other)?)),
        unequal => Ok(unequal),
    }
}

/// A version whose pre-release is the build metadata.
fn build(version: &Version) -> Result<Version, String> {
    if version.build().is_empty() {
        return Ok(Version::new(0, 0, 0));
    }
    Version::parse(&format!("1.0.0-{}", version.build())).map_err(|error| {
        format!("failed to convert build-id of {version} to prerelease version for comparison: {error}")
    })
}

/// A version as Go prints its fields with `%+v`.
pub(crate) fn fields(version: &Version) -> String {
    let list = |text: &str, part: &dyn Fn(&str) -> String| {
        let parts: Vec<String> = text.split('.').filter(|part| !part.is_empty()).map(part).collect();
        parts.join(" ")
    };
    let pre = list(version.pre(), &|part| match part.parse::<u64>() {
        Ok(number) => format!("{{VersionStr: VersionNum:{number} IsNum:true}}"),
        Err(_) => format!("{{VersionStr:{part} VersionNum:0 IsNum:false}}"),
    });
    let build = list(version.build(), &str::to_owned);
    let (major, minor, patch) = (version.major(), version.minor(), version.patch());
    format!("{{Major:{major} Minor:{minor} Patch:{patch} Pre:[{pre}] Build:[{build}]}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn build_metadata_is_compared_like_a_prerelease() {
        let ascending = ["1.0.0-a", "1.0.0", "1.0.0+1", "1.0.0+2", "1.0.0+10", "1.0.0+a", "1.0.1"].map(version);
        for pair in ascending.windows(2) {
            assert_eq!(compare(&pair[0], &pair[1]), Ok(Ordering::Less), "{} {}", pair[0], pair[1]);
        }
        assert_eq!(compare(&ascending[2], &ascending[2]), Ok(Ordering::Equal));
        assert_eq!(
            compare(&version("1.0.0+01"), &version("1.0.0")).unwrap_err(),
            "failed to convert build-id of 1.0.0+01 to prerelease version for comparison: Numeric PreRelease version must \
             not contain leading zeroes \"01\""
        );
    }

    #[test]
    fn fields_are_those_of_go() {
        assert_eq!(
            fields(&version("1.2.3-a.4+b")),
            "{Major:1 Minor:2 Patch:3 Pre:[{VersionStr:a VersionNum:0 IsNum:false} {VersionStr: VersionNum:4 IsNum:true}] \
             Build:[b]}"
        );
    }
}
