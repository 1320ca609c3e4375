//! Commands that users paste into a shell: with any names in catalogs and manifests, the shell runs only the printed program, and
//! each name is one of its arguments.

use crate::command::{Ended, folder, opscope, write};
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Pieces of names: what ends words, quotes and JSON texts, what a shell expands, runs or reads as a comment, and plain text.
const PIECES: &[&str] = &[
    "stable",
    "-1.0",
    ".",
    " ",
    "'",
    "\"",
    "\\",
    "`touch pasted`",
    "$(touch pasted)",
    "; touch pasted; ",
    "&& touch pasted ",
    "| touch pasted",
    "> pasted",
    "\n",
    "\ntouch pasted\n",
    "\t",
    "#",
    "!",
    "~",
    "*",
    "{a,b}",
    "<(touch pasted)",
    "$HOME",
    "é",
    "\u{1b}",
    "\u{2028}",
    "```",
    "- [ ] ",
    "'}}'; touch pasted; '",
];

fn name() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 1..6).prop_map(|pieces| pieces.concat())
}

/// Names of which half are those that a cluster can have.
fn object() -> impl Strategy<Value = String> {
    prop_oneof![Just("team-a.b".to_owned()), name().prop_map(|name| name + "'")]
}

/// The words of each call of `oc` or `kubectl` that a shell makes when the text is pasted. The folder stays empty.
fn calls(text: &str, folder: &Path) -> Vec<Vec<String>> {
    drop(fs::remove_dir_all(folder));
    fs::create_dir_all(folder).expect("a folder can be made");
    let stand_ins =
        "call() { printf '%s\\0' \"$#\" \"$@\"; }\noc() { call oc \"$@\"; }\nkubectl() { call kubectl \"$@\"; }\n";
    let output = Command::new("sh")
        .args(["-c", &format!("{stand_ins}{text}\n")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    assert!(output.status.success() && output.stderr.is_empty(), "{text:?}: {output:?}");
    assert_eq!(fs::read_dir(folder).expect("the folder is there").count(), 0, "{text:?}");
    let printed = String::from_utf8(output.stdout).expect("it prints text");
    let mut words = printed.split_terminator('\0');
    let mut calls = Vec::new();
    while let Some(count) = words.next() {
        calls.push(words.by_ref().take(count.parse().expect("words are counted")).map(str::to_owned).collect());
    }
    calls
}

/// The texts of the fences in a Markdown document.
fn fences(document: &str) -> String {
    let (mut shown, mut is_code) = (String::new(), false);
    for event in Parser::new(document) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if is_code => shown += &text,
            Event::Html(html) | Event::InlineHtml(html) => assert_eq!(&*html, "<!-- -->", "{document}"),
            _ => {}
        }
    }
    shown
}

/// A catalog in which version 1.0.0 of a package is at the head of one channel, and another one leads on.
fn catalog(channels: &[(&str, &[&str])]) -> String {
    let mut documents = vec![
        json!({"schema": "olm.package", "name": "kettle", "defaultChannel": channels.last().expect("there is a channel").0}),
    ];
    for (name, versions) in channels {
        let entry = |at: usize| match at.checked_sub(1) {
            Some(before) => {
                json!({"name": format!("kettle.v{}", versions[at]), "replaces": format!("kettle.v{}", versions[before])})
            }
            None => json!({"name": format!("kettle.v{}", versions[at])}),
        };
        let entries: Vec<Value> = (0..versions.len()).map(entry).collect();
        documents.push(json!({"schema": "olm.channel", "package": "kettle", "name": name, "entries": entries}));
    }
    for version in
        ["1.0.0", "2.0.0"].into_iter().filter(|version| channels.iter().any(|(_, all)| all.contains(version)))
    {
        let property = json!({"type": "olm.package", "value": {"packageName": "kettle", "version": version}});
        documents.push(json!({
            "schema": "olm.bundle", "package": "kettle", "name": format!("kettle.v{version}"), "image": "quay.io/kettle",
            "properties": [property]
        }));
    }
    documents.iter().map(|document| format!("{document}\n")).collect()
}

