//! The built app in a real browser, driven over WebDriver.
//!
//! A [`journey()`] serves `dist/` below a sub-path, opens it in a headless Chrome and gives the test a [`Page`]. A journey
//! fails by itself on an error in the console and on a request to another host. Journeys share browsers, one after the
//! other; each finds its browser as if it were new.

mod driver;
mod find;
mod journey;
mod page;
mod pointer;
mod record;
mod site;

pub use fantoccini::elements::Element;
pub use fantoccini::key::Key;
pub use find::Role;
pub use journey::{BrowserError, Result, journey, journey_at, journey_in, quick_journey};
pub use page::{FULL, NARROW, Page, Scheme, ULTRA_WIDE, Viewport, WIDE};
pub use pointer::Point;
pub use record::{LongTask, Motion, RECORD};
pub use site::{built, slow_site};
