//! `set-installed-ahead`

use crate::sets::finding::Finding;
use crate::sets::installed::{Outcome, PackagePair};
use source::Rule;

pub(super) fn check(pairs: &[PackagePair<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for of in pairs {
        for (channel, rows) in of.channels_with(Outcome::Ahead) {
            let (old, new) = (of.pair.old.version, of.pair.new.version);
            let span = of.old.channel(channel.as_str()).and_then(|channel| channel.entry(rows[0].installed.as_str()));
            let head = rows[0].new.head().map(ToString::to_string).unwrap_or_default();
            let message = format!(
                "what is installed is above `{head}`, the head of the channel in the next catalog, which lags behind: it \
                 gets no updates until that catalog has a higher version with an update from it"
            );
            let span = span.map(|entry| entry.span);
            let finding = Finding::of_member(Rule::SetInstalledAhead, old, of.name, span, message);
            let rows = rows.into_iter().map(|row| of.shown(row)).collect();
            found.push(Finding { rows, ..finding.between(old, new).in_channel(channel) });
        }
    }
    found
}
