//! How long a package with large channels takes: findings, graph and layout, on one thread.

use catalog::{Catalog, ParsedFile, lower};
use source::FileId;
use std::fmt::Write;

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
            let layout = update_graph::layout(&graph);
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
    let mut text = "schema: olm.package\nname: p\ndefaultChannel: c0\n".to_owned();
    for channel in 0..channels {
        text.push_str(&document(channel, entries, fields));
    }
    let parse = fbc::parse(FileId(0), &text);
    lower(&[ParsedFile { text: &text, parse: &parse }]).0
}

fn document(channel: u32, entries: u32, fields: Fields) -> String {
    let mut text = format!("---\nschema: olm.channel\npackage: p\nname: c{channel}\nentries:\n");
    let mut push = |line: std::fmt::Arguments<'_>| text.write_fmt(line).expect("writing to a string cannot fail");
    for patch in 0..entries {
        push(format_args!("- name: p.v1.{channel}.{patch}\n"));
        if fields.replaces && patch > 0 {
            push(format_args!("  replaces: p.v1.{channel}.{}\n", patch - 1));
        }
        if fields.skips && patch > 0 {
            let skipped: Vec<_> = (0..patch).map(|patch| format!("p.v1.{channel}.{patch}")).collect();
            push(format_args!("  skips: [{}]\n", skipped.join(", ")));
        }
        if fields.skip_range {
            push(format_args!("  skipRange: '>=1.{channel}.0 <1.{channel}.{patch}'\n"));
        }
    }
    for patch in 0..entries {
        push(format_args!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v1.{channel}.{patch}\nimage: i\nproperties:\n- type: olm.package\n  value: {{packageName: p, version: 1.{channel}.{patch}}}\n"
        ));
    }
    text
}
