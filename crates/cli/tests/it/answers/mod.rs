//! What OLM does, in text: `resolve`, `why`, `path` and `reach`, and how they look on a terminal.

mod compare;
mod extension;
mod installed;
mod migrate;
mod mirror;
mod missing_catalogs;
mod no_answer;
mod operator_groups;
mod plans;
mod resolve_json;
mod states;

use crate::command::{Ended, folder, opscope, write};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// `app.v1.1.0` requires an older `store` than the newest. In `fast`, nothing updates `store.v1.0.0`.
fn catalog(stable: &str) -> String {
    fixture::yaml(&format!(
        "
        package store
        stable: {stable}
        fast: 2.0.0 (skipRange >=1.5.0 <2.0.0)
        package app
        stable: 1.1.0 (requires store <2.0.0)"
    ))
}

/// One version after the other.
const CHAIN: &str = "2.0.0 (replaces 1.5.0), 1.5.0 (replaces 1.0.0), 1.0.0";

/// A version is stuck.
const STUCK: &str = "2.0.0 (replaces 1.0.0; skips 1.6.0), 1.6.0 (replaces 1.5.0; no bundle), 1.5.0, 1.0.0";

/// A new head skips the one before, whose own `skips` no longer count then.
const ADDED: &str = "2.1.0 (replaces 2.0.0; skips 2.0.0), 2.0.0 (replaces 1.0.0; skips 1.0.0, 1.5.0), 1.5.0, 1.0.0";

/// `app` and `my-store` cannot be resolved together; `team` has a Subscription that is also named `my-store`.
const CLUSTER: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
---
kind: OperatorGroup
metadata: {name: all, namespace: operators}
---
kind: ConfigMap
metadata: {name: settings, namespace: operators}
---
kind: Subscription
metadata: {name: app, namespace: operators}
spec: {name: app, source: community, sourceNamespace: olm}
---
kind: Subscription
metadata: {name: my-store, namespace: operators}
spec: {name: store, channel: stable, source: community, sourceNamespace: olm}
status: {installedCSV: store.v2.0.0, currentCSV: store.v2.0.0}
---
kind: ClusterServiceVersion
metadata: {name: store.v2.0.0, namespace: operators}
spec: {version: 2.0.0}
---
kind: Subscription
metadata: {name: my-store, namespace: team}
spec: {name: store, channel: fast, source: community, sourceNamespace: olm}
";

/// The folder that commands run in, with the files of these tests, so that their paths are short.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder("answers");
    let catalog = self::catalog(CHAIN);
    write(
        &folder,
        &[
            ("catalog.yaml", &catalog),
            ("rejected.yaml", &catalog.replacen("defaultChannel: stable", "defaultChannel: none", 1)),
            ("stuck.yaml", &self::catalog(STUCK)),
            ("added.yaml", &self::catalog(ADDED)),
            ("cluster.yaml", CLUSTER),
            ("broken.yaml", &CLUSTER.replace("metadata: {name: app, namespace: operators}", "metadata: [app]")),
        ],
    );
    folder
});

/// Writes a file into the folder of these tests. They run side by side, so each has names of its own.
fn put(name: &str, text: impl AsRef<str>) {
    write(&FOLDER, &[(name, text.as_ref())]);
}

fn ended(arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(&FOLDER).ended()
}

/// Standard output and exit code.
fn answer(arguments: &str) -> (String, i32) {
    let Ended { out, code, .. } = ended(arguments);
    (out, code)
}

/// An answer in JSON, and the exit code.
fn report(arguments: &str) -> (Value, i32) {
    let (text, code) = answer(arguments);
    (serde_json::from_str(&text).expect("the answer is JSON"), code)
}

#[track_caller]
fn check(arguments: &str, code: i32, expected: &str) {
    assert_eq!(answer(arguments), (expected.to_owned(), code));
}

/// Checks that there is no answer, and the message.
#[track_caller]
fn check_failure(arguments: &str, expected: &str) {
    let failed = Ended { out: String::new(), errors: format!("opscope: {expected}\n"), code: 2 };
    assert_eq!(ended(arguments), failed);
}

