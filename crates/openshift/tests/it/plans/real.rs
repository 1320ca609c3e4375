//! Real packages: channels, edges and limits of community-operators-prod `699495f2` and
//! certified-operators `3b7b563a` (Apache-2.0), without the channels and entries that no plan passes.

use crate::plans::scene::Scene;
use source::Approval;
use views::PlanGoal;

fn nvidia() -> Scene {
    let head = "v26.4: 26.4.0 <- 26.4.1";
    let with = |channels: &str| format!("package nvidia-network-operator, default stable\n{channels}\n{head}");
    let members = [
        ("4.18", with("stable: 25.4.0 <- 25.7.0 <- 25.10.0 <- 26.1.0 <- 26.4.0 <- 26.4.1\nv25.4: 25.4.0")),
        ("4.19", with("stable: 25.7.0 <- 25.10.0 <- 26.1.0 <- 26.4.0 <- 26.4.1\nv25.7: 25.7.0")),
        ("4.20", with("stable: 25.7.0 <- 25.10.0 <- 26.1.0 <- 26.4.0 <- 26.4.1\nv25.7: 25.7.0")),
        ("4.21", with("stable: 25.10.0 <- 26.1.0 <- 26.4.0 <- 26.4.1\nv25.10: 25.10.0")),
        ("4.22", "package nvidia-network-operator, default stable\nstable: 26.4.1\nv26.4: 26.4.1".to_owned()),
    ];
    let members = members.each_ref().map(|(version, notation)| (*version, notation.as_str()));
    Scene::new(&members).subscribe("nvidia-network-operator/v25.4@25.4.0")
}

#[test]
fn r1_the_rolling_channel_before_the_first_update() {
    assert_eq!(
        nvidia().plan(),
        "0/0/0/1 switch-channel stable →25.7.0 →25.10.0 →26.1.0 →26.4.0 →26.4.1 | 4.19: | 4.20: | 4.21: | 4.22:"
    );
    // Where it is enough that OLM resolves the namespace, the cheapest channel is one that updates nothing.
    assert_eq!(
        nvidia().goal(PlanGoal::Resolves).plan(),
        "0/0/0/1 switch-channel v26.4 | 4.19: | 4.20: | 4.21: | 4.22:"
    );
}

const GLOBAL_HUB: [(&str, &str); 4] = [
    (
        "4.18",
        "release-1.4: 1.4.0\nrelease-1.5: 1.5.0 (replaces 1.4.0)\nrelease-1.6: 1.6.0 (replaces 1.5.0)\n\
         release-1.7: 1.7.0-alpha <- 1.7.0",
    ),
    ("4.19", "release-1.5: 1.5.0\nrelease-1.6: 1.6.0 (replaces 1.5.0)\nrelease-1.7: 1.7.0-alpha <- 1.7.0"),
    ("4.20", "release-1.6: 1.6.0\nrelease-1.7: 1.7.0-alpha <- 1.7.0"),
    ("4.21", "release-1.7: 1.7.0-alpha <- 1.7.0"),
];

#[test]
fn r2_a_channel_for_each_minor_version() {
    let scene = |last: usize| {
        let members: Vec<(&str, String)> = GLOBAL_HUB[..last]
            .iter()
            .map(|(version, channels)| {
                (*version, format!("package multicluster-global-hub-operator, default release-1.7\n{channels}"))
            })
            .collect();
        let members: Vec<(&str, &str)> = members.iter().map(|(version, text)| (*version, text.as_str())).collect();
        Scene::new(&members).subscribe("multicluster-global-hub-operator/release-1.4@1.4.0")
    };
    // Both switches can be made at once; one of them on 4.19 would cost the same.
    assert_eq!(
        scene(3).plan(),
        "0/0/0/2 switch-channel release-1.5 →1.5.0 switch-channel release-1.6 →1.6.0 | 4.19: | 4.20:"
    );
    // Nothing leads to release-1.7, whose lowest entry replaces nothing.
    let plan = scene(4).plan();
    assert!(plan.starts_with("1/0/") && plan.ends_with("(stranded)"), "{plan}");
    let lifts = scene(4).plans().plans[0].reason.clone().unwrap().lifts;
    assert_eq!(
        lifts[0],
        "the publisher lets `multicluster-global-hub-operator.v1.7.0-alpha` in channel `release-1.7` of the catalog of 4.21 replace \
         or skip `multicluster-global-hub-operator.v1.4.0`"
    );
}

