//! An OperatorGroup that the operators of its namespace do not support.

use suite::browser::{NARROW, Page, Result, Scheme, WIDE};

use crate::steps::{fill, is_accessible, read, see, see_texts};

async fn chips(page: &Page) -> Result<Vec<String>> {
    read(page, "[data-testid='verdict-chip']", "e.textContent").await
}

journey!(a_csv_that_does_not_fit_its_group_is_shown_and_the_group_is_corrected_in_the_form, async |page| {
    page.follow("example=install-mode-dropped").await?;
    see(page, "the verdict", ["✕store fails at 2.0.0"].as_slice(), || chips(page)).await?;
    let failure = "CSV store.v2.0.0 never runs: UnsupportedOperatorGroup: AllNamespaces InstallModeType not supported, \
                   cannot configure to watch all namespaces; store.v1.0.0 still runs";
    see_texts(page, "[data-testid='csv-failure'] .message", &[failure]).await?;
    for (size, scheme) in [(NARROW, Scheme::Dark), (NARROW, Scheme::Light), (WIDE, Scheme::Dark), (WIDE, Scheme::Light)]
    {
        page.look(size, scheme).await?;
        is_accessible(page).await?;
    }
    fill(&page.test_id("target-namespaces").await?, "operators").await?;
    see(page, "the verdict", ["✓store → 2.0.0"].as_slice(), || chips(page)).await?;
    see_texts(page, "[data-testid='csv-failure']", &[]).await?;
    Ok(())
});
