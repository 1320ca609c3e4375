//! The selection as an address, `#/CATALOG/PACKAGE/VIEW/ENTRY/CHANNEL` (the package may be
//! empty), so that back, forward and bookmarks work; `#//set` and `#//plan` are the views of a set. It
//! has names only: what a catalog contains stays in the browser.

use super::state::LinkTarget;
use super::{NamedSelection, State, Tab};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use views::{EntryKey, LinkContent};

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

// The fragment of the page's address, the part behind `#`. Browsers do not send it to a server.
//
// It has parts joined by `&`: `share=` a session, `catalog=` the text of a catalog or of manifests, `before=` the text
// of the catalog before a change, `example=` the name of an example, `embed` for a page without header in an `iframe`,
// `open=` the token of `opscope open`.
// Other parts are ignored. A fragment that begins with `/` is a [`Route`].

/// The parts of a fragment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// Whether the page is embedded in another one.
    pub embed: bool,
    /// The token with which the page asks `opscope open` for files.
    pub token: Option<String>,
    /// What the link opens; the first of several counts.
    pub target: Option<LinkTarget>,
    /// The package that it shows, if it opens nothing.
    pub route: Option<Route>,
}

impl Fragment {
    /// Parses a fragment, with or without its `#`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut before = None;
        let mut fragment = Self { route: Route::parse(text.trim_start_matches('#')), ..Self::default() };
        for part in text.trim_start_matches('#').split('&') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let target = match key {
                "embed" => {
                    fragment.embed = true;
                    None
                }
                "open" => {
                    fragment.token = Some(value.to_owned());
                    None
                }
                "share" => Some(LinkTarget::Content(LinkContent::Session(value.to_owned()))),
                "catalog" => Some(LinkTarget::Content(LinkContent::Text(value.to_owned()))),
                "before" => {
                    before = before.or(Some(value.to_owned()));
                    None
                }
                "example" => Some(LinkTarget::Example(value.to_owned())),
                _ => None,
            };
            fragment.target = fragment.target.or(target);
        }
        if let (Some(before), Some(LinkTarget::Content(LinkContent::Text(after)))) = (before, &fragment.target) {
            let after = after.clone();
            fragment.target = Some(LinkTarget::Content(LinkContent::Change { before, after }));
        }
        fragment
    }

    /// The target of a text that is a link: a single address with a fragment that opens something.
    #[must_use]
    pub fn of_address(text: &str) -> Option<LinkTarget> {
        let address = text.trim();
        let is_address = ["http://", "https://", "file://"].iter().any(|start| address.starts_with(start));
        let (_, fragment) = address.split_once('#').filter(|_| is_address && !address.contains(char::is_whitespace))?;
        Self::of(fragment).target
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

    fn session(text: &str) -> Option<LinkTarget> {
        Some(LinkTarget::Content(LinkContent::Session(text.to_owned())))
    }

    #[test]
    fn a_fragment_is_read_part_by_part() {
        assert_eq!(Fragment::of(""), Fragment::default());
        assert_eq!(Fragment::of("#package"), Fragment::default());
        assert_eq!(Fragment::of("#share=1.a-_Z"), Fragment { target: session("1.a-_Z"), ..Fragment::default() });
        assert_eq!(
            Fragment::of("#embed&share=1.x&share=1.y"),
            Fragment { embed: true, target: session("1.x"), ..Fragment::default() }
        );
        assert_eq!(Fragment::of("example=two-hops").target, Some(LinkTarget::Example("two-hops".to_owned())));
        assert_eq!(Fragment::of("#open=0af1").token.as_deref(), Some("0af1"));
        let text = LinkTarget::Content(LinkContent::Text("schema%3A%20olm.package=".to_owned()));
        assert_eq!(Fragment::of("#catalog=schema%3A%20olm.package=").target, Some(text));
        let change = LinkContent::Change { before: "YQ".to_owned(), after: "Yg".to_owned() };
        assert_eq!(Fragment::of("#before=YQ&catalog=Yg").target, Some(LinkTarget::Content(change)));
        assert_eq!(Fragment::of("#before=YQ").target, None);
    }

    #[test]
    fn only_a_whole_address_is_one() {
        assert_eq!(Fragment::of_address(" https://example.org/a/#share=1.x\n"), session("1.x"));
        for text in
            ["#share=1.x", "see https://example.org/#share=1.x", "https://example.org/#top", "schema: olm.package"]
        {
            assert_eq!(Fragment::of_address(text), None, "{text}");
        }
    }
}
