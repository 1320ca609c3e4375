//! Ways out that were tried, and what OLM does then.

use super::{Wording, listed};
use crate::queries::simulation::amend::{amend_catalog, place};
use catalog::BundleName;
use resolver::{Change, Fix, Install, Stuck, StuckAt, Subscription};
use std::sync::Arc;
use views::{ClusterForm, FixView, SubscriptionForm, Trial};

/// A row of the form, with the name that its Subscription has.
type Row = (Arc<str>, SubscriptionForm);

impl Wording<'_> {
    /// A fix; with the way to try it, if what it started from can say all of it.
    pub(in super::super) fn fix(&self, fix: &Fix) -> FixView {
        let texts: Vec<String> = fix.changes.iter().filter_map(|change| self.told(change, &fix.changes)).collect();
        FixView {
            text: texts.join("; and "),
            effects: self.effects(&fix.installs),
            place: fix.changes.iter().find_map(place).and_then(|span| self.place_of(span)),
            trial: self.trial(&fix.changes),
        }
    }

    /// One of several changes; nothing for a CSV that is deleted with its Subscription, which is told as one.
    fn told(&self, change: &Change, all: &[Change]) -> Option<String> {
        let installed = |name: &Arc<str>| self.installed().find(|(other, _)| *other == name).map(|(_, csv)| csv);
        let dropped = |other: &Change| match other {
            Change::DropSubscription { subscription } => installed(subscription).cloned(),
            _ => None,
        };
        match change {
            Change::DropSubscription { subscription } => {
                let csv =
                    installed(subscription).filter(|csv| all.contains(&Change::DeleteCsv { csv: (*csv).clone() }));
                csv.map(|csv| {
                    format!("delete Subscription `{subscription}` and its CSV `{csv}`, which uninstalls the operator")
                })
            }
            Change::DeleteCsv { csv } if all.iter().any(|other| dropped(other).as_ref() == Some(csv)) => return None,
            _ => None,
        }
        .or_else(|| Some(self.change(change)))
    }

    /// Why a Subscription silently stays where it is.
    pub(in super::super) fn stuck(&self, stuck: &Stuck) -> String {
        let Stuck { installed, head, .. } = stuck;
        match stuck.at {
            StuckAt::NotListed => format!(
                "its channel has `{head}` at the head and does not list `{installed}`: nothing leads on from there, and OLM says nothing about it"
            ),
            StuckAt::Listed => format!(
                "its channel has `{head}` at the head, but no entry on the way there updates from `{installed}`: OLM says nothing about it"
            ),
        }
    }

    fn change(&self, change: &Change) -> String {
        match change {
            Change::Channel { subscription, channel } => {
                format!("switch Subscription `{subscription}` to channel `{channel}`")
            }
            Change::Package { subscription, package } => {
                format!("let Subscription `{subscription}` name package `{package}`")
            }
            Change::Swap { subscription } => format!("exchange package and channel of Subscription `{subscription}`"),
            Change::Catalog { subscription, catalog } => {
                format!("let Subscription `{subscription}` name catalog `{}` in `{}`", catalog.name, catalog.namespace)
            }
            Change::StartingCsv { subscription, csv: Some(csv) } => {
                format!("start Subscription `{subscription}` at `{csv}`")
            }
            Change::StartingCsv { subscription, csv: None } => {
                format!("take startingCSV out of Subscription `{subscription}`")
            }
            Change::AddSubscription(added) => added_text(added),
            Change::DropSubscription { subscription } => {
                let stays = if self.installed().any(|(name, _)| name == subscription) { "; its CSV stays" } else { "" };
                format!("delete Subscription `{subscription}`{stays}")
            }
            Change::AdoptCsv { csv, subscription } => format!(
                "let Subscription `{subscription}` take over `{csv}`: set its `status.installedCSV` and `status.currentCSV`"
            ),
            Change::DeleteCsv { csv } => format!("delete the CSV `{csv}`, which uninstalls the operator"),
            Change::WidenRange { bundle, required, from, to, .. } => {
                format!("in the catalog, let `{bundle}` require `{required}` in range `{to}` instead of `{from}`")
            }
            Change::AddEdge { channel, entry, via, value, .. } => {
                format!("in the catalog, give `{entry}` of channel `{channel}` the edge `{}: {value}`", via.as_str())
            }
        }
    }

    fn effects(&self, installs: &[Install]) -> Vec<String> {
        let is_installed = |old: &&BundleName| self.installed().any(|(_, csv)| csv == *old);
        let install = |install: &Install| match install.replaces.as_ref().filter(is_installed) {
            Some(old) => format!("`{}` in place of `{old}`", install.name),
            None => format!("`{}`", install.name),
        };
        if installs.is_empty() {
            return vec!["then OLM can resolve the namespace, and all stays as it is".to_owned()];
        }
        vec![format!("then OLM installs {}", listed(installs.iter().map(install), "and"))]
    }

    /// The Subscriptions that have something, with what they have; a CSV that is gone is nothing.
    fn installed(&self) -> impl Iterator<Item = (&Arc<str>, &BundleName)> {
        let wishes = self.problem.anchors().iter().filter_map(|&id| self.problem.subscription(id));
        wishes.filter_map(|wish| Some((&wish.name, self.problem.installed(wish)?)))
    }

    /// The changes as something to try: to a catalog, to the form, or to the text of the manifests.
    pub(super) fn trial(&self, changes: &[Change]) -> Option<Trial> {
        if changes.iter().any(|change| place(change).is_some()) {
            return amend_catalog(self.workbench, changes);
        }
        match (&self.staged.form, &self.staged.text) {
            (Some(form), _) => self.fixed(form, changes).map(Trial::Form),
            (None, Some(text)) => text.amend(&self.staged.namespace, changes).map(Trial::Manifests),
            (None, None) => None,
        }
    }

    fn fixed(&self, form: &ClusterForm, changes: &[Change]) -> Option<ClusterForm> {
        let name = |at: usize| self.staged.rows.iter().find(|(_, row)| **row == at).map(|(name, _)| Arc::clone(name));
        let rows = form.subscriptions.iter().enumerate();
        let mut rows: Vec<Row> = rows.map(|(at, row)| (name(at).unwrap_or_default(), row.clone())).collect();
        changes
            .iter()
            .all(|change| apply(&mut rows, change))
            .then(|| ClusterForm { subscriptions: rows.into_iter().map(|(_, row)| row).collect() })
    }
}

