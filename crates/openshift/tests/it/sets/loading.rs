//! What is read, what is shared, and what makes a set.

use super::{set, sets};
use fixture::yaml;
use openshift::sets::{CatalogSet, Loading, Paths, check, recognise};
use source::Executor;
use std::sync::Arc;

/// Each member with its packages.
fn members(set: &CatalogSet) -> Vec<String> {
    let packages = |member: &openshift::sets::Member| {
        member.catalog.packages.iter().map(|package| format!(" {}", package.name)).collect::<String>()
    };
    set.members.iter().map(|member| format!("{}:{}", member.version, packages(member))).collect()
}

#[test]
fn members_with_the_same_text_share_the_package() {
    let (p, q, newer) = (yaml("package p\nc: 1.0.0"), yaml("package q\nc: 1.0.0"), yaml("package p\nc: 2.0.0"));
    let set = set(&[
        ("catalogs/v4.18/p/catalog.yaml", &p),
        ("catalogs/v4.18/q/catalog.yaml", &q),
        ("catalogs/v4.9/p/catalog.yaml", &p),
        ("catalogs/v4.10/p/catalog.yaml", &newer),
    ]);
    assert_eq!(members(&set), ["4.9: p", "4.10: p", "4.18: p q"]);
    let package = |at: usize| set.members[at].catalog.shared_package("p").unwrap();
    assert!(Arc::ptr_eq(package(0), package(2)) && !Arc::ptr_eq(package(0), package(1)));
    let span = package(0).declared.unwrap();
    let paths: Vec<&str> = set.members.iter().map(|member| set.path(member.version, span)).collect();
    assert_eq!(paths[0], "catalogs/v4.9/p/catalog.yaml");
    assert_eq!(paths[2], "catalogs/v4.18/p/catalog.yaml");
    assert_eq!(set.position(span).line, 2);
    assert_eq!(set.missing().len(), 7, "4.11 to 4.17");
}

#[test]
fn a_unit_has_all_files_with_a_package_in_common() {
    let text = yaml("package p\nc: 1.0.0");
    let (package, rest) = text.split_at(text.find("---\nschema: olm.channel").unwrap());
    let set = set(&[
        ("v4.18/p/package.yaml", package),
        ("v4.18/p/more/rest.yaml", rest),
        ("v4.19/p/package.yaml", package),
        ("v4.19/p/more/rest.yaml", rest),
        ("v4.20/p/package.yaml", package),
    ]);
    let package = |at: usize| set.members[at].catalog.shared_package("p").unwrap();
    assert!(Arc::ptr_eq(package(0), package(1)));
    assert_eq!((package(1).channels.len(), package(2).channels.len()), (1, 0));
    assert!(set.members[1].rejected.is_none() && set.members[2].rejected.is_some());
}

#[test]
fn a_package_in_two_folders_of_a_member_is_rejected() {
    let text = yaml("package p\nc: 1.0.0");
    let set = set(&[("v4.18/p/c.yaml", &text), ("v4.18/q/c.yaml", &text), ("v4.19/p/c.yaml", &text)]);
    let texts: Vec<Option<&str>> =
        set.members.iter().map(|member| member.rejected.as_ref().map(|rejected| &*rejected.text)).collect();
    assert!(texts[0].is_some_and(|text| text.contains("duplicate package \"p\"")), "{texts:?}");
    assert_eq!(texts[1], None);
}

#[test]
fn content_decides_whether_there_is_a_set() {
    let (p, q) = (yaml("package p\nc: 1.0.0"), yaml("package q\nc: 1.0.0"));
    assert_eq!(sets(&[("a-4.18/c.yaml", &p), ("a-4.19/c.yaml", &q)]).len(), 0);
    assert_eq!(sets(&[("a-4.18/c.yaml", "name: p\n"), ("a-4.19/c.yaml", "name: p\n")]).len(), 0);
    assert_eq!(sets(&[("v4/c.yaml", &p), ("v5/c.yaml", &p)]).len(), 0);
    assert_eq!(sets(&[("a-4.18/c.yaml", &p), ("b-4.19/c.yaml", &p)]).len(), 0);
    assert_eq!(sets(&[("a-4.18/c.yaml", &p), ("a-4.19/c.yaml", &p)]).len(), 1);
}

