//! Commands with what they print, kept as text: the cases in `tests/cases`, and the pages of the documentation.
//!
//! A case begins with `## TITLE`. Its blocks are
//!
//! - ` ```yaml PATH `: a file of this content, in whatever language, or several files with several paths. Blocks of the same path
//!   are the documents of one file;
//! - ` ```fixture PATH `: the same with the catalog of this notation of `fixture`;
//! - ` ```console `: lines `$ COMMAND`, each followed by what the command prints: standard output, then standard error below
//!   `[standard error]`, then `[exit code N]` if it is not 0. In both outputs a line `…` stands for any lines, and `…` at the end
//!   of a line for the rest of it. Of several commands with `|` between them, the exit code is that of the last that failed. With ` ```console FOLDER ` the commands run on a copy of this folder of the repository.
//!
//! The blocks before the first case are part of each case of the document. Each case has a folder of its own. Commands are not
//! run by a shell: `NAME=VALUE` in front, `|`, `< FILE` and `> FILE` are all that is known, and `\` at the end of a line.
//!
//! A page of the documentation is one case on a copy of `docs/examples`.
//!
//! `OPSCOPE_BLESS=1 cargo test -p opscope cases` writes what commands print into the documents, where they show it without `…`.

use crate::command::folder;
use rayon::prelude::*;
use serde_json::{Value, json};
use similar::TextDiff;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The marks of blocks that are not run, because they need a network, a cluster or a person.
const NEEDS: [&str; 3] = ["network", "cluster", "browser"];

/// Commands of the documentation that are not run, in the order of the pages.
const NOT_RUN: [&str; 28] = [
    "kubectl opscope cluster",
    "kubectl opscope cluster my-etcd --namespace operators",
    "kubectl opscope cluster my-etcd 1.2.0 --namespace operators",
    "kubectl opscope cluster --watch",
    "opscope open --cluster live",
    "skopeo copy docker://example.com/index:v1 oci-archive:catalog.tar",
    "kubectl opscope cluster --catalog community=catalog.tar",
    "kubectl get -A -o yaml catalogsources,subscriptions,csv,operatorgroups,installplans > cluster.yaml",
    "kubectl get catalogsource community -n olm -o jsonpath='{.spec.image}'",
    "oc image extract IMAGE --path /configs/:FOLDER",
    "skopeo copy docker://IMAGE oci-archive:catalog.tar",
    "opscope validate image:quay.io/operatorhubio/catalog:latest",
    "opscope compare image:quay.io/operatorhubio/catalog:latest catalog",
    "opscope open catalog --before image:quay.io/operatorhubio/catalog:latest",
    "podman login registry.redhat.io",
    "opscope validate image:registry.redhat.io/redhat/certified-operator-index:v4.18",
    "opscope cache",
    "opscope cache --clear",
    "cargo install --locked --git https://github.com/OWNER/opscope opscope",
    "podman build --target page -t opscope-page .",
    "podman run --rm -p 8080:8080 --read-only --tmpfs /tmp opscope-page",
    "podman build --target cli -t opscope .",
    "podman run --rm -v ./catalog:/data/catalog:ro opscope validate catalog",
    "opscope open catalog",
    "opscope open catalog --before git:origin/main:catalog --cluster cluster.yaml",
    "opscope open catalog --write",
    "sha256sum --check --ignore-missing SHA256SUMS",
    "gh attestation verify FILE --repo OWNER/opscope",
];

/// A file with cases.
struct Document {
    path: PathBuf,
    text: String,
    is_page: bool,
}

#[derive(Clone, Default)]
struct Case {
    /// The folder of the repository that the commands run in a copy of.
    copied: Option<String>,
    files: Vec<(String, String)>,
    commands: Vec<Shown>,
}

