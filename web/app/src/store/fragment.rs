//! What the part of an address behind `#` asks for. It never leaves the browser.
//!
//! `share=` a visit, `catalog=` the text of a catalog or of manifests, `example=` a ready example; `embed` shows the page
//! without its bar, as a part of another one. They are joined by `&`; whatever else is there is left alone.

use super::state::Coming;
use views::Arrival;

/// What an address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// To be part of another page.
    pub embed: bool,
    /// To open something; the first of several counts.
    pub coming: Option<Coming>,
}

impl Fragment {
    /// Reads a fragment, with or without its `#`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut fragment = Self::default();
        for part in text.trim_start_matches('#').split('&') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let coming = match key {
                "embed" => {
                    fragment.embed = true;
                    None
                }
                "share" => Some(Coming::Arrival(Arrival::Visit(value.to_owned()))),
                "catalog" => Some(Coming::Arrival(Arrival::Text(value.to_owned()))),
                "example" => Some(Coming::Example(value.to_owned())),
                _ => None,
            };
            fragment.coming = fragment.coming.or(coming);
        }
        fragment
    }

    /// What a text asks for that is the address of a page: one line with a fragment that asks for something.
    #[must_use]
    pub fn of_address(text: &str) -> Option<Coming> {
        let address = text.trim();
        let is_address = ["http://", "https://", "file://"].iter().any(|start| address.starts_with(start));
        let (_, fragment) = address.split_once('#').filter(|_| is_address && !address.contains(char::is_whitespace))?;
        Self::of(fragment).coming
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(text: &str) -> Option<Coming> {
        Some(Coming::Arrival(Arrival::Visit(text.to_owned())))
    }

    #[test]
    fn a_fragment_is_read_part_by_part() {
        assert_eq!(Fragment::of(""), Fragment::default());
        assert_eq!(Fragment::of("#package"), Fragment::default());
        assert_eq!(Fragment::of("#share=1.a-_Z"), Fragment { embed: false, coming: visit("1.a-_Z") });
        assert_eq!(Fragment::of("#embed&share=1.x&share=1.y"), Fragment { embed: true, coming: visit("1.x") });
        assert_eq!(Fragment::of("example=two-hops").coming, Some(Coming::Example("two-hops".to_owned())));
        let text = Coming::Arrival(Arrival::Text("schema%3A%20olm.package=".to_owned()));
        assert_eq!(Fragment::of("#catalog=schema%3A%20olm.package=").coming, Some(text));
    }

    #[test]
    fn only_a_whole_address_is_one() {
        assert_eq!(Fragment::of_address(" https://example.org/a/#share=1.x\n"), visit("1.x"));
        for text in
            ["#share=1.x", "see https://example.org/#share=1.x", "https://example.org/#top", "schema: olm.package"]
        {
            assert_eq!(Fragment::of_address(text), None, "{text}");
        }
    }
}
