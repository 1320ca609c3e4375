//! Catalogs for several versions of OpenShift: the matrix, and plans of an update.

use crate::new_bundle::bundle_of;
use crate::printing::{SHEETS, done, lay_out, wrong};
use crate::steps::{click, fixture, is_accessible, paste_text, see, see_texts, texts};
use serde_json::json;
use std::fs;
use suite::browser::{NARROW, Page, Result, Scheme, WIDE};
use suite::inputs::CLUSTER;

/// Drops the set of the fixtures, and waits until it is shown.
async fn drop_set(page: &Page) -> Result {
    page.css("[data-testid='empty'], [data-testid='cluster-only']").await?;
    page.drop_paths(&[&fixture("set")]).await?;
    page.test_id("set").await.map(drop)
}

journey!(a_folder_with_a_catalog_for_each_openshift_is_one_set, async |page| {
    drop_set(page).await?;
    see_texts(
        page,
        "[data-testid='set-answer'] h2",
        &["Operators of 2 of 3 packages stop updating on the way from 4.18 to 4.19."],
    )
    .await?;
    // The templates for both versions are not taken for catalogs.
    let notices = texts(page, "[data-testid='notice']").await?;
    assert!(!notices.iter().any(|notice| notice.contains("Could not read")), "{notices:?}");
    let rows = texts(page, "[data-testid='set-package'] th").await?;
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows[0].starts_with("kettle") && rows[1].starts_with("spoon"), "{rows:?}");
    // What is the same in both is one bar.
    see_texts(page, "[data-testid='set-package'][data-name='teapot'] [data-testid='set-cell']", &["1.1.0"]).await?;
    assert_eq!(page.violations().await?, [""; 0]);
    // A small set has its findings unfolded, those of the first package first.
    page.test_id("set-compare").await?.click().await?;
    page.css("[data-testid='tab-compare'][aria-selected='true']").await?;
    see_texts(page, "[data-testid='package-title']", &["kettle"]).await?;
    // The set is still there.
    click(page, "set-row").await?;
    page.test_id("set-plan").await.map(drop)
});

journey!(an_update_of_openshift_is_planned_for_the_cluster, async |page| {
    paste_text(page, CLUSTER).await?;
    drop_set(page).await?;
    see_texts(page, "[data-testid='plan-answer'] h2", &["4.18 → 4.19: 1 operator needs you."]).await?;
    see_texts(
        page,
        "[data-testid='plan-row'] .todo",
        &["change the channel from v1 to v2, because the catalog of 4.19 has no channel v1"],
    )
    .await?;
    see_texts(page, "[data-testid='plan-cell']", &["2.0.0", "2.0.0"]).await?;
    assert_eq!(page.violations().await?, [""; 0]);
    // A cell leads to the version in the graph of that catalog.
    page.css("[data-testid='plan-cell']").await?.click().await?;
    page.css("[data-testid='graph-node'][data-name='kettle.v2.0.0']").await?;
    see_texts(page, "[data-testid='package-title']", &["kettle"]).await
});

journey!(without_a_cluster_every_head_is_planned_for, async |page| {
    drop_set(page).await?;
    click(page, "tab-plan").await?;
    see_texts(
        page,
        "[data-testid='plan-answer'] h2",
        &["4.18 → 4.19: 1 operator stays without updates, 1 needs you, 2 stay at the head."],
    )
    .await?;
    see_texts(
        page,
        "[data-testid='plan-reason']",
        &["The catalog of 4.19 has no package spoon: from there on nothing in the namespace is resolved."],
    )
    .await?;
    page.look(NARROW, Scheme::Dark).await?;
    let is_wide = page.eval("return document.documentElement.scrollWidth > innerWidth", vec![]).await?;
    assert_eq!(is_wide, false, "the page scrolls sideways");
    assert_eq!(page.violations().await?, [""; 0]);
    Ok(())
});

