//! The page and the worker: each built, split into modules that load on demand (`on_demand.rs` in its crate), and bound to
//! JavaScript.
//!
//! Trunk knows nothing of split modules, so its hook after a build calls this.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use wasm_encoder::RawSection;
use wasm_split_cli_support::{Options, transform};
use wasmparser::{Parser, Payload};
use xshell::cmd;

use crate::dist::PROFILE;
use crate::setup::{self, WASM};
use crate::workspace::{self, files_below};

/// The script that loads the other modules; the splitter's default.
const LOADER: &str = "__wasm_split.js";

/// How that script compiles a module: only if the server says that it is one.
const COMPILE: &str = "WebAssembly.instantiateStreaming(src, imports)";

/// Compiles also what a server sends with another media type, as the glue of wasm-bindgen does with the first module.
const COMPILE_ANY: &str = "src.then((file) => file.headers.get(\"Content-Type\") === \"application/wasm\"
        ? WebAssembly.instantiateStreaming(file, imports)
        : file.arrayBuffer().then((bytes) => WebAssembly.instantiate(bytes, imports)))";

/// Builds a package and writes its files to a folder of this name, which is replaced. The files of its first module have
/// the name of the package, too.
pub(crate) fn build(package: &str, into: &Path, is_release: bool) -> Result<()> {
    let shell = setup::wasm_bindgen()?.shell()?;
    let (profile, built) = if is_release { (PROFILE, PROFILE) } else { ("dev", "debug") };
    // The splitter follows relocations, and tells functions by their names.
    cmd!(shell, "cargo rustc --package {package} --bin {package} --target {WASM} --profile {profile}")
        .args(["--", "-Clink-arg=--emit-relocs", "-Cstrip=debuginfo"])
        .run()?;
    let input = fs::read(workspace::target().join(WASM).join(built).join(package).with_extension("wasm"))?;
    let folder = into.join(package);
    let split = workspace::target().join("split").join(package);
    for folder in [&folder, &split] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    let first = split.join(package).with_extension("wasm");
    let glue = format!("./{package}.js");
    let mut options = Options::new(&input);
    options.output_dir = &split;
    options.main_out_path = &first;
    options.main_module = &glue;
    transform(options).map_err(|error| anyhow!("{error:#}")).with_context(|| format!("{package} cannot be split"))?;
    // wasm-bindgen would take out exports that only the other modules use.
    cmd!(
        shell,
        "wasm-bindgen {first} --target web --no-typescript --no-demangle --keep-lld-exports --out-dir {folder}"
    )
    .run()?;
    fs::remove_file(first)?;
    let loader = split.join(LOADER);
    fs::write(&loader, with_any_media_type(&fs::read_to_string(&loader)?)?)?;
    for file in files_below(&split)? {
        fs::copy(&file, folder.join(file.file_name().context("a file has a name")?))?;
    }
    Ok(())
}

/// Takes the names of functions out of all modules below a folder. wasm-bindgen names functions of modules that had none.
pub(crate) fn remove_names(folder: &Path) -> Result<()> {
    for file in files_below(folder)?.iter().filter(|file| file.extension().is_some_and(|end| end == "wasm")) {
        fs::write(file, without_names(&fs::read(file)?)?)?;
    }
    Ok(())
}

/// Whether a file of `build` is a module that is loaded on demand. The first module has another name.
pub(crate) fn is_on_demand(file: &Path) -> bool {
    let is_named = |name: &str| name.ends_with(".wasm") && (name.starts_with("split_") || name.starts_with("chunk_"));
    file.file_name().and_then(|name| name.to_str()).is_some_and(is_named)
}

fn with_any_media_type(loader: &str) -> Result<String> {
    ensure!(loader.contains(COMPILE), "the splitter writes another `{LOADER}`: expected `{COMPILE}` in it");
    Ok(loader.replace(COMPILE, COMPILE_ANY))
}

/// A module without the names of its functions, which are a quarter of it and of use to a debugger only.
fn without_names(module: &[u8]) -> Result<Vec<u8>> {
    let mut kept = wasm_encoder::Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        let is_names = matches!(&payload, Payload::CustomSection(section) if section.name() == "name");
        if let Some((id, range)) = payload.as_section().filter(|_| !is_names) {
            let data = &module[usize::try_from(range.start)?..usize::try_from(range.end)?];
            kept.section(&RawSection { id, data });
        }
    }
    Ok(kept.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_any_media_type_are_compiled() {
        let loader = "load(async (imports) => (WebAssembly.instantiateStreaming(src, imports)))";
        let changed = with_any_media_type(loader).unwrap();
        assert!(changed.starts_with("load(async (imports) => (src.then((file) => "), "{changed}");
        assert!(with_any_media_type("load(src)").is_err());
    }

    #[test]
    fn names_are_left_out_and_nothing_else() {
        let header = b"\0asm\x01\0\0\0";
        let names = b"\0\x07\x04name\x01\x00";
        let (other, memory) = (b"\0\x06\x05other", b"\x05\x03\x01\0\x01");
        let module = [&header[..], other, names, memory].concat();
        assert_eq!(without_names(&module).unwrap(), [&header[..], other, memory].concat());
    }
}
