//! Files that are not catalogs, dropped together with a catalog: each gets a message, and the catalog is shown.

use suite::inputs::{bomb, deep};

use crate::steps::{click, see, see_packages, see_source, see_texts, texts};

// Loose files are catalogs of their own: a bad one cannot spoil another.
journey!(bad_files_beside_a_good_one_are_catalogs_of_their_own, async |page| {
    let water = include_str!("fixtures/spring/catalog.yaml");
    page.test_id("empty").await?;
    let files = [("water.yaml", water), ("empty.yaml", ""), ("deep.yaml", &deep()), ("bomb.yaml", &bomb())];
    page.drop_texts("body", &files).await?;
    see_packages(page, &["water"]).await?;
    // The empty one is none.
    see(page, "the number of catalogs", 3, async || Ok(texts(page, "[data-testid='catalog-chip']").await?.len())).await
});

// A file in another encoding is shown, with a finding at its first byte that is not UTF-8.
journey!(a_byte_that_is_not_utf_8_is_pointed_at, async |page| {
    const DROP: &str = "
        const text = 'schema: olm.package\\nname: cup\\ndescription: caf\\xe9\\n';
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(text, (c) => c.charCodeAt(0))], 'cup.yaml'));
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))";
    page.test_id("empty").await?;
    page.eval(DROP, vec![]).await?;
    see_packages(page, &["cup"]).await?;
    click(page, "tab-findings").await?;
    page.text("cup.yaml:3:17").await?.click().await?;
    see_source(page, "schema: olm.package\nname: cup\ndescription: caf\u{fffd}\n").await?;
    see_texts(page, "[data-testid='source-read-only']", &["read only: it is not UTF-8"]).await
});
