//! Tests of reading and editing manifests.

use super::*;
use crate::objects::TargetNamespaces;
use source::LineIndex;

/// The findings as `line:column rule message`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let index = LineIndex::new(text);
    let findings = read(FileId(0), text).diagnostics.into_iter().map(|finding| {
        let at = index.position(text, finding.span.start);
        format!("{}:{} {} {}", at.line, at.column, finding.rule, finding.message)
    });
    assert_eq!(findings.collect::<Vec<_>>(), expected);
}

fn subscriptions(text: &str) -> Vec<String> {
    let manifests = read(FileId(0), text);
    let names = manifests.cluster.subscriptions.iter();
    names.map(|subscription| format!("{}/{}", subscription.namespace, subscription.spec.name)).collect()
}

#[test]
fn a_document_that_cannot_be_read_does_not_hide_the_others() {
    let text = "kind: [\n---\nkind: CatalogSource\nmetadata: {name: c, namespace: olm}\nspec: {priority: high}\n---\n\
                kind: CatalogSource\nmetadata: {name: d, namespace: olm}\nspec: {priority: -3}\n";
    let manifests = read(FileId(0), text);
    let sources: Vec<_> =
        manifests.cluster.catalog_sources.iter().map(|source| (&*source.key.name, source.priority)).collect();
    assert_eq!((sources, manifests.diagnostics.len()), (vec![("d", -3)], 2));
}

#[test]
fn what_only_a_migration_needs_of_a_catalog_source_is_read() {
    let text = "kind: CatalogSource\nmetadata: {name: a, namespace: ns}\nspec: {sourceType: grpc, image: i, address: b, priority: \
                2147483648, secrets: [k, l], grpcPodConfig: {}, updateStrategy: {registryPoll: {interval: 90s}}}\n---\n\
                kind: CatalogSource\nmetadata: {name: b, namespace: ns}\nspec: {address: b, priority: -9007199254740991, \
                updateStrategy: {registryPoll: {}}}\n---\n\
                kind: CatalogSource\nmetadata: {name: c, namespace: ns}\nspec: {updateStrategy: {}, priority: 1e3}\n";
    let manifests = read(FileId(0), text);
    assert_eq!(manifests.diagnostics, []);
    let [a, b, c] = &manifests.cluster.catalog_sources[..] else { panic!("three CatalogSources") };
    assert_eq!((a.priority, b.priority, c.priority), (2_147_483_648, -9_007_199_254_740_991, 1000));
    let kinds = [a, b, c].map(|source| source.source_type.as_deref());
    assert_eq!(kinds, [Some("grpc"), Some("grpc"), None]);
    let intervals = [a, b, c].map(|source| source.poll_interval.as_deref());
    assert_eq!(intervals, [Some("90s"), Some(""), None]);
    assert_eq!((a.secrets, a.has_pod_config, b.secrets, b.has_pod_config), (2, true, 0, false));
    check(
        "kind: CatalogSource\nmetadata: {name: a}\nspec: {priority: 9007199254740992}\n",
        &[
            "3:18 wrong-type `spec.priority` must be a whole number from -9007199254740991 to 9007199254740991, found a number",
        ],
    );
}

#[test]
fn errors_stand_at_their_place() {
    check(
        "kind: Subscription\nmetadata:\n  namespace: ns\nspec: {}\n---\nkind: CatalogSource\nmetadata: {name: c}\nspec:\n  \
         priority: '1'\n---\njust text\n",
        &[
            "3:3 missing-field `metadata.name` is missing",
            "9:13 wrong-type `spec.priority` must be a whole number from -9007199254740991 to 9007199254740991, found text",
            "11:1 wrong-type expected an object with `kind`, `metadata` and `spec`",
        ],
    );
}

#[test]
fn a_list_that_is_nested_too_deeply_is_named() {
    let (open, close) = ("{kind: List, items: [".repeat(80), "]}".repeat(80));
    check(&format!("{open}{close}"), &["1:673 wrong-type nested too deeply: objects below this are not read"]);
}

