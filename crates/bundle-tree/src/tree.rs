//! The whole way from files to a catalog.

use crate::ci::{self, Ci};
use crate::folders::{bundle_folders, inside, parent};
use crate::package;
use bundle::{Bundle, Document, File, Outcome, in_order, render};
use source::{Diagnostic, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The rules by which bundles become channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Follows `replaces` and `skips` of the CSVs from the head of each channel down.
    Replaces,
    /// Each bundle replaces the one with the next lower version.
    Semver,
    /// The same, and each bundle skips those with lower patch versions.
    SemverSkippatch,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Replaces, Self::Semver, Self::SemverSkippatch];

    /// Its name, as `opm index add --mode` has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replaces => "replaces",
            Self::Semver => "semver",
            Self::SemverSkippatch => "semver-skippatch",
        }
    }

    /// The mode with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The catalog of a folder of bundles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Its documents, in the order in which `opm render` prints them. A package that cannot be built has none.
    pub documents: Vec<Document>,
    /// The mode that each package was built by, also of those that failed.
    pub modes: BTreeMap<String, Mode>,
    /// What is told of the bundles, by file and place.
    pub findings: Vec<Diagnostic>,
    /// The bundles that gave no answer, with the reason: a file that holds more than is kept, or makes `opm` crash.
    pub unknown: BTreeMap<String, String>,
}

impl Tree {
    /// The catalog as YAML.
    ///
    /// # Errors
    /// When a document is nested too deeply, or holds more than is kept in memory.
    pub fn to_yaml(&self) -> Result<String, String> {
        self.documents.iter().map(Document::to_yaml).collect()
    }
}

/// A bundle and the folder that it is in.
pub(crate) struct Rendered<'a> {
    pub(crate) folder: &'a str,
    pub(crate) bundle: Bundle,
    /// Where its CSV states its name.
    pub(crate) place: Span,
}

/// Makes a catalog of the bundles among the files, whose paths are those in the folder. Other files play no role, apart from
/// the `ci.yaml` next to the bundles, which names the mode unless it is given.
#[must_use]
pub fn build(files: &[File<'_>], mode: Option<Mode>) -> Tree {
    let folders = bundle_folders(files.iter().map(|file| file.path));
    let mut by_folder: BTreeMap<&str, Vec<File<'_>>> = BTreeMap::new();
    for file in files {
        if let Some((folder, path)) = inside(&folders, file.path) {
            by_folder.entry(folder).or_default().push(File { path, ..*file });
        }
    }
    let mut tree = Tree::default();
    let mut packages: BTreeMap<String, Vec<Rendered<'_>>> = BTreeMap::new();
    for (folder, mut files) in by_folder {
        files.sort_by(|one, other| one.path.cmp(other.path));
        let rendering = render(&files);
        tree.findings.extend(rendering.findings);
        let start = Span::new(files[0].id, 0, 0);
        match rendering.outcome {
            Outcome::Bundle(bundle) => {
                let rendered = Rendered { folder, bundle: *bundle, place: rendering.place.unwrap_or(start) };
                packages.entry(rendered.bundle.package.clone()).or_default().push(rendered);
            }
            Outcome::Unknown(why) => {
                let message = format!("there is no answer for this bundle: {why}");
                tree.findings.push(Diagnostic::new(Rule::UnrenderedBundle, start, message));
                tree.unknown.insert(folder.to_owned(), why);
            }
            Outcome::Nothing | Outcome::Rejected(_) => {}
        }
    }
    let operators: BTreeSet<&str> = folders.iter().filter_map(|folder| parent(folder)).collect();
    let mut read: BTreeMap<&str, Ci> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.rsplit('/').next() == Some("ci.yaml")) {
        if let Some(operator) = parent(file.path).filter(|folder| operators.contains(folder)) {
            read.insert(operator, ci::read(file, &mut tree.findings));
        }
    }
    for (name, bundles) in packages {
        let cis = bundles.iter().filter_map(|rendered| read.get(parent(rendered.folder)?));
        let stated = cis.clone().find_map(|ci| ci.mode);
        let mode = mode.or(stated).unwrap_or(Mode::Replaces);
        if let Some(place) = cis.clone().find_map(|ci| ci.templates) {
            let message = format!(
                "the channels of package `{name}` come from catalog templates, which are not followed here: they are made by \
                 the rules of {} mode",
                mode.name()
            );
            let finding = Diagnostic::new(Rule::UnfollowedCi, place, message);
            tree.findings.push(finding.with_help("open the templates in `catalog-templates/` to see their channels"));
        }
        tree.documents.extend(package::build(&name, &bundles, mode, &mut tree.findings));
        tree.modes.insert(name, mode);
    }
    tree.documents = in_order(std::mem::take(&mut tree.documents));
    tree.findings.sort_by_key(|finding| (finding.span.file, finding.span.start, finding.rule));
    tree
}
