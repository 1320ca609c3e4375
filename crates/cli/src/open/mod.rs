//! `opscope open`: serves the page on a loopback address, opens it in the browser with what is named, and follows the files.
//!
//! The page is what it is on any other host: it asks the server for the files, and takes them as if they were dropped. The server
//! has a fixed set of pages and of files; no request leads to another file.

mod inputs;
mod server;
mod watch;

use crate::args::Open;
use crate::folder;
use crate::output::{Failure, say, written};
use crate::places::{shown_path, some};
use hyper::body::Bytes;
use inputs::Inputs;
use server::Server;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::watch::channel;

/// The random bytes of a token. Nobody guesses 256 bits.
const TOKEN: usize = 32;

/// Serves until the program is ended. The one line of output is the address, with the token in its fragment.
pub(crate) fn run(arguments: &Open, out: &mut dyn Write) -> Result<bool, Failure> {
    let Open { paths, before: baseline, cluster, running, write, port, no_browser, page } = arguments;
    let cluster = if running.is_used() && cluster.is_none() { &Some(inputs::LIVE.into()) } else { cluster };
    let page = Page::of(page.as_deref())?;
    let inputs = Arc::new(Mutex::new(Inputs::read(paths, baseline.as_deref(), cluster.as_deref(), running, *write)?));
    let token = token()?;
    let failed = |error: std::io::Error| format!("cannot serve the page on 127.0.0.1: {error}");
    let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let port = port.unwrap_or(0);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.map_err(|error| format!("cannot serve the page on 127.0.0.1:{port}: {error}"))?;
        let address = listener.local_addr().map_err(failed)?;
        let url = format!("http://{address}/#open={token}");
        writeln!(out, "{url}").and_then(|()| out.flush()).map_err(written)?;
        let followed: BTreeSet<String> = locked(&inputs).watched().map(shown_path).collect();
        let followed = if followed.is_empty() { "no files".to_owned() } else { some(&followed) };
        say(&format!("the page follows {followed}; Ctrl+C ends it"));
        let versions = channel(0).0;
        watch::watch(&inputs, versions.clone());
        if cluster.as_deref().is_some_and(inputs::is_meant) {
            inputs::follow(&inputs, running.clone(), versions.clone());
        }
        if !no_browser && let Err(error) = open::that_detached(&url) {
            say(&format!("cannot open a browser ({error}); open the address above in one"));
        }
        Server::new(page, token, address.port(), inputs, versions).serve(listener).await;
        Ok(true)
    })
}

/// The inputs. Whoever panicked while having them left them as they were: they change in one step at the end.
fn locked(inputs: &Mutex<Inputs>) -> MutexGuard<'_, Inputs> {
    inputs.lock().unwrap_or_else(PoisonError::into_inner)
}

fn token() -> Result<String, Failure> {
    let mut bytes = [0; TOKEN];
    getrandom::fill(&mut bytes).map_err(|error| format!("cannot make a token: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

// The files of the page: those that the program was built with, or those of a folder.

/// The document, which `/` stands for.
const INDEX: &str = "index.html";
/// What makes the page install its service worker. Nothing of it is to stay in the browser behind the address of a program that
/// has ended: another program may get the same port.
const SERVICE_WORKER: &str = "<meta content=sw.js name=opscope-offline>";

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// All files that are served without a token, by their paths. `NAME.br` is `NAME` compressed, which may be missing itself.
pub(crate) struct Page(BTreeMap<String, Bytes>);

/// The end of the name of a file that is compressed with brotli.
const PACKED: &str = ".br";

impl Page {
    /// The page in a folder, or the one in the program.
    ///
    /// # Errors
    /// When the folder has no page, or the program has none.
    pub(crate) fn of(folder: Option<&Path>) -> Result<Self, Failure> {
        let mut page = match folder {
            Some(folder) => Self::in_folder(folder)?,
            None => Self::in_program()?,
        };
        if let Some(index) = page.0.get_mut(INDEX) {
            *index = Bytes::from(String::from_utf8_lossy(index).replace(SERVICE_WORKER, ""));
        }
        Ok(page)
    }

    /// The path and the bytes of what a request asks for, and whether they are compressed with brotli. They are if they can be and
    /// `takes_packed`.
    pub(crate) fn file<'p>(&self, path: &'p str, takes_packed: bool) -> Option<(&'p str, Bytes, bool)> {
        let path = path.strip_prefix('/')?;
        let path = if path.is_empty() { INDEX } else { path };
        match (self.0.get(path), self.0.get(&format!("{path}{PACKED}"))) {
            (_, Some(packed)) if takes_packed => Some((path, packed.clone(), true)),
            (Some(bytes), _) => Some((path, bytes.clone(), false)),
            (None, packed) => {
                let mut bytes = Vec::new();
                brotli::BrotliDecompress(&mut &**packed?, &mut bytes).ok()?;
                Some((path, Bytes::from(bytes), false))
            }
        }
    }

    fn in_program() -> Result<Self, Failure> {
        if PAGE.is_empty() {
            let first = "this program was built without the page, which the archives of a release have in the program";
            let help = "  unpack `dist.tar.gz` of the same release, or build the page with `cargo xtask build`, and name its \
                        folder with `--page`";
            return Err(Failure::of_lines([first, help].map(str::to_owned)));
        }
        let file = |&(path, bytes): &(&str, &'static [u8])| (path.to_owned(), Bytes::from_static(bytes));
        Ok(Self(PAGE.iter().map(file).collect()))
    }

    fn in_folder(folder: &Path) -> Result<Self, Failure> {
        let mut files = BTreeMap::new();
        for file in folder::files(folder)? {
            let bytes = file.content.map_err(|error| format!("cannot read `{}`: {error}", file.path))?;
            files.insert(file.path, Bytes::from(bytes));
        }
        if !files.contains_key(INDEX) {
            return Err(format!("`{}` has no page; expected a folder with `{INDEX}`", shown_path(folder)).into());
        }
        Ok(Self(files))
    }
}
