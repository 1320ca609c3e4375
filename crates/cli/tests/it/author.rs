//! `opscope release`, `opscope remove` and `opscope deprecate`.

use crate::command::{Ended, folder, opscope, write};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const CSV: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: p.v1.3.0\nspec:\n  version: \
                   1.3.0\n";
const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                           operators.operatorframework.io.bundle.channels.v1: c\n";
const TEMPLATE: &str = "schema: olm.template.basic\nentries:\n- schema: olm.package\n  name: p\n  defaultChannel: c\n- schema: olm.channel\n  \
                        package: p\n  name: c\n  entries:\n  - name: p.v1.2.0\n- schema: olm.bundle\n  image: quay.io/p:1.2.0\n";
const SEMVER: &str = "schema: olm.semver\nstable:\n  bundles:\n  - image: quay.io/p:1.2.0\n";
const CI: &str = "fbc:\n  enabled: true\n  catalog_mapping:\n  - template_name: new.yaml\n    catalog_names: [v4.19]\n    type: \
                  olm.template.basic\n  - template_name: old.yaml\n    catalog_names: [v4.18]\n    type: olm.semver\n";

fn files(name: &str) -> PathBuf {
    let folder = folder(name);
    let catalog = fixture::yaml("c: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0");
    let other = catalog.replace("p.v1.1.0", "p.v1.1.1").replace("1.1.0", "1.1.1");
    let files = [
        ("bundle/manifests/csv.yaml", CSV),
        ("bundle/metadata/annotations.yaml", ANNOTATIONS),
        ("catalog.yaml", &catalog),
        ("template.yaml", TEMPLATE),
        ("semver.yaml", SEMVER),
        ("set/v4.18/p/catalog.yaml", &catalog),
        ("set/v4.19/p/catalog.yaml", &other),
        ("operator/ci.yaml", CI),
        ("operator/catalog-templates/new.yaml", TEMPLATE),
        ("operator/catalog-templates/old.yaml", SEMVER),
    ];
    write(&folder, &files);
    folder
}

fn run(folder: &Path, arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(folder).ended()
}

fn report(folder: &Path, arguments: &str) -> (Value, i32) {
    let ended = run(folder, &format!("{arguments} --format json"));
    let report: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"));
    (report, ended.code)
}

#[test]
fn a_release_says_what_it_writes_and_what_that_does() {
    let folder = files("release-json");
    let (found, code) =
        report(&folder, "release bundle --into catalog.yaml --policy replace-head --image quay.io/p:1.3.0");
    let catalog = &found["catalogs"][0];
    let entry = json!({"name": "p.v1.3.0", "replaces": "p.v1.2.0", "skips": [], "skipRange": null, "text": "replaces `p.v1.2.0`"});
    assert_eq!((&catalog["channels"][0]["added"][0], &catalog["reason"], code), (&entry, &Value::Null, 0));
    let effect = catalog["effects"][0].as_str().unwrap();
    assert!(effect.starts_with("p: 3 of 3 installed versions move on to 1.3.0 as expected"), "{effect}");
    let diff = catalog["files"][0]["diff"].as_str().unwrap();
    assert!(diff.starts_with("--- catalog.yaml\n+++ catalog.yaml\n@@ -"), "{diff}");
    assert!(diff.contains("\n+image: quay.io/p:1.3.0\n") && !diff.contains("\n-"), "{diff}");
    let before = fs::read_to_string(folder.join("catalog.yaml")).unwrap();
    assert_eq!(before, fixture::yaml("c: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0"), "nothing is written");
}

#[test]
fn what_is_written_is_accepted_and_is_released_once() {
    let folder = files("release-write");
    let release = "release bundle --into catalog.yaml --policy withdraw-head --image quay.io/p:1.3.0 --write";
    let Ended { out, errors, code } = run(&folder, release);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(errors.contains("wrote `catalog.yaml`"), "{errors}");
    assert!(out.contains("`p.v1.3.0` replaces `p.v1.1.0`; skips `p.v1.2.0`"), "{out}");
    assert_eq!(run(&folder, "validate catalog.yaml").code, 0);
    let (found, code) = report(&folder, "release bundle --into catalog.yaml --policy replace-head");
    assert_eq!((&found["catalogs"][0]["reason"]["id"], code), (&json!("already-listed"), 1));
}

