//! The other texts of OLM, one form each: what they mean, and what helps.

mod extensions;
mod namespaces;
mod openshift;
mod operators;
mod reasons;

use crate::{Entry, state};
use regex_lite::Regex;
use source::{StateId, Verdict};
use std::sync::LazyLock;

/// A form of a text. Names in braces stand for the groups of the pattern; the group `text` is quoted as it is.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) pattern: &'static str,
    meaning: Meaning,
}

#[derive(Clone, Copy)]
enum Meaning {
    Own(Entry),
    State(StateId),
}

impl Form {
    pub(super) fn entry(&self) -> &Entry {
        match &self.meaning {
            Meaning::Own(entry) => entry,
            Meaning::State(id) => state(*id),
        }
    }
}

const fn form(
    pattern: &'static str,
    verdict: Option<Verdict>,
    meaning: &'static str,
    first: &'static str,
    never: &'static str,
) -> Form {
    Form { pattern, meaning: Meaning::Own(Entry::of_text(verdict, meaning, first, never)) }
}

/// A form of why an InstallPlan failed, which may run again once the cause is removed.
const fn of_failed_plan(pattern: &'static str, meaning: &'static str, first: &'static str) -> Form {
    let entry = Entry::of_text(Some(Verdict::Stuck), meaning, first, KEEP_CRD).that_runs_again();
    Form { pattern, meaning: Meaning::Own(entry) }
}

/// A form of what OLM says of a state.
const fn of_state(pattern: &'static str, state: StateId) -> Form {
    Form { pattern, meaning: Meaning::State(state) }
}

/// Forms of which a line has the pattern, the verdict or the state, the meaning, what helps first, what does harm, and `again` if the
/// failed InstallPlan is to run again after that, with tabs between them.
fn rows(text: &'static str) -> impl Iterator<Item = Form> {
    text.lines().map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        let (pattern, word) = (cell(), cell());
        if let Some(state) = StateId::ALL.iter().find(|state| state.id() == word) {
            return of_state(pattern, *state);
        }
        let verdicts = [Verdict::Acts, Verdict::Waits, Verdict::Passes, Verdict::Stuck, Verdict::Unknown];
        let at = ["acts", "waits", "passes", "stuck", "unknown"].iter().position(|name| *name == word);
        let entry = Entry::of_text(at.map(|at| verdicts[at]), cell(), cell(), cell());
        let entry = if cell() == "again" { entry.that_runs_again() } else { entry };
        Form { pattern, meaning: Meaning::Own(entry) }
    })
}

/// A form with the pattern as a program.
pub(super) struct Known {
    pub(super) pattern: Regex,
    pub(super) form: Form,
}

fn compiled(forms: &[&'static [Form]], others: &'static str) -> Vec<Known> {
    let one = |form: Form| Known { pattern: Regex::new(form.pattern).expect("a test compiles it"), form };
    forms.iter().copied().flatten().copied().chain(rows(others)).map(one).collect()
}

/// Forms of messages. The first one that fits a place of the text counts there.
pub(super) static MESSAGES: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let forms = &[namespaces::FORMS, operators::FORMS, extensions::FORMS, openshift::FORMS];
    compiled(forms, include_str!("known/messages.tsv"))
});
/// Forms of `type=status/reason` of conditions, and of `phase/reason` of CSVs, whose message says nothing more; each part of them
/// also stands alone.
pub(super) static REASONS: LazyLock<Vec<Known>> =
    LazyLock::new(|| compiled(&[reasons::FORMS], include_str!("known/reasons.tsv")));

const KEEP_CRD: &str = "do not delete the CustomResourceDefinition: that deletes all its objects";
const KEEP_CSVS: &str = "do not delete a CSV or the Subscription";
const GROUP: &str = "correct the OperatorGroup; OLM then goes on by itself";
const OTHER_BUNDLE: &str = "install another version: the bundle is broken";
const KEEP_CSV: &str = "do not delete the CSV: that stops the operator and repairs nothing";
const KEEP_GROUP: &str =
    "do not narrow an OperatorGroup that selects all namespaces: all its operators would lose theirs";
const ONE_OPERATOR: &str = "remove one of the two installations";
const ONE_OWNER: &str = "see whether `spec.replaces` of one names the other: versions of one operator own the API one after the other. If it \
     does not, remove the installation that does not run";
const OLDER_CSV: &str =
    "if it stays for minutes, look at the phase of the older CSV: it must be `Succeeded` to be replaced";
pub(crate) const CATALOG_POD: &str = "look at its pod, which may be starting or fail: repair the CatalogSource, or remove it if no Subscription names it (a default one of \
     OpenShift in the OperatorHub `cluster`)";
pub(crate) const PULLABLE: &str = "make the image of the bundle (not of the catalog) pullable: mirror, pull secret, platform; OLM then tries again by itself, before \
     OLM 0.43 once the failed Job in the namespace of the CatalogSource is deleted";
const PENDING: &str = "look at the InstallPlan that `status.installPlanRef` of the Subscription names: `kubectl get installplan`, with its namespace";
const LATEST: &str = "look at the phase of the CSV: `kubectl get csv`, with the namespace";
const API_PODS: &str = "look at the pods behind the APIService";
const PODS: &str = "look at the events and logs of the Deployment's pods: image, rights, resources, crashes";

// What a message of a CSV and its reason alone mean.
const SHARED_API: &str =
    "an operator of another namespace provides the same API, and both OperatorGroups select the same namespace";
const STATIC_APIS: &str = "the OperatorGroup fixes the APIs of its operators, and this CSV has others";
const OWNED_API: &str = "another CSV owns an API of this one";
const INVALID: &str = "the CSV is not valid";
const NOT_AVAILABLE: &str = "a Deployment of the CSV did not become available within five minutes; OLM tries again";
const UNFIT_GROUP: &str = "the CSV does not fit its OperatorGroup";
const NOT_CHECKED: &str = "the CSV was made a moment ago, or waits until the CSV that it replaces is `Replacing`";

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pattern compiles, and each name of a text is a group of its pattern, or in brackets.
    #[test]
    fn the_texts_use_the_groups_of_their_patterns() {
        for Known { pattern, form } in MESSAGES.iter().chain(REASONS.iter()) {
            let groups: Vec<&str> = pattern.capture_names().flatten().collect();
            let known = |name: &str| groups.contains(&name).then(|| name.to_owned());
            let (entry, [meaning, first, never]) = (form.entry(), form.entry().texts());
            assert!(entry.meaning(known).len() > meaning.split('[').next().unwrap_or_default().len() / 2, "{meaning}");
            assert_eq!(entry.first(known).is_some(), !first.is_empty(), "{first}");
            assert!(entry.never(known).is_some() || never.is_empty() || never.starts_with('['), "{never}");
        }
    }
}
