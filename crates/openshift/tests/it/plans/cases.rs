//! Plans that were worked out by hand, one for each thing that an update of OpenShift does to what is installed.

use crate::plans::scene::{Scene, version};
use source::Approval;
use views::{PlanAction, PlanGoal};

#[test]
fn case_1_everything_happens_by_itself() {
    let s = "s: 1.0.0 <- 1.1.0";
    let scene = Scene::new(&[("4.18", s), ("4.19", s), ("4.20", s)]).subscribe("s@1.0.0");
    assert_eq!(scene.plan(), "0/0/0/0 →1.1.0 | 4.19: | 4.20:");
}

#[test]
fn case_2_an_update_before_that_of_openshift() {
    let members = [("4.18", "s: 1.0.0 <- 1.1.0"), ("4.19", "s: 1.1.0 <- 1.2.0")];
    let scene = Scene::new(&members).subscribe("s@1.0.0");
    assert_eq!(scene.plan(), "0/0/0/0 →1.1.0 | 4.19: →1.2.0");
    let manual = Scene::new(&members).subscribe_as("s@1.0.0", Approval::Manual);
    assert_eq!(manual.plan(), "0/0/0/1 approve 1.1.0 | 4.19:");
    let head = Scene::new(&members).subscribe_as("s@1.0.0", Approval::Manual).goal(PlanGoal::Head);
    assert_eq!(head.plan(), "0/0/0/2 approve 1.1.0 | 4.19: approve 1.2.0");
}

#[test]
fn case_3_a_channel_to_be_left_before() {
    let members = [("4.18", "v1: 1.0.0\nv2: 2.0.0 (replaces 1.0.0)"), ("4.19", "package p, default v2\nv2: 2.0.0")];
    let scene = Scene::new(&members).subscribe("v1@1.0.0");
    assert_eq!(scene.plan(), "0/0/0/1 switch-channel v2 →2.0.0 | 4.19:");
}

#[test]
fn case_4_a_channel_that_can_be_left_afterwards_only() {
    let scene = Scene::new(&[("4.18", "v1: 1.0.0"), ("4.19", "v2: 2.0.0 (replaces 1.0.0)")]).subscribe("v1@1.0.0");
    assert_eq!(scene.plan(), "0/1/0/1 | 4.19: switch-channel v2 →2.0.0");
}

#[test]
fn case_5_a_stop_between() {
    let members = [("4.18", "v1: 1.0.0"), ("4.19", "v1: 1.0.0\nv2: 2.0.0 (replaces 1.0.0)"), ("4.20", "v2: 2.0.0")];
    let scene = Scene::new(&members).subscribe("v1@1.0.0");
    assert_eq!(scene.plan(), "0/0/0/1 | 4.19: switch-channel v2 →2.0.0 | 4.20:");
}

#[test]
fn case_6_blocked_until_the_channel_is_left() {
    let old = "old: 1.0.0 (property olm.maxOpenShiftVersion '4.18')\ns: 1.0.0 <- 1.1.0";
    let scene = Scene::new(&[("4.18", old), ("4.19", "s: 1.1.0")]).subscribe("old@1.0.0");
    assert_eq!(scene.plan(), "0/0/0/1 switch-channel s →1.1.0 | 4.19:");
}

#[test]
fn case_7_the_only_way_out_is_behind_the_gate() {
    let members =
        [("4.18", "s: 1.0.0 (property olm.maxOpenShiftVersion '4.18')"), ("4.19", "s: 1.1.0 (replaces 1.0.0)")];
    let scene = Scene::new(&members).subscribe("s@1.0.0");
    assert_eq!(scene.plan(), "none (blocked)");
    let plans = scene.plans();
    let reason = plans.plans[0].reason.as_ref().unwrap();
    assert_eq!(
        reason.sentence,
        "`p.v1.0.0` supports OpenShift up to 4.18, and no version that can be reached on 4.18 supports more."
    );
    assert_eq!(reason.lifts[0], "the publisher offers on 4.18 what the catalog of 4.19 has");
    assert_eq!(
        plans.gate_message("4.18".parse().unwrap()).unwrap(),
        "ClusterServiceVersions blocking minor version upgrades to 4.19.0 or higher:\n- maximum supported OCP version for \
         operators/p.v1.0.0 is 4.18"
    );
}

