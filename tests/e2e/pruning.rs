//! A skipRange in place of `replaces`: what the finding says and what the graph shows.

use crate::steps::{click, drop_fixture, read, see, see_texts, select_package, texts};

journey!(the_finding_names_the_pruned_entries_and_the_open_range, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    click(page, "tab-findings").await?;
    let rules = async || read(page, "[data-testid='finding-row']", "e.dataset.rule").await;
    // The head also requires an API that nothing in the folder provides.
    let expected = ["skip-range-pruning", "unsatisfiable-requirement"].as_slice();
    see(page, "the rules", expected, rules).await?;
    let message = texts(page, "[data-testid='finding-row'] .message").await?.join("\n");
    for part in [
        "kettle.v2.0.0 has skipRange <2.0.0 but no replaces",
        "channel fast does not list 1.0.0, 1.1.0, 1.2.0, 1.3.0",
        "no startingCSV can name them and no update leads to them",
        "the range has no lower bound",
    ] {
        assert!(message.contains(part), "expected `{part}` in `{message}`");
    }
    Ok(())
});

journey!(the_graph_draws_the_range_as_a_band_that_warns, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    see_texts(page, ".band.warns text", &["<2.0.0 · covers 4 versions, 4 not in channel"]).await?;
    assert_eq!(page.all(".band.warns .arrow").await?.len(), 1, "an arrow from the band to the entry");
    // The rim, and the arrow that says that the range goes on below.
    assert_eq!(page.all("[data-testid='graph'] .band.warns > .rim").await?.len(), 2, "the rims of the band");
    Ok(())
});
