//! House rules that neither rustc nor clippy can check.
//!
//! To add a rule about files, write it as a function and name it in `RULES`; a rule about dependencies is a test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::LazyLock;

use cargo_metadata::{Dependency, DependencyKind, MetadataCommand, Package};

use crate::workspace::{files_below, root};

/// A source file with its path from the repository's root.
struct Source {
    path: String,
    text: String,
}

/// Returns what is wrong with a file, one line each, without its path.
type Rule = fn(&Source) -> Vec<String>;

const RULES: [Rule; 13] = [
    no_unfinished_work,
    no_hidden_tests_or_lints,
    no_long_files,
    no_catch_all_modules,
    one_file_names_the_solver,
    only_web_names_the_browser,
    the_core_is_not_serialized,
    every_file_has_docs,
    no_long_lines_in_web,
    one_file_writes_files,
    one_file_makes_commands,
    comments_cite_what_a_reader_can_find,
    public_items_have_docs,
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

#[test]
fn every_rule_finds_what_it_forbids() {
    let samples = [
        ("web/app/src/a.rs", concat!("//! a\n// TO", "DO\n").to_owned()),
        ("web/app/src/a.rs", concat!("//! a\n#[ign", "ore]\n").to_owned()),
        ("web/app/src/a.rs", format!("//! a\n{}", "\n".repeat(700))),
        ("web/app/src/utils.rs", "//! a\n".to_owned()),
        ("crates/sat/src/a.rs", concat!("//! a\nuse ::splr", "::Solver;\n").to_owned()),
        ("crates/cli/src/a.rs", "//! a\nuse web_sys::Window;\n".to_owned()),
        ("crates/catalog/src/a.rs", "//! a\n#[derive(Clone, Serialize)]\n".to_owned()),
        ("crates/catalog/src/a.rs", "use std::fmt;\n".to_owned()),
        ("web/app/src/a.rs", format!("//! a\n// {}\n", "–".repeat(118))),
        ("crates/cli/src/a.rs", "//! a\nuse std::fs;\nfn a() { fs::write(b, c); }\n".to_owned()),
        ("crates/openshift/src/a.rs", "//! a\nfn a() { format!(\"oc -n {b} get csv\"); }\n".to_owned()),
        ("crates/openshift/src/a.rs", "//! The rules of olm-runtime.\n".to_owned()),
        (
            "crates/openshift/src/a.rs",
            "//! a\n/// b\n#[must_use]\npub fn b() {}\n\n#[derive(\n    Clone,\n)]\npub struct C;\n".to_owned(),
        ),
    ];
    for (rule, (path, text)) in RULES.iter().zip(samples) {
        let file = Source { path: path.to_owned(), text };
        let caught = RULES.iter().map(|rule| rule(&file).len()).sum::<usize>();
        assert_eq!((rule(&file).len(), caught), (1, 1), "{path}:\n{}", file.text);
    }
}

#[test]
fn one_crate_depends_on_the_solver() {
    for member in members() {
        let depends = member.dependencies.iter().any(|dependency| dependency.name == "splr");
        assert!(!depends || member.name.as_str() == "sat", "`{}` depends on `splr`", member.name);
    }
}

/// The member list of the root manifest is the architecture.
#[test]
fn a_crate_uses_only_those_above_it() {
    let members = members();
    for (place, member) in members.iter().enumerate() {
        for dependency in member.dependencies.iter().filter(|dependency| is_member(dependency)) {
            assert!(
                members[..place].iter().any(|above| above.name.as_str() == dependency.name),
                "`{}` depends on `{}`, which comes after it in `Cargo.toml`",
                member.name,
                dependency.name
            );
        }
    }
}

/// Each crate of the product stands in the picture with the crates that it uses, without those that these use themselves.
#[test]
fn the_architecture_has_a_picture_of_all_crates() {
    let members = members();
    let uses: BTreeMap<&str, BTreeSet<&str>> = members
        .iter()
        .filter(|member| !["suite", "fuzz", "xtask"].contains(&member.name.as_str()))
        .map(|member| {
            let used = member.dependencies.iter().filter(|used| is_member(used) && used.kind == DependencyKind::Normal);
            (member.name.as_str(), used.map(|used| used.name.as_str()).collect())
        })
        .collect();
    let is_below = |name: &str, other: &&str| {
        let mut waiting: Vec<&str> = uses[other].iter().copied().collect();
        let mut below = BTreeSet::new();
        while let Some(next) = waiting.pop() {
            if below.insert(next) {
                waiting.extend(&uses[next]);
            }
        }
        below.contains(name)
    };
    let direct = |(name, used): (&&str, &BTreeSet<&str>)| {
        let shown = used.iter().filter(|name| !used.iter().any(|other| is_below(name, other)));
        ((*name).to_owned(), shown.map(|name| (*name).to_owned()).collect::<Vec<_>>())
    };
    let expected: BTreeMap<String, Vec<String>> = uses.iter().map(direct).collect();

    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let picture = text.split("```").nth(1).expect("ARCHITECTURE.md begins with the picture");
    let cells = picture.lines().flat_map(|line| line.split("  ")).map(str::trim);
    let shown = cells.filter_map(|cell| {
        let (name, used) = cell.split_once(" <- ").unwrap_or((cell, ""));
        let used = used.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        // The other cells are headings, of several words.
        (!name.is_empty() && !name.contains(' ')).then(|| (name.to_owned(), used))
    });
    assert_eq!(shown.collect::<BTreeMap<String, Vec<String>>>(), expected);
}

#[test]
fn the_app_sees_views_and_the_drawing_and_nothing_else() {
    let members = members();
    let inner = |name: &str| -> BTreeSet<String> {
        let member = members.iter().find(|member| member.name.as_str() == name).unwrap();
        member.dependencies.iter().filter(|d| is_member(d)).map(|d| d.name.clone()).collect()
    };
    assert_eq!(inner("opscope-app"), ["opscope-drawing", "views"].map(str::to_owned).into());
    assert_eq!(inner("opscope-drawing"), ["views".to_owned()].into());
}

/// The command line and the page ask `session` and `answers`, and show views and reports. They take nothing else from the core.
#[test]
fn one_facade() {
    let facade = ["answers", "archive", "opscope-drawing", "report", "rulebook", "session", "source", "views"];
    let members = members();
    for name in ["opscope", "opscope-worker", "opscope-drawing", "opscope-app", "opscope-element"] {
        let member = members.iter().find(|member| member.name.as_str() == name).unwrap();
        let used = member.dependencies.iter().filter(|used| is_member(used) && used.kind == DependencyKind::Normal);
        let past: Vec<&str> = used.map(|used| used.name.as_str()).filter(|name| !facade.contains(name)).collect();
        assert!(past.is_empty(), "`{name}` takes {past:?} from the core, past `session` and `answers`");
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let members = members();
    let outer = members.iter().flat_map(|member| &member.dependencies).filter(|dependency| !is_member(dependency));
    let used: BTreeSet<String> = outer.map(|dependency| dependency.name.clone()).collect();
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let (_, section) = text.split_once("## Dependencies\n").expect("CONTRIBUTING.md has a table of dependencies");
    let rows = section.lines().take_while(|line| !line.starts_with("## "));
    let explained: BTreeSet<String> =
        rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect();
    let missing: Vec<_> = used.difference(&explained).collect();
    let unused: Vec<_> = explained.difference(&used).collect();
    assert!(missing.is_empty(), "CONTRIBUTING.md gives no reason for {missing:?}");
    assert!(unused.is_empty(), "CONTRIBUTING.md explains {unused:?}, which nothing depends on");
}

#[test]
fn a_crate_names_what_it_depends_on() {
    let sources = sources();
    for member in members() {
        let folder = member.manifest_path.parent().and_then(|folder| folder.strip_prefix(root()).ok()).unwrap();
        let own = format!("{folder}/").replace('\\', "/");
        let texts: Vec<&str> =
            sources.iter().filter(|file| file.path.starts_with(&own)).map(|file| &*file.text).collect();
        for dependency in &member.dependencies {
            let name = dependency.rename.as_ref().unwrap_or(&dependency.name).replace('-', "_");
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_named = texts.iter().any(|text| text.split(|c| !is_name(c)).any(|word| word == name));
            assert!(is_named, "`{}` depends on `{}`, and no source of it names that", member.name, dependency.name);
        }
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

/// Looks for whole words: `\uXXXX` is not unfinished work.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|found| found == word)
}

fn no_hidden_tests_or_lints(file: &Source) -> Vec<String> {
    [concat!("#[ign", "ore"), concat!("#![al", "low("), concat!("allow(dead", "_code)")]
        .iter()
        .filter(|text| file.text.contains(*text))
        .map(|text| format!("has `{text}`; fix what it hides"))
        .collect()
}

fn no_long_files(file: &Source) -> Vec<String> {
    let lines = file.text.lines().count();
    (lines > 700).then(|| format!("has {lines} lines; split it by concept")).into_iter().collect()
}

fn no_catch_all_modules(file: &Source) -> Vec<String> {
    ["utils", "util", "helpers", "helper", "common", "manager", "misc"]
        .iter()
        .filter(|name| file.path.ends_with(&format!("/{name}.rs")) || file.path.contains(&format!("/{name}/")))
        .map(|name| format!("is named `{name}`; name it for what it is about"))
        .collect()
}

fn one_file_names_the_solver(file: &Source) -> Vec<String> {
    // `crate::splr` is our own module, around it.
    let text = file.text.replace("crate::splr", "");
    let broken = file.path != "crates/sat/src/splr.rs" && text.contains(concat!("splr", "::"));
    broken.then(|| "names `splr`; go through `sat`".to_owned()).into_iter().collect()
}

/// Whatever is written is checked before, and none of it is half written.
fn one_file_writes_files(file: &Source) -> Vec<String> {
    let is_product =
        file.path.starts_with("crates/") && file.path.contains("/src/") && !file.path.ends_with("tests.rs");
    let writes = ["fs::write", "File::create", "create_dir", "fs::rename", "OpenOptions"];
    let found = writes.into_iter().filter(|call| file.text.contains(call));
    let own = ["crates/cli/src/rewritten.rs", "crates/cli/src/image/cache.rs"].contains(&&*file.path) || !is_product;
    found.filter(|_| !own).map(|call| format!("calls `{call}`; `crates/cli/src/rewritten.rs` writes files")).collect()
}

/// A name in a command that is shown may not be more than one word of it.
fn one_file_makes_commands(file: &Source) -> Vec<String> {
    let is_product = (file.path.starts_with("crates/") || file.path.starts_with("web/")) && file.path.contains("/src/");
    let programs = [
        "oc -n",
        "oc adm upgrade",
        "oc get",
        "oc image extract",
        "kubectl get",
        "kubectl -n",
        "opm render",
        "skopeo copy",
    ];
    let has_name =
        |line: &str| programs.iter().any(|program| line.contains(&format!("\"{program} "))) && line.contains('{');
    let code = file.text.lines().take_while(|line| *line != "#[cfg(test)]");
    let found = code.filter(|line| is_product && has_name(line) && !line.contains("ShellCommand::new("));
    found.map(|line| format!("puts a name into a command: `{}`; use `source::ShellCommand`", line.trim())).collect()
}

fn only_web_names_the_browser(file: &Source) -> Vec<String> {
    if !file.path.starts_with("crates/") {
        return Vec::new();
    }
    ["wasm_bindgen", "js_sys", "web_sys", "yew"]
        .iter()
        .filter(|name| file.text.contains(&format!("{name}::")))
        .map(|name| format!("names `{name}`; only `web/` may"))
        .collect()
}

/// The folders of the crates below `session`, apart from those of views and reports.
static CORE: LazyLock<Vec<String>> = LazyLock::new(|| {
    let members = members().into_iter().take_while(|member| member.name.as_str() != "session");
    let folders = members.filter(|member| !["report", "views"].contains(&member.name.as_str())).map(|member| {
        let folder = member.manifest_path.parent().and_then(|folder| folder.strip_prefix(root()).ok());
        format!("{}/src/", folder.expect("members are below the root"))
    });
    folders.collect()
});

/// Plain values that cross to the page as they are.
const VOCABULARY: &str = "crates/source/src/vocabulary/";

/// What crosses to the page, or is printed, is a view.
fn the_core_is_not_serialized(file: &Source) -> Vec<String> {
    let inside = CORE.iter().any(|folder| file.path.starts_with(folder)) && !file.path.starts_with(VOCABULARY);
    let derives = |line: &str| line.contains("derive(") && line.contains("Serialize");
    (inside && file.text.lines().any(derives))
        .then(|| "derives `Serialize`; make a view of it".to_owned())
        .into_iter()
        .collect()
}

#[test]
fn the_core_has_all_crates_below_the_session() {
    for name in ["archive", "extension", "mirror"] {
        assert!(CORE.contains(&format!("crates/{name}/src/")), "{name} in {CORE:?}");
    }
    assert!(!CORE.iter().any(|folder| folder.contains("session")), "{CORE:?}");
}

/// A comment names a file of OLM or a paper; these are notes that are not in the repository.
fn comments_cite_what_a_reader_can_find(file: &Source) -> Vec<String> {
    const NOTES: [&str; 9] = [
        "bundle-directories",
        "catalog-sets",
        "cluster-states",
        "crd-upgrades",
        "fbc-semantics",
        "olm-runtime",
        "upstream-2026",
        "users-and-peers",
        "v1-delta",
    ];
    const WITH_SECTIONS: [&str; 4] = ["authoring", "compare", "inputs", "migration"];
    let has_section = |line: &str, note: &str| {
        let mut rests = line.match_indices(note).map(|(at, _)| &line[at + note.len()..]);
        rests.any(|rest| rest.trim_start_matches([' ', '(']).starts_with(|first: char| first.is_ascii_digit()))
    };
    let cites = |line: &&str| {
        NOTES.iter().any(|note| line.contains(note)) || WITH_SECTIONS.iter().any(|note| has_section(line, note))
    };
    let comments = file.text.lines().map(str::trim).filter(|line| line.starts_with("//"));
    comments.filter(cites).map(|line| format!("cites what is not in the repository: `{line}`")).collect()
}

/// Items that other crates can use say what they are. Fields and variants do where their names do not.
fn public_items_have_docs(file: &Source) -> Vec<String> {
    const KINDS: [&str; 9] = ["async", "const", "enum", "fn", "static", "struct", "trait", "type", "unsafe"];
    let is_used = file.path.starts_with("crates/") && !file.path.starts_with("crates/cli/");
    if !is_used || !file.path.contains("/src/") {
        return Vec::new();
    }
    let mut missing = Vec::new();
    let mut has_docs = false;
    let mut in_attribute = false;
    for line in file.text.lines().map(str::trim) {
        let is_named = !line.contains('$');
        let item = line
            .strip_prefix("pub ")
            .filter(|item| is_named && KINDS.iter().any(|kind| item.starts_with(&format!("{kind} "))));
        match item {
            Some(item) if !has_docs => missing.push(format!("has no docs for `{item}`")),
            _ => {}
        }
        in_attribute = (in_attribute || line.starts_with("#[")) && !line.ends_with(']');
        let is_attribute = in_attribute || line.ends_with(']') && (has_docs || line.starts_with("#["));
        has_docs = line.starts_with("///") || has_docs && is_attribute;
    }
    missing
}

fn every_file_has_docs(file: &Source) -> Vec<String> {
    let has_docs = file.text.starts_with("//!");
    (!has_docs).then(|| "does not open with `//!`".to_owned()).into_iter().collect()
}

/// rustfmt does not look into `html!`.
fn no_long_lines_in_web(file: &Source) -> Vec<String> {
    const COLUMNS: usize = 120;
    if !file.path.starts_with("web/") {
        return Vec::new();
    }
    let long = (1..).zip(file.text.lines()).filter(|(_, line)| line.chars().count() > COLUMNS);
    long.map(|(number, _)| format!("line {number} has more than {COLUMNS} columns")).collect()
}

fn sources() -> Vec<Source> {
    let folders = ["crates", "web", "tests", "xtask"].map(|name| files_below(&root().join(name)).unwrap());
    let files = folders.into_iter().flatten().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    files
        .map(|path| {
            let relative = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            Source { path: relative, text: fs::read_to_string(&path).unwrap() }
        })
        .collect()
}

/// The members of the workspace in the order of the root manifest, with what they depend on.
fn members() -> Vec<Package> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    metadata.workspace_packages().into_iter().cloned().collect()
}

fn is_member(dependency: &Dependency) -> bool {
    dependency.path.is_some()
}