journey!(a_stuck_operator_has_a_plan_for_the_head, async |page| {
    let catalog =
        fixture::yaml("package kettle\nv1: 1.0.0, 1.2.0 (skips 1.0.0) <- 1.3.0 (skips 1.2.0)\nv2: 1.3.0 (skips 1.0.0)");
    let folder = tempfile::tempdir().expect("a folder");
    for version in ["v4.18", "v4.19"] {
        fs::create_dir(folder.path().join(version)).expect("a folder");
        fs::write(folder.path().join(version).join("catalog.yaml"), &catalog).expect("a file");
    }
    paste_text(page, CLUSTER).await?;
    page.test_id("cluster-only").await?;
    page.drop_paths(&[folder.path()]).await?;
    see_texts(page, "[data-testid='plan-answer'] h2", &["4.18 → 4.19: 1 operator is stuck."]).await?;
    let rest = "It is stuck at kettle.v1.0.0: no update leads on to kettle.v1.3.0. Look for a way to the head";
    see_texts(page, "[data-testid='plan-rest']", &[rest]).await?;
    click(page, "plan-head").await?;
    see_texts(
        page,
        "[data-testid='plan-row'] .todo",
        &["change the channel from v1 to v2, because kettle.v1.3.0 is the head"],
    )
    .await?;
    is_accessible(page).await
});

journey!(a_bundle_is_released_into_all_catalogs_of_a_set, async |page| {
    let folder = bundle_of("2.1.0", "v2")?;
    drop_set(page).await?;
    page.drop_paths(&[&folder.path().join("kettle-bundle")]).await?;
    page.test_id("new-bundle").await?;
    // Channel v1 is in one of the catalogs alone.
    see_texts(page, "[data-testid^='edge-']", &["Its entry replaces kettle.v2.0.0."]).await?;
    is_accessible(page).await?;
    click(page, "new-bundle-try").await?;
    see_texts(page, "[data-testid='written'] [role='status']", &["2 of 2 catalogs with the package change."]).await?;
    is_accessible(page).await?;
    click(page, "written-patch").await?;
    see(page, "that the patch is saved", true, async || {
        Ok(texts(page, ".notice p").await?.concat().contains("catalogs.patch"))
    })
    .await
});

journey!(matrix_and_plan_fit_the_paper, async |page| {
    paste_text(page, CLUSTER).await?;
    drop_set(page).await?;
    page.test_id("plan-answer").await?;
    for view in ["plan", "matrix"] {
        if view == "matrix" {
            click(page, "tab-matrix").await?;
            page.test_id("set-compare").await?;
        }
        for sheet in SHEETS {
            lay_out(page, sheet).await?;
            assert_eq!(wrong(page, sheet).await?, json!([]), "{view} on {sheet:?}");
            done(page).await?;
        }
    }
    Ok(())
});

journey!(an_opened_row_of_the_matrix_moves_no_column_and_wraps_on_phones, async |page| {
    const COLUMNS: &str =
        "return [...document.querySelectorAll('.matrix thead th')].map((e) => e.getBoundingClientRect().width)";
    const IN_SIGHT: &str = "const { left, right } = document.querySelector('.set-findings p').getBoundingClientRect();\
                            return left >= 0 && right <= innerWidth";
    page.look(WIDE, Scheme::Light).await?;
    drop_set(page).await?;
    page.test_id("set-plan").await?;
    let columns = page.eval(COLUMNS, vec![]).await?;
    page.css("[data-testid='set-package'][data-name='kettle'] th button").await?.click().await?;
    page.test_id("set-compare").await?;
    assert_eq!(page.eval(COLUMNS, vec![]).await?, columns);
    page.look(NARROW, Scheme::Light).await?;
    page.eval("document.querySelector('.set .scroll').scrollLeft = 1000", vec![]).await?;
    assert_eq!(page.eval(IN_SIGHT, vec![]).await?, true);
    Ok(())
});
