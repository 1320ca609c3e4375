//! The sentences that the page and all reports share.

use super::{Compared, Comparison};
use catalog::{BundleName, ChannelName};
use compare::{
    Dependency, FateEnd, Group, Hop, Path, Row, SUBSCRIPTION, SubscriptionComparison, SubscriptionFate, VerifiedFix,
    counted, shortened,
};
use views::{Level, NamespaceFailureRow, OpenShiftView, SubscriptionRow};

/// The channels of an extension that names none.
const ANY_CHANNEL: &str = "any channel";

/// The most updates of a path that a text lists from its start.
const SHOWN_HOPS: usize = 12;

/// The most packages that a line names.
const NAMED: usize = 5;

/// What happens to installed versions, and how many other changes there are.
#[must_use]
pub fn sentence(comparison: &Comparison<'_>, found: &Compared) -> String {
    format!("{}: {}", found.found.package, happens(comparison, found))
}

/// The same without the name of the package.
#[must_use]
pub fn happens(comparison: &Comparison<'_>, found: &Compared) -> String {
    let mut runtimes = Vec::new();
    if comparison.runtime.has_v0() {
        runtimes.push(compare::sentence(&found.found, |row| comparison.level(found, row).is_some()));
    }
    if comparison.runtime.has_v1() {
        runtimes.push(extension_sentence(comparison, found));
    }
    let rows = runtimes.join("; ");
    let others = match comparison.changes(found).len() {
        0 => String::new(),
        1 => "; 1 other change".to_owned(),
        many => format!("; {many} other changes"),
    };
    let hidden = match comparison.hidden(found) {
        0 => String::new(),
        many => format!("; {many} hidden by comments or levels"),
    };
    rows + &others + &hidden
}

/// What happens to installed versions under OLM v1.
fn extension_sentence(comparison: &Comparison<'_>, found: &Compared) -> String {
    let counted = counted(&found.found, |row| comparison.level(found, row).is_some());
    format!("OLM v1: {}", counted.unwrap_or_else(|| "nothing changes for what is installed".to_owned()))
}

/// The updates of OLM v1, one after the other, or its error.
fn hops_text(path: &Path) -> String {
    let mut hops: Vec<String> = path.hops().take(SHOWN_HOPS).map(|hop| hop_label(&hop)).collect();
    let more = path.len.saturating_sub(SHOWN_HOPS + 1);
    hops.extend((more > 0).then(|| format!("{more} more")));
    hops.extend(path.last().filter(|_| path.len > SHOWN_HOPS).map(last_label));
    let hops = hops.join(" → ");
    match (&path.error, path.repeats) {
        (Some(error), _) if hops.is_empty() => shortened(&error.text).into_owned(),
        (Some(error), _) => format!("{hops}, then {}", shortened(&error.text)),
        (None, true) => format!("{hops}, and again"),
        (None, false) if hops.is_empty() => "stays".to_owned(),
        (None, false) => hops,
    }
}

/// The channel that the Subscription or the extension of a row names.
#[must_use]
pub fn channel_text(row: &Row) -> &str {
    row.named_channel().map_or(ANY_CHANNEL, ChannelName::as_str)
}

/// Which versions with which channel a group is about.
#[must_use]
pub fn group_title(group: &Group<'_>) -> String {
    let runtime = if group.first.updated_by.is_v1() { " under OLM v1" } else { "" };
    format!("{} in {}{runtime}", versions(group), channel_text(group.first))
}

