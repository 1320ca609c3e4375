//! Markup that is rendered natively: a tree of elements, found by the selectors that journeys use.

use std::collections::BTreeMap;

/// Elements without an end tag (HTML 13.1.2).
const VOID: [&str; 10] = ["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"];

#[derive(Debug, Default)]
pub(crate) struct Element {
    tag: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Child>,
}

#[derive(Debug)]
enum Child {
    Element(Element),
    Text(String),
}

impl Element {
    /// Reads what yew renders: elements are closed, and values are in double quotes.
    pub(crate) fn parse(mut html: &str) -> Self {
        let mut open = vec![Self::default()];
        while !html.is_empty() {
            if let Some(rest) = html.strip_prefix("<!--") {
                html = rest.split_once("-->").expect("a comment has an end").1;
            } else if let Some(rest) = html.strip_prefix("</") {
                html = rest.split_once('>').expect("a tag has an end").1;
                let element = open.pop().expect("an element ends that has begun");
                open.last_mut().expect("the root stays open").children.push(Child::Element(element));
            } else if html.starts_with('<') {
                let (element, rest) = Self::start(&html[1..]);
                html = rest;
                match VOID.contains(&&*element.tag) {
                    true => open.last_mut().expect("the root is open").children.push(Child::Element(element)),
                    false => open.push(element),
                }
            } else {
                let (text, rest) = html.split_at(html.find('<').unwrap_or(html.len()));
                open.last_mut().expect("the root is open").children.push(Child::Text(unescaped(text)));
                html = rest;
            }
        }
        assert_eq!(open.len(), 1, "not closed: {:?}", open.iter().map(|element| &element.tag).collect::<Vec<_>>());
        open.pop().expect("the root is left")
    }

    /// The element whose start tag begins `html`, behind `<`; and the text behind the tag.
    fn start(html: &str) -> (Self, &str) {
        let (tag, mut rest) = html.split_at(html.find([' ', '>', '/']).expect("a tag has an end"));
        let mut element = Self { tag: tag.to_owned(), ..Self::default() };
        loop {
            rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix('>') {
                return (element, behind);
            }
            if let Some(behind) = rest.strip_prefix('/') {
                rest = behind;
                continue;
            }
            let (name, behind) = rest.split_at(rest.find(['=', ' ', '>']).expect("an attribute has an end"));
            let (value, behind) = match behind.strip_prefix("=\"") {
                Some(quoted) => quoted.split_once('"').expect("a value has an end"),
                None => ("", behind),
            };
            element.attributes.insert(name.to_owned(), unescaped(value));
            rest = behind;
        }
    }

    /// The elements that match one of the selectors, which commas separate, in the order of the page.
    pub(crate) fn all(&self, css: &str) -> Vec<&Self> {
        let selectors: Vec<Vec<Part<'_>>> = css.split(',').map(|one| parts(one.trim())).collect();
        let mut found = Vec::new();
        self.walk(&mut Vec::new(), &mut |path| {
            if selectors.iter().any(|parts| matches(path, parts)) {
                found.push(*path.last().expect("a path has an end"));
            }
        });
        found
    }

    fn walk<'e>(&'e self, path: &mut Vec<&'e Self>, visit: &mut impl FnMut(&[&'e Self])) {
        for child in &self.children {
            if let Child::Element(element) = child {
                path.push(element);
                visit(path);
                element.walk(path, visit);
                path.pop();
            }
        }
    }

    /// The text of the element, with single spaces.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn add_text(&self, to: &mut String) {
        for child in &self.children {
            match child {
                Child::Element(element) => element.add_text(to),
                Child::Text(text) => to.push_str(text),
            }
        }
    }

    /// An attribute; empty if it is absent.
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    fn is(&self, compound: &str) -> bool {
        let (mut rest, mut tag) = (compound, "");
        if let Some(end) = rest.find(['.', '[', '#']) {
            (tag, rest) = rest.split_at(end);
        } else {
            std::mem::swap(&mut rest, &mut tag);
        }
        if !tag.is_empty() && tag != "*" && tag != self.tag {
            return false;
        }
        while !rest.is_empty() {
            let (condition, behind) = match rest.strip_prefix('[') {
                Some(inner) => inner.split_once(']').expect("`]` behind `[`"),
                None => {
                    let end = rest[1..].find(['.', '[', '#']).map_or(rest.len(), |at| at + 1);
                    rest.split_at(end)
                }
            };
            let holds = match condition.as_bytes()[0] {
                b'.' => self.attribute("class").split(' ').any(|class| class == &condition[1..]),
                b'#' => self.attribute("id") == &condition[1..],
                _ => match condition.split_once('=') {
                    None => self.attributes.contains_key(condition),
                    Some((name, value)) => match name.strip_suffix('^') {
                        Some(name) => self.attribute(name).starts_with(value.trim_matches('\'')),
                        None => self.attribute(name) == value.trim_matches('\''),
                    },
                },
            };
            if !holds {
                return false;
            }
            rest = behind;
        }
        true
    }
}

/// A part of a selector, and whether it must be the parent's child.
type Part<'s> = (bool, &'s str);

/// The parts of a selector.
fn parts(selector: &str) -> Vec<Part<'_>> {
    let (mut is_child, mut is_in_brackets) = (false, false);
    let words = selector.split(|character| {
        is_in_brackets = (is_in_brackets || character == '[') && character != ']';
        character == ' ' && !is_in_brackets
    });
    let mut all = Vec::new();
    for word in words {
        match word {
            ">" => is_child = true,
            part => all.push((std::mem::take(&mut is_child), part)),
        }
    }
    all
}

/// Whether the last element of a path matches a selector.
fn matches(path: &[&Element], parts: &[Part<'_>]) -> bool {
    let Some(((is_child, part), before)) = parts.split_last() else { return true };
    let Some((last, above)) = path.split_last() else { return false };
    if !last.is(part) {
        return false;
    }
    match (before.is_empty(), *is_child) {
        (true, _) => true,
        (false, true) => matches(above, before),
        (false, false) => (1..=above.len()).rev().any(|end| matches(&above[..end], before)),
    }
}

fn unescaped(text: &str) -> String {
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#x2F;", "/"), ("&amp;", "&")];
    names.iter().fold(text.to_owned(), |text, (name, character)| text.replace(name, character))
}

#[test]
fn elements_are_found() {
    let page = Element::parse("<p class=\"a b\"><b data-x=\"1 &lt; 2\">one</b> two<br><i>three</i></p><p>four</p>");
    let texts = |css: &str| page.all(css).iter().map(|element| element.text()).collect::<Vec<_>>();
    assert_eq!(texts("p"), ["one twothree", "four"]);
    assert_eq!(texts("p.b > b, i"), ["one", "three"]);
    assert_eq!(texts("p b[data-x='1'], p.c, b > i"), [""; 0]);
    assert_eq!(texts("p [data-x='1 < 2']"), ["one"]);
    assert_eq!(page.all("[data-x]")[0].attribute("data-x"), "1 < 2");
}
