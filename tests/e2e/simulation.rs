//! Subscriptions: what is chosen, hop by hop, or which rules clash.

use suite::browser::Result;

use crate::steps::{click, drop_fixture, read, see_texts, subscribe, texts, visit};

const HOPS: &str = "[data-testid='verdict'] .hops code";

#[tokio::test]
async fn an_installed_csv_is_updated_hop_by_hop() -> Result {
    visit(async |page| {
        drop_fixture(page, "kitchen").await?;
        let fields = [("package", "kettle"), ("channel", "stable"), ("installed", "kettle.v1.1.0")];
        subscribe(page, &fields).await?;
        click(page, "run").await?;
        page.text("ends at kettle.v1.3.0").await?;
        // 1.2.0 skips 1.1.0 and 1.3.0 replaces 1.2.0; nothing leads from 1.1.0 to 1.3.0 at once.
        see_texts(page, HOPS, &["1.1.0", "1.2.0", "1.3.0"]).await?;
        let steps = read(page, "[data-testid='selected']", "e.dataset.name").await?;
        assert_eq!(steps, ["kettle.v1.2.0", "kettle.v1.3.0"], "what each step selects");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_skip_range_is_one_hop_from_anywhere_in_it() -> Result {
    visit(async |page| {
        drop_fixture(page, "pantry").await?;
        subscribe(page, &[("package", "kettle"), ("installed", "kettle.v1.0.7")]).await?;
        click(page, "run").await?;
        page.text("ends at kettle.v1.4.0").await?;
        see_texts(page, HOPS, &["1.0.7", "1.4.0"]).await
    })
    .await
}

/// What is installed is a choice too: an update that cannot be made is no conflict.
#[tokio::test]
async fn an_update_that_needs_what_nobody_provides_is_not_made() -> Result {
    visit(async |page| {
        drop_fixture(page, "kitchen").await?;
        let fields = [("package", "kettle"), ("channel", "fast"), ("installed", "kettle.v1.3.0")];
        subscribe(page, &fields).await?;
        click(page, "run").await?;
        page.text("stays at kettle.v1.3.0").await?;
        see_texts(page, "[data-testid='conflict']", &[]).await
    })
    .await
}

#[tokio::test]
async fn a_conflict_tells_the_rules_and_what_the_cluster_prints() -> Result {
    visit(async |page| {
        drop_fixture(page, "kitchen").await?;
        subscribe(page, &[("package", "kettle"), ("channel", "fast")]).await?;
        click(page, "run").await?;
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
        .await
    })
    .await
}