/// What the rule of a group says, without the full stop, where the updates of OLM v1 before and after do not show a difference.
#[must_use]
pub fn difference(group: &Group<'_>) -> Option<&'static str> {
    let Row { old, new, updated_by, .. } = group.first;
    let is_alike = updated_by.is_v1() && hops_text(old) == hops_text(new);
    is_alike.then(|| group.rule.about().trim_end_matches('.'))
}

/// How many rows and other changes of all packages have each level, the worst first; `None` if there are none.
#[must_use]
pub fn totals(comparison: &Comparison<'_>) -> Option<String> {
    let levels = comparison.levels();
    let worst_first = levels.iter().rev();
    let parts: Vec<String> = worst_first.map(|(level, count)| format!("{count} {}", level.as_str())).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// How many packages do not change.
#[must_use]
pub fn unchanged(comparison: &Comparison<'_>) -> Option<String> {
    match comparison.packages.iter().filter(|found| comparison.is_unchanged(found)).count() {
        0 => None,
        1 => Some("1 package: nothing changes for what is installed".to_owned()),
        many => Some(format!("{many} packages: nothing changes for what is installed")),
    }
}

/// Which packages are new.
#[must_use]
pub fn added(comparison: &Comparison<'_>) -> Option<String> {
    let some = comparison.added.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match comparison.added.len() {
        0 => None,
        1 => Some(format!("1 package is new: {some}")),
        many @ 2..=NAMED => Some(format!("{many} packages are new: {some}")),
        many => Some(format!("{many} packages are new: {some} and {} more", many - NAMED)),
    }
}

/// That causes and fixes were not searched to the end, after all findings were asked for.
#[must_use]
pub fn unsearched(comparison: &Comparison<'_>) -> Option<String> {
    let groups = number_of_groups(comparison.unsearched())?;
    Some(format!("Causes and fixes of {groups} were not searched to the end, because that would take too long"))
}

/// That the search was stopped before it came to so many groups; `None` if it had none left.
#[must_use]
pub fn stopped(groups: usize) -> Option<String> {
    let groups = number_of_groups(groups)?;
    Some(format!("Causes and fixes of {groups} were not searched, because the search was stopped"))
}

fn number_of_groups(groups: usize) -> Option<String> {
    match groups {
        0 => None,
        1 => Some("1 group".to_owned()),
        many => Some(format!("{many} groups")),
    }
}

/// How many packages are not mirrored.
#[must_use]
pub fn unmirrored(comparison: &Comparison<'_>) -> Option<String> {
    match comparison.unmirrored.len() {
        0 => None,
        1 => Some("1 package of the catalog is not mirrored".to_owned()),
        many => Some(format!("{many} packages of the catalog are not mirrored")),
    }
}

/// A fix, and who is still harmed with it.
#[must_use]
pub fn fix_text(found: &VerifiedFix) -> String {
    let then = found.effect.as_ref().map(|then| format!("; then {then}")).unwrap_or_default();
    found.fix.describe() + &then
}

/// The versions of a group.
#[must_use]
pub fn versions(group: &Group<'_>) -> String {
    let version = |row: &&&Row| (row.version.clone(), row.installed.clone());
    let ends = group.rows.iter().min_by_key(version).zip(group.rows.iter().max_by_key(version));
    match ends.filter(|_| group.rows.len() > 1) {
        Some((oldest, newest)) => format!("{} to {} ({} versions)", label(oldest), label(newest), group.rows.len()),
        None => label(group.first),
    }
}

/// The version of a row; its name if it has none.
#[must_use]
pub fn label(row: &Row) -> String {
    row.version.as_ref().map_or_else(|| row.installed.to_string(), ToString::to_string)
}

/// Which versions, what becomes of them, and by which rule.
#[must_use]
pub fn group_text(group: &Group<'_>) -> String {
    let (first, rule) = (group.first, group.rule.id());
    let which = format!("{} in {}", versions(group), channel_text(first));
    let [before, after] = [&first.old, &first.new].map(|path| outcome_text(first, path));
    if first.updated_by.is_v1() {
        return match difference(group) {
            Some(about) => format!("OLM v1: {which}: {after} as before. {about} ({rule})"),
            None => format!("OLM v1: {which}: {after}; before: {before} ({rule})"),
        };
    }
    let before = if group.rows.len() == 1 { format!("; before: {before}") } else { String::new() };
    format!("{which}: {after}{before} ({rule})")
}

/// OLM's error of a row, whose Subscription has no name that anybody knows.
fn shown(error: &str) -> String {
    shortened(error).replace(&format!("subscription {SUBSCRIPTION}"), "subscription <name>")
}

/// What becomes of a row: where the updates of OLM v0 end, or those of OLM v1 one after the other.
#[must_use]
pub fn outcome_text(row: &Row, path: &Path) -> String {
    if row.updated_by.is_v1() {
        return hops_text(path);
    }
    match (path.error_text(), path.last()) {
        (Some(error), _) => format!("error: {}", shown(error)),
        (None, None) if path.head().is_some_and(|head| *head == row.installed) => "the head".to_owned(),
        (None, None) => "stuck, and OLM reports nothing".to_owned(),
        (None, Some(_)) if path.repeats => "the updates repeat forever".to_owned(),
        (None, Some(last)) => format!("updated to {}", last_label(last)),
    }
}

/// The same for a table.
#[must_use]
pub fn outcome_label(row: &Row, path: &Path) -> String {
    let is_v0_stuck = !row.updated_by.is_v1() && path.error.is_none() && path.is_empty();
    if is_v0_stuck && path.head() != Some(&row.installed) { "stuck".to_owned() } else { outcome_text(row, path) }
}

/// The version that an update leads to; its name if it has none.
#[must_use]
pub fn hop_label(hop: &Hop) -> String {
    hop.version.as_ref().map_or_else(|| hop.to.to_string(), ToString::to_string)
}

/// The version where updates end; its name if it has none.
fn last_label((name, version): (&BundleName, Option<&blang_semver::Version>)) -> String {
    version.map_or_else(|| name.to_string(), ToString::to_string)
}

/// How a path ends, after its last version.
#[must_use]
pub fn path_end(row: &Row, path: &Path) -> String {
    match &path.error {
        Some(_) => "OLM reports an error".to_owned(),
        None if path.repeats => "the updates repeat forever".to_owned(),
        None if row.updated_by.is_v1() && path.is_empty() => "stays".to_owned(),
        None if row.updated_by.is_v1() => "no further update".to_owned(),
        None if path.head() == Some(path.end(&row.installed)) => "the head".to_owned(),
        None if path.is_empty() => "stuck".to_owned(),
        None => "no further update, below the head".to_owned(),
    }
}

/// What a cluster shows after the change: OLM's own text, or that it shows nothing.
#[must_use]
pub fn cluster_shows(row: &Row) -> String {
    let path = &row.new;
    let next = || path.next().unwrap_or(&row.installed);
    if row.updated_by.is_v1() {
        return match (path.first_error(), &path.kept) {
            (Some(error), _) => format!("`Progressing` with reason `Retrying`: {}", shortened(&error.text)),
            (None, Some(_)) => "nothing; the version stays".to_owned(),
            (None, None) => format!("`{}` is installed", next()),
        };
    }
    let is_stuck = path.is_empty() && path.head().is_some_and(|head| *head != row.installed);
    match path.error_text() {
        Some(error) => shown(error),
        None if is_stuck => "nothing; the Subscription stays at AtLatestKnown and has no condition".to_owned(),
        None if path.is_empty() => "nothing; the version is the head".to_owned(),
        None if path.repeats => "a new InstallPlan after each update, without end".to_owned(),
        None => format!("an InstallPlan for `{}`", next()),
    }
}

/// What becomes of a Subscription, in one line.
#[must_use]
pub fn subscription_text(row: &SubscriptionRow) -> String {
    let installed = row.installed.as_deref().unwrap_or("not installed");
    let name = format!("{}/{} ({installed})", row.namespace, row.name);
    let dependencies =
        if row.dependencies.is_empty() { String::new() } else { format!("; {}", row.dependencies.join(", ")) };
    if row.about.is_empty() {
        format!("{name}: {}, as before{dependencies}", row.after)
    } else {
        format!("{name}: {} Before: {}. After: {}{dependencies} ({})", row.about, row.before, row.after, row.rule)
    }
}

/// A namespace that OLM cannot resolve after the change, and how bad that is; `None` if it can be resolved again.
#[must_use]
pub fn failure_text(row: &NamespaceFailureRow) -> Option<(Level, String)> {
    let error = row.after.as_deref()?;
    let causes = if row.causes.is_empty() { String::new() } else { format!(" (because of {})", row.causes.join(", ")) };
    let (level, before) = match row.before {
        Some(_) => (Level::Neutral, ", as before"),
        None => (Level::Breaking, ""),
    };
    Some((level, format!("namespace {} cannot be resolved{before}{causes}: {error}", row.namespace)))
}

/// What blocks the upgrade of OpenShift, a sentence each; none if nothing does.
#[must_use]
pub fn openshift_texts(openshift: &OpenShiftView) -> Vec<String> {
    let OpenShiftView { current, next, now, before, after, remaining } = openshift;
    let upgrade = format!("the upgrade of OpenShift from {current} to {next}");
    let blocked = |when: &str, message: &Option<String>| match message {
        Some(message) => format!("{when} operators block {upgrade}: {}", message.replace('\n', " ")),
        None => format!("{when} no operator blocks {upgrade}"),
    };
    let mut texts: Vec<String> = now.iter().map(|_| blocked("now", now)).collect();
    if before != after {
        texts.push(blocked("with the updates of the catalog before,", before));
        texts.push(blocked("with the updates of the catalog after,", after));
    }
    texts.extend(remaining.iter().map(|text| format!("after its updates, {text}")));
    texts
}

/// What OLM does with a version when it resolves all that it requires, as a clause.
#[must_use]
pub fn simulated_text(found: &SubscriptionComparison) -> String {
    let dependency = |sign: char, found: &Dependency| format!("{sign} `{}`", found.csv);
    let removed = found.removed_dependencies().map(|found| dependency('−', found));
    let added = found.added_dependencies().map(|found| dependency('+', found));
    let dependencies: Vec<String> = removed.chain(added).collect();
    let dependencies =
        if dependencies.is_empty() { String::new() } else { format!("; dependencies: {}", dependencies.join(", ")) };
    let (before, after) = (subscription_fate(found, &found.old), subscription_fate(found, &found.new));
    format!("with all that it requires, before: {before}; after: {after}{dependencies}")
}

/// What OLM does for a Subscription, in a few words.
#[must_use]
pub fn subscription_fate(row: &SubscriptionComparison, fate: &SubscriptionFate) -> String {
    let hops: Vec<String> = fate.hops.iter().map(hop_label).collect();
    let verb = if row.installed.is_some() { "updated to" } else { "installs" };
    let path = (!hops.is_empty()).then(|| format!("{verb} {}", hops.join(" → ")));
    let end = match &fate.end {
        FateEnd::Settled => match fate.end_csv(row.installed.as_ref()) {
            _ if path.is_some() => None,
            Some(end) if fate.heads.contains(end) => Some("the head".to_owned()),
            Some(_) => Some("no update, below the head".to_owned()),
            None => Some("nothing is installed".to_owned()),
        },
        FateEnd::Repeats => Some("the updates repeat forever".to_owned()),
        FateEnd::Failed(_) => Some("the namespace cannot be resolved".to_owned()),
        FateEnd::GaveUp(reason) => Some(format!("not known: {reason}")),
    };
    path.into_iter().chain(end).collect::<Vec<_>>().join(", ")
}
