//! How long a package with large channels takes: findings, graph and layout, on one thread.

use catalog::{Catalog, ParsedFile, lower};
use source::FileId;

const ROUNDS: u32 = 3;

#[expect(clippy::print_stdout, reason = "a bench prints what it measured")]
#[expect(clippy::disallowed_methods, reason = "a bench reads the clock; it never runs on wasm32")]
fn main() {
    for (name, channels, entries, fields) in [
        ("a chain", 1, 1000, Fields { replaces: true, skips: false, skip_range: false }),
        ("a chain with skipRanges", 1, 1000, Fields { replaces: true, skips: false, skip_range: true }),
        ("skips of everything below", 1, 1000, Fields { replaces: false, skips: true, skip_range: false }),
        ("skipRanges alone", 1, 1000, Fields { replaces: false, skips: false, skip_range: true }),
        ("many channels", 60, 160, Fields { replaces: true, skips: false, skip_range: true }),
    ] {
        let catalog = catalog(channels, entries, fields);
        for round in 1..=ROUNDS {
            let start = std::time::Instant::now();
            let findings = update_graph::check(&catalog).len();
            let checked = start.elapsed();
            let graph = update_graph::build(&catalog.packages[0]);
            let built = start.elapsed() - checked;
            let layout =
                update_graph::boxes(&graph, source::AxisDirection::Right, &update_graph::other_than_next(&graph));
            let laid_out = start.elapsed() - checked - built;
            println!(
                "{name}, round {round}: {} nodes, {} edges, {} bands, {findings} findings; check {checked:?}, build {built:?}, layout {laid_out:?}",
                layout.nodes.len(),
                layout.edges.len(),
                layout.bands.len()
            );
        }
    }
}

#[derive(Clone, Copy)]
struct Fields {
    replaces: bool,
    skips: bool,
    skip_range: bool,
}

/// One package; each channel lists the versions `1.<channel>.0` and up, with the given fields on every entry.
fn catalog(channels: u32, entries: u32, fields: Fields) -> Catalog {
    let channel = |channel: u32| {
        let entries: Vec<String> = (0..entries).map(|patch| entry(channel, patch, fields)).collect();
        format!("c{channel}: {}\n", entries.join(", "))
    };
    let text = fixture::yaml(&(0..channels).map(channel).collect::<String>());
    let parse = fbc::parse(FileId(0), &text);
    lower(&[ParsedFile { text: &text, parse: &parse }]).0
}

fn entry(channel: u32, patch: u32, fields: Fields) -> String {
    let name = |patch: u32| format!("1.{channel}.{patch}");
    let mut clauses = Vec::new();
    if fields.replaces && patch > 0 {
        clauses.push(format!("replaces {}", name(patch - 1)));
    }
    if fields.skips && patch > 0 {
        clauses.push(format!("skips {}", (0..patch).map(name).collect::<Vec<_>>().join(", ")));
    }
    if fields.skip_range {
        clauses.push(format!("skipRange >=1.{channel}.0 <1.{channel}.{patch}"));
    }
    format!("{} ({})", name(patch), clauses.join("; "))
}
