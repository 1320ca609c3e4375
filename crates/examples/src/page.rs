//! The form of an example's file: Markdown with fenced blocks.

use crate::{Example, ExampleCatalog, Theme};

/// Reads a file of the gallery.
///
/// # Panics
/// When the file is not of that form; `tests/gallery.rs` reads them all.
pub(crate) fn example(slug: &'static str, theme: Theme, package: &'static str, text: &'static str) -> Example {
    let (head, blocks, origin) = split(text);
    let (title, says) = head.split_once('\n').expect("a title, then what to see");
    let block = |label: &str| {
        let found = blocks.iter().find(|(info, _)| *info == label);
        found.map(|(_, text)| *text).expect("a block for the cluster and one for what comes out")
    };
    let catalogs = blocks.iter().filter_map(|(info, text)| {
        let name = info.strip_prefix("yaml catalog=")?;
        Some(ExampleCatalog { name, text })
    });
    Example {
        slug,
        theme,
        title: title.trim_start_matches("# "),
        says: says.trim(),
        package,
        catalogs: catalogs.collect(),
        cluster: block("yaml cluster"),
        outcomes: block("outcomes"),
        origin,
    }
}

/// What stands before the first block, the blocks with their labels, and what stands after the last.
fn split(text: &'static str) -> (&'static str, Vec<(&'static str, &'static str)>, &'static str) {
    let (head, mut rest) = text.split_once("```").expect("a block");
    let mut blocks = Vec::new();
    loop {
        let (label, after) = rest.split_once('\n').expect("a block has lines");
        let (body, after) = after.split_once("```\n").expect("a block ends");
        blocks.push((label, body));
        match after.split_once("```") {
            Some((_, next)) => rest = next,
            None => return (head, blocks, after.trim()),
        }
    }
}