/// A command, and the lines of the document that show what it prints.
#[derive(Clone)]
struct Shown {
    command: String,
    output: Range<usize>,
    fence: String,
    is_run: bool,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The documents of a folder in the order of their names.
fn documents(folder: &str, is_page: bool) -> Vec<Document> {
    let files = fs::read_dir(root().join(folder)).expect("the folder is there");
    let mut paths: Vec<PathBuf> =
        files.map(|file| Path::new(folder).join(file.expect("a folder can be listed").file_name())).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.sort();
    let read = |path| Document { text: fs::read_to_string(root().join(&path)).expect("it can be read"), path, is_page };
    paths.into_iter().map(read).collect()
}

impl Document {
    /// # Panics
    ///
    /// If a block is none that this module knows.
    fn cases(&self) -> Vec<Case> {
        let lines: Vec<&str> = self.text.lines().collect();
        let (mut shared, mut cases) = (Case::default(), Vec::new());
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            at += 1;
            if line.starts_with("## ") && !self.is_page {
                cases.push(shared.clone());
            }
            let fence: String = line.chars().take_while(|&char| char == '`').collect();
            if fence.len() < 3 {
                continue;
            }
            let start = at;
            at += lines[start..].iter().position(|&line| line == fence).expect("a block ends");
            let case = cases.last_mut().unwrap_or(&mut shared);
            case.add(&line[fence.len()..], &fence, &lines[start..at], start);
            at += 1;
        }
        if self.is_page { vec![shared] } else { cases }
    }

    fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }
}

impl Case {
    /// Adds a block whose first line is the line `start` of the document.
    fn add(&mut self, info: &str, fence: &str, lines: &[&str], start: usize) {
        let (language, path) = info.split_once(' ').unwrap_or((info, ""));
        let text = || lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let (language, needs) = language.split_once(',').unwrap_or((language, ""));
        match (language, path) {
            ("console", _) => {
                assert!(needs.is_empty() || NEEDS.contains(&needs), "there is a block `{info}`");
                self.copied = self.copied.take().or_else(|| (!path.is_empty()).then(|| path.to_owned()));
                self.add_commands(lines, start, fence, needs.is_empty());
            }
            (_, "") => assert!(language == "yaml" || !text().contains("opscope "), "commands in a block `{info}`"),
            ("fixture", _) => self.add_files(path, &fixture::yaml(&text())),
            _ => self.add_files(path, &text()),
        }
    }

    /// Adds a text to files. What a file has already are the documents before.
    fn add_files(&mut self, paths: &str, text: &str) {
        for path in shlex::split(paths).expect("quotes are closed") {
            match self.files.iter_mut().find(|(known, _)| *known == path) {
                Some((_, documents)) if text.starts_with("---") => *documents += text,
                Some((_, documents)) => *documents += &format!("---\n{text}"),
                None => self.files.push((path, text.to_owned())),
            }
        }
    }

    fn add_commands(&mut self, lines: &[&str], start: usize, fence: &str, is_run: bool) {
        let mut at = 0;
        while at < lines.len() {
            let first = lines[at].strip_prefix("$ ").expect("output has a command above it");
            let mut command = first.to_owned();
            at += 1;
            while let Some(part) = command.strip_suffix('\\') {
                command = part.to_owned() + lines[at].trim_start();
                at += 1;
            }
            let end = lines[at..].iter().position(|line| line.starts_with("$ ")).map_or(lines.len(), |next| at + next);
            let output = start + at..start + end;
            self.commands.push(Shown { command, output, fence: fence.to_owned(), is_run });
            at = end;
        }
    }

    /// Makes the folder of a case with its files.
    fn folder(&self, name: &str, is_page: bool) -> PathBuf {
        let folder = folder(&format!("cases/{name}"));
        let copy = |from: &str| assert!(is_success(Command::new("cp").arg("-R").args([from, "."]), &folder), "{from}");
        if let Some(copied) = &self.copied {
            copy(&format!("{}/{copied}/.", root().display()));
        }
        if is_page {
            // A git repository whose last commit has the catalog before the change.
            copy(&format!("{}/docs/examples/.", root().display()));
            fs::rename(folder.join("catalog"), folder.join("changed")).expect("the examples have a catalog");
            assert!(is_success(Command::new("cp").args(["-R", "before", "catalog"]), &folder));
            let identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
            for arguments in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "before"]] {
                assert!(is_success(Command::new("git").args(identity).args(arguments), &folder), "{arguments:?}");
            }
            fs::remove_dir_all(folder.join("catalog")).expect("a folder can be removed");
            fs::rename(folder.join("changed"), folder.join("catalog")).expect("a folder can be renamed");
        }
        let files: Vec<(&str, &str)> = self.files.iter().map(|(path, text)| (&**path, &**text)).collect();
        crate::command::write(&folder, &files);
        folder
    }
}

