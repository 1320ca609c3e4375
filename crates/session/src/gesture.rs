//! Changes of the edges of an entry, as the user makes them in the drawing, as edits.

use catalog::{BundleName, Channel, ChannelName, Entry, Package};
use go_semver::blang::Version;
use update_graph::{Change, ChannelEdit, Edit, version_of};
use views::{EdgeGesture, Gesture};

/// The change as an edit of a channel.
pub(crate) fn channel_edit(package: &Package, edit: &EdgeGesture) -> Option<ChannelEdit> {
    let edits = vec![entry_edit(package, package.channel(&edit.channel)?, edit)?];
    Some(ChannelEdit::of(&ChannelName::from(&*edit.channel), edits))
}

/// The same as an edit of an entry; `None` if there is no such entry.
pub fn entry_edit(package: &Package, channel: &Channel, edit: &EdgeGesture) -> Option<Edit> {
    let entry = channel.entry(&edit.entry)?;
    let to = BundleName::from(&*edit.to);
    let change = match edit.gesture {
        Gesture::Replace if entry.replaces.as_ref().is_some_and(|name| name.value == to) => Change::Unreplace,
        Gesture::Replace => Change::Replace(to),
        Gesture::Skip if entry.skips.iter().any(|name| name.value == to) => Change::Unskip(to),
        Gesture::Skip => Change::Skip(to),
        Gesture::RangeFrom => {
            let from = version_of(package, &to)?;
            let last = version_of(package, &entry.name.value)?;
            Change::Range(Some(format!(">={from} <{last}").into()))
        }
        Gesture::RangeTo => {
            let last = version_of(package, &to)?;
            let from = first_covered(package, channel, entry).filter(|first| *first <= last);
            let from = from.map(|first| format!(">={first} ")).unwrap_or_default();
            Change::Range(Some(format!("{from}<={last}").into()))
        }
    };
    (edit.entry != edit.to).then(|| Edit { entry: entry.name.value.clone(), change })
}

/// The lowest version of the channel that the skipRange of an entry has.
fn first_covered(package: &Package, channel: &Channel, entry: &Entry) -> Option<Version> {
    let range = entry.skip_range.as_ref()?.value.range.as_ref().ok()?;
    let versions = channel.entries.iter().filter_map(|entry| version_of(package, &entry.name.value));
    versions.filter(|version| range.matches(version).unwrap_or(false)).min()
}
