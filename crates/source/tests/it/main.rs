//! Text with Markdown in it.

mod markdown;
