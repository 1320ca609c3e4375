//! The targets, a file each, from the text upwards.

mod archive;
mod bundle;
mod cel;
mod constraint;
mod graph;
mod ignore;
mod image_set;
mod manifests;
mod range;
mod recognise;
mod resolution;
mod stream;
mod template;
mod text;
mod trees;
mod version;
mod workbench;
mod write;

pub use archive::check as archive;
pub use bundle::check as bundle;
pub use cel::check as cel;
pub use constraint::check as constraint;
pub use graph::check as graph;
pub use ignore::check as ignore;
pub use image_set::check as image_set;
pub use manifests::check as manifests;
pub use range::check as range;
pub use recognise::check as recognise;
pub use resolution::check as resolution;
pub use stream::check as stream;
pub use template::check as template;
pub use trees::check as trees;
pub use version::check as version;
pub use workbench::check as workbench;
pub use write::check as write;