fn is_success(command: &mut Command, folder: &Path) -> bool {
    command.current_dir(folder).status().expect("there is such a program").success()
}

/// What a command prints, without line breaks at the end, and its exit code.
#[derive(Debug, PartialEq, Eq)]
struct Printed {
    out: String,
    errors: String,
    code: i32,
}

impl Printed {
    /// What the lines of a document show.
    fn of(lines: &[&str]) -> Self {
        let last = lines.last().and_then(|line| line.strip_prefix("[exit code ")?.strip_suffix(']'));
        let (lines, code) = match last {
            Some(code) => (&lines[..lines.len() - 1], code.parse().expect("an exit code is a number")),
            None => (lines, 0),
        };
        let mut parts = lines.splitn(2, |line| *line == "[standard error]");
        let mut part = || parts.next().unwrap_or_default().join("\n").trim_end_matches('\n').to_owned();
        Self { out: part(), errors: part(), code }
    }

    /// Whether it is what a document shows, where `…` stands for anything.
    fn is_shown_by(&self, shown: &Self) -> bool {
        is_shown(&self.out, &shown.out) && is_shown(&self.errors, &shown.errors) && self.code == shown.code
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<&str> = self.out.lines().collect();
        if !self.errors.is_empty() {
            lines.push("[standard error]");
            lines.extend(self.errors.lines());
        }
        let code = format!("[exit code {}]", self.code);
        if self.code != 0 {
            lines.push(&code);
        }
        f.write_str(&lines.join("\n"))
    }
}

/// Runs a command line in a folder.
///
/// # Panics
///
/// If it is not as described above.
fn run(line: &str, folder: &Path, columns: Option<&str>) -> Printed {
    let (mut input, mut errors, mut code) = (Vec::new(), String::new(), 0);
    let words = shlex::split(line).expect("quotes are closed");
    for stage in words.split(|word| word == "|") {
        let mut stage = stage.to_vec();
        let mut file_behind = |mark: &str| {
            let at = stage.iter().position(|word| word == mark)?;
            stage.drain(at..at + 2).nth(1).map(|file| folder.join(file))
        };
        let (from, to) = (file_behind("<"), file_behind(">"));
        let stdin = from.map_or_else(Stdio::piped, |from| File::open(from).expect("the file can be read").into());
        let mut command = Command::new("env");
        for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.envs(columns.map(|columns| ("COLUMNS", columns))).current_dir(folder);
        command.args(stage.iter().map(|word| if word == "opscope" { env!("CARGO_BIN_EXE_opscope") } else { word }));
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("there is `env`");
        // It need not read all of it.
        drop(child.stdin.take().map(|mut stdin| stdin.write_all(&input)));
        let output = child.wait_with_output().expect("the command ends");
        if let [_, command, arguments @ ..] = &stage[..]
            && stage[0] == "opscope"
        {
            crate::schemas::check(command, arguments, &output.stdout);
        }
        errors += &String::from_utf8(output.stderr).expect("it prints text");
        code = Some(output.status.code().expect("it ends by itself")).filter(|&code| code != 0).unwrap_or(code);
        input = output.stdout;
        if let Some(to) = to {
            fs::write(to, std::mem::take(&mut input)).expect("the file can be written");
        }
    }
    let out = String::from_utf8(input).expect("it prints text");
    let [out, errors] = [out, errors].map(|text| text.trim_end_matches('\n').to_owned());
    Printed { out, errors, code }
}