#[test]
fn fragments_of_konflux_are_read_below_the_folder_of_their_version() {
    let (p, template) = (yaml("package p\nc: 1.0.0"), "{\"schema\": \"olm.template.basic\", \"entries\": []}");
    let dockerfile = "FROM registry/ose-operator-registry-rhel9:v4.13\nADD catalog /configs\n";
    let set = set(&[
        ("v4.13/Containerfile.catalog", dockerfile),
        ("v4.13/catalog-template.json", template),
        ("v4.13/catalog/p/catalog.yaml", &p),
        ("v4.14/catalog-template.json", template),
        ("v4.14/catalog/p/catalog.yaml", &p),
        ("v4/catalog/p/catalog.yaml", &p),
    ]);
    assert_eq!(members(&set), ["4.13: p", "4.14: p"]);
    assert!(set.members.iter().all(|member| member.rejected.is_none()));
}

#[test]
fn one_folder_may_be_for_several_versions() {
    let label = "LABEL com.redhat.fbc.openshift.version='[\"v4.18\",\"v4.19\"]'\nADD fragment /configs\n";
    let set = set(&[("fragment/c.yaml", &yaml("package p\nc: 1.0.0")), ("Dockerfile", label)]);
    assert_eq!(members(&set), ["4.18: p", "4.19: p"]);
    assert!(set.pairs().all(|pair| pair.is_same("p")));
}

/// What `opm` says of each member of the files.
fn rejections(files: &[(&str, &str)]) -> Vec<Option<String>> {
    let text = |member: &openshift::sets::Member| member.rejected.as_ref().map(|rejected| rejected.text.to_string());
    set(files).members.iter().map(text).collect()
}

/// The case of a version that has only the package so far, and others of its kind: errors in `opm`'s tree.
#[test]
fn a_rejected_member_has_the_error_of_the_tree() {
    let placeholder = "schema: olm.package\nname: p\ndefaultChannel: release-2.13\n";
    let (heads, cycle) = (yaml("package p\nc: 1.0.0, 1.1.0"), yaml("package p\nc: 1.0.0 (replaces 1.1.0) <- 1.1.0"));
    let texts = [placeholder, &*heads, &*cycle];
    let good = yaml("package p\nc: 1.0.0");
    for (text, error) in texts.into_iter().zip([
        "channel must contain at least one bundle",
        "multiple channel heads found in graph: p.v1.0.0, p.v1.1.0",
        "no channel head found in graph",
    ]) {
        let set = set(&[("v4.21/catalog.yaml", &good), ("v4.22/catalog.yaml", text)]);
        let errors: Vec<_> = set.members.iter().map(|member| member.state().rejected).collect();
        assert_eq!(errors, [None, Some(error)]);
        assert!(set.members[1].rejected.as_ref().unwrap().text.starts_with("invalid index:\n"), "{text}");
    }
}

#[test]
fn what_is_beside_the_served_folder_is_not_of_the_catalog() {
    let p = yaml("package p\nc: 1.0.0 <- 1.1.0");
    let graph = "schema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1.0.0}]\n";
    let beside = |dockerfile, folder: &str| {
        let paths = ["v4.18", "v4.19"].map(|version| {
            ["catalog.Dockerfile", "graph.yaml", &format!("{folder}/p/catalog.yaml")]
                .map(|path| format!("{version}/{path}"))
        });
        let texts = [dockerfile, graph, &*p];
        rejections(&paths.iter().flat_map(|paths| paths.iter().map(|path| &**path).zip(texts)).collect::<Vec<_>>())
    };
    for dockerfile in ["add catalog /configs\n", "COPY [\"catalog\", \"/configs/\"]\n", "COPY ./catalog/p /configs/p\n"]
    {
        assert_eq!(beside(dockerfile, "catalog"), [None, None], "{dockerfile}");
    }
    assert_eq!(beside("COPY configs /configs\n", "configs"), [None, None]);
    let duplicate = "package \"p\" has duplicate channel \"c\"";
    for dockerfile in ["", "COPY $FOLDER /configs\n"] {
        let found = beside(dockerfile, "catalog");
        assert!(found.iter().all(|text| text.as_ref().is_some_and(|text| text.contains(duplicate))), "{found:?}");
    }
}

