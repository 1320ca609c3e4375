//! `build`: Trunk, with the tools that it calls.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use brotli::enc::BrotliEncoderParams;
use clap::ValueEnum;
use rayon::prelude::*;
use xshell::{Shell, cmd};

use crate::setup::Toolchain;
use crate::workspace::{self, files_below, say};

/// The profiles in the root manifest with which the app is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Small, for visitors
    Web,
    /// Quick to build, for browser tests
    E2e,
}

/// The folder of the documentation, beside the page.
pub(crate) const DOCUMENTATION: &str = "docs";

/// `cargo xtask build`: makes the release build, and compares the size of what visitors get with the limits.
pub(crate) fn build(toolchain: &Toolchain, profile: Profile) -> Result<()> {
    let shell = shell(toolchain)?;
    let name = profile.to_possible_value().context("a profile has a name")?;
    let name = name.get_name();
    cmd!(shell, "trunk build --release --cargo-profile {name}").run()?;
    match profile {
        Profile::Web => {
            pack(&workspace::dist())?;
            check_size(&workspace::dist())
        }
        Profile::E2e => Ok(()),
    }
}

pub(crate) fn shell(toolchain: &Toolchain) -> Result<Shell> {
    let shell = toolchain.shell()?;
    shell.set_var("TRUNK_SKIP_VERSION_CHECK", "true");
    // Trunk reads this variable as a boolean and refuses the customary `1`.
    if shell.var_os("NO_COLOR").is_some() {
        shell.set_var("NO_COLOR", "true");
    }
    Ok(shell)
}

// What a visitor downloads: compressed files, and their size compared with limits.

/// The extension of a compressed file. A server that knows them sends `NAME.br` in place of `NAME`, all others need none.
const PACKED: &str = "br";

/// Packs the files of the page and of its documentation that get smaller, apart from the page itself, which a server may change.
fn pack(dist: &Path) -> Result<()> {
    let is_packed = |file: &PathBuf| {
        let ends = ["css", "html", "js", "json", "svg", "wasm"];
        file.extension().is_some_and(|end| ends.iter().any(|known| end == *known)) && *file != dist.join("index.html")
    };
    let files: Vec<PathBuf> = files_below(dist)?.into_iter().filter(is_packed).collect();
    // The largest window that all browsers know, and the best compression.
    let parameters = BrotliEncoderParams { quality: 11, lgwin: 24, ..BrotliEncoderParams::default() };
    files.par_iter().try_for_each(|file| {
        let mut packed = Vec::new();
        brotli::BrotliCompress(&mut &*fs::read(file)?, &mut packed, &parameters)?;
        Ok(fs::write(file.with_added_extension(PACKED), packed)?)
    })
}

/// The part with the documentation.
const DOCS: &str = "docs";

/// The parts of `dist/`, each with the start of its files' names and the most bytes that they may have, those that are packed as
/// they are packed. A file whose name starts like none of them is part of the page.
const LIMITS: [(&str, &[&str], usize); 7] = [
    // What a visitor waits for.
    ("page", &[], 750_000),
    // What the first catalog waits for.
    ("worker", &["opscope-worker"], 2_200_000),
    // The texts about rules, fetched when somebody opens one.
    ("rules", &["rules"], 30_000),
    // The editor, loaded with the first source.
    ("editor", &["codemirror"], 125_000),
    // The book, of which a visitor loads a page at a time.
    (DOCS, &["docs"], 1_700_000),
    // The custom element for other pages, which this one does not load.
    ("element", &["element"], 430_000),
    // What a browser needs to install the page.
    ("install", &["sw.js", "icon", "manifest"], 20_000),
];

/// Prints the size of each part, and of each file outside of the documentation; fails if a part is above its limit.
fn check_size(dist: &Path) -> Result<()> {
    let mut totals = [0; LIMITS.len()];
    for file in files_below(dist)? {
        if file.extension().is_some_and(|end| end == PACKED) {
            continue;
        }
        let packed = file.with_added_extension(PACKED);
        let bytes = fs::metadata(if packed.exists() { packed } else { file.clone() })?.len() as usize;
        let name = file.strip_prefix(dist)?.display().to_string();
        totals[part(&name)] += bytes;
        // More than a hundred small files would hide the others.
        if LIMITS[part(&name)].0 != DOCS {
            say(format_args!("{:>8} kB  {name}", kilobytes(bytes)));
        }
    }
    let mut above = Vec::new();
    for ((part, _, limit), total) in LIMITS.into_iter().zip(totals) {
        let line = format!("{part}: {} kB compressed of at most {} kB", kilobytes(total), kilobytes(limit));
        say(format_args!("size: {line}"));
        if total > limit {
            above.push(line);
        }
    }
    if !above.is_empty() {
        bail!("`dist/` is too large: {}\nhelp: find what grew in the list above", above.join(", "));
    }
    Ok(())
}

/// The index of the part that a file belongs to.
fn part(name: &str) -> usize {
    LIMITS.iter().position(|(_, starts, _)| starts.iter().any(|start| name.starts_with(start))).unwrap_or(0)
}

/// Thousands of bytes, with one digit after the point, rounded down.
fn kilobytes(bytes: usize) -> String {
    format!("{}.{}", bytes / 1000, bytes % 1000 / 100)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::workspace::root;

    #[test]
    fn the_server_of_the_image_sends_the_policy_of_the_page() {
        let page = fs::read_to_string(root().join("index.html")).unwrap();
        let server = fs::read_to_string(root().join("web/server/nginx.conf")).unwrap();
        let (_, policy) = page.split_once("\"Content-Security-Policy\" content=\"").unwrap();
        let (policy, _) = policy.split_once('"').unwrap();
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        for line in
            [format!("default \"{policy}; frame-ancestors *\";"), "Content-Security-Policy $policy always;".to_owned()]
        {
            assert!(server.contains(&line), "expected in web/server/nginx.conf: {line}");
        }
    }

    #[test]
    fn every_file_belongs_to_a_part() {
        let docs = Path::new("docs").join("index.html").display().to_string();
        assert_eq!(LIMITS[part(&docs)].0, "docs");
        let names = [
            "index.html",
            "opscope-app-1f_bg.wasm",
            "opscope-worker_bg-1f.wasm",
            "rules-1f.json",
            "codemirror-1f.js",
            "element/opscope-graph.js",
            "icon-512.png",
        ];
        let parts = ["page", "page", "worker", "rules", "editor", "element", "install"];
        assert_eq!(names.map(|name| LIMITS[part(name)].0), parts);
    }

    #[test]
    fn kilobytes_are_rounded_down() {
        assert_eq!([0, 1_099, 900_000].map(kilobytes), ["0.0", "1.0", "900.0"]);
    }
}