#[test]
fn case_8_the_gate_opens_by_updates_on_each_version() {
    let members = [
        (
            "4.18",
            "s: 1.0.0 (property olm.maxOpenShiftVersion '4.18') <- 1.1.0 (property olm.maxOpenShiftVersion '4.19')",
        ),
        (
            "4.19",
            "s: 1.1.0 (property olm.maxOpenShiftVersion '4.19') <- 1.2.0 (property olm.maxOpenShiftVersion '4.20')",
        ),
        ("4.20", "s: 1.2.0 (property olm.maxOpenShiftVersion '4.20')"),
    ];
    let scene = Scene::new(&members).subscribe("s@1.0.0");
    assert_eq!(scene.plan(), "0/0/0/0 →1.1.0 | 4.19: →1.2.0 | 4.20:");
}

const HANGS: &str = "s: 1.0.0 <- 1.1.0 (property olm.csv.metadata {minKubeVersion: 1.32.0})";

#[test]
fn case_9_an_update_that_hangs_until_openshift_is_updated() {
    let scene = Scene::new(&[("4.18", HANGS), ("4.19", HANGS)]).subscribe("s@1.0.0");
    assert_eq!(scene.plan(), "0/1/0/0 →1.1.0 pending | 4.19:");
    let manual = Scene::new(&[("4.18", HANGS), ("4.19", HANGS)]).subscribe_as("s@1.0.0", Approval::Manual);
    assert_eq!(manual.goal(PlanGoal::Head).plan(), "0/0/0/1 | 4.19: approve 1.1.0");
}

const OTHER: &str = "package q, default c\nc: 1.0.0";

#[test]
fn case_10_a_package_that_ends() {
    let scene = || Scene::new(&[("4.18", "s: 1.0.0"), ("4.19", OTHER)]).subscribe("s@1.0.0");
    assert_eq!(scene().plan(), "2/1/0/0 | 4.19: (package-ends)");
    assert_eq!(scene().goal(PlanGoal::Resolves).allow(true, false).plan(), "0/0/1/1 remove  | 4.19:");
    let plans = scene().plans();
    let lifts = &plans.plans[0].reason.as_ref().unwrap().lifts;
    assert_eq!(
        lifts[..],
        [
            "the publisher keeps `p` in the catalog of 4.19".to_owned(),
            "remove the Subscription on 4.18: `p.v1.0.0` keeps running without updates (the rest of the namespace is resolved then)"
                .to_owned()
        ]
    );
}

#[test]
fn case_11_a_package_that_comes_back() {
    let members = [("4.18", "s: 1.0.0"), ("4.19", OTHER), ("4.20", "s: 1.0.0 <- 1.1.0")];
    assert_eq!(Scene::new(&members).subscribe("s@1.0.0").plan(), "0/1/0/0 | 4.19: | 4.20: →1.1.0");
}

#[test]
fn case_12_installed_ahead_of_the_next_catalog() {
    let scene = Scene::new(&[("4.18", "s: 1.0.0 <- 1.0.1"), ("4.19", "s: 1.0.0")]).subscribe("s@1.0.1");
    assert_eq!(scene.plan(), "1/0/0/0 | 4.19: (stranded)");
    let plans = scene.plans();
    let reason = plans.plans[0].reason.as_ref().unwrap();
    assert_eq!(
        reason.sentence,
        "`p.v1.0.1` is above `p.v1.0.0`, the head of channel `s` in the catalog of 4.19, and gets no updates there."
    );
    assert_eq!(reason.lifts[0], "the publisher brings `p.v1.0.1` to the catalog of 4.19, as that of 4.18 has it");
    assert_eq!(scene.goal(PlanGoal::Resolves).plan(), "0/0/0/0 | 4.19:");
}

#[test]
fn case_13_a_skip_range_over_what_is_no_entry() {
    let scene =
        Scene::new(&[("4.18", "s: 1.0.0"), ("4.19", "s: 1.5.0 (skipRange >=1.0.0 <1.5.0)")]).subscribe("s@1.0.0");
    assert_eq!(scene.plan(), "0/0/0/0 | 4.19: →1.5.0");
}

#[test]
fn case_14_and_15_one_release_under_two_numbers() {
    let max = |max: &str| format!("s: 1.0.0 (property olm.maxOpenShiftVersion '{max}')");
    let scene = Scene::new(&[("4.22", &max("4.23")), ("5.0", "s: 1.0.0 <- 2.0.0")]).subscribe("s@1.0.0");
    assert_eq!(scene.plan(), "0/0/0/0 | 5.0: →2.0.0");
    // The way does not lead through 4.23, where it would be blocked.
    let members = [("4.22", max("5.0")), ("4.23", max("5.0")), ("5.0", "s: 1.0.0".to_owned())];
    let members = members.each_ref().map(|(name, notation)| (*name, notation.as_str()));
    assert_eq!(Scene::new(&members).subscribe("s@1.0.0").plan(), "0/0/0/0 | 5.0:");
}

