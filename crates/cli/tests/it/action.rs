//! The GitHub Action of this repository: its script, run as the runner does, on a pull request in a real repository.

use crate::command::{catalog, commit, git};
use serde_yaml::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The scripts of the two steps, which install the program and review, and the default of each input.
fn action() -> ([String; 2], impl Fn(&str) -> String) {
    let action: Value = serde_yaml::from_str(include_str!("../../../../action.yml")).expect("action.yml is YAML");
    let script = |step: usize| action["runs"]["steps"][step]["run"].as_str().expect("a step has a script").to_owned();
    let scripts = [script(0), script(1)];
    let default =
        move |input: &str| action["inputs"][input]["default"].as_str().expect("inputs have defaults").to_owned();
    (scripts, default)
}

/// A clone whose branch `main` of the remote has a catalog in `catalog`.
fn repository(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("action").join(name);
    drop(fs::remove_dir_all(&folder));
    let origin = folder.join("origin");
    fs::create_dir_all(origin.join("catalog")).expect("the folder for tests can be written to");
    fs::write(origin.join("catalog/catalog.yaml"), catalog("p")).expect("a file can be written");
    git(&origin, &["init", "-q", "-b", "main"]);
    commit(&origin);
    git(&folder, &["clone", "-q", "origin", "clone"]);
    folder.join("clone")
}

/// A shell that runs a script in a repository, and finds the built command.
fn shell(program: &str, script: &str, repository: &Path) -> Command {
    let built = Path::new(env!("CARGO_BIN_EXE_opscope")).parent().expect("a program is in a folder");
    let mut shell = Command::new(program);
    shell.args(["-e", "-c", script]).current_dir(repository);
    let stands_in = repository.join("../bin");
    let path = std::env::var("PATH").unwrap_or_default();
    shell.env("PATH", format!("{}:{}:{path}", stands_in.display(), built.display()));
    shell.env("CATALOG", "catalog").env("BASE", "main").env("DENY", "breaking").env("LEVELS", "");
    shell.env("TRUST_SETTINGS", "false");
    shell
}

/// Exit code, annotations and summary of a run of the script.
fn run(repository: &Path, inputs: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let ([_, script], default) = action();
    let summary = repository.join("../summary.md");
    drop(fs::remove_file(&summary));
    let mut bash = shell("bash", &format!("set -o pipefail\n{script}"), repository);
    bash.env("GITHUB_STEP_SUMMARY", &summary).env("RUNNER_TEMP", repository.join("..")).env("PULL_REQUEST", "");
    bash.env("GITHUB_REPOSITORY", "o/r").env("DENY", default("deny")).env("LEVELS", default("levels"));
    bash.env("TRUST_SETTINGS", default("trust-settings"))
        .env("GITHUB_SERVER_URL", "https://localhost")
        .env("GITHUB_RUN_ID", "5");
    let output = bash.envs(inputs.iter().copied()).output().expect("bash is installed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text, fs::read_to_string(summary).unwrap_or_default())
}

/// A program in the place of `gh`: it logs its arguments, and lists one comment with this id, or none.
fn gh(repository: &Path, comment: &str) {
    use std::os::unix::fs::PermissionsExt;
    let bin = repository.join("../bin");
    fs::create_dir_all(&bin).expect("the folder for tests can be written to");
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$*\" >> ../asked\ncase $* in\n*--paginate*) printf '%s' '{comment}' ;;\n\
         *) for last; do :; done; cp \"${{last#body=@}}\" ../comment ;;\nesac\n"
    );
    fs::write(bin.join("gh"), script).expect("a file can be written");
    fs::set_permissions(bin.join("gh"), fs::Permissions::from_mode(0o755)).expect("it can be made executable");
}

const STRANDING: &str = "stable: 1.1.0 (skipRange >=1.0.1 <1.1.0)";

