//! Runs the checks on both examples of every rule. With `UPDATE=1` in the environment the marks are rewritten: review what
//! changed.

use crate::doc::{ALONE, blocks, section};
use crate::texts::{path, text};
use catalog::Package;
use session::{NewText, Workbench};
use source::{Diagnostic, FileId, LineIndex, OpmVersion, Rule, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use template::{Images, expand};
use views::{AuthoringInput, FileKey, FileMark, FileTarget, FindingView, FindingsFilter, FixView, InputEdit};

/// A finding in a file of an example, as the marks show it.
struct Mark {
    file: usize,
    rule: Rule,
    severity: Severity,
    /// Line, from 0.
    line: usize,
    /// Columns in characters, from 0; on one line, at least one.
    columns: std::ops::Range<usize>,
    since: Option<OpmVersion>,
}

pub(crate) struct File<'t> {
    pub(crate) name: &'t str,
    /// The text with marks, as it stands in the documentation.
    marked: &'t str,
    /// The text without marks, as it is checked.
    text: String,
}

pub(crate) fn files<'t>(text: &'t str, heading: &str) -> Vec<File<'t>> {
    let section = section(text, heading).unwrap_or_else(|| panic!("no section `{heading}`"));
    let file = |(name, marked): (&'t str, &'t str)| {
        let lines = marked.split_inclusive('\n').filter(|line| !is_mark(line));
        File { name, marked, text: lines.collect() }
    };
    blocks(section).map(file).collect()
}

/// Whether a line is a mark such as `^^^ warning[rule]`, perhaps in a comment.
fn is_mark(line: &str) -> bool {
    let line = line.trim_start_matches(['#', ' ']);
    line.starts_with('^') && line.trim_start_matches('^').trim_end().ends_with(']')
}

/// The findings in an example. The name of the first file decides how it is checked: as cluster manifests, as a configuration
/// of oc-mirror, as a template, as a set, as a bundle directory, as a folder of these or as a catalog. `image-set-4.18` is for the
/// oc-mirror of that version of OpenShift.
fn check(files: &[File<'_>]) -> Vec<Mark> {
    match files {
        [File { name: "cluster", text, .. }] => {
            let findings = cluster::read(FileId(0), text).diagnostics;
            findings.iter().map(|finding| mark(0, text, finding)).collect()
        }
        [image_set, catalogs @ ..] if image_set.name.starts_with("image-set") => check_image_set(image_set, catalogs),
        [template, catalogs @ ..] if template.name == "template" => check_template(template, catalogs),
        [first, ..] if first.name.starts_with("catalogs/v") || first.name.starts_with("v4.") => check_set(files),
        [first, ..] if first.name.starts_with("manifests/") => check_bundle(files),
        [first, ..] if first.name.contains("/manifests/") => check_tree(files),
        _ => check_catalogs(files),
    }
}

fn check_template(template: &File<'_>, catalogs: &[File<'_>]) -> Vec<Mark> {
    let workbench = workbench(catalogs);
    let mut images = Images::default();
    for file in workbench.catalogs().iter().flat_map(|catalog| &catalog.files) {
        images.add(&file.text, file.parse());
    }
    let findings = expand(FileId(u32::MAX), &template.text, &images).diagnostics;
    findings.iter().map(|finding| mark(0, &template.text, finding)).collect()
}

fn check_image_set(image_set: &File<'_>, catalogs: &[File<'_>]) -> Vec<Mark> {
    let workbench = workbench(catalogs);
    let release = image_set.name.trim_start_matches("image-set").trim_start_matches('-');
    let release = if release.is_empty() { mirror::OcMirror::default() } else { release.parse().unwrap() };
    let config = mirror::read(FileId(0), &image_set.text, release);
    let mut findings = config.diagnostics.clone();
    if let (true, mirror::Choice::One(wanted)) = (config.is_accepted(), config.choose("")) {
        findings.extend(mirror::filter(&workbench.catalogs()[0].analysis.catalog, wanted, release).diagnostics);
    }
    findings.iter().map(|finding| mark(0, &image_set.text, finding)).collect()
}