#[test]
fn a_part_of_the_wrong_type_is_reported_once() {
    check(
        "kind: Subscription\nmetadata: {name: s, annotations: 1}\nspec: 2\nstatus: 3\n---\nkind: Subscription\nmetadata: 4\n\
         spec: {name: p}\n---\nkind: ClusterServiceVersion\nmetadata: {name: c, annotations: 5, labels: 6}\nspec: 7\nstatus: 8\n",
        &[
            "2:34 wrong-type `metadata.annotations` must be an object, found a number",
            "3:7 wrong-type `spec` must be an object, found a number",
            "4:9 wrong-type `status` must be an object, found a number",
            "7:11 wrong-type `metadata` must be an object, found a number",
            "11:34 wrong-type `metadata.annotations` must be an object, found a number",
            "11:45 wrong-type `metadata.labels` must be an object, found a number",
            "12:7 wrong-type `spec` must be an object, found a number",
            "13:9 wrong-type `status` must be an object, found a number",
        ],
    );
}

#[test]
fn errors_inside_lists_stand_at_their_place() {
    let yaml = "apiVersion: v1\nkind: List\nitems:\n- kind: CatalogSource\n  metadata: {name: c}\n- kind: List\n  items:\n  - \
                kind: Subscription\n    metadata:\n      name: 5\n    spec: {name: a}\n";
    check(yaml, &["10:13 wrong-type `metadata.name` must be text, found a number"]);
    let json = "{\"kind\": \"List\", \"items\": [\n  {\"kind\": \"ClusterServiceVersion\", \"metadata\": {\"name\": \"é\"},\n   \"spec\": \
                {\"version\": \"one\"}}\n]}";
    check(
        json,
        &[
            "3:24 invalid-version `spec.version` `one` is not a valid version: Invalid character(s) found in major number \"0one\"",
        ],
    );
}

#[test]
fn lists_of_all_shapes_are_read() {
    let item = |name: &str| {
        format!("{{\"metadata\": {{\"name\": \"{name}\", \"namespace\": \"ns\"}}, \"spec\": {{\"name\": \"p\"}}}}")
    };
    let typed = format!(
        "{{\"apiVersion\": \"operators.coreos.com/v1alpha1\", \"kind\": \"SubscriptionList\", \"items\": [{}, {}]}}",
        item("a"),
        item("b")
    );
    assert_eq!(subscriptions(&typed), ["ns/a", "ns/b"]);
    // One after the other, nested, and in YAML.
    assert_eq!(subscriptions(&format!("{typed}\n{{\"kind\": \"List\", \"items\": [{typed}]}}")), ["ns/a", "ns/b"]);
    assert_eq!(
        subscriptions(&format!("---\n{typed}\n---\nkind: Subscription\nmetadata: {{name: c}}\nspec: {{name: p}}\n")),
        ["ns/a", "ns/b", "default/c"]
    );
    assert_eq!(subscriptions("kind: List\nitems: null\n"), [""; 0]);
    assert_eq!(subscriptions("- kind: Subscription\n  metadata: {name: c}\n  spec: {name: p}\n"), ["default/c"]);
}

#[test]
fn other_kinds_are_listed_as_skipped() {
    let text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: some}\n---\napiVersion: messaging.knative.dev/v1\nkind: Subscription\n\
                metadata: {name: s}\nspec: 5\n---\napiVersion: apps.open-cluster-management.io/v1\nkind: Subscription\nmetadata: {}\n---\n\
                kind: ClusterServiceVersion\nmetadata: {name: copy, labels: {olm.copiedFrom: x}}\n";
    let manifests = read(FileId(0), text);
    assert_eq!(manifests.diagnostics, []);
    assert_eq!((manifests.cluster.subscriptions.len(), manifests.cluster.csvs.len()), (0, 0));
    let skipped =
        manifests.skipped.iter().map(|skipped| format!("{} {} {:?}", skipped.kind, skipped.name, skipped.because));
    let expected = [
        "Namespace some OtherKind",
        "Subscription s OtherKind",
        "Subscription  OtherKind",
        "ClusterServiceVersion copy Copied",
    ];
    assert_eq!(skipped.collect::<Vec<_>>(), expected);
    check("a: 1\n", &["1:1 missing-field Opscope ignores an object without `kind`"]);
}

