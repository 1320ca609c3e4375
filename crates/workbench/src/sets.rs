//! Catalogs for several versions of OpenShift among the inputs. Their members are no catalogs of the cluster until they are opened
//! as such.

use crate::ReadSet;
use crate::checked_set::changes;
use crate::input::Workbench;
use crate::pairing::{release, sets_of_sources};
use crate::queries::{PlanSources, subscribed_cluster};
use crate::set_input::SetInput;
use cluster::CatalogKey;
use openshift::sets::{CatalogSet, Loading, Member, check};
use report::{plans, to_markdown};
use source::{Executor, OpmVersion};
use std::cell::OnceCell;
use views::{OpenShift, PlanQuery, PlansView, SetId, SetRow, SetView, SubscriptionForm};

/// The CatalogSource of a plan without manifests.
const SOURCE: &str = "catalog";

impl Workbench {
    /// Adds a set, or puts it in the place of one.
    pub(crate) fn put_set(
        &mut self,
        known: Option<SetId>,
        name: &str,
        set: CatalogSet,
        waiting: Vec<OpenShift>,
    ) -> SetId {
        let id = known.unwrap_or_else(|| {
            self.next_set += 1;
            SetId(self.next_set - 1)
        });
        let before = self.sets.iter().find(|known| known.id == id);
        let is_baseline = before.is_some_and(|before| before.is_baseline);
        let mut input = SetInput { id, name: name.to_owned(), set, waiting, is_baseline, findings: OnceCell::new() };
        if self.opm() != OpmVersion::NEWEST {
            input.judge(self.opm());
        }
        match self.sets.iter_mut().find(|known| known.id == id) {
            Some(known) => *known = input,
            None => self.sets.push(input),
        }
        id
    }

    /// Shows the members that are complete while a set is read, if several are and have a package in common. `coming` are the paths of
    /// the files that are not added yet; `known` is the id that it has from the last time.
    pub fn preview_set(
        &mut self,
        known: Option<SetId>,
        name: &str,
        loading: &mut Loading,
        coming: &[&str],
    ) -> Option<SetId> {
        if !loading.has_several_catalogs() {
            return known;
        }
        let set = loading.preview(coming);
        let is_known = |version: &OpenShift| {
            set.member(*version).is_some() || set.holes.iter().any(|hole| hole.version == *version)
        };
        let waiting = loading.versions().into_iter().filter(|version| !is_known(version)).collect();
        if set.is_set() { Some(self.put_set(known, name, set, waiting)) } else { known }
    }

    /// Removes a set.
    pub fn remove_set(&mut self, id: SetId) {
        self.sets.retain(|input| input.id != id);
    }

    /// The sets, in the order they were added.
    #[must_use]
    pub fn sets(&self) -> &[SetInput] {
        &self.sets
    }

    /// The sets as rows of a list.
    pub(crate) fn set_rows(&self) -> Vec<SetRow> {
        let row = |input: &SetInput| SetRow {
            id: input.id,
            name: input.name.clone(),
            versions: input.set.members.iter().map(|member| member.version).collect(),
            packages: input.set.packages().len() as u32,
            is_baseline: input.is_baseline,
        };
        self.sets.iter().map(row).collect()
    }

    /// A set with what is wrong with it.
    #[must_use]
    pub fn set_view(&self, id: SetId) -> SetView {
        let Some(input) = self.sets.iter().find(|input| input.id == id) else { return SetView::default() };
        let findings = input.findings.get_or_init(|| check(&input.set, Executor::default()));
        let view = input.set.view(id, findings, &input.waiting, str::to_owned);
        let is_whole = input.waiting.is_empty() && !input.is_baseline;
        let before = self.baseline_set().filter(|before| is_whole && before.waiting.is_empty());
        let changes = before.map(|before| changes(&before.set, &input.set, Executor::default()));
        SetView { before: before.map(|before| before.id), changes, ..view }
    }

    /// The set that others are compared with.
    fn baseline_set(&self) -> Option<&SetInput> {
        self.sets.iter().find(|input| input.is_baseline)
    }

    /// Makes a set the one that others are compared with, or one of its own again.
    pub fn set_baseline_set(&mut self, id: SetId, is_baseline: bool) {
        for input in &mut self.sets {
            input.is_baseline = if input.id == id { is_baseline } else { input.is_baseline && !is_baseline };
        }
    }

    /// Plans of an update of OpenShift for the cluster of the manifests; if it has no operators, for every head of a channel.
    ///
    /// # Errors
    /// When no set is open or one is still being read, or no updates of OpenShift lead from one version to the other.
    pub fn plan(&self, query: &PlanQuery) -> Result<PlansView, String> {
        if let Some(input) = self.sets.iter().find(|input| !input.waiting.is_empty()) {
            return Err(format!(
                "The catalogs for OpenShift {} are still being read.",
                OpenShift::list(&input.waiting)
            ));
        }
        let all: Vec<_> = self.sets.iter().map(|input| (None, &input.set)).collect();
        self.plan_of(&all, &[], query)
    }