#[test]
fn a_subscription_that_is_held_back() {
    check(
        "resolve --subscribe store/stable@1.0.0 --subscribe app --catalog community=catalog.yaml",
        0,
        "▲ store stops at 1.5.0: ends at store.v1.5.0
  held back from `2.0.0`: `app.v1.1.0` requires package `store` in range `<2.0.0` (catalog.yaml:57)
✓ app → 1.1.0: installs app.v1.1.0
note: the manifests have no OperatorGroup in namespace `operators`; one for all namespaces is
      assumed

step  installs      replaces      channel  catalog
1     app.v1.1.0    -             stable   community
1     store.v1.5.0  store.v1.0.0  stable   community

Why no newer version for store?
  not `store.v2.0.0`:
    - the only candidate of Subscription `app` is `app.v1.1.0` (installed)
    - `app.v1.1.0` (installed) requires package `store` in range `<2.0.0`; `store.v1.5.0`
      (installed), `store.v1.5.0` (stable, community) or `store.v1.0.0` (stable, community) would
      meet this (catalog.yaml:57)
    - only one bundle of package `store` can be installed: `store.v1.5.0` (installed),
      `store.v1.0.0` (stable, community), `store.v1.5.0` (stable, community) or `store.v2.0.0`
      (stable, community) (catalog.yaml:12)
",
    );
}

/// Both namespaces are resolved: one fails, and the other is not affected.
#[test]
fn a_conflict_is_an_argument_with_places_and_fixes() {
    check(
        "resolve --cluster cluster.yaml --catalog community=catalog.yaml",
        1,
        "Of 2 namespaces `operators` is stuck.

Namespace operators
✕ app blocked: is not installed: OLM finds no solution
✕ my-store blocked: stays at store.v2.0.0, because OLM finds no solution
note: 1 object ignored: ConfigMap settings

Conflict: `app` and `store`
  1. Subscription `app` asks for package `app` of catalog `community` (cluster.yaml:10)
  2. the only candidate of Subscription `app` is `app.v1.1.0` (stable, community) (catalog.yaml:49)
  3. `app.v1.1.0` (stable, community) requires package `store` in range `<2.0.0`; `store.v1.5.0`
     (stable, community) or `store.v1.0.0` (stable, community) would meet this (catalog.yaml:57)
  4. Subscription `my-store` asks for package `store` from channel `stable` of catalog `community`;
     `store.v2.0.0` is installed (cluster.yaml:14)
  5. the only candidate of Subscription `my-store` is `store.v2.0.0` (installed)
  6. only one bundle of package `store` can be installed: `store.v2.0.0` (installed), `store.v1.0.0`
     (stable, community) or `store.v1.5.0` (stable, community) (catalog.yaml:12)

Fixes (each simulated)
  - in the catalog, change the range in which `app.v1.1.0` requires `store` from `<2.0.0` to
    `<=2.0.0` (catalog.yaml:57)
      → OLM then installs `app.v1.1.0`
  - delete Subscription `app`
      → OLM can then resolve the namespace, and nothing else changes

The message of OLM that follows from this
    constraints not satisfiable: @existing/operators//store.v2.0.0, community/olm/stable/store.v1.0.0 and community/olm/stable/store.v1.5.0 originate from package store, bundle app.v1.1.0 requires an operator with package: store and with version in range: <2.0.0, subscription app exists, subscription app requires community/olm/stable/app.v1.1.0, subscription my-store exists, subscription my-store requires @existing/operators//store.v2.0.0
  @existing/operators//store.v2.0.0: `store.v2.0.0`, installed in namespace `operators`
  community/olm/stable/store.v1.0.0: `store.v1.0.0` in channel `stable` of catalog `community`
  (namespace `olm`)
  community/olm/stable/store.v1.5.0: `store.v1.5.0` in channel `stable` of catalog `community`
  (namespace `olm`)
  community/olm/stable/app.v1.1.0: `app.v1.1.0` in channel `stable` of catalog `community`
  (namespace `olm`)

Namespace team
unknown: the input has no OperatorGroup; if there is one as usual, OLM installs `store.v2.0.0`
✓ my-store → 2.0.0: installs store.v2.0.0
note: the manifests have no OperatorGroup in namespace `team`; one for all namespaces is assumed

step  installs      replaces  channel  catalog
1     store.v2.0.0  -         fast     community
",
    );
}

