//! Where OLM v1 parts from OLM v0 in the drawing of a package.

use crate::CatalogInput;
use catalog::Package;
use extension::{InstalledBundle, Successors};
use views::{GraphView, Mark};

/// Marks the entries whose next update is another one for an extension that names the channel.
pub(super) fn mark(view: &mut GraphView, catalog: &CatalogInput, package: &Package) {
    let channels: Vec<_> = view.lanes.iter().map(|lane| package.channel(&lane.channel)).collect();
    let lanes: Vec<Option<Successors<'_>>> = channels
        .iter()
        .map(|channel| {
            let name = &(*channel)?.name.value;
            Some(Successors::of(&catalog.analysis.catalog, &package.name, std::slice::from_ref(name)))
        })
        .collect();
    let names: Vec<String> = view.nodes.iter().map(|node| node.key.name.clone()).collect();
    for node in &mut view.nodes {
        let name = &node.key.name;
        let lane = node.lane as usize;
        let Some((channel, successors)) = channels[lane].zip(lanes[lane].as_ref()) else { continue };
        let Some(bundle) = package.bundle(name).filter(|_| channel.entry(name).is_some()) else { continue };
        let v0 = node.next.map_or(name.as_str(), |next| names[next.to as usize].as_str());
        let told = |next: &str| if next == name { "makes no update".to_owned() } else { format!("goes to {next}") };
        let v1 = match successors.next(&InstalledBundle::of(bundle)).map(|next| next.bundle) {
            Ok(next) if next.name.value.as_str() == v0 => continue,
            Ok(next) => told(next.name.value.as_str()),
            Err(error) => format!("fails with: {error}"),
        };
        node.summary = format!("{}, OLM v0 {}, OLM v1 {v1}", node.summary, told(v0));
        node.marks.push(Mark::RuntimesDiffer);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::workbench;
    use views::{CatalogId, GraphOptions, Mark, PackageKey, Runtime};

    #[test]
    fn entries_are_marked_where_the_runtimes_part() {
        let sketch = "package p c\nchannel p c p.v3.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let workbench = workbench(&[("c", sketch)]);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let parting = |runtime| {
            let view = workbench.graph(&package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
            let parting = view.nodes.into_iter().filter(|node| node.marks.contains(&Mark::RuntimesDiffer));
            parting.map(|node| (node.label, node.summary)).collect::<Vec<_>>()
        };
        assert_eq!(parting(Runtime::V0), []);
        let found = parting(Runtime::Both);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].1.ends_with(", OLM v0 makes no update, OLM v1 goes to p.v2.0.0"), "{found:?}");
    }
}