#[test]
fn all_that_is_copied_is_of_the_catalog() {
    let (p, q) = (yaml("package p\nc: 1.0.0"), yaml("package q\nc: 1.0.0"));
    let dockerfile = "COPY p /configs/p\nCOPY q /configs/q\n";
    let files = [
        ("v4.18/Dockerfile", dockerfile),
        ("v4.18/p/c.yaml", &*p),
        ("v4.18/q/c.yaml", &*q),
        ("v4.18/r/c.yaml", &*q),
        ("v4.19/Dockerfile", "COPY p /configs\n"),
        ("v4.19/p/c.yaml", &*p),
    ];
    let found = set(&files);
    assert_eq!(members(&found), ["4.18: p q", "4.19: p"]);
    // `opm` reads every file of the image.
    let with_text: Vec<(&str, &str)> = files.into_iter().chain([("v4.19/p/README", "# P\n- a\nb: c\n")]).collect();
    assert!(rejections(&with_text)[1].is_some());
}

#[test]
fn a_folder_without_a_catalog_is_a_hole() {
    let (p, q) = (yaml("package p\nc: 1.0.0"), yaml("package q\nc: 1.0.0"));
    let files = [("v4.15/catalog/c.yaml", &*p), ("v4.17/catalog/c.yaml", &*p)];
    for (path, text) in
        [("Dockerfile", "FROM x:v4.16\nADD catalog /configs\n"), ("ci.yaml", "a: b\n"), ("README", "# P\n")]
    {
        let path = format!("v4.16/{path}");
        let files: Vec<(&str, &str)> = files.into_iter().chain([(&*path, text)]).collect();
        let found = set(&files);
        let holes: Vec<String> = found.holes.iter().map(ToString::to_string).collect();
        assert_eq!((members(&found).len(), holes), (2, vec!["4.16: no catalog".to_owned()]), "{path}");
        assert_eq!(check(&found, Executor::default()), []);
    }
    // A catalog with another package is one, and so is one that cannot be read.
    let other: Vec<(&str, &str)> = files.into_iter().chain([("v4.16/catalog/c.yaml", &*q)]).collect();
    assert_eq!((set(&other).holes.len(), check(&set(&other), Executor::default()).len()), (0, 2));
    let broken: Vec<(&str, &str)> =
        files.into_iter().chain([("v4.16/catalog/c.yaml", "schema: olm.package\n- a\n")]).collect();
    assert_eq!(set(&broken).holes.len(), 0);
}

#[test]
fn a_file_that_opm_would_read_counts() {
    let text = yaml("package p\nc: 1.0.0");
    let files = [("v4.18/p/c.yaml", &*text), ("v4.18/p/README.md", "# P\n"), ("v4.19/p/c.yaml", &*text)];
    assert!(set(&files).members[0].rejected.is_some());
    let with_list: Vec<(&str, &str)> = files.into_iter().chain([("v4.18/.indexignore", "README.md\n")]).collect();
    assert!(set(&with_list).members[0].rejected.is_none());
}

#[test]
fn a_version_that_comes_twice_is_told() {
    let text = yaml("package p\nc: 1.0.0");
    let files = ["c/v4.18/c.yaml", "c/4.18/c.yaml", "c/4.19/c.yaml", "c/4.20/c.yaml"].map(|path| (path, &*text));
    let found = set(&files);
    let holes: Vec<String> = found.holes.iter().map(ToString::to_string).collect();
    assert_eq!(holes, ["4.18: `c/4.18`, `c/v4.18` are all catalogs for it; name the paths that you mean"]);
    assert_eq!(members(&found), ["4.19: p", "4.20: p"]);
}

