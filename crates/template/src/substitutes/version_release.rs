//! The version of a bundle with its release, by which a substitute must be higher than its base (operator-registry
//! `alpha/declcfg/declcfg.go`, `VersionRelease`).

use crate::images::text_of;
use catalog::predicate::Property;
use catalog::release_error;
use fbc::Node;
use fbc::raw::RawBundle;
use go_semver::blang::{Quoted, Version};
use std::cmp::Ordering;
use std::fmt;

/// The annotation of a bundle whose build metadata is its release.
const ANNOTATION: &str = "olm.substitutesFor";

/// A version and a release; the release is empty when there is none.
pub(super) struct VersionRelease {
    pub(super) version: Version,
    pub(super) release: Box<str>,
}

impl VersionRelease {
    /// The version and release of a bundle; `text` is the text that it was parsed from.
    ///
    /// # Errors
    /// What `opm` says of a bundle that has none.
    pub(super) fn of(bundle: &RawBundle, text: &str) -> Result<Self, String> {
        let name = Quoted(text_of(bundle.name.as_ref()));
        let mut found: Option<Self> = None;
        for property in &bundle.properties {
            if text_of(property.kind.as_ref()) != "olm.package" {
                continue;
            }
            if found.is_some() {
                return Err("must be exactly one property of type \"olm.package\"".to_owned());
            }
            let unfit =
                |error: String| format!("unable to unmarshal \"olm.package\" property for bundle {name}: {error}");
            let value = property.value.as_ref().ok_or_else(|| unfit("unexpected end of JSON input".to_owned()))?;
            let value = value.to_json(text).map_err(|error| unfit(error.to_string()))?;
            let Ok(Property::Package { version, release, .. }) =
                Property::parse("olm.package", &value).map_err(|error| unfit(error.to_string()))
            else {
                return Err(unfit("no package".to_owned()));
            };
            let number = Version::parse(&version).map_err(|error| {
                format!(
                    "invalid semver version {} in \"olm.package\" property for bundle {name}: {error}",
                    Quoted(&version)
                )
            })?;
            if let Some(error) = Some(&release).filter(|release| !release.is_empty()).and_then(|it| release_error(it)) {
                let release = Quoted(&release);
                return Err(format!(
                    "invalid release {release} in \"olm.package\" property for bundle {name}: {error}"
                ));
            }
            found = Some(Self { version: number, release });
        }
        let mut found = found.ok_or_else(|| format!("no \"olm.package\" property found for bundle {name}"))?;
        let build = found.version.build();
        if found.release.is_empty() && !build.is_empty() && is_annotated(bundle, text) {
            if let Some(error) = release_error(build) {
                return Err(format!("unable to convert build metadata to release for bundle {name}: {error}"));
            }
            found.release = build.into();
        }
        Ok(found)
    }
}

/// Whether the ClusterServiceVersion of the bundle has the annotation with which build metadata is a release.
fn is_annotated(bundle: &RawBundle, text: &str) -> bool {
    let annotation = |csv: Node| Some(!csv.field("annotations")?.get(ANNOTATION)?.as_str()?.is_empty());
    catalog::csv_metadata(bundle, text).and_then(annotation).unwrap_or_default()
}

impl VersionRelease {
    /// Compares versions without their build metadata, then releases; none is the lowest, and others are compared as
    /// prereleases are.
    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let release = |release: &str| match release {
            "" => None,
            release => Version::parse(&format!("0.0.0-{release}")).ok(),
        };
        let releases = || release(&self.release).cmp(&release(&other.release));
        self.version.cmp(&other.version).then_with(releases)
    }
}

impl fmt::Display for VersionRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.version)?;
        if self.release.is_empty() { Ok(()) } else { write!(f, ", release `{}`", self.release) }
    }
}