/// Whether a text is what a document shows, where `…` stands for anything.
fn is_shown(text: &str, shown: &str) -> bool {
    let mut pieces = shown.split('…');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, between)) = pieces.split_last() else { return rest.is_empty() };
    for piece in between {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// The commands of a case, by its number in the document, that print something else than is shown, with what they print.
fn differing(document: &Document, case: &Case, at: usize) -> Vec<(Shown, String)> {
    let folder = case.folder(&format!("{}-{at}", document.path.display()), document.is_page);
    let columns = document.is_page.then_some("88");
    let lines: Vec<&str> = document.text.lines().collect();
    let mut found = Vec::new();
    for shown in case.commands.iter().filter(|shown| shown.is_run) {
        let printed = run(&shown.command, &folder, columns);
        if !printed.is_shown_by(&Printed::of(&lines[shown.output.clone()])) {
            found.push((shown.clone(), printed.to_string()));
        }
    }
    found
}

/// Writes what the commands of a document print into it. Those that it shows in part, or in a block that would end too early, are left.
fn bless(document: &Document, differing: &mut Vec<(Shown, String)>) {
    let mut lines: Vec<&str> = document.text.lines().collect();
    let dots = |text: &str| text.matches('…').count();
    let (left, blessed): (Vec<_>, Vec<_>) = differing.drain(..).partition(|(shown, printed)| {
        // What a command prints may have dots itself.
        let is_partial = dots(&lines[shown.output.clone()].concat()) > dots(printed);
        is_partial || printed.lines().any(|line| line == shown.fence || line.starts_with("$ "))
    });
    for (shown, printed) in blessed.iter().rev() {
        lines.splice(shown.output.clone(), printed.lines());
    }
    fs::write(root().join(&document.path), lines.join("\n") + "\n").expect("the document can be written");
    *differing = left;
}

#[test]
fn commands_print_what_the_documents_show() {
    let is_blessed = std::env::var_os("OPSCOPE_BLESS").is_some();
    let mut documents = documents("tests/cases", false);
    documents.extend(self::documents("docs/src", true));
    let numbered =
        |document: usize| documents[document].cases().into_iter().enumerate().map(move |case| (document, case));
    let cases: Vec<(usize, (usize, Case))> = (0..documents.len()).flat_map(numbered).collect();
    let run =
        |&(document, (at, ref case)): &(usize, (usize, Case))| (document, differing(&documents[document], case, at));
    let mut all: Vec<(usize, Vec<(Shown, String)>)> = cases.par_iter().map(run).collect();
    let mut reports = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let of_document = all.iter_mut().filter(|(of, _)| *of == number);
        let mut found: Vec<(Shown, String)> = of_document.flat_map(|(_, found)| std::mem::take(found)).collect();
        if is_blessed {
            bless(document, &mut found);
        }
        let lines: Vec<&str> = document.text.lines().collect();
        reports.extend(found.into_iter().map(|(Shown { command, output, .. }, printed)| {
            let (place, shown) = (document.place(output.start), lines[output].join("\n"));
            let diff = TextDiff::from_lines(shown.trim_end_matches('\n'), &printed);
            format!("{place}: $ {command}\n{}", diff.unified_diff().missing_newline_hint(false))
        }));
    }
    assert!(reports.is_empty(), "{} commands print something else:\n{}", reports.len(), reports.join("\n"));
}

/// The reasons that only the catalogs of a namespace can tell: another catalog may end them.
const OF_THE_RESOLVER: [&str; 5] =
    ["resolution-reported-as-failed", "resolution-fails", "new-install-plan", "new-install-plan-waits", "up-to-date"];

/// A command about a cluster without the catalogs that it is given, if it is given any.
fn without_catalogs(command: &str) -> Option<String> {
    let mut words = shlex::split(command)?;
    let is_about = words.starts_with(&["opscope".to_owned(), "cluster".to_owned()])
        && words.iter().any(|word| word == "--cluster")
        && !words.iter().any(|word| matches!(&**word, "|" | ">" | "<"));
    let count = words.len();
    while let Some(at) = words.iter().position(|word| word == "--catalog") {
        words.drain(at..at + 2);
    }
    (is_about && words.len() < count).then(|| shlex::try_join(words.iter().map(String::as_str)).ok()).flatten()
}

/// What the manifests of a command alone decide, by what it is about: a state of a namespace, and what an extension reports.
fn decided_by_manifests(command: &str, folder: &Path) -> BTreeMap<String, Value> {
    let printed = run(&format!("{command} --format json"), folder, None);
    let Ok(answer) = serde_json::from_str::<Value>(&printed.out) else { return BTreeMap::new() };
    let all = |name: &str| answer[name].as_array().cloned().unwrap_or_default().into_iter();
    let states =
        all("namespaces").map(|state| (format!("namespace {}", state["namespace"]), state["now"]["reason"].clone()));
    let states = states.filter(|(_, reason)| reason.as_str().is_some_and(|id| !OF_THE_RESOLVER.contains(&id)));
    let extensions = all("extensions").flat_map(|one| {
        ["rejected", "rollsOut", "refusals", "error"]
            .map(|field| (format!("{} of {}", field, one["extension"]), one[field].clone()))
    });
    states.chain(extensions).filter(|(_, value)| !value.is_null() && *value != json!([])).collect()
}

