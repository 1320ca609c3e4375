//! A simulation that takes long: the worker answers other requests meanwhile.

use std::fmt::Write;

use suite::browser::{Page, Result};

use crate::steps::{click, see_texts};

#[path = "../../crates/resolver/benches/dense/mod.rs"]
mod dense;

/// Lists in `window.received` the names of the answers that the worker sends. Calls `window.act` once the page has asked for a
/// simulation.
const WATCH: &str = r#"
    window.received = [];
    const add = Worker.prototype.addEventListener;
    const post = Worker.prototype.postMessage;
    const watched = new Set();
    const look = ({ data }) => {
        const reply = data?.message?.Reply;
        if (!reply) return;
        const said = reply.answer?.Query ?? reply.answer ?? '';
        window.received.push(typeof said === 'string' ? said : Object.keys(said)[0]);
    };
    Worker.prototype.postMessage = function (...message) {
        if (!watched.has(this)) add.call(this, 'message', look);
        watched.add(this);
        const { act } = window;
        if (act && JSON.stringify(message[0]).includes('"Simulate"')) {
            delete window.act;
            setTimeout(() => { window.received.length = 0; act(); });
        }
        return post.apply(this, message);
    };
    // Calls `act` as soon as an element is there.
    const once = (css, act) => {
        const found = document.querySelector(css);
        found ? act(found) : requestAnimationFrame(() => once(css, act));
    };"#;

/// Opens the dense catalog, then a cluster with a Subscription to each package, and runs `act` during the simulation.
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
    click(page, "package-row").await?;
    page.css("[data-testid='graph-node']").await?;
    page.eval(&format!("{WATCH}\nwindow.act = () => {{ {act} }};"), vec![]).await?;
    page.drop_texts("body", &[("cluster.yaml", &cluster)]).await
}

/// What the worker has answered since `act`.
async fn received(page: &Page) -> Result<Vec<String>> {
    let all = page.eval("return window.received", vec![]).await?;
    Ok(all.as_array().into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect())
}

/// The place of the first answer with this name among those received.
fn place(received: &[String], name: &str) -> usize {
    let found = received.iter().position(|received| received == name);
    found.unwrap_or_else(|| panic!("expected `{name}` among {received:?}"))
}

journey!(another_package_is_opened_during_a_simulation, async |page| {
    simulate(page, "once(`[data-testid='package-row'][data-name='package-003']`, (row) => row.click());").await?;
    page.text("OLM may do any of 16 things, or more.").await?;
    let received = received(page).await?;
    let end = place(&received, "Simulate");
    assert!(place(&received, "Graph") < end, "the graph waited for the simulation: {received:?}");
    click(page, "tab-graph").await?;
    page.css("[data-testid='graph'][aria-label='Update graph of package-003']").await.map(|_| ())
});

journey!(another_cluster_ends_a_simulation, async |page| {
    let paste = "
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'apiVersion: operators.coreos.com/v1alpha1\\nkind: Subscription\\n' +
            'metadata: {name: mine, namespace: apps}\\nspec: {name: package-001, source: dense, sourceNamespace: olm}\\n');
        document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));";
    simulate(page, paste).await?;
    see_texts(page, "[data-testid='verdict'] > p > b", &["mine"]).await?;
    let received = received(page).await?;
    assert!(place(&received, "Superseded") < place(&received, "Simulate"), "{received:?}");
    Ok(())
});
