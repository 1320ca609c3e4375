//! The whole way from files to a catalog.

use crate::catalog_template::{self, Templates};
use crate::ci::{self, Ci, unfollowed};
use crate::folders::{bundle_folders, inside, parent};
use crate::mode::{Mode, Rules};
use crate::package::{self, Rendered};
use crate::release_config;
use crate::rules::bundle_range;
use bundle::{Document, File, RenderOutcome, in_order, render};
use source::{Diagnostic, FileId, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};
use template::Images;

/// The catalog of a folder of bundles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// In the order in which `opm render` prints them. A package that cannot be built has none.
    pub documents: Vec<Document>,
    /// By what each package was built, also those that failed.
    pub rules: BTreeMap<String, Rules>,
    /// The package and the name of the bundle that a file belongs to.
    pub bundles: BTreeMap<FileId, (String, String)>,
    /// The catalog templates that there are to choose from.
    pub templates: BTreeSet<String>,
    /// Whether a template lists a bundle that neither the folder nor a loaded catalog has.
    pub has_unknown_bundles: bool,
    /// Findings about the bundles, by file and place.
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

/// Makes a catalog of the bundles among the files, whose paths are those in the folder. The `ci.yaml` next to the bundles of
/// an operator says by what, unless it is given; a template that an operator does not have is given only to the others.
/// `images` are the bundles of other catalogs, of which templates may name images. Other files play no role.
#[must_use]
pub fn build(files: &[File<'_>], rules: Option<&Rules>, images: &Images<'_>) -> Tree {
    let Bundles { packages, operators, mut tree } = Bundles::of(files);
    let none = Operator::default();
    // A bundle directory by itself is no index. The folder of an operator is one, also of a single version.
    let is_operator = files.iter().any(|file| file.path.rsplit('/').next() == Some("ci.yaml"));
    let is_alone = packages.values().map(Vec::len).sum::<usize>() == 1 && !is_operator;
    for (name, bundles) in packages {
        let bundles: Vec<&Rendered<'_>> = bundles.iter().collect();
        let operator = operator(&operators, &bundles).unwrap_or(&none);
        let rules = operator.rules(&name, rules, &mut tree.findings);
        if let Some(fbc) = &operator.ci.fbc {
            tree.templates.extend(fbc.mappings.iter().map(|mapping| mapping.template.clone()));
        } else {
            bundle_range::check(&bundles, &mut tree.findings);
        }
        let mapping = match (&rules, &operator.ci.fbc) {
            (Rules::Template(template), Some(fbc)) => operator.templates.choose(fbc, Some(template)),
            _ => None,
        };
        if let Some(mapping) = mapping {
            let made =
                catalog_template::build(&name, &bundles, &operator.templates, mapping, images, &mut tree.findings);
            tree.documents.extend(made.documents);
            tree.has_unknown_bundles |= made.has_unknown_bundles;
        } else if let Rules::Mode(mode) = rules {
            tree.documents.extend(package::build(&name, &bundles, mode, is_alone, &mut tree.findings));
        }
        tree.rules.insert(name, rules);
    }
    tree.documents = in_order(std::mem::take(&mut tree.documents));
    tree.findings.sort_by_key(|finding| (finding.span.file, finding.span.start, finding.rule));
    tree
}

/// The bundles of a folder.
pub(crate) struct Bundles<'a> {
    /// By package.
    pub(crate) packages: BTreeMap<String, Vec<Rendered<'a>>>,
    /// By folder.
    pub(crate) operators: BTreeMap<&'a str, Operator<'a>>,
    /// What is known before there are channels.
    pub(crate) tree: Tree,
}

impl<'a> Bundles<'a> {
    /// The bundles among files.
    pub(crate) fn of(files: &[File<'a>]) -> Self {
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
            let place = rendering.place.unwrap_or(Span::new(files[0].id, 0, 0));
            match rendering.outcome {
                RenderOutcome::Bundle(bundle) => {
                    let names = (bundle.package.clone(), bundle.name.clone());
                    tree.bundles.extend(files.iter().map(|file| (file.id, names.clone())));
                    let rendered = Rendered { folder, bundle: *bundle, place };
                    packages.entry(rendered.bundle.package.clone()).or_default().push(rendered);
                }
                RenderOutcome::Unknown(why) => {
                    // A file that cannot be opened has a finding of its own.
                    if files.iter().all(|file| file.id != place.file || file.fault.is_none()) {
                        let message = format!("there is no answer for this bundle: {why}");
                        tree.findings.push(Diagnostic::new(Rule::UnreadableFile, place, message));
                    }
                    tree.unknown.insert(folder.to_owned(), why);
                }
                RenderOutcome::Nothing | RenderOutcome::Rejected(_) => {}
            }
        }
        let operators = operators(files, &folders, &mut tree.findings);
        Self { packages, operators, tree }
    }
}

