//! How fast real catalogs are read: every file below the folder that `OPSCOPE_CATALOGS` names, on one thread; how fast
//! `serde_yaml` makes trees of the same texts, for comparison; and what an edit costs when they all are one text.

use serde::Deserialize;
use source::{FileId, LineIndex, TextEdit};
use std::fs;
use std::io;
use std::path::Path;

const ROUNDS: u32 = 5;

#[expect(clippy::print_stdout, reason = "a bench prints what it measured")]
#[expect(clippy::disallowed_methods, reason = "a bench reads the clock; it never runs on wasm32")]
fn main() -> io::Result<()> {
    let Some(folder) = std::env::var_os("OPSCOPE_CATALOGS") else {
        println!("skipped: set OPSCOPE_CATALOGS to a folder of catalogs");
        return Ok(());
    };
    let mut texts = Vec::new();
    collect(Path::new(&folder), &mut texts)?;
    let bytes: usize = texts.iter().map(String::len).sum();
    for round in 1..=ROUNDS {
        let start = std::time::Instant::now();
        let parses: Vec<_> = texts.iter().map(|text| fbc::parse(FileId(0), text)).collect();
        let elapsed = start.elapsed();
        let docs: usize = parses.iter().map(|parse| parse.docs.len()).sum();
        let findings: usize = parses.iter().map(|parse| parse.diagnostics.len()).sum();
        let speed = bytes as f64 / 1e6 / elapsed.as_secs_f64();
        println!("round {round}: {bytes} bytes, {docs} documents, {findings} findings, {elapsed:?}, {speed:.0} MB/s");
    }
    let start = std::time::Instant::now();
    let docs: usize = texts.iter().map(|text| trees(text)).sum();
    let elapsed = start.elapsed();
    let speed = bytes as f64 / 1e6 / elapsed.as_secs_f64();
    println!("serde_yaml: {docs} documents, {elapsed:?}, {speed:.0} MB/s");
    edits(texts.join("\n---\n"));
    Ok(())
}

/// Types a letter at several places of a text.
#[expect(clippy::print_stdout, reason = "a bench prints what it measured")]
#[expect(clippy::disallowed_methods, reason = "a bench reads the clock; it never runs on wasm32")]
fn edits(mut text: String) {
    let mut reading = fbc::Reading::new(FileId(0));
    while !reading.step(&text, 1 << 20) {}
    reading.take_changes();
    let mut lines = LineIndex::new(&text);
    for part in 0..5 {
        let from = text.floor_char_boundary(text.len() / 5 * part);
        let at = from + text[from..].find("name: ").unwrap_or_default() + "name: ".len();
        text.insert(at, 'x');
        let edit = TextEdit { start: at as u32, end: at as u32, text: "x".to_owned() };
        let start = std::time::Instant::now();
        lines.edit(&text, &edit);
        let lined = start.elapsed();
        reading.edit(&text, &edit);
        while !reading.step(&text, 1 << 20) {}
        let read = start.elapsed() - lined;
        let changes = reading.take_changes();
        println!("edit at byte {at} of {}: lines {lined:?}, documents {:?} {read:?}", text.len(), changes.added);
    }
    assert!(*reading.parse() == fbc::parse(FileId(0), &text), "an edit led to something else than the text says");
}

/// How many documents `serde_yaml` reads.
fn trees(text: &str) -> usize {
    let documents = serde_yaml::Deserializer::from_str(text);
    documents.filter_map(|document| serde_yaml::Value::deserialize(document).ok()).count()
}

fn collect(folder: &Path, texts: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, texts)?;
        } else {
            texts.push(fs::read_to_string(path)?);
        }
    }
    Ok(())
}
