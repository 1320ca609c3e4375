//! Catalogs that consist of templates: each template gets a further file with its expansion, which is served instead.
//!
//! A catalog is expanded only if all its files are templates, apart from deprecations beside them; `opm` would read a template among catalog files as a document
//! of an unknown schema, and so is it served. The bundles of all other catalogs stand in for the registry.

use crate::CatalogInput;
use crate::file::{FileInput, NewText};
use source::{Diagnostic, FileId};
use std::collections::{BTreeMap, BTreeSet};
use template::{ExpandedCatalog, Images, Origins, TemplateKind, expand, is_of_deprecations, kind_of};
use views::{CatalogId, FileKey};

/// What follows the path of a template in that of its expansion.
pub const EXPANDED: &str = " (expanded)";

/// The result of expanding a template.
struct Expansion {
    findings: Vec<Diagnostic>,
    /// The expanded catalog as YAML; empty when the template cannot be expanded.
    text: String,
    /// Whether it may have bundles that are not known. The channels of an `olm.semver` template are made of the bundles, so
    /// these have none that is unknown.
    has_unknown_images: bool,
}

/// Expands all templates. Returns the catalogs that this changes.
pub(crate) fn expand_all(catalogs: &mut [CatalogInput], next_file: &mut u32) -> BTreeSet<CatalogId> {
    let are_templates: Vec<bool> = catalogs.iter().map(are_templates).collect();
    let expansions: Vec<Vec<Option<Expansion>>> = expansions(catalogs, &are_templates);
    let mut changed = BTreeSet::new();
    for (catalog, expansions) in catalogs.iter_mut().zip(expansions) {
        // What is made of a folder of bundles is no expansion.
        if catalog.bundle_tree.is_none() && catalog.files.rearrange(|files| replace(files, expansions, next_file)) {
            changed.insert(catalog.id);
        }
    }
    changed
}

/// The expansion of each file of each catalog; `None` for files that are not templates.
fn expansions(catalogs: &[CatalogInput], are_templates: &[bool]) -> Vec<Vec<Option<Expansion>>> {
    let mut images = Images::default();
    if are_templates.contains(&true) {
        let others = catalogs.iter().zip(are_templates).filter(|(_, is_template)| !**is_template);
        for file in others.flat_map(|(catalog, _)| &catalog.files) {
            images.add(&file.text, file.parse());
        }
    }
    let expansion = |file: &FileInput| {
        let expansion = expand(FileId(file.key.0), &file.text, &images);
        let text = expansion.catalog.as_ref().map(ExpandedCatalog::to_yaml).unwrap_or_default();
        let has_unknown_images = expansion.kind != TemplateKind::Semver && !expansion.missing.is_empty();
        Expansion { findings: expansion.diagnostics, text, has_unknown_images }
    };
    let of_catalog = |(catalog, is_template): (&CatalogInput, &bool)| {
        let written = catalog.files.iter().filter(|file| file.expanded_from.is_none());
        written.map(|file| (*is_template && is_template_file(file)).then(|| expansion(file))).collect()
    };
    catalogs.iter().zip(are_templates).map(of_catalog).collect()
}

/// Whether every file with documents is a template, apart from deprecations, and there is one.
pub(crate) fn are_templates(catalog: &CatalogInput) -> bool {
    if catalog.bundle_tree.is_some() {
        return false;
    }
    let mut some = false;
    let written = catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let all = written.filter(|file| is_template_file(file) || !file.parse().docs.is_empty()).all(|file| {
        let is_template = is_template_file(file);
        some |= is_template;
        is_template || is_of_deprecations(file.parse())
    });
    all && some
}

/// Whether a text is a template.
#[must_use]
pub fn is_template(bytes: Vec<u8>) -> bool {
    let text = fbc::decode_bytes(FileId(0), bytes).text;
    kind_of(&fbc::parse(FileId(0), &text)).is_some()
}

/// Whether a file is a template. A template stays one while its text is broken, because it is being edited.
fn is_template_file(file: &FileInput) -> bool {
    let parse = file.parse();
    kind_of(parse).is_some() || (parse.docs.is_empty() && file.expansion_findings.is_some() && !file.text.is_empty())
}