/// The operator that the bundles of a package are of: its folder is around them.
pub(crate) fn operator<'o, 'a>(
    operators: &'o BTreeMap<&str, Operator<'a>>,
    bundles: &[&Rendered<'_>],
) -> Option<&'o Operator<'a>> {
    bundles.iter().find_map(|rendered| operators.get(parent(rendered.folder)?))
}

/// The folder of an operator.
#[derive(Default)]
pub(crate) struct Operator<'a> {
    pub(crate) ci: Ci,
    templates: Templates<'a>,
}

impl Operator<'_> {
    /// By what a package of it is built.
    fn rules(&self, package: &str, given: Option<&Rules>, findings: &mut Vec<Diagnostic>) -> Rules {
        let stated = Rules::Mode(self.ci.mode.unwrap_or(Mode::Replaces));
        let template = match given {
            Some(Rules::Mode(mode)) => return Rules::Mode(*mode),
            Some(Rules::Template(template)) => Some(&**template),
            None => None,
        };
        let Some(fbc) = &self.ci.fbc else { return stated };
        if let Some(mapping) = self.templates.choose(fbc, template) {
            return Rules::Template(mapping.template.clone());
        }
        let message = format!(
            "the channels of package `{package}` come from catalog templates, but `catalog-templates/` has none that \
             `ci.yaml` names, and no bundle is released to one: they are made by {}",
            stated.describe()
        );
        let help = "open the whole folder of the operator, with `catalog-templates/` and each `release-config.yaml`";
        findings.push(unfollowed(fbc.span, &message).with_help(help));
        stated
    }
}

/// The folders that hold bundles, with what they say of the catalog.
fn operators<'a>(
    files: &[File<'a>],
    folders: &BTreeSet<&'a str>,
    findings: &mut Vec<Diagnostic>,
) -> BTreeMap<&'a str, Operator<'a>> {
    let mut operators: BTreeMap<&str, Operator<'_>> =
        folders.iter().filter_map(|folder| Some((parent(folder)?, Operator::default()))).collect();
    let mut releases: Vec<File<'a>> = Vec::new();
    for file in files {
        let Some(folder) = parent(file.path) else { continue };
        let name = file.path.rsplit('/').next().unwrap_or_default();
        if name == "release-config.yaml" && folders.contains(folder) {
            releases.push(*file);
        } else if name == "ci.yaml"
            && let Some(operator) = operators.get_mut(folder)
        {
            operator.ci = ci::read(file, findings);
        } else if folder.rsplit('/').next() == Some("catalog-templates")
            && let Some(operator) = parent(folder).and_then(|folder| operators.get_mut(folder))
        {
            operator.templates.files.insert(name, *file);
        }
    }
    for file in releases {
        let Some((folder, operator)) =
            parent(file.path).and_then(|folder| Some((folder, operators.get_mut(parent(folder)?)?)))
        else {
            continue;
        };
        let Some(fbc) = &operator.ci.fbc else {
            let message = "`release-config.yaml` is not used, because `ci.yaml` does not enable FBC for the operator";
            let help = "set `fbc.enabled` and name the templates in `ci.yaml`, or remove the file";
            findings.push(unfollowed(Span::new(file.id, 0, 0), message).with_help(help));
            continue;
        };
        let read = release_config::read(&file, findings);
        for release in &read {
            if !fbc.mappings.iter().any(|mapping| mapping.template == release.template) {
                let message = format!("Template mapping not found for '{}' in ci.yaml.", release.template);
                let help = "add it to `fbc.catalog_mapping` of `ci.yaml`";
                findings.push(unfollowed(release.span, &message).with_help(help));
            }
        }
        operator.templates.releases.insert(folder, read);
    }
    operators
}
