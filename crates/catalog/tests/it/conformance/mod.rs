//! Compares the findings in 700 catalogs with the verdicts and errors of `opm validate` (operator-registry v1.73.0).
//!
//! `validate.jsonl.gz` holds a JSON object a line: `catalog` is the text of one file, `valid` the verdict, `phase`
//! (`load` or `convert`) and `error` the text that was printed. `opm` stops at the first error while it loads and
//! converts, and prints a tree of all errors when it validates. All of them must be among our findings, to the letter.

mod quick_fixes;

use catalog::{ParsedFile, lower, rejection, rejection_text};
use fbc::Reading;
use flate2::read::GzDecoder;
use serde::Deserialize;
use source::{Diagnostic, FileId, TextEdit};
use std::io::{BufRead, BufReader};

#[derive(Deserialize)]
struct Row {
    name: String,
    catalog: String,
    valid: bool,
    #[serde(default)]
    error: String,
}

/// An entry without a bundle is one finding, but two errors in the tree of `opm`.
const NO_BUNDLE: [&str; 2] = ["must be exactly one property with type \"olm.package\"", "bundle image must be set"];

fn rows() -> Vec<Row> {
    let file = std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/validate.jsonl.gz"));
    let lines = BufReader::new(GzDecoder::new(file.expect("the file is there"))).lines();
    lines.map(|line| serde_json::from_str(&line.expect("a line")).expect("a row")).collect()
}

fn findings(text: &str) -> Vec<Diagnostic> {
    let parse = fbc::parse(FileId(0), text);
    let (catalog, findings) = lower(&[ParsedFile { text, parse: &parse }]);
    parse.diagnostics.into_iter().chain(findings).chain(catalog::check(&catalog)).collect()
}

/// The lines that `opm` would print for the findings in a catalog.
fn opm_lines(text: &str) -> Vec<String> {
    findings(text).into_iter().filter_map(|finding| finding.opm).collect()
}

/// The errors in what `opm` printed.
fn errors(printed: &str) -> Vec<&str> {
    let printed = printed.trim();
    match printed.strip_prefix("invalid index:\n") {
        Some(tree) => {
            let lines = tree.lines().map(|line| line.trim_start_matches([' ', '│', '├', '└', '─']));
            lines.filter(|line| !(line.starts_with("invalid ") && line.ends_with(':'))).collect()
        }
        // The JSON of a document that is not an object follows, with an arrow in it.
        None if printed.contains("(indicated by <==)") => printed.lines().take(1).collect(),
        None => vec![printed],
    }
}

fn is_printed(error: &str, lines: &[String]) -> bool {
    lines.iter().any(|line| line == error || (error == NO_BUNDLE[1] && line == NO_BUNDLE[0]))
        || (error == NO_BUNDLE[0] && lines.iter().any(|line| line.starts_with("no olm.bundle blobs found")))
}

#[test]
fn findings_are_the_errors_of_opm() {
    let rows = rows();
    assert_eq!(rows.len(), 700);
    let mut wrong = Vec::new();
    for row in &rows {
        let lines = opm_lines(&row.catalog);
        if lines.is_empty() != row.valid {
            wrong.push(format!("{}: valid is {}, but the findings are {lines:?}", row.name, row.valid));
        } else if !row.valid {
            let missing = errors(&row.error).into_iter().filter(|error| !is_printed(error, &lines));
            wrong.extend(missing.map(|error| format!("{}: {error:?} is not among {lines:?}", row.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `opm` stops at one error, which `rejection` must find.
#[test]
fn rejection_is_the_error_that_opm_stops_at() {
    let mut wrong = Vec::new();
    for row in rows().iter().filter(|row| !row.valid) {
        let text = row.catalog.as_str();
        let parse = fbc::parse(FileId(0), text);
        let file = ParsedFile { text, parse: &parse };
        let (catalog, mut findings) = lower(&[file]);
        findings.extend(catalog::check(&catalog));
        findings.extend(parse.diagnostics.iter().cloned());
        let first = rejection(&[(FileId(0), file)], &findings).and_then(|finding| finding.opm.clone());
        if !errors(&row.error).into_iter().any(|error| is_printed(error, first.as_slice())) {
            wrong.push(format!("{}: {:?}, not {first:?}", row.name, row.error));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines of a tree without their order: `opm` prints packages, channels and bundles in that of Go's maps.
fn sorted_lines(text: &str) -> Vec<String> {
    let shape = |line: &str| line.replace("├── ", "└── ").replace('│', " ");
    let mut lines: Vec<String> = text.trim().lines().map(shape).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn the_text_of_a_rejection_is_what_opm_prints() {
    let mut wrong = Vec::new();
    for row in rows().iter().filter(|row| !row.valid && !row.error.contains("(indicated by <==)")) {
        let text = row.catalog.as_str();
        let parse = fbc::parse(FileId(0), text);
        let file = ParsedFile { text, parse: &parse };
        let (catalog, mut findings) = lower(&[file]);
        findings.extend(catalog::check(&catalog));
        findings.extend(parse.diagnostics.iter().cloned());
        let first = rejection(&[(FileId(0), file)], &findings).expect("a rejected catalog has an error");
        let printed = rejection_text(&catalog, first).unwrap_or_default();
        if sorted_lines(&printed) != sorted_lines(&row.error) {
            wrong.push(format!("{}: {}\nnot\n{printed}", row.name, row.error));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The next pseudo-random number of a linear congruential generator.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Reading in steps, with edits that mix the catalogs, gives the same result as reading at once.
#[test]
fn steps_and_edits_give_the_result_of_reading_at_once() {
    let rows = rows();
    let mut state = 7;
    for (row, other) in rows.iter().zip(rows.iter().skip(1)).step_by(5) {
        let mut text = row.catalog.clone();
        let mut reading = Reading::new(FileId(0));
        while !reading.step(&text, 200) {}
        assert_eq!(*reading.parse(), fbc::parse(FileId(0), &text), "{}", row.name);
        for _ in 0..6 {
            let start = text.floor_char_boundary(next(&mut state) % (text.len() + 1));
            let end = text.ceil_char_boundary((start + next(&mut state) % 40).min(text.len()));
            let from = other.catalog.floor_char_boundary(next(&mut state) % (other.catalog.len() + 1));
            let to = other.catalog.ceil_char_boundary((from + next(&mut state) % 80).min(other.catalog.len()));
            let inserted = &other.catalog[from..to];
            text.replace_range(start..end, inserted);
            let edit = TextEdit { start: start as u32, end: end as u32, text: inserted.to_owned() };
            reading.edit(&text, &edit);
            while !reading.step(&text, 500) {}
            assert_eq!(*reading.parse(), fbc::parse(FileId(0), &text), "{}:\n{text}", row.name);
        }
    }
}