/// Replaces the expansions among the files. Returns whether anything changed.
fn replace(files: &mut Vec<FileInput>, expansions: Vec<Option<Expansion>>, next_file: &mut u32) -> bool {
    if expansions.iter().all(Option::is_none) && files.iter().all(|file| file.expansion_findings.is_none()) {
        return false;
    }
    let mut changed = false;
    let (made, written): (Vec<FileInput>, Vec<FileInput>) =
        std::mem::take(files).into_iter().partition(|file| file.expanded_from.is_some());
    let made = made.into_iter().filter_map(|file| Some((file.expanded_from?, file)));
    let mut made: BTreeMap<FileKey, FileInput> = made.collect();
    for (mut file, expansion) in written.into_iter().zip(expansions) {
        let before = made.remove(&file.key);
        file.has_unknown_images = expansion.as_ref().is_some_and(|expansion| expansion.has_unknown_images);
        let (findings, text) = expansion.map(|expansion| (expansion.findings, expansion.text)).unzip();
        changed |= file.expansion_findings != findings;
        file.expansion_findings = findings;
        let text = text.unwrap_or_default();
        let same = before.as_ref().map_or("", |before| &before.text) == text;
        changed |= !same;
        let mut after =
            if same { before } else { expanded_file(&file, before.map(|before| before.key), text, next_file) };
        if let Some(after) = &mut after {
            after.origins = Origins::of(FileId(file.key.0), &file.text, after.parse());
        }
        files.push(file);
        files.extend(after);
    }
    changed
}

/// The file with the expansion of a template, under the key that it had before; `None` for an empty text.
fn expanded_file(template: &FileInput, key: Option<FileKey>, text: String, next_file: &mut u32) -> Option<FileInput> {
    if text.is_empty() {
        return None;
    }
    let key = key.unwrap_or_else(|| {
        *next_file += 1;
        FileKey(*next_file - 1)
    });
    let path = format!("{}{EXPANDED}", template.path);
    let mut file = FileInput::new(key, NewText { path, content: Ok(text.into_bytes()) });
    file.expanded_from = Some(template.key);
    file.read();
    Some(file)
}

#[cfg(test)]
mod tests {
    use crate::testing::form;
    use crate::{Expand, NewText, Workbench};
    use views::{CatalogId, GraphOptions, Mark, PackageKey, SubscriptionForm};

    const SEMVER: &str = "schema: olm.semver\ngenerateMinorChannels: true\nstable:\n  bundles:\n  - image: p:1.0.0\n";
    const BUNDLE: &str = "schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: p:1.0.0\nproperties:\n\
                          - {type: olm.package, value: {packageName: p, version: 1.0.0}}\n\
                          - {type: olm.csv.metadata, value: {displayName: P}}\n";

    fn add(workbench: &mut Workbench, path: &str, text: &str) -> CatalogId {
        let file = NewText { path: path.to_owned(), content: Ok(text.as_bytes().to_vec()) };
        workbench.add_catalog(path, vec![file], &mut |_| {})
    }

    /// The paths of the files, the channels, and the rules of the findings of a catalog.
    fn shown(workbench: &Workbench, id: CatalogId) -> [String; 3] {
        let catalog = workbench.catalog(id).unwrap();
        let channels = catalog.analysis.catalog.packages.iter().flat_map(|package| &package.channels);
        let channels: Vec<&str> = channels.map(|channel| channel.name.value.as_str()).collect();
        let paths: Vec<&str> = catalog.files.iter().map(|file| &*file.path).collect();
        let rules: Vec<&str> = catalog.analysis.findings.iter().map(|found| found.diagnostic.rule.id()).collect();
        [paths.join(", "), channels.join(", "), rules.join(", ")]
    }

    #[test]
    fn an_expansion_follows_the_other_catalogs() {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let template = add(&mut workbench, "t.yaml", SEMVER);
        let [paths, channels, rules] = shown(&workbench, template);
        assert_eq!((&*paths, &*channels, &*rules), ("t.yaml", "", "needs-registry"));

        let catalog = add(&mut workbench, "c.yaml", BUNDLE);
        let [paths, channels, rules] = shown(&workbench, template);
        assert_eq!((&*paths, &*channels, &*rules), ("t.yaml, t.yaml (expanded)", "stable-v1.0", ""));

        let key = workbench.catalog(catalog).unwrap().files[0].key;
        let at = BUNDLE.find("p:1.0.0").unwrap() as u32;
        workbench.edit(key, at..at, "other-");
        assert_eq!(shown(&workbench, template)[2], "needs-registry");
        workbench.edit(key, at..at + 6, "");
        assert_eq!(shown(&workbench, template)[1], "stable-v1.0");
        workbench.remove(catalog);
        assert_eq!(shown(&workbench, template)[2], "needs-registry");
    }

