//! House rules that neither rustc nor clippy can check.
//!
//! To add one, write it as a function here and name it in `RULES`.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file with its path from the repository's root.
struct Source {
    path: String,
    text: String,
}

/// What is wrong with a file, one line each, without its path.
type Rule = fn(&Source) -> Vec<String>;

const RULES: [Rule; 8] = [
    no_unfinished_work,
    no_hidden_tests_or_lints,
    no_long_files,
    no_catch_all_modules,
    one_file_knows_the_solver,
    only_web_knows_the_browser,
    the_core_is_not_serialized,
    every_file_says_what_it_is,
];

#[test]
fn sources_keep_the_house_rules() {
    let sources = sources();
    assert!(sources.len() > 20, "found only {} files: wrong folder?", sources.len());
    let broken: Vec<String> = sources
        .iter()
        .flat_map(|file| RULES.iter().flat_map(|rule| rule(file)).map(|what| format!("{}: {what}", file.path)))
        .collect();
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

/// A rule that cannot fail is none.
#[test]
fn every_rule_catches_what_it_forbids() {
    let samples = [
        ("web/app/src/a.rs", concat!("//! a\n// TO", "DO\n").to_owned()),
        ("web/app/src/a.rs", concat!("//! a\n#[ign", "ore]\n").to_owned()),
        ("web/app/src/a.rs", format!("//! a\n{}", "\n".repeat(600))),
        ("web/app/src/utils.rs", "//! a\n".to_owned()),
        ("crates/sat/src/a.rs", concat!("//! a\nuse ::splr", "::Solver;\n").to_owned()),
        ("crates/cli/src/a.rs", "//! a\nuse web_sys::Window;\n".to_owned()),
        ("crates/catalog/src/a.rs", "//! a\n#[derive(Clone, Serialize)]\n".to_owned()),
        ("crates/catalog/src/a.rs", "use std::fmt;\n".to_owned()),
    ];
    for (rule, (path, text)) in RULES.iter().zip(samples) {
        let file = Source { path: path.to_owned(), text };
        let caught = RULES.iter().map(|rule| rule(&file).len()).sum::<usize>();
        assert_eq!((rule(&file).len(), caught), (1, 1), "{path}:\n{}", file.text);
    }
}

#[test]
fn one_crate_depends_on_the_solver() {
    for (member, _) in members() {
        let depends = dependencies(&member).iter().any(|name| name == "splr");
        assert!(!depends || member == "crates/sat", "`{member}` depends on `splr`");
    }
}

/// The member list of the root manifest is the architecture.
#[test]
fn a_crate_uses_only_those_above_it() {
    let members = members();
    for (place, (member, _)) in members.iter().enumerate() {
        for dependency in dependencies(member) {
            let below = members.iter().position(|(_, name)| *name == dependency);
            assert!(
                below.is_none_or(|below| below < place),
                "`{member}` depends on `{dependency}`, which comes after it in `Cargo.toml`"
            );
        }
    }
}

#[test]
fn the_app_sees_views_and_nothing_else() {
    let seen: Vec<String> = dependencies("web/app");
    let inner: Vec<String> = members().into_iter().map(|(_, name)| name).filter(|name| name != "views").collect();
    for dependency in seen {
        assert!(!inner.contains(&dependency), "`web/app` depends on `{dependency}`");
    }
}

fn no_unfinished_work(file: &Source) -> Vec<String> {
    // Spelled in halves, so that this file passes.
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")]
        .iter()
        .filter(|word| has_word(&file.text, word))
        .map(|word| format!("has a `{word}`; finish it or file an issue"))
        .collect()
}

/// `\uXXXX` is no unfinished work.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|found| found == word)
}

fn no_hidden_tests_or_lints(file: &Source) -> Vec<String> {
    [concat!("#[ign", "ore"), concat!("#![al", "low("), concat!("allow(dead", "_code)")]
        .iter()
        .filter(|text| file.text.contains(*text))
        .map(|text| format!("has `{text}`; mend what it hides"))
        .collect()
}

fn no_long_files(file: &Source) -> Vec<String> {
    let lines = file.text.lines().count();
    (lines > 600).then(|| format!("has {lines} lines; split it by concept")).into_iter().collect()
}

fn no_catch_all_modules(file: &Source) -> Vec<String> {
    ["utils", "util", "helpers", "helper", "common", "manager", "misc"]
        .iter()
        .filter(|name| file.path.ends_with(&format!("/{name}.rs")) || file.path.contains(&format!("/{name}/")))
        .map(|name| format!("is named `{name}`; name it for what it is about"))
        .collect()
}

fn one_file_knows_the_solver(file: &Source) -> Vec<String> {
    // `crate::splr` is our own module, around it.
    let text = file.text.replace("crate::splr", "");
    let broken = file.path != "crates/sat/src/splr.rs" && text.contains(concat!("splr", "::"));
    broken.then(|| "names `splr`; go through `sat`".to_owned()).into_iter().collect()
}

fn only_web_knows_the_browser(file: &Source) -> Vec<String> {
    if !file.path.starts_with("crates/") {
        return Vec::new();
    }
    ["wasm_bindgen", "js_sys", "web_sys", "yew"]
        .iter()
        .filter(|name| file.text.contains(&format!("{name}::")))
        .map(|name| format!("names `{name}`; only `web/` may"))
        .collect()
}

/// Below `workbench` only a snapshot of a resolution is ever written out.
fn the_core_is_not_serialized(file: &Source) -> Vec<String> {
    let core = ["source", "blang-semver", "sat", "predicate", "fbc", "catalog", "update-graph", "template", "simulate"];
    let inside = core.iter().any(|name| file.path.starts_with(&format!("crates/{name}/src/")));
    let derives = |line: &str| line.contains("derive(") && line.contains("Serialize");
    (inside && file.text.lines().any(derives))
        .then(|| "derives `Serialize`; make a view of it in `workbench`".to_owned())
        .into_iter()
        .collect()
}

fn every_file_says_what_it_is(file: &Source) -> Vec<String> {
    let says = file.text.starts_with("//!");
    (!says).then(|| "does not open with `//!`".to_owned()).into_iter().collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders: Vec<PathBuf> = ["crates", "web", "tests", "xtask"].iter().map(|name| root().join(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let relative = path.strip_prefix(root()).unwrap().to_string_lossy();
                sources.push(Source { path: relative.replace('\\', "/"), text: fs::read_to_string(&path).unwrap() });
            }
        }
    }
    sources
}

/// The members' folders and package names, in the order of the root manifest.
fn members() -> Vec<(String, String)> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let list = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    list.split(',')
        .map(|member| member.trim().trim_matches('"'))
        .filter(|member| !member.is_empty())
        .map(|member| (member.to_owned(), package_name(member)))
        .collect()
}

fn package_name(member: &str) -> String {
    let manifest = fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
    let line = manifest.lines().find_map(|line| line.strip_prefix("name = \"")).unwrap();
    line.trim_end_matches('"').to_owned()
}

/// The names under every `dependencies` table of a member's manifest.
fn dependencies(member: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            inside = table.trim_end_matches(']').ends_with("dependencies");
        } else if inside && let Some((key, _)) = line.split_once('=') {
            names.push(key.split('.').next().unwrap_or(key).trim().to_owned());
        }
    }
    names
}