#[test]
fn case_16_a_downgrade_is_counted() {
    let scene = Scene::new(&[("4.18", "s: 1.4.0"), ("4.19", "s: 1.3.0 (skipRange <2.0.0)")]).subscribe("s@1.4.0");
    assert_eq!(scene.plan(), "0/0/0/0 | 4.19: →1.3.0");
    assert_eq!(scene.plans().plans[0].cost.unwrap().risky, 1);
}

#[test]
fn case_17_one_subscription_freezes_the_namespace() {
    let members = [
        ("4.18", "package a, default s\ns: 1.0.0\npackage b, default s\ns: 1.0.0"),
        ("4.19", "package b, default s\ns: 1.0.0 <- 1.1.0"),
    ];
    let scene = || Scene::new(&members).subscribe("a/s@1.0.0").subscribe("b/s@1.0.0");
    assert_eq!(scene().all(), "2/1/0/0 | 4.19: (package-ends)\n2/1/0/0 | 4.19: (namespace)");
    assert_eq!(scene().allow(true, false).all(), "1/0/1/1 remove  | 4.19: (package-ends)\n0/0/0/0 | 4.19: →1.1.0");
}

#[test]
fn case_18_a_csv_without_a_subscription_blocks() {
    let x = "package x, default s\ns: 1.0.0 (property olm.maxOpenShiftVersion '4.18')";
    let mut scene = Scene::new(&[("4.18", x), ("4.19", x)]).subscribe("x/s@1.0.0");
    scene.cluster.subscriptions.clear();
    let plans = scene.plans();
    assert!(plans.plans.is_empty() && plans.blocked.len() == 1);
    assert!(plans.blocked[0].is_freestanding);
}

#[test]
fn case_19_an_install_plan_that_waits_is_named() {
    let members = [("4.18", "s: 1.0.0 <- 1.1.0"), ("4.19", "s: 1.1.0 <- 1.2.0")];
    let scene = |csv: &str| Scene::new(&members).subscribe_as("s@1.0.0", Approval::Manual).with_install_plan("x", csv);
    let found = scene("p.v1.1.0");
    assert_eq!(found.plan(), "0/0/0/1 approve 1.1.0 by x | 4.19:");
    let step = found.plans().plans[0].steps[0].clone();
    let because = "because the catalog of 4.19 does not list `p.v1.0.0` in its channel";
    assert_eq!(step.sentence(), format!("approve InstallPlan `x`, the update to `p.v1.1.0`, {because}"));
    assert_eq!(
        step.commands("operators", "p").unwrap().iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["oc -n operators patch installplan x --type merge -p '{\"spec\":{\"approved\":true}}'"]
    );
    // An older plan of the same namespace stays as it is, and so does one that no step of the present version approves.
    let older = scene("p.v1.0.1");
    assert_eq!(older.plan(), "0/0/0/1 waiting x | approve 1.1.0 | 4.19:");
    assert_eq!(
        older.plans().plans[0].summary(),
        "approve or delete InstallPlan `x` first: it waits for an approval, and no newer catalog changes that it installs \
         `p.v1.0.1`, then approve the update to `p.v1.1.0`"
    );
    let stays = |approved: bool| {
        let both = [("4.18", members[0].1), ("4.19", members[0].1)];
        let mut scene = Scene::new(&both).subscribe_as("s@1.0.0", Approval::Manual).with_install_plan("x", "p.v1.1.0");
        scene.cluster.install_plans[0].approved = approved;
        scene
    };
    assert_eq!(stays(false).plan(), "0/0/0/0 waiting x | | 4.19:");
    assert_eq!(
        stays(false).plans().sentence(&[version("4.18"), version("4.19")]),
        "4.18 → 4.19: 1 operator needs you."
    );
    assert_eq!(stays(true).plan(), "0/0/0/0 | 4.19:");
}

/// What makes the steps on the first version necessary.
#[track_caller]
fn check_because(scene: &Scene, expected: &[Option<&str>]) {
    let plans = scene.plans();
    let steps = plans.plans[0].steps.iter().take_while(|step| step.what != PlanAction::OpenShift);
    assert_eq!(steps.map(|step| step.because.as_deref()).collect::<Vec<_>>(), expected);
}

