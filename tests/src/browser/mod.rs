//! The built app in a real browser, driven over WebDriver.
//!
//! A [`journey()`] serves `dist/` below a sub-path, opens it in a headless Chrome and gives the test a [`Page`]. A journey
//! fails by itself on an error in the console and on a request to another host. Journeys share browsers, one after the
//! other; each finds its browser as if it were new.

mod axe;
mod command;
mod driver;
mod error;
mod files;
mod find;
mod frames;
mod journey;
mod look;
mod page;
mod pointer;
mod pool;
mod record;
mod site;

pub use fantoccini::elements::Element;
pub use fantoccini::key::Key;

pub use error::{BrowserError, Result};
pub use find::Role;
pub use frames::Motion;
pub use journey::{journey, journey_at, journey_in, quick_journey};
pub use look::{NARROW, Scheme, ULTRA_WIDE, Viewport, WIDE};
pub use page::Page;
pub use pointer::Point;
pub use record::{LongTask, RECORD};
pub use site::built;
