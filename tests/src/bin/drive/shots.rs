//! The pictures of the README, of the start page and of the documentation: from the built-in example and the gallery, so that
//! everybody takes the same.

use std::path::Path;
use std::time::Duration;

use suite::browser::{BrowserError, Page, Result, Scheme, Viewport, journey};

use super::terminal::say;

/// Wide enough for all regions, and no wider than it is read in a README.
const SIZE: Viewport = Viewport { width: 1400, height: 810 };

/// The page is still after so long.
const STILL: Duration = Duration::from_millis(900);

/// The colour schemes of a picture, with the end of the file's name for each.
type Schemes = &'static [(Scheme, &'static str)];

/// The README shows the picture that fits the reader's scheme.
const BOTH: Schemes = &[(Scheme::Light, "-light"), (Scheme::Dark, "-dark")];

/// The documentation has its own switch of schemes, which a picture cannot follow.
const LIGHT: Schemes = &[(Scheme::Light, "")];

/// Takes the pictures of README and start page into a folder, and those of the documentation into another.
pub(super) async fn take(folder: &Path, docs: &Path) -> Result {
    for folder in [folder, docs] {
        std::fs::create_dir_all(folder).map_err(|error| BrowserError::File(folder.to_path_buf(), error))?;
    }
    drawing(folder).await?;
    scene(folder, "graph", BOTH, graph).await?;
    scene(folder, "explanation", BOTH, explanation).await?;
    scene(folder, "timeline", BOTH, timeline).await?;
    scene(docs, "graph", LIGHT, graph).await?;
    scene(docs, "review-graph", LIGHT, review).await?;
    scene(docs, "review-compare", LIGHT, review_compare).await?;
    scene(docs, "review-simulation", LIGHT, review_simulation).await
}

/// The picture of the start page: the example's package as the app exports it.
async fn drawing(folder: &Path) -> Result {
    const KEEP: &str = "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }";
    for (scheme, colours) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
        journey(async |page| {
            page.look(SIZE, scheme).await?;
            page.eval(KEEP, vec![]).await?;
            click(page, "[data-testid='picture']").await?;
            click(page, "[data-testid='tab-graph']").await?;
            // The drawing has marks of findings, which arrive last.
            page.css("[data-testid='tab-findings'] .number").await?;
            for css in ["[data-testid='drawing-menu']", "[data-testid='copy-svg']"] {
                click(page, css).await?;
            }
            let copied = async || Ok(page.eval("return window.copied", vec![]).await?.as_str().map(str::to_owned));
            let svg = page.wait_for("the copied drawing", copied).await?;
            let path = folder.join(format!("drawing-{colours}.svg"));
            std::fs::write(&path, svg).map_err(|error| BrowserError::File(path.clone(), error))?;
            say(&format!("{}", path.display()));
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn scene(folder: &Path, name: &str, schemes: Schemes, arrange: impl AsyncFnOnce(&Page) -> Result) -> Result {
    journey(async |page| {
        page.look(SIZE, Scheme::Light).await?;
        arrange(page).await?;
        for (scheme, end) in schemes {
            page.look(SIZE, *scheme).await?;
            tokio::time::sleep(STILL).await;
            let path = folder.join(format!("{name}{end}.png"));
            page.screenshot(&path).await?;
            say(&format!("{}", path.display()));
        }
        Ok(())
    })
    .await
}

/// Clicks the first matching element. If it is in a closed menu, opens the menu first.
async fn click(page: &Page, css: &str) -> Result {
    page.open_menu_of(css).await?;
    Ok(page.css(css).await?.click().await?)
}

/// The example's package with what is wrong with the head of its channel fast.
async fn graph(page: &Page) -> Result {
    click(page, "[data-testid='example']").await?;
    click(page, "[data-testid='graph-node'][data-name='kettle-operator.v2.1.0']").await?;
    page.css("[data-testid='entry-name']").await.map(drop)
}

/// An update that is two hops away, and what can be done about it.
async fn explanation(page: &Page) -> Result {
    click(page, "[data-testid='empty-examples']").await?;
    click(page, "[data-testid='example-row'][data-name='two-hops-deadlock']").await?;
    page.css("[data-testid='fixes']").await.map(drop)
}

/// The example's package, installed at its first version and on its way.
async fn timeline(page: &Page) -> Result {
    click(page, "[data-testid='example']").await?;
    click(page, "[data-testid='graph-node'][data-channel='stable'][data-name='kettle-operator.v1.0.0']").await?;
    click(page, "[data-testid='mark-installed']").await?;
    Ok(page.css("[data-testid='playback-position']").await?.send_keys("\u{E014}").await?)
}

/// The example of the documentation's review: a change, with a cluster.
async fn review(page: &Page) -> Result {
    click(page, "[data-testid='empty-examples']").await?;
    click(page, "[data-testid='example-row'][data-name='addition-strands-four']").await?;
    click(page, "[data-testid='tab-graph']").await?;
    click(page, "[data-testid='graph-node'][data-name='clusterpulse.v0.2.1']").await?;
    page.css("[data-testid='entry-name']").await.map(drop)
}

/// What the change does to installed versions.
async fn review_compare(page: &Page) -> Result {
    review(page).await?;
    click(page, "[data-testid='tab-compare']").await?;
    page.css("[data-testid='cause']").await.map(drop)
}

/// Why the Subscription of the cluster stays where it is.
async fn review_simulation(page: &Page) -> Result {
    review(page).await?;
    page.press("c").await?;
    page.css("[data-testid='simulation-result'] [data-testid='board']").await.map(drop)
}
