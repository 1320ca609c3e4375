//! What is rendered of small bundle directories, and what is told of them.

use bundle::{Bundle, File, RenderOutcome, Rendering, render};
use source::FileId;

const CSV: &str = "kind: ClusterServiceVersion\nmetadata: {name: p.v1}\nspec: {version: 1.0.0}\n";
const ANNOTATIONS: &str = "annotations: {operators.operatorframework.io.bundle.package.v1: p}\n";

/// Renders a bundle of these files, with the CSV and annotations above where there are no others of their names.
fn rendering(files: &[(&str, &str)]) -> Rendering {
    let mut all = vec![("manifests/csv.yaml", CSV), ("metadata/annotations.yaml", ANNOTATIONS)];
    all.retain(|(path, _)| files.iter().all(|(other, _)| other != path));
    all.extend(files);
    let file = |(number, (path, text)): (u32, (&'static str, &'static str))| (FileId(number), path, text);
    let all: Vec<_> = (0..).zip(all.into_iter().map(leak)).map(file).collect();
    let all: Vec<_> = all.iter().map(|(id, path, text)| File { id: *id, path, text, fault: None }).collect();
    render(&all)
}

/// Texts that live as long as the test.
fn leak((path, text): (&str, &str)) -> (&'static str, &'static str) {
    (path.to_owned().leak(), text.to_owned().leak())
}

fn bundle(files: &[(&str, &str)]) -> Bundle {
    match rendering(files).outcome {
        RenderOutcome::Bundle(bundle) => *bundle,
        other => panic!("{other:?}"),
    }
}

/// The object of the manifest `m.yaml` as it is in the bundle.
#[track_caller]
fn check_object(manifest: &str, expected: &str) {
    let bundle = bundle(&[("manifests/m.yaml", manifest)]);
    let objects = bundle.properties.iter().filter(|property| property.kind == "olm.bundle.object");
    let mut objects = objects.map(|property| {
        let data = property.value.strip_prefix("{\"data\":\"").and_then(|data| data.strip_suffix("\"}"));
        String::from_utf8(fbc::decode_base64(data.expect("base64")).expect("base64")).expect("text")
    });
    assert!(objects.any(|object| object == expected), "{:?}", bundle.properties);
}

#[track_caller]
fn check_error(files: &[(&str, &str)], expected: &str) {
    assert_eq!(rendering(files).outcome, RenderOutcome::Rejected(expected.to_owned()));
}

/// The rules and messages of findings.
#[track_caller]
fn check_findings(files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let findings = rendering(files).findings;
    let told: Vec<_> = findings.iter().map(|finding| (finding.rule.id(), finding.message.as_str())).collect();
    assert_eq!(told, expected);
}

/// The properties that are made of `properties`, without those that every bundle has.
#[track_caller]
fn check_properties(files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let bundle = bundle(files);
    let is_own = |property: &&bundle::Property| property.kind != "olm.bundle.object";
    let told: Vec<_> =
        bundle.properties.iter().filter(is_own).map(|property| (&*property.kind, &*property.value)).collect();
    assert_eq!(told, expected);
}

