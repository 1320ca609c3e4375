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
/// answer, the rules are what is said about them when somebody asks, the editor is loaded with the first source, and the
/// page is what stands before anything is asked.
const BUDGETS: [(&str, usize); 4] =
    [("page", 350_000), ("worker", 900_000), ("rules", 40_000), ("codemirror", 140_000)];

/// Prints the compressed size of each file and of each part; fails if a part is above its budget.
pub(crate) fn check(dist: &Path) -> Result {
    let mut totals = [0; BUDGETS.len()];
    for file in files_below(dist)? {
        let bytes = fs::read(&file).about(&file)?;
        let gzipped = gzipped_len(&bytes).about(&file)?;
        let name = file.strip_prefix(dist).unwrap_or(&file).display().to_string();
        let part = BUDGETS.iter().skip(1).position(|(part, _)| name.contains(part)).map_or(0, |at| at + 1);
        totals[part] += gzipped;
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