#[test]
fn of_two_objects_of_one_name_the_first_counts() {
    let source = |priority: u8| {
        format!("---\nkind: CatalogSource\nmetadata: {{name: c, namespace: ns}}\nspec: {{priority: {priority}}}\n")
    };
    let text = source(1) + &source(2);
    assert_eq!(read(FileId(0), &text).cluster.catalog_sources[0].priority, 1);
    check(&text, &["6:1 duplicate-name CatalogSource `ns/c` is defined twice; the first one counts"]);
    // Another namespace or kind is another object.
    check(&(source(1) + &source(2).replace("namespace: ns", "namespace: m")), &[]);
}

#[test]
fn the_order_of_objects_does_not_matter() {
    let objects = [
        "kind: CatalogSource\nmetadata: {name: c, namespace: openshift-marketplace}\n",
        "kind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: c, sourceNamespace: openshift-marketplace}\n",
    ];
    for order in [[0, 1], [1, 0]] {
        let text = order.map(|at| objects[at]).join("---\n");
        let manifests = read(FileId(0), &text);
        assert_eq!(manifests.diagnostics, []);
        assert_eq!(&*manifests.cluster.global_namespace, "openshift-marketplace");
    }
}

#[test]
fn a_missing_or_invisible_catalog_source_is_reported() {
    let subscription = "kind: Subscription\nmetadata: {name: s, namespace: ns}\nspec:\n  name: p\n  source: c\n  sourceNamespace: olm\n";
    check(subscription, &[]);
    let other = "---\nkind: CatalogSource\nmetadata: {name: d, namespace: olm}\n";
    check(
        &format!("{subscription}{other}"),
        &["5:11 unknown-catalog the manifests have no CatalogSource `c` in namespace `olm`"],
    );
    let elsewhere = subscription.replace("sourceNamespace: olm", "sourceNamespace: m")
        + "---\nkind: CatalogSource\nmetadata: {name: c, namespace: m}\n";
    check(
        &elsewhere,
        &["5:11 unknown-catalog CatalogSource `c` is in namespace `m`, and namespace `ns` does not see it"],
    );
    let given = subscription.to_owned() + "---\nkind: CatalogSource\nmetadata: {name: c, namespace: olm}\n";
    check(&given, &[]);
    let manifests = read(FileId(0), &given);
    let messages: Vec<String> =
        manifests.without_content(|_| false).into_iter().map(|finding| finding.message).collect();
    assert_eq!(messages, ["no catalog is loaded for CatalogSource `c` in namespace `olm`"]);
    let help = |spec: &str| {
        let found = read(FileId(0), &format!("{given}spec: {spec}\n")).without_content(|_| false).remove(0);
        found.help.unwrap_or_default()
    };
    let of_image = help("{image: 'registry.example.com:5000/a/b@sha256:01'}");
    let commands = "`oc image extract registry.example.com:5000/a/b@sha256:01 --path /configs/:FOLDER` or `skopeo copy \
                    docker://registry.example.com:5000/a/b@sha256:01 oci-archive:catalog.tar`";
    assert!(of_image.contains(commands), "{of_image}");
    assert!(help("{image: 'x; reboot'}").contains("docker://IMAGE"), "no shell command from a manifest");
    assert_eq!(manifests.without_content(|key| &*key.name == "c"), []);
}

