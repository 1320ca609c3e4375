//! The examples: chosen from a dialog, run at once, and opened over the user's own catalogs only on request.

use serde_json::json;
use suite::browser::{Page, Result};

use crate::steps::{click, drop_fixture, read, see, see_packages, see_texts};

async fn open(page: &Page, slug: &str) -> Result {
    page.css("[data-testid='empty'], [data-testid='catalog-chip']").await?;
    click(page, "examples").await?;
    Ok(page.css(&format!("[data-testid='example-row'][data-name='{slug}']")).await?.click().await?)
}

async fn choose(page: &Page, group: &str, label: &str) -> Result {
    Ok(page.css(&format!("[role='group'][aria-label='{group}'] button:nth-of-type({label})")).await?.click().await?)
}

journey!(an_example_opens_with_its_answer, async |page| {
    open(page, "version-deadlock").await?;
    see_texts(page, "[data-testid='package-title']", &["a-operator"]).await?;
    let verdicts = ["a-operator ends at a-operator.v2.0.0", "b-operator ends at b-operator.v2.0.0"];
    see_texts(page, "[data-testid='verdict'] > p", &verdicts).await?;
    let note = [
        "Two operators require each other, and both change their APIs. Neither can be updated alone. OLM updates them together.",
        "In the result, both updates are in one step: a-operator.v2.0.0 together with b-operator.v2.0.0.",
    ];
    see_texts(page, "[data-testid='example-note'] p", &note).await?;
    // An unchanged example is replaced without a question.
    open(page, "unknown-package").await?;
    see_packages(page, &["app", "cache"]).await
});

journey!(examples_are_searched, async |page| {
    page.test_id("empty").await?;
    click(page, "examples").await?;
    page.test_id("examples-search").await?.send_keys("manual APPROVAL").await?;
    let found = async || read(page, "[data-testid='example-row']", "e.dataset.name").await;
    see(page, "the examples found", ["manual-approval"].as_slice(), found).await?;
    page.test_id("examples-search").await?.send_keys(" nothing").await?;
    see_texts(page, "[data-testid='examples-dialog'] [role='status']", &["No example has these words."]).await
});

journey!(closing_an_example_restores_the_users_catalogs, async |page| {
    drop_fixture(page, "kitchen").await?;
    open(page, "new-operator").await?;
    see_packages(page, &["foo"]).await?;
    page.text("Undo").await?.click().await?;
    see_packages(page, &["kettle", "teapot"]).await
});

journey!(two_outcomes_are_shown_side_by_side, async |page| {
    open(page, "exclusive-updates").await?;
    page.text("OLM may do either.").await?;
    let rows = ["ingress ingress.v2.0.0 ingress.v1.0.0", "mesh mesh.v1.0.0 mesh.v2.0.0"];
    let cells =
        async || read(page, "[data-testid='difference']", "[...e.cells].map((c) => c.textContent).join(' ')").await;
    see(page, "what differs", rows.map(str::to_owned).to_vec(), cells).await?;
    let verdicts = "[data-testid='verdict'] > p:first-child";
    see_texts(page, verdicts, &["ingress ends at ingress.v2.0.0", "mesh stays at mesh.v1.0.0"]).await?;
    page.css("th:nth-of-type(2) [data-testid='outcome']").await?.click().await?;
    see_texts(page, verdicts, &["ingress stays at ingress.v1.0.0", "mesh ends at mesh.v2.0.0"]).await
});

journey!(a_plan_waits_for_its_approval, async |page| {
    open(page, "manual-approval").await?;
    page.text("waits for approval").await?;
    choose(page, "How much is shown", "2").await?;
    page.text("must be approved").await?;
    let created = "[...e.children].some((c) => c.textContent === 'CSV') && e.textContent.includes('is created')";
    let csvs =
        async || Ok(read(page, "[data-testid='event']", created).await?.iter().filter(|is| *is == "true").count());
    see(page, "the CSVs that are created before the approval", 0, csvs).await?;
    click(page, "approve").await?;
    see(page, "the CSVs that are created after it", 2, csvs).await?;
    page.text("OLM finds no further update").await.map(drop)
});

journey!(a_failure_between_two_hops_is_shown_as_temporary, async |page| {
    open(page, "operator-update").await?;
    see_texts(page, "[data-testid='verdict'] > p", &["foo ends at foo.v1.2.3"]).await?;
    choose(page, "How much is shown", "2").await?;
    let groups = ["Before the first plan", "foo.v1.2.2", "foo.v1.2.3"];
    see_texts(page, "[data-testid='event-group'] h4", &groups).await?;
    see_texts(page, "[data-testid='event'].passes .badge", &["resolves on its own"; 2]).await
});

journey!(common_questions_are_one_click_away, async |page| {
    page.test_id("empty").await?;
    let questions = read(page, "[data-testid='featured']", "e.dataset.name").await?;
    assert!(questions.len() >= 4, "{questions:?}");
    for name in questions {
        click(page, "examples").await?;
        page.css(&format!("[data-testid='example-row'][data-name='{name}']")).await?;
        page.press(&suite::browser::Key::Escape.to_string()).await?;
        see_texts(page, "dialog", &[]).await?;
    }
    click(page, "featured").await?;
    page.test_id("verdict").await.map(drop)
});

journey!(an_unknown_example_in_the_address_gets_a_message, async |page| {
    page.follow("example=nonsense").await?;
    page.text("There is no example").await?;
    let offers = "document.querySelector(\"[data-testid='notice'] button\").textContent";
    assert_eq!(page.eval(&format!("return {offers}"), vec![]).await?, "Examples");
    Ok(())
});

journey!(a_fix_of_a_catalog_is_applied_and_undone_with_a_click, async |page| {
    const BAND: &str = "[data-testid='graph-node'][data-name='cache.v3.0.0']";
    const VERDICTS: &str = "[data-testid='verdict'] > p";
    open(page, "two-hops-deadlock").await?;
    let stays =
        ["app is not installed: OLM finds no solution", "cache stays at cache.v1.0.0, because OLM finds no solution"];
    see_texts(page, VERDICTS, &stays).await?;
    page.css("[data-testid='try'][aria-label*='skipRange of cache.v3.0.0 to >=1.0.0 <3.0.0']").await?.click().await?;
    let done = ["app installs app.v1.0.0", "cache ends at cache.v3.0.0"];
    see_texts(page, VERDICTS, &done).await?;
    page.css(BAND).await?.click().await?;
    see_texts(page, "[data-testid='inspector'] h2", &["cache.v3.0.0"]).await?;
    click(page, "undo").await?;
    see_texts(page, VERDICTS, &stays).await
});

journey!(a_new_result_is_scrolled_to_its_start, async |page| {
    const SCROLL: &str = "const result = document.querySelector('.simulation');
        result.scrollTop += arguments[0];
        return result.scrollTop";
    open(page, "two-conflicts").await?;
    page.test_id("conflict").await?;
    assert_ne!(page.eval(SCROLL, vec![json!(90)]).await?, 0, "it is longer than its place");
    open(page, "unknown-package").await?;
    page.css("[data-testid='package-title']").await?;
    page.test_id("funnel").await?;
    see(page, "how far the result is scrolled", json!(0), async || Ok(page.eval(SCROLL, vec![json!(0)]).await?)).await
});
