//! What OLM finds when the updates of a package change CustomResourceDefinitions: the check of OLM v1 and those of OLM v0, where
//! the catalog has the manifests, and the APIs that dependants lose.

use crate::package;
use catalog::predicate::{Gvk, Property};
use catalog::{Bundle, BundleName, Package, bundle_crd_manifests};
use cluster::InstalledBundle;
use crd_upgrade::{ApiVersion, BundleCrds, Crd, Unreadable, UpgradeOutcome, upgrade_findings, upgrade_view};
use extension::{PackageBundles, SuccessorIndex};
use session::{CatalogInput, Workbench};
use source::{FileId, LineIndex, first_and_more};
use std::collections::{BTreeMap, BTreeSet};
use views::{CrdChangesView, CrdHop, CrdRemark, CrdRemarkKind, CrdUpgradeView, FileKey, LostApi, PackageKey, Runtime};

/// The most updates that are listed.
const HOPS: usize = 200;

/// The most names of dependants that are listed for one API.
const DEPENDANTS: usize = 5;

/// The APIs that bundles require, with the packages of these bundles.
type Dependants<'w> = BTreeMap<&'w Gvk, BTreeSet<&'w str>>;

/// An update that OLM makes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Taken {
    v0: bool,
    v1: bool,
}

impl Taken {
    const fn runtime(self) -> Runtime {
        match (self.v0, self.v1) {
            (true, true) => Runtime::Both,
            (false, true) => Runtime::V1,
            (_, false) => Runtime::V0,
        }
    }
}

/// What the updates of a package do to CustomResourceDefinitions under these versions of OLM, or those from one bundle.
/// `None` without such a package.
#[must_use]
pub fn crd_changes(
    workbench: &Workbench,
    key: &PackageKey,
    from: Option<&str>,
    runtime: Runtime,
) -> Option<CrdChangesView> {
    let (catalog, package) = package(workbench, key)?;
    let taken = updates(package, from, runtime);
    let dependants = dependants(workbench);
    let mut comparer = Comparer { catalog, package, dependants: &dependants, new: None };
    let mut counts = Counts { all: taken.len(), ..Counts::default() };
    let mut hops: Vec<CrdHop> = Vec::new();
    for ((to, old), taken) in taken {
        let hop = comparer.hop(old, to, taken, from.is_some());
        counts.unknown += usize::from(hop.unknown.is_some());
        counts.with_findings += usize::from(!hop.remarks.is_empty());
        if from.is_none() && hop.remarks.is_empty() {
            continue;
        }
        let of_bundle = hops.iter_mut().rev().take_while(|other| other.to == hop.to);
        let mut same = of_bundle.filter(|other| {
            (other.runtime, &other.remarks, &other.unknown) == (hop.runtime, &hop.remarks, &hop.unknown)
        });
        match same.next() {
            Some(same) => same.from.extend(hop.from),
            None => hops.push(hop),
        }
    }
    let summary = counts.summary(hops.len());
    hops.truncate(HOPS);
    Some(CrdChangesView { summary, hops })
}

/// Where a bundle stands among those of its package: by its version, then by its name.
type Place<'c> = (Option<&'c go_semver::blang::Version>, &'c BundleName);

/// The updates by the next and the installed bundle, from old to new.
fn updates<'c>(
    package: &'c Package,
    from: Option<&str>,
    runtime: Runtime,
) -> Vec<((&'c BundleName, &'c BundleName), Taken)> {
    let mut found: BTreeMap<(Place<'c>, Place<'c>), Taken> = BTreeMap::new();
    let place = |name: &'c BundleName| (package.bundle(name.as_str()).and_then(Bundle::version), name);
    let is_included = |name: &BundleName| from.is_none_or(|from| from == name.as_str());
    if runtime.has_v0() {
        let graph = update_graph::build(package);
        for node in graph.nodes.iter().filter(|node| is_included(node.name)) {
            let Some(next) = node.next else { continue };
            let to = graph.node(next.to).name;
            found.entry((place(to), place(node.name))).or_insert(Taken { v0: false, v1: false }).v0 = true;
        }
    }
    if runtime.has_v1() {
        let bundles = PackageBundles::of_package(package);
        let lanes = package.channels.iter().map(|channel| std::slice::from_ref(&channel.name.value));
        for channels in std::iter::once(&[][..]).chain(lanes) {
            let successors = SuccessorIndex::of(&bundles, channels);
            let lists = |bundle: &&Bundle| {
                channels.iter().all(|channel| {
                    let channel = package.channel(channel.as_str());
                    channel.is_some_and(|channel| channel.entry(bundle.name.value.as_str()).is_some())
                })
            };
            for bundle in package.bundles.iter().filter(|bundle| is_included(&bundle.name.value)).filter(lists) {
                let Ok(next) = successors.next(&InstalledBundle::of(bundle)) else { continue };
                if next.is_installed_version {
                    continue;
                }
                let key = (place(&next.bundle.name.value), place(&bundle.name.value));
                found.entry(key).or_insert(Taken { v0: false, v1: false }).v1 = true;
            }
        }
    }
    found.into_iter().map(|(((_, to), (_, from)), taken)| ((to, from), taken)).collect()
}

