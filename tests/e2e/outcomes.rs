//! A simulation with many outcomes: they arrive one after the other, while the worker answers other requests.

use std::fmt::Write;

use suite::browser::{Page, Result};

use crate::steps::{click, see, see_texts, texts};

#[path = "../../crates/resolver/benches/dense/mod.rs"]
mod dense;

/// Lists in `window.received` what the worker sends: the names of events and answers, and the outcomes that come with them.
/// At the first outcome it calls `window.atFirstOutcome`, while the worker looks for the others.
const WATCH: &str = "
    window.received = [];
    const add = Worker.prototype.addEventListener;
    const post = Worker.prototype.postMessage;
    const watched = new Set();
    const look = ({ data }) => {
        const { Event, Reply } = data?.message ?? {};
        const said = Event ?? Reply?.answer?.Query ?? Reply?.answer ?? '';
        const [name, content] = typeof said === 'string' ? [said] : Object.entries(said)[0];
        // The bytes of a list begin with its length, and those of a simulation with its list of outcomes.
        const outcomes = content?.view ?? content?.outcomes ?? (name === 'Simulate' ? content : undefined);
        window.received.push(outcomes ? `${name} ${outcomes[0]}` : name);
        if (name === 'FirstOutcome') setTimeout(window.atFirstOutcome);
    };
    Worker.prototype.postMessage = function (...message) {
        if (!watched.has(this)) add.call(this, 'message', look);
        watched.add(this);
        return post.apply(this, message);
    };
    // Calls `act` as soon as an element is there.
    const once = (css, act) => {
        const found = document.querySelector(css);
        found ? act(found) : requestAnimationFrame(() => once(css, act));
    };";

/// Opens the dense catalog, then a cluster with a Subscription to each package. At the first outcome it runs `act`.
async fn simulate(page: &Page, act: &str) -> Result {
    let mut cluster = String::new();
    for name in (0..dense::PACKAGES).map(dense::package) {
        write!(
            cluster,
            "---\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {{name: {name}, namespace: \
             operators}}\nspec: {{name: {name}, source: dense, sourceNamespace: olm}}\n"
        )
        .expect("writing to a string never fails");
    }
    page.test_id("empty").await?;
    page.drop_texts("body", &[("dense.json", &dense::text(false))]).await?;
    click(page, "large-package").await?;
    page.css("[data-testid='graph-node']").await?;
    page.eval(&format!("{WATCH}\nwindow.atFirstOutcome = () => {{ {act} }};"), vec![]).await?;
    page.drop_texts("body", &[("cluster.yaml", &cluster)]).await
}

/// What the worker has sent from the first outcome on.
async fn received(page: &Page) -> Result<Vec<String>> {
    let all = page.eval("return window.received", vec![]).await?;
    let all = all.as_array().into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned()));
    Ok(all.skip_while(|name| name != "FirstOutcome 1").collect())
}

/// The place of the first message with this name among those received.
fn place(received: &[String], name: &str) -> usize {
    let found = received.iter().position(|received| received.split(' ').next() == Some(name));
    found.unwrap_or_else(|| panic!("expected `{name}` among {received:?}"))
}

journey!(outcomes_arrive_while_another_package_is_opened, async |page| {
    simulate(
        page,
        "once(`[data-testid='package-row'][data-name='package-003']`, (row) => row.click());
         once(`[data-testid='searching'] [aria-label='Outcome 2']`, (button) => button.click());",
    )
    .await?;
    page.text("OLM may do any of 16 things, or more.").await?;
    let received = received(page).await?;
    let end = place(&received, "Simulate");
    assert_eq!(received[end], "Simulate 16");
    assert!(place(&received, "Graph") < end, "the graph waited for the simulation: {received:?}");
    assert!(place(&received, "MoreOutcomes") < end, "{received:?}");
    let early = received[..end].iter().filter_map(|name| name.split_once(' ')?.1.parse::<usize>().ok()).sum::<usize>();
    assert!(early <= 16, "each outcome is sent once before the end: {received:?}");
    click(page, "tab-graph").await?;
    page.css("[data-testid='graph'][aria-label='Update graph of package-003']").await?;
    // The outcome that was chosen during the search is still shown.
    see_texts(page, "[data-testid='outcomes'] .choice [aria-pressed='true']", &["2"]).await?;
    see_texts(page, "[data-testid='searching']", &[]).await
});

journey!(the_search_for_outcomes_is_stopped, async |page| {
    simulate(page, "once(`[data-testid='stop-search']`, (button) => (button.focus(), button.click()));").await?;
    page.text("not all orders were tried").await?;
    see_texts(page, "[data-testid='searching']", &[]).await?;
    let received = received(page).await?;
    let end = received.last().and_then(|name| name.strip_prefix("Simulate ")?.parse::<usize>().ok());
    assert!(end.is_some_and(|count| (1..16).contains(&count)), "{received:?}");
    let focused = async || Ok(page.eval("return document.activeElement.id", vec![]).await?.as_str() == Some("result"));
    see(page, "whether the result has the focus", true, focused).await?;
    let first = texts(page, "[data-testid='verdict'] > p").await?.into_iter().next();
    assert_eq!(first.as_deref(), Some("package-000 installs 1.11.0"));
    Ok(())
});

journey!(another_cluster_ends_the_search, async |page| {
    let paste = "
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'apiVersion: operators.coreos.com/v1alpha1\\nkind: Subscription\\n' +
            'metadata: {name: mine, namespace: apps}\\nspec: {name: package-001, source: dense, sourceNamespace: olm}\\n');
        document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));";
    simulate(page, paste).await?;
    see_texts(page, "[data-testid='verdict'] > p > b", &["mine"]).await?;
    let received = received(page).await?;
    assert!(place(&received, "Superseded") < place(&received, "Simulate"), "{received:?}");
    see_texts(page, "[data-testid='searching']", &[]).await
});
