//! What `serde_json` takes to skip the values of a file of concatenated JSON, or of several: `cargo xtask bench` measures it
//! beside Opscope, as a limit that no parser with places comes near.

use serde::de::IgnoredAny;
use std::fs;
use std::io;

fn main() -> io::Result<()> {
    let mut values = 0;
    for path in std::env::args_os().skip(1) {
        let text = fs::read_to_string(path)?;
        for value in serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>() {
            value?;
            values += 1;
        }
    }
    // A value for each document, or nothing was measured.
    if values == 0 { Err(io::Error::other("there is no value")) } else { Ok(()) }
}