#[test]
fn a_pull_request_that_strands_a_version_fails() {
    let repository = repository("strands");
    fs::write(
        repository.join("catalog/catalog.yaml"),
        catalog("p").replace(", replaces: p.v1.0.0", ", skips: [p.v1.0.0]"),
    )
    .unwrap();
    assert_eq!(run(&repository, &[]).0, Some(0), "who has 1.0.0 is updated all the same");
    let stranding = fixture::yaml(STRANDING);
    fs::write(repository.join("catalog/catalog.yaml"), stranding).unwrap();
    let (code, text, summary) = run(&repository, &[]);
    assert!(
        text.contains("::error file=catalog/catalog.yaml,line=10,endLine=10,col=10,endColumn=18,title=v0-stranded::"),
        "{text}"
    );
    assert!(summary.contains("- breaking: 1.0.0 in stable: stuck"), "{summary}");
    assert_eq!(code, Some(1));
    fs::write(repository.join("levels.yaml"), "v0-stranded: neutral\nentry-removed: off\n").unwrap();
    assert_eq!(run(&repository, &[("LEVELS", "levels.yaml")]).0, Some(0), "the levels are the user's");
}

#[test]
fn catalogs_for_several_versions_of_openshift_are_judged_together() {
    let repository = repository("set");
    let write = |version: &str, notation: &str| {
        let folder = repository.join("catalogs").join(version);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("catalog.yaml"), fixture::yaml(notation)).unwrap();
    };
    ["v4.18", "v4.19"].iter().for_each(|version| write(version, "stable: 1.0.0"));
    commit(&repository);
    git(&repository, &["push", "-q", "origin", "HEAD:base"]);
    let inputs = [("CATALOG", "catalogs"), ("BASE", "base")];
    let (code, text, summary) = run(&repository, &inputs);
    assert!(code == Some(0) && summary.contains("The operator keeps updating"), "{text}{summary}");
    assert!(summary.starts_with("## Passes: nothing changes for what is installed\n"), "{summary}");
    write("v4.19", "stable: 1.1.0");
    let (code, text, summary) = run(&repository, &inputs);
    let command =
        "::error file=catalogs/v4.18/catalog.yaml,line=10,endLine=10,col=3,endColumn=19,title=set-installed-lost::";
    assert!(code == Some(1) && text.contains(command), "{text}");
    // What the change does to each catalog has a file and a line.
    assert!(text.contains("::error file=catalogs/v4.19/catalog.yaml,line="), "{text}");
    assert!(summary.contains("The operator stops updating"), "{summary}");
    assert!(text.starts_with("::error title=opscope::Fails: `p`: "), "{text}");
    assert!(summary.contains("### OpenShift 4.19"), "{summary}");
}

#[test]
fn a_new_catalog_and_a_push_are_validated_alone() {
    let repository = repository("new");
    fs::create_dir_all(repository.join("other")).unwrap();
    fs::write(repository.join("other/catalog.yaml"), catalog("p")).unwrap();
    let (code, text, summary) = run(&repository, &[("CATALOG", "other")]);
    assert!(code == Some(0) && summary.contains("opm: valid for the newest opm: 1 package"), "{text}{summary}");
    let (code, text, _) = run(&repository, &[("BASE", "")]);
    assert!(code == Some(0) && text.contains("no base branch"), "{text}");
    fs::write(
        repository.join("other/catalog.yaml"),
        catalog("p").replace("defaultChannel: stable", "defaultChannel: no"),
    )
    .unwrap();
    assert_eq!(run(&repository, &[("CATALOG", "other")]).0, Some(1), "opm rejects it");
}