#[test]
fn a_step_says_what_makes_it_necessary() {
    let scene = |old: &str, new: &str, approval| {
        Scene::new(&[("4.18", old), ("4.19", new)]).subscribe_as("s@1.0.0", approval).goal(PlanGoal::Listed)
    };
    let limited = "s: 1.0.0 (property olm.maxOpenShiftVersion '4.18') <- 1.1.0";
    let limit = Some("`p.v1.0.0` supports OpenShift up to 4.18");
    check_because(&scene(limited, "s: 1.1.0", Approval::Manual), &[limit]);
    check_because(&scene(limited, "s: 1.1.0", Approval::Automatic), &[limit]);
    let both = "s: 1.0.0\nt: 1.0.0";
    let ends = Some("the catalog of 4.19 has no channel `s`");
    check_because(&scene(both, "t: 1.0.0", Approval::Automatic), &[ends]);
    let unlisted = Some("the catalog of 4.19 does not list `p.v1.0.0` in its channel");
    check_because(&scene("s: 1.0.0 <- 1.1.0", "s: 1.1.0", Approval::Manual), &[unlisted]);
    // OLM makes it by itself, and OpenShift does not wait for it.
    check_because(&scene("s: 1.0.0 <- 1.1.0", "s: 1.1.0", Approval::Automatic), &[None]);
    let chain = "s: 1.0.0 <- 1.1.0";
    let head = Some("`p.v1.1.0` is the head");
    check_because(&scene(chain, chain, Approval::Manual).goal(PlanGoal::Head), &[head]);
}

#[test]
fn without_catalogs_only_what_stops_what_waits_and_what_is_stuck_is_said() {
    let x = "s: 1.0.0 (property olm.maxOpenShiftVersion '4.18') <- 1.1.0";
    let mut scene = Scene::new(&[("4.18", x), ("4.19", x)]).subscribe_as("s@1.0.0", Approval::Manual);
    scene.members.clear();
    let way = [version("4.18"), version("4.19")];
    let found = scene.plans_on(&way);
    let view = found.view(&way);
    assert_eq!((view.plans.len(), view.is_planned()), (0, false));
    let blocks = "`operators/p.v1.0.0` supports OpenShift up to 4.18. It has to be updated or removed on 4.18.";
    assert_eq!(
        (&view.freestanding[..], &*view.sentence),
        (&[blocks.to_owned()][..], "4.18 → 4.19: 1 operator blocks.")
    );
    let waiting = scene.with_install_plan("x", "p.v1.1.0").plans_on(&way);
    assert_eq!(waiting.plans.iter().map(|plan| plan.waiting.is_some()).collect::<Vec<_>>(), [true]);
    assert!(waiting.sentence(&way).contains("1 needs you"), "{}", waiting.sentence(&way));
}

#[test]
fn a_catalog_that_is_not_loaded_is_no_answer() {
    let scene = Scene::new(&[("4.18", "s: 1.0.0"), ("4.20", "s: 1.0.0")]).subscribe("s@1.0.0");
    assert_eq!(scene.plan(), "none (unknown)");
    let plans = scene.plans();
    assert_eq!(
        plans.plans[0].reason.as_ref().unwrap().sentence,
        "The catalog of `catalog` for OpenShift 4.19 is not loaded."
    );
}

#[test]
fn what_stays_is_stuck_waits_for_an_approval_or_is_at_the_head() {
    // OLM does not follow the edges of 1.2.0, which is skipped.
    let p = "s: 1.0.0, 1.2.0 (skips 1.0.0) <- 1.3.0 (skips 1.2.0)";
    let scene = |text: &str, approval| Scene::new(&[("4.18", p), ("4.19", p)]).subscribe_as(text, approval).plans();
    let said = |text: &str, approval| {
        let found = scene(text, approval);
        let way = ["4.18", "4.19"].map(|version| version.parse().unwrap());
        (found.sentence(&way), found.plans[0].summary())
    };
    let expected = |sentence: &str, summary: &str| (format!("4.18 → 4.19: 1 operator {sentence}."), summary.to_owned());
    assert_eq!(
        said("s@1.0.0", Approval::Automatic),
        expected("is stuck", "It is stuck at `p.v1.0.0`: no update leads on to `p.v1.3.0`.")
    );
    assert_eq!(
        said("s@1.2.0", Approval::Manual),
        expected("waits for your approval", "The update to `p.v1.3.0` waits for your approval.")
    );
    assert_eq!(said("s@1.3.0", Approval::Manual), expected("stays at the head", "It is at the head of its channel."));
    assert_eq!(said("s@1.2.0", Approval::Automatic), expected("is updated by OLM", "update to `p.v1.3.0` by OLM"));
}

