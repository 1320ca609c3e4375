//! How a Subscription comes to a newer channel than its own, and until when.

use super::{Course, label};
use crate::subject::CHANNELS;
use catalog::{BundleName, Package};
use cluster::Approval;
use simulate::Timeline;
use update_graph::{Stage, Ways};
use views::{WayOn, WayStage};

/// The way of a Subscription that ends at the head of its channel. `None` if that is the default one, if users of it miss no other, and
/// if the way begins at the head and leads to one that is not the default: nothing has to be done, and nothing is missed.
pub(super) fn way_on(course: &Course<'_>, package: &Package, timeline: &Timeline) -> Option<WayOn> {
    let (spec, channel) = (course.spec, course.spec.channel.as_ref()?);
    let is_default = package.default_channel.as_ref().is_some_and(|default| default.value == *channel);
    if is_default || package.channels.len() < 2 {
        return None;
    }
    let moves = course.moves.iter().map(|(_, csv)| *csv);
    let mut path: Vec<&BundleName> = course.installed.into_iter().chain(course.before).chain(moves).collect();
    path.dedup();
    let names: Vec<BundleName> = path.iter().map(|csv| (*csv).clone()).collect();
    let ways = Ways::of(package, &names, CHANNELS);
    let own = ways.channels.iter().position(|known| known.channel.name.value == *channel)?;
    let way = |csv: &BundleName, to: usize| ways.reached(csv)?.way_to_head(to);
    let first = ways.reached(path.first()?)?;
    let mut missed = ways.missed_by(own).peekable();
    let newest = *missed.peek()?;
    let to = missed.find(|to| first.way_to_head(*to).is_some()).unwrap_or(newest);
    // What has a way keeps it on all earlier versions, whose updates lead to it.
    let count = path.partition_point(|csv| way(csv, to).is_some());
    let last = count.checked_sub(1);
    let version = |csv: &BundleName| label(&spec.package, csv).to_owned();
    let stages: Vec<Stage<'_>> = last.and_then(|at| way(path[at], to)).unwrap_or_default();
    let past = last.and(path.get(count)).map(|csv| version(csv));
    let is_automatic = timeline.steps.first().is_none_or(|step| step.approval == Approval::Automatic);
    let is_now = last == Some(0) && course.installed.is_some();
    let stage = |Stage { channel, until, hops, .. }: &Stage<'_>| {
        let [channel, until] = [channel.name.value.to_string(), version(until)];
        WayStage { channel, until, updates: *hops }
    };
    let target = &ways.channels[to];
    if last.is_some() && past.is_none() && !target.is_default {
        return None;
    }
    Some(WayOn {
        channel: target.channel.name.value.to_string(),
        version: version(target.head.as_ref()?.name),
        from: last.map(|at| version(path[at])),
        is_now,
        needs_manual: is_automatic && (past.is_some() && !is_now || stages.iter().any(|stage| stage.goes_on)),
        past,
        stages: stages.iter().map(stage).collect(),
    })
}
