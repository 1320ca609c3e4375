//! A static file server for `dist/`, below a sub-path as on a project page.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, OnceCell};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep_until};

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
    /// A visitor behind a slow line, which all connections share. What `cargo xtask build` packed is sent so.
    Visitor,
}

/// The speed of the slow line, in bits a second, without what HTTP and TCP add.
const SPEED: f64 = 10e6;
/// How much is sent at once over the slow line.
const PORTION: usize = 12_500;
/// How late the clock may wake up without a loss of speed.
const LATE: Duration = Duration::from_millis(20);
/// When the slow line is free again.
type Line = Arc<Mutex<Instant>>;

/// Tells the page that there is a service worker.
const SERVICE_WORKER: &str = "<meta content=sw.js name=opscope-offline>";

/// A running server; it stops when it is dropped, unless it is another program.
pub struct Site {
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
        let line = Line::new(Mutex::new(Instant::now()));
        let task = tokio::spawn(async move {
            // Connections end with the server.
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (dist, line) = (Arc::clone(&dist), Arc::clone(&line));
                connections.spawn(async move {
                    let service = service_fn(|request| answer(Arc::clone(&dist), audience, Arc::clone(&line), request));
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
    #[must_use]
    pub fn home(&self) -> String {
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

/// A server of the built app for a visitor behind a slow line.
///
/// # Errors
///
/// When there is no built app, or no free port.
pub async fn slow_site() -> Result<Site> {
    Site::serve(&built()?, Audience::Visitor).await
}

async fn answer<B>(
    dist: Arc<Path>,
    audience: Audience,
    line: Line,
    request: Request<B>,
) -> std::result::Result<Response<BoxBody<Bytes, Infallible>>, Infallible> {
    let name = match request.uri().path().strip_prefix(SUB_PATH) {
        Some("") => "index.html",
        Some(name) => name,
        // The browser asks for it by itself; a 404 would be an error in the console.
        None if request.uri().path() == "/favicon.ico" => return Ok(empty(StatusCode::NO_CONTENT)),
        None => return Ok(empty(StatusCode::NOT_FOUND)),
    };
    let mut response = Response::builder().header(CONTENT_TYPE, mime(name));
    let packed = tokio::fs::read(dist.join(format!("{name}.br"))).await.ok().filter(|_| audience == Audience::Visitor);
    if packed.is_some() {
        response = response.header(CONTENT_ENCODING, "br");
    }
    let bytes = match packed {
        Some(packed) => Ok(packed),
        None => tokio::fs::read(dist.join(name)).await,
    };
    let Ok(mut bytes) = bytes else { return Ok(empty(StatusCode::NOT_FOUND)) };
    let mut cache = "no-cache";
    if audience != Audience::One {
        if name == "index.html" {
            bytes = String::from_utf8_lossy(&bytes).replace(SERVICE_WORKER, "").into_bytes();
        } else {
            cache = "max-age=31536000, immutable";
        }
    }
    let bytes = Bytes::from(bytes);
    let body = if audience == Audience::Visitor { paced(bytes, line) } else { Full::from(bytes).boxed() };
    Ok(response.header(CACHE_CONTROL, cache).body(body).expect("a fixed header is a valid one"))
}

/// Sends bytes whenever the slow line is free.
fn paced(bytes: Bytes, line: Line) -> BoxBody<Bytes, Infallible> {
    let next = async |(mut rest, line): (Bytes, Line)| {
        let portion = rest.split_to(rest.len().min(PORTION));
        if portion.is_empty() {
            return None;
        }
        let mut free = line.lock().await;
        *free = (*free).max(Instant::now() - LATE) + Duration::from_secs_f64(portion.len() as f64 * 8.0 / SPEED);
        sleep_until(*free).await;
        drop(free);
        Some((Ok(Frame::data(portion)), (rest, line)))
    };
    BodyExt::boxed(StreamBody::new(stream::unfold((bytes, line), next)))
}

fn empty(status: StatusCode) -> Response<BoxBody<Bytes, Infallible>> {
    let mut response = Response::new(Full::default().boxed());
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
