//! Simulation of Subscriptions: the chosen bundles, hop by hop, or the conflict.

use suite::browser::{Key, Result, Scheme, Viewport};

use crate::steps::{click, drop_fixture, paste, read, see, see_texts, subscribe, texts};

const VERDICT: &str = "[data-testid='verdict'] > p";
const HOPS: &str = "[data-testid='verdict'] .hops code";

journey!(an_installed_csv_is_updated_hop_by_hop, async |page| {
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "stable"), ("installed", "kettle.v1.1.0")]).await?;
    page.text("ends at kettle.v1.3.0").await?;
    // 1.2.0 skips 1.1.0 and 1.3.0 replaces 1.2.0; nothing leads from 1.1.0 to 1.3.0 at once.
    see_texts(page, HOPS, &["1.1.0", "1.2.0", "1.3.0"]).await?;
    let steps = read(page, "[data-testid='selected']", "e.dataset.name").await?;
    assert_eq!(steps, ["kettle.v1.2.0", "kettle.v1.3.0"], "what each step selects");
    // Every entry can be asked why it was not chosen.
    page.css("[data-testid='graph-node'][data-channel='stable'][data-name='kettle.v1.3.0']").await?.click().await?;
    click(page, "why-not").await?;
    page.test_id("why-not-answer").await?;
    see_texts(page, "[data-testid='why-not-answer'] .badge", &["not a candidate", "yes"]).await?;
    page.text("neither replaces nor skips it").await.map(drop)
});

journey!(a_field_stays_in_place_while_somebody_types_in_it, async |page| {
    page.look(Viewport { width: 1440, height: 900 }, Scheme::Light).await?;
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "stable")]).await?;
    page.text("installs kettle.v1.3.0").await?;
    let field = page.test_id("subscription-installed").await?;
    field.click().await?;
    const TOP: &str =
        "return document.querySelector(`[data-testid='subscription-installed']`).getBoundingClientRect().top";
    let place = async || -> Result<f64> { Ok(page.eval(TOP, vec![]).await?.as_f64().unwrap_or_default()) };
    let before = place().await?;
    for (typed, verdict) in [("1", "is not judged"), (".1.0", "ends at kettle.v1.3.0"), ("9", "is not judged")] {
        field.send_keys(typed).await?;
        page.text(verdict).await?;
        let now = place().await?;
        assert!((now - before).abs() <= 1.0, "after {typed} was typed: {now} and not {before}");
    }
    Ok(())
});

journey!(a_card_and_the_result_use_the_same_name, async |page| {
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle")]).await?;
    subscribe(page, &[("package", "kettle")]).await?;
    see_texts(page, "[data-testid='verdict'] > p > b", &["kettle", "kettle-2"]).await?;
    see_texts(page, "[data-testid='subscription'] legend", &["kettle", "kettle-2"]).await
});

// OLM takes a Subscription without a channel to mean all of them, not the default one.
journey!(a_subscription_without_a_channel_updates_through_all_channels, async |page| {
    click(page, "example").await?;
    subscribe(page, &[("package", "kettle-operator"), ("channel", ""), ("installed", "kettle-operator.v1.1.0")])
        .await?;
    see_texts(page, HOPS, &["1.1.0", "1.2.1", "2.0.0", "2.1.0"]).await?;
    see_texts(page, "[data-testid='subscription-channel'] option:checked", &["any channel"]).await
});

journey!(a_skip_range_is_one_hop_from_anywhere_in_it, async |page| {
    drop_fixture(page, "pantry").await?;
    subscribe(page, &[("package", "kettle"), ("installed", "kettle.v1.0.7")]).await?;
    page.text("ends at kettle.v1.4.0").await?;
    see_texts(page, HOPS, &["1.0.7", "1.4.0"]).await
});

// Keeping what is installed is a solution too, so an impossible update is not a conflict.
journey!(an_update_with_an_unmet_requirement_is_not_made, async |page| {
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "fast"), ("installed", "kettle.v1.3.0")]).await?;
    page.text("stays at kettle.v1.3.0").await?;
    see_texts(page, "[data-testid='conflict']", &[]).await
});