#[test]
fn an_update_leads_to_the_next_version_alone() {
    let text = yaml("package p\nc: 1.0.0");
    let paths: Vec<String> =
        ["4.20", "4.22", "4.23", "5.0", "5.1"].iter().map(|version| format!("v{version}/c.yaml")).collect();
    let set = set(&paths.iter().map(|path| (&**path, &*text)).collect::<Vec<_>>());
    let pairs: Vec<String> = set.pairs().map(|pair| format!("{} {}", pair.old.version, pair.new.version)).collect();
    assert_eq!(pairs, ["4.22 4.23", "4.22 5.0", "5.0 5.1"]);
    assert_eq!(set.missing().iter().map(ToString::to_string).collect::<Vec<_>>(), ["4.21"]);
}

#[test]
fn the_first_members_can_be_used_before_the_others_are_read() {
    let (p, q) = (yaml("package p\nc: 1.0.0"), yaml("package p\nc: 1.0.0 <- 1.1.0"));
    let paths = ["v4.18/c.yaml", "v4.19/c.yaml", "v4.20/a.yaml", "v4.20/b.yaml"];
    let texts = [&*p, &*q, &*p, "# nothing\n"];
    let mut loading = Loading::new(recognise(&Paths::new(paths.to_vec(), Vec::new())).sets.remove(0));
    let mut seen = Vec::new();
    for (at, text) in texts.into_iter().enumerate() {
        loading.add_file(paths[at], Ok(text.into()));
        seen.push(loading.preview(&paths[at + 1..]).members.len());
        while !loading.step(1) {}
        seen.push(loading.preview(&paths[at + 1..]).members.len());
    }
    // The text of the third is known already, but the member has another file. That one is not parsed at first.
    assert_eq!(seen, [0, 1, 1, 2, 2, 2, 2, 3]);
    assert_eq!(loading.finish(Executor::default()).unwrap().members.len(), 3);
}

#[test]
fn a_step_parses_several_small_files() {
    let texts: Vec<String> = (0..4).map(|at| yaml(&format!("package p{at}\nc: 1.0.0"))).collect();
    let paths: Vec<String> = (0..4).map(|at| format!("v4.{}/c.yaml", 16 + at)).collect();
    let mut loading =
        Loading::new(recognise(&Paths::new(paths.iter().map(|path| &**path).collect(), Vec::new())).sets.remove(0));
    paths.iter().zip(&texts).for_each(|(path, text)| loading.add_file(path, Ok(text.clone().into())));
    assert!(!loading.step((texts[0].len() + texts[1].len() + 1) as u32));
    assert_eq!(loading.preview(&[]).members.len(), 2);
    assert!(loading.step(1 << 20));
}

/// A basic template of package `p` with the channel `c` of these versions.
fn basic(versions: &[&str]) -> String {
    let mut text = "schema: olm.template.basic\nentries:\n- schema: olm.package\n  name: p\n  defaultChannel: c\n- \
                    schema: olm.channel\n  package: p\n  name: c\n  entries:\n"
        .to_owned();
    for (at, version) in versions.iter().enumerate() {
        text += &format!("  - name: p.v{version}\n");
        if let Some(before) = at.checked_sub(1) {
            text += &format!("    replaces: p.v{}\n", versions[before]);
        }
    }
    text + &versions.iter().map(|version| format!("- schema: olm.bundle\n  image: i:{version}\n")).collect::<String>()
}

/// A semver template with the bundles of these versions.
fn semver(versions: &[&str]) -> String {
    let start = "Schema: olm.semver\nGenerateMajorChannels: true\nGenerateMinorChannels: false\nStable:\n  Bundles:\n";
    start.to_owned() + &versions.iter().map(|version| format!("  - Image: i:{version}\n")).collect::<String>()
}