    #[test]
    fn templates_can_be_edited_and_expansions_cannot() {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let template = add(&mut workbench, "t.yaml", SEMVER);
        add(&mut workbench, "c.yaml", BUNDLE);
        let keys: Vec<_> = workbench.catalog(template).unwrap().files.iter().map(|file| file.key).collect();
        workbench.edit(keys[1], 0..3, "");
        assert_eq!(shown(&workbench, template)[1], "stable-v1.0");
        let at = SEMVER.find("generate").unwrap() as u32;
        workbench.edit(keys[0], at..at, "generateMajorChannels: true\n");
        assert_eq!(shown(&workbench, template)[1], "stable-v1, stable-v1.0");
        // Broken while it is being typed, and whole again.
        workbench.edit(keys[0], at..at, "[");
        assert_eq!(shown(&workbench, template), ["t.yaml", "", "broken-document"].map(str::to_owned));
        workbench.edit(keys[0], at..at + 1, "");
        assert_eq!(shown(&workbench, template)[1], "stable-v1, stable-v1.0");
        // It is not a template any more.
        workbench.edit(keys[0], 0..at, "schema: olm.package\nname: q\n---\n");
        assert_eq!(workbench.catalog(template).unwrap().files.len(), 1);
    }

    const BASIC: &str = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: p, defaultChannel: c}\n\
        - schema: olm.channel\n  package: p\n  name: c\n  entries: [{name: p.v1.1.0, replaces: p.v1.0.0}, {name: p.v1.0.0}]\n\
        - {schema: olm.bundle, image: 'p:1.0.0'}\n- {schema: olm.bundle, image: 'p:1.1.0'}\n\
        - {schema: olm.deprecations, package: p, entries: [{reference: {schema: olm.bundle, name: p.v1.1.0}, message: m}]}\n";

    /// Labels and marks of the nodes of the template's package.
    fn drawn(workbench: &Workbench, id: CatalogId) -> Vec<(String, Vec<Mark>)> {
        let key = PackageKey { catalog: id, package: "p".to_owned() };
        let view = workbench.graph(&key, &GraphOptions::default()).unwrap();
        view.nodes.into_iter().map(|node| (node.label, node.marks)).collect()
    }

    #[test]
    fn channels_are_shown_though_their_bundles_are_unknown() {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let template = add(&mut workbench, "t.yaml", BASIC);
        let [_, channels, rules] = shown(&workbench, template);
        assert_eq!((&*channels, &*rules), ("c", "needs-registry"), "opm's verdict is not known");
        let unknown = vec![
            ("p.v1.0.0".to_owned(), vec![Mark::UnknownBundle]),
            ("p.v1.1.0".to_owned(), vec![Mark::Head, Mark::Deprecated, Mark::UnknownBundle]),
        ];
        assert_eq!(drawn(&workbench, template), unknown);
        // One of the two images is known.
        let catalog = add(&mut workbench, "c.yaml", BUNDLE);
        let half = vec![("1.0.0".to_owned(), vec![]), unknown[1].clone()];
        assert_eq!(drawn(&workbench, template), half);
        assert_eq!(shown(&workbench, template)[2], "needs-registry");
        let spec = SubscriptionForm { package: "p".to_owned(), ..SubscriptionForm::default() };
        workbench.apply_form("", &form(&[spec]));
        let view = workbench.simulate("");
        assert_eq!(view.blocked.map(|blocked| blocked.sources[0].name.clone()).as_deref(), Some("c"));
        let notice = "template `t` has images that no loaded catalog has; the simulation leaves these bundles out, so OLM may \
                      choose others";
        assert!(view.notices.iter().any(|said| said == notice), "{:?}", view.notices);
        // A template that names all its images lists bundles that none of them has.
        workbench.remove(catalog);
        let both = BUNDLE.to_owned() + "---\n" + &BUNDLE.replace("p.v1.0.0", "p.v1.2.0").replace("1.0.0", "1.1.0");
        add(&mut workbench, "d.yaml", &both);
        let rules = shown(&workbench, template)[2].clone();
        assert!(rules.contains("missing-bundle") && !rules.contains("needs-registry"), "{rules}");
    }

    #[test]
    fn a_template_among_catalog_files_is_not_expanded() {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let files = [("a.yaml", BUNDLE), ("t.yaml", SEMVER)]
            .map(|(path, text)| NewText { path: path.to_owned(), content: Ok(text.into()) });
        let id = workbench.add_catalog("folder", files.into(), &mut |_| {});
        assert_eq!(shown(&workbench, id)[0], "a.yaml, t.yaml");
        let mut as_opm = Workbench::new();
        let id = add(&mut as_opm, "t.yaml", SEMVER);
        assert_eq!(shown(&as_opm, id), ["t.yaml", "", ""].map(str::to_owned));
    }
}