#[cfg(unix)]
#[test]
fn one_comment_is_kept() {
    let repository = repository("comment");
    fs::write(repository.join("catalog/catalog.yaml"), fixture::yaml(STRANDING)).unwrap();
    let read = |name: &str| fs::read_to_string(repository.join("..").join(name)).unwrap_or_default();
    gh(&repository, "");
    assert_eq!(run(&repository, &[("PULL_REQUEST", "7")]).0, Some(1));
    let (asked, comment) = (read("asked"), read("comment"));
    assert!(asked.contains("--method POST repos/o/r/issues/7/comments"), "{asked}");
    assert!(comment.starts_with("<!-- opscope ") && comment.contains("stuck, and OLM reports nothing"), "{comment}");
    gh(&repository, "41");
    assert_eq!(run(&repository, &[("PULL_REQUEST", "7")]).0, Some(1));
    assert!(read("asked").contains("--method PATCH repos/o/r/issues/comments/41"));
    // A token without the right fails the comment and not the check.
    fs::write(repository.join("../bin/gh"), "#!/bin/sh\nexit 1\n").unwrap();
    let (code, text, _) = run(&repository, &[("PULL_REQUEST", "7")]);
    assert!(code == Some(1) && text.contains("the comment was not written"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_long_comment_ends_with_a_link_to_the_rest() {
    let repository = repository("long");
    let write = |channel: &str| {
        let packages: String = (0..150).map(|at| format!("package p{at}\n{channel}\n")).collect();
        fs::write(repository.join("catalog/catalog.yaml"), fixture::yaml(&packages)).unwrap();
    };
    write("stable: 1.1.0 (replaces 1.0.0), 1.0.0");
    commit(&repository);
    git(&repository, &["push", "-q", "origin", "HEAD:many"]);
    write(STRANDING);
    gh(&repository, "");
    let (code, _, summary) = run(&repository, &[("PULL_REQUEST", "7"), ("BASE", "many")]);
    let comment = fs::read_to_string(repository.join("../comment")).unwrap();
    assert!(code == Some(1) && summary.len() > 60_000 && comment.len() < 61_000, "{} {}", summary.len(), comment.len());
    let link = "The rest is in the [summary of the job](https://localhost/o/r/actions/runs/5).\n";
    assert!(comment.contains("\n## Fails: `p0`: ") && comment.ends_with(link) && !comment.contains("<details"));
}

/// Serves files on the loopback address, each for the paths that end with its name.
#[cfg(target_os = "linux")]
fn server(files: Vec<(String, Vec<u8>)>) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    let address = format!("http://{}", listener.local_addr().expect("it has an address"));
    let serve = move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("somebody connects");
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).expect("a request has a line");
            let path = line.split(' ').nth(1).unwrap_or_default();
            let found = files.iter().find(|(name, _)| path.ends_with(name));
            let (status, body) = found.map_or(("404 Not Found", &[][..]), |(_, body)| ("200 OK", body));
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all(&[head.as_bytes(), body].concat()).expect("it is read");
        }
    };
    std::thread::Builder::new().spawn(serve).expect("there are threads");
    address
}

/// The installation runs a released program, and nothing of the checkout, which is the pull request.
#[cfg(target_os = "linux")]
#[test]
fn the_program_of_a_release_is_installed_if_it_has_its_checksum() {
    let repository = repository("install");
    let home = repository.join("..");
    let name = format!("opscope-{}-unknown-linux-musl", std::env::consts::ARCH);
    let program = format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_opscope"));
    fs::create_dir_all(home.join(&name)).unwrap();
    fs::write(home.join(&name).join("opscope"), program).unwrap();
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&home).output().expect("it is there");
        assert!(output.status.success(), "{program} {arguments:?}");
        output.stdout
    };
    said("chmod", &["+x", &format!("{name}/opscope")]);
    let archive = format!("{name}.tar.gz");
    said("tar", &["-czf", &archive, &name]);
    let sums = said("sha256sum", &["--", &archive]);
    let content = fs::read(home.join(&archive)).unwrap();
    // The change brings a toolchain of its own, which must not run.
    fs::create_dir_all(repository.join("tc/bin")).unwrap();
    fs::write(repository.join("rust-toolchain.toml"), format!("[toolchain]\npath = '{}/tc'\n", repository.display()))
        .unwrap();
    let ([script, _], _) = action();
    let action = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let install = |files: Vec<(String, Vec<u8>)>, of: &str| {
        let mut bash = Command::new("bash");
        // Without cargo and without an opscope.
        bash.args(["-e", "-c", &script]).current_dir(&repository).env("PATH", "/usr/bin:/bin");
        bash.env("GITHUB_ACTION_PATH", &action).env("GITHUB_SERVER_URL", server(files)).env("GITHUB_REPOSITORY", "o/r");
        bash.env("REPOSITORY", "x/opscope").env("REF", "v9.9.9").env("VERSION", "");
        bash.env("RUNNER_TEMP", home.join(of)).env("GITHUB_PATH", home.join("path"));
        bash.output().expect("bash is installed")
    };
    let good = install(
        vec![
            (format!("/x/opscope/releases/download/v9.9.9/{archive}"), content.clone()),
            ("/v9.9.9/SHA256SUMS".to_owned(), sums.clone()),
        ],
        "good",
    );
    assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
    let folder = fs::read_to_string(home.join("path")).unwrap();
    let version = said(&format!("{}/opscope", folder.trim_end()), &["--version"]);
    assert!(version.starts_with(b"opscope "), "{}", String::from_utf8_lossy(&version));
    let other = [content, b"x".to_vec()].concat();
    let bad = install(vec![(archive.clone(), other), ("SHA256SUMS".to_owned(), sums)], "bad");
    let error = String::from_utf8_lossy(&bad.stderr).into_owned();
    assert!(bad.status.code() == Some(2) && error.contains("is not the file that SHA256SUMS has"), "{error}");
    let gone = install(Vec::new(), "gone");
    let error = String::from_utf8_lossy(&gone.stderr).into_owned();
    assert!(gone.status.code() == Some(2) && error.contains("name a version that is released"), "{error}");
}

