//! The module of the custom element `opscope-graph`: the text of a catalog to the drawing of a package, as SVG.
//!
//! `opscope-graph.js` is the element. It fetches the text, calls [`draw`] and shows the result.

use std::fmt::Write;

use answers::{DrawingFault, drawing};
use views::{GraphLayout, GraphOptions, GraphView, LaneView, Mark};
use wasm_bindgen::prelude::wasm_bindgen;

/// The most faults that are shown: a page of documentation is no place for a list of thousands.
const FAULTS: usize = 20;

/// A drawing, or why there is none.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The SVG, without its style sheet. A policy of the page could forbid a `<style>` element.
    #[wasm_bindgen(readonly)]
    pub svg: String,
    /// The style sheet of the SVG.
    #[wasm_bindgen(readonly)]
    pub style: String,
    /// The same in words: channels, numbers of versions, heads.
    #[wasm_bindgen(readonly)]
    pub alternative: String,
    /// Why there is no drawing, as `FILE:LINE:COLUMN: MESSAGE`; empty if there is one.
    #[wasm_bindgen(readonly)]
    pub faults: Vec<String>,
}

/// Draws a package of a catalog; without a name, the first one. `layout` is `boxes`, `dots` or `grid`;
/// without it, the best one.
#[wasm_bindgen]
#[must_use]
pub fn draw(path: &str, text: Vec<u8>, package: Option<String>, layout: Option<String>, dark: bool) -> Drawing {
    let layout = match layout.as_deref() {
        Some("boxes") => Some(GraphLayout::Boxes),
        Some("dots") => Some(GraphLayout::Dots),
        Some("grid") => Some(GraphLayout::Grid),
        Some(_) | None => None,
    };
    match drawing(path, text, package.as_deref(), &GraphOptions { layout, ..GraphOptions::default() }) {
        Ok(graph) => {
            let (svg, style) = without_style(opscope_drawing::whole_picture(&graph, dark).svg);
            Drawing { svg, style, alternative: alternative(&graph), faults: Vec::new() }
        }
        Err(faults) => Drawing { faults: lines(path, &faults), ..Drawing::default() },
    }
}

/// Takes the style sheet out of a picture. The text before it is escaped, and it contains no `<` itself.
fn without_style(svg: String) -> (String, String) {
    let parts = svg.split_once("<style>").and_then(|(start, rest)| Some((start, rest.split_once("</style>")?)));
    match parts {
        Some((start, (style, end))) => (format!("{start}{end}"), style.to_owned()),
        None => (svg, String::new()),
    }
}

fn lines(path: &str, faults: &[DrawingFault]) -> Vec<String> {
    let line = |DrawingFault { position, message }: &DrawingFault| match position {
        Some((line, column)) => format!("{path}:{line}:{column}: {message}"),
        None => format!("{path}: {message}"),
    };
    let mut lines: Vec<String> = faults.iter().take(FAULTS).map(line).collect();
    if let more @ 1.. = faults.len() - lines.len() {
        lines.push(format!("{more} more"));
    }
    lines
}

/// The drawing in words, for screen readers.
fn alternative(graph: &GraphView) -> String {
    let mut text = format!("Update graph of {}.", graph.package.package);
    for (lane, at) in graph.lanes.iter().zip(0..) {
        let LaneView { channel, entries, default, stuck, problem, .. } = lane;
        let default = if *default { " (default)" } else { "" };
        let versions = if *entries == 1 { "version" } else { "versions" };
        let heads = graph.nodes.iter().filter(|node| node.lane == at && node.marks.contains(&Mark::Head));
        let heads: Vec<&str> = heads.map(|node| node.label.as_str()).collect();
        let head = if heads.is_empty() { String::new() } else { format!(", head {}", heads.join(" and ")) };
        let problem = problem.as_ref().map(|problem| format!(", {problem}")).unwrap_or_default();
        let stuck = if *stuck > 0 { format!(", {stuck} stuck") } else { String::new() };
        write!(text, " Channel {channel}{default}: {entries} {versions}{head}{stuck}{problem}.")
            .expect("writing to a string cannot fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const CATALOG: &str = "\
schema: olm.package
name: kettle
defaultChannel: stable
---
schema: olm.channel
package: kettle
name: stable
entries:
- {name: kettle.v1.1.0, replaces: kettle.v1.0.0}
- {name: kettle.v1.0.0}
---
schema: olm.channel
package: kettle
name: beta
entries:
- {name: kettle.v1.1.0}
---
schema: olm.bundle
package: kettle
name: kettle.v1.0.0
image: i
properties:
- {type: olm.package, value: {packageName: kettle, version: 1.0.0}}
---
schema: olm.bundle
package: kettle
name: kettle.v1.1.0
image: i
properties:
- {type: olm.package, value: {packageName: kettle, version: 1.1.0}}
";

    fn drawn(text: &str, package: Option<&str>, dark: bool) -> Drawing {
        draw("catalog.yaml", text.into(), package.map(str::to_owned), None, dark)
    }

    #[test]
    fn a_catalog_is_drawn_with_its_alternative_in_words() {
        let made = drawn(CATALOG, None, false);
        assert_eq!(made.faults, [""; 0]);
        assert_eq!(
            made.alternative,
            "Update graph of kettle. Channel stable (default): 2 versions, head 1.1.0. Channel beta: 1 version, head \
             1.1.0."
        );
        assert!(made.svg.starts_with("<svg ") && made.svg.contains(">1.0.0</text>"), "{}", made.svg);
        assert!(!made.svg.contains("<style>") && made.style.contains(".drawing text {"), "{}", made.style);
    }

    #[test]
    fn dark_colours_differ_in_the_style_alone() {
        let (light, dark) = (drawn(CATALOG, Some("kettle"), false), drawn(CATALOG, Some("kettle"), true));
        assert_eq!(light.svg, dark.svg);
        // `--panel` of the style sheet of the page.
        assert!(light.style.contains("#ffffff") && dark.style.contains("#101216"), "{}", dark.style);
    }

    #[test]
    fn faults_have_their_places() {
        let broken = CATALOG.replace("replaces: kettle.v1.0.0", "replaces: [");
        let faults = drawn(&broken, None, false).faults;
        assert_eq!(faults, ["catalog.yaml:9:36: not valid YAML: did not find expected node content"]);
        let faults = drawn(CATALOG, Some("tea"), false).faults;
        assert_eq!(faults, ["catalog.yaml: the catalog has no package `tea`"]);
    }

    #[test]
    fn only_the_first_faults_are_listed() {
        let faults = drawn(&"schema: olm.channel\n---\n".repeat(30), None, false).faults;
        assert_eq!(faults.len(), FAULTS + 1);
        assert!(faults.last().is_some_and(|last| last.ends_with(" more")), "{faults:?}");
    }
}