/// The APIs that the bundles of all loaded catalogs require.
fn dependants(workbench: &Workbench) -> Dependants<'_> {
    let mut found = Dependants::new();
    let packages = workbench.catalogs().iter().flat_map(|catalog| &catalog.analysis.catalog.packages);
    for (package, property) in packages.flat_map(|package| {
        let properties = package.bundles.iter().flat_map(|bundle| &bundle.properties);
        properties.map(move |property| (package.name.as_str(), property))
    }) {
        if let Property::GvkRequired(gvk, ..) = &property.value {
            found.entry(gvk).or_default().insert(package);
        }
    }
    found
}

/// Compares bundles of a package.
struct Comparer<'w> {
    catalog: &'w CatalogInput,
    package: &'w Package,
    dependants: &'w Dependants<'w>,
    /// The last new bundle and its CustomResourceDefinitions, which are large: many updates lead to the same bundle.
    new: Option<(&'w BundleName, BundleCrds)>,
}

impl<'w> Comparer<'w> {
    fn hop(&mut self, from: &'w BundleName, to: &'w BundleName, taken: Taken, is_single: bool) -> CrdHop {
        let mut hop = CrdHop {
            from: vec![from.to_string()],
            to: to.to_string(),
            runtime: taken.runtime(),
            unknown: None,
            remarks: Vec::new(),
        };
        let bundle = |name: &BundleName| self.package.bundle(name.as_str());
        let (old, new) = match (bundle(from), bundle(to)) {
            (Some(old), Some(new)) => (old, new),
            (old, _) => {
                let missing = if old.is_none() { from } else { to };
                hop.unknown = Some(format!("the catalog has no bundle `{missing}`"));
                return hop;
            }
        };
        if taken.v0 {
            hop.remarks.extend(self.lost(old, new));
        }
        if let Some(bodiless) = [old, new].into_iter().find(|bundle| !bundle.has_objects) {
            let name = &bodiless.name;
            hop.unknown = Some(format!("the catalog does not have the manifests of `{name}`"));
            return hop;
        }
        let before = self.crds(old);
        if self.new.as_ref().is_none_or(|(name, _)| *name != to) {
            self.new = Some((to, self.crds(new)));
        }
        let Some((_, after)) = &self.new else { return hop };
        for crd in upgrade_findings(&before, after) {
            let remark = |kind, text| CrdRemark { crd: crd.name.to_string(), kind, text };
            match &crd.outcome {
                UpgradeOutcome::Compared(compared) => {
                    let required_by = |lost: &LostApi| dependants_text(self.dependants, &gvk(lost));
                    let found = compared.remarks(taken.runtime(), required_by);
                    hop.remarks.extend(found.into_iter().map(|(kind, text)| remark(kind, text)));
                }
                UpgradeOutcome::Unknown(reason) => {
                    hop.remarks.push(remark(CrdRemarkKind::Unknown, reason.to_string()));
                }
                UpgradeOutcome::New if is_single => hop.remarks.push(remark(CrdRemarkKind::New, String::new())),
                UpgradeOutcome::Gone if is_single => hop.remarks.push(remark(CrdRemarkKind::Gone, String::new())),
                UpgradeOutcome::New | UpgradeOutcome::Gone => {}
            }
        }
        hop
    }

    fn crds(&self, bundle: &Bundle) -> BundleCrds {
        let file = self.catalog.file(FileKey(bundle.span.file.0));
        let manifests = file.map(|file| bundle_crd_manifests(bundle, &file.text)).unwrap_or_default();
        BundleCrds::of_manifests(manifests.iter().map(String::as_str))
    }

    /// The APIs that the new bundle does not provide any more, as far as the properties of the bundles tell it.
    fn lost(&self, old: &'w Bundle, new: &Bundle) -> Vec<CrdRemark> {
        let kept: BTreeSet<&Gvk> = provided(new).collect();
        let lost: BTreeSet<&Gvk> = provided(old).filter(|gvk| !kept.contains(gvk)).collect();
        let remark = |gvk: &Gvk| {
            let text = format!("{} is not provided any more{}", api(gvk), dependants_text(self.dependants, gvk));
            CrdRemark { crd: String::new(), kind: CrdRemarkKind::LostApi, text }
        };
        lost.into_iter().map(remark).collect()
    }
}

