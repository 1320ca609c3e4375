//! Compares the answers for ClusterExtensions with those of operator-controller `df2c201d`.
//!
//! A row of `resolve-v1.jsonl.gz` holds manifests, catalogs by name, and for each extension the bundle or the error.

use std::collections::BTreeMap;

use catalog::Catalog;
use cluster::ClusterExtension;
use extension::{CatalogState, Verdict, resolve};
use serde::Deserialize;
use source::{FileId, Severity};

#[derive(Deserialize)]
struct Row {
    name: String,
    cluster: String,
    catalogs: BTreeMap<String, String>,
    expected: Vec<Answer>,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
struct Answer {
    extension: String,
    bundle: String,
    version: String,
    release: String,
    error: String,
}

#[test]
fn rows_agree() {
    let rows: Vec<Row> = super::rows(include_bytes!("../../resolve-v1.jsonl.gz"));
    assert_eq!(rows.len(), 300);
    let differing: Vec<String> = rows.iter().flat_map(differences).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}

fn differences(row: &Row) -> Vec<String> {
    let answers = answers(row);
    let differs = |(found, expected): (&Answer, &Answer)| {
        (found != expected).then(|| format!("{}: {found:?}, expected {expected:?}", row.name))
    };
    assert_eq!(answers.len(), row.expected.len(), "{}", row.name);
    answers.iter().zip(&row.expected).filter_map(differs).collect()
}

fn answers(row: &Row) -> Vec<Answer> {
    let manifests = cluster::read(FileId(0), &row.cluster);
    // The API server would reject some ranges; the resolver is asked all the same.
    let findings = &manifests.diagnostics;
    assert!(findings.iter().all(|finding| finding.severity == Severity::Warning), "{findings:?}");
    let contents: BTreeMap<&str, Catalog> =
        row.catalogs.iter().map(|(name, text)| (name.as_str(), super::catalog(text))).collect();
    let objects = manifests.cluster_catalogs.iter();
    let states: Vec<CatalogState<'_>> =
        objects.map(|object| CatalogState { object, content: contents.get(object.name.as_str()) }).collect();
    let answer = |extension| {
        let resolution = resolve(extension, &states);
        let chosen = resolution.candidates.iter().filter(|candidate| candidate.verdict == Verdict::Chosen).count();
        assert_eq!(chosen, usize::from(resolution.outcome.is_ok()), "{}: only the answer is chosen", row.name);
        let name = extension.name.to_string();
        match resolution.outcome {
            Ok(resolved) => Answer {
                extension: name,
                bundle: resolved.bundle.to_string(),
                version: resolved.version.to_string(),
                release: resolved.release.map(|release| release.to_string()).unwrap_or_default(),
                error: String::new(),
            },
            Err(error) => Answer { extension: name, error: error.to_string(), ..Answer::default() },
        }
    };
    let rejected = manifests.rejected_extensions.iter().map(|rejected| &rejected.extension);
    let mut extensions: Vec<&ClusterExtension> = manifests.cluster_extensions.iter().chain(rejected).collect();
    extensions.sort_by_key(|extension| &extension.name);
    let answers: Vec<Answer> = extensions.iter().copied().map(answer).collect();
    let reversed: Vec<CatalogState<'_>> = states.iter().rev().copied().collect();
    for extension in extensions {
        assert_eq!(resolve(extension, &reversed), resolve(extension, &states), "{}: order of catalogs", row.name);
    }
    answers
}