#[test]
fn a_malformed_annotation_is_reported_and_keeps_its_csv() {
    let text =
        "kind: ClusterServiceVersion\nmetadata:\n  name: x\n  annotations:\n    operatorframework.io/properties: '{'\n";
    check(
        text,
        &[
            "5:38 invalid-property the annotation `operatorframework.io/properties` is invalid: unexpected end of JSON input",
        ],
    );
    assert_eq!(read(FileId(0), text).cluster.csvs.len(), 1);
}

#[test]
fn a_definition_without_a_group_is_reported_and_keeps_its_csv() {
    let text = "kind: ClusterServiceVersion\nmetadata: {name: x}\nspec:\n  customresourcedefinitions:\n    owned:\n    - {kind: K}\n    \
                required:\n    - {name: ks.g, kind: K, version: v1}\n    - {name: ks, kind: K, version: v1}\n";
    check(
        text,
        &[
            "6:7 invalid-name the name `` of a custom resource definition has no group",
            "9:14 invalid-name the name `ks` of a custom resource definition has no group",
        ],
    );
    assert_eq!(read(FileId(0), text).cluster.csvs.len(), 1);
}

#[test]
fn the_status_of_a_subscription_is_read() {
    let text = "kind: Subscription\nmetadata: {name: s, annotations: {olm.generated-by: install-a}}\nspec: {name: p, installPlanApproval: Manual}\n\
                status:\n  currentCSV: p.v2\n  installedCSV: p.v1\n  state: UpgradePending\n  installPlanGeneration: 3\n  installPlanRef: \
                {name: install-b}\n  conditions:\n  - {type: InstallPlanPending, status: 'True', reason: RequiresApproval}\n  - {type: \
                Else, status: 'True'}\n";
    let manifests = read(FileId(0), text);
    assert_eq!(manifests.diagnostics, []);
    let status = &manifests.cluster.subscriptions[0].status;
    assert_eq!((status.state.as_str(), status.install_plan_generation), ("UpgradePending", 3));
    assert_eq!(
        (status.install_plan.as_deref(), status.generated_by.as_deref()),
        (Some("install-b"), Some("install-a"))
    );
    let reasons: Vec<&str> = status.conditions.values().map(|condition| &*condition.reason).collect();
    assert_eq!(reasons, ["RequiresApproval"]);
}

#[test]
fn the_configuration_of_a_subscription_is_read_by_its_fields() {
    let read = |config: &str| {
        let text = format!("kind: Subscription\nmetadata: {{name: s}}\nspec: {{name: p{config}}}\n");
        let fields = read(FileId(0), &text).cluster.subscriptions[0].config.clone();
        Vec::from_iter(fields).join(" ")
    };
    let texts = ["", ", config: null", ", config: {tolerations: [], env: [{name: A, value: b}]}"];
    assert_eq!(texts.map(read), ["", "", "env tolerations"]);
}

#[test]
fn the_namespaces_of_an_operator_group_are_read() {
    let read = |spec: &str| {
        let text = format!("kind: OperatorGroup\nmetadata: {{name: g}}\nspec: {spec}\n");
        read(FileId(0), &text).cluster.operator_groups["default"][0].targets.clone()
    };
    for all in ["{}", "{targetNamespaces: []}", "{selector: {}}", "{selector: {matchLabels: {}}}"] {
        assert_eq!(read(all), TargetNamespaces::All, "{all}");
    }
    let named = TargetNamespaces::Named(["a", "b"].map(Into::into).into());
    assert_eq!(read("{targetNamespaces: [b, a], selector: {matchLabels: {c: d}}}"), named);
    assert_eq!(read("{selector: {matchLabels: {c: d}}}"), TargetNamespaces::Labelled);
    assert_eq!(read("{selector: {matchExpressions: [{key: a, operator: Exists}]}}"), TargetNamespaces::Labelled);
}