fn provided(bundle: &Bundle) -> impl Iterator<Item = &Gvk> {
    bundle.properties.iter().filter_map(|property| match &property.value {
        Property::Gvk(gvk, ..) => Some(gvk),
        _ => None,
    })
}

fn gvk(LostApi { group, version, kind, .. }: &LostApi) -> Gvk {
    Gvk { group: (**group).into(), version: (**version).into(), kind: (**kind).into() }
}

fn api(Gvk { group, version, kind }: &Gvk) -> String {
    format!("`{kind}` of `{group}/{version}`")
}

/// Who requires an API, as the end of a sentence.
fn dependants_text(dependants: &Dependants<'_>, gvk: &Gvk) -> String {
    let Some(packages) = dependants.get(gvk) else { return "; no loaded package requires it".to_owned() };
    let names = first_and_more(packages.iter().map(|name| format!("`{name}`")), DEPENDANTS);
    format!("; bundles of {names} require it")
}

/// How many updates there are.
#[derive(Default)]
struct Counts {
    all: usize,
    unknown: usize,
    with_findings: usize,
}

impl Counts {
    /// Empty if there is no update.
    fn summary(&self, listed: usize) -> String {
        let Self { all, unknown, with_findings } = *self;
        let updates = |count: usize| if count == 1 { "1 update".to_owned() } else { format!("{count} updates") };
        if all == 0 {
            return String::new();
        }
        let compared = match all - unknown {
            0 => "The catalog does not have the manifests of CustomResourceDefinitions, so what updates do to them is not known: open the folder of the bundles to see it".to_owned(),
            count => format!("Compared {} of {all}, with objects taken to be stored in the version with `storage: true`", updates(count)),
        };
        let others = match unknown {
            0 => String::new(),
            count if count == all => String::new(),
            count => format!(
                ". The catalog does not have the manifests of {count}: open the folder of the bundles to see them"
            ),
        };
        let found = match with_findings {
            0 => "Nothing was found in what is known".to_owned(),
            count => format!("Something was found for {}", updates(count)),
        };
        let more = if listed > HOPS { format!(". The first {HOPS} groups are listed") } else { String::new() };
        format!("{compared}{others}. {found}{more}")
    }
}

// What OLM finds when it upgrades one CustomResourceDefinition to the next, of their texts.

/// Why two texts are not two states of one CustomResourceDefinition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrdFault {
    /// One of the texts is none that Kubernetes takes.
    Unreadable {
        is_new: bool,
        /// Line and column, if the fault has a place.
        at: Option<(u32, u32)>,
        reason: String,
    },
    /// They have these names.
    Different { old: String, new: String },
}

/// What OLM finds when it upgrades the CustomResourceDefinition of one text to that of another.
///
/// # Errors
/// When the texts are not two states of one CustomResourceDefinition.
pub fn crd_upgrade(old: &str, new: &str) -> Result<CrdUpgradeView, CrdFault> {
    let (old, new) = (read(old, false)?, read(new, true)?);
    if old.name == new.name {
        return Ok(upgrade_view(&old, &new));
    }
    Err(CrdFault::Different { old: old.name.to_string(), new: new.name.to_string() })
}