#[test]
fn manifests_that_cannot_be_read_in_part_give_a_doubtful_answer() {
    let Ended { out: text, errors, code } = ended("resolve --cluster broken.yaml --catalog community=catalog.yaml");
    let line = "error: `metadata` must be an object, found a list (broken.yaml:11)\n";
    assert!(text.contains("✓ my-store is up to date: stays at store.v2.0.0\n") && text.contains(line), "{text}");
    let message = "opscope: part of the manifests could not be read, so the answer may be wrong\n";
    assert_eq!((errors.as_str(), code), (message, 2));
}

#[test]
fn a_must_gather_is_a_cluster() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/e2e/fixtures");
    let command = format!(
        "resolve --cluster {fixtures}/must-gather --catalog release-after={fixtures}/release-after --format json"
    );
    let Ended { out, errors: said, .. } = ended(&command);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["outcomes"][0]["steps"][0]["installPlanCreated"], false, "{json}");
    assert!(said.starts_with("opscope: read 5 objects of OLM from "), "{said}");
    assert!(said.ends_with("left out: copied CSVs (1), and other files\n"), "{said}");
    let refused = ended(&format!("resolve --cluster {fixtures}/kitchen"));
    assert!(
        refused.errors.contains("is a catalog, and a cluster is a file of manifests, or a must-gather"),
        "{refused:?}"
    );
    // The same as an archive, with one folder around it.
    let pack = ["-czf", "gathered.tgz", "-C", fixtures, "must-gather"];
    assert!(Command::new("tar").args(pack).current_dir(&*FOLDER).status().unwrap().success());
    let from_archive = ended(&command.replace(&format!("{fixtures}/must-gather"), "gathered.tgz"));
    assert_eq!(from_archive.out, out, "{}", from_archive.errors);
}

#[test]
fn a_bundle_that_is_not_chosen_is_explained() {
    check(
        "why store 2.0.0 --subscribe store@1.5.0 --subscribe app --catalog community=catalog.yaml",
        0,
        "Why (not) store.v2.0.0 from channel stable?
Subscription `store`
  ✕ step 1: no: OLM tries it and refuses it (catalog.yaml:10)
      - the only candidate of Subscription `app` is `app.v1.1.0` (stable, community)
        (catalog.yaml:49)
      - `app.v1.1.0` (stable, community) requires package `store` in range `<2.0.0`; `store.v1.5.0`
        (installed), `store.v1.5.0` (stable, community) or `store.v1.0.0` (stable, community) would
        meet this (catalog.yaml:57)
      - only one bundle of package `store` can be installed: `store.v1.5.0` (installed),
        `store.v2.0.0` (fast, community), `store.v1.0.0` (stable, community), `store.v1.5.0`
        (stable, community) or 1 more (catalog.yaml:18)
  ✕ afterwards: no: OLM tries it and refuses it (catalog.yaml:10)
      - the only candidate of Subscription `app` is `app.v1.1.0` (installed)
      - `app.v1.1.0` (installed) requires package `store` in range `<2.0.0`; `store.v1.5.0`
        (installed), `store.v1.5.0` (stable, community) or `store.v1.0.0` (stable, community) would
        meet this (catalog.yaml:57)
      - only one bundle of package `store` can be installed: `store.v1.5.0` (installed),
        `store.v2.0.0` (fast, community), `store.v1.0.0` (stable, community), `store.v1.5.0`
        (stable, community) or 1 more (catalog.yaml:18)
`app.v1.1.0`, which requires package `store` in range `<2.0.0`
  ✕ step 1: not a candidate: it does not match package `store` in range `<2.0.0`
",
    );
}

