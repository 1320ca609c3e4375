//! Manifests of a cluster in place of the form: what they set up, and how faults in them are shown.

use serde_json::json;
use suite::browser::{Key, NARROW, Page, Result, Scheme, WIDE};

use crate::steps::{click, drop_fixture, fixture, paste, press_lane, read, see, see_texts, subscribe, texts};

pub(crate) const SUBSCRIPTION: &str = "apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: boiling, namespace: tea}
spec: {name: kettle, channel: stable, source: kitchen, sourceNamespace: olm}
status: {currentCSV: kettle.v1.1.0, installedCSV: kettle.v1.1.0, state: AtLatestKnown}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: kettle.v1.1.0
  namespace: tea
  annotations:
    operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.package\",\"value\":{\"packageName\":\"kettle\",\"version\":\"1.1.0\"}}]}'
spec: {version: 1.1.0}
status: {phase: Succeeded}
";

pub(crate) const VERDICT: &str = "[data-testid='verdict'] > p:first-of-type";

async fn field(page: &Page) -> Result<String> {
    Ok(read(page, "#manifests", "e.value").await?.concat())
}

journey!(pasted_manifests_are_run_and_survive_a_reload, async |page| {
    drop_fixture(page, "kitchen").await?;
    paste(page, SUBSCRIPTION).await?;
    see_texts(page, VERDICT, &["boiling ends at kettle.v1.3.0"]).await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["kitchen"]).await?;
    see_texts(page, "[data-testid='manifests-read']", &["Read: 1 Subscription, 1 ClusterServiceVersion"]).await?;
    page.reload().await?;
    see_texts(page, VERDICT, &["boiling ends at kettle.v1.3.0"]).await?;
    click(page, "manifests-shown").await?;
    assert_eq!(field(page).await?, SUBSCRIPTION, "the text after the reload");
    Ok(())
});

journey!(a_must_gather_says_why_a_subscription_is_stuck, async |page| {
    page.drop_paths(&[&fixture("must-gather")]).await?;
    see_texts(page, ".notice b", &["Read 5 objects of OLM from must-gather."]).await?;
    page.text("Left out: copied CSVs (1), other files (3)").await?;
    page.text("opm render registry.example.com/kitchen/catalog:v4.18 -o yaml > release-after.yaml").await?;
    let manifests = field(page).await?;
    assert!(!manifests.contains("managedFields") && !manifests.contains("teapot"), "{manifests}");
    for scheme in [Scheme::Light, Scheme::Dark] {
        page.look(NARROW, scheme).await?;
        let found = page.violations().await?;
        assert!(found.is_empty(), "{scheme:?}:\n{}", found.join("\n"));
    }
    page.look(WIDE, Scheme::Light).await?;
    drop_fixture(page, "release-after").await?;
    see_texts(page, VERDICT, &["kettle stays at 1.1.0"]).await?;
    page.text("Stuck: no entry of the channel updates").await.map(drop)
});

journey!(a_manifest_with_a_fault_is_marked_at_its_line_and_the_others_work, async |page| {
    drop_fixture(page, "kitchen").await?;
    let broken = "apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: {name: kitchen, namespace: olm}\nspec:\n  priority: high\n---\n";
    paste(page, &format!("{broken}{SUBSCRIPTION}")).await?;
    see_texts(page, VERDICT, &["boiling ends at kettle.v1.3.0"]).await?;
    see_texts(page, "[data-testid='manifest-finding'] .where", &["manifests, line 5column 13"]).await?;
    page.css("[data-testid='manifest-finding'] .link").await?.click().await?;
    const AT: &str = "const f = document.activeElement; return f.value?.slice(f.selectionStart, f.selectionStart + 4)";
    let at = async || page.eval(AT, vec![]).await;
    see(page, "what stands at the cursor", json!("high"), at).await
});

// The error is below a long text, where nobody looks, so the result shows it too.
journey!(a_syntax_error_in_manifests_is_shown_with_the_result, async |page| {
    drop_fixture(page, "kitchen").await?;
    paste(page, SUBSCRIPTION).await?;
    see_texts(page, VERDICT, &["boiling ends at kettle.v1.3.0"]).await?;
    let unread = async || texts(page, "[data-testid='simulation-result'] [data-testid='unread']").await;
    assert_eq!(unread().await?, Vec::<String>::new());
    page.text("Manifests").await?.click().await?;
    page.test_id("manifests").await?.send_keys(&(Key::Control + "a")).await?;
    page.press("kind: [oops\n  x").await?;
    let told =
        async || Ok(unread().await?.iter().any(|text| text.starts_with("Part of the manifests could not be read:")));
    see(page, "whether the result tells of the error", true, told).await?;
    see_texts(page, "[data-testid='manifests-read']", &["Read: nothing"]).await?;
    page.css("[data-testid='unread'] .link").await?.click().await?;
    see(page, "the focus in the manifests", ["manifests"].as_slice(), async || read(page, ":focus", "e.id").await).await
});

journey!(a_catalog_can_be_assigned_to_a_catalog_source, async |page| {
    drop_fixture(page, "kitchen").await?;
    let source = |name: &str| {
        format!(
            "apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: {{name: {name}, namespace: olm}}\n---\n"
        )
    };
    let sources = source("certified") + &source("other");
    paste(page, &format!("{sources}{}", SUBSCRIPTION.replace("source: kitchen", "source: certified"))).await?;
    page.text("has no catalog, so the simulation leaves it out").await?;
    page.css("[data-testid='manifests-bind']").await?.click().await?;
    see_texts(page, VERDICT, &["boiling ends at kettle.v1.3.0"]).await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["certified"]).await
});

journey!(the_manifests_of_a_form_give_the_same_result, async |page| {
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("installed", "kettle.v1.1.0")]).await?;
    see_texts(page, VERDICT, &["kettle ends at 1.3.0"]).await?;
    click(page, "manifests-copy").await?;
    page.text("Copied.").await?;
    page.text("Manifests").await?.click().await?;
    let listed = "Read: 1 OperatorGroup, 1 Subscription, 1 ClusterServiceVersion";
    see_texts(page, "[data-testid='manifests-read']", &[listed]).await?;
    see_texts(page, VERDICT, &["kettle ends at 1.3.0"]).await?;
    page.reload().await?;
    see_texts(page, VERDICT, &["kettle ends at 1.3.0"]).await?;
    press_lane(page, "kettle").await?;
    click(page, "subscription-remove").await?;
    page.css("[data-testid='tried-keep']:not([disabled])").await?.click().await?;
    see_texts(page, VERDICT, &[]).await?;
    page.text("Undo").await?.click().await?;
    see_texts(page, VERDICT, &["kettle ends at 1.3.0"]).await
});

journey!(a_misspelt_package_keeps_the_other_fields, async |page| {
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "stable"), ("installed", "kettle.v1.1.0")]).await?;
    see_texts(page, VERDICT, &["kettle ends at 1.3.0"]).await?;
    let package = page.test_id("subscription-package").await?;
    package.send_keys("x").await?;
    page.css("[data-testid='funnel'] [data-testid='try']").await?;
    package.send_keys(&(Key::Backspace + &Key::Tab)).await?;
    see_texts(page, VERDICT, &["kettle ends at 1.3.0"]).await
});
