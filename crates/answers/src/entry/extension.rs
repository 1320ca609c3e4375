//! What OLM v1 does with an extension that has the bundle installed, beside what OLM v0 does.

use catalog::{Bundle, Channel, ChannelName, Package};
use cluster::InstalledBundle;
use extension::{PackageBundles, Readiness, ReadinessVerdict, Refusal, SuccessorIndex};
use session::CatalogInput;
use source::OlmV1;
use update_graph::UpdateChain;
use views::{EntryExtension, FileKey, NextExtension};

/// At most this many channels are listed.
const CHANNELS: usize = 20;

pub(super) fn view(catalog: &CatalogInput, package: &Package, bundle: &Bundle, olm: OlmV1) -> EntryExtension {
    let name = &bundle.name.value;
    let installed = InstalledBundle::of(bundle);
    let bundles = PackageBundles::of_package(package);
    let next = |channel: Option<&Channel>| {
        let channels: Vec<ChannelName> = channel.iter().map(|channel| channel.name.value.clone()).collect();
        let successors = SuccessorIndex::of(&bundles, &channels);
        let answer = successors.next(&installed).map(|next| next.bundle);
        let text = match &answer {
            Ok(next) if next.name.value == *name => "stays".to_owned(),
            Ok(next) => next.name.to_string(),
            Err(error) => error.to_string(),
        };
        let v0 = channel.and_then(|channel| {
            let chain = UpdateChain::of(package, channel).ok()?;
            let next = chain.next_update(name, bundle.version()).map(|next| next.to.name.value.to_string());
            let next = next.unwrap_or_else(|| "stays".to_owned());
            (answer.is_err() || next != text).then_some(next)
        });
        NextExtension { channel: channel.map(|channel| channel.name.to_string()), text, v0 }
    };
    let listing = package.channels.iter().filter(|channel| channel.entry(name.as_str()).is_some());
    let of_channels = listing.take(CHANNELS).map(|channel| next(Some(channel)));
    let file = catalog.file(FileKey(bundle.span.file.0));
    let readiness = Readiness::of(bundle, file.map(|file| file.text.as_str()), olm);
    let is_unknown = readiness.verdict() == ReadinessVerdict::CannotBeKnown;
    EntryExtension {
        next: std::iter::once(next(None)).chain(of_channels).collect(),
        refusals: readiness.refusals.iter().map(Refusal::text).collect(),
        unknown: is_unknown.then(|| {
            "the catalog does not show the ClusterServiceVersion, so it is not known whether OLM v1 would refuse the bundle"
                .to_owned()
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::entry;
    use session::testing::workbench;
    use views::{CatalogId, EntryExtension, EntryKey, PackageKey};

    fn of(sketch: &str, name: &str) -> EntryExtension {
        let workbench = workbench(&[("c", sketch)]);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let key = EntryKey { channel: Some("c".to_owned()), name: name.to_owned() };
        entry(&workbench, &package, &key, "").unwrap().extension.unwrap()
    }

    #[test]
    fn both_runtimes_are_told_where_they_part() {
        // OLM v0 leaves out the skipped entry, whose edge OLM v1 follows.
        let sketch = "package p c\nchannel p c p.v3.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0 unknown\nbundle p 2.0.0\nbundle p 3.0.0";
        let found = of(sketch, "p.v1.0.0");
        let rows: Vec<_> =
            found.next.iter().map(|row| (row.channel.as_deref(), &*row.text, row.v0.as_deref())).collect();
        assert_eq!(rows, [(None, "p.v2.0.0", None), (Some("c"), "p.v2.0.0", Some("stays"))]);
        assert!(found.unknown.is_some() && found.refusals.is_empty());
        let found = of(sketch, "p.v3.0.0");
        assert_eq!((&*found.next[1].text, found.next[1].v0.as_deref()), ("stays", None));
    }

    #[test]
    fn a_dependency_is_refused() {
        let sketch =
            "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0 requires q >=1.0.0";
        let found = of(sketch, "p.v1.0.0");
        assert!(found.next[1].text.contains("has a dependency declared via property"), "{:?}", found.next);
        assert_eq!(found.next[1].v0.as_deref(), Some("p.v2.0.0"));
        assert_eq!(of(sketch, "p.v2.0.0").refusals.len(), 1);
    }
}