const PACKAGE: (&str, &str) = ("olm.package", r#"{"packageName":"p","version":"1.0.0"}"#);

#[test]
fn manifests_are_compact_json_with_escapes_for_html() {
    check_object(
        "kind: A\nz: <&>\na: [1.0, -0.0, 9223372036854775807, 18446744073709551615, 1.5e-7]\n",
        r#"{"a":[1,0,9223372036854775807,18446744073709552000,1.5e-7],"kind":"A","z":"\u003c\u0026\u003e"}"#,
    );
    check_object("{\"kind\": \"A\", \"n\": [1.50, -0, 1e3]}", r#"{"kind":"A","n":[1.5,0,1000]}"#);
    check_object("kind: A\na: &x {b: 9007199254740993}\nc: *x\n", {
        r#"{"a":{"b":9007199254740993},"c":{"b":9007199254740993},"kind":"A"}"#
    });
}

#[test]
fn deep_manifests_are_whole() {
    let depth = 150;
    let manifest = format!("kind: A\na: {}9007199254740993{}\n", "[".repeat(depth), "]".repeat(depth));
    let expected = format!("{{\"a\":{}9007199254740993{},\"kind\":\"A\"}}", "[".repeat(depth), "]".repeat(depth));
    check_object(&manifest, &expected);
    let manifest = format!("kind: A\na: {}1{}\n", "[".repeat(2000), "]".repeat(2000));
    assert!(matches!(rendering(&[("manifests/m.yaml", &manifest)]).outcome, RenderOutcome::Unknown(_)));
}

#[test]
fn values_of_yaml_are_written_again_and_those_of_json_are_kept() {
    let yaml = "properties: [{type: t, value: {b: '<', a: 1.50}}, {type: 5}]\n";
    check_properties(&[("metadata/x", yaml)], &[("5", ""), PACKAGE, ("t", r#"{"a":1.5,"b":"\u003c"}"#)]);
    let json = r#"{"properties": [{"type": "t", "value": {"b": "<", "a": 1.50}}]}"#;
    check_properties(&[("metadata/x", json)], &[PACKAGE, ("t", r#"{"b": "<", "a": 1.50}"#)]);
    let json = r#"{"properties": [{"type": 5, "value": {"b": "<", "a": 1.50}}]}"#;
    check_properties(&[("metadata/x", json)], &[("5", r#"{"a":1.5,"b":"\u003c"}"#), PACKAGE]);
}

#[test]
fn requirements_are_written_without_escapes() {
    let text = "dependencies: [{type: olm.package, value: {packageName: q, version: '>=1.0.0'}}]\n";
    let required = ("olm.package.required", r#"{"packageName":"q","versionRange":">=1.0.0"}"#);
    check_properties(&[("metadata/x", text)], &[PACKAGE, required]);
}

#[test]
fn annotations_become_texts() {
    let annotations = r#"{"annotations": {"operators.operatorframework.io.bundle.package.v1": 5.0}}"#;
    assert_eq!(bundle(&[("metadata/annotations.yaml", annotations)]).package, "5");
    let annotations = "annotations: {operators.operatorframework.io.bundle.package.v1: [p]}\n";
    check_error(&[("metadata/annotations.yaml", annotations)], "Could not find annotations file");
    let annotations = "annotations: {OPERATORS.operatorframework.io.bundle.package.v1: 0x10}\n";
    assert_eq!(bundle(&[("metadata/annotations.yaml", annotations)]).package, "16");
}

#[test]
fn errors_are_those_of_go() {
    let csv = |text: &str| format!("kind: ClusterServiceVersion\n{text}\n");
    for (text, error) in [
        ("metadata: x", "cannot restore struct from: string"),
        ("metadata: {labels: [a]}", "cannot restore map from slice"),
        ("metadata: {annotations: {a: yes}}", "unrecognized type: string"),
        ("metadata: {name: 5}", "cannot convert int64 to string"),
        (
            "metadata: {name: p}",
            "error checking provided apis in bundle p: error getting apiservice definitions: error unmarshaling into object \
             map: unexpected end of JSON input",
        ),
        (
            "spec: {customresourcedefinitions: {owned: [{version: 1}]}}",
            "error checking provided apis in bundle : json: cannot unmarshal number into Go struct field \
             DefinitionKey.owned.version of type string",
        ),
        (
            "spec: {version: 1.0.0, release: []}",
            "failed to derive properties: release field must be a string or number",
        ),
        (
            "spec: {relatedImages: [{image: 1}]}",
            "get related images for bundle \"\": json: cannot unmarshal number into Go struct field RelatedImage.image of type \
             string",
        ),
        (
            "spec: {install: {spec: {deployments: [{spec: {template: {spec: {containers: [{env: [{value: 1}]}]}}}}]}}}",
            "get related images for bundle \"\": json: cannot unmarshal number into Go struct field \
             EnvVar.Install.spec.Deployments.Spec.template.spec.containers.env.value of type string",
        ),
    ] {
        check_error(&[("manifests/csv.yaml", &csv(text))], error);
    }
    let properties = "properties: [{type: olm.gvk}]\n";
    let error =
        "get properties for bundle \"p.v1\": parse property[0] of type \"olm.gvk\": unexpected end of JSON input";
    check_error(&[("metadata/x", properties)], error);
}

#[test]
fn a_schema_is_decoded_to_the_letter() {
    let crd = |schema: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - schema: \
             {{openAPIV3Schema: {schema}}}\n"
        )
    };
    let schema = "{Type: 5, items: {type: string}, additionalProperties: true, default: {a: 1}, maximum: 5}";
    assert_eq!(rendering(&[("manifests/crd.yaml", &crd(schema))]).findings, []);
    for (schema, error) in [
        ("{additionalProperties: x}", "boolean or JSON schema expected"),
        (
            "{properties: {a: {items: {type: 5}}}}",
            "json: cannot unmarshal number into Go struct field JSONSchemaProps.type of type string",
        ),
        (
            "{properties: {a: {type: 5}}}",
            "json: cannot unmarshal number into Go struct field \
             JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.type of type string",
        ),
    ] {
        check_error(&[("manifests/crd.yaml", &crd(schema))], &format!("error decoding v1 CRD: {error}"));
    }
}

#[test]
fn a_crd_of_another_group_stops_opm() {
    let crd = |api: &str| format!("apiVersion: {api}\nkind: CustomResourceDefinition\nspec: {{group: g}}\n");
    let good = crd("apiextensions.k8s.io/v1");
    let faulty = "kind: ClusterServiceVersion\nmetadata: {name: p.v1}\nspec: {version: 1.0.0, release: [1]}\n";
    let error = |decoded: &str, api: &str| {
        format!(
            "error decoding {decoded} CRD: no kind \"CustomResourceDefinition\" is registered for version \"{api}\" in \
             scheme \"pkg/registry/bundle.go:24\""
        )
    };
    for (api, expected) in [
        ("v1", error("v1", "v1")),
        ("/v1", error("v1", "v1")),
        ("v1beta1", error("v1beta1", "v1beta1")),
        ("apps/v1", error("v1", "apps/v1")),
    ] {
        let bad = crd(api);
        let files = [
            ("manifests/a.yaml", &*good),
            ("manifests/b.yaml", &*bad),
            ("manifests/more/c.yaml", &*good),
            ("manifests/csv.yaml", faulty),
            ("metadata/more/d.yaml", "x"),
        ];
        check_error(&files, &expected);
    }
    check_error(
        &[("manifests/csv.yaml", faulty)],
        "failed to derive properties: release field must be a string or number",
    );
    // Other versions are not decoded.
    bundle(&[("manifests/a.yaml", &crd("v2")), ("manifests/b.yaml", &crd("apiextensions.k8s.io/v1beta2"))]);
}

#[test]
fn the_first_crd_that_cannot_be_decoded_counts() {
    let bad = "apiVersion: v1\nkind: CustomResourceDefinition\n";
    let misfit = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: 5}\n";
    let registered = "error decoding v1 CRD: no kind \"CustomResourceDefinition\" is registered for version \"v1\" in scheme \
                      \"pkg/registry/bundle.go:24\"";
    check_error(&[("manifests/a.yaml", bad), ("manifests/b.yaml", misfit)], registered);
    let words = "error decoding v1 CRD: json: cannot unmarshal number into Go struct field \
                 CustomResourceDefinitionSpec.spec.group of type string";
    check_error(&[("manifests/a.yaml", misfit), ("manifests/b.yaml", bad)], words);
}

#[test]
fn silent_losses_are_told() {
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                       operators.operatorframework.io.bundle.channels.v1: a, 4.10\nproperties: []\n---\nb: 1\n";
    check_findings(
        &[("metadata/annotations.yaml", annotations), ("metadata/notes/a.txt", "x")],
        &[
            ("blank-in-channel", "opm keeps the blank in the name of the channel ` 4.10`"),
            ("lost-text", "opm reads only the first document of `metadata/annotations.yaml` and ignores the rest"),
            ("ignored-metadata", "opm ignores the sub-directory `metadata/notes`"),
        ],
    );
    let csv = "kind: ClusterServiceVersion\nmetadata:\n  name: p.v1\n  annotations:\n    olm.properties: '[{\"type\": \
               \"olm.package\", \"value\": {\"packageName\": \"q\"}}, 5]'\nspec: {}\n";
    check_findings(
        &[("manifests/csv.yaml", csv)],
        &[
            (
                "ignored-metadata",
                "opm ignores a part of the annotation `olm.properties`: json: cannot unmarshal number into Go value of type \
                 registry.Property",
            ),
            (
                "overridden-package",
                "this `olm.package` property takes the place of the package and version of the annotations and the CSV",
            ),
        ],
    );
}

#[test]
fn channels_are_split_at_commas_only() {
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                       operators.operatorframework.io.bundle.channels.v1: a, b\n  \
                       operators.operatorframework.io.bundle.channel.default.v1: a\n";
    let bundle = bundle(&[("metadata/annotations.yaml", annotations)]);
    assert_eq!((bundle.channels, &*bundle.default_channel), (vec!["a".to_owned(), " b".to_owned()], "a"));
}

#[test]
fn bytes_that_are_no_text_are_skipped() {
    let decoded = fbc::decode_bytes(FileId(2), vec![0, 1]);
    let file = |id, path, text| File { id: FileId(id), path, text, fault: None };
    let icon = File { fault: decoded.fault.as_ref(), ..file(2, "manifests/icon.png", &decoded.text) };
    let files = [file(0, "manifests/csv.yaml", CSV), file(1, "metadata/annotations.yaml", ANNOTATIONS), icon];
    let Rendering { outcome, findings, .. } = render(&files);
    let rules: Vec<_> = findings.iter().map(|finding| finding.rule.id()).collect();
    assert!(matches!(outcome, RenderOutcome::Bundle(_)) && rules == ["skipped-manifest"], "{findings:?}");
}

#[test]
fn the_versions_of_openshift_are_those_of_the_pipelines() {
    let stated = |annotation: &str| {
        let annotations = format!(
            "{}  {annotation}\n",
            ANNOTATIONS.replace("annotations: {", "annotations:\n  ").replace("}\n", "\n")
        );
        let bundle = bundle(&[("metadata/annotations.yaml", &annotations)]);
        let has = ["4.9", "4.10"]
            .map(|version| bundle.openshift_range().map(|range| range.contains(version.parse().unwrap())));
        (bundle.openshift_versions.map(|text| text.value), has)
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(stated("x: y"), (None, [Some(true); 2]));
    assert_eq!(stated("com.redhat.openshift.versions: ''"), (None, [Some(true); 2]));
    assert_eq!(stated("com.redhat.openshift.versions: v4.10"), (text("v4.10"), [Some(false), Some(true)]));
    // Without quotes it is the number 4.1.
    assert_eq!(stated("com.redhat.openshift.versions: 4.10"), (text(""), [None; 2]));
    let csv = "kind: ClusterServiceVersion\nmetadata: {name: p.v1}\nspec: {version: 1.0.0, minKubeVersion: 1.25.0}\n";
    assert_eq!(bundle(&[("manifests/csv.yaml", csv)]).min_kube_version, "1.25.0");
}