    /// The same as a checklist in Markdown.
    ///
    /// # Errors
    /// As [`Workbench::plan`].
    pub fn plan_report(&self, query: &PlanQuery) -> Result<String, String> {
        Ok(to_markdown(&plans(&self.plan(query)?)))
    }

    /// The same with other sets, some of them for the CatalogSource of a name. Without operators in the manifests the plans are for
    /// these Subscriptions, if there are any.
    ///
    /// # Errors
    /// When no updates of OpenShift lead from one version to the other, the manifests have no CatalogSource of a name, or no catalog
    /// has what a Subscription names.
    pub fn plan_with(
        &self,
        sets: &[(Option<&str>, &ReadSet)],
        subscribed: &[SubscriptionForm],
        query: &PlanQuery,
    ) -> Result<PlansView, String> {
        let all: Vec<_> = sets.iter().map(|(name, read)| (*name, &read.set)).collect();
        self.plan_of(&all, subscribed, query)
    }

    fn plan_of(
        &self,
        all: &[(Option<&str>, &CatalogSet)],
        subscribed: &[SubscriptionForm],
        query: &PlanQuery,
    ) -> Result<PlansView, String> {
        let cluster = &self.cluster_manifests().1.cluster;
        let cluster = Some(cluster).filter(|cluster| !cluster.subscriptions.is_empty() || !cluster.csvs.is_empty());
        let no_catalogs = "no catalogs for several versions of OpenShift are open";
        let first = all.first().map(|(_, set)| *set);
        if first.is_none() && cluster.is_none() {
            return Err(no_catalogs.to_owned());
        }
        let sets = match cluster {
            Some(cluster) => sets_of_sources(cluster, all),
            None => {
                let unnamed = all.iter().find(|(name, _)| name.is_none()).map(|(_, set)| (SOURCE, *set));
                let named = all.iter().filter_map(|(name, set)| Some(((*name)?, *set)));
                unnamed.into_iter().chain(named).map(|(name, set)| (CatalogKey::new(name, "olm"), set)).collect()
            }
        };
        let is_unused = |name: &&str| sets.keys().all(|key| *key.name != **name);
        if let Some(name) = all.iter().filter_map(|(name, _)| *name).find(is_unused) {
            return Err(format!("the manifests have no CatalogSource named `{name}`"));
        }
        let members = first.map(|set| &set.members[..]).unwrap_or_default();
        let present = cluster.and_then(release);
        let of_set = |member: Option<&Member>| member.map(|member| member.version);
        // Without a cluster the last update of OpenShift, which is the next one for most.
        let before_last = members.len().checked_sub(2).and_then(|at| members.get(at)).or(members.first());
        let from = query.from.or(present).or(of_set(before_last)).ok_or(no_catalogs)?;
        let to = query.to.or(of_set(members.last())).filter(|to| *to >= from).unwrap_or(from);
        let query = PlanQuery { from: Some(from), to: Some(to), ..query.clone() };
        let sources = PlanSources::of(&sets, from, to)?;
        Ok(match cluster {
            Some(_) => {
                let (cluster, states) = self.standing_cluster(sources.first_snapshots());
                sources.plan(&cluster, &states, &query)
            }
            None if subscribed.is_empty() => sources.plan_heads(&query),
            None => sources.plan(&subscribed_cluster(subscribed, &sources.catalogs())?, &[], &query),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::set_of;
    use crate::{NewText, Workbench};
    use views::{AuthoringInput, Deprecatee, OpenShift, PlanQuery};

    #[test]
    fn findings_about_the_repository_are_no_findings_about_clusters() {
        let entry = "schema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1.0.0}]\n---\n\
                     schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: i\n\
                     properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]\n";
        let catalog = format!("schema: olm.package\nname: p\ndefaultChannel: c\n---\n{entry}");
        let ci = "fbc:\n  enabled: true\n  catalog_mapping:\n  - template_name: basic.yaml\n    \
                  type: olm.template.basic\n    catalog_names: [v4.20, v4.21, '4.22']\n";
        let (workbench, id) = set_of(&[
            ("catalogs/v4.20/p/catalog.yaml", &catalog),
            ("catalogs/v4.21/p/catalog.yaml", &catalog),
            ("operators/p/ci.yaml", ci),
        ]);
        let view = workbench.set_view(id);
        assert_eq!(view.sentence, "The package leaves nobody behind on the way from 4.20 to 4.21.");
        let found: Vec<_> = view.findings.iter().map(|found| (&*found.id, found.is_about_repository)).collect();
        assert_eq!((found, view.matrix[0].cells[0].worst), (vec![("set-mapping-name", true)], None));
    }

    #[test]
    fn bundle_directories_are_a_set() {
        let file = |path: &str, text: String| NewText { path: path.to_owned(), content: Ok(text.into()) };
        let tree = |first: &str| {
            let bundle = |version: &str, openshift: &str, edge: &str| {
                let annotations = format!(
                    "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                     operators.operatorframework.io.bundle.channels.v1: c\n  com.redhat.openshift.versions: {openshift}\n"
                );
                let csv = format!(
                    "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}}}\nspec: {{version: {version}{edge}}}\n"
                );
                let path = |rest: &str| format!("operators/p/{version}/{rest}");
                [file(&path("manifests/csv.yaml"), csv), file(&path("metadata/annotations.yaml"), annotations)]
            };
            [bundle("1.0.0", "v4.18", ""), bundle("1.1.0", first, ", replaces: p.v1.0.0")].concat()
        };
        let mut workbench = Workbench::new();
        workbench.open_files("repository", tree("v4.18-v4.20"), &mut Vec::new());
        let id = workbench.sets()[0].id;
        let view = workbench.set_view(id);
        let found: Vec<&str> = view.findings.iter().map(|found| &*found.id).collect();
        assert_eq!(found, ["set-installed-ahead", "bundle-range-ends"]);
        let four_21 = OpenShift { major: 4, minor: 21 };
        let [member] = &workbench.member_files(id, four_21)[..] else { panic!("one package") };
        let text = String::from_utf8(member.content.clone().expect("it is made")).expect("it is text");
        assert!(member.path == "p.yaml" && text.contains("p.v1.0.0") && !text.contains("p.v1.1.0"), "{text}");
        let query =
            PlanQuery { from: Some(OpenShift { major: 4, minor: 20 }), to: Some(four_21), ..PlanQuery::default() };
        let plans = workbench.plan(&query).expect("both versions are made").plans;
        let heads: Vec<_> = plans.iter().map(|plan| (&*plan.installed, plan.reason.is_none())).collect();
        assert_eq!(heads, [("p.v1.1.0", false)], "the next catalog does not list it");
        let what =
            AuthoringInput::Deprecate { package: "p".to_owned(), what: Deprecatee::Package, message: "m".to_owned() };
        let written = workbench.written(id, &what, None);
        assert_eq!(written.catalogs[0].reason.as_ref().map(|reason| &*reason.id), Some("not-editable"));
        // Without annotations, all are in the catalogs of all versions.
        let unstated = |file: &NewText| NewText {
            path: file.path.clone(),
            content: file
                .content
                .clone()
                .map(|text| String::from_utf8_lossy(&text).replace("com.redhat", "com.example").into()),
        };
        let mut workbench = Workbench::new();
        workbench.open_files("repository", tree("v4.18").iter().map(unstated).collect(), &mut Vec::new());
        assert_eq!((workbench.sets().len(), workbench.catalogs().len()), (0, 1));
    }

    #[test]
    fn a_plan_names_operators_that_fail_already() {
        let catalog = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\n\
                       entries: [{name: p.v1.0.0}]\n---\nschema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: i\n\
                       properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}, {type: olm.csv.metadata, \
                       value: {installModes: [{type: AllNamespaces, supported: true}]}}]\n";
        let (mut workbench, _) = set_of(&[("catalogs/v4.20/p.yaml", catalog), ("catalogs/v4.21/p.yaml", catalog)]);
        let cluster = "---\nkind: Subscription\nmetadata: {name: p, namespace: kitchen}\nspec: {name: p, channel: c, source: s, \
                       sourceNamespace: olm}\nstatus: {installedCSV: p.v1.0.0}\n---\nkind: OperatorGroup\n\
                       metadata: {name: g, namespace: kitchen}\nspec: {targetNamespaces: [kitchen]}\n---\n\
                       kind: ClusterServiceVersion\nmetadata: {name: p.v1.0.0, namespace: kitchen}\n\
                       spec: {version: 1.0.0}\n";
        let mut notices = |cluster: &str| {
            workbench.set_cluster(cluster);
            workbench.plan(&PlanQuery::default()).expect("both versions are loaded").notices.join("\n")
        };
        let fails = "`p.v1.0.0` in namespace `kitchen` fails (`UnsupportedOperatorGroup`: ";
        let told = notices(cluster);
        assert!(told.starts_with(fails), "the bundle tells the install modes: {told}");
        let modes = "version: 1.0.0, installModes: [{type: OwnNamespace, supported: true}]";
        let own = cluster.replace("version: 1.0.0", modes);
        assert_eq!(notices(&own), "", "the CSV tells them");
        assert!(notices(&own.replace("true", "false")).starts_with(fails));
    }
}
