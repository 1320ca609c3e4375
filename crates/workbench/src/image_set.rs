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
    /// use workbench::{NewText, Workbench};
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

#[cfg(test)]
mod tests {
    use crate::Workbench;
    use crate::testing::workbench;
    use views::{CatalogId, Compared, LevelCounts, MirrorInput, MirrorView, SideKey};

    const FULL: &str = "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

    fn config(operators: &str) -> String {
        format!(
            "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n{operators}"
        )
    }

    fn mirror(workbench: &mut Workbench, operators: &str) -> MirrorView {
        let config = config(operators);
        let input = MirrorInput::of(CatalogId(0), config);
        workbench.mirror(&input).unwrap()
    }

    fn compared(view: &MirrorView) -> Compared {
        let side = |catalog| SideKey { catalog, is_opened: false };
        Compared {
            before: side(view.catalog),
            after: side(view.mirrored.unwrap()),
            levels: String::new(),
            day: String::new(),
            runtime: views::Runtime::V0,
        }
    }

    #[test]
    fn a_mirror_is_a_baseline_to_compare_the_catalog_with() {
        let mut workbench = workbench(&[("full", FULL)]);
        let view = mirror(&mut workbench, "  - {catalog: quay.io/c:v1, packages: [{name: p}]}\n");
        assert_eq!((view.findings.len(), view.chosen, view.catalogs.len()), (0, Some(0), 1));
        assert_eq!(view.follows, "oc-mirror v2 of OpenShift 5.0 and later with catalog-filter v0.0.5");
        let mirrored = workbench.catalog(view.mirrored.unwrap()).unwrap();
        assert!(mirrored.is_baseline && mirrored.is_accepted());
        assert_eq!((&*mirrored.name, &*mirrored.files[0].path), ("full-mirrored", "catalog.yaml"));
        let comparison = workbench.comparing(&compared(&view)).compare().unwrap();
        assert_eq!((comparison.unmirrored, comparison.not_comparable.len()), (1, 0));
        let LevelCounts([breaking, ..]) = comparison.levels;
        assert_eq!((comparison.packages.len(), breaking), (1, 1), "1.0.0 gets stuck, 1.1.0 is replaced by the head");
        let package = workbench.comparing(&compared(&view)).compare_package("p").unwrap();
        assert!(package.groups.iter().all(|group| group.fixes.is_empty()), "nobody writes the mirror");
    }

    #[test]
    fn the_min_version_that_strands_nobody_is_said_in_a_sentence() {
        let mut workbench = workbench(&[("full", FULL)]);
        let mut text = |operators: &str| mirror(&mut workbench, operators).min_versions.remove(0).text;
        assert_eq!(
            text("  - {catalog: c, packages: [{name: p}]}\n"),
            "`p`: the mirror strands 1 installed version; `minVersion: 1.1.0` strands none, with 2 bundles instead of 1"
        );
        assert_eq!(
            text("  - {catalog: c, packages: [{name: p, channels: [{name: c, minVersion: 1.0.0}]}]}\n"),
            "channel `c` of `p`: the mirror strands no installed version; `minVersion: 1.1.0` strands none either, with 2 bundles instead of 3"
        );
        assert_eq!(
            text("  - {catalog: c, packages: [{name: p, maxVersion: 1.1.0}]}\n"),
            "`p`: the mirror strands 1 installed version; whatever `minVersion` is, 1 installed version would be stranded, such as `p.v1.2.0` in `c`"
        );
        assert_eq!(
            text("  - {catalog: c, packages: [{name: p, minVersion: 3.0.0}]}\n"),
            "`p`: the present configuration makes no mirror that can be served; `minVersion: 1.1.0` strands none, with 2 bundles"
        );
        assert_eq!(
            text("  - {catalog: c, packages: [{name: q}]}\n"),
            "`q`: the mirror strands no installed version; no `minVersion` makes the mirror smaller without harm"
        );
        let config = config("  - {catalog: c, packages: [{name: p}]}\n");
        let installed = vec!["p.v1.1.0".to_owned()];
        let input = MirrorInput { installed, ..MirrorInput::of(CatalogId(0), config) };
        let view = workbench.mirror(&input).unwrap();
        assert_eq!((view.min_versions[0].stranded, view.min_versions[0].min_version.as_deref()), (0, Some("1.2.0")));
    }

    #[test]
    fn nothing_is_added_if_oc_mirror_stops() {
        let mut workbench = workbench(&[("full", FULL)]);
        let view = mirror(&mut workbench, "  - {catalog: c, packages: [{name: p, minVersion: 3.0.0}]}\n");
        let found: Vec<_> =
            view.findings.iter().map(|finding| (&*finding.rule, finding.line, finding.column)).collect();
        assert_eq!((view.mirrored, found), (None, vec![("failed-mirror", 5, 51)]));
        let view = mirror(&mut workbench, "  - {catalog: c, packages: [{name: p, minVersion: x}]}\n");
        assert_eq!((view.mirrored, &*view.findings[0].rule), (None, "invalid-image-set"));
        assert_eq!(workbench.baselines().len(), 0);
        let key = workbench.catalogs()[0].files[0].key;
        workbench.edit(key, 0..0, "---\n[\n");
        let view = mirror(&mut workbench, "  - {catalog: c}\n");
        assert_eq!((view.mirrored, view.findings.len()), (None, 1));
        assert!(view.findings[0].message.starts_with("oc-mirror cannot load the catalog: "), "{:?}", view.findings);
    }

    #[test]
    fn one_of_several_catalogs_is_chosen_by_name_or_by_the_user() {
        let mut workbench = workbench(&[("full", FULL)]);
        let view = mirror(&mut workbench, "  - {catalog: x/full:v1}\n  - {catalog: x/other:v1}\n");
        assert_eq!((view.chosen, view.mirrored.is_some()), (Some(0), true));
        let several = "  - {catalog: x/a:v1}\n  - {catalog: x/b:v1, full: true}\n";
        let view = mirror(&mut workbench, several);
        assert_eq!((view.chosen, view.mirrored, view.catalogs), (None, None, vec!["x/a:v1".into(), "x/b:v1".into()]));
        let mut input = MirrorInput { chosen: Some(1), ..MirrorInput::of(CatalogId(0), config(several)) };
        let view = workbench.mirror(&input).unwrap();
        assert_eq!(
            workbench.comparing(&compared(&view)).compare().unwrap().levels,
            LevelCounts::default(),
            "a full mirror"
        );
        input.catalog = CatalogId(77);
        assert_eq!(workbench.mirror(&input), None);
    }
}