#[test]
fn templates_get_what_they_have_a_place_for() {
    let folder = files("release-templates");
    write(&folder, &[("lists.yaml", &format!("{SEMVER}fast:\n  bundles:\n  - image: quay.io/p:1.2.0\n"))]);
    let (found, code) = report(
        &folder,
        "release bundle --into template.yaml --into lists.yaml --policy replace-head --image quay.io/p:1.3.0",
    );
    let reason = |at: usize| found["catalogs"][at]["reason"]["id"].clone();
    assert_eq!((reason(0), reason(1), code), (Value::Null, json!("missing"), 1));
    let expansion = found["catalogs"][0]["files"][0]["expansion"].as_str().unwrap();
    assert!(expansion.contains("+- name: p.v1.3.0\n+  replaces: p.v1.2.0\n"), "{expansion}");
    let lists = "release quay.io/p:1.3.0 --name p.v1.3.0 --package p --into semver.yaml --channel stable --policy";
    let Ended { out, code, .. } = run(&folder, &format!("{lists} z-stream"));
    assert!(out.contains("    +  - image: quay.io/p:1.3.0\n") && code == 0, "{out}");
    let Ended { out, code, .. } = run(&folder, &format!("{lists} withdraw-head"));
    assert!(out.contains("computes all edges") && code == 1, "{out}");
    let Ended { out, code, .. } = run(&folder, "release bundle --into template.yaml --image quay.io/p:1.3.0");
    assert!(out.contains("name them with `--policy`") && code == 1, "{out}");
    let Ended { out, code, .. } = run(&folder, "release bundle --into template.yaml --policy replace-head");
    assert!(out.contains("give it with `--image`") && code == 1, "{out}");
}

/// The spelling of Go's structs, as nearly all real templates have it.
const CAPITALS: &str =
    "Schema: olm.semver\nStable:\n  Bundles:\n  - Image: quay.io/p:1.1.0\n  - Image: quay.io/p:1.2.0\n";

#[test]
fn a_semver_template_gets_and_loses_images_in_its_spelling() {
    let folder = files("semver-capitals");
    write(&folder, &[("capitals.yaml", CAPITALS)]);
    let text = || fs::read_to_string(folder.join("capitals.yaml")).unwrap();
    let release = "release quay.io/p:1.3.0 --name p.v1.3.0 --into capitals.yaml --channel stable --write";
    let Ended { out, errors, code } = run(&folder, release);
    assert!(code == 0 && out.contains("not all versions are known here"), "{out}{errors}");
    assert_eq!(text(), format!("{CAPITALS}  - Image: quay.io/p:1.3.0\n"));
    let Ended { out, code, .. } = run(&folder, release);
    assert!(code == 1 && out.contains("lists the image `quay.io/p:1.3.0` already"), "{out}");
    let given = release.replace("1.3.0", "1.4.0").replace(" --write", " --package p --policy replace-head");
    let Ended { errors, code, .. } = run(&folder, &given);
    assert!(
        code == 0 && errors.contains("computes all edges of its bundles, without `--policy`, `--package`"),
        "{errors}"
    );
    // By its version, and by its image.
    for what in ["1.2.0", "quay.io/p:1.3.0"] {
        let Ended { out, errors, code } = run(&folder, &format!("remove capitals.yaml {what} --write"));
        assert_eq!(code, 0, "{out}{errors}");
    }
    assert_eq!(text(), CAPITALS.replace("  - Image: quay.io/p:1.2.0\n", ""));
    for (arguments, reason) in
        [("1.2.0", "missing"), ("1.1.0", "head-withdrawn"), ("1.1.0 --keep-listed", "not-expressible")]
    {
        let (found, code) = report(&folder, &format!("remove capitals.yaml {arguments}"));
        assert_eq!((&found["catalogs"][0]["reason"]["id"], code), (&json!(reason), 1));
    }
}

