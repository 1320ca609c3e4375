//! A cluster in the middle of something: what it waits for comes first, and nothing that harms is offered.

use suite::browser::{NARROW, Page, Result, Scheme, WIDE};

use crate::cluster::SUBSCRIPTION;
use crate::steps::{click, drop_fixture, is_accessible, paste_text, read, see, see_texts, texts};

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
    see_texts(page, "[data-testid='standing']:not([data-testid='messages'] *) h4", &["OLM continues on its own"])
        .await?;
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

/// The Subscription with another status, beside an OperatorGroup and a CSV with this status.
fn namespace(status: &str, csv: &str) -> String {
    let before = "currentCSV: kettle.v1.1.0, installedCSV: kettle.v1.1.0, state: AtLatestKnown";
    let csv = format!("status: {{{csv}}}");
    format!("{GROUP}{}", SUBSCRIPTION.replace(before, status).replace("status: {phase: Succeeded}", &csv))
}

/// What is in sight of the first answer: its first sentence and the next step, a line each.
async fn first_answer(page: &Page) -> Result<String> {
    const IN_SIGHT: &str = "[...e.querySelectorAll('.message, .help')].filter((part) => {
        const box = part.getBoundingClientRect();
        return part.checkVisibility() && box.top >= 0 && box.bottom <= innerHeight;
    }).map((part) => part.textContent.replace(/\\s+/g, ' ').trim()).join('\\n')";
    Ok(read(page, "[data-testid='standing']", IN_SIGHT).await?.into_iter().next().unwrap_or_default())
}

// Somebody pastes what the cluster printed, and nothing else. No click is needed.
journey!(the_first_answer_to_an_incident_has_its_next_step_in_sight, async |page| {
    let running = "currentCSV: kettle.v1.1.0, installedCSV: kettle.v1.1.0, state: AtLatestKnown";
    let pending = "currentCSV: kettle.v1.2.0, installedCSV: kettle.v1.1.0, installPlanRef: {name: install-abc12}, \
                   state: UpgradePending";
    let failed = PLAN.replace("approved: false", "approved: true").replace(
        "status: {phase: RequiresApproval}",
        "status: {phase: Failed, conditions: [{type: Installed, status: 'False', reason: InstallComponentFailed, \
         message: 'risk of data loss updating \"kettles.tea.io\": new CRD removes version v1 that is listed as a \
         stored version on the existing CRD'}]}",
    );
    let unhealthy = "---\napiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: {name: kitchen, \
                     namespace: olm}\nstatus: {connectionState: {lastObservedState: TRANSIENT_FAILURE}}\n";
    let reported = "conditions: [{type: ResolutionFailed, status: 'True', reason: ConstraintsNotSatisfiable, message: \
                    'constraints not satisfiable: no operators found in package kettel in the catalog referenced by \
                    subscription boiling, subscription boiling exists'}]";
    let account = "phase: Pending, reason: RequirementsNotMet, message: one or more requirements couldn't be found, \
                   requirementStatus: [{group: '', version: v1, kind: ServiceAccount, name: kettle-account, status: \
                   NotPresent, message: Service account does not exist}]";
    let modes = "phase: Failed, reason: UnsupportedOperatorGroup, message: 'OwnNamespace InstallModeType not \
                 supported, cannot configure to watch own namespace'";
    let subscription = &SUBSCRIPTION[..SUBSCRIPTION.find("---").unwrap_or_default()];
    let refused = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: boiling}\nspec: \
                   {namespace: tea, source: {sourceType: Catalog, catalog: {packageName: kettle}}}\nstatus: \
                   {conditions: [{type: Progressing, status: 'True', reason: Retrying, message: 'error for resolved \
                   bundle \"kettle.v1.3.0\" with version \"1.3.0\": unsupported bundle: bundle does not support \
                   AllNamespaces install mode'}]}\n";
    let situations = [
        (
            format!("{}{failed}", namespace(pending, "phase: Succeeded")),
            "The InstallPlan install-abc12 for kettle.v1.2.0 failed, and OLM does not try it again",
            "kubectl delete installplan install-abc12 -n tea",
        ),
        (
            format!("{}{unhealthy}", namespace(running, "phase: Succeeded")),
            "The CatalogSource olm/kitchen does not answer (its connection is TRANSIENT_FAILURE)",
            "kubectl get pods -n olm -l 'olm.catalogSource=kitchen'",
        ),
        (
            format!("{}{}", GROUP.replace("name: all", "name: other"), namespace(running, "phase: Succeeded")),
            "The namespace has the OperatorGroups other (all namespaces) and all (all namespaces) instead of one",
            "kubectl get operatorgroup -n tea -o yaml",
        ),
        (
            subscription.replace(running, reported),
            "A Subscription reports that OLM cannot resolve",
            "correct spec.name, or spec.source if another catalog has the package",
        ),
        (
            namespace(running, account),
            "kettle.v1.1.0 stays in phase Pending: ServiceAccount kettle-account: Service account does not exist",
            "create the ServiceAccount again, with its roles",
        ),
        (
            namespace(running, modes),
            "kettle.v1.1.0 failed (UnsupportedOperatorGroup)",
            "change the target namespaces of the OperatorGroup",
        ),
        (refused.to_owned(), "OLM v1 chooses kettle.v1.3.0 and cannot install it", ""),
    ];
    for (cluster, sentence, step) in situations {
        page.test_id("empty").await?;
        paste_text(page, &cluster).await?;
        page.test_id("cluster-only").await?;
        let is_there = async || {
            let found = first_answer(page).await?;
            Ok((found.starts_with(sentence) && found.contains(step)).then_some(()))
        };
        if page.wait_for(sentence, is_there).await.is_err() {
            panic!("expected `{sentence}` and `{step}` in\n{}", first_answer(page).await?);
        }
        click(page, "cluster-only-clear").await?;
    }
    Ok(())
});
