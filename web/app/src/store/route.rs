//! The selection as an address, `#/CATALOG/PACKAGE/VIEW/ENTRY/CHANNEL` (the package may be
//! empty), so that back, forward and bookmarks work. It
//! has names only: what a catalog contains stays in the browser.

use super::{NamedSelection, State, Tab};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use views::EntryKey;

/// What names contain unencoded.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A catalog or a package in one of its views, with an entry or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The name of the catalog.
    pub(super) catalog: String,
    /// The name of the package; absent for the catalog as a whole.
    pub(super) package: Option<String>,
    /// The view.
    pub(super) tab: Tab,
    /// The selected entry.
    pub(super) entry: Option<EntryKey>,
}

impl Route {
    /// What is shown; `None` if nothing is selected.
    #[must_use]
    pub fn of(state: &State) -> Option<Self> {
        let NamedSelection { catalog, package, entry } = state.selected_by_name()?;
        Some(Self { catalog, package, tab: state.tab, entry })
    }

    /// Parses a fragment without its `#`.
    #[must_use]
    pub fn parse(fragment: &str) -> Option<Self> {
        let decoded = fragment.strip_prefix('/')?.split('/').map(|part| percent_decode_str(part).decode_utf8().ok());
        let parts: Vec<String> = decoded.map(|part| part.map(String::from)).collect::<Option<_>>()?;
        let (catalog, package, view, rest) = match &*parts {
            [catalog] if !catalog.is_empty() => (catalog, "", "", [].as_slice()),
            [catalog, package] => (catalog, package.as_str(), "", [].as_slice()),
            [catalog, package, view, rest @ ..] => (catalog, package.as_str(), view.as_str(), rest),
            _ => return None,
        };
        let package = Some(package.to_owned()).filter(|name| !name.is_empty());
        let tab = Tab::ALL.into_iter().find(|tab| tab.title().eq_ignore_ascii_case(view)).unwrap_or_default();
        let entry = rest.first().map(|name| EntryKey { channel: rest.get(1).cloned(), name: name.clone() });
        Some(Self { catalog: catalog.clone(), package, tab, entry })
    }

    /// The fragment, with its `#`.
    #[must_use]
    pub fn fragment(&self) -> String {
        let view = self.tab.title().to_lowercase();
        let mut parts = vec![&*self.catalog, self.package.as_deref().unwrap_or_default(), &view];
        if let Some(EntryKey { channel, name }) = &self.entry {
            parts.push(name);
            parts.extend(channel.as_deref());
        }
        let parts: Vec<String> = parts.into_iter().map(|part| utf8_percent_encode(part, PLAIN).to_string()).collect();
        format!("#/{}", parts.join("/"))
    }

    /// The title of the browser's tab.
    #[must_use]
    pub fn title(&self) -> String {
        let whole = self.package.as_ref().unwrap_or(&self.catalog);
        let subject = self.entry.as_ref().map_or(whole, |entry| &entry.name);
        format!("{subject} · {} – Opscope", self.tab.title_of(self.package.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_survives_its_address() {
        let entry = Some(EntryKey { channel: Some("a/b #?".to_owned()), name: "é.v1.0.0+1".to_owned() });
        let package = Some("p%".to_owned());
        let of_package = [(package.clone(), None, Tab::Findings), (package, entry, Tab::Graph)];
        for (package, entry, tab) in of_package.into_iter().chain([(None, None, Tab::Compare)]) {
            let route = Route { catalog: "my catalog".to_owned(), package, tab, entry };
            let fragment = route.fragment();
            assert_eq!(Route::parse(fragment.trim_start_matches('#')), Some(route), "{fragment}");
        }
    }

    #[test]
    fn only_an_address_of_this_form_is_a_route() {
        for text in ["", "package", "/", "share=1.x", "/a/%ff"] {
            assert_eq!(Route::parse(text), None, "{text}");
        }
        for (short, whole) in [("/a/b", "#/a/b/graph"), ("/a", "#/a//graph")] {
            assert_eq!(Route::parse(short).map(|route| route.fragment()).as_deref(), Some(whole));
        }
    }
}
