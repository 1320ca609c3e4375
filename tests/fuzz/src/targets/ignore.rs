//! An `.indexignore` file; after each `=== FOLDER` another one.

use super::text::text;
use crate::seeds::parts;

const PATHS: [&str; 9] =
    ["a", "a.yaml", "a/b", "a/b/c.yaml", "README.md", "b/a/README.md", ".indexignore", "a/.indexignore", "é/[x]/*"];

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let (first, others) = parts(&text);
    let nested: Vec<(String, &str)> =
        others.iter().take(5).map(|(folder, text)| (format!("{folder}/.indexignore"), *text)).collect();
    let files = || nested.iter().map(|(path, text)| (path.as_str(), *text));
    let rules = catalog::IndexIgnore::new(files().chain([(".indexignore", first)]));
    let again = catalog::IndexIgnore::new([(".indexignore", first)].into_iter().chain(files()));
    for path in PATHS {
        assert_eq!(rules.ignores(path), again.ignores(path), "{path}: the order of files matters");
        let is_rule = path.ends_with(".indexignore");
        assert!(!is_rule || rules.ignores(path), "{path} is no catalog");
    }
}
