//! Comparisons of small catalogs.

mod causes;
mod changes;
mod cluster;
mod extensions;
mod fixtures;
mod properties;
mod providers;
mod rows;

use catalog::{Catalog, ParsedFile, lower};
use compare::{Budget, Explained, Explanation, Group, Listings, PackageComparison, Search, State};
use resolver::Listing;
use source::FileId;
use std::sync::Arc;

/// A catalog of package `p`, whose default channel is `stable`, in the notation of `fixture`.
fn catalog(notation: &str) -> Catalog {
    lowered(&fixture::yaml(&format!("package p, default stable\n{notation}")))
}

fn state(catalog: &Catalog) -> State<'_> {
    State { catalog, rejected: None }
}

/// The explanations of groups of rows, searched in pieces of so much work.
fn explained(
    (old, new): (&Catalog, &Catalog),
    comparison: &PackageComparison,
    groups: &[Group<'_>],
    piece: usize,
) -> Vec<Explanation> {
    let [before, after] = [old, new].map(|catalog| Arc::new(Listing::of(catalog)));
    let listings = &|| Listings { old: Arc::clone(&before), new: Arc::clone(&after), others: Vec::new() };
    let of = Explained { old: state(old), new: state(new), comparison, is_written: true, listings };
    let (mut search, budget) = (Search::default(), Budget::of(1, 0, ::cluster::Budget::default()));
    loop {
        budget.begin_piece(piece);
        if search.advance(of, groups, &budget) {
            return search.found;
        }
    }
}

fn lowered(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(0), text);
    assert_eq!(parse.diagnostics, []);
    lower(&[ParsedFile { text, parse: &parse }]).0
}
