//! Measures how long a large catalog image takes from the drop to all findings, and the memory of that.

use std::fs::File;
use std::io::{BufWriter, Read};
use std::path::Path;
use std::time::Duration;

use suite::browser::{BrowserError, Result, Scheme, WIDE, journey};
use tempfile::TempDir;

use super::loads::{MEMORY, WATCH_WORKER, number};
use super::terminal::say;

/// The bytes of each of the two layers that have no catalog.
const OTHER_LAYER: u64 = 450 << 20;
/// The time between two looks at the page, and how many there are: a load may take three minutes.
const PAUSE: Duration = Duration::from_millis(200);
const LOOKS: usize = 900;

const HEAD: &str = "a catalog image in Chromium      MB      ms  worker MB  peak of the page's process MB";

/// Makes an image with the catalogs of a folder in its last layer, and loads it.
pub(super) async fn measure(catalogs: &Path) -> Result {
    let folder = TempDir::new().map_err(|error| BrowserError::NotReady(error.to_string()))?;
    let image = folder.path().join("image.tar");
    let bytes = make(catalogs, &image).map_err(|error| BrowserError::File(image.clone(), error))?;
    say(HEAD);
    journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        page.eval(WATCH_WORKER, vec![]).await?;
        page.drop_paths(&[&image]).await?;
        let mut took = None;
        for _ in 0..LOOKS {
            tokio::time::sleep(PAUSE).await;
            took = page.eval("return window.loaded?.took ?? null", vec![]).await?.as_f64();
            if took.is_some() {
                break;
            }
        }
        let took = took.ok_or_else(|| BrowserError::Unexpected("expected a load".to_owned()))?;
        let worker = number(&page.eval(MEMORY, vec![]).await?)? / 1e6;
        let process = largest_renderer() as f64 / 1e6;
        say(&format!(
            "{:<28} {:>7.0} {took:>7.0} {worker:>10.0} {process:>30.0}",
            "docker-archive",
            bytes as f64 / 1e6
        ));
        Ok(())
    })
    .await
}

/// Writes an image as `docker save` does: two layers of random bytes, and one with the catalogs below `/configs`. Returns its
/// size in bytes.
fn make(catalogs: &Path, path: &Path) -> std::io::Result<u64> {
    let mut image = tar::Builder::new(BufWriter::new(File::create(path)?));
    let mut append = |name: &str, size: u64, reader: &mut dyn Read| {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o644);
        image.append_data(&mut header, name, reader)
    };
    // A layer is a tar of one file: its header, its bytes, and the two empty blocks at the end.
    let mut header = tar::Header::new_gnu();
    header.set_path("usr/bin/opm")?;
    header.set_size(OTHER_LAYER);
    header.set_mode(0o755);
    header.set_cksum();
    for name in ["1.tar", "2.tar"] {
        let random = File::open("/dev/urandom")?.take(OTHER_LAYER);
        let mut layer = header.as_bytes().chain(random).chain(&[0; 1024][..]);
        append(name, OTHER_LAYER + 512 + 1024, &mut layer)?;
    }
    let mut configs = tar::Builder::new(Vec::new());
    configs.append_dir_all("configs", catalogs)?;
    let configs = configs.into_inner()?;
    append("3.tar", configs.len() as u64, &mut configs.as_slice())?;
    let labels = br#"{"config":{"Labels":{"operators.operatorframework.io.index.configs.v1":"/configs"}}}"#;
    append("config.json", labels.len() as u64, &mut &labels[..])?;
    let manifest =
        br#"[{"Config":"config.json","RepoTags":["example.com/catalog:v1"],"Layers":["1.tar","2.tar","3.tar"]}]"#;
    append("manifest.json", manifest.len() as u64, &mut &manifest[..])?;
    image.into_inner()?.into_inner()?.metadata().map(|file| file.len())
}

/// The highest peak of memory of the processes that show pages, in bytes; 0 where there is no `/proc`.
fn largest_renderer() -> u64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    processes.filter(|process| is_renderer(process)).filter_map(|process| peak(&process)).max().unwrap_or_default()
}

fn is_renderer(process: &Path) -> bool {
    let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).contains("--type=renderer")
}

fn peak(process: &Path) -> Option<u64> {
    let status = std::fs::read_to_string(process.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