#[test]
fn a_preview_of_the_pipelines_has_the_bundles_of_the_folder() {
    let folder = files("release-preview");
    let (csv, metadata) = ("manifests/csv.yaml", "metadata/annotations.yaml");
    for version in ["1.1.0", "1.2.0"] {
        let bundle = format!("operator/{version}");
        write(
            &folder,
            &[
                (&*format!("{bundle}/{csv}"), &*CSV.replace("1.3.0", version)),
                (&*format!("{bundle}/{metadata}"), ANNOTATIONS),
            ],
        );
    }
    let semver = CAPITALS.replace("quay.io/p:", "quay.io/x/operator:");
    let semver = semver.replace("Stable:", "GenerateMajorChannels: true\nStable:");
    write(&folder, &[("operator/catalog-templates/old.yaml", &*semver)]);
    let release =
        "release bundle --into operator --policy replace-head --channel Stable --image quay.io/x/operator:1.3.0";
    let (found, code) = report(&folder, release);
    let old = &found["catalogs"][1];
    assert_eq!((&old["template"], code), (&json!("old.yaml"), 0), "{found}");
    let effect = old["effects"][0].as_str().unwrap();
    assert!(effect.starts_with("p: 2 of 2 installed versions move on to 1.3.0 as expected"), "{effect}");
    let expansion = old["files"][0]["expansion"].as_str().unwrap();
    assert!(
        expansion.contains("+- name: p.v1.3.0\n") && expansion.contains("+image: quay.io/x/operator:1.3.0\n"),
        "{expansion}"
    );
    // An image that no folder has is named.
    write(&folder, &[("operator/catalog-templates/old.yaml", &*semver.replace("operator:1.1.0", "other:1.1.0"))]);
    let (found, _) = report(&folder, release);
    let effects = found["catalogs"][1]["effects"].to_string();
    assert!(
        effects.contains("not all versions are known here") && effects.contains("`quay.io/x/other:1.1.0`"),
        "{effects}"
    );
}

#[test]
fn every_catalog_of_a_set_gets_the_release() {
    let folder = files("release-set");
    let Ended { out, errors, code } = run(&folder, "release bundle --into set --policy hotfix --image i");
    assert!(code == 1 && out.contains("no version of channel `c` is above 1.3.0"), "{out}{errors}");
    let (found, code) =
        report(&folder, "release bundle --into set --policy replace-head --image quay.io/p:1.3.0 --write");
    let versions: Vec<&Value> = found["catalogs"].as_array().unwrap().iter().map(|one| &one["openshift"][0]).collect();
    assert_eq!((versions, code), (vec![&json!("4.18"), &json!("4.19")], 0));
    for version in ["v4.18", "v4.19"] {
        let text = fs::read_to_string(folder.join(format!("set/{version}/p/catalog.yaml"))).unwrap();
        assert!(text.contains("p.v1.3.0, replaces: p.v1.2.0"), "{text}");
    }
}

#[test]
fn an_operator_of_the_pipelines_gets_a_release_config() {
    let folder = files("release-pipelines");
    let release = "release bundle --into operator --policy replace-head --channel stable --write";
    // The channel of the basic template is new, and the list of the other one is there.
    let Ended { out, errors, code } = run(&folder, release);
    assert_eq!(code, 0, "{out}{errors}");
    let text = fs::read_to_string(folder.join("operator/1.3.0/release-config.yaml")).unwrap();
    let expected = "---\ncatalog_templates:\n  - template_name: new.yaml\n    channels: [stable]\n    replaces: p.v1.2.0\n  - template_name: \
                    old.yaml\n    channels: [Stable]\n";
    assert_eq!(text, expected);
    assert_eq!(fs::read_to_string(folder.join("operator/catalog-templates/new.yaml")).unwrap(), TEMPLATE);
    let Ended { errors, code, .. } = run(&folder, release);
    assert!(errors.contains("it exists already") && code == 2, "{errors}");
    let unnamed = ["release", "bundle", "--into", "operator", "--policy", "replace-head", "--channel", ""];
    assert_eq!(opscope(unnamed).within(&folder).ended().code, 1, "no list has an empty name");
}