#[test]
fn a_path_has_reasons() {
    check(
        "path store 1.0.0 store.v2.0.0 --catalog catalog.yaml",
        0,
        "✓ With a Subscription to `stable`, OLM updates `store.v1.0.0` to `store.v2.0.0` in 2 hops
  1. 1.5.0: `store.v1.5.0` replaces `store.v1.0.0` (catalog.yaml:11)
  2. 2.0.0: `store.v2.0.0` replaces `store.v1.5.0` (catalog.yaml:10)
",
    );
}

#[test]
fn a_path_that_does_not_arrive_has_advice() {
    check(
        "path store 1.0.0 2.0.0 --channel fast --catalog catalog.yaml",
        1,
        "✕ No update path from `store.v1.0.0` in `fast`
  - no entry of `fast` replaces, skips or covers 1.0.0, so OLM cannot update `store.v1.0.0`
    (catalog.yaml:16)

Channel `fast`: 1 version does not reach the head: `store.v1.0.0`
  1. set `skipRange` of `store.v2.0.0` to `>=1.0.0 <2.0.0` (catalog.yaml:18)
      → it then reaches the head
      → all others are updated as now
  2. add `store.v1.0.0` to `skips` of `store.v2.0.0` (catalog.yaml:18)
      → it then reaches the head
      → all others are updated as now
  3. let `store.v2.0.0` replace `store.v1.0.0` (catalog.yaml:18)
      → it then reaches the head
      → all others are updated as now
  - Without editing the catalog: switch the channel of the Subscription to `stable` until
    `store.v1.5.0` is installed, then to `fast`: OLM then updates `store.v1.0.0` to `store.v2.0.0`
    in 2 hops. With approval Manual each update waits until its InstallPlan is approved. Use Manual
    here: with Automatic, OLM updates past the version at which you have to switch

The path if the Subscription switches channels
  1. 1.5.0 in `stable`: `store.v1.5.0` replaces `store.v1.0.0` (catalog.yaml:11)
  2. 2.0.0 in `fast`: the skipRange `>=1.5.0 <2.0.0` of `store.v2.0.0` matches 1.5.0
     (catalog.yaml:18)
",
    );
}

#[test]
fn reach_is_a_table() {
    check(
        "reach store --catalog catalog.yaml",
        0,
        "Row: installed version. Column: subscribed channel with its head. Cell: number of hops to the head.

installed  stable  fast
           2.0.0   2.0.0
2.0.0      head    head
1.5.0      1       1
1.0.0      2       no path
",
    );
}

/// Only an entry that the head skips replaces `store.v1.5.0`.
#[test]
fn only_stuck_versions_are_shown() {
    check("reach store --stuck --catalog catalog.yaml", 0, "No version is stuck.\n");
    check(
        "reach store --stuck --catalog stuck.yaml",
        0,
        "Row: installed version. Column: subscribed channel with its head. Cell: number of hops to the head.

installed  stable  fast
           2.0.0   2.0.0
1.5.0      stuck   1

Channel `stable`: 1 version does not reach the head: `store.v1.5.0`
  - No repair: `opm` rejects the channel for something else than its edges.
  - Instead: correct what `opscope validate` reports first.
",
    );
}

#[test]
fn names_that_do_not_exist_get_a_suggestion() {
    let catalog = "--catalog community=catalog.yaml";
    for (arguments, expected) in [
        ("resolve --subscribe stor", "no catalog has a package `stor`; did you mean `store`?"),
        (
            "resolve --subscribe store@2.0.1",
            "package `store` has no version or CSV `2.0.1`; no skipRange covers it; if it is installed nevertheless, name its CSV, such as \
             `store.v2.0.1`; did you mean `2.0.0`?",
        ),
        ("path stoer 1.0.0 2.0.0", "no catalog has a package `stoer`; did you mean `store`?"),
        ("path store 1.0.0 2.0.1", "package `store` has no version or CSV `2.0.1`; did you mean `2.0.0`?"),
        ("path store 1.0.0 2.0.0 --channel fsat", "package `store` has no channel `fsat`; did you mean `fast`?"),
        ("reach store --channel zzz", "package `store` has no channel `zzz`"),
        ("why stoer --subscribe store", "there is no Subscription `stoer`; did you mean `store`?"),
        ("why store 9.9.9 --subscribe store", "package `store` has no version or CSV `9.9.9`"),
        ("why store --outcome 2 --subscribe store/stable@1.0.0", "there is only one outcome"),
        (
            "why my-store --cluster cluster.yaml",
            "several namespaces have a Subscription `my-store`; did you mean `operators/my-store` or `team/my-store`?",
        ),
    ] {
        check_failure(&format!("{arguments} {catalog}"), expected);
    }
    check_failure("man resolv", "there is no command `resolv`; did you mean `resolve`?");
}

