//! The documentation: `docs/` as a book of mdBook, with a page for each rule.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::workspace::{files_below, root, target};

/// The chapter with the list of all rules; the pages of the rules come below it.
const RULES: &str = "rules.md";

/// The chapter with what commands print for programs; the definitions of `schemas.json` stand at its end.
const JSON: &str = "json.md";

/// The folder of the pages of the rules.
const RULE_PAGES: &str = "rules";

/// Builds the book into a folder. `mdbook` must be on the `PATH` of the shell.
pub(crate) fn build(shell: &Shell, into: &Path) -> Result<()> {
    let sources = target().join("book");
    gather(&root().join("docs"), &sources)?;
    let build = cmd!(shell, "mdbook build {sources} --dest-dir {into}").env("MDBOOK_LOG", "warn");
    build
        .quiet()
        .run()
        .context("help: `cargo xtask build` and `cargo xtask serve` install mdBook and run Trunk with it")
}

/// Copies the sources of the book, and adds the pages of the rules.
fn gather(docs: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    for name in ["book.toml", "src", "theme"] {
        for file in files_below(&docs.join(name))? {
            let copy = to.join(file.strip_prefix(docs)?);
            fs::create_dir_all(copy.parent().context("a file has a folder")?)?;
            fs::copy(&file, copy)?;
        }
    }
    let book = rulebook::all();
    let pages = to.join("src").join(RULE_PAGES);
    fs::create_dir_all(&pages)?;
    let mut chapters = String::new();
    for doc in &book.findings {
        fs::write(pages.join(format!("{}.md", doc.id)), rulebook::page(doc))?;
        writeln!(chapters, "  - [{0}]({RULE_PAGES}/{0}.md)", doc.id)?;
    }
    let json = to.join("src").join(JSON);
    let schemas = serde_json::from_str(&fs::read_to_string(docs.join("src/schemas.json"))?)?;
    fs::write(&json, fs::read_to_string(&json)? + &definitions(&schemas))?;
    let (rules, summary) = (to.join("src").join(RULES), to.join("src/SUMMARY.md"));
    fs::write(&rules, fs::read_to_string(&rules)? + &rulebook::index(&book, RULE_PAGES))?;
    Ok(fs::write(&summary, with_rules(&fs::read_to_string(&summary)?, &chapters)?)?)
}

/// The definitions of a JSON Schema as Markdown: those of commands, then those that they consist of.
fn definitions(schema: &Value) -> String {
    let all = schema["$defs"].as_object().into_iter().flatten();
    let (commands, parts): (Vec<_>, Vec<_>) = all.partition(|(name, _)| name.starts_with(char::is_lowercase));
    let line = |(name, one): &(&String, &Value)| format!("- `{name}`: {}\n", type_of(one));
    let mut text = format!("\n## What each command prints\n\n{}", commands.iter().map(line).collect::<String>());
    for (name, part) in parts {
        let about = part["description"].as_str().unwrap_or_default();
        text += &format!("\n### {name}\n\n{}\n\n{}\n", about.replace('<', "&lt;"), type_of(part));
        let required =
            |field: &String| part["required"].as_array().is_some_and(|all| all.iter().any(|one| one == field));
        for (field, of) in part["properties"].as_object().into_iter().flatten() {
            let absent = if required(field) { "" } else { ", may be absent" };
            let about = of["description"].as_str().map(|about| format!(". {}", about.replace('\n', " ")));
            text +=
                &format!("- `{field}`: {}{absent}{}\n", type_of(of), about.unwrap_or_default().replace('<', "&lt;"));
        }
    }
    text
}

/// A type of a JSON Schema in a few words.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    let any_of = |key: &str| {
        let types: Vec<String> = schema[key].as_array()?.iter().map(type_of).collect();
        Some(types.join(" or "))
    };
    let values = || {
        let one = schema.get("const").map(|value| vec![value.clone()]);
        let values = one.or_else(|| schema["enum"].as_array().cloned())?;
        Some(values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(" or "))
    };
    let named = || match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", type_of(&schema["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "anything".to_owned(),
    };
    any_of("anyOf").or_else(|| any_of("oneOf")).or_else(values).unwrap_or_else(named)
}

