//! The documentation that is deployed with the page.

use crate::steps::{click, read, see};

journey!(the_menu_leads_to_the_documentation, async |page| {
    click(page, "page-menu").await?;
    let address = read(page, "[data-testid='documentation']", "e.href").await?.concat();
    page.eval("location.href = arguments[0]", vec![address.into()]).await?;
    let title = async || Ok(read(page, "main h1", "e.textContent").await?.concat());
    see(page, "the title of the first chapter", "Getting started".to_owned(), title).await
});

// Journeys fail on a request to another host, and on an error in the console.
journey!(a_rule_is_found_by_the_search_of_the_documentation, async |page| {
    page.eval("location.href = 'docs/rules/downgrade.html'", vec![]).await?;
    let title = async || Ok(read(page, "main h1", "e.textContent").await?.concat());
    see(page, "the title of the page of a rule", "downgrade".to_owned(), title).await?;
    page.press("/").await?;
    page.css("#mdbook-searchbar").await?.send_keys("stuck-entry").await?;
    let first = async || {
        let links = read(page, "#mdbook-searchresults a", "e.pathname.split('/').at(-1)").await?;
        Ok(links.first().cloned().unwrap_or_default())
    };
    see(page, "the page of the first result", "stuck-entry.html".to_owned(), first).await
});