#[test]
fn a_removed_version_strands_nobody() {
    let folder = files("remove");
    let (found, code) = report(&folder, "remove catalog.yaml 1.1.0 --write");
    let channel = &found["catalogs"][0]["channels"][0];
    let edits: Vec<[&str; 3]> = (channel["edits"].as_array().unwrap().iter())
        .map(|edit| ["edit", "entry", "value"].map(|field| edit[field].as_str().unwrap()))
        .collect();
    let expected = [["replace", "p.v1.2.0", "p.v1.0.0"], ["skip", "p.v1.2.0", "p.v1.1.0"]];
    assert_eq!((&edits[..], &channel["removed"], code), (&expected[..], &json!(["p.v1.1.0"]), 0));
    assert_eq!(run(&folder, "validate catalog.yaml").code, 0);
    let (found, code) = report(&folder, "remove catalog.yaml 1.2.0");
    assert_eq!((&found["catalogs"][0]["reason"]["id"], code), (&json!("head-withdrawn"), 1));
    let (found, code) = report(&folder, "remove catalog.yaml 7.0.0");
    assert_eq!((&found["catalogs"][0]["reason"]["id"], code), (&json!("missing"), 1));
}

#[test]
fn deprecations_go_where_the_form_has_a_place() {
    let folder = files("deprecate");
    let ended = opscope(["deprecate", "catalog.yaml", "1.0.0", "--message", "Update to 1.2.0.", "--write"])
        .within(&folder)
        .ended();
    assert_eq!(ended.code, 0, "{ended:?}");
    let text = fs::read_to_string(folder.join("catalog.yaml")).unwrap();
    let expected = "---\nschema: olm.deprecations\npackage: p\nentries:\n- reference: {schema: olm.bundle, name: p.v1.0.0}\n  message: ";
    assert!(text.contains(expected), "{text}");
    assert_eq!(run(&folder, "validate catalog.yaml").code, 0);
    let (found, code) = report(&folder, "deprecate catalog.yaml --channel c --message gone --write");
    assert_eq!((&found["catalogs"][0]["reason"], code), (&Value::Null, 0));
    let (found, code) = report(&folder, "deprecate catalog.yaml --channel d --message gone");
    assert_eq!((&found["catalogs"][0]["reason"]["id"], code), (&json!("missing"), 1));
    let (found, code) = report(&folder, "deprecate semver.yaml --package p --message gone");
    assert_eq!((&found["catalogs"][0]["reason"]["id"], code), (&json!("not-expressible"), 1));
}

#[test]
fn standard_input_and_revisions_are_not_written_to() {
    let folder = files("not-writable");
    for command in [
        "repair PATH --write",
        "remove PATH 1.1.0 --write",
        "deprecate PATH 1.1.0 --message old --write",
        "release bundle --into catalog.yaml --into PATH --policy replace-head --write",
    ] {
        for (path, shown, what) in
            [("-", "<stdin>", "standard input"), ("git:HEAD:c", "git:HEAD:c", "a revision of git")]
        {
            let ended = run(&folder, &command.replace("PATH", path));
            let help = "name a file or a folder, or leave out `--write`";
            assert_eq!(ended.errors, format!("opscope: cannot write `{shown}`: it is {what}; {help}\n"), "{command}");
            assert_eq!((ended.out.as_str(), ended.code), ("", 2));
        }
    }
}

#[test]
fn the_reason_of_opm_is_said() {
    let folder = folder("heads");
    write(&folder, &[("catalog.yaml", &fixture::yaml("c: 1.1.0, 1.0.0"))]);
    let (found, code) = report(&folder, "deprecate catalog.yaml 1.0.0 --message old");
    let reason = "`opm` rejects the catalog as it is: multiple channel heads found in graph: p.v1.0.0, p.v1.1.0";
    assert_eq!((&found["catalogs"][0]["reason"]["sentence"], code), (&json!(reason), 1), "{found}");
}

/// A folder for each version, with a template and what was rendered from it.
fn with_templates(name: &str, template: &str) -> PathBuf {
    let folder = folder(name);
    let catalog = fixture::yaml("c: 1.2.0");
    let image = catalog.lines().find(|line| line.starts_with("image: ")).expect("a bundle has an image").to_owned();
    let catalog = catalog.replace(&image, "image: quay.io/p:1.2.0");
    for version in ["4.19", "4.20"] {
        write(
            &folder.join(format!("v{version}")),
            &[
                ("catalog-template.yaml", template),
                ("catalog/p/catalog.yaml", &catalog),
                ("Containerfile", "FROM scratch\nADD catalog /configs\n"),
            ],
        );
    }
    folder
}