#[test]
fn a_version_is_read_tolerantly() {
    let version = |text: &str| {
        let text = format!("kind: ClusterServiceVersion\nmetadata: {{name: x}}\nspec: {{version: '{text}'}}\n");
        read(FileId(0), &text).cluster.csvs[0].installed.version.to_string()
    };
    assert_eq!(["v1.2", "", "1.2.3+b"].map(version), ["1.2.0", "0.0.0", "1.2.3+b"]);
}

#[test]
fn what_started_olm_tells_the_global_namespace() {
    let global = |text: &str| read(FileId(0), text).cluster.global_namespace.to_string();
    let operator = |container: &str| {
        format!(
            "kind: Deployment\nmetadata: {{name: catalog-operator, namespace: olm}}\n\
             spec: {{template: {{spec: {{containers: [{{{container}}}]}}}}}}\n"
        )
    };
    assert_eq!(global(&operator("args: [-namespace, acme, -v]")), "acme");
    assert_eq!(global(&operator("args: ['--namespace=acme']")), "acme");
    let variable = "args: ['--namespace=other'], env: [{name: GLOBAL_CATALOG_NAMESPACE, value: acme}]";
    assert_eq!(global(&operator(variable)), "acme");
    let server = "kind: ClusterServiceVersion\nmetadata: {name: packageserver, namespace: olm}\n\
                  spec: {install: {spec: {deployments: [{spec: {template: {spec: {containers: \
                  [{command: [/bin/package-server, --global-namespace, acme]}]}}}}]}}}\n";
    assert_eq!(global(server), "acme");
    let subscription = "kind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p}\n\
                        status: {catalogHealth: [{catalogSourceRef: {name: a, namespace: ns}}, \
                        {catalogSourceRef: {name: b, namespace: acme}}]}\n";
    assert_eq!(global(subscription), "acme");
    let openshift = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n\
                     status: {desired: {version: 4.18.1}}\n---\nkind: CatalogSource\nmetadata: {name: c, namespace: olm}\n\
                     ---\nkind: CatalogSource\nmetadata: {name: c, namespace: openshift-marketplace}\n";
    assert_eq!(global(openshift), "openshift-marketplace");
    let facts = ManifestFacts { global_namespace: Some("mine".into()), ..ManifestFacts::default() };
    let (manifests, _) = read_values(&fbc::untyped_values(FileId(0), openshift), None, &facts);
    assert_eq!(&*manifests.cluster.global_namespace, "mine");
}

#[test]
fn a_catalog_source_in_the_marketplace_makes_that_the_global_namespace() {
    let source = |namespace| format!("---\nkind: CatalogSource\nmetadata: {{name: c, namespace: {namespace}}}\n");
    let global = |text: String| read(FileId(0), &text).cluster.global_namespace;
    assert_eq!(&*global(source("openshift-marketplace")), "openshift-marketplace");
    assert_eq!(&*global(source("openshift-marketplace") + &source("olm")), "olm");
}

#[test]
fn a_csv_counts_in_every_phase_and_while_it_is_deleted() {
    let csv = |name: &str, more: &str| {
        format!("---\nkind: ClusterServiceVersion\nmetadata: {{name: {name}, namespace: ns{more}}}\n")
    };
    let text = csv("a", "")
        + &csv("b", ", deletionTimestamp: '2026-01-01T00:00:00Z'")
        + &csv("c", "")
        + "status: {phase: Failed}\n";
    let manifests = read(FileId(0), &text);
    let phases: Vec<Option<&str>> = manifests.cluster.csvs.iter().map(|csv| csv.phase.as_deref()).collect();
    assert_eq!(phases, [None, None, Some("Failed")]);
}