fn added_text(added: &Subscription) -> String {
    let mut text = format!("add a Subscription to package `{}`", added.package);
    if let Some(channel) = &added.channel {
        text += &format!(", channel `{channel}`");
    }
    if let Some(key) = &added.catalog {
        text += &format!(", from catalog `{}`", key.name);
    }
    text
}

/// Makes a change to the rows; false if the form has no field for it.
fn apply(rows: &mut Vec<Row>, change: &Change) -> bool {
    let edit = |rows: &mut Vec<Row>, name: &Arc<str>, set: &dyn Fn(&mut SubscriptionForm)| {
        let row = rows.iter_mut().find(|(of, _)| of == name);
        row.map(|(_, form)| set(form)).is_some()
    };
    match change {
        Change::Channel { subscription, channel } => {
            edit(rows, subscription, &|form| form.channel = channel.to_string())
        }
        Change::Package { subscription, package } => {
            edit(rows, subscription, &|form| form.package = package.to_string())
        }
        Change::Swap { subscription } => {
            edit(rows, subscription, &|form| std::mem::swap(&mut form.package, &mut form.channel))
        }
        Change::Catalog { subscription, catalog } => {
            edit(rows, subscription, &|form| form.catalog = catalog.name.to_string())
        }
        Change::StartingCsv { subscription, csv } => edit(rows, subscription, &|form| {
            form.starting_csv = csv.as_ref().map(ToString::to_string).unwrap_or_default();
        }),
        Change::AdoptCsv { csv, subscription } => edit(rows, subscription, &|form| form.installed = csv.to_string()),
        Change::AddSubscription(added) => {
            rows.push((Arc::clone(&added.name), row(added)));
            true
        }
        Change::DropSubscription { subscription } => {
            // With its row the form would lose the CSV too, which stays.
            let at = rows.iter().position(|(name, form)| name == subscription && form.installed.is_empty());
            at.map(|at| rows.remove(at)).is_some()
        }
        Change::DeleteCsv { .. } | Change::WidenRange { .. } | Change::AddEdge { .. } => false,
    }
}

