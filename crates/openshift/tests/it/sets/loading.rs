//! What is read, what is shared, and what makes a set.

use super::{set, sets};
use fixture::yaml;
use openshift::sets::{CatalogSet, Loading, candidates};
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
    let files = ["c/v4.18/c.yaml", "c/4.18/c.yaml", "c/4.19/c.yaml"].map(|path| (path, &*text));
    let places: Vec<Vec<Box<str>>> = set(&files).repeated().map(|member| member.places.clone()).collect();
    assert_eq!(places, [["c/4.18".into(), "c/v4.18".into()]]);
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
    let mut loading = Loading::new(candidates(paths, &[]).remove(0));
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
    let mut loading = Loading::new(candidates(paths.iter().map(|path| &**path).collect::<Vec<_>>(), &[]).remove(0));
    paths.iter().zip(&texts).for_each(|(path, text)| loading.add_file(path, Ok(text.clone().into())));
    assert!(!loading.step((texts[0].len() + texts[1].len() + 1) as u32));
    assert_eq!(loading.preview(&[]).members.len(), 2);
    assert!(loading.step(1 << 20));
}

#[test]
fn templates_for_several_versions_are_no_catalogs() {
    let template = "entries:\n- schema: olm.package\n  name: p\nschema: olm.template.basic\n";
    let paths = ["operators/p/catalog-templates/v4.18.yaml", "operators/p/catalog-templates/v4.19.yaml"];
    let mut loading = Loading::new(candidates(paths, &[]).remove(0));
    paths.iter().for_each(|path| loading.add_file(path, Ok(template.into())));
    loading.read(Executor::default());
    assert_eq!(loading.finish(Executor::default()).map(|set| set.members.len()), None);
}

#[test]
fn a_file_that_cannot_be_read_is_told() {
    let text = yaml("package p\nc: 1.0.0");
    let paths = ["v4.18/p/c.yaml", "v4.19/p/c.yaml", "v4.19/p/d.yaml"];
    let mut loading = Loading::new(candidates(paths, &[]).remove(0));
    loading.add_file(paths[0], Ok(text.clone().into()));
    loading.add_file(paths[1], Ok(text.into()));
    loading.add_file(paths[2], Err("permission denied".to_owned()));
    loading.read(Executor::default());
    let set = loading.finish(Executor::default()).unwrap();
    let unread: Vec<usize> = set.members.iter().map(|member| member.unread.len()).collect();
    assert_eq!(unread, [0, 1]);
}
