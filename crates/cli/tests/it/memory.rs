//! What no input may do: fill the memory.

use std::io::Write;
use std::process::{Command, Stdio};

/// What the command takes before it reads anything and what any file may take, in KiB, with plenty of slack.
const BASE: usize = 224 << 10;

/// Runs `opscope validate` on a text with at most ten times its size of memory; whether it came to an end.
#[track_caller]
fn check(text: &str) {
    let limit = BASE + text.len() * 10 / 1024;
    let script = format!("ulimit -v {limit} && exec \"$0\" validate - --format json");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_opscope")]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("there is a shell");
    let mut stdin = child.stdin.take().expect("it is piped");
    drop(stdin.write_all(text.as_bytes()));
    drop(stdin);
    let output = child.wait_with_output().expect("the command ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0..=2)), "{limit} KiB were not enough: {told}");
}

#[test]
fn aliases_that_grow() {
    let mut bomb = format!("schema: x\na0: &a0 [{}]\n", ["x".repeat(100).as_str(); 10].join(", "));
    for level in 1..9 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb += &format!("a{level}: &a{level} [{items}]\n");
    }
    check(&bomb);
}

#[test]
fn brackets_that_never_close() {
    check(&format!("schema: x\nx: {}\n", "[".repeat(1_000_000)));
    check(&format!("{{\"schema\": {}", "[".repeat(1_000_000)));
}

#[test]
fn one_huge_scalar() {
    check(&format!("schema: olm.package\nname: p\ndescription: {}\n", "x".repeat(4_000_000)));
}

#[test]
fn nothing_but_documents_without_content() {
    check(&"a: 1\n---\n".repeat(50_000));
}

/// Each namespace is resolved and printed by itself, with the objects that concern it.
#[test]
fn many_namespaces() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory-many-namespaces");
    std::fs::create_dir_all(&folder).expect("a folder");
    let objects = |number: usize| {
        format!(
            "kind: CatalogSource\nmetadata: {{name: c, namespace: ns-{number}}}\n---\nkind: Subscription\n\
             metadata: {{name: s, namespace: ns-{number}}}\nspec: {{name: p, source: c, sourceNamespace: ns-{number}}}\n---\n"
        )
    };
    std::fs::write(folder.join("c.yaml"), fixture::yaml("c: 1.0.0")).expect("a catalog");
    std::fs::write(folder.join("cluster.yaml"), (0..400).map(objects).collect::<String>()).expect("manifests");
    for format in ["text", "json"] {
        let script = format!(
            "ulimit -v {BASE} && exec \"$0\" resolve --cluster cluster.yaml --catalog c=c.yaml --format {format}"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_opscope")]).current_dir(&folder);
        let output = command.output().expect("there is a shell");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{format}: {BASE} KiB were not enough: {told}");
    }
}
