//! The commands of the documentation, `docs/src`, run on its examples.
//!
//! A block ` ```console ` has lines `$ COMMAND`, each followed by what the command prints. A line `…` stands for any lines, and
//! `…` at the end of a line for the rest of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that need a network, a container engine or a cluster, or run until they are ended, in the order of the files. They are
/// not run.
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
    "opscope open catalog --baseline image:quay.io/operatorhubio/catalog:latest",
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
    "opscope open catalog --baseline git:origin/main:catalog --cluster cluster.yaml",
    "opscope open catalog --write",
    "sha256sum --check --ignore-missing SHA256SUMS",
    "gh attestation verify FILE --repo OWNER/opscope",
];

/// The marks of blocks that are not run.
const NEEDS: [&str; 3] = ["network", "cluster", "browser"];

/// A command of the documentation.
struct Example {
    page: String,
    command: String,
    /// What the documentation says that it prints.
    shown: String,
    is_run: bool,
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The pages in the order of their names.
fn pages() -> Vec<(String, String)> {
    let files = fs::read_dir(docs().join("src")).expect("the documentation is there");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a folder can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.sort();
    let page = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a page can be read");
        (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text)
    };
    paths.iter().map(page).collect()
}

fn examples() -> Vec<Example> {
    let mut found = Vec::new();
    for (page, text) in pages() {
        // Every second piece is inside of a block.
        for block in text.split("```").skip(1).step_by(2) {
            let (info, lines) = block.split_once('\n').expect("a block has lines");
            let mut words = info.split(',');
            if words.next() != Some("console") {
                assert!(!lines.contains("opscope ") || info == "yaml", "`{page}` has commands in a block `{info}`");
                continue;
            }
            let needs: Vec<&str> = words.collect();
            assert!(needs.iter().all(|word| NEEDS.contains(word)), "`{page}` has a block `{info}`");
            for example in format!("\n{lines}").split("\n$ ").skip(1) {
                let (command, shown) = example.split_once('\n').unwrap_or((example, ""));
                let (command, shown) = (command.to_owned(), shown.trim_end().to_owned());
                found.push(Example { page: page.clone(), command, shown, is_run: needs.is_empty() });
            }
        }
    }
    found
}

/// A copy of the examples, in a git repository whose last commit has the catalog before the change.
fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book");
    drop(fs::remove_dir_all(&folder));
    let shell = |command: &str| {
        let status = Command::new("sh").args(["-c", command]).env("EXAMPLES", docs().join("examples")).status();
        assert!(status.expect("there is a shell").success(), "{command}");
    };
    let quoted = format!("'{}'", folder.display());
    shell(&format!("mkdir -p {quoted} && cp -R \"$EXAMPLES\"/. {quoted} && cp -R {quoted}/before/. {quoted}/catalog"));
    let commit = "-c user.name=t -c user.email=t@localhost commit -q -m before";
    shell(&format!("cd {quoted} && git init -q && git add . && git {commit}"));
    shell(&format!("cp -R \"$EXAMPLES\"/catalog/. {quoted}/catalog"));
    folder
}

/// Whether a text is what the documentation shows, where `…` stands for anything.
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

#[test]
fn every_command_prints_what_the_documentation_shows() {
    let examples = examples();
    assert!(examples.iter().filter(|example| example.is_run).count() >= 20, "found too few commands");
    let folder = folder();
    let program = Path::new(env!("CARGO_BIN_EXE_opscope")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    for Example { page, command, shown, .. } in examples.iter().filter(|example| example.is_run) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{command} 2>&1")]).current_dir(&folder).env("PATH", &path);
        let output = shell.env("COLUMNS", "88").env_remove("CLICOLOR_FORCE").output().expect("there is a shell");
        let text = String::from_utf8(output.stdout).expect("commands print text");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{page}: {command}\n{text}");
        assert!(is_shown(text.trim_end(), shown), "{page} shows something else for: {command}\n{text}");
    }
}

#[test]
fn commands_that_are_not_run_are_listed() {
    let found: Vec<String> =
        examples().into_iter().filter(|example| !example.is_run).map(|example| example.command).collect();
    assert_eq!(found, NOT_RUN);
}

#[test]
fn dots_stand_for_anything() {
    assert!(is_shown("a\nb\nc", "a\n…\nc") && is_shown("a\nb", "…") && is_shown("a b\nc d", "a …\nc …"));
    assert!(!is_shown("a\nb", "a") && !is_shown("a\nb\nc", "…\nb") && !is_shown("b\na", "a\n…\nb"));
}
