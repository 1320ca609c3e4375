//! The other texts of OLM, one form each: what they mean, and what helps.

mod extensions;
mod namespaces;
mod operators;
mod reasons;

use regex_lite::Regex;
use source::Verdict;
use std::sync::LazyLock;

/// A form of a text. Names in braces stand for the groups of the pattern; the group `text` is quoted as it is.
pub(super) struct Form {
    pub(super) pattern: &'static str,
    /// Absent if the text does not tell.
    pub(super) verdict: Option<Verdict>,
    pub(super) meaning: &'static str,
    /// What to do first; empty if nothing is to be done.
    pub(super) first: &'static str,
    /// What does harm; empty if nothing special.
    pub(super) never: &'static str,
}

const fn form(
    pattern: &'static str,
    verdict: Option<Verdict>,
    meaning: &'static str,
    first: &'static str,
    never: &'static str,
) -> Form {
    Form { pattern, verdict, meaning, first, never }
}

/// A form with the pattern as a program.
pub(super) struct Known {
    pub(super) pattern: Regex,
    pub(super) form: &'static Form,
}

fn compiled(forms: &[&'static [Form]]) -> Vec<Known> {
    let one = |form: &'static Form| Known { pattern: Regex::new(form.pattern).expect("a test compiles it"), form };
    forms.iter().copied().flatten().map(one).collect()
}

/// Forms of messages. The first one that fits a place of the text counts there.
pub(super) static MESSAGES: LazyLock<Vec<Known>> =
    LazyLock::new(|| compiled(&[namespaces::FORMS, operators::FORMS, extensions::FORMS]));
/// Forms of `type=status/reason` of conditions, and of `phase/reason` of CSVs, whose message says nothing more.
pub(super) static REASONS: LazyLock<Vec<Known>> = LazyLock::new(|| compiled(&[reasons::FORMS]));

const KEEP_CRD: &str = "do not delete the CustomResourceDefinition: that deletes all its objects";
const KEEP_CSVS: &str = "do not delete a CSV or the Subscription";
const GROUP: &str = "correct the OperatorGroup; OLM then goes on by itself";
const OTHER_BUNDLE: &str = "install another version: the bundle is broken";
const PODS: &str = "look at the events and logs of the Deployment's pods: image, rights, resources, crashes";

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pattern compiles, and each name of a text is a group of its pattern.
    #[test]
    fn the_texts_use_the_groups_of_their_patterns() {
        for Known { pattern, form } in MESSAGES.iter().chain(REASONS.iter()) {
            let groups: Vec<String> = pattern.capture_names().flatten().map(|name| format!("{{{name}}}")).collect();
            for text in [form.meaning, form.first, form.never] {
                let used = text.split_inclusive('}').filter_map(|part| Some(&part[part.find('{')?..]));
                assert!(used.clone().all(|name| groups.iter().any(|group| group == name)), "{}: {text}", form.pattern);
            }
        }
    }
}
