//! What a mirror has of a catalog, as a baseline: the catalog after oc-mirror filtered it by an ImageSetConfiguration.

use session::Workbench;
use session::testing::workbench;
use views::{CatalogId, Compared, LevelCounts, MirrorInput, MirrorView, SideKey};

const FULL: &str = "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

fn config(operators: &str) -> String {
    format!("apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n{operators}")
}

fn mirror(workbench: &mut Workbench, operators: &str) -> MirrorView {
    let config = config(operators);
    let input = MirrorInput::of(CatalogId(0), config);
    workbench.mirror(&input).expect("it is there")
}

fn compared(view: &MirrorView) -> Compared {
    let side = |catalog| SideKey { catalog, is_opened: false };
    Compared::between(side(view.catalog), side(view.mirrored.expect("it is there")))
}

#[test]
fn a_mirror_is_a_baseline_to_compare_the_catalog_with() {
    let mut workbench = workbench(&[("full", FULL)]);
    let view = mirror(&mut workbench, "  - {catalog: quay.io/c:v1, packages: [{name: p}]}\n");
    assert_eq!((view.findings.len(), view.chosen, view.catalogs.len()), (0, Some(0), 1));
    assert_eq!(view.follows, "oc-mirror v2 of OpenShift 5.0 and later with catalog-filter v0.0.5");
    let mirrored = workbench.catalog(view.mirrored.unwrap()).unwrap();
    assert!(mirrored.is_baseline && mirrored.is_accepted());
    assert_eq!((&*mirrored.name, &*mirrored.files[0].path), ("full-mirrored", "catalog.yaml"));
    let comparison = answers::compare(workbench.comparing(&compared(&view))).unwrap();
    assert_eq!((comparison.unmirrored, comparison.not_comparable.len()), (1, 0));
    let LevelCounts([breaking, ..]) = comparison.levels;
    assert_eq!((comparison.packages.len(), breaking), (1, 1), "1.0.0 gets stuck, 1.1.0 is replaced by the head");
    let package = answers::compare_package(workbench.comparing(&compared(&view)), "p").unwrap();
    assert!(package.groups.iter().all(|group| group.fixes.is_empty()), "nobody writes the mirror");
}

#[test]
fn the_min_version_that_strands_nobody_is_said_in_a_sentence() {
    let mut workbench = workbench(&[("full", FULL)]);
    let mut text = |operators: &str| mirror(&mut workbench, operators).min_versions.remove(0).text;
    assert_eq!(
        text("  - {catalog: c, packages: [{name: p}]}\n"),
        "`p`: the mirror strands 1 installed version; `minVersion: 1.1.0` strands none, with 2 bundles instead of 1"
    );
    assert_eq!(
        text("  - {catalog: c, packages: [{name: p, channels: [{name: c, minVersion: 1.0.0}]}]}\n"),
        "channel `c` of `p`: the mirror strands no installed version; `minVersion: 1.1.0` strands none either, with 2 bundles instead of 3"
    );
    assert_eq!(
        text("  - {catalog: c, packages: [{name: p, maxVersion: 1.1.0}]}\n"),
        "`p`: the mirror strands 1 installed version; whatever `minVersion` is, 1 installed version would be stranded, such as `p.v1.2.0` in `c`"
    );
    assert_eq!(
        text("  - {catalog: c, packages: [{name: p, minVersion: 3.0.0}]}\n"),
        "`p`: the present configuration makes no mirror that can be served; `minVersion: 1.1.0` strands none, with 2 bundles"
    );
    assert_eq!(
        text("  - {catalog: c, packages: [{name: q}]}\n"),
        "`q`: the mirror strands no installed version; no `minVersion` makes the mirror smaller without harm"
    );
    let config = config("  - {catalog: c, packages: [{name: p}]}\n");
    let installed = vec!["p.v1.1.0".to_owned()];
    let input = MirrorInput { installed, ..MirrorInput::of(CatalogId(0), config) };
    let view = workbench.mirror(&input).unwrap();
    assert_eq!((view.min_versions[0].stranded, view.min_versions[0].min_version.as_deref()), (0, Some("1.2.0")));
}

#[test]
fn nothing_is_added_if_oc_mirror_stops() {
    let mut workbench = workbench(&[("full", FULL)]);
    let view = mirror(&mut workbench, "  - {catalog: c, packages: [{name: p, minVersion: 3.0.0}]}\n");
    let found: Vec<_> = view.findings.iter().map(|finding| (&*finding.rule, finding.line, finding.column)).collect();
    assert_eq!((view.mirrored, found), (None, vec![("failed-mirror", 5, 51)]));
    let view = mirror(&mut workbench, "  - {catalog: c, packages: [{name: p, minVersion: x}]}\n");
    assert_eq!((view.mirrored, &*view.findings[0].rule), (None, "invalid-image-set"));
    assert_eq!(workbench.baselines().len(), 0);
    let key = workbench.catalogs()[0].files[0].key;
    workbench.edit(key, 0..0, "---\n[\n");
    let view = mirror(&mut workbench, "  - {catalog: c}\n");
    assert_eq!((view.mirrored, view.findings.len()), (None, 1));
    assert!(view.findings[0].message.starts_with("oc-mirror cannot load the catalog: "), "{:?}", view.findings);
}

#[test]
fn one_of_several_catalogs_is_chosen_by_name_or_by_the_user() {
    let mut workbench = workbench(&[("full", FULL)]);
    let view = mirror(&mut workbench, "  - {catalog: x/full:v1}\n  - {catalog: x/other:v1}\n");
    assert_eq!((view.chosen, view.mirrored.is_some()), (Some(0), true));
    let several = "  - {catalog: x/a:v1}\n  - {catalog: x/b:v1, full: true}\n";
    let view = mirror(&mut workbench, several);
    assert_eq!((view.chosen, view.mirrored, view.catalogs), (None, None, vec!["x/a:v1".into(), "x/b:v1".into()]));
    let mut input = MirrorInput { chosen: Some(1), ..MirrorInput::of(CatalogId(0), config(several)) };
    let view = workbench.mirror(&input).unwrap();
    assert_eq!(
        answers::compare(workbench.comparing(&compared(&view))).unwrap().levels,
        LevelCounts::default(),
        "a full mirror"
    );
    input.catalog = CatalogId(77);
    assert_eq!(workbench.mirror(&input), None);
}
