//! Reports as one HTML file, without scripts and without anything from elsewhere.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use opscope_drawing::shape::escaped;
use pulldown_cmark::{Options, Parser, html};
use report::{Report, to_markdown_for_html};
use std::cell::RefCell;
use views::GraphView;

const STYLE: &str = include_str!("html.css");

/// The file. `graph` is the drawing of a package, if there is one.
pub(crate) fn document(report: &Report, graph: &dyn Fn(&str) -> Option<GraphView>) -> String {
    let pictures = RefCell::new(Vec::new());
    // No text of a catalog is a comment of HTML: Markdown escapes it.
    let place = |number: usize| format!("<!--picture {number}-->");
    let markdown = to_markdown_for_html(report, &|package| {
        let Some(graph) = graph(package) else { return String::new() };
        let mut pictures = pictures.borrow_mut();
        pictures.push(picture(package, &graph));
        place(pictures.len())
    });
    let mut body = String::new();
    let extensions = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    html::push_html(&mut body, Parser::new_ext(&markdown, extensions));
    for (picture, number) in pictures.into_inner().iter().zip(1..) {
        body = body.replacen(&place(number), picture, 1);
    }
    let title = if report.title.is_empty() { "Opscope" } else { &report.title };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n<main>\n{body}</main>\n</html>\n",
        escaped(title)
    )
}

/// The drawing as images, whose styles do not meet those of the file or of each other.
fn picture(package: &str, graph: &GraphView) -> String {
    let source = |dark| {
        let svg = opscope_drawing::whole_picture(graph, dark).svg;
        format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(svg))
    };
    let alt = escaped(&format!("Update graph of {package} with what changes in it"));
    format!(
        "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\"><img alt=\"{alt}\" src=\"{}\"></picture>",
        source(true),
        source(false)
    )
}
