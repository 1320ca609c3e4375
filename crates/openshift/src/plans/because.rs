//! What makes a step necessary: the single fact that is nearest.

use crate::plans::csv::Csv;
use crate::plans::model::{Model, PackageAt};
use crate::plans::search::Route;
use crate::plans::state::State;
use catalog::{BundleName, ChannelName};
use source::OpenShift;
use std::rc::Rc;
use views::PlanGoal;

/// Says of the steps of one operator what makes each necessary. What happens by itself needs a reason only where OpenShift waits
/// for it.
pub(crate) fn explain(model: &Model<'_>, way: &mut Route, own: usize, goal: PlanGoal) {
    let operator = &model.operators[own];
    let first = State::first(model).operators.swap_remove(own);
    let (mut csv, mut channel) = (first.csv, first.channel);
    for act in way.acts.iter_mut().filter(|act| act.operator == own) {
        let Some(at) = model.way.iter().position(|version| *version == act.step.openshift) else { continue };
        let fact = Fact { model, own, at, csv: csv.as_deref(), channel: channel.as_ref() };
        let is_manual = act.step.what.is_manual();
        act.step.because = fact.limit().or_else(|| if is_manual { fact.of_catalogs(goal) } else { None });
        if let Some(named) = operator.at[at].as_ref().and_then(|found| named(found, &act.step.to)) {
            csv = Some(named);
        }
        channel.clone_from(&act.step.channel);
    }
}

/// The CSV of an entry with this name.
fn named(found: &PackageAt<'_>, name: &str) -> Option<Rc<Csv>> {
    let entry = found.chains.values().find_map(|chain| chain.channel.entry(name))?;
    Some(found.csv(&entry.name.value))
}

/// What an operator is before a step.
struct Fact<'f, 'c> {
    model: &'f Model<'c>,
    own: usize,
    /// The version of OpenShift, as an index into the way.
    at: usize,
    csv: Option<&'f Csv>,
    channel: Option<&'f ChannelName>,
}

impl Fact<'_, '_> {
    /// The CSV keeps OpenShift from its next version.
    fn limit(&self) -> Option<String> {
        let csv = self.csv.filter(|_| self.at + 1 < self.model.way.len())?;
        Some(format!("`{}` {}", csv.name, self.model.blocks(csv, self.at)?.sentence()))
    }

    /// The catalog of this or a later version lacks the channel or the CSV, or the goal asks for more.
    fn of_catalogs(&self, goal: PlanGoal) -> Option<String> {
        let Some(csv) = self.csv else { return Some("nothing is installed yet".to_owned()) };
        let operator = &self.model.operators[self.own];
        let later = || (self.model.way.iter().zip(&operator.at)).skip(self.at);
        let ends = |(version, found): (&OpenShift, &Option<PackageAt<'_>>)| {
            let package = &operator.subscription.spec.package;
            match (found, self.channel) {
                (None, _) => Some(format!("the catalog of {version} has no package `{package}`")),
                (Some(found), Some(channel)) if found.chain(Some(channel)).is_none() => {
                    Some(format!("the catalog of {version} has no channel `{channel}`"))
                }
                _ => None,
            }
        };
        let is_unlisted = |found: &PackageAt<'_>| goal >= PlanGoal::Listed && !found.lists(self.channel, csv);
        let unlisted = |(version, found): (&OpenShift, &Option<PackageAt<'_>>)| {
            let is_it = found.as_ref().is_some_and(is_unlisted);
            is_it.then(|| format!("the catalog of {version} does not list `{}` in its channel", csv.name))
        };
        let head = || {
            let chain = operator.at.last()?.as_ref()?.chain(self.channel)?;
            let head: &BundleName = &chain.entries[0].name.value;
            (goal == PlanGoal::Head).then(|| format!("`{head}` is the head"))
        };
        later().find_map(ends).or_else(|| unlisted(later().last()?)).or_else(head)
    }
}
