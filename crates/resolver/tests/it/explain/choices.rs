//! Why a bundle is there, and why another one is not.

use cluster::CatalogKey;
use resolver::{
    EntryRef, Excluded, Fact, GaveUp, How, Outcome, Problem, Resolution, Ways, WhyNot, Witness, fact_text,
    refused_alternatives, resolve, why_not, why_not_provider,
};
use sat::Bound;
use std::collections::BTreeSet;

use super::problem;
use crate::world;

fn resolution(problem: &Problem) -> Resolution {
    match resolve(problem, problem.anchors()) {
        Outcome::Resolved(resolution) => resolution,
        other => panic!("there is no answer: {other:?}"),
    }
}

/// For each new bundle: `anchor > bundle (how) > …`
#[track_caller]
fn check_why(namespace: &str, expected: &[&str]) {
    let problem = problem(namespace);
    let resolution = resolution(&problem);
    let ways = Ways::new(&problem, &resolution.picks);
    let found = resolution.selected.iter().map(|selected| {
        let why = ways.to(selected.id).unwrap();
        let links: Vec<String> =
            why.links.iter().map(|link| format!(" > {} ({})", problem.name(link.to), how(&link.how))).collect();
        format!("{}{}", problem.name(why.anchor), links.concat())
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

fn how(how: &How) -> String {
    match how {
        How::Listed => "listed".to_owned(),
        How::Started => "startingCSV".to_owned(),
        How::Follows(via) => via.map_or("nothing", |via| via.as_str()).to_owned(),
        How::Kept => "kept".to_owned(),
        How::Meets(found) => found.as_ref().map_or("unknown".to_owned(), witness),
    }
}

fn witness(witness: &Witness) -> String {
    let all = |parts: &[Witness]| parts.iter().map(self::witness).collect::<Vec<_>>().join(" and ");
    match witness {
        Witness::Property { property, .. } => property.kind().to_owned(),
        Witness::Package { version, .. } => format!("version {version}"),
        Witness::All(parts) => all(parts),
        Witness::Any(at, part) => format!("{at}: {}", self::witness(part)),
        Witness::Not(parts) => format!("none of {}", parts.len()),
        Witness::Rule => "rule".to_owned(),
    }
}

/// Before what the first Subscription chose: `first (+more): rules; …`
#[track_caller]
fn check_refused(namespace: &str, expected: &[&str]) {
    let problem = problem(namespace);
    let picks = resolution(&problem).picks;
    let at = picks.iter().position(|pick| pick.choice.is_some()).unwrap();
    let refused = refused_alternatives(&problem, &picks, at).unwrap();
    assert!(refused.unexplained.is_empty());
    let groups = refused.groups.iter().map(|group| {
        let rules: Vec<String> = group.refusal.facts.iter().map(|&id| fact_text(&problem, id)).collect();
        let more = group.members.len() - 1;
        format!("{} (+{more}): {}", problem.name(group.members[0]), rules.join("; "))
    });
    assert_eq!(groups.collect::<Vec<_>>(), expected);
}

/// Why the first Subscription does not choose an entry, as `catalog package channel name`.
#[track_caller]
fn check_why_not(namespace: &str, entry: &str, expected: &str) {
    let subscription = world::namespace(namespace).subscriptions.remove(0);
    let problem = problem(namespace);
    let outcome = resolve(&problem, problem.anchors());
    let answer = why_not(&problem, &outcome, &subscription, &entry_ref(entry)).unwrap();
    assert_eq!(shown(&problem, &answer), expected, "{entry}");
}

fn entry_ref(text: &str) -> EntryRef {
    let [catalog, package, channel, name] = text.split(' ').collect::<Vec<_>>()[..] else { panic!("four words") };
    EntryRef {
        catalog: CatalogKey::new(catalog, "ns"),
        package: package.into(),
        channel: channel.into(),
        name: name.into(),
    }
}

fn shown(problem: &Problem, answer: &WhyNot) -> String {
    match answer {
        WhyNot::Chosen => "chosen".to_owned(),
        WhyNot::Unknown => "unknown".to_owned(),
        WhyNot::Excluded(excluded) => shown_exclusion(excluded),
        WhyNot::Refused(refusal) => {
            let lines = refusal.lines(problem);
            let facts = lines.iter().map(|line| fact_text(problem, line.facts[0]));
            format!("refused: {}", facts.collect::<Vec<_>>().join("; "))
        }
        WhyNot::Worse { than } => format!("worse than {}", problem.name(*than)),
        WhyNot::Served { by } => format!("served by {}", problem.name(*by)),
        WhyNot::NothingChosen => "nothing chosen".to_owned(),
    }
}

fn shown_exclusion(excluded: &Excluded) -> String {
    let listed = |names: &[catalog::BundleName]| names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" ");
    match excluded {
        Excluded::OtherCatalog(key) => format!("catalog is {key}"),
        Excluded::OtherPackage(name) => format!("package is {name}"),
        Excluded::OtherChannel(name) => format!("channel is {name}"),
        Excluded::OtherStart(name) => format!("startingCSV is {name}"),
        Excluded::Unordered(_) => "no order".to_owned(),
        Excluded::SkippedBy(names) => format!("skipped by {}", listed(names)),
        Excluded::Stranded { replaced_by } => format!("stranded below {}", listed(replaced_by)),
        Excluded::NoEdge { from, .. } => format!("no edge from {from}"),
        Excluded::Unmet(requirement) => format!("not {requirement}"),
    }
}

#[test]
fn a_resolution_without_an_answer_tells_nothing_of_its_candidates() {
    let problem = problem("c/ns a.v1\n c/ns a.v2 replaces=a.v1\n sub a");
    let outcome = Outcome::GaveUp(GaveUp::Solver(Bound::Budget));
    let answer = why_not(&problem, &outcome, &problem.subscriptions()[0], &entry_ref("c a ch a.v1"));
    assert_eq!(answer, Err(GaveUp::Solver(Bound::Budget)));
}

#[test]
fn a_bundle_is_there_for_a_subscription_or_for_what_requires_it() {
    check_why(
        "c/ns a.v1 needs=K\n c/ns k.v1 gvk=K wants=d:>=1.0.0\n c/ns d.v1\n sub a",
        &[
            "a > c/ns/ch/a.v1 (listed)",
            "a > c/ns/ch/a.v1 (listed) > c/ns/ch/k.v1 (olm.gvk) > c/ns/ch/d.v1 (version 1.0.0)",
            "a > c/ns/ch/a.v1 (listed) > c/ns/ch/k.v1 (olm.gvk)",
        ],
    );
    check_why("c/ns a.v1\n c/ns a.v2 replaces=a.v1\n sub a start=a.v1", &["a > c/ns/ch/a.v1 (startingCSV)"]);
    check_why("c/ns a.v2 range=<2.0.0\n csv a.v1\n sub a has=a.v1", &["a > c/ns/ch/a.v2 (skipRange)"]);
    check_why("c/ns k.v1 gvk=K\n csv x.v1 needs=K", &["@existing/ns//x.v1 > c/ns/ch/k.v1 (olm.gvk)"]);
}

#[test]
fn of_several_ways_a_shortest_is_shown() {
    check_why(
        "c/ns a.v1 needs=B\n c/ns b.v1 gvk=B needs=K\n c/ns k.v1 gvk=K\n c/ns z.v1 needs=K\n sub a\n sub z",
        &[
            "a > c/ns/ch/a.v1 (listed)",
            "a > c/ns/ch/a.v1 (listed) > c/ns/ch/b.v1 (olm.gvk)",
            "z > c/ns/ch/z.v1 (listed) > c/ns/ch/k.v1 (olm.gvk)",
            "z > c/ns/ch/z.v1 (listed)",
        ],
    );
}

#[test]
fn of_a_long_path_the_last_choices_are_told() {
    let bundle = |at: usize| format!("c/ns b{at}.v1 gvk=K{at} needs=K{}\n ", at + 1);
    let problem = problem(&format!("{}c/ns b29.v1 gvk=K29\n sub b0", (0..29).map(bundle).collect::<String>()));
    let resolution = resolution(&problem);
    let ways = Ways::new(&problem, &resolution.picks);
    let told = resolution.selected.iter().map(|selected| {
        let why = ways.to(selected.id).unwrap();
        assert_eq!((problem.name(why.anchor), why.links.last().unwrap().to), ("b0", selected.id));
        (why.left_out, why.links.len())
    });
    let told: BTreeSet<(usize, usize)> = told.collect();
    assert_eq!((told.len(), told.first(), told.last()), (30, Some(&(0, 1)), Some(&(10, 20))));
}

#[test]
fn the_parts_of_a_constraint_that_hold_are_named() {
    let constraint = r#"{"all":{"constraints":[{"any":{"constraints":[{"gvk":{"group":"g","version":"v1","kind":"L"}},{"package":{"packageName":"d","versionRange":">=1.0.0"}}]}},{"not":{"constraints":[{"gvk":{"group":"g","version":"v1","kind":"M"}}]}}]}}"#;
    check_why(
        &format!("c/ns a.v1 constraint={constraint}\n c/ns d.v1\n sub a"),
        &["a > c/ns/ch/a.v1 (listed)", "a > c/ns/ch/a.v1 (listed) > c/ns/ch/d.v1 (1: version 1.0.0 and none of 1)"],
    );
}

#[test]
fn like_refusals_of_neighbours_are_one_group() {
    let missing = |version: u32| format!("\n c/ns a.v{version} replaces=a.v{} wants=d:>={version}.0.0", version - 1);
    let chain: String = (3..30).map(missing).collect();
    check_refused(
        &format!("sub a\n c/ns a.v1\n c/ns a.v2 replaces=a.v1 deprecated{chain}"),
        &[
            "c/ns/ch/a.v29 (+26): bundle a.v29 requires an operator with package: d and with version in range: >=29.0.0",
            "c/ns/ch/a.v2 (+0): bundle c/ns/ch/a.v2 is deprecated",
        ],
    );
}

#[test]
fn a_refusal_by_an_earlier_pick_is_found_again_in_the_next_version() {
    check_refused(
        "sub b\n c/ns b.v1\n c/ns b.v2 replaces=b.v1 gvk=K\n c/ns b.v3 replaces=b.v2 gvk=K\n csv x.v1 gvk=K",
        &[
            "c/ns/ch/b.v3 (+1): clusterserviceversion x.v1 exists and is not referenced by a subscription; @existing/ns//x.v1, c/ns/ch/b.v2 and c/ns/ch/b.v3 provide K (g/v1)",
        ],
    );
}

#[test]
fn an_entry_that_is_no_candidate_has_a_reason() {
    let namespace = "sub a has=a.v1\n csv a.v1\n c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 replaces=a.v2\n \
                     c/ns a.v4 replaces=a.v3 skips=a.v2\n c/ns a.v9 in=next\n c/ns b.v1\n d/ns a.v2";
    for (entry, expected) in [
        ("c a ch a.v2", "skipped by a.v4"),
        ("c a ch a.v3", "no edge from a.v1"),
        ("c a ch a.v4", "no edge from a.v1"),
        ("c a next a.v9", "channel is ch"),
        ("c b ch b.v1", "package is a"),
        ("d a ch a.v2", "catalog is ns/c"),
        ("c a ch a.v5", "unknown"),
    ] {
        check_why_not(namespace, entry, expected);
    }
    let stranded = "sub a\n c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 skips=a.v2";
    check_why_not(stranded, "c a ch a.v1", "stranded below a.v2");
    check_why_not("sub a start=a.v1\n c/ns a.v1\n c/ns a.v2 replaces=a.v1", "c a ch a.v2", "startingCSV is a.v1");
    check_why_not("sub a\n c/ns a.v1\n c/ns a.v2", "c a ch a.v2", "no order");
}

#[test]
fn a_candidate_is_chosen_refused_or_worse() {
    let namespace = "sub a\n c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 replaces=a.v2 needs=K";
    let refused = "refused: bundle a.v3 requires an operator providing an API with group: g, version: v1, kind: K";
    for (name, expected) in [("a.v3", refused), ("a.v2", "chosen"), ("a.v1", "worse than c/ns/ch/a.v2")] {
        check_why_not(namespace, &format!("c a ch {name}"), expected);
    }
    check_why_not(&format!("{namespace}\n sub z pkg=nope"), "c a ch a.v2", "nothing chosen");
}

#[test]
fn a_provider_is_none_that_lacks_the_property_or_is_skipped() {
    let namespace = "c/ns a.v1 needs=K\n c/ns k.v1 gvk=K\n c/ns k.v2 gvk=K replaces=k.v1\n c/ns m.v1 gvk=K\n \
                     c/ns m.v2 skips=m.v1\n sub a";
    let problem = problem(namespace);
    let outcome = resolve(&problem, problem.anchors());
    let (rule, _) = problem.facts().find(|(_, fact)| matches!(fact, Fact::Requires { .. })).unwrap();
    for (entry, expected) in [
        ("c k ch k.v2", "chosen"),
        ("c k ch k.v1", "worse than c/ns/ch/k.v2"),
        ("c m ch m.v1", "skipped by m.v2"),
        ("c m ch m.v2", "not providing an API with group: g, version: v1, kind: K"),
    ] {
        let answer = why_not_provider(&problem, &outcome, rule, &entry_ref(entry)).unwrap().unwrap();
        assert_eq!(shown(&problem, &answer), expected, "{entry}");
    }
}
