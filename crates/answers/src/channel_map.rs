//! The channel map of a package.

use crate::package;
use catalog::{DeprecationTarget, Package};
use session::Workbench;
use update_graph::{ChannelMap, Head, MappedChannel};
use views::{ChannelMapView, MapChannel, MapHead, MapSwitch, PackageKey};

/// The most channels of a map. Packages have up to 40; the arrows of more could not be told apart.
pub(super) const CHANNELS: usize = 60;

/// To which channels a Subscription can switch.
#[must_use]
pub fn channel_map(workbench: &Workbench, key: &PackageKey) -> Option<ChannelMapView> {
    let (_, package) = package(workbench, key)?;
    let map = ChannelMap::of(package, CHANNELS);
    let switch = |switch: &update_graph::Switch| MapSwitch {
        from: switch.from as u32,
        to: switch.to as u32,
        hops: switch.hops,
        direct: switch.direct,
    };
    Some(ChannelMapView {
        channels: map.channels.iter().map(|mapped| channel(package, mapped)).collect(),
        switches: map.switches.iter().map(switch).collect(),
        omitted: map.omitted as u32,
    })
}

fn channel(package: &Package, mapped: &MappedChannel<'_>) -> MapChannel {
    let name = &mapped.channel.name.value;
    let is_it = |target: &DeprecationTarget| matches!(target, DeprecationTarget::Channel(of) if of == name);
    let head = |head: &Head<'_>| MapHead {
        name: head.name.to_string(),
        label: head.version.as_ref().map_or_else(|| head.name.to_string(), ToString::to_string),
    };
    MapChannel {
        channel: name.to_string(),
        default: package.default_channel.as_ref().is_some_and(|default| default.value == *name),
        deprecated: package.deprecations.iter().any(|deprecation| is_it(&deprecation.target)),
        head: mapped.head.as_ref().map(head),
        problem: mapped.problem.as_ref().map(ToString::to_string),
        dead_end: mapped.dead_end,
    }
}

#[cfg(test)]
mod tests {
    use crate::channel_map;
    use session::testing::workbench;
    use views::{CatalogId, MapSwitch, PackageKey};

    #[test]
    fn a_map_has_all_channels_and_the_switches_that_work() {
        let text = "package p old\nchannel p new p.v2.0.0~>=1.0.0_<2.0.0\nchannel p old p.v1.0.0\nchannel p broken p.v1.0.0 p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let key = |package: &str| PackageKey { catalog: CatalogId(0), package: package.to_owned() };
        let workbench = workbench(&[("c", text)]);
        let map = channel_map(&workbench, &key("p")).unwrap();
        let shown = map.channels.iter().map(|channel| {
            let head = channel.head.as_ref().map(|head| head.label.as_str());
            (channel.channel.as_str(), channel.default, head, channel.problem.is_some())
        });
        let expected =
            [("new", false, Some("2.0.0"), false), ("old", true, Some("1.0.0"), false), ("broken", false, None, true)];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        assert_eq!(map.switches, [MapSwitch { from: 1, to: 0, hops: 1, direct: true }]);
        assert_eq!(channel_map(&workbench, &key("other")), None);
    }
}
