//! Markup in a catalog is text: it is shown as written, and its scripts never run.

use suite::browser::Result;

use crate::steps::{click, paste, read, see_packages, see_texts, subscribe};

const PACKAGE: &str = "<script>window.ran='name'</script>";
const CHANNEL: &str = "<img src=x onerror=window.ran='channel'>";
const ENTRY: &str = "<svg onload=window.ran='entry'>.v1.0.0";

/// An SVG icon with a script in it: `<svg xmlns="http://www.w3.org/2000/svg"><script>top.ran='icon'</script></svg>`.
const ICON: &str =
    "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxzY3JpcHQ+dG9wLnJhbj0naWNvbic8L3NjcmlwdD48L3N2Zz4=";

fn catalog() -> String {
    format!(
        "\
schema: olm.package
name: \"{PACKAGE}\"
defaultChannel: \"{CHANNEL}\"
description: \"<img src=x onerror=window.ran='description'>\"
icon: {{mediatype: image/svg+xml, base64data: {ICON}}}
---
schema: olm.channel
package: \"{PACKAGE}\"
name: \"{CHANNEL}\"
entries:
- name: \"{ENTRY}\"
  skipRange: \"<b onmouseover=window.ran='range'>\"
---
schema: olm.bundle
name: \"{ENTRY}\"
package: \"{PACKAGE}\"
image: registry.example.com/markup:v1.0.0
properties:
- {{type: olm.package, value: {{packageName: \"{PACKAGE}\", version: 1.0.0}}}}
- {{type: olm.package.required, value: {{packageName: \"<script>window.ran='required'</script>\", versionRange: '>=1.0.0'}}}}
"
    )
}

journey!(markup_is_shown_as_text_everywhere_and_never_runs, async |page| {
    paste(page, &catalog()).await?;
    see_packages(page, &[PACKAGE]).await?;
    see_texts(page, "[data-testid='package-title']", &[PACKAGE]).await?;
    page.test_id("graph-node").await?.click().await?;
    see_texts(page, "[data-testid='entry-name']", &[ENTRY]).await?;
    for tab in ["table", "findings", "source", "graph"] {
        click(page, &format!("tab-{tab}")).await?;
        nothing_ran(page, tab).await?;
    }
    subscribe(page, &[("installed", ENTRY)]).await?;
    page.test_id("verdict").await?;
    nothing_ran(page, "simulation").await
});

async fn nothing_ran(page: &suite::browser::Page, place: &str) -> Result {
    let ran = page.eval("return window.ran ?? null", vec![]).await?;
    assert!(ran.is_null(), "a script from the {ran} of the catalog ran in {place}");
    let made =
        read(page, "img[src='x'], [onerror], [onload], [onmouseover], body script:not([src])", "e.outerHTML").await?;
    assert_eq!(made, [""; 0], "markup of the catalog became elements in {place}");
    Ok(())
}
