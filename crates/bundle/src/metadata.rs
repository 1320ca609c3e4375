//! The files of `metadata/`: `addMetadata` (`pkg/registry/parse.go`). Their names play no role; each is tried for
//! annotations, dependencies and properties, and of each the first file that has some counts.

use crate::kubernetes::items;
use crate::manifest::{document, in_folder, report_reading, sub_directory};
use crate::properties::Property;
use crate::render::{File, Stop};
use fbc::{FirstDocument, Node, Value, first_yaml_document, json_for_html};
use source::{Diagnostic, OpenShift, QuickFix, Rule, Span, Spanned};

const FOLDER: &str = "metadata/";

/// The annotation that names the package.
pub(crate) const PACKAGE: &str = "operators.operatorframework.io.bundle.package.v1";
const CHANNELS: &str = "operators.operatorframework.io.bundle.channels.v1";
const DEFAULT_CHANNEL: &str = "operators.operatorframework.io.bundle.channel.default.v1";

/// The annotation that says for which versions of OpenShift the bundle is; `opm` does not read it.
const OPENSHIFT_VERSIONS: &str = "com.redhat.openshift.versions";

/// What `opm` takes of the files.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    pub(crate) annotations: Annotations,
    pub(crate) dependencies: Vec<Listed>,
    pub(crate) properties: Vec<Listed>,
}

/// The three annotations that `opm` reads, of which a missing one is empty, and the one of the pipelines.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    pub(crate) package: String,
    channels: String,
    pub(crate) default_channel: String,
    pub(crate) openshift_versions: Option<Spanned<String>>,
}

impl Annotations {
    /// The channels, with the blanks around their names.
    pub(crate) fn channels(&self) -> Vec<String> {
        if self.channels.is_empty() { Vec::new() } else { self.channels.split(',').map(str::to_owned).collect() }
    }
}

/// An entry of a list of dependencies or properties.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) property: Property,
    pub(crate) span: Span,
}

/// Whether a value is null or an empty text.
fn is_empty(node: &Node) -> bool {
    matches!(&node.value, Value::Null) || node.as_str() == Some("")
}

/// A text in annotations, and the value that it was made of.
struct Annotation<'n> {
    text: String,
    node: &'n Node,
}

/// What files are tried for.
const ROLES: [&str; 3] = ["annotations", "dependencies", "properties"];

/// Reads the files, with findings about those that are ignored.
pub(crate) fn read(files: &[File<'_>], findings: &mut Vec<Diagnostic>) -> Result<Metadata, Stop> {
    let (direct, nested) = in_folder(files, FOLDER);
    for file in nested {
        let message = format!("opm ignores the sub-directory `{}`", sub_directory(file, FOLDER));
        findings.push(ignored(Span::new(file.id, 0, 0), message, "move the files into `metadata/`"));
    }
    let mut metadata = Metadata::default();
    // The file that each role is taken from.
    let mut taken: [Option<&str>; 3] = [None; 3];
    for file in direct {
        let document = match document(file) {
            Ok(document) => document,
            Err(fault) if fault.opm.is_none() => return Err(Stop::Unknown(fault.message, Some(fault.span))),
            Err(fault) => {
                let message = format!("opm ignores this file, which it cannot read: {}", fault.message);
                findings.push(ignored(fault.span, message, "correct it, or remove it from `metadata/`"));
                continue;
            }
        };
        let mut has =
            Source { file, document: &document }.roles(&mut metadata, findings, taken.map(|file| file.is_none()))?;
        // JSON whose values are of a wrong type is read again as YAML, whose numbers become texts.
        let again = document.is_json.then(|| first_yaml_document(file.id, file.text).ok()).flatten();
        if let Some(document) = again {
            let is_wanted = [0, 1, 2].map(|role| taken[role].is_none() && !has[role]);
            let found = Source { file, document: &document }.roles(&mut metadata, findings, is_wanted)?;
            has = [0, 1, 2].map(|role| has[role] || found[role]);
        }
        let mut is_taken = false;
        for ((role, has), taken) in ROLES.into_iter().zip(has).zip(&mut taken) {
            match (has, *taken) {
                (true, None) => {
                    *taken = Some(file.path);
                    is_taken = true;
                }
                (true, Some(first)) => {
                    let place = document.node.field(role).map_or(document.node.span, |value| value.span);
                    let message = format!("opm ignores these {role} and takes those in `{first}`");
                    findings.push(ignored(place.at_start(), message, "put them into one file"));
                    is_taken = true;
                }
                (false, _) => {}
            }
        }
        if is_taken {
            report_reading(file, &document, findings);
        } else {
            let message = "opm ignores this file: it has no `annotations` of a bundle, `dependencies` or `properties` in the \
                           form that opm reads";
            let place = document.node.span.at_start();
            findings.push(ignored(place, message, "remove it from `metadata/`, or correct its fields"));
        }
    }
    if taken[0].is_none() {
        return Err(Stop::Opm("Could not find annotations file".to_owned(), None));
    }
    Ok(metadata)
}

/// A finding about metadata that `opm` ignores.
pub(crate) fn ignored(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Rule::IgnoredMetadata, span, message).with_help(help)
}

