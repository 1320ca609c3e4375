//! The selection as an address, `#/CATALOG/PACKAGE/VIEW/ENTRY/CHANNEL` (the package may be
//! empty), so that back, forward and bookmarks work; `#//set` and `#//plan` are the views of a set. It
//! has names only: what a catalog contains stays in the browser.

use super::{NamedSelection, State, Tab};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use views::EntryKey;

/// What names contain unencoded.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The addresses of the matrix and the plan of a set.
const SETS: [&str; 2] = ["set", "plan"];

/// What the page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// A set: its plan, or its matrix.
    Set { shows_plan: bool },
    /// A catalog or a package in one of its views, with an entry or without.
    Catalog { selection: NamedSelection, tab: Tab },
}

impl Route {
    /// What is shown; `None` if nothing is selected.
    #[must_use]
    pub fn of(state: &State) -> Option<Self> {
        if state.sets.shown.is_some() {
            return Some(Self::Set { shows_plan: state.sets.shows_plan });
        }
        Some(Self::Catalog { selection: state.selected_by_name()?, tab: state.tab })
    }

    /// Parses a fragment without its `#`.
    #[must_use]
    pub fn parse(fragment: &str) -> Option<Self> {
        let decoded = fragment.strip_prefix('/')?.split('/').map(|part| percent_decode_str(part).decode_utf8().ok());
        let parts: Vec<String> = decoded.map(|part| part.map(String::from)).collect::<Option<_>>()?;
        let (catalog, package, view, rest) = match &*parts {
            [none, view] if none.is_empty() && SETS.contains(&&**view) => {
                return Some(Self::Set { shows_plan: view == SETS[1] });
            }
            [catalog] if !catalog.is_empty() => (catalog, "", "", [].as_slice()),
            [catalog, package] => (catalog, package.as_str(), "", [].as_slice()),
            [catalog, package, view, rest @ ..] => (catalog, package.as_str(), view.as_str(), rest),
            _ => return None,
        };
        let package = Some(package.to_owned()).filter(|name| !name.is_empty());
        let tab = Tab::ALL.into_iter().find(|tab| tab.title().eq_ignore_ascii_case(view)).unwrap_or_default();
        let entry = rest.first().map(|name| EntryKey { channel: rest.get(1).cloned(), name: name.clone() });
        Some(Self::Catalog { selection: NamedSelection { catalog: catalog.clone(), package, entry }, tab })
    }

    /// The fragment, with its `#`.
    #[must_use]
    pub fn fragment(&self) -> String {
        let (NamedSelection { catalog, package, entry }, tab) = match self {
            Self::Set { shows_plan } => return format!("#//{}", SETS[usize::from(*shows_plan)]),
            Self::Catalog { selection, tab } => (selection, tab),
        };
        let view = tab.title().to_lowercase();
        let mut parts = vec![&**catalog, package.as_deref().unwrap_or_default(), &view];
        if let Some(EntryKey { channel, name }) = entry {
            parts.push(name);
            parts.extend(channel.as_deref());
        }
        let parts: Vec<String> = parts.into_iter().map(|part| utf8_percent_encode(part, PLAIN).to_string()).collect();
        format!("#/{}", parts.join("/"))
    }

    /// The title of the browser's tab.
    #[must_use]
    pub fn title(&self) -> String {
        let (NamedSelection { catalog, package, entry }, tab) = match self {
            Self::Set { .. } => return "OpenShift – Opscope".to_owned(),
            Self::Catalog { selection, tab } => (selection, tab),
        };
        let whole = package.as_ref().unwrap_or(catalog);
        let subject = entry.as_ref().map_or(whole, |entry| &entry.name);
        format!("{subject} · {} – Opscope", tab.title_of(package.is_some()))
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
            let selection = NamedSelection { catalog: "my catalog".to_owned(), package, entry };
            let route = Route::Catalog { selection, tab };
            let fragment = route.fragment();
            assert_eq!(Route::parse(fragment.trim_start_matches('#')), Some(route), "{fragment}");
        }
        for shows_plan in [false, true] {
            let route = Route::Set { shows_plan };
            assert_eq!(Route::parse(route.fragment().trim_start_matches('#')), Some(route));
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