/// The same two Subscriptions and one CSV in the styles that `kubectl` and people write.
const STYLES: [&str; 4] = [
    "kind: Subscription\nmetadata:\n  name: s\n  namespace: ns\nspec:\n  name: p\n  channel: 'c'\n---\n\
     kind: Subscription\nmetadata: {name: t, namespace: ns}\nspec:\n  name: q\nstatus:\n  state: AtLatestKnown\n---\n\
     kind: ClusterServiceVersion\nmetadata: {name: q.v1.0.0, namespace: ns}\n",
    "apiVersion: v1\nkind: List\nitems:\n- kind: Subscription\n  metadata: {name: s, namespace: ns}\n  spec:\n    channel: c\n    \
     name: p # the package\n- kind: Subscription\n  metadata: {name: t, namespace: ns}\n  spec:\n    name: q\n- kind: \
     ClusterServiceVersion\n  metadata:\n    name: q.v1.0.0\n    namespace: ns\n  spec: {}\n",
    "- {kind: Subscription, metadata: {name: s, namespace: ns}, spec: {name: p, channel: c}}\n- {kind: Subscription, metadata: \
     {name: t, namespace: ns}, spec: {name: q}, status: {}}\n- {kind: ClusterServiceVersion, metadata: {name: q.v1.0.0, \
     namespace: ns}}\n",
    "{\"kind\": \"List\", \"items\": [\n  {\"kind\": \"Subscription\", \"metadata\": {\"name\": \"s\", \"namespace\": \"ns\"}, \
     \"spec\": {\"name\": \"p\", \"channel\": \"c\"}},\n  {\"kind\": \"Subscription\", \"metadata\": {\"name\": \"t\", \
     \"namespace\": \"ns\"}, \"spec\": {\"name\": \"q\"}},\n  {\"kind\": \"ClusterServiceVersion\", \"metadata\": {\"name\": \
     \"q.v1.0.0\", \"namespace\": \"ns\"}}]}\n",
];

/// The objects in a text after a change: a line for each Subscription, then the CSVs.
fn edited(text: &str, change: crate::InputChange) -> Vec<String> {
    let ns: Arc<str> = "ns".into();
    let before = read(FileId(0), text);
    let values = fbc::untyped_values(FileId(0), text);
    let splices = edit_manifests(text, &values.nodes, &before.places, &ns, &[change])
        .expect("the change is one to the manifests");
    let after = source::TextEdit::applied(&splices, text).expect("the edits fit the text");
    let read = read(FileId(0), &after);
    assert_eq!(read.diagnostics, [], "{after}");
    let said = |value: Option<&str>| value.unwrap_or("-").to_owned();
    let subscriptions = read.cluster.subscriptions.iter().map(|subscription| {
        let spec = &subscription.spec;
        let fields = [
            said(spec.channel.as_ref().map(|channel| channel.as_str())),
            said(spec.catalog.as_ref().map(|key| &*key.name)),
            said(spec.starting_csv.as_ref().map(|csv| csv.as_str())),
            said(spec.installed_csv.as_ref().map(|csv| csv.as_str())),
        ];
        format!("{} {} {}", spec.name, spec.package, fields.join(" "))
    });
    subscriptions.chain(read.cluster.csvs.iter().map(|csv| csv.installed.name.to_string())).collect()
}

#[test]
fn edits_keep_the_style_of_the_text() {
    use crate::InputChange;
    let (s, t): (Arc<str>, Arc<str>) = ("s".into(), "t".into());
    let (first, second, csv) = ("s p c - - -", "t q - - - -", "q.v1.0.0");
    let added = crate::SubscriptionSpec {
        name: "u".into(),
        package: "r".into(),
        channel: Some("1.0".into()),
        catalog: None,
        starting_csv: None,
        installed_csv: None,
    };
    for text in STYLES {
        let check = |change: InputChange, expected: &[&str]| assert_eq!(edited(text, change), expected, "{text}");
        let channel = |subscription: &Arc<str>, name: &str| InputChange::Channel {
            subscription: Arc::clone(subscription),
            channel: name.into(),
        };
        check(channel(&s, "yes"), &["s p yes - - -", second, csv]);
        check(channel(&t, "1.0"), &[first, "t q 1.0 - - -", csv]);
        check(InputChange::Swap { subscription: Arc::clone(&s) }, &["s c p - - -", second, csv]);
        let catalog = CatalogKey::new("cat", "olm");
        check(InputChange::Catalog { subscription: Arc::clone(&t), catalog }, &[first, "t q - cat - -", csv]);
        let starting =
            |csv: Option<&str>| InputChange::StartingCsv { subscription: Arc::clone(&t), csv: csv.map(Into::into) };
        check(starting(Some("q.v0")), &[first, "t q - - q.v0 -", csv]);
        check(starting(None), &[first, second, csv]);
        let adopt = InputChange::AdoptCsv { csv: csv.into(), subscription: Arc::clone(&t) };
        check(adopt, &[first, "t q - - - q.v1.0.0", csv]);
        check(InputChange::DropSubscription { subscription: Arc::clone(&s) }, &[second, csv]);
        check(InputChange::DeleteCsv { csv: csv.into() }, &[first, second]);
        check(InputChange::AddSubscription(added.clone()), &[first, second, "u r 1.0 - - -", csv]);
    }
}