/// The catalog of the fixture's notation, with the images that the templates name.
fn with_images(notation: &str) -> String {
    let text = yaml(notation);
    let mut version = "";
    let lines = text.lines().map(|text| {
        if let Some((_, found)) = text.strip_prefix("name: ").and_then(|name| name.split_once(".v")) {
            version = found;
        }
        if text.starts_with("image: ") { format!("image: i:{version}") } else { text.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn templates_are_expanded_where_there_is_no_catalog() {
    let templates = [basic(&["1.0.0"]), basic(&["1.0.0", "1.1.0"])];
    let found = set(&[("v4.19/catalog-template.yaml", &templates[0]), ("v4.20/catalog-template.yaml", &templates[1])]);
    assert_eq!(members(&found), ["4.19: p", "4.20: p"]);
    let unknown: Vec<usize> = found.made().map(|member| member.unknown_images).collect();
    assert_eq!((unknown, found.holes.len()), (vec![1, 2], 0));
    assert!(found.members.iter().all(|member| member.rejected.is_none()));
    assert_eq!(check(&found, Executor::default()), [], "versions are those of the names");
    // What an update of OpenShift does is told with the lines of the templates.
    let back = set(&[("v4.19/catalog-template.yaml", &templates[1]), ("v4.20/catalog-template.yaml", &templates[0])]);
    let findings = check(&back, Executor::default());
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    let (version, span) = finding.spans[0];
    assert_eq!(finding.rule.id(), "set-installed-ahead");
    assert_eq!((back.path(version, span), back.position(span).line), ("v4.19/catalog-template.yaml", 11));
}

#[test]
fn templates_take_the_images_of_neighbours() {
    let p = with_images("package p\nstable-v1: 1.0.0 <- 1.1.0");
    let template = semver(&["1.0.0", "1.1.0"]);
    let files = [
        ("v4.15/catalog/p/c.yaml", &*p),
        ("v4.16/catalog-template.yaml", &*template),
        ("v4.16/Containerfile", "FROM x:v4.16\nADD catalog /configs\n"),
        ("v4.17/catalog/p/c.yaml", &*p),
    ];
    let found = set(&files);
    assert_eq!(found.made().map(|member| (member.version.minor, member.unknown_images)).collect::<Vec<_>>(), [(16, 0)]);
    assert_eq!((members(&found).len(), check(&found, Executor::default())), (3, Vec::new()));
    // The channels of such a template are made of its bundles.
    let other = semver(&["1.0.0", "1.2.0", "1.3.0"]);
    let files = files.map(|(path, text)| (path, if text == template { &*other } else { text }));
    let holes: Vec<String> = set(&files).holes.iter().map(ToString::to_string).collect();
    let expected = "4.16: only a template, not rendered (`v4.16/catalog-template.yaml`): no catalog of the set has the bundle \
                    of `i:1.2.0` and 1 more images";
    assert_eq!(holes, [expected]);
    assert_eq!(check(&set(&files), Executor::default()), []);
}

#[test]
fn templates_that_cannot_be_expanded_are_no_set() {
    let template = semver(&["1.0.0"]);
    let paths = ["v4.18/catalog-template.yaml", "v4.19/catalog-template.yaml"];
    let mut loading = Loading::new(recognise(&Paths::new(paths.to_vec(), Vec::new())).sets.remove(0));
    paths.iter().for_each(|path| loading.add_file(path, Ok(template.clone().into())));
    loading.read(Executor::default());
    let holes = loading.finish(Executor::default()).map(|set| set.members.len()).unwrap_err();
    assert_eq!(holes.iter().map(|hole| hole.version.minor).collect::<Vec<_>>(), [18, 19]);
}

/// The findings about catalogs that are not what their templates give, without the fixed beginning.
fn stale(template: &str, catalog: &str) -> Vec<String> {
    let files = [
        ("v4.19/catalog-template.yaml", template),
        ("v4.19/catalog/c.yaml", catalog),
        ("v4.20/catalog/c.yaml", catalog),
    ];
    let found = check(&set(&files), Executor::default());
    let found = found.iter().filter(|found| found.rule.id() == "generated-stale");
    let start = "the catalog is not what its template `catalog-template.yaml` gives today";
    found.map(|found| found.message.strip_prefix(start).expect("it begins so").to_owned()).collect()
}

#[test]
fn a_catalog_is_what_its_template_gives_today() {
    let catalog = with_images("package p, default stable-v1\nstable-v1: 1.0.0 <- 1.1.0");
    assert_eq!(stale(&semver(&["1.0.0", "1.1.0"]), &catalog), [""; 0]);
    let without_edge = with_images("package p, default stable-v1\nstable-v1: 1.0.0, 1.1.0 (skips 1.0.0)");
    let expected = "; if it is rendered again, `p.v1.1.0` replaces `p.v1.0.0` now, `p.v1.1.0` no longer skips \
                    `p.v1.0.0`";
    assert_eq!(stale(&semver(&["1.0.0", "1.1.0"]), &without_edge), [expected]);
    assert_eq!(stale(&semver(&["1.0.0", "1.2.0"]), &catalog), [": no catalog of the set has the bundle of `i:1.2.0`"]);
    let removed = stale(&semver(&["1.1.0"]), &catalog);
    assert!(removed[0].contains("channel `stable-v1` no longer lists `p.v1.0.0`"), "{removed:?}");
    let catalog = with_images("c: 1.0.0 <- 1.1.0");
    assert_eq!(stale(&basic(&["1.0.0", "1.1.0"]), &catalog), [""; 0]);
    let more = stale(&basic(&["1.0.0", "1.1.0", "1.2.0"]), &catalog);
    assert!(
        more[0].ends_with("channel `c` lists `p.v1.2.0`, which replaces `p.v1.1.0`, the template names `i:1.2.0`"),
        "{more:?}"
    );
}

#[test]
fn settings_name_the_template_of_a_catalog_in_another_folder() {
    let (catalog, fresh, stale) = (with_images("c: 1.0.0 <- 1.1.0"), basic(&["1.0.0", "1.1.0"]), basic(&["1.1.0"]));
    let settings = "templates:\n- {template: templates/4.19.yaml, catalog: catalogs/v4.19/p/c.yaml}\n\
                    - {template: ./templates/4.20.yaml, catalog: catalogs/v4.20/}\n";
    let files = [
        ("catalogs/v4.19/p/c.yaml", &*catalog),
        ("catalogs/v4.20/p/c.yaml", &catalog),
        // Another template in the folder, from which the catalog is not rendered.
        ("catalogs/v4.20/old.yaml", &stale),
        ("templates/4.19.yaml", &fresh),
        ("templates/4.20.yaml", &stale),
        (".opscope.yaml", settings),
    ];
    // The templates alone would be a set, too.
    let found = sets(&files).into_iter().find(|set| !set.is_of_templates()).unwrap();
    let templates = found.members.iter().map(|member| {
        member.templates.iter().map(|id| found.path(member.version, source::Span::new(*id, 0, 0))).collect::<Vec<_>>()
    });
    assert_eq!(templates.collect::<Vec<_>>(), [["templates/4.19.yaml"], ["templates/4.20.yaml"]]);
    let findings = check(&found, Executor::default());
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!((finding.rule.id(), finding.spans[0].0.minor), ("generated-stale", 20));
    let edited = found.sources_of(&found.members[0], "p");
    assert_eq!(edited.iter().map(|(_, file)| &*file.text).collect::<Vec<_>>(), [&*fresh]);
}

#[test]
fn a_file_that_cannot_be_read_is_told() {
    let text = yaml("package p\nc: 1.0.0");
    let paths = ["v4.18/p/c.yaml", "v4.19/p/c.yaml", "v4.19/p/d.yaml"];
    let mut loading = Loading::new(recognise(&Paths::new(paths.to_vec(), Vec::new())).sets.remove(0));
    loading.add_file(paths[0], Ok(text.clone().into()));
    loading.add_file(paths[1], Ok(text.into()));
    loading.add_file(paths[2], Err("permission denied".to_owned()));
    loading.read(Executor::default());
    let set = loading.finish(Executor::default()).unwrap();
    let unread: Vec<usize> = set.members.iter().map(|member| member.unread.len()).collect();
    assert_eq!(unread, [0, 1]);
}