journey!(a_conflict_lists_its_rules_and_a_fix_is_applied_and_undone, async |page| {
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "fast")]).await?;
    page.test_id("conflict").await?;
    see_texts(page, "[data-testid='clash'] h5", &["Conflict: kettle"]).await?;
    let rules = texts(page, "[data-testid='clash'] .argument li").await?;
    for part in ["kettle.v2.0.0", "Teapot"] {
        assert!(rules.iter().any(|rule| rule.contains(part)), "expected `{part}` in one of {rules:?}");
    }
    // operator-lifecycle-manager, pkg/controller/registry/resolver/solver: the parts sorted, joined by commas.
    see_texts(
        page,
        "[data-testid='conflict'] pre",
        &["constraints not satisfiable: bundle kettle.v2.0.0 requires an operator providing an API with group: \
           example.com, version: v1, kind: Teapot, subscription kettle exists, subscription kettle requires \
           kitchen/olm/fast/kettle.v2.0.0"],
    )
    .await?;
    see_texts(page, VERDICT, &["kettle is not installed: OLM finds no solution"]).await?;
    let ways = texts(page, "[data-testid='fix'] > p").await?;
    assert!(ways.iter().any(|way| way.contains("channel stable")), "a way out over channel stable among {ways:?}");
    page.css("[data-testid='try'][aria-label*='channel stable']").await?.click().await?;
    see_texts(page, VERDICT, &["kettle installs kettle.v1.3.0"]).await?;
    see_texts(page, "[data-testid='conflict']", &[]).await?;
    page.text("Undo").await?.click().await?;
    see_texts(page, VERDICT, &["kettle is not installed: OLM finds no solution"]).await
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

journey!(the_graph_marks_what_a_plan_installed, async |page| {
    const SAID: &str = "[data-testid='playback-label']";
    const NOW: &str = "[data-testid='verdict'] .now code";
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "stable"), ("installed", "kettle.v1.1.0")]).await?;
    see_texts(page, SAID, &["Before the first plan"]).await?;
    see_texts(page, NOW, &["1.1.0"]).await?;
    page.test_id("playback-position").await?.send_keys(&Key::Right.to_string()).await?;
    see_texts(page, SAID, &["After plan 1 of 2: kettle.v1.2.0"]).await?;
    see_texts(page, NOW, &["1.2.0"]).await?;
    let installed = async || {
        let marked = "[data-testid='graph-node'].installed[data-channel='stable']";
        read(page, marked, "e.dataset.name").await
    };
    see(page, "what is installed in the graph", vec!["kettle.v1.2.0".to_owned()], installed).await?;
    click(page, "play").await?;
    see_texts(page, SAID, &["After plan 2 of 2: kettle.v1.3.0"]).await?;
    see(page, "what is installed in the graph", vec!["kettle.v1.3.0".to_owned()], installed).await
});

journey!(form_and_manifests_say_the_same, async |page| {
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettle"), ("channel", "stable")]).await?;
    page.text("Manifests").await?.click().await?;
    let text =
        async || Ok(read(page, "[data-testid='manifests']", "e.value").await?.join("").contains("channel: stable"));
    see(page, "the form as manifests", true, text).await?;
    paste(page, &EXCHANGED.replace("channel: kettle", "channel: stable").replace("name: stable", "name: kettle"))
        .await?;
    see_texts(page, VERDICT, &["mine installs kettle.v1.3.0"]).await?;
    page.text("Form").await?.click().await?;
    let packages = || read(page, "[data-testid='subscription-package']", "e.value");
    see(page, "the manifests as a form", vec!["kettle".to_owned()], packages).await?;
    // The form edits the manifests in place: what it has no field for stays.
    page.test_id("subscription-channel").await?.select_by_value("fast").await?;
    see_texts(page, VERDICT, &["mine is not installed: OLM finds no solution"]).await?;
    page.text("Manifests").await?.click().await?;
    let pasted = EXCHANGED.replace("channel: kettle", "channel: fast").replace("name: stable", "name: kettle");
    see(page, "the manifests with one change", vec![pasted], async || {
        read(page, "[data-testid='manifests']", "e.value").await
    })
    .await
});

journey!(a_misspelt_package_gets_a_suggestion, async |page| {
    drop_fixture(page, "kitchen").await?;
    subscribe(page, &[("package", "kettel"), ("catalog", "")]).await?;
    page.test_id("subscription-package").await?;
    page.text("no solution").await?;
    page.css("[data-testid='funnel'] .dry").await.map(drop)
});

// A catalog of which opm rejects one package: the other one would be installed if it were served.
journey!(a_catalog_that_is_not_served_blocks_its_namespace, async |page| {
    paste(page, &fixture::yaml("package cup\nstable: 1.0.0\npackage mug, default none")).await?;
    subscribe(page, &[("package", "cup")]).await?;
    page.text("OLM cannot resolve anything in this namespace.").await?;
    let rejected = texts(page, "[data-testid='unserved'] li").await?;
    let line = "opm rejects pasted: default channel none of package mug does not exist. It prints channel must contain at least one bundle pasted.yaml of pasted, line 21";
    assert_eq!(rejected, [line]);
    see_texts(
        page,
        "[data-testid='as-if-served'] [data-testid='verdict'] > p",
        &["cup is not resolved, because a catalog is not served; otherwise it installs cup.v1.0.0"],
    )
    .await
});
