//! Subscriptions whose catalog was not given.

use super::{Ended, answer, ended, put};

#[test]
fn without_its_catalog_a_subscription_has_no_answer() {
    let subscription = "kind: Subscription\nmetadata: {name: my-store, namespace: operators}\n\
                        spec: {name: store, source: community, sourceNamespace: olm}\n";
    let source = |name: &str| {
        format!(
            "---\nkind: CatalogSource\nmetadata: {{name: {name}, namespace: olm}}\nspec: {{image: example.com/index:v1}}\n"
        )
    };
    put("no-content.yaml", subscription.to_owned() + &source("community") + &source("other"));
    put("no-source.yaml", subscription);
    put("other-source.yaml", subscription.to_owned() + &source("other"));
    let needs = "Subscription `my-store` in `operators` needs the";
    let content = format!(
        "{needs} catalog `community`; get it, then add `--catalog community=PATH`:\n  \
         oc image extract example.com/index:v1 --path /configs/:FOLDER\n  \
         skopeo copy docker://example.com/index:v1 oci-archive:catalog.tar"
    );
    let unknown = content.replace("example.com/index:v1", "IMAGE");
    let commands = [
        ("resolve", "unknown: "),
        ("resolve --format json", "\"verdict\": \"unknown\""),
        ("why my-store", "unknown: "),
        ("why operators/my-store 2.0.0", "unknown: "),
    ];
    for (command, found) in commands {
        let options = "--cluster no-content.yaml --catalog other=catalog.yaml";
        for (options, needs) in [(options, &content), ("--cluster no-source.yaml", &unknown)] {
            let Ended { out, errors, code } = ended(&format!("{command} {options}"));
            assert!(out.contains(found), "{out}");
            assert!(code == 2 && errors.ends_with(&format!("opscope: {needs}\n")), "{errors}");
        }
    }
    // OLM does not find a CatalogSource that the cluster does not have.
    let (text, code) = answer("resolve --cluster other-source.yaml --catalog other=catalog.yaml");
    assert!(text.contains("no operators found from catalog community in namespace olm"), "{text}");
    assert_eq!(code, 1);
}