fn read(text: &str, is_new: bool) -> Result<Crd, CrdFault> {
    let crd = crd_upgrade::read(FileId(0), text).map_err(|Unreadable { span, message }| {
        let at = LineIndex::new(text).position(text, span.start);
        CrdFault::Unreadable { is_new, at: Some((at.line, at.column)), reason: message }
    })?;
    match crd.api {
        ApiVersion::V1 => Ok(crd),
        ApiVersion::V1Beta1 => Err(CrdFault::Unreadable {
            is_new,
            at: None,
            reason: "expected apiVersion `apiextensions.k8s.io/v1`, found `apiextensions.k8s.io/v1beta1`, which Kubernetes 1.22 \
                     removed"
                .to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::crd_changes;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use session::Workbench;
    use views::{CatalogId, CrdChangesView, CrdRemarkKind, PackageKey, Runtime};

    /// A bundle of package `p` with the API `Tea`, perhaps with a CustomResourceDefinition whose versions are these.
    fn bundle(version: &str, apis: &[&str], crd: Option<&str>) -> String {
        let api = |version: &&str| {
            format!("- type: olm.gvk\n  value: {{group: example.com, version: {version}, kind: Tea}}\n")
        };
        let object = crd.map(|versions| {
            let manifest = format!(
                r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"teas.example.com"}},"spec":{{"group":"example.com","scope":"Namespaced","names":{{"kind":"Tea","plural":"teas"}},"versions":[{versions}]}}}}"#
            );
            format!("- type: olm.bundle.object\n  value: {{data: {}}}\n", STANDARD.encode(manifest))
        });
        format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\nproperties:\n- type: olm.package\n  value: {{packageName: p, version: {version}}}\n{}{}",
            apis.iter().map(api).collect::<String>(),
            object.unwrap_or_default()
        )
    }

    fn version(name: &str, is_stored: bool, field: &str) -> String {
        format!(
            r#"{{"name":"{name}","served":true,"storage":{is_stored},"schema":{{"openAPIV3Schema":{{"type":"object","properties":{{"spec":{field}}}}}}}}}"#
        )
    }

    const CHANNEL: &str = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v3.0.0, replaces: p.v2.0.0}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0}\n";

    /// What a package with three bundles shows, the last of them without manifests.
    fn changes(from: Option<&str>, runtime: Runtime) -> CrdChangesView {
        let old = version("v1", true, r#"{"type":"string"}"#);
        let new = version("v2", true, r#"{"type":"string","maxLength":3}"#);
        let both = format!("{},{new}", version("v1", false, r#"{"type":"string","maxLength":3}"#));
        let text = format!(
            "{CHANNEL}{}{}{}",
            bundle("1.0.0", &["v1"], Some(&old)),
            bundle("2.0.0", &["v1", "v2"], Some(&both)),
            bundle("3.0.0", &["v2"], None)
        );
        let dependant = "schema: olm.package\nname: q\ndefaultChannel: c\n---\nschema: olm.channel\npackage: q\nname: c\nentries:\n- {name: q.v1.0.0}\n---\nschema: olm.bundle\npackage: q\nname: q.v1.0.0\nimage: i\nproperties:\n- type: olm.package\n  value: {packageName: q, version: 1.0.0}\n- type: olm.gvk.required\n  value: {group: example.com, version: v1, kind: Tea}\n";
        let mut workbench = Workbench::new();
        for (name, text) in [("c", text), ("d", dependant.to_owned())] {
            workbench.add_text(name, "catalog.yaml", text);
        }
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        crd_changes(&workbench, &key, from, runtime).unwrap()
    }

    fn kinds(view: &CrdChangesView) -> Vec<(String, Vec<CrdRemarkKind>)> {
        let row = |hop: &views::CrdHop| {
            let names = format!("{} {}", hop.from.join(" "), hop.to);
            (names, hop.remarks.iter().map(|remark| remark.kind).collect())
        };
        view.hops.iter().map(row).collect()
    }

    #[test]
    fn each_update_has_the_findings_of_the_olm_that_makes_it() {
        let both = changes(None, Runtime::Both);
        let first = "p.v1.0.0 p.v2.0.0".to_owned();
        let lost = ("p.v2.0.0 p.v3.0.0".to_owned(), vec![CrdRemarkKind::LostApi]);
        let expected = [(first.clone(), vec![CrdRemarkKind::Refused, CrdRemarkKind::PlanMayFail]), lost.clone()];
        assert_eq!(kinds(&both), expected);
        let crds: Vec<_> = both.hops[0].remarks.iter().map(|remark| (&*remark.crd, &*remark.text)).collect();
        let v1 = "v1: ^.spec: maxLength: maximum constraint added when there was none previously : 3";
        assert!(crds.iter().all(|(name, _)| *name == "teas.example.com"), "{crds:?}");
        assert_eq!(crds[0].1, v1);
        assert_eq!(kinds(&changes(None, Runtime::V0)), [(first.clone(), vec![CrdRemarkKind::PlanMayFail]), lost]);
        assert_eq!(kinds(&changes(None, Runtime::V1)), [(first, vec![CrdRemarkKind::Refused])]);
    }

    #[test]
    fn what_the_catalog_does_not_have_is_not_known() {
        let view = changes(Some("p.v2.0.0"), Runtime::Both);
        assert_eq!(view.hops.len(), 1);
        assert_eq!(view.hops[0].unknown.as_deref(), Some("the catalog does not have the manifests of `p.v3.0.0`"));
        assert_eq!(
            view.hops[0].remarks[0].text,
            "`Tea` of `example.com/v1` is not provided any more; bundles of `q` require it"
        );
        assert!(view.summary.starts_with("The catalog does not have the manifests"), "{view:?}");
        assert!(view.summary.ends_with("Something was found for 1 update"), "{view:?}");
        assert_eq!(changes(Some("p.v3.0.0"), Runtime::Both), CrdChangesView::default());
        let all = changes(None, Runtime::Both).summary;
        assert!(all.starts_with("Compared 1 update of 2, ") && all.contains("the manifests of 1: open"), "{all}");
    }
}
