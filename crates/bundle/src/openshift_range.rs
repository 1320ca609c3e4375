//! The versions of OpenShift whose catalogs have a bundle, by the annotation `com.redhat.openshift.versions`: the index build of
//! the community and certified operators reads it, `opm` does not (operator-pipelines
//! `operatorcert/static_tests/community/bundle.py`, `check_api_version_constraints`).

use source::OpenShift;

/// The versions of OpenShift whose catalogs have a bundle; all by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenShiftRange {
    /// `None` if there is no first one.
    first: Option<OpenShift>,
    /// `None` if there is no last one.
    last: Option<OpenShift>,
}

impl OpenShiftRange {
    /// Reads the annotation: `v4.8-v4.14` from one to the other, `=v4.12` one alone, `v4.8` this one and all later ones, and
    /// `v4.5,v4.6` the smallest one and all later ones. A bundle without it is in all. `None` for other texts.
    ///
    /// ```
    /// use bundle::OpenShiftRange;
    ///
    /// let has = |range: &str, version: &str| OpenShiftRange::read(range).unwrap().contains(version.parse().unwrap());
    /// assert_eq!(["4.9", "4.10", "4.12", "4.13"].map(|version| has("v4.10-v4.12", version)), [false, true, true, false]);
    /// assert!(has("v4.10", "5.0") && !has("=v4.10", "4.11"));
    /// ```
    #[must_use]
    pub fn read(annotation: &str) -> Option<Self> {
        let version = |text: &str| text.trim().parse::<OpenShift>().ok();
        let annotation = annotation.trim();
        let (first, last) = if let Some((first, last)) = annotation.split_once('-') {
            (version(first)?, Some(version(last)?))
        } else if annotation.contains(',') {
            let versions: Option<Vec<OpenShift>> = annotation.split(',').map(version).collect();
            (versions?.into_iter().min()?, None)
        } else if let Some(only) = annotation.strip_prefix('=') {
            (version(only)?, Some(version(only)?))
        } else {
            (version(annotation)?, None)
        };
        Some(Self { first: Some(first), last })
    }

    /// The last version, if there is one.
    #[must_use]
    pub const fn last(self) -> Option<OpenShift> {
        self.last
    }

    /// Whether the catalog for a version has the bundle.
    #[must_use]
    pub fn contains(self, version: OpenShift) -> bool {
        self.first.is_none_or(|first| first <= version) && self.last.is_none_or(|last| version <= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the versions 4.8 to 4.12 the catalogs of a range have.
    fn minors(annotation: &str) -> Option<Vec<u32>> {
        let range = OpenShiftRange::read(annotation)?;
        Some((8..13).filter(|minor| range.contains(OpenShift { major: 4, minor: *minor })).collect())
    }

    #[test]
    fn ranges_are_those_of_the_pipelines() {
        let table: [(&str, Option<&[u32]>); 11] = [
            ("v4.9-v4.11", Some(&[9, 10, 11])),
            (" 4.9 - 4.10 ", Some(&[9, 10])),
            ("v4.11-v4.9", Some(&[])),
            ("v4.10", Some(&[10, 11, 12])),
            ("=v4.10", Some(&[10])),
            ("v4.11,v4.10", Some(&[10, 11, 12])),
            ("v4.5,v4.6", Some(&[8, 9, 10, 11, 12])),
            ("", None),
            ("v4", None),
            ("v4.9-", None),
            ("=v4.9,v4.10", None),
        ];
        for (annotation, expected) in table {
            assert_eq!(minors(annotation).as_deref(), expected, "{annotation}");
        }
        assert!(OpenShiftRange::default().contains(OpenShift { major: 4, minor: 0 }));
    }
}
