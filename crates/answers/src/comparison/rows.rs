//! The rows of a package as programs get them.

use catalog::BundleName;
use compare::{ChannelState, Compared, Path, Row, Rule, UpdatedBy, shortened};
use report::contract::{ComparedExtension, ComparedRow, ComparedSubscription, ExtensionPath, SubscriptionPath};
use session::Comparison;
use std::collections::BTreeMap;

/// The most updates of a row that are listed.
const HOPS: usize = 40;

/// A row for each channel and listed entry of the state before.
pub(super) fn rows(comparison: &Comparison<'_>, found: &Compared) -> Vec<ComparedRow> {
    let extensions: BTreeMap<_, &Row> = found.comparison.extensions().map(|row| (row.key(), row)).collect();
    let of_any: BTreeMap<_, &Row> = (found.comparison.extensions())
        .filter(|row| row.updated_by == UpdatedBy::Extension)
        .map(|row| (&row.installed, row))
        .collect();
    let extension = |row: &Row| {
        let all = of_any.get(&row.installed)?;
        Some([*all, *extensions.get(&(UpdatedBy::ExtensionOfChannel, &row.channel, &row.installed))?])
    };
    let served = found.unserved.as_deref().unwrap_or(found);
    let rows = served.comparison.subscriptions().map(|row| {
        let v0 = || ComparedSubscription {
            rule: row.rule.map(|rule| rule.id().to_owned()),
            level: comparison.level(served, row),
            old: subscription_path(row, &row.old),
            new: subscription_path(row, &row.new),
        };
        let extension = extension(row);
        let v1 = |state: fn(&Row) -> &Path| {
            let [all, channel] = extension?.map(|row| extension_path(state(row)));
            Some(ComparedExtension { all, channel })
        };
        let worst =
            extension.and_then(|rows| rows.into_iter().filter(|row| row.rule.is_some()).min_by_key(|row| row.rule));
        ComparedRow {
            channel: row.channel.to_string(),
            installed: row.installed.to_string(),
            v0: comparison.runtime.has_v0().then(v0),
            v1_old: v1(|row| &row.old),
            v1_new: v1(|row| &row.new),
            v1_rule: worst.and_then(|row| row.rule).map(Rule::id).map(str::to_owned),
            v1_level: worst.and_then(|row| comparison.level(found, row)),
        }
    });
    rows.collect()
}

fn hops(path: &Path) -> Vec<String> {
    path.names().take(HOPS).map(BundleName::to_string).collect()
}

/// How many updates are not listed.
fn more(path: &Path) -> Option<usize> {
    path.len.checked_sub(HOPS).filter(|more| *more > 0)
}

fn subscription_path(row: &Row, path: &Path) -> SubscriptionPath {
    SubscriptionPath {
        state: match path.state {
            ChannelState::PackageGone => "pkg-gone",
            ChannelState::ChannelGone => "chan-gone",
            ChannelState::Broken => "graph-broken",
            ChannelState::Served { .. } => "ok",
        },
        hops: hops(path),
        more: more(path),
        repeats: path.repeats && path.len <= HOPS,
        cap: path.len > HOPS,
        end: path.end(&row.installed).to_string(),
        error: path.error_text().map(|text| shortened(text).into_owned()),
    }
}

fn extension_path(path: &Path) -> ExtensionPath {
    ExtensionPath {
        next: path.answer().map(ToString::to_string),
        hops: hops(path),
        more: more(path),
        error: path.first_error().map(|error| shortened(&error.text).into_owned()),
    }
}