/// The documents that an example leaves out are added to each file by itself.
fn check_set(files: &[File<'_>]) -> Vec<Mark> {
    let whole = |file: &File<'_>| {
        let parse = fbc::parse(FileId(0), &file.text);
        let (catalog, _) = catalog::lower(&[catalog::ParsedFile { text: &file.text, parse: &parse }]);
        let missing = catalog.packages.iter().map(|package| missing(package));
        format!("{}{}", file.text, missing.collect::<String>())
    };
    let texts: Vec<(&str, String)> = files.iter().map(|file| (file.name, whole(file))).collect();
    let dockerfiles = texts.iter().filter(|(path, _)| openshift::sets::is_dockerfile(path));
    let dockerfiles: Vec<(&str, &str)> = dockerfiles.map(|(path, text)| (*path, &**text)).collect();
    let paths: Vec<&str> = texts.iter().map(|(path, _)| *path).collect();
    let known = openshift::sets::Paths::new(paths.clone(), dockerfiles);
    let mut loading = openshift::sets::Loading::new(openshift::sets::recognise(&known).sets.remove(0));
    texts.iter().for_each(|(path, text)| loading.add_file(path, Ok(text.as_str().into())));
    loading.read(source::Executor::default());
    let set = loading.finish(source::Executor::default()).expect("a set");
    let found = openshift::sets::check(&set, source::Executor::default());
    let marks = found.iter().filter_map(|finding| {
        let (version, span) = *finding.spans.first()?;
        let file = paths.iter().position(|path| *path == set.path(version, span))?;
        Some(mark(file, &files[file].text, &finding.diagnostic()?))
    });
    marks.collect()
}