/// The files with edits, and the exit code.
fn edited(folder: &Path, arguments: &str) -> (Vec<String>, i32) {
    let (found, code) = report(folder, arguments);
    let catalogs = found["catalogs"].as_array().expect("a list").iter();
    let files = catalogs.flat_map(|catalog| catalog["files"].as_array().expect("a list"));
    let line = |file: &Value| {
        let expansion = file["expansion"].as_str().unwrap_or_default();
        let added = expansion.lines().filter(|line| line.starts_with('+') && line.contains("1.3.0")).count();
        format!("{} {}", file["path"].as_str().expect("a path"), if added > 0 { "expands to 1.3.0" } else { "" })
    };
    (files.map(line).collect(), code)
}

#[test]
fn edits_go_into_the_templates_that_catalogs_are_rendered_from() {
    let basic = with_templates("release-into-templates", TEMPLATE);
    let release = "release quay.io/p:1.3.0 --name p.v1.3.0 --into . --policy replace-head";
    let paths = ["4.19", "4.20"].map(|version| format!("./v{version}/catalog-template.yaml expands to 1.3.0"));
    assert_eq!(edited(&basic, release), (paths.to_vec(), 0));
    assert_eq!(edited(&basic.join("v4.19"), release).0, ["./catalog-template.yaml expands to 1.3.0"]);
    let (files, _) = edited(&basic, "deprecate . 1.2.0 --message m");
    assert!(files.len() == 2 && files.iter().all(|file| file.contains("catalog-template.yaml")), "{files:?}");
    let semver = with_templates("release-semver-templates", &(SEMVER.to_owned() + "generateMajorChannels: true\n"));
    assert_eq!(edited(&semver, &release.replace("replace-head", "new-minor")).0, paths);
    assert_eq!(run(&semver, &format!("{release} --write")).code, 0);
    for version in ["4.19", "4.20"] {
        let template =
            fs::read_to_string(semver.join(format!("v{version}/catalog-template.yaml"))).expect("a template");
        assert!(template.contains("  - image: quay.io/p:1.2.0\n  - image: quay.io/p:1.3.0\n"), "{template}");
    }
    // A template of another package makes nothing of this catalog.
    let other = with_templates("release-other-templates", &TEMPLATE.replace(": p\n", ": q\n").replace("p.v", "q.v"));
    let (files, _) = edited(&other, "deprecate . 1.2.0 --package p --message m");
    assert!(files.len() == 2 && files.iter().all(|file| file.contains("catalog/p/catalog.yaml")), "{files:?}");
}

#[test]
fn a_rendered_catalog_that_is_named_itself_is_written_with_a_note() {
    let folder = with_templates("release-rendered", TEMPLATE);
    let said = run(&folder, "deprecate v4.19/catalog 1.2.0 --message m");
    let note = "opscope: `v4.19/catalog` is probably rendered from `v4.19/catalog-template.yaml`, and the next rendering overwrites \
                what is written here; name `v4.19` to write into the template\n";
    assert_eq!((said.errors.as_str(), said.code), (note, 0));
}

#[test]
fn edits_go_into_the_template_that_the_settings_name() {
    let folder = folder("release-settings");
    let catalog = fixture::yaml("c: 1.2.0");
    let settings =
        "templates:\n- {template: src/t.yaml, catalog: out/v4.19}\n- {template: src/t.yaml, catalog: out/v4.20}\n";
    write(
        &folder,
        &[
            (".opscope.yaml", settings),
            ("src/t.yaml", TEMPLATE),
            ("out/v4.19/p.yaml", &catalog),
            ("out/v4.19/Dockerfile", "FROM scratch\nADD p.yaml /configs\n"),
            ("out/v4.20/p.yaml", &catalog),
        ],
    );
    let release = "release quay.io/p:1.3.0 --name p.v1.3.0 --into . --policy replace-head";
    // One template for both, which is written once.
    assert_eq!(edited(&folder, release), (vec!["./src/t.yaml expands to 1.3.0".to_owned(); 2], 0));
    let found = run(&folder, "set .");
    assert!(found.out.contains("(generated-stale)\n    src/t.yaml:1"), "{found:?}");
    let said = run(&folder, &format!("{release} --write"));
    assert_eq!(said.errors, "opscope: uses the settings in `.opscope.yaml`\nopscope: wrote `./src/t.yaml`\n");
    let template = fs::read_to_string(folder.join("src/t.yaml")).expect("a template");
    assert_eq!(template.matches("1.3.0").count(), 2, "{template}");
}

