//! A cluster in the middle of something: what it waits for comes first, and nothing that harms is offered.

use suite::browser::{NARROW, Page, Result, Scheme, WIDE};

use crate::cluster::SUBSCRIPTION;
use crate::steps::{drop_fixture, is_accessible, paste_text, read, see, see_texts, texts};

const GROUP: &str =
    "apiVersion: operators.coreos.com/v1\nkind: OperatorGroup\nmetadata: {name: all, namespace: tea}\n---\n";
const PLAN: &str = "---
apiVersion: operators.coreos.com/v1alpha1
kind: InstallPlan
metadata: {name: install-abc12, namespace: tea}
spec: {approval: Manual, approved: false, generation: 1, clusterServiceVersionNames: [kettle.v1.2.0]}
status: {phase: RequiresApproval}
";

/// What decides about a namespace, beside the messages of its objects.
const STANDING: &str = "[data-testid='standing']:not([data-testid='messages'] *) .message";

/// The Subscription waits for the approval of an InstallPlan.
fn waiting() -> String {
    let pending = "currentCSV: kettle.v1.2.0, installedCSV: kettle.v1.1.0, installPlanRef: {name: install-abc12}, \
                   state: UpgradePending";
    let status = "currentCSV: kettle.v1.1.0, installedCSV: kettle.v1.1.0, state: AtLatestKnown";
    format!("{GROUP}{}{PLAN}", SUBSCRIPTION.replace(status, pending))
}

async fn chips(page: &Page) -> Result<Vec<String>> {
    read(page, "[data-testid='verdict-chip']", "e.textContent").await
}

async fn looks_well(page: &Page) -> Result {
    for (size, scheme) in [(NARROW, Scheme::Dark), (NARROW, Scheme::Light), (WIDE, Scheme::Dark), (WIDE, Scheme::Light)]
    {
        page.look(size, scheme).await?;
        is_accessible(page).await?;
    }
    Ok(())
}

journey!(a_plan_that_waits_is_said_without_catalogs_and_before_what_follows, async |page| {
    page.test_id("empty").await?;
    paste_text(page, &waiting()).await?;
    let sentence = "The InstallPlan install-abc12 waits for approval; it installs kettle.v1.2.0";
    see_texts(page, STANDING, &[sentence]).await?;
    page.text("kubectl patch installplan install-abc12 -n tea").await?;
    looks_well(page).await?;
    drop_fixture(page, "kitchen").await?;
    see(page, "the verdict", ["▲boiling waits for approval"].as_slice(), || chips(page)).await?;
    see_texts(page, STANDING, &[sentence]).await?;
    assert_eq!(texts(page, "[data-testid='fixes']").await?, Vec::<String>::new());
    looks_well(page).await
});

journey!(an_update_that_goes_on_passes_and_nothing_uninstalls_it, async |page| {
    drop_fixture(page, "kitchen").await?;
    let csv = |name: &str, replaces: &str, phase: &str| {
        let object = &SUBSCRIPTION[SUBSCRIPTION.find("---").unwrap_or_default()..];
        object
            .replace("1.1.0", name)
            .replace(&format!("spec: {{version: {name}}}"), &format!("spec: {{version: {name}{replaces}}}"))
            .replace("phase: Succeeded", &format!("phase: {phase}"))
    };
    let subscription = &SUBSCRIPTION[..SUBSCRIPTION.find("---").unwrap_or_default()];
    let subscription = subscription.replace("1.1.0", "1.2.0");
    let (old, new) = (csv("1.1.0", "", "Replacing"), csv("1.2.0", ", replaces: kettle.v1.1.0", "Installing"));
    paste_text(page, &format!("{GROUP}{subscription}{old}{new}")).await?;
    see(page, "the verdict", ["…boiling is in progress"].as_slice(), || chips(page)).await?;
    see_texts(page, "[data-testid='standing']:not([data-testid='messages'] *) h4", &["Passes by itself"]).await?;
    assert_eq!(texts(page, "[data-testid='fixes']").await?, Vec::<String>::new());
    looks_well(page).await
});

journey!(a_message_that_is_pasted_is_explained, async |page| {
    page.test_id("empty").await?;
    let message = "constraints not satisfiable: no operators found in package kettle in the catalog referenced by \
                   subscription boiling, subscription boiling exists";
    paste_text(page, message).await?;
    page.test_id("messages").await?;
    page.text("does not have package").await?;
    looks_well(page).await
});