#[test]
fn a_check_without_an_answer_is_not_green() {
    let repository = repository("unanswered");
    let half = catalog("p").replacen("entries:", "entries: [", 1);
    fs::write(repository.join("catalog/catalog.yaml"), half).unwrap();
    let (code, _, summary) = run(&repository, &[]);
    assert!(code != Some(0), "{summary}");
    let (code, _, _) = run(&repository, &[("BASE", "gone")]);
    assert!(code != Some(0) && code.is_some(), "the base cannot be fetched");
    let (code, text, _) = run(&repository, &[("CATALOG", "nothing")]);
    assert_eq!(code, Some(2), "{text}");
}

/// The scripts of other systems, with their inputs as variables.
#[test]
fn gitlab_and_tekton_run_the_same_review() {
    let component = include_str!("../../../../templates/opscope.yml").split_once("\n---\n").expect("two documents").1;
    let component: Value = serde_yaml::from_str(component).expect("the component is YAML");
    let lines = component["opscope"]["script"].as_sequence().expect("a list");
    let gitlab = lines.iter().map(|line| line.as_str().expect("a text")).collect::<Vec<_>>().join("\n");
    let task: Value = serde_yaml::from_str(include_str!("../../../../.ci/tekton-task.yaml")).expect("it is YAML");
    let tekton = task["spec"]["steps"][0]["script"].as_str().expect("a text").to_owned();
    for (name, script) in [("gitlab", gitlab), ("tekton", tekton)] {
        let repository = repository(name);
        let ran = || {
            let mut shell = shell("sh", &script, &repository);
            let output = shell.env("STATUS", repository.join("../status")).output().expect("there is a shell");
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        assert_eq!(ran().0, Some(0), "{name}");
        fs::write(repository.join("catalog/catalog.yaml"), fixture::yaml(STRANDING)).unwrap();
        let (code, text) = ran();
        assert!(code == Some(1) && text.contains("stuck, and OLM reports nothing"), "{name}: {text}");
        // A change that makes the report a link writes nothing elsewhere.
        #[cfg(unix)]
        {
            fs::remove_file(repository.join("opscope.html")).unwrap();
            fs::write(repository.join("../kept"), "as it is").unwrap();
            std::os::unix::fs::symlink("../kept", repository.join("opscope.html")).unwrap();
            assert_eq!(ran().0, Some(1), "{name}");
            assert_eq!(fs::read_to_string(repository.join("../kept")).unwrap(), "as it is", "{name}");
        }
        let mut gone = shell("sh", &script, &repository);
        let ended =
            gone.env("STATUS", repository.join("../status")).env("BASE", "gone").output().expect("there is a shell");
        assert!(!ended.status.success(), "{name}");
        let status = fs::read_to_string(repository.join("../status")).unwrap_or_default();
        assert_eq!(status, if name == "tekton" { "2" } else { "" });
        let html = fs::read_to_string(repository.join("opscope.html")).unwrap();
        assert!(html.contains("default-src 'none'") && html.contains("data:image/svg+xml;base64,"), "{name}");
    }
    assert_eq!(task["spec"]["params"].as_sequence().map(Vec::len), Some(6));
}
