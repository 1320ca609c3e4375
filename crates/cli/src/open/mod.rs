//! `opscope open`: serves the page on a loopback address, opens it in the browser with what is named, and follows the files.
//!
//! The page is what it is on any other host: it asks the server for the files, and takes them as if they were dropped. The server
//! has a fixed set of pages and of files; no request leads to another file.

mod inputs;
mod live;
mod page;
mod server;
mod watch;

use crate::args::Open;
use crate::output::{Failure, say, written};
use inputs::Inputs;
use page::Page;
use server::Server;
use std::io::Write;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::watch::channel;

/// The random bytes of a token. Nobody guesses 256 bits.
const TOKEN: usize = 32;

/// Serves until the program is ended. The one line of output is the address, with the token in its fragment.
pub(crate) fn run(arguments: &Open, out: &mut dyn Write) -> Result<bool, Failure> {
    let Open { paths, baseline, cluster, write, port, no_browser, page } = arguments;
    let page = Page::of(page.as_deref())?;
    let inputs = Arc::new(Mutex::new(Inputs::read(paths, baseline.as_deref(), cluster.as_deref(), *write)?));
    let token = token()?;
    let failed = |error: std::io::Error| format!("cannot serve the page on 127.0.0.1: {error}");
    let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let url = format!("http://{address}/#open={token}");
        writeln!(out, "{url}").and_then(|()| out.flush()).map_err(written)?;
        let versions = channel(0).0;
        watch::watch(&inputs, versions.clone());
        if cluster.as_deref().is_some_and(live::is_meant) {
            live::follow(&inputs, versions.clone());
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
