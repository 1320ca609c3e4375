//! `set-mapping-name`, `set-mapping-twice`, `set-mapping-missing`, `set-catalog-unmapped` and `set-template-unused`:
//! `ci.yaml` of an operator, its templates and its folders.

use crate::sets::finding::Finding;
use crate::sets::set::{CatalogSet, Operator};
use bundle_tree::Fbc;
use catalog::predicate::PackageName;
use source::{FileId, OpenShift, Rule, Span, name_list};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    set.operators.iter().flat_map(|operator| of_operator(set, operator)).collect()
}

fn of_operator(set: &CatalogSet, operator: &Operator) -> Vec<Finding> {
    let Some(Fbc { mappings, list: Some(start), .. }) = operator.fbc(set) else { return Vec::new() };
    let Some(last) = set.members.last().map(|member| member.version) else { return Vec::new() };
    let package = operator.package(set);
    let folders: BTreeSet<OpenShift> = operator.folders(set).collect();
    let finding = |rule: Rule, version: OpenShift, span: Span, message: String| {
        Finding::of_member(rule, version, &package, Some(span), message)
    };
    let (mut found, mut known) = (Vec::new(), BTreeMap::new());
    for (mapping, name) in mappings.iter().flat_map(|mapping| mapping.catalogs.iter().map(move |name| (mapping, name)))
    {
        let version = name.value.parse::<OpenShift>().ok().filter(|_| name.value.starts_with('v'));
        let Some(version) = version else {
            let message =
                format!("`{}` is no name of a catalog: the pipelines read only those such as `v4.18`", name.value);
            found.push(finding(Rule::SetMappingName, last, name.span, message));
            continue;
        };
        if let Some(other) = known.insert(version, &mapping.template) {
            let message = format!("`{}` and `{other}` make the same catalog", mapping.template);
            found.push(finding(Rule::SetMappingTwice, version, name.span, message));
        } else if !folders.contains(&version) && !set.partial().any(|partial| partial == version) {
            let message = "a template is mapped to the catalog, which does not have the operator".to_owned();
            found.push(finding(Rule::SetMappingMissing, version, name.span, message));
        }
    }
    for version in folders.iter().filter(|version| !known.contains_key(version)) {
        let message =
            "no template makes the catalog: nobody updates it, and the next `make catalogs` deletes it".to_owned();
        found.push(finding(Rule::SetCatalogUnmapped, *version, start, message));
    }
    let used: BTreeSet<&str> = mappings.iter().map(|mapping| &*mapping.template).collect();
    let unused: Vec<(&str, FileId)> = operator
        .templates
        .iter()
        .map(|(name, file)| (&**name, *file))
        .filter(|(name, _)| !used.contains(name))
        .collect();
    if let Some((_, file)) = unused.first() {
        let message = format!("no mapping names {}", name_list(unused.iter().map(|(name, _)| *name)));
        found.push(finding(Rule::SetTemplateUnused, last, Span::new(*file, 0, 0), message));
    }
    found
}

impl Operator {
    /// The package in its folders; its own name if there is none.
    pub(super) fn package(&self, set: &CatalogSet) -> PackageName {
        let packages = set.members.iter().flat_map(|member| {
            let is_own = |span: Span| set.is_in_folder(member.version, span, &self.name);
            member.catalog.packages.iter().filter(move |package| package.span().is_some_and(is_own))
        });
        let mut names = packages.map(|package| package.name.clone());
        names.next().unwrap_or_else(|| (&*self.name).into())
    }

    /// The versions that have a folder of it.
    pub(super) fn folders(&self, set: &CatalogSet) -> impl Iterator<Item = OpenShift> {
        let versions = set.members.iter().map(|member| member.version);
        versions.filter(|version| set.has_folder(*version, &self.name))
    }
}
