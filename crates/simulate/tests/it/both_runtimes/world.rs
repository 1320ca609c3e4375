//! Catalogs, and a cluster on which OLM v0 and OLM v1 both have the same packages to install.

use std::collections::{BTreeMap, BTreeSet};

use catalog::{Catalog, ParsedFile, lower};
use cluster::{CatalogKey, ClusterExtension, ConditionType, Manifests};
use extension::{CatalogState, resolve};
use simulate::{Controller, Step, timeline, timelines};
use source::FileId;

/// The number of steps that a course may have.
const STEPS: usize = 8;

/// What the cluster is to have of a package: a Subscription in namespace `ns`, and a ClusterExtension of the package's name.
#[derive(Clone, Copy)]
pub(crate) struct Want {
    package: &'static str,
    installed: Option<&'static str>,
    channel: Option<&'static str>,
    range: &'static str,
    catalog: &'static str,
    selects: bool,
}

/// Any version of a package. The Subscription is for channel `stable` in catalog `c`, and the extension for all channels in
/// all catalogs.
pub(crate) fn want(package: &'static str) -> Want {
    Want { package, installed: None, channel: None, range: "", catalog: "c", selects: false }
}

impl Want {
    pub(crate) fn installed(self, version: &'static str) -> Self {
        Self { installed: Some(version), ..self }
    }

    /// The Subscription and the extension both name this channel.
    pub(crate) fn channel(self, name: &'static str) -> Self {
        Self { channel: Some(name), ..self }
    }

    /// The extension has this version range. A Subscription has no such field.
    pub(crate) fn range(self, range: &'static str) -> Self {
        Self { range, ..self }
    }

    pub(crate) fn catalog(self, name: &'static str) -> Self {
        Self { catalog: name, ..self }
    }

    /// The extension selects the catalog of the Subscription and no other one.
    pub(crate) fn selects_its_catalog(self) -> Self {
        Self { selects: true, ..self }
    }

    fn manifests(&self) -> String {
        let Self { package, installed, channel, range, catalog, selects } = self;
        let mut text = format!(
            "---\nkind: Subscription\nmetadata: {{name: {package}, namespace: ns}}\n\
             spec: {{name: {package}, channel: '{}', source: {catalog}, sourceNamespace: olm}}\n",
            channel.unwrap_or("stable")
        );
        if let Some(version) = installed {
            let csv = format!("{package}.v{version}");
            text += &format!(
                "status: {{currentCSV: {csv}, installedCSV: {csv}, state: AtLatestKnown}}\n\
                 ---\nkind: ClusterServiceVersion\nmetadata: {{name: {csv}, namespace: ns}}\n\
                 spec: {{version: {version}}}\nstatus: {{phase: Succeeded}}\n"
            );
        }
        text += &format!(
            "---\nkind: ClusterExtension\nmetadata: {{name: {package}}}\nspec:\n  namespace: ns\n  source:\n    \
             sourceType: Catalog\n    catalog:\n      packageName: {package}\n"
        );
        if let Some(channel) = channel {
            text += &format!("      channels: [{channel}]\n");
        }
        if !range.is_empty() {
            text += &format!("      version: '{range}'\n");
        }
        if *selects {
            text +=
                &format!("      selector: {{matchLabels: {{olm.operatorframework.io/metadata.name: {catalog}}}}}\n");
        }
        if let Some(version) = installed {
            text += &format!("status: {{install: {{bundle: {{name: {package}.v{version}, version: {version}}}}}}}\n");
        }
        text
    }
}

/// Catalogs and a cluster.
pub(crate) struct World {
    manifests: Manifests,
    contents: BTreeMap<String, Catalog>,
    broken: BTreeSet<String>,
}

impl World {
    /// A world with the catalog `c`.
    pub(crate) fn new(notation: &str, wants: &[Want]) -> Self {
        Self::with_catalogs(&[("c", 0, notation)], wants)
    }

    /// A world with catalogs, each with its name and priority.
    pub(crate) fn with_catalogs(catalogs: &[(&str, i32, &str)], wants: &[Want]) -> Self {
        let mut text = "kind: OperatorGroup\nmetadata: {name: og, namespace: ns}\n".to_owned();
        for (name, priority, _) in catalogs {
            text += &format!(
                "---\nkind: CatalogSource\nmetadata: {{name: {name}, namespace: olm}}\nspec: {{priority: {priority}}}\n\
                 ---\nkind: ClusterCatalog\nmetadata: {{name: {name}}}\nspec: {{priority: {priority}}}\n"
            );
        }
        text.extend(wants.iter().map(Want::manifests));
        let manifests = cluster::read(FileId(0), &text);
        assert_eq!(manifests.diagnostics, []);
        let content = |(name, _, notation): &(&str, i32, &str)| ((*name).to_owned(), read(&fixture::yaml(notation)));
        Self { manifests, contents: catalogs.iter().map(content).collect(), broken: BTreeSet::new() }
    }

    /// Nothing serves this catalog any more.
    pub(crate) fn without_server(mut self, name: &str) -> Self {
        self.broken.insert(name.to_owned());
        self.manifests.cluster.not_served.insert(CatalogKey::new(name, "olm"));
        let catalogs = self.manifests.cluster_catalogs.iter_mut();
        catalogs.filter(|catalog| catalog.name.as_str() == name).for_each(|catalog| catalog.is_served = Some(false));
        self
    }