fn check_bundle(files: &[File<'_>]) -> Vec<Mark> {
    marks(files, &bundle::render(&directory(files)).findings)
}

fn check_tree(files: &[File<'_>]) -> Vec<Mark> {
    marks(files, &bundle_tree::build(&directory(files), None, &template::Images::default()).findings)
}

/// The files of an example as those of a folder.
fn directory<'f>(files: &'f [File<'_>]) -> Vec<bundle::File<'f>> {
    let file = |(at, File { name, text, .. }): (u32, &'f File<'_>)| bundle::File {
        id: FileId(at),
        path: name,
        text,
        fault: None,
    };
    (0..).zip(files).map(file).collect()
}

fn marks(files: &[File<'_>], findings: &[Diagnostic]) -> Vec<Mark> {
    let of = |finding: &Diagnostic| {
        let at = finding.span.file.0 as usize;
        mark(at, &files[at].text, finding)
    };
    findings.iter().map(of).collect()
}

fn check_catalogs(files: &[File<'_>]) -> Vec<Mark> {
    let workbench = workbench(files);
    let findings = workbench.catalogs().iter().flat_map(|catalog| &catalog.analysis.findings);
    let found = findings.map(|found| {
        let (_, home) = workbench.file(views::FileKey(found.diagnostic.span.file.0)).expect("findings are in files");
        // A file that is not text is loaded as an empty text.
        let is_home = |file: &File<'_>| {
            path_of(file.name) == home.path && (home.text.is_empty() || home.text.starts_with(&file.text))
        };
        let file = files.iter().position(is_home).expect("a file of the example");
        mark(file, &files[file].text, &found.diagnostic)
    });
    found.collect()
}

fn mark(file: usize, text: &str, finding: &Diagnostic) -> Mark {
    let at = LineIndex::new(text).position(text, finding.span.start);
    let line = text.lines().nth(at.line as usize - 1).unwrap_or_default();
    let rest = line.len() - line.char_indices().nth(at.column as usize - 1).map_or(line.len(), |(at, _)| at);
    let length = (finding.span.end - finding.span.start).clamp(1, (rest as u32).max(1)) as usize;
    let start = at.column as usize - 1;
    let Diagnostic { rule, severity, opm_since: since, .. } = *finding;
    Mark { file, rule, severity, line: at.line as usize - 1, columns: start..start + length, since }
}

fn path_of(name: &str) -> &str {
    if matches!(name, "" | ALONE) { "catalog.yaml" } else { name }
}

/// Loads the files, and adds the documents that an example leaves out. A name without `.` and `/` names a catalog, other
/// names are paths in one catalog.
fn workbench(files: &[File<'_>]) -> Workbench {
    let mut texts: Vec<(&str, String)> = files.iter().map(|file| (file.name, file.text.clone())).collect();
    let workbench = loaded(&texts);
    if files.iter().any(|file| file.name == ALONE) {
        return workbench;
    }
    for (catalog, package) in
        workbench.catalogs().iter().flat_map(|of| of.analysis.catalog.packages.iter().map(move |package| (of, package)))
    {
        let home = package
            .span()
            .and_then(|span| catalog.file(views::FileKey(span.file.0)))
            .expect("packages come from documents");
        let name = texts.iter_mut().find(|(_, text)| *text == *home.text || text.starts_with(&*home.text));
        name.expect("files come from texts").1.push_str(&missing(package));
    }
    loaded(&texts)
}

fn loaded(texts: &[(&str, String)]) -> Workbench {
    let mut catalogs: BTreeMap<&str, Vec<NewText>> = BTreeMap::new();
    for (name, text) in texts {
        let catalog = if name.contains(['.', '/']) { "" } else { name };
        let file = NewText { path: path_of(name).to_owned(), content: Ok(bytes(text)) };
        catalogs.entry(catalog).or_default().push(file);
    }
    let mut workbench = Workbench::new();
    for (name, files) in catalogs {
        workbench.add_catalog(name, files, &mut |_| {});
    }
    workbench
}

/// The bytes of a file; a text of hexadecimal pairs stands for a file that is not text.
fn bytes(text: &str) -> Vec<u8> {
    let pairs: Option<Vec<u8>> = text.split_whitespace().map(|pair| u8::from_str_radix(pair, 16).ok()).collect();
    pairs.filter(|pairs| !pairs.is_empty()).unwrap_or_else(|| text.as_bytes().to_vec())
}

/// The documents that an example leaves out: the package, its only channel, the bundles of entries.
fn missing(package: &Package) -> String {
    let (mut text, name) = (String::new(), &package.name);
    if package.channels.is_empty() {
        let mut names: Vec<&str> = package.bundles.iter().map(|bundle| bundle.name.value.as_str()).collect();
        names.sort_unstable_by(|a, b| b.cmp(a));
        push(&mut text, format_args!("---\nschema: olm.channel\npackage: {name}\nname: c\nentries:\n"));
        for (at, entry) in names.iter().enumerate() {
            let replaces = names.get(at + 1).map(|older| format!(", replaces: {older}")).unwrap_or_default();
            push(&mut text, format_args!("- {{name: {entry}{replaces}}}\n"));
        }
    }
    if package.declared.is_none() {
        let default = package.channels.first().map_or("c", |channel| channel.name.value.as_str());
        push(&mut text, format_args!("---\nschema: olm.package\nname: {name}\ndefaultChannel: {default}\n"));
    }
    let names = package.channels.iter().flat_map(|channel| &channel.entries).map(|entry| entry.name.value.as_str());
    let without: BTreeSet<&str> = names.filter(|entry| package.bundle(entry).is_none()).collect();
    for (bundle, version) in without.into_iter().filter_map(|bundle| Some((bundle, bundle.split_once(".v")?.1))) {
        let lower = name.as_str().to_lowercase();
        push(
            &mut text,
            format_args!(
                "---\nschema: olm.bundle\npackage: {name}\nname: {bundle}\nimage: quay.io/{lower}/{lower}:v{version}\n"
            ),
        );
        push(
            &mut text,
            format_args!("properties: [{{type: olm.package, value: {{packageName: {name}, version: {version}}}}}]\n"),
        );
    }
    text
}

fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).unwrap();
}

/// The text of a file with a mark below every finding.
fn with_marks(file: &File<'_>, at: usize, marks: &[Mark]) -> String {
    let mut text = String::new();
    for (number, line) in file.text.split_inclusive('\n').enumerate() {
        text.push_str(line);
        for Mark { rule, severity, columns, .. } in marks.iter().filter(|mark| mark.file == at && mark.line == number) {
            let comment = if columns.start > 1 { "#" } else { "" };
            let (indent, length) = (columns.start - comment.len(), columns.len());
            push(&mut text, format_args!("{comment}{:indent$}{:^>length$} {}[{rule}]\n", "", "", severity.as_str()));
        }
    }
    text
}

#[test]
fn every_rule_fails_and_passes_as_documented() {
    let mut wrong = Vec::new();
    for &rule in Rule::ALL {
        wrong.extend(failing(rule).err());
        let passing = marks_of(rule, &files(text(rule), "Passes"));
        let rules: Vec<_> = passing.iter().map(|mark| mark.rule.id()).collect();
        if !rules.is_empty() {
            wrong.push(format!("{rule}: the passing example has {rules:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Rules whose failing example would be too long, so the documented one is cut.
const TOO_LONG: [Rule; 1] = [Rule::MoreFindings];

/// Rules that explain a finding of another rule, which their failing example has, too.
const EXPLAINS: [(Rule, Rule); 2] =
    [(Rule::SetPromotionStuck, Rule::SetPackageEnds), (Rule::SkipRangePruning, Rule::StrandedEntry)];

/// The marks of an example. Bundles have no more properties than their rule needs, so only its own examples have CSV metadata.
fn marks_of(rule: Rule, files: &[File<'_>]) -> Vec<Mark> {
    let mut marks = check(files);
    marks.retain(|mark| mark.rule != Rule::HeadWithoutCsv || mark.rule == rule);
    marks
}

fn failing(rule: Rule) -> Result<(), String> {
    let files = files(text(rule), "Fails");
    let marks = marks_of(rule, &files);
    let mut page = text(rule).to_owned();
    for (at, file) in files.iter().enumerate() {
        let marked = with_marks(file, at, &marks);
        if marked != file.marked && !(file.text.is_empty() && file.marked.is_empty()) {
            page = page.replacen(file.marked, &marked, 1);
        }
    }
    if page != text(rule) {
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path(rule)), &page)
                .unwrap();
        }
        return Err(format!("{rule}: the failing example should have these marks:\n{page}"));
    }
    let is_own = |mark: &Mark| mark.rule == rule || EXPLAINS.contains(&(rule, mark.rule));
    let is_clear = marks.iter().any(|mark| mark.rule == rule) && marks.iter().all(is_own);
    if !is_clear && !TOO_LONG.contains(&rule) {
        let rules: Vec<_> = marks.iter().map(|mark| mark.rule.id()).collect();
        return Err(format!("{rule}: the failing example has {rules:?}"));
    }
    let since = marks.iter().find_map(|mark| mark.since).map(|since| since.to_string());
    match crate::doc(rule).since {
        documented if documented == since => Ok(()),
        documented => Err(format!("{rule}: since {documented:?}, but the finding says {since:?}")),
    }
}

#[test]
fn texts_use_only_markdown_that_is_rendered() {
    for doc in crate::all().findings {
        let id = &doc.id;
        assert!(doc.summary.ends_with('.') && !doc.summary.contains(". "), "{id}: {}", doc.summary);
        assert!(!doc.about.is_empty() && !doc.source.is_empty(), "{id}");
        assert!(!doc.fails.files.is_empty() && !doc.passes.files.is_empty(), "{id}");
        let prose =
            [&doc.about[..], &doc.fails.about, &doc.passes.about, &[doc.source.clone(), doc.summary.clone()]].concat();
        for text in prose {
            assert_eq!(text.matches('`').count() % 2, 0, "{id}: a name without its second backtick: {text}");
            assert!(!text.contains("**") && !text.contains("]("), "{id}: only backticks are rendered: {text}");
        }
    }
}

// Applies the quick fixes of the failing examples.

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
    let view = answers::findings(workbench, &FindingsFilter::default(), u32::MAX);
    view.groups.into_iter().flat_map(|group| group.rows).collect()
}

fn errors(workbench: &Workbench) -> usize {
    answers::all_findings(workbench).iter().filter(|finding| finding.opm.is_some()).count()
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
fn fixed_marks(workbench: &Workbench) -> Vec<(FileKey, FileMark)> {
    let files = workbench.catalogs().iter().flat_map(|catalog| &catalog.files);
    let of =
        |key| answers::file_view(workbench, key, FileTarget::Anywhere, false).into_iter().flat_map(|view| view.marks);
    files.flat_map(|file| of(file.key).map(move |mark| (file.key, mark))).collect()
}

#[test]
fn a_quick_fix_of_the_editor_removes_its_finding_and_adds_no_error() {
    let mut with_fix = BTreeSet::new();
    for &rule in Rule::ALL.iter().filter(|rule| IN_EDITOR.split(' ').any(|id| id == rule.id())) {
        let workbench = || workbench(&files(text(rule), "Fails"));
        let is_same = |mark: &FileMark, other: &FileMark| mark.rule == other.rule && mark.message == other.message;
        for (file, mark) in fixed_marks(&workbench()).iter().filter(|(_, mark)| mark.rule == rule.id()) {
            for fix in &mark.fixes {
                with_fix.insert(rule.id());
                let mut fixed = workbench();
                let errors_before = errors(&fixed);
                fixed.apply_changes(*file, &fix.changes);
                let remains = fixed_marks(&fixed).iter().any(|(_, other)| is_same(mark, other));
                assert!(!remains && errors(&fixed) <= errors_before, "{rule}: {}", fix.title);
            }
        }
    }
    assert_eq!(with_fix, IN_EDITOR.split(' ').collect());
}
