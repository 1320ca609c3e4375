//! The version of the page.

use crate::steps::{click, read};

journey!(the_menu_has_the_version, async |page| {
    click(page, "page-menu").await?;
    let version = read(page, "[data-testid='version']", "e.textContent").await?.concat();
    assert!(version.starts_with(concat!("Opscope ", env!("CARGO_PKG_VERSION"))), "{version}");
    Ok(())
});
