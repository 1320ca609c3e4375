//! Applies the quick fixes of the failing examples.

use crate::example_tests::{files, workbench};
use crate::texts::text;
use session::Workbench;
use source::Rule;
use std::collections::BTreeSet;
use views::{AuthoringInput, FileKey, FileMark, FileTarget, FindingView, FindingsFilter, FixView, InputEdit};

/// The rules whose examples have a quick fix. The others need somebody who knows what was meant.
const WITH_FIX: &str = "duplicate-gvk duplicate-name empty-document icon-mismatch ignored-edge \
                        invalid-deprecation invalid-image invalid-lifecycle invalid-range invalid-version lost-text misread-range \
                        misspelt-name never-true-range \
                        prerelease-in-range reinterpreted-text self-replacing \
                        skip-range-annotation skip-range-upper-bound \
                        unknown-default-channel unknown-field unknown-package unknown-schema useless-ignore \
                        wrong-type";
/// The rules whose examples have one in the editor alone: elsewhere the repairs of the channel are offered.
const IN_EDITOR: &str =
    "multiple-channel-heads no-channel-head replaces-cycle skipped-cycle stranded-entry stuck-entry";

fn findings(workbench: &Workbench) -> Vec<FindingView> {
    let view = answers::findings(&workbench, &FindingsFilter::default(), u32::MAX);
    view.groups.into_iter().flat_map(|group| group.rows).collect()
}

fn errors(workbench: &Workbench) -> usize {
    answers::all_findings(&workbench).iter().filter(|finding| finding.opm.is_some()).count()
}

/// How many findings say the same.
fn count(workbench: &Workbench, finding: &FindingView) -> usize {
    let is_same = |other: &&FindingView| other.rule == finding.rule && other.message == finding.message;
    findings(workbench).iter().filter(is_same).count()
}

/// Applies a quick fix as a click does, checks that it removes the finding and adds no error of `opm`, and undoes it.
fn try_fix(workbench: &mut Workbench, finding: &FindingView, fix: &FixView) -> Result<(), String> {
    let Some(InputEdit::Catalog { catalog, changes }) = fix.edit.clone() else {
        return Err("not a change of a catalog".to_owned());
    };
    let content = |workbench: &Workbench| {
        let files = workbench.catalogs().iter().flat_map(|catalog| &catalog.files);
        files.map(|file| format!("{}:\n{}", file.path, file.text)).collect::<String>()
    };
    let found = count(workbench, finding);
    let (before, errors_before) = (content(workbench), errors(workbench));
    let input = AuthoringInput::Fix { title: fix.text.clone(), changes };
    let undo = workbench.author_input(catalog, &input, None)?;
    let after = content(workbench);
    // Another place may have the same finding.
    let remains = count(workbench, finding) >= found;
    let errors_after = errors(workbench);
    workbench.edit_files(&undo);
    match (content(workbench) == before, remains, errors_after > errors_before) {
        (false, ..) => Err("is not undone".to_owned()),
        (_, true, _) => Err(format!("leaves the finding:\n{after}")),
        (.., true) => Err(format!("adds an error:\n{after}")),
        _ => Ok(()),
    }
}

#[test]
fn a_quick_fix_removes_its_finding_and_adds_no_error() {
    let (mut with_fix, mut wrong) = (BTreeSet::new(), Vec::new());
    for &rule in Rule::ALL {
        let files = files(text(rule), "Fails");
        // Manifests and templates have no quick fixes.
        if matches!(files.first().map(|file| file.name), Some("cluster" | "template")) {
            continue;
        }
        let mut workbench = workbench(&files);
        for finding in findings(&workbench).iter().filter(|finding| finding.rule == rule.id()) {
            for fix in &finding.fixes {
                with_fix.insert(rule.id());
                let tried = try_fix(&mut workbench, finding, fix);
                wrong.extend(tried.err().map(|why| format!("{rule}: {}: {why}", fix.text)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert_eq!(with_fix, WITH_FIX.split(' ').collect());
}

/// What the editor marks in the files of a catalog.
fn marks(workbench: &Workbench) -> Vec<(FileKey, FileMark)> {
    let files = workbench.catalogs().iter().flat_map(|catalog| &catalog.files);
    let of =
        |key| answers::file_view(&workbench, key, FileTarget::Anywhere, false).into_iter().flat_map(|view| view.marks);
    files.flat_map(|file| of(file.key).map(move |mark| (file.key, mark))).collect()
}

#[test]
fn a_quick_fix_of_the_editor_removes_its_finding_and_adds_no_error() {
    let mut with_fix = BTreeSet::new();
    for &rule in Rule::ALL.iter().filter(|rule| IN_EDITOR.split(' ').any(|id| id == rule.id())) {
        let workbench = || workbench(&files(text(rule), "Fails"));
        let is_same = |mark: &FileMark, other: &FileMark| mark.rule == other.rule && mark.message == other.message;
        for (file, mark) in marks(&workbench()).iter().filter(|(_, mark)| mark.rule == rule.id()) {
            for fix in &mark.fixes {
                with_fix.insert(rule.id());
                let mut fixed = workbench();
                let errors_before = errors(&fixed);
                fixed.apply_changes(*file, &fix.changes);
                let remains = marks(&fixed).iter().any(|(_, other)| is_same(mark, other));
                assert!(!remains && errors(&fixed) <= errors_before, "{rule}: {}", fix.title);
            }
        }
    }
    assert_eq!(with_fix, IN_EDITOR.split(' ').collect());
}
