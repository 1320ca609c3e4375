//! Simulation of Subscriptions: the chosen bundles, hop by hop, or the conflict.

use suite::browser::{Key, Result, Scheme, Viewport};

use crate::steps::{click, drop_fixture, is_accessible, paste, read, see_texts, select_package, subscribe};

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
    // Nothing is changed before somebody keeps it.
    see_texts(page, "[data-testid='tried'] li span", &["mine installs kettle.v1.3.0"]).await?;
    see_texts(page, VERDICT, &["mine is not installed: OLM finds no solution"]).await?;
    click(page, "tried-keep").await?;
    see_texts(page, VERDICT, &["mine installs kettle.v1.3.0"]).await?;
    click(page, "manifests-shown").await?;
    let text = || read(page, "[data-testid='manifests']", "e.value");
    assert!(text().await?[0].contains("    channel: stable\n    name: kettle\n"), "{:?}", text().await?);
    page.text("Undo").await?.click().await?;
    see_texts(page, VERDICT, &["mine is not installed: OLM finds no solution"]).await?;
    assert_eq!(text().await?, [EXCHANGED]);
    Ok(())
});

journey!(a_package_is_played_by_the_keyboard, async |page| {
    const HOPS: &str = "[data-testid='board'] .wide .version .label";
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    click(page, "tab-simulate").await?;
    see_texts(page, "[data-testid='channels-answer'] h2", &["A new Subscription to stable installs 1.3.0"]).await?;
    is_accessible(page).await?;
    let press = async |spot: &str| -> Result {
        page.css(&format!(".board-picture.wide .spot[aria-label='{spot}']")).await?;
        let focus = format!("document.querySelector(`.board-picture.wide .spot[aria-label='{spot}']`).focus()");
        page.eval(&focus, vec![]).await?;
        page.press(&Key::Enter.to_string()).await
    };
    press("stable, 1.1.0, 2 plans: installed").await?;
    see_texts(page, HOPS, &["1.1.0", "1.2.0", "1.3.0"]).await?;
    press("Show the cluster after plan 1").await?;
    see_texts(page, "[data-testid='board'] .wide .version.current .label", &["1.2.0"]).await?;
    press("kettle").await?;
    page.css("[data-testid='subscription'] .choice button:nth-of-type(2)").await?.click().await?;
    see_texts(page, "[data-testid='tried'] li span", &["kettle ends at 1.3.0 after 2 approvals"]).await?;
    is_accessible(page).await?;
    click(page, "tried-keep").await?;
    see_texts(page, VERDICT, &["kettle ends at 1.3.0 after 2 approvals"]).await?;
    press("Approve plan 1").await?;
    see_texts(page, "[data-testid='board'] .wide .version.current .label", &["1.2.0"]).await?;
    // A link of this is short, and shows the same.
    click(page, "share").await?;
    page.test_id("share-link").await?;
    let link = read(page, "[data-testid='share-link']", "e.value").await?.join("");
    assert!(link.len() < 2_000, "{} characters", link.len());
    Ok(())
});
