//! The built app in a real browser, driven over WebDriver.
//!
//! [`journey()`] serves `dist/` below a sub-path, opens it in a headless Chrome and hands a [`Page`] to
//! the test. A journey fails by itself when the console holds an error or a request left the machine.

mod axe;
mod driver;
mod error;
mod files;
mod find;
mod frames;
mod journey;
mod look;
mod page;
mod pointer;
mod record;
mod site;

pub use fantoccini::elements::Element;
pub use fantoccini::key::Key;

pub use error::{BrowserError, Result};
pub use find::Role;
pub use frames::Motion;
pub use journey::{journey, journey_of};
pub use look::{NARROW, Scheme, ULTRA_WIDE, Viewport, WIDE};
pub use page::Page;
pub use pointer::Point;
pub use record::LongTask;
pub use site::built;
