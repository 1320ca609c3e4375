//! Simulation of Subscriptions: the chosen bundles, hop by hop, or the conflict.

use suite::browser::{Result, Scheme, Viewport};

use crate::steps::{drop_fixture, paste, read, see_texts, subscribe};

const VERDICT: &str = "[data-testid='verdict'] > p";

journey!(a_field_stays_in_place_while_somebody_types_in_it, async |page| {
    page.look(Viewport { width: 1440, height: 900 }, Scheme::Light).await?;
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "stable")]).await?;
    page.text("installs 1.3.0").await?;
    let field = page.test_id("subscription-installed").await?;
    field.click().await?;
    const TOP: &str =
        "return document.querySelector(`[data-testid='subscription-installed']`).getBoundingClientRect().top";
    let place = async || -> Result<f64> { Ok(page.eval(TOP, vec![]).await?.as_f64().unwrap_or_default()) };
    let before = place().await?;
    for (typed, verdict) in [("1", "is not judged"), (".1.0", "ends at 1.3.0"), ("x", "is not judged")] {
        field.send_keys(typed).await?;
        page.text(verdict).await?;
        let now = place().await?;
        assert!((now - before).abs() <= 1.0, "after {typed} was typed: {now} and not {before}");
    }
    Ok(())
});

/// What `kubectl` prints of a cluster in which package and channel of a Subscription were exchanged.
const EXCHANGED: &str = "apiVersion: v1
kind: List
items:
- apiVersion: operators.coreos.com/v1alpha1
  kind: Subscription
  metadata: {name: mine, namespace: apps}
  spec:
    channel: kettle
    name: stable
    source: kitchen
    sourceNamespace: olm
";

journey!(a_fix_is_applied_to_the_manifests_of_a_cluster, async |page| {
    drop_fixture(page, "kitchen").await?;
    paste(page, EXCHANGED).await?;
    see_texts(page, VERDICT, &["mine is not installed: OLM finds no solution"]).await?;
    page.css("[data-testid='fix'] [data-testid='try'][aria-label*='swap package and channel']").await?.click().await?;
    see_texts(page, VERDICT, &["mine installs kettle.v1.3.0"]).await?;
    let text = || read(page, "[data-testid='manifests']", "e.value");
    assert!(text().await?[0].contains("    channel: stable\n    name: kettle\n"), "{:?}", text().await?);
    page.text("Undo").await?.click().await?;
    see_texts(page, VERDICT, &["mine is not installed: OLM finds no solution"]).await?;
    assert_eq!(text().await?, [EXCHANGED]);
    Ok(())
});
