//! The views of answers.

use crate::suggest::{MinVersion, TrialOutcome};
use views::MinVersionView;

impl MinVersion {
    /// The answer as the page and programs get it.
    #[must_use]
    pub fn view(&self) -> MinVersionView {
        let (min_version, kept_then) = match &self.outcome {
            TrialOutcome::Found { version, kept } => (Some(version.to_string()), Some(*kept as u32)),
            TrialOutcome::Impossible(_) | TrialOutcome::Stops | TrialOutcome::GaveUp => (None, None),
        };
        MinVersionView {
            package: self.package.to_string(),
            channel: self.channel.as_ref().map(ToString::to_string),
            stranded: self.stranded as u32,
            kept: self.kept.map(|kept| kept as u32),
            min_version,
            kept_then,
            text: sentence(self),
        }
    }
}

fn sentence(found: &MinVersion) -> String {
    let place = match &found.channel {
        Some(channel) => format!("channel `{channel}` of `{}`", found.package),
        None => format!("`{}`", found.package),
    };
    let versions = |count: usize| match count {
        1 => "1 installed version".to_owned(),
        many => format!("{many} installed versions"),
    };
    let bundles = |count: usize| match count {
        1 => "1 bundle".to_owned(),
        many => format!("{many} bundles"),
    };
    let now = match (found.kept, found.stranded) {
        (None, _) => "the present configuration makes no mirror that can be served".to_owned(),
        (Some(_), 0) => "the mirror strands no installed version".to_owned(),
        (Some(_), stranded) => format!("the mirror strands {}", versions(stranded)),
    };
    let then = match (&found.outcome, found.kept, found.stranded) {
        (TrialOutcome::Found { version, kept }, Some(before), 0) if *kept < before => {
            format!("`minVersion: {version}` strands none either, with {} instead of {before}", bundles(*kept))
        }
        (TrialOutcome::Found { .. }, Some(_), 0) => "no `minVersion` makes the mirror smaller without harm".to_owned(),
        (TrialOutcome::Found { version, kept }, before, _) => {
            let before = before.map(|before| format!(" instead of {before}")).unwrap_or_default();
            format!("`minVersion: {version}` strands none, with {}{before}", bundles(*kept))
        }
        (TrialOutcome::Impossible(left), ..) => {
            let example = left.first().map(|row| format!(", such as `{}` in `{}`", row.installed, row.channel));
            format!(
                "whatever `minVersion` is, {} would be stranded{}",
                versions(left.len()),
                example.unwrap_or_default()
            )
        }
        (TrialOutcome::Stops, ..) => "no `minVersion` makes one".to_owned(),
        (TrialOutcome::GaveUp, ..) => "there are too many versions to try each as `minVersion`".to_owned(),
    };
    format!("{place}: {now}; {then}")
}
