//! No catalog takes more than ten times its size and what every catalog may take, whatever is in it.
//!
//! One test, since the allocator counts what all threads have.

use peak_alloc::PeakAlloc;
use session::{FileInput, NewText, Workbench};
use std::iter::repeat_n;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const PACKAGE: &str = "schema: olm.package\nname: p\ndefaultChannel: c0\n";
const CHANNEL: &str = "---\nschema: olm.channel\npackage: p\nname: c";

/// What small catalogs may take, whatever their size.
const FLOOR: usize = 8 << 20;

/// Loads a catalog of one file. Returns the rules with findings.
#[track_caller]
fn check(what: &str, text: String) -> Vec<String> {
    check_with(FLOOR, what, text)
}

/// The same with what the catalog may take whatever its size.
#[track_caller]
fn check_with(floor: usize, what: &str, text: String) -> Vec<String> {
    let bytes = text.len();
    let before = ALLOCATOR.current_usage() - text.capacity();
    ALLOCATOR.reset_peak_usage();
    let mut workbench = Workbench::new();
    let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(text.into_bytes()) };
    let decode = |files: Vec<_>| files.into_iter().map(|(key, file)| FileInput::new(key, file)).collect();
    // As the command line does with threads: all parts are there before they are put together.
    let parse = |files: &mut [FileInput]| {
        for file in files {
            let parts = file.parts(1 << 20).into_iter().map(|part| file.parse_part(part)).collect();
            file.parse_with(parts);
        }
    };
    let loading = workbench.begin_loading_with("c", vec![file], decode, parse);
    workbench.finish_loading(&[loading]);
    let mut rules: Vec<String> = answers::all_findings(&workbench).into_iter().map(|finding| finding.rule).collect();
    rules.dedup();
    let taken = ALLOCATOR.peak_usage() - before;
    assert!(taken <= 10 * bytes + floor, "{what}: {taken} bytes for {bytes} bytes");
    rules
}

/// As many channels as make 12 MB.
fn channels(entries: usize, entry: impl Fn(usize) -> String) -> String {
    let entries: String = (0..entries).map(entry).collect();
    let channel = |at: usize| format!("{CHANNEL}{at}\nentries:\n{entries}");
    let count = 12_000_000 / (entries.len() + CHANNEL.len());
    [PACKAGE.to_owned()].into_iter().chain((0..count).map(channel)).collect()
}

#[test]
fn memory_is_in_proportion_to_the_text() {
    let edges =
        |at| format!("- {{name: p.v{at}.0.0, replaces: p.v{}.0.0, skips: [x], skipRange: <{at}.0.0}}\n", at + 1);
    check("entries with edges", channels(1000, edges));
    check("skips", channels(40, |_| "- {name: x, skips: [a, b, c, d, e, f, g, h, i, j]}\n".to_owned()));

    let small = |at: usize| {
        let bundle = |version: &str| {
            format!(
                "---\nschema: olm.bundle\npackage: p{at}\nname: p{at}.v{version}\nimage: q.io/x/p{at}:{version}\nproperties:\n\
                 - type: olm.package\n  value:\n    packageName: p{at}\n    version: {version}\n"
            )
        };
        format!(
            "---\nschema: olm.package\nname: p{at}\ndefaultChannel: s\n---\nschema: olm.channel\npackage: p{at}\nname: s\nentries:\n\
             - name: p{at}.v1.1.0\n  replaces: p{at}.v1.0.0\n- name: p{at}.v1.0.0\n{}{}",
            bundle("1.0.0"),
            bundle("1.1.0")
        )
    };
    let rules = check("small packages", (0..8000).map(small).collect());
    assert_eq!(rules, ["head-without-csv", "more-findings"]);
    let alternatives: Vec<String> = (0..1000).map(|minor| format!("=1.{minor}.0")).collect();
    let alternatives = alternatives.join(" || ");
    let ranged = (0..300).map(|at| format!("- name: p.v1.{at}.0\n  skipRange: '{alternatives}'\n"));
    let rules =
        check_with(72 << 20, "ranges", format!("{PACKAGE}{CHANNEL}0\nentries:\n{}", ranged.collect::<String>()));
    assert!(!rules.contains(&"unreadable-file".to_owned()), "{rules:?}");

    let long: String = repeat_n('x', 3 << 20).collect();
    check_with(
        72 << 20,
        "a long skipRange",
        format!("{PACKAGE}{CHANNEL}0\nentries:\n- name: a\n  skipRange: {long}\n"),
    );

    for megabytes in [1, 20] {
        let name: String = repeat_n('x', megabytes << 20).collect();
        check("the name of a package", format!("schema: olm.package\nname: {name}\n"));
        check("the name of a default channel", format!("schema: olm.package\nname: p\ndefaultChannel: {name}\n"));
        check("the name of an entry", format!("{PACKAGE}{CHANNEL}0\nentries:\n- name: {name}\n"));
        check("a skipRange", format!("{PACKAGE}{CHANNEL}0\nentries:\n- name: a\n  skipRange: {name}\n"));
        check("an image", format!("schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: {name}\n"));
        let rules = check("a schema", format!("schema: {name}\nname: a\n"));
        assert_eq!(rules, [""; 0]);
    }
}