fn row(added: &Subscription) -> SubscriptionForm {
    SubscriptionForm {
        name: added.name.to_string(),
        package: added.package.to_string(),
        channel: added.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
        catalog: added.catalog.as_ref().map(|key| key.name.to_string()).unwrap_or_default(),
        starting_csv: added.starting_csv.as_ref().map(ToString::to_string).unwrap_or_default(),
        ..SubscriptionForm::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::Workbench;
    use crate::testing::{example, form, workbench};
    use views::{ClusterInput, FileKey, FixView, SimulationView, SubscriptionForm, TextSplice, Trial};

    /// The fixes of a conflict of the first step.
    fn fixes(view: &SimulationView) -> Vec<FixView> {
        let step = view.outcomes.first().and_then(|outcome| outcome.steps.first());
        step.and_then(|step| step.conflict.as_ref()).map(|conflict| conflict.fixes.clone()).unwrap_or_default()
    }

    fn spliced(text: &str, splices: &[TextSplice]) -> String {
        let mut text = text.to_owned();
        for splice in splices.iter().rev() {
            text.replace_range(splice.start as usize..splice.end as usize, &splice.text);
        }
        text
    }

    #[test]
    fn a_fix_that_is_tried_in_the_manifests_does_what_it_says() {
        let mut tried = 0;
        for slug in crate::queries::examples::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let (workbench, input) = example(slug);
            let ClusterInput::Manifests { text, .. } = &input else { unreachable!("an example is manifests") };
            for fix in fixes(&workbench.simulate(&input)) {
                let Some(Trial::Manifests(splices)) = fix.trial else { continue };
                let text = spliced(text, &splices);
                let input = ClusterInput::Manifests { text: text.clone(), namespace: String::new() };
                let view = workbench.simulate(&input);
                let findings = view.manifests.iter().flat_map(|read| &read.findings).count();
                assert_eq!((findings, fixes(&view)), (0, Vec::new()), "{slug}: {}\n{text}", fix.text);
                tried += 1;
            }
        }
        assert!(tried > 20, "only {tried} fixes were tried");
    }

    #[test]
    fn a_fix_that_is_tried_in_a_catalog_does_what_it_says_and_is_taken_back() {
        let (mut tried, mut left) = (0, Vec::new());
        for slug in crate::queries::examples::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let (mut workbench, input) = example(slug);
            for fix in fixes(&workbench.simulate(&input)) {
                let is_in_catalog = fix.place.is_some_and(|place| place.file != FileKey::MANIFESTS);
                let Some(Trial::Catalog { file, splices, back }) = fix.trial else {
                    left.extend(is_in_catalog.then_some(fix.text));
                    continue;
                };
                let text = |workbench: &Workbench| workbench.file(file).unwrap().1.text.clone();
                let before = text(&workbench);
                for TextSplice { start, end, text } in splices.iter().rev() {
                    workbench.edit(file, *start..*end, text);
                }
                assert_eq!(text(&workbench), spliced(&before, &splices));
                assert_eq!(fixes(&workbench.simulate(&input)), [], "{slug}: {}\n{}", fix.text, text(&workbench));
                for TextSplice { start, end, text } in back.iter().rev() {
                    workbench.edit(file, *start..*end, text);
                }
                assert_eq!(text(&workbench), before);
                tried += 1;
            }
        }
        assert_eq!((tried, left.len()), (3, 0), "{left:?}");
    }

    #[test]
    fn a_subscription_that_goes_with_its_csv_is_told_as_one() {
        let catalog = "package a c\nchannel a c a.v1.0.0\nbundle a 1.0.0 requires b >=3.0.0\npackage b c\nchannel b c b.v3.0.0>b.v2.0.0 \
                       b.v2.0.0>b.v1.0.0 b.v1.0.0\nbundle b 1.0.0\nbundle b 2.0.0\nbundle b 3.0.0";
        let row = |package: &str, installed: &str| SubscriptionForm {
            package: package.to_owned(),
            installed: installed.to_owned(),
            ..SubscriptionForm::default()
        };
        let view = workbench(&[("c", catalog)]).simulate(&form(&[row("a", ""), row("b", "b.v1.0.0")]));
        let texts: Vec<String> = fixes(&view).into_iter().map(|fix| fix.text).collect();
        let expected = "delete Subscription `b` and its CSV `b.v1.0.0`, which uninstalls the operator";
        assert!(texts.iter().any(|text| text == expected), "{texts:#?}");
    }
}