/// A file with its document.
struct Source<'f> {
    file: &'f File<'f>,
    document: &'f FirstDocument,
}

impl Source<'_> {
    /// Which of annotations, dependencies and properties the file has; those that are wanted are kept.
    fn roles(
        &self,
        metadata: &mut Metadata,
        findings: &mut Vec<Diagnostic>,
        is_wanted: [bool; 3],
    ) -> Result<[bool; 3], Stop> {
        Ok([
            self.annotations(findings, &mut metadata.annotations, is_wanted[0]),
            self.list(ROLES[1], &mut metadata.dependencies, is_wanted[1])?,
            self.list(ROLES[2], &mut metadata.properties, is_wanted[2])?,
        ])
    }

    /// Whether the file has annotations; they are kept if they are wanted.
    fn annotations(&self, findings: &mut Vec<Diagnostic>, out: &mut Annotations, is_wanted: bool) -> bool {
        let Some(annotations) = self.document.node.field(ROLES[0]) else { return false };
        if !matches!(annotations.value, Value::Mapping(_)) {
            return false;
        }
        let text =
            |name: &str| annotations.field(name).map(|node| self.text(node).map(|text| Annotation { text, node }));
        let read: Option<Vec<Option<Annotation<'_>>>> = [PACKAGE, CHANNELS, DEFAULT_CHANNEL]
            .into_iter()
            .map(|name| text(name).map_or(Some(None), |read| read.map(Some)))
            .collect();
        let Some(read) = read.filter(|read| read.iter().flatten().any(|annotation| !annotation.text.is_empty())) else {
            return false;
        };
        if is_wanted {
            for annotation in read.iter().flatten() {
                findings.extend(self.coerced(annotation));
            }
            findings.extend(read[1].iter().flat_map(|channels| self.blanks(channels)));
            let [package, channels, default_channel] =
                [0, 1, 2].map(|at| read[at].as_ref().map(|annotation| annotation.text.clone()).unwrap_or_default());
            let openshift_versions = annotations.get(OPENSHIFT_VERSIONS).filter(|node| !is_empty(node));
            let openshift_versions =
                openshift_versions.map(|node| Spanned::new(node.as_str().unwrap_or_default().to_owned(), node.span));
            *out = Annotations { package, channels, default_channel, openshift_versions };
        }
        true
    }

    /// A text as Go decodes it; YAML's numbers and booleans become texts.
    fn text(&self, node: &Node) -> Option<String> {
        match &node.value {
            Value::String(text) => Some(text.to_string()),
            Value::Null => Some(String::new()),
            _ => node.coerced().filter(|_| !self.document.is_json),
        }
    }

    /// The finding about a text that is not what is written.
    fn coerced(&self, Annotation { text, node }: &Annotation<'_>) -> Option<Diagnostic> {
        let written = node.span.slice(self.file.text);
        let is_same = node.as_str().is_some() || node.value == Value::Null || written == text;
        let finding = Diagnostic::new(Rule::ReinterpretedText, node.span, format!("opm reads `{written}` as `{text}`"));
        (!is_same).then(|| finding.with_help("put it in quotes").with_fix(QuickFix::quote(node.span)))
    }

    /// Findings about blanks around names of channels.
    fn blanks(&self, Annotation { text, node }: &Annotation<'_>) -> Vec<Diagnostic> {
        let has_blank = |name: &&str| *name != name.trim();
        let finding = |name: &str| {
            let message = format!("opm keeps the blank in the name of the channel `{name}`");
            let help = format!("write `{}`", name.trim());
            Diagnostic::new(Rule::BlankInChannel, node.span, message).with_help(help)
        };
        text.split(',').filter(has_blank).map(finding).collect()
    }

    /// Whether the file has such a list; it is kept if it is wanted.
    fn list(&self, role: &str, out: &mut Vec<Listed>, is_wanted: bool) -> Result<bool, Stop> {
        let Some(list) = self.document.node.field(role) else { return Ok(false) };
        let mut entries = Vec::new();
        for item in items(list) {
            let Some(listed) = self.entry(item)? else { return Ok(false) };
            entries.push(listed);
        }
        let has_some = !entries.is_empty();
        if has_some && is_wanted {
            *out = entries;
        }
        Ok(has_some)
    }

    /// An entry; nothing if Go cannot decode it.
    fn entry(&self, item: &Node) -> Result<Option<Listed>, Stop> {
        if !matches!(item.value, Value::Mapping(_) | Value::Null) {
            return Ok(None);
        }
        let Some(kind) = item.field("type").map_or(Some(String::new()), |kind| self.text(kind)) else {
            return Ok(None);
        };
        let value = match item.field("value") {
            Some(value) if self.document.is_json => value.span.slice(self.file.text).to_owned(),
            Some(value) => json_for_html(&value.to_exact_json(self.file.text)?),
            None => String::new(),
        };
        Ok(Some(Listed { property: Property { kind, value }, span: item.span }))
    }
}

// The versions of OpenShift whose catalogs have a bundle, by the annotation `com.redhat.openshift.versions`: the index
// build of the community and certified operators reads it, `opm` does not (operator-pipelines
// `operatorcert/static_tests/community/bundle.py`, `check_api_version_constraints`).

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