    /// What OLM v0 does next in the namespace: the new bundles, `nothing`, or its error. Of several contradictions OLM names
    /// one by chance, so such an error ends before them.
    pub(crate) fn v0(&self) -> String {
        let snapshots = simulate::snapshots(&self.manifests.cluster, |key| self.contents.get(&*key.name));
        shown(
            timeline(&self.manifests.cluster, "ns", &snapshots, &simulate::no_modes, 1).steps.first().expect("a step"),
        )
    }

    /// All that OLM v0 does in the default order, step by step.
    pub(crate) fn v0_course(&self) -> Vec<String> {
        let snapshots = simulate::snapshots(&self.manifests.cluster, |key| self.contents.get(&*key.name));
        timeline(&self.manifests.cluster, "ns", &snapshots, &simulate::no_modes, STEPS)
            .steps
            .iter()
            .map(shown)
            .collect()
    }

    /// What OLM v0 may do next, by any order.
    pub(crate) fn v0_outcomes(&self) -> BTreeSet<String> {
        let snapshots = simulate::snapshots(&self.manifests.cluster, |key| self.contents.get(&*key.name));
        let found = timelines(&self.manifests.cluster, "ns", &snapshots, &simulate::no_modes, STEPS, 16);
        found.timelines.iter().map(|timeline| shown(timeline.steps.first().expect("a step"))).collect()
    }

    /// The bundle that OLM v1 resolves for the extension of a package, or its error.
    pub(crate) fn v1(&self, package: &str) -> String {
        let states = self.states();
        let resolution = resolve(self.extension(package), &states);
        let reversed: Vec<CatalogState<'_>> = states.iter().rev().copied().collect();
        assert_eq!(resolve(self.extension(package), &reversed), resolution, "the order of catalogs does not matter");
        resolution.outcome.map_or_else(|error| error.to_string(), |resolved| resolved.bundle.to_string())
    }

    /// The bundles that OLM v1 installs one after the other for the extension of a package, until it stays or fails.
    pub(crate) fn v1_course(&self, package: &str) -> Vec<String> {
        let line = extension::timeline(self.extension(package), &[self.states()]);
        let changes = line.iter().filter(|step| {
            matches!(
                step.change,
                extension::ReconciliationEffect::Installed | extension::ReconciliationEffect::Replaced { .. }
            )
        });
        changes.filter_map(|step| Some(step.installed.as_ref()?.name.to_string())).collect()
    }

    /// The condition about the installed bundle's deprecation that OLM v0 sets for the Subscription of a package in the end:
    /// its status and message.
    pub(crate) fn v0_bundle_deprecation(&self, package: &str) -> Option<(String, String)> {
        let cluster = &self.manifests.cluster;
        let content = |key: &CatalogKey| self.contents.get(&*key.name);
        let (snapshots, deprecations) =
            (simulate::snapshots(cluster, content), simulate::deprecations(cluster, content));
        let mut controller = Controller::new(cluster.clone(), "ns", snapshots, deprecations);
        controller.settle(200);
        let mut subscriptions = controller.cluster().subscriptions.iter();
        let subscription =
            subscriptions.find(|one| &*one.spec.name == package).expect("a Subscription for the package");
        let condition = subscription.status.conditions.get(&ConditionType::BundleDeprecated)?;
        Some((condition.status.to_string(), condition.message.to_string()))
    }

    /// The condition that OLM v1 sets instead for the extension of the package. It always sets one.
    pub(crate) fn v1_bundle_deprecation(&self, package: &str) -> (String, String) {
        let line = extension::timeline(self.extension(package), &[self.states()]);
        let condition = &line.last().expect("a reconciliation").conditions[&extension::ConditionType::BundleDeprecated];
        let status = condition.status.map_or("Unknown", |is_true| if is_true { "True" } else { "False" });
        (status.to_owned(), condition.message.to_string())
    }

    fn extension(&self, package: &str) -> &ClusterExtension {
        let mut extensions = self.manifests.cluster_extensions.iter();
        extensions.find(|extension| extension.name.as_str() == package).expect("an extension for the package")
    }

    fn states(&self) -> Vec<CatalogState<'_>> {
        let content = |name: &str| self.contents.get(name).filter(|_| !self.broken.contains(name));
        let objects = self.manifests.cluster_catalogs.iter();
        objects.map(|object| CatalogState { object, content: content(object.name.as_str()) }).collect()
    }
}

fn read(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(1), text);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

fn shown(step: &Step) -> String {
    const UNSATISFIABLE: &str = "constraints not satisfiable";
    match &step.error {
        Some(error) if error.starts_with(UNSATISFIABLE) => UNSATISFIABLE.to_owned(),
        Some(error) => error.clone(),
        None if !step.install_plan_created => "nothing".to_owned(),
        None => step.selected.iter().map(|bundle| bundle.name.to_string()).collect::<Vec<_>>().join(", "),
    }
}

/// Checks what becomes of the package `p`, with OLM v0 in its namespace and with OLM v1.
#[track_caller]
pub(crate) fn check(world: &World, v0: &str, v1: &str) {
    assert_eq!((world.v0().as_str(), world.v1("p").as_str()), (v0, v1));
}