/// A Subscription to the first channel, of which 1.0.0 is installed.
fn cluster(namespace: &str, subscription: &str) -> String {
    let object = |kind: &str, name: &str, spec: Value, status: Value| {
        json!({
            "apiVersion": "operators.coreos.com/v1alpha1", "kind": kind, "metadata": {"name": name, "namespace": namespace},
            "spec": spec, "status": status
        })
    };
    let csv = "kettle.v1.0.0";
    let spec = json!({"name": "kettle", "channel": "v1", "source": "c", "sourceNamespace": "olm"});
    let items = [
        object("Subscription", subscription, spec, json!({"installedCSV": csv, "currentCSV": csv})),
        object("ClusterServiceVersion", csv, json!({"version": "1.0.0"}), json!({"phase": "Succeeded"})),
    ];
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

fn run(folder: &Path, arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(folder).ended()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_runs_what_it_says(channel in name(), namespace in object(), subscription in object()) {
        let folder = folder("pasted-plans");
        let before = catalog(&[("v1", &["1.0.0"]), (&channel, &["1.0.0", "2.0.0"])]);
        let after = catalog(&[(&channel, &["2.0.0"])]);
        let cluster = cluster(&namespace, &subscription);
        write(&folder, &[("s/v4.20/c.json", &before), ("s/v4.21/c.json", &after), ("cluster.json", &cluster)]);
        let plan = "plan --from 4.20 --to 4.21 --catalogs s --cluster cluster.json --format";
        let found: Value = serde_json::from_str(&run(&folder, &format!("{plan} json")).out).unwrap();
        let steps: Vec<&Value> = found["plans"][0]["steps"].as_array().unwrap().iter().collect();
        let step = steps.iter().find(|step| step["do"] == "switch-channel").expect("the channel ends");
        let is_possible = [&namespace, &subscription].iter().all(|name| *name == "team-a.b");
        prop_assert_eq!(step["text"].as_str().unwrap().contains("(no command: "), !is_possible);
        let commands = |step: &&Value| step["commands"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>();
        let commands: String = steps.iter().flat_map(commands).map(|command| command + "\n").collect();
        let pasted = folder.join("pasted");
        let made = calls(&commands, &pasted);
        let (patches, updates): (Vec<_>, Vec<_>) = made.iter().partition(|call| call[1] == "-n");
        prop_assert_eq!(updates, [&vec!["oc", "adm", "upgrade", "channel", "stable-4.21"], &vec!["oc", "adm", "upgrade", "--to-latest"]]);
        prop_assert_eq!(patches.len(), usize::from(is_possible));
        for patch in patches {
            let expected = ["oc", "-n", &namespace, "patch", "subscription.operators.coreos.com", &subscription, "--type", "merge", "-p"];
            prop_assert_eq!(&patch[..9], expected);
            let spec: Value = serde_json::from_str(&patch[9]).unwrap();
            prop_assert_eq!(spec, json!({"spec": {"channel": channel}}));
        }
        let document = run(&folder, &format!("{plan} markdown")).out;
        prop_assert_eq!(calls(&fences(&document), &pasted), made);
    }

    #[test]
    fn what_a_list_prints_asks_for_its_catalog_source(source in object(), namespace in object()) {
        let folder = folder("pasted-lists");
        let status = json!({"catalogSource": source, "catalogSourceNamespace": namespace, "packageName": "p", "defaultChannel": "c",
            "channels": [{"name": "c", "currentCSV": "p.v1", "entries": [{"name": "p.v1", "version": "1.0.0"}]}]});
        let manifest = json!({"apiVersion": "packages.operators.coreos.com/v1", "kind": "PackageManifest", "metadata": {"name": "p"}, "status": status});
        write(&folder, &[("packages.json", &manifest.to_string())]);
        let Ended { out, .. } = run(&folder, "list packages.json");
        let is_possible = [&source, &namespace].iter().all(|name| *name == "team-a.b");
        prop_assert_eq!(out.contains("# no command, because no object of a cluster can be named"), !is_possible);
        let commands: Vec<&str> = out.lines().filter(|line| line.starts_with("    kubectl ")).collect();
        let made = calls(&commands.join("\n"), &folder.join("pasted"));
        let expected = ["kubectl", "get", "catalogsource", &source, "-n", &namespace, "-o", "jsonpath={.spec.image}"];
        prop_assert_eq!(made, if is_possible { vec![expected.map(str::to_owned).to_vec()] } else { Vec::new() });
    }

    #[test]
    fn a_proposed_option_is_one_word(source in name()) {
        let folder = folder("pasted-options");
        let cluster = cluster("team", "kettle").replace("\"c\"", &json!(source).to_string());
        write(&folder, &[("cluster.json", &cluster)]);
        let Ended { errors, .. } = run(&folder, "resolve --cluster cluster.json");
        let (_, option) = errors.split_once("then add `").expect("the catalog is missing");
        let option = &option[..option.rfind('`').unwrap()];
        let shown = source::one_line(&source);
        if !source.contains(source::is_control) {
            prop_assert_eq!(calls(&format!("oc {option}"), &folder.join("pasted")), [["oc", "--catalog", &format!("{shown}=PATH")]]);
        }
    }
}
