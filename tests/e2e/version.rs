//! The version of the page.

use suite::browser::Result;

use crate::steps::{click, read, visit};

#[tokio::test]
async fn the_menu_has_the_version() -> Result {
    visit(async |page| {
        click(page, "page-menu").await?;
        let version = read(page, "[data-testid='version']", "e.textContent").await?.concat();
        assert!(version.starts_with(concat!("Opscope ", env!("CARGO_PKG_VERSION"))), "{version}");
        Ok(())
    })
    .await
}
