//! Takes the names of functions out of modules: a quarter of a release module, of use to a debugger only.

use std::fs;
use std::path::Path;

use wasm_encoder::{Module, RawSection};
use wasmparser::{Parser, Payload};

use crate::failure::{About, Failure, Result};

/// Rewrites every module in a folder without its names.
pub(crate) fn remove_all(folder: &Path) -> Result {
    for file in fs::read_dir(folder).about(folder)? {
        let path = file.about(folder)?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            let module = without_names(&fs::read(&path).about(&path)?)
                .map_err(|error| Failure::new(format!("`{}` is not a module: {error}", path.display())))?;
            fs::write(&path, module).about(&path)?;
        }
    }
    Ok(())
}

fn without_names(module: &[u8]) -> wasmparser::Result<Vec<u8>> {
    let mut stripped = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        let is_names = matches!(&payload, Payload::CustomSection(section) if section.name() == "name");
        if let Some((id, range)) = payload.as_section().filter(|_| !is_names) {
            stripped.section(&RawSection { id, data: &module[range.start as usize..range.end as usize] });
        }
    }
    Ok(stripped.finish())
}

#[cfg(test)]
mod tests {
    use super::without_names;

    #[test]
    fn only_names_are_taken_out() {
        let header = *b"\0asm\x01\0\0\0";
        let names = *b"\0\x05\x04name";
        let other = *b"\0\x02\x01x";
        let types = *b"\x01\x01\0";
        let module = [&header[..], &types, &names, &other].concat();
        assert_eq!(without_names(&module).unwrap(), [&header[..], &types, &other].concat());
        assert!(without_names(b"no module").is_err());
    }
}