/// 1.7.0 is in no catalog any more, and the skipRange in `fast` covers it.
#[test]
fn an_installed_version_that_is_no_longer_listed_is_taken() {
    let catalog = "--catalog community=catalog.yaml";
    for installed in ["1.7.0", "store.v1.7.0"] {
        let (text, code) = answer(&format!("resolve --subscribe store/fast@{installed} {catalog}"));
        assert!(code == 0 && text.starts_with("✓ store → 2.0.0: ends at store.v2.0.0\n"), "{text}");
        let path = "✓ With a Subscription to `fast`, OLM updates `store.v1.7.0` to `store.v2.0.0` in 1 hop
  1. 2.0.0: the skipRange `>=1.5.0 <2.0.0` of `store.v2.0.0` matches 1.7.0 (catalog.yaml:18)
";
        check(&format!("path store {installed} 2.0.0 --channel fast {catalog}"), 0, path);
        let (text, _) = answer(&format!("reach store {installed} {catalog}"));
        assert!(text.ends_with("\n1.7.0      no path  1\n"), "{text}");
    }
    // A CSV that nothing covers is stuck; a version that nothing covers may be a slip.
    assert_eq!(answer(&format!("path store store.v0.1.0 2.0.0 {catalog}")).1, 1);
    assert_eq!(ended(&format!("path store 0.1.0 2.0.0 {catalog}")).code, 2);
}

#[test]
fn subscriptions_and_manifests_exclude_each_other() {
    let ended = ended("resolve --subscribe store --cluster cluster.yaml --catalog community=catalog.yaml");
    let expected =
        "error: the argument '--subscribe <PACKAGE[/CHANNEL][@INSTALLED]>' cannot be used with '--cluster <FILE>'";
    assert!(ended.errors.starts_with(expected) && ended.code == 2, "{ended:?}");
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let question = "path store 1.0.0 2.0.0 --catalog catalog.yaml";
    let is_coloured = |arguments: &str, environment: &[(&str, &str)]| {
        let run = opscope(arguments.split(' ')).within(&FOLDER);
        let run = environment.iter().fold(run, |run, (name, value)| run.env(name, value));
        run.ended().out.starts_with("\x1b[1;92m✓ \x1b[0m")
    };
    assert!(!is_coloured(question, &[]), "a pipe");
    assert!(is_coloured(question, &[("CLICOLOR_FORCE", "1")]));
    assert!(!is_coloured(question, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(is_coloured(&format!("{question} --color always"), &[("NO_COLOR", "1")]));
    assert!(!is_coloured(&format!("{question} --color never"), &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn text_keeps_to_the_width_of_the_terminal() {
    for question in
        ["reach store --catalog catalog.yaml", "resolve --cluster cluster.yaml --catalog community=catalog.yaml"]
    {
        let text = opscope(question.split(' ')).within(&FOLDER).env("COLUMNS", "50").ended().out;
        // OLM's own message stays in one piece.
        let is_short = |line: &&str| line.chars().count() > 50 && !line.starts_with("    ");
        assert_eq!(text.lines().find(is_short), None);
    }
}

#[test]
fn scripts_and_manual_pages_know_all_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (text, code) = answer(&format!("completions {shell}"));
        assert!(code == 0 && text.contains("subscribe") && text.contains("reach"), "{shell}");
    }
    let (page, code) = answer("man");
    assert!(code == 0 && page.contains("opscope\\-why(1)"), "{page}");
    assert!(answer("man path").0.contains("Show how OLM updates one version to another"));
}
