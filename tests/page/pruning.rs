//! A skipRange in place of `replaces`: what the finding says and what the graph shows.

use opscope_app::store::Tab;

use crate::page::Page;

#[test]
fn the_finding_names_the_pruned_entries_and_the_open_range() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    page.choose_tab(Tab::Findings);
    // The head also requires an API that nothing in the folder provides.
    let rules = page.all("[data-testid='finding-row']", "data-rule");
    assert_eq!(rules, ["skip-range-pruning", "unsatisfiable-requirement"]);
    let message = page.texts("[data-testid='finding-row'] .message").join("\n");
    for part in [
        "2.0.0 has skipRange <2.0.0 but no replaces",
        "channel fast does not list 1.0.0, 1.1.0, 1.2.0, 1.3.0",
        "no startingCSV can name them and no update leads to them",
        "the range has no lower bound",
    ] {
        assert!(message.contains(part), "expected `{part}` in `{message}`");
    }
}

#[test]
fn the_graph_draws_the_range_as_a_band_that_warns() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    assert_eq!(page.texts(".band.warns text"), ["<2.0.0 · covers 4 versions"]);
    assert_eq!(page.texts(".band.warns .arrow").len(), 1, "an arrow from the band to the entry");
    // The rim, and the arrow that says that the range goes on below.
    assert_eq!(page.texts("[data-testid='graph'] .band.warns > .rim").len(), 2, "the rims of the band");
}