#[test]
fn r3_the_gate_opens_by_updates_until_the_package_ends() {
    let max = |version: &str, max: &str| format!("{version} (property olm.maxOpenShiftVersion '{max}')");
    let chain = [("1.0.1", "4.19"), ("1.1.0-1", "4.20"), ("1.1.1-1", "4.20"), ("1.2.0-3", "4.21")];
    let chain = chain.map(|(version, highest)| max(version, highest)).join(" <- ");
    let text = format!("package openshift-fusion-access-operator, default stable-v1\nstable-v1: {chain}");
    let scene = |versions: &[&'static str]| {
        let other = "package other, default c\nc: 1.0.0";
        let notation = |version: &&'static str| (*version, if *version == "4.22" { other } else { text.as_str() });
        let members: Vec<(&str, &str)> = versions.iter().map(notation).collect();
        Scene::new(&members).subscribe("openshift-fusion-access-operator/stable-v1@1.0.1")
    };
    assert_eq!(scene(&["4.19", "4.20", "4.21"]).plan(), "0/0/0/0 →1.1.0-1 →1.1.1-1 →1.2.0-3 | 4.20: | 4.21:");
    let blocked = scene(&["4.19", "4.20", "4.21", "4.22"]);
    assert_eq!(blocked.plan(), "none (blocked)");
    let stop = blocked.plans().plans[0].reason.clone().unwrap().stop.unwrap();
    assert_eq!(
        (stop.openshift.to_string(), stop.csv.as_str()),
        ("4.21".to_owned(), "openshift-fusion-access-operator.v1.2.0-3")
    );
}

/// The CSVs of the package `stackable-airflow-operator` are named without `stackable-`.
fn airflow(members: &[(&str, &str)]) -> Scene {
    let members: Vec<(&str, String)> = members
        .iter()
        .map(|(version, channels)| (*version, format!("package airflow-operator, default stable\n{channels}")))
        .collect();
    Scene::new(&members.iter().map(|(version, text)| (*version, text.as_str())).collect::<Vec<_>>())
}

#[test]
fn r4_a_rolling_channel_that_begins_above_what_is_installed() {
    let members = [
        ("4.16", "24.11: 24.11.1\n25.3: 25.3.0\n25.7: 25.7.0\nstable: 25.3.0 <- 25.7.0"),
        ("4.17", "25.3: 25.3.0\n25.7: 25.7.0\nstable: 25.3.0 <- 25.7.0 <- 25.11.0"),
        ("4.18", "25.3: 25.3.0\n25.7: 25.7.0\nstable: 25.3.0 <- 25.7.0 <- 25.11.0"),
        ("4.19", "25.3: 25.3.0\n25.7: 25.7.0\nstable: 25.3.0 <- 25.7.0 <- 25.11.0 <- 26.3.0"),
        ("4.20", "25.11: 25.11.0\n26.3: 26.3.0\nstable: 25.11.0 <- 26.3.0 <- 26.7.0"),
        ("4.21", "26.3: 26.3.0\nstable: 26.3.0 <- 26.7.0"),
        ("4.22", "26.7: 26.7.0\nstable: 26.7.0"),
    ];
    let old = || airflow(&members[..5]).subscribe("airflow-operator/24.11@24.11.1");
    assert_eq!(old().plan(), "1/0/0/1 switch-channel stable | 4.17: | 4.18: | 4.19: | 4.20: (stranded)");
    assert_eq!(old().goal(PlanGoal::Resolves).plan(), "0/0/0/1 switch-channel stable | 4.17: | 4.18: | 4.19: | 4.20:");
    let new = airflow(&members[2..]).subscribe("airflow-operator/25.3@25.3.0");
    assert_eq!(
        new.plan(),
        "0/0/0/1 switch-channel stable →25.7.0 →25.11.0 | 4.19: →26.3.0 | 4.20: →26.7.0 | 4.21: | 4.22:"
    );
}

#[test]
fn r5_a_catalog_that_lags_behind() {
    let before = "package apicurio-registry-3, default 3.x\n3.x: 3.2.5 <- 3.3.0 <- 3.3.1\n3.3.x: 3.3.0 <- 3.3.1";
    let after = "package apicurio-registry-3, default 3.x\n3.x: 3.2.5 <- 3.3.0\n3.3.x: 3.3.0";
    let scene = || Scene::new(&[("4.21", before), ("4.22", after)]);
    let updated = scene().subscribe("apicurio-registry-3/3.x@3.3.1");
    assert_eq!(updated.plan(), "1/0/0/0 | 4.22: (stranded)");
    let lifts = updated.plans().plans[0].reason.clone().unwrap().lifts;
    assert_eq!(
        lifts[0],
        "the publisher brings `apicurio-registry-3.v3.3.1` to the catalog of 4.22, as that of 4.21 has it"
    );
    let waiting = scene().subscribe_as("apicurio-registry-3/3.x@3.3.0", Approval::Manual);
    assert_eq!(waiting.plan(), "0/0/0/0 | 4.22:");
}

#[test]
fn r6_one_bundle_for_each_version() {
    let hspc = |version: &str| format!("package hspc-operator, default stable\nstable: {version}");
    let members = [("4.16", hspc("1.16.0")), ("4.17", hspc("1.16.1")), ("4.18", hspc("1.17.3"))];
    let members = members.each_ref().map(|(version, notation)| (*version, notation.as_str()));
    let scene = Scene::new(&members).subscribe("hspc-operator/stable@1.16.0");
    assert_eq!(scene.plan(), "1/0/0/0 | 4.17: | 4.18: (stranded)");
}
