//! How answers are written: text for a terminal, Markdown, SARIF, and workflow commands of GitHub Actions, each once.
//!
//! A command makes a [`Report`] of its answer: what is reported, with its grade, rule, places and notes. Every format writes all of
//! it that the format can show, so a limit that cuts is the same in all of them. JSON is the view of the answer itself; where a
//! contract names other fields, their types are in [`contract`].

mod comparison;
pub mod contract;
mod excerpt;
pub mod github;
mod item;
mod markdown;
mod plan;
mod printer;
pub mod sarif;
mod table;

pub use comparison::{ComparedCatalogs, Comparison};
pub use excerpt::{Excerpt, excerpt, write_with_excerpt};
pub use item::{
    Block, CATALOG_CHANGE, Grade, Item, NOT_COMPARABLE, NOT_SERVED, Note, Report, Spot, merged, standings, together,
    verdict,
};
pub use markdown::{to_markdown, to_markdown_for_html};
pub use plan::{new_in_sets, plans, repairs, sets};
pub use printer::{Answer, Paint, Places, Printer, Terminal};
pub use table::{Cell, Table};
