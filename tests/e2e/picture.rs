//! The picture on the start page: a drawing of the example, as the app exports it.

use suite::browser::{Page, Result, Scheme, WIDE};

use crate::steps::{click, read, see, visit};

/// The text of the picture that the page shows.
async fn shown(page: &Page) -> Result<String> {
    let fetch = "
        const request = new XMLHttpRequest();
        request.open('GET', document.querySelector(\"[data-testid='picture'] img\").currentSrc, false);
        request.send();
        return request.responseText";
    Ok(page.eval(fetch, vec![]).await?.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn the_picture_is_the_drawing_that_it_opens() -> Result {
    const KEEP: &str = "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }";
    for scheme in [Scheme::Light, Scheme::Dark] {
        visit(async |page| {
            page.look(WIDE, scheme).await?;
            let size = async |script| Ok(read(page, "[data-testid='picture'] img", script).await?.join(""));
            let room = size("e.getAttribute('width') / e.getAttribute('height')").await?;
            let loaded = async || size("e.naturalWidth / e.naturalHeight").await;
            see(page, "the ratio of the picture, for which the page leaves room", room, loaded).await?;
            // The browser may still show the picture of the other scheme.
            let name = if scheme == Scheme::Dark { "drawing-dark" } else { "drawing-light" };
            let current = async || Ok(size("e.currentSrc").await?.contains(name));
            see(page, "the picture of the colour scheme", true, current).await?;
            let picture = shown(page).await?;
            page.eval(KEEP, vec![]).await?;
            click(page, "picture").await?;
            click(page, "tab-graph").await?;
            click(page, "drawing-menu").await?;
            // The drawing changes once more when the findings arrive.
            const COPY: &str =
                "document.querySelector(\"[data-testid='copy-svg']\").click(); return window.copied ?? ''";
            let drawn = async || Ok(page.eval(COPY, vec![]).await?.as_str() == Some(&*picture));
            see(page, "whether the picture is current; `cargo xtask shots` takes it again", true, drawn).await
        })
        .await?;
    }
    Ok(())
}