/// Where the namespace does not resolve, in words.
#[track_caller]
fn check_frozen(scene: &Scene, expected: &[&str]) {
    let way: Vec<_> = scene.members.keys().copied().collect();
    let found = scene.plans().view(&way).frozen;
    assert_eq!(found.iter().map(|frozen| &*frozen.sentence).collect::<Vec<_>>(), expected);
}

#[test]
fn what_waits_for_another_operator_is_told() {
    let both = |p: &str, q: &str| format!("package p\n{p}\npackage q\n{q}");
    let (old, new) = ("s: 1.0.0", "s: 1.0.0 <- 1.1.0");
    let last = both(old, new);
    let subscribed = |middle: &str| {
        let members = [("4.18", &*both(old, old)), ("4.19", middle), ("4.20", &*last)];
        Scene::new(&members).subscribe("s@1.0.0").subscribe("q/s@1.0.0")
    };
    let because = "namespace `operators` is not resolved on 4.19, because the catalog of 4.19 has no";
    check_frozen(&subscribed(&format!("package q\n{new}")), &[&format!("{because} package `p`; `q` waits")]);
    let channel = format!("{because} channel `s` of `p` that OLM can use; `q` waits");
    check_frozen(&subscribed(&both("t: 1.0.0", new)), &[&channel]);
    let neither = format!("{because} package `p`, and the catalog of 4.19 has no package `q`");
    check_frozen(&subscribed("package r\nc: 1.0.0"), &[&neither]);
    check_frozen(&subscribed(&both(old, new)), &[]);
}

#[test]
fn a_step_may_end_the_wait() {
    let scene = Scene::new(&[("4.18", "v1: 1.0.0"), ("4.19", "v2: 2.0.0 (replaces 1.0.0)")]).subscribe("v1@1.0.0");
    let expected = "namespace `operators` is not resolved on 4.19 until the steps there are made, because the catalog of \
                    4.19 has no channel `v1` of `p` that OLM can use";
    check_frozen(&scene, &[expected]);
}

#[test]
fn what_does_not_resolve_at_first_keeps_the_others_where_they_are() {
    // Once `q` is in channel `b`, OLM takes `p` away from 1.0.0, which only the next catalog lists, in channel `b`.
    let members = [
        ("4.18", "package p, default a\na: 2.0.0 (replaces 1.0.0)\nb: 3.0.0\npackage q, default b\nb: 1.0.0"),
        ("4.19", "package p, default b\nb: 1.0.0\npackage q, default b\nb: 1.0.0"),
    ];
    let waits = Scene::new(&members).subscribe("a@1.0.0").subscribe("q/a@1.0.0");
    assert_eq!(waits.all(), "0/0/0/1 switch-channel b | 4.19:\n0/0/0/1 switch-channel b | 4.19:");
    let resolves = Scene::new(&members).subscribe("a@1.0.0").subscribe("q/b@1.0.0");
    assert_eq!(resolves.all(), "1/0/0/1 →2.0.0 switch-channel b | 4.19: (stranded)\n0/0/0/0 | 4.19:");
}

#[test]
fn of_many_operators_the_one_that_ends_first_decides() {
    // `r` ends before `p` and `q`, and is the last of those that keep `s` waiting.
    let all =
        |names: &[&str]| names.iter().map(|name| format!("package {name}\ns: 1.0.0 <- 1.1.0\n")).collect::<String>();
    let members = [("4.18", all(&["p", "q", "r", "t"])), ("4.19", all(&["p", "q", "t"])), ("4.20", all(&["t"]))];
    let members: Vec<(&str, &str)> = members.iter().map(|(version, text)| (*version, &**text)).collect();
    let packages = ["p/s@1.1.0", "q/s@1.1.0", "r/s@1.1.0", "t/s@1.0.0"];
    let scene = packages.iter().fold(Scene::new(&members), |scene, package| scene.subscribe(package));
    let plans = scene.plans();
    let frozen: Vec<Vec<bool>> =
        plans.plans.iter().map(|plan| plan.stations.iter().map(|one| one.frozen.is_some()).collect()).collect();
    assert_eq!(frozen, vec![vec![false, true, true]; 4]);
}
