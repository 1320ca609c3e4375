//! The server of the page and of the files that it follows. It listens on a loopback address, which other programs and pages of
//! other sites reach, too: it answers only requests that come from its own page.
//!
//! - `Host` is the server's own, so that a name that somebody points at 127.0.0.1 does not lead here (DNS rebinding).
//! - `Origin` and `Sec-Fetch-Site`, if the browser sends them, are those of the server's own page; only a link may lead here from
//!   elsewhere.
//! - Files need the token. It comes as a header, which a form or a link cannot send, and is compared in constant time.
//! - Edits are saved only with `--write`, only to files that the page got from here, and only where these did not change since.
//! - The files of the page are a table, and one request returns all named files: no part of an address is a path on the disk.

use super::Page;
use super::inputs::Inputs;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST,
    HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch::Sender;
use tokio::time::{sleep, timeout};
use views::SavedFile;

/// Where the files are that the page follows. The query is the version that it has.
const FILES: &str = "/open/files";
/// A request for changes is answered after so long even if there are none: no browser has given up by then.
const PATIENCE: Duration = Duration::from_secs(25);

/// How long a connection may stay without a request, so that idle ones do not keep others out.
const IDLE: Duration = Duration::from_secs(5);
/// The pause after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(50);

/// The most bytes of edits that are saved at once.
const MOST: usize = 256 << 20;

/// What every answer has. No site shows the page in a frame, and nothing stays in the browser's cache.
const HEADERS: [(HeaderName, &str); 6] = [
    (CACHE_CONTROL, "no-store"),
    (CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

type Answer = Response<Full<Bytes>>;

/// What is served, and to whom.
pub(crate) struct Server {
    page: Page,
    token: String,
    /// The two names of the server.
    hosts: [String; 2],
    inputs: Arc<Mutex<Inputs>>,
    /// The version of the last change.
    versions: Sender<u32>,
}

impl Server {
    /// A server for this port.
    pub(crate) fn new(page: Page, token: String, port: u16, inputs: Arc<Mutex<Inputs>>, versions: Sender<u32>) -> Self {
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
        Self { page, token, hosts, inputs, versions }
    }

    /// Answers all requests.
    pub(crate) async fn serve(self, listener: TcpListener) {
        let server = Arc::new(self);
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // A connection that is gone before it is accepted; or there are too many, some of which end.
                sleep(PAUSE).await;
                continue;
            };
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let service = service_fn(|request| {
                    let server = Arc::clone(&server);
                    async move { Ok::<_, Infallible>(server.answer(request).await) }
                });
                let mut http = http1::Builder::new();
                http.header_read_timeout(IDLE);
                // A connection that the browser breaks off needs no answer.
                drop(http.timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service).await);
            });
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Answer {
        let mut answer = match self.refusal(&request) {
            Some(refusal) => refused(refusal),
            None if request.method() == Method::POST => self.save(request).await,
            None if request.uri().path() == FILES => self.files(&request).await,
            None => self.page(&request),
        };
        for (name, value) in HEADERS {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        answer
    }

    /// Why a request is refused whatever it asks for.
    fn refusal(&self, request: &Request<Incoming>) -> Option<StatusCode> {
        let headers = request.headers();
        let Some(host) = single(headers, &HOST).filter(|host| self.hosts.iter().any(|own| own == host)) else {
            return Some(StatusCode::MISDIRECTED_REQUEST);
        };
        let is_own = |origin: &str| origin.strip_prefix("http://") == Some(host);
        if headers.contains_key(ORIGIN) && !single(headers, &ORIGIN).is_some_and(is_own) {
            return Some(StatusCode::FORBIDDEN);
        }
        let fetch = |name| single(headers, &HeaderName::from_static(name));
        let is_link = fetch("sec-fetch-mode") == Some("navigate") && fetch("sec-fetch-dest") == Some("document");
        let is_foreign = fetch("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
        if is_foreign && !is_link {
            return Some(StatusCode::FORBIDDEN);
        }
        let is_permitted = match *request.method() {
            Method::GET | Method::HEAD => true,
            Method::POST => request.uri().path() == FILES && super::locked(&self.inputs).is_writable(),
            _ => false,
        };
        (!is_permitted).then_some(StatusCode::METHOD_NOT_ALLOWED)
    }

    fn has_token(&self, request: &Request<Incoming>) -> bool {
        let token = single(request.headers(), &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        token.is_some_and(|token| is_same(token, &self.token))
    }

    /// Saves edits, all or none.
    async fn save(&self, request: Request<Incoming>) -> Answer {
        if !self.has_token(&request) {
            return refused(StatusCode::UNAUTHORIZED);
        }
        if request.body().size_hint().lower() > MOST as u64 {
            return refused(StatusCode::PAYLOAD_TOO_LARGE);
        }
        let body = timeout(PATIENCE, Limited::new(request.into_body(), MOST).collect()).await;
        let Ok(Ok(body)) = body else { return refused(StatusCode::PAYLOAD_TOO_LARGE) };
        let Ok(files) = serde_json::from_slice::<Vec<SavedFile>>(&body.to_bytes()) else {
            return refused(StatusCode::BAD_REQUEST);
        };
        match super::locked(&self.inputs).save(&files) {
            Ok(version) => {
                if let Some(version) = version {
                    self.versions.send_replace(version);
                }
                status(StatusCode::NO_CONTENT)
            }
            Err(failure) => {
                let mut answer = refused(StatusCode::CONFLICT);
                *answer.body_mut() = Full::new(Bytes::from(failure.text()));
                answer
            }
        }
    }

    /// The files that changed after a version, once there are any.
    async fn files(&self, request: &Request<Incoming>) -> Answer {
        if !self.has_token(request) {
            return refused(StatusCode::UNAUTHORIZED);
        }
        let Some(known) = request.uri().query().and_then(|version| version.parse().ok()) else {
            return refused(StatusCode::BAD_REQUEST);
        };
        let mut changes = self.versions.subscribe();
        // Whoever has nothing need not wait.
        let has_news =
            known == 0 || timeout(PATIENCE, changes.wait_for(|now| *now > known)).await.is_ok_and(|now| now.is_ok());
        if !has_news {
            return status(StatusCode::NO_CONTENT);
        }
        let body = super::locked(&self.inputs).since(known);
        let mut answer = Response::new(Full::new(Bytes::from(body)));
        answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        answer
    }

    fn page(&self, request: &Request<Incoming>) -> Answer {
        let takes = single(request.headers(), &ACCEPT_ENCODING).unwrap_or_default();
        let takes_packed = takes.split(',').any(|one| one.trim() == "br");
        let Some((path, bytes, is_packed)) = self.page.file(request.uri().path(), takes_packed) else {
            return refused(StatusCode::NOT_FOUND);
        };
        let mut answer = Response::new(Full::new(bytes));
        answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type(path)));
        if is_packed {
            answer.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
        }
        answer
    }
}

/// The value of a header, if it is there once.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

/// Whether a token is the right one. The time does not tell how much of it is.
fn is_same(token: &str, own: &str) -> bool {
    let differs = |(one, other): (u8, u8)| one ^ other;
    token.len() == own.len() && token.bytes().zip(own.bytes()).map(differs).fold(0, |all, one| all | one) == 0
}

fn status(status: StatusCode) -> Answer {
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = status;
    answer
}

/// Says nothing but why: whoever is refused learns nothing about the files.
fn refused(why: StatusCode) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(format!("{why}\n"))));
    *answer.status_mut() = why;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    answer
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