#[test]
fn what_manifests_show_decides_with_their_catalogs_too() {
    let documents = documents("tests/cases", false);
    let cases: Vec<(PathBuf, usize, Case)> = documents
        .iter()
        .flat_map(|document| {
            document.cases().into_iter().enumerate().map(|(at, case)| (document.path.clone(), at, case))
        })
        .filter(|(.., case)| case.commands.iter().any(|shown| without_catalogs(&shown.command).is_some()))
        .collect();
    let differing = cases.par_iter().flat_map_iter(|(path, at, case)| {
        let folder = case.folder(&format!("more-{}-{at}", path.display()), false);
        let pairs = case.commands.iter().filter_map(|shown| Some((&shown.command, without_catalogs(&shown.command)?)));
        pairs
            .flat_map(move |(with, without)| {
                let (with_all, without) =
                    (decided_by_manifests(with, &folder), decided_by_manifests(&without, &folder));
                let is_other = without
                    .into_iter()
                    .filter(|(about, value)| value != "catalog-not-loaded" && with_all.get(about) != Some(value));
                let told = is_other.map(|(about, value)| {
                    format!("{}: {with}\n  {about}: {value}, with them {:?}", path.display(), with_all.get(&about))
                });
                told.collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    });
    let differing: Vec<String> = differing.collect();
    assert!(differing.is_empty(), "{} answers differ:\n{}", differing.len(), differing.join("\n"));
}

#[test]
fn commands_that_are_not_run_are_listed() {
    let pages = documents("docs/src", true);
    let commands: Vec<Shown> = pages.iter().flat_map(Document::cases).flat_map(|case| case.commands).collect();
    let (run, not_run): (Vec<Shown>, Vec<Shown>) = commands.into_iter().partition(|shown| shown.is_run);
    assert!(run.len() >= 40, "found only {} commands in the documentation", run.len());
    assert_eq!(not_run.into_iter().map(|shown| shown.command).collect::<Vec<_>>(), NOT_RUN);
}

#[test]
fn a_document_has_cases_with_the_blocks_before_them() {
    let text = "# A\n```fixture a.yaml\nc: 1.0.0\n```\n## One\n```console docs\n$ a \\\n  b\n1\n2\n$ c\n```\n## Two\n````md b\n```\n````\n";
    let cases = Document { path: PathBuf::new(), text: text.to_owned(), is_page: false }.cases();
    let files: Vec<Vec<&str>> =
        cases.iter().map(|case| case.files.iter().map(|(path, _)| path.as_str()).collect()).collect();
    assert_eq!(files, [vec!["a.yaml"], vec!["a.yaml", "b"]]);
    assert_eq!((&*cases[1].files[1].1, cases[0].copied.as_deref()), ("```\n", Some("docs")));
    let commands: Vec<(&str, Range<usize>)> =
        cases[0].commands.iter().map(|shown| (&*shown.command, shown.output.clone())).collect();
    assert_eq!(commands, [("a b", 8..10), ("c", 11..11)]);
}

#[test]
fn what_is_shown_of_a_command() {
    let folder = folder("shown");
    crate::command::write(&folder, &[("a", "1\n2\n\n")]);
    assert_eq!(run("cat a", &folder, None).to_string(), "1\n2");
    assert_eq!(run("cat < a | tail -n 2 > b", &folder, None).to_string(), "");
    let printed = run("A=3 sh -c 'cat b; echo $A; echo 4 >&2; exit 5'", &folder, None);
    let shown = "2\n\n3\n[standard error]\n4\n[exit code 5]";
    assert_eq!((printed.to_string().as_str(), Printed::of(&shown.lines().collect::<Vec<_>>())), (shown, printed));
    assert!(!Printed::of(&["1", "[exit code 1]"]).is_shown_by(&Printed::of(&["…"])));
    assert!(!Printed::of(&["1", "[standard error]", "2"]).is_shown_by(&Printed::of(&["…"])));
}

#[test]
fn dots_stand_for_anything() {
    assert!(is_shown("a\nb\nc", "a\n…\nc") && is_shown("a\nb", "…") && is_shown("a b\nc d", "a …\nc …"));
    assert!(!is_shown("a\nb", "a") && !is_shown("a\nb\nc", "…\nb") && !is_shown("b\na", "a\n…\nb"));
}
