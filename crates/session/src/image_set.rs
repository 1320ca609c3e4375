//! What a mirror has of a catalog, as a baseline: the catalog after oc-mirror filtered it by an ImageSetConfiguration.

use crate::catalog_input::{CatalogInput, MirroredPackages};
use crate::side::Side;
use crate::{NewText, Workbench};
use mirror::{Choice, Filtering, Kept, MirroredCatalog, filter, read, smallest_min_versions};
use source::{Diagnostic, FileId, LineIndex, Rule};
use std::collections::BTreeSet;
use views::{CatalogId, MinVersionView, MirrorFinding, MirrorInput, MirrorView, OcMirror};

/// The file of the configuration in findings; no other file has this id.
const CONFIG: FileId = FileId(u32::MAX - 1);

/// The catalogs of an ImageSetConfiguration, in the order of its text.
#[must_use]
pub fn mirrored_catalogs(config: &str) -> Vec<String> {
    let items = read(FileId(0), config, OcMirror::default()).catalogs;
    items.iter().map(|item| item.catalog.value.to_string()).collect()
}

impl Workbench {
    /// Filters a catalog as oc-mirror does, and adds the result as a baseline. The comparison of the catalog with it shows
    /// which installed versions the mirror strands. `None` if the catalog is gone.
    ///
    /// ```
    /// use views::MirrorInput;
    /// use session::{NewText, Workbench};
    ///
    /// let mut workbench = Workbench::new();
    /// let text = "schema: olm.package\nname: a\ndefaultChannel: c\n---\nschema: olm.channel\npackage: a\nname: c\n\
    ///     entries: [{name: a.v1.0.0}]\n---\nschema: olm.bundle\npackage: a\nname: a.v1.0.0\nimage: a\n\
    ///     properties: [{type: olm.package, value: {packageName: a, version: 1.0.0}}]\n";
    /// let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(text.into()) };
    /// let catalog = workbench.add_catalog("catalog", vec![file], &mut |_| {});
    /// let config = "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\n\
    ///     mirror: {operators: [{catalog: quay.io/c:v1, packages: [{name: a}]}]}\n".to_owned();
    /// let view = workbench.mirror(&MirrorInput::of(catalog, config)).unwrap();
    /// assert_eq!(workbench.baselines()[0].id, view.mirrored.unwrap());
    /// ```
    pub fn mirror(&mut self, input: &MirrorInput) -> Option<MirrorView> {
        let full = self.catalog(input.catalog)?;
        let config = read(CONFIG, &input.config, input.release);
        let mut diagnostics = config.diagnostics.clone();
        let chosen = match input.chosen {
            Some(chosen) => config.catalogs.get(chosen as usize),
            None => match config.choose(&full.name) {
                Choice::One(found) => Some(found),
                Choice::Several | Choice::None => None,
            },
        };
        let mut files = None;
        let mut min_versions = Vec::new();
        if let Some(wanted) = chosen.filter(|_| config.is_accepted()) {
            let Filtering { mut kept, diagnostics: found } = filter(&full.analysis.catalog, wanted, input.release);
            diagnostics.extend(found);
            if let Some(finding) = unread(full, wanted) {
                diagnostics.push(finding);
                kept = None;
            }
            files = kept.map(|kept| (mirrored_files(full, &kept), packages_of(&kept)));
            min_versions = min_version_views(full, wanted, input);
        }
        let name = format!("{}-mirrored", full.name);
        let chosen = chosen.and_then(|chosen| config.catalogs.iter().position(|item| std::ptr::eq(item, chosen)));
        let mirrored = files.map(|(files, packages)| self.add_mirrored(&name, files, packages));
        Some(MirrorView {
            catalog: input.catalog,
            follows: format!("oc-mirror v2 of OpenShift {} with {}", input.release.versions(), input.release.filter()),
            catalogs: config.catalogs.iter().map(|item| item.catalog.value.to_string()).collect(),
            chosen: chosen.map(|chosen| chosen as u32),
            mirrored,
            findings: finding_views(&input.config, &diagnostics),
            min_versions,
        })
    }

    fn add_mirrored(&mut self, name: &str, files: Vec<NewText>, packages: MirroredPackages) -> CatalogId {
        let mut loading = self.begin_loading(name, files);
        let id = loading.catalog;
        self.set_baseline(id, true);
        while !self.continue_loading(&mut loading, u32::MAX) {}
        if let Some(catalog) = self.inputs.iter_mut().find(|catalog| catalog.id == id) {
            catalog.mirrored = Some(packages);
        }
        self.finish_loading(&[loading]);
        id
    }
}

fn min_version_views(full: &CatalogInput, wanted: &MirroredCatalog, input: &MirrorInput) -> Vec<MinVersionView> {
    let installed: BTreeSet<_> = input.installed.iter().map(|name| name.as_str().into()).collect();
    let installed = Some(&installed).filter(|names| !names.is_empty());
    let found = smallest_min_versions(&full.analysis.catalog, wanted, installed, input.release);
    found.iter().map(mirror::MinVersion::view).collect()
}

fn packages_of(kept: &Kept) -> MirroredPackages {
    let names = kept.packages.keys().map(ToString::to_string);
    MirroredPackages(kept.is_selection.then(|| names.collect()))
}

/// That nobody knows what oc-mirror loads: it stops at a document that cannot be read, and keeps what was not read here.
fn unread(full: &CatalogInput, wanted: &MirroredCatalog) -> Option<Diagnostic> {
    let reason = Side::present(full).why_unread()?;
    let message = match full.analysis.catalog.is_partial {
        true => format!("nobody knows what oc-mirror keeps of the catalog: {reason}"),
        false => format!("oc-mirror cannot load the catalog: {reason}"),
    };
    Some(Diagnostic::new(Rule::FailedMirror, wanted.catalog.span, message).with_help("correct the catalog first"))
}

/// The files of a mirror: those of the catalog, with the same paths.
fn mirrored_files(full: &CatalogInput, kept: &Kept) -> Vec<NewText> {
    let file = |file: &crate::FileInput| {
        // Files next to the catalog belong to bundles by name, and to none that is left out.
        let text = if file.attached.is_some() { Some(file.text.clone()) } else { kept.text(&file.text, file.served()) };
        Some(NewText { path: file.path.clone(), content: Ok(text?.into_bytes()) })
    };
    full.files.iter().filter_map(file).collect()
}

fn finding_views(text: &str, diagnostics: &[Diagnostic]) -> Vec<MirrorFinding> {
    let lines = LineIndex::new(text);
    let finding = |found: &Diagnostic| {
        let at = lines.position(text, found.span.start);
        MirrorFinding {
            rule: found.rule.id().to_owned(),
            severity: found.severity,
            message: found.message.clone(),
            help: found.help.clone(),
            line: at.line,
            column: at.column,
        }
    };
    diagnostics.iter().map(finding).collect()
}