#[test]
fn a_version_that_goes_out_of_a_template_takes_its_image_with_it() {
    let template = |images: &str| {
        format!(
            "schema: olm.template.basic\nentries:\n- schema: olm.package\n  name: p\n  defaultChannel: c\n- schema: olm.channel\n  \
             package: p\n  name: c\n  entries:\n  - name: p.v1.1.0\n    replaces: p.v1.0.0\n  - name: p.v1.0.0\n{images}"
        )
    };
    let image = |image: &str| format!("- schema: olm.bundle\n  image: {image}\n");
    let bundle = |name: &str, image: &str| {
        format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v{name}\nimage: {image}\nproperties:\n- type: olm.package\n  value: {{packageName: p, version: {name}}}\n"
        )
    };
    let package = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v1.1.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0}\n";
    let [old, new] = [1, 2].map(|byte| format!("quay.io/p@sha256:{}", format!("{byte:02}").repeat(32)));
    let catalog = format!("{package}{}{}", bundle("1.1.0", &new), bundle("1.0.0", &old));
    let folder = folder("author-image");
    let tags = ["quay.io/p:v1.1.0", "quay.io/p:v1.0.0"];
    write(
        &folder,
        &[
            ("tags.yaml", &template(&tags.map(image).concat())),
            ("digests.yaml", &template(&(image(&new) + &image(&old)))),
            ("tree/template.yaml", &template(&(image(&new) + &image(&old)))),
            ("tree/catalog/p.yaml", &catalog),
        ],
    );
    for (target, file, gone, kept) in
        [("tags.yaml", "tags.yaml", tags[1], tags[0]), ("tree", "tree/template.yaml", &*old, &*new)]
    {
        let Ended { out, errors, code } = run(&folder, &format!("remove {target} 1.0.0 --write"));
        let text = fs::read_to_string(folder.join(file)).unwrap();
        assert_eq!((code, text.contains(gone), text.contains(kept)), (0, false, true), "{out}{errors}{text}");
    }
    // A digest is no version, and an image that stays makes opm reject the template.
    let Ended { out, code, .. } = run(&folder, "remove digests.yaml 1.0.0");
    assert!(code == 1 && out.contains("no image of the template is known to be `p.v1.0.0`"), "{out}");
}

#[test]
fn what_a_semver_template_has_no_place_for_goes_beside_the_catalog() {
    let folder = folder("author-deprecate");
    let catalog = fixture::yaml("stable-v1.2: 1.2.0").replace("image: example.com/p:1.2.0", "image: quay.io/p:1.2.0");
    write(&folder, &[("v4.18/template.yaml", SEMVER), ("v4.18/catalog/p/catalog.yaml", &catalog)]);
    let Ended { out, code, .. } = run(&folder, "deprecate v4.18 1.2.0 --message old");
    let document = r#"{"schema":"olm.deprecations","package":"p","entries":[{"reference":{"schema":"olm.bundle","name":"p.v1.2.0"},"message":"old"}]}"#;
    assert!(code == 1 && out.replace("\n           ", " ").contains("such as `deprecations.yaml`"), "{out}");
    assert!(out.contains(document), "{out}");
    // What it says is accepted, and the next one goes there.
    write(&folder, &[("v4.18/catalog/p/deprecations.yaml", document)]);
    assert_eq!(run(&folder, "validate v4.18/catalog").code, 0);
    let Ended { out, errors, code } = run(&folder, "deprecate v4.18 --channel stable-v1.2 --message old --write");
    let text = fs::read_to_string(folder.join("v4.18/catalog/p/deprecations.yaml")).unwrap();
    assert!(code == 0 && text.contains(r#""name":"stable-v1.2"}"#), "{out}{errors}{text}");
    assert_eq!(fs::read_to_string(folder.join("v4.18/template.yaml")).unwrap(), SEMVER);
}