#[test]
fn objects_that_are_not_in_the_text_are_not_changed() {
    let text = STYLES[0];
    let (values, places) = (fbc::untyped_values(FileId(0), text), read(FileId(0), text).places);
    for (namespace, name) in [("ns", "u"), ("other", "s")] {
        let change = crate::InputChange::Channel { subscription: name.into(), channel: "c".into() };
        assert_eq!(edit_manifests(text, &values.nodes, &places, &namespace.into(), &[change]), None);
    }
}

#[test]
fn the_version_of_openshift_is_that_of_the_last_complete_update() {
    let version = |status: &str| {
        let text = format!(
            "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {{name: version}}\nstatus: {status}\n"
        );
        let manifests = read(FileId(0), &text);
        assert_eq!((manifests.skipped, manifests.cluster.subscriptions), (vec![], vec![]));
        manifests.cluster.openshift.map(|version| version.to_string())
    };
    let running = "{desired: {version: 4.22.0}, history: [{state: Partial, version: 4.22.0}, {state: Completed, version: 4.21.3}, {state: Completed, version: 4.20.1}]}";
    assert_eq!(version(running).as_deref(), Some("4.21.3"));
    assert_eq!(version("{desired: {version: 4.22.0-rc.1}}").as_deref(), Some("4.22.0-rc.1"));
    assert_eq!(version("{desired: {version: ''}}"), None);
    assert_eq!(version("{}"), None);
    check(
        "kind: ClusterVersion\nstatus: {desired: {version: new}}\n",
        &[
            "2:29 invalid-version the version of OpenShift `new` is not a valid version: Invalid character(s) found in major number \"0new\"",
        ],
    );
    let other = read(FileId(0), "apiVersion: example.com/v1\nkind: ClusterVersion\nmetadata: {name: version}\n");
    assert_eq!((other.skipped.len(), other.cluster.openshift), (1, None));
}

#[test]
fn findings_have_their_fields() {
    let text = "kind: ClusterExtension\nmetadata: {name: e}\nspec:\n  namespace: A\n  source: {sourceType: Catalog, catalog: \
                {packageName: p, channels: [1], version: x.y, versions: 1}}\n---\ntext\n";
    let (manifests, findings) = read_values(&fbc::untyped_values(FileId(0), text), None, &ManifestFacts::default());
    assert_eq!(manifests.diagnostics, []);
    let paths = [
        "spec.namespace",
        "spec.source.catalog.channels",
        "spec.source.catalog.version",
        "spec.source.catalog.versions",
    ];
    let fields: Vec<Vec<&str>> = findings
        .iter()
        .map(|finding| {
            paths.into_iter().filter(|path| finding.field.as_ref().is_some_and(|field| field.is_within(path))).collect()
        })
        .collect();
    assert_eq!(fields, [vec![paths[0]], vec![paths[1]], vec![paths[2]], vec![paths[3]], vec![]]);
}