/// The list of chapters with those of the rules below theirs.
fn with_rules(summary: &str, chapters: &str) -> Result<String> {
    let own = format!("({RULES})\n");
    let (before, after) =
        summary.split_once(&own).with_context(|| format!("`docs/src/SUMMARY.md` has no chapter `{RULES}`"))?;
    Ok(format!("{before}{own}{chapters}{after}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The gathered sources of the book: path and text of each Markdown file.
    fn pages(test: &str) -> Vec<(String, String)> {
        let folder = std::env::temp_dir().join(format!("opscope-book-{test}-{}", std::process::id()));
        gather(&root().join("docs"), &folder).unwrap();
        let sources = folder.join("src");
        let files = files_below(&sources).unwrap();
        let read = files.iter().map(|file| {
            let name = file.strip_prefix(&sources).unwrap().to_string_lossy().replace('\\', "/");
            (name, String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned())
        });
        let pages = read.collect();
        fs::remove_dir_all(&folder).unwrap();
        pages
    }

    #[test]
    fn definitions_name_fields_and_their_types() {
        let schema = serde_json::json!({ "$defs": {
            "list": { "$ref": "#/$defs/Listed" },
            "Listed": { "description": "A list.", "type": "object", "required": ["names"], "properties": {
                "names": { "type": "array", "items": { "type": "string" } },
                "level": { "description": "How bad.", "anyOf": [{ "enum": ["bad", "good"] }, { "type": "null" }] },
            }},
        }});
        let text = definitions(&schema);
        let expected = "### Listed\n\nA list.\n\nobject\n- `level`: `\"bad\"` or `\"good\"` or null, may be absent. How bad.\n\
                        - `names`: list of string\n";
        assert!(text.contains("- `list`: [Listed](#listed)\n") && text.ends_with(expected), "{text}");
    }

    #[test]
    fn rules_stand_below_their_chapter() {
        let summary = "- [Rules](rules.md)\n- [Limits](limits.md)\n";
        let expected = "- [Rules](rules.md)\n  - [a](rules/a.md)\n- [Limits](limits.md)\n";
        assert_eq!(with_rules(summary, "  - [a](rules/a.md)\n").unwrap(), expected);
        assert!(with_rules("- [Limits](limits.md)\n", "").is_err());
    }

    #[test]
    fn colours_are_those_of_the_page() {
        let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
        let (page, book) = (read("web/drawing/style/tokens.css"), read("docs/theme/opscope.css"));
        let used: Vec<&str> =
            book.split("light-dark(").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)).collect();
        assert!(used.len() > 20, "{used:?}");
        let unknown: BTreeSet<&&str> = used.iter().filter(|pair| !page.contains(**pair)).collect();
        assert!(unknown.is_empty(), "not in web/drawing/style/tokens.css: {unknown:?}");
    }

    #[test]
    fn every_link_leads_to_a_page_and_every_page_is_in_the_summary() {
        let pages = pages("links");
        let names: BTreeSet<&str> = pages.iter().map(|(name, _)| &**name).collect();
        assert!(names.contains("rules/downgrade.md"), "{names:?}");
        let mut listed = BTreeSet::from(["SUMMARY.md".to_owned()]);
        for (name, text) in pages.iter().filter(|(name, _)| name.ends_with(".md")) {
            let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            for link in text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)) {
                let file = link.split('#').next().unwrap_or_default();
                if file.is_empty() || file.contains("://") {
                    continue;
                }
                // `../index.html` is the page beside the book.
                let path = format!("{folder}{file}");
                assert!(path == "../index.html" || names.contains(&*path), "`{name}` links to `{link}`");
                listed.extend((name == "SUMMARY.md").then_some(path));
            }
        }
        let missing: Vec<&&str> =
            names.iter().filter(|name| name.ends_with(".md") && !listed.contains(**name)).collect();
        assert!(missing.is_empty(), "not in docs/src/SUMMARY.md: {missing:?}");
    }
}
