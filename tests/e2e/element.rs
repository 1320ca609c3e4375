//! The custom element `opscope-graph` in a page of documentation, below a strict policy.

use std::fs;
use std::path::Path;

use suite::browser::{BrowserError, Page, Result, Scheme, WIDE, built, journey_in};
use tempfile::TempDir;

use crate::steps::{kettle, see};

const DOCUMENT: &str = r#"<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Kettle</title>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'">
    <script src="before.js"></script>
    <script type="module" src="element/opscope-graph.js"></script>
  </head>
  <body>
    <main>
      <h1>Kettle</h1>
      <opscope-graph id="good" src="catalogs/good.yaml" package="kettle"></opscope-graph>
      <opscope-graph id="broken" src="catalogs/broken.yaml"></opscope-graph>
    </main>
  </body>
</html>
"#;

/// The first request for the module of the element fails, as without a network.
const OFFLINE: &str = "
let isOffline = true;
const online = window.fetch;
window.fetch = (...request) => {
  if (!isOffline || !String(request[0]).endsWith('.wasm')) return online(...request);
  isOffline = false;
  return Promise.reject(new Error('no network'));
};
";

/// Opens the page, served with two catalogs and the files of the element alone.
async fn visit(test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    visit_with("", test).await
}

/// The same with a script that runs before the element.
async fn visit_with(script: &str, test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    let folder = TempDir::new().map_err(|error| BrowserError::File("a temporary folder".into(), error))?;
    let written = write(folder.path(), &built()?).and_then(|()| fs::write(folder.path().join("before.js"), script));
    written.map_err(|error| BrowserError::File(folder.path().to_owned(), error))?;
    journey_in(folder.path(), async |page| {
        page.look(WIDE, Scheme::Light).await?;
        test(page).await
    })
    .await
}

fn write(folder: &Path, dist: &Path) -> std::io::Result<()> {
    for name in ["catalogs", "element"] {
        fs::create_dir(folder.join(name))?;
    }
    for file in fs::read_dir(dist.join("element"))? {
        let file = file?;
        fs::copy(file.path(), folder.join("element").join(file.file_name()))?;
    }
    fs::write(folder.join("index.html"), DOCUMENT)?;
    // Another package comes first, and the name of the channel looks like markup.
    let good = kettle(&["9.0.0"]).replace("kettle", "a-kettle") + "---\n" + &kettle(&["1.0.0", "1.1.0"]);
    fs::write(folder.join("catalogs/good.yaml"), good.replace("stable", "'<i>stable</i>'"))?;
    fs::write(folder.join("catalogs/broken.yaml"), kettle(&["1.0.0", "1.1.0"]).replace("image: ", "image: ["))?;
    fs::write(folder.join("index.html"), DOCUMENT)
}

/// What a script returns of the shadow root of an element.
async fn inside(page: &Page, id: &str, script: &str) -> Result<String> {
    let body = format!("const root = document.getElementById('{id}').shadowRoot; return String({script} ?? '')");
    Ok(page.eval(&body, vec![]).await?.as_str().unwrap_or_default().to_owned())
}

async fn see_inside(page: &Page, id: &str, script: &str, expected: &str) -> Result {
    see(page, &format!("`{script}` of `{id}`"), expected.to_owned(), async || inside(page, id, script).await).await
}

const ALTERNATIVE: &str = "root.querySelector('svg[role=img]')?.ariaLabel";
const FAULTS: &str = "[...root.querySelectorAll('li')].map((line) => line.textContent).join('|')";
const GROUND: &str = "getComputedStyle(root.querySelector('.ground')).fill";
const KETTLE: &str = "Update graph of kettle. Channel <i>stable</i> (default): 2 versions, head 1.1.0.";
/// Lines and columns are those of the two images, whose brackets are open.
const FAULT: &str = "catalogs/broken.yaml:17:11: not valid YAML: did not find expected ',' or ']'|\
    catalogs/broken.yaml:24:11: not valid YAML: did not find expected ',' or ']'";

#[tokio::test]
async fn a_page_embeds_a_drawing_and_shows_what_is_wrong_with_a_catalog() -> Result {
    visit(async |page| {
        see_inside(page, "good", ALTERNATIVE, KETTLE).await?;
        let labels = "[...root.querySelectorAll('.entry .label')].map((label) => label.textContent).join(' ')";
        see_inside(page, "good", labels, "1.0.0 1.1.0").await?;
        see_inside(page, "good", "root.querySelectorAll('i').length", "0").await?;
        see_inside(page, "broken", FAULTS, FAULT).await?;
        assert!(page.violations().await?.is_empty(), "{:?}", page.violations().await?);
        let mut requests = page.requests().await?;
        let folders =
            ["element/opscope-", "catalogs/", "before.js"].map(|name| format!("{}/some/where/{name}", page.origin()));
        requests.retain(|url| !folders.iter().any(|start| url.starts_with(start)) && !url.ends_with("/some/where/"));
        assert_eq!(requests, [""; 0], "nothing else is fetched");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_embedded_drawing_follows_its_theme_and_its_attributes() -> Result {
    visit(async |page| {
        see_inside(page, "good", ALTERNATIVE, KETTLE).await?;
        see_inside(page, "good", GROUND, "rgb(255, 255, 255)").await?;
        page.look(WIDE, Scheme::Dark).await?;
        see_inside(page, "good", GROUND, "rgb(16, 18, 22)").await?;
        page.eval("document.getElementById('good').setAttribute('theme', 'light')", vec![]).await?;
        see_inside(page, "good", GROUND, "rgb(255, 255, 255)").await?;
        page.eval("document.getElementById('good').setAttribute('package', 'tea')", vec![]).await?;
        see_inside(page, "good", FAULTS, "catalogs/good.yaml: the catalog has no package `tea`").await?;
        assert!(page.violations().await?.is_empty(), "{:?}", page.violations().await?);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_load_that_failed_is_tried_again() -> Result {
    visit_with(OFFLINE, async |page| {
        see_inside(page, "good", FAULTS, "catalogs/good.yaml: no network").await?;
        see_inside(page, "broken", FAULTS, "catalogs/broken.yaml: no network").await?;
        page.eval("document.querySelector('main').append(document.getElementById('good'))", vec![]).await?;
        see_inside(page, "good", ALTERNATIVE, KETTLE).await?;
        let again = "document.getElementById('broken').setAttribute('src', 'catalogs/broken.yaml')";
        page.eval(again, vec![]).await?;
        see_inside(page, "broken", FAULTS, FAULT).await
    })
    .await
}

#[tokio::test]
async fn an_element_out_of_sight_loads_when_it_is_scrolled_to() -> Result {
    visit(async |page| {
        let add = "
            const far = Object.assign(document.createElement('opscope-graph'), { id: 'far' });
            far.setAttribute('src', 'catalogs/good.yaml');
            far.setAttribute('package', 'kettle');
            far.style.marginTop = '6000px';
            document.body.append(far)";
        page.eval(add, vec![]).await?;
        see_inside(page, "good", ALTERNATIVE, KETTLE).await?;
        see_inside(page, "broken", FAULTS, FAULT).await?;
        assert_eq!(inside(page, "far", "root.childElementCount").await?, "0");
        page.eval("document.getElementById('far').scrollIntoView()", vec![]).await?;
        see_inside(page, "far", ALTERNATIVE, KETTLE).await
    })
    .await
}
