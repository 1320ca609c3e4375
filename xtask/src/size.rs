//! The size line: what a visitor downloads, held against a budget.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::failure::{About, Failure, Result};
use crate::term::say;
use crate::workspace::files_below;

/// All of `dist/`, compressed file by file, may have this many bytes.
const BUDGET: usize = 900_000;

/// Prints the compressed size of each file and of all; fails above the budget.
pub(crate) fn check(dist: &Path) -> Result {
    let mut total = 0;
    for file in files_below(dist)? {
        let bytes = fs::read(&file).about(&file)?;
        let gzipped = gzipped_len(&bytes).about(&file)?;
        total += gzipped;
        let name = file.strip_prefix(dist).unwrap_or(&file);
        say(format_args!("{:>8} kB gzip  {}", kilobytes(gzipped), name.display()));
    }
    let line = format!("{} kB gzip of {} kB", kilobytes(total), kilobytes(BUDGET));
    say(format_args!("size: {line}"));
    if total > BUDGET {
        return Err(
            Failure::new(format!("`dist/` is over its size budget: {line}")).mend("find what grew in the list above")
        );
    }
    Ok(())
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
