//! What the model is built from.

use fbc::Parse;

/// A parsed file and the text it was parsed from.
#[derive(Clone, Copy, Debug)]
pub struct ParsedFile<'a> {
    pub text: &'a str,
    pub parse: &'a Parse,
}
