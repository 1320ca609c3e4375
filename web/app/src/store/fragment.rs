//! The fragment of the page's address, the part behind `#`. Browsers do not send it to a server.
//!
//! It has parts joined by `&`: `share=` a session, `catalog=` the text of a catalog or of manifests, `before=` the text
//! of the catalog before a change, `example=` the name of an example, `embed` for a page without header in an `iframe`,
//! `open=` the token of `opscope open`.
//! Other parts are ignored. A fragment that begins with `/` is a [`Route`].

use super::Route;
use super::state::LinkTarget;
use views::LinkContent;

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
