//! OLM's texts taken apart: the identifiers of bundles in them.

use std::ops::Range;

use catalog::{BundleName, ChannelName};

use cluster::CatalogKey;

/// `<catalog>/<catalogNamespace>/<channel>/<name>` in a text; `@existing/<namespace>//<name>` for what is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// The catalog, or the installed operators of the namespace ([`CatalogKey::is_existing`]).
    pub catalog: CatalogKey,
    /// The channel; absent for what is installed.
    pub channel: Option<ChannelName>,
    pub name: BundleName,
}

/// The identifiers in one of OLM's texts, in its order.
///
/// ```
/// let text = "@existing/ns//a.v1 and c/olm/stable/a.v2 originate from package a";
/// let found = resolver::identifiers(text);
/// assert!(found[0].catalog.is_existing() && found[0].channel.is_none());
/// assert_eq!(&text[found[1].range.clone()], "c/olm/stable/a.v2");
/// assert_eq!(found[1].name.as_str(), "a.v2");
/// ```
#[must_use]
pub fn identifiers(text: &str) -> Vec<Identifier> {
    let mut found = Vec::new();
    let mut start = 0;
    for word in text.split_inclusive([' ', ',']) {
        let bare = word.trim_end_matches([' ', ',']);
        found.extend(identifier(bare, start..start + bare.len()));
        start += word.len();
    }
    found
}

fn identifier(word: &str, range: Range<usize>) -> Option<Identifier> {
    let [catalog, namespace, channel, name] = word.split('/').collect::<Vec<_>>()[..] else { return None };
    let catalog = CatalogKey::new(catalog, namespace);
    let is_label = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))
    };
    let is_named = (catalog.is_existing() || is_label(&catalog.name)) && is_label(namespace) && !name.is_empty();
    if !is_named || channel.is_empty() != catalog.is_existing() {
        return None;
    }
    let channel = (!channel.is_empty()).then(|| channel.into());
    Some(Identifier { range, catalog, channel, name: name.into() })
}
