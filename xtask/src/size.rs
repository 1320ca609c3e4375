//! The size line: what a visitor downloads, held against budgets.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::failure::{About, Failure, Result};
use crate::term::say;
use crate::workspace::files_below;

/// What each part of `dist/` may have, in bytes compressed file by file: the worker is the core with everything that it can
/// answer, the rules are what is said about them when somebody asks, the editor is loaded with the first source, the keeper
/// is what a browser takes to install the page, and the page is what stands before anything is asked.
const BUDGETS: [(&str, usize); 5] =
    [("page", 500_000), ("worker", 1_100_000), ("rules", 40_000), ("codemirror", 140_000), ("keeper", 20_000)];

/// How the names of the keeper's files begin.
const KEEPER: [&str; 3] = ["sw.js", "icon", "manifest"];

/// Prints the compressed size of each file and of each part; fails if a part is above its budget.
pub(crate) fn check(dist: &Path) -> Result {
    let mut totals = [0; BUDGETS.len()];
    for file in files_below(dist)? {
        let bytes = fs::read(&file).about(&file)?;
        let gzipped = gzipped_len(&bytes).about(&file)?;
        let name = file.strip_prefix(dist).unwrap_or(&file).display().to_string();
        totals[part(&name)] += gzipped;
        say(format_args!("{:>8} kB gzip  {name}", kilobytes(gzipped)));
    }
    let mut over = Vec::new();
    for ((part, budget), total) in BUDGETS.into_iter().zip(totals) {
        let line = format!("{part}: {} kB gzip of {} kB", kilobytes(total), kilobytes(budget));
        say(format_args!("size: {line}"));
        if total > budget {
            over.push(line);
        }
    }
    if over.is_empty() {
        return Ok(());
    }
    let failure = Failure::new(format!("`dist/` is over its size budget: {}", over.join(", ")));
    Err(failure.mend("find what grew in the list above"))
}

/// The part that a file belongs to, an index.
fn part(name: &str) -> usize {
    let is_of = |part: &str| match part {
        "keeper" => KEEPER.iter().any(|start| name.starts_with(start)),
        part => name.contains(part),
    };
    BUDGETS.iter().skip(1).position(|(part, _)| is_of(part)).map_or(0, |at| at + 1)
}

fn gzipped_len(bytes: &[u8]) -> std::io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

/// Thousands of bytes, with one digit after the point.
fn kilobytes(bytes: usize) -> String {
    format!("{}.{}", bytes / 1000, bytes % 1000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_belongs_to_a_part() {
        let parts = ["index.html", "opscope-worker-1f_bg.wasm", "rules-1f.json", "icon-512.png"]
            .map(|name| BUDGETS[part(name)].0);
        assert_eq!(parts, ["page", "worker", "rules", "keeper"]);
    }

    #[test]
    fn kilobytes_are_cut_not_rounded() {
        assert_eq!(kilobytes(0), "0.0");
        assert_eq!(kilobytes(1_099), "1.0");
        assert_eq!(kilobytes(900_000), "900.0");
    }

    #[test]
    fn sizes_are_compressed_sizes() {
        let zeros = gzipped_len(&[0; 10_000]).unwrap();
        assert!(zeros < 100, "{zeros}");
    }
}
