//! A static file server for `dist/`, below a sub-path as on a project page.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::task::{JoinHandle, JoinSet};

use super::driver::in_background;
use super::journey::{BrowserError, Result};

/// The path of the app. It is not the root, so that an absolute URL in the app fails.
const SUB_PATH: &str = "/some/where/";

/// For whom a site is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// One journey. The files may change.
    One,
    /// Many journeys: the browser keeps files, and none of them installs the service worker, which would fetch all files.
    Many,
}

/// Tells the page that there is a service worker.
const SERVICE_WORKER: &str = "<meta content=sw.js name=opscope-offline>";

/// A running server; it stops when it is dropped, unless it is another program.
pub(crate) struct Site {
    /// The start of every address of the server.
    origin: String,
    home: String,
    task: Option<JoinHandle<()>>,
}

impl Site {
    /// Serves a folder on a free port.
    pub(crate) async fn serve(dist: &Path, audience: Audience) -> Result<Self> {
        let dist: Arc<Path> = dist.into();
        let not_ready = |error| BrowserError::NotReady(format!("no free port on localhost: {error}"));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(not_ready)?;
        let address = listener.local_addr().map_err(not_ready)?;
        let task = tokio::spawn(async move {
            // Connections end with the server.
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let dist = Arc::clone(&dist);
                connections.spawn(async move {
                    let service = service_fn(|request| answer(Arc::clone(&dist), audience, request));
                    // A connection that the browser breaks off needs no answer.
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.ok();
                });
            }
        });
        let mut site = Self::at(&format!("http://{address}{SUB_PATH}"));
        site.task = Some(task);
        Ok(site)
    }

    /// The server of another program, with the app at this address.
    pub(crate) fn at(home: &str) -> Self {
        let origin: String = home.split_inclusive('/').take(3).collect();
        Self { origin, home: home.to_owned(), task: None }
    }

    /// Ends the server with its connections.
    pub(crate) fn stop(&self) {
        self.task.iter().for_each(JoinHandle::abort);
    }

    /// The start of every address of this server.
    pub(crate) fn origin(&self) -> String {
        self.origin.clone()
    }

    /// The app's address.
    pub(crate) fn home(&self) -> String {
        self.home.clone()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The server of the built app for all journeys: with one address, the browser compiles the app once.
pub(crate) async fn shared() -> Result<Arc<Site>> {
    static SHARED: OnceCell<Arc<Site>> = OnceCell::const_new();
    let serve = async || {
        let dist = built()?;
        let site = in_background(async move { Site::serve(&dist, Audience::Many).await }).await;
        site.map_err(|error| BrowserError::NotReady(format!("the server did not start: {error}")))?.map(Arc::new)
    };
    SHARED.get_or_try_init(serve).await.cloned()
}

/// The folder of the built app.
///
/// # Errors
///
/// When there is none, or one that only `trunk serve` can serve.
pub fn built() -> Result<PathBuf> {
    let dist = std::env::var_os("OPSCOPE_DIST")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist"), PathBuf::from);
    let what = match std::fs::read_to_string(dist.join("index.html")) {
        Ok(page) if !page.contains("__TRUNK_") => return Ok(dist),
        Ok(_) => "holds what `trunk serve` built, which only it can serve",
        Err(_) => "holds no built app",
    };
    Err(BrowserError::NotReady(format!("`{}` {what}", dist.display())))
}

async fn answer<B>(
    dist: Arc<Path>,
    audience: Audience,
    request: Request<B>,
) -> std::result::Result<Response<Full<Bytes>>, Infallible> {
    let name = match request.uri().path().strip_prefix(SUB_PATH) {
        Some("") => "index.html",
        Some(name) => name,
        // The browser asks for it by itself; a 404 would be an error in the console.
        None if request.uri().path() == "/favicon.ico" => return Ok(empty(StatusCode::NO_CONTENT)),
        None => return Ok(empty(StatusCode::NOT_FOUND)),
    };
    let Ok(mut bytes) = tokio::fs::read(dist.join(name)).await else { return Ok(empty(StatusCode::NOT_FOUND)) };
    let mut cache = "no-cache";
    if audience == Audience::Many {
        if name == "index.html" {
            bytes = String::from_utf8_lossy(&bytes).replace(SERVICE_WORKER, "").into_bytes();
        } else {
            cache = "max-age=31536000, immutable";
        }
    }
    Ok(Response::builder()
        .header(CONTENT_TYPE, mime(name))
        .header(CACHE_CONTROL, cache)
        .body(Full::from(bytes))
        .expect("a fixed header is a valid one"))
}

fn empty(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}

fn mime(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
