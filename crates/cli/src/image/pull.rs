//! A registry, of which the cache keeps what is pulled.

use super::cache::{Cache, digest_text};
use crate::args::ImageArguments;
use crate::output::{Failure, say};
use crate::places::shown_path;
use archive::Blob;
use docker_credential::{CredentialRetrievalError, DockerCredential, get_credential_from_reader};
use etcetera::BaseStrategy;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use oci_client::Reference;
use oci_client::errors::{OciEnvelope, OciErrorCode};
use oci_client::manifest::{
    IMAGE_MANIFEST_LIST_MEDIA_TYPE, IMAGE_MANIFEST_MEDIA_TYPE, OCI_IMAGE_INDEX_MEDIA_TYPE, OCI_IMAGE_MEDIA_TYPE,
};
use oci_client::secrets::RegistryAuth;
use reqwest::header::{ACCEPT, AUTHORIZATION, WWW_AUTHENTICATE};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use source::{ShellCommand, one_line};
use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::time::timeout;

/// What a name or a digest of a manifest may stand for.
const MANIFESTS: [&str; 4] =
    [OCI_IMAGE_INDEX_MEDIA_TYPE, OCI_IMAGE_MEDIA_TYPE, IMAGE_MANIFEST_LIST_MEDIA_TYPE, IMAGE_MANIFEST_MEDIA_TYPE];
/// How long a registry may take to accept a connection, and then to send anything.
const CONNECT: Duration = Duration::from_secs(15);
const READ: Duration = Duration::from_secs(60);
/// How long it may take for a whole answer, and the bytes of a large one that it sends in each further second.
const WHOLE: Duration = Duration::from_secs(60);
const SLOWEST: u64 = 32 << 10;
/// The most bytes of a manifest, a token or an error, and of a blob whose size no manifest says.
const SMALL: u64 = 4 << 20;

pub(super) struct Registry<'c> {
    image: Reference,
    is_offline: bool,
    has_tls: bool,
    cache: &'c Cache,
    /// Made when it is first needed.
    connection: Option<Connection>,
}

struct Connection {
    runtime: Runtime,
    http: Http,
}

/// Asks a registry for the parts of one image.
struct Http {
    client: Client,
    /// The address of the image, before `manifests/` and `blobs/`.
    image: String,
    /// What a token is to permit.
    scope: String,
    login: Option<Login>,
    /// What goes with each request, once the registry asked for it.
    authorization: Option<String>,
}

impl<'c> Registry<'c> {
    pub(super) fn new(image: Reference, arguments: &ImageArguments, cache: &'c Cache) -> Self {
        let (is_offline, has_tls) = (arguments.offline, !arguments.plain_http);
        Self { image, is_offline, has_tls, cache, connection: None }
    }

    /// The digest of the image's manifest or index. A tag can move to another image at any time, so the registry decides.
    ///
    /// # Errors
    /// When the registry does not answer with a manifest; offline: when the name was never pulled.
    pub(super) fn digest(&mut self) -> Result<String, Failure> {
        if let Some(digest) = self.image.digest() {
            return Ok(digest.to_owned());
        }
        let name = self.image.to_string();
        if self.is_offline {
            let known = self.cache.names().into_iter().find(|known| known.name == name);
            return known.map(|known| known.digest).ok_or_else(|| self.is_not_cached(&format!("`{name}`")));
        }
        let digest = self.pull_manifest(&self.image.clone(), &format!("`{name}`"))?;
        self.cache.note(&name, &digest)?;
        Ok(digest)
    }

    /// Pulls those of the blobs that the cache does not have.
    ///
    /// # Errors
    /// When one of them cannot be pulled. The others stay in the cache.
    pub(super) fn pull(&mut self, blobs: &[Blob]) -> Result<(), Failure> {
        let missing: Vec<&Blob> = blobs.iter().filter(|blob| self.cache.blob(&blob.digest).is_none()).collect();
        let Some(first) = missing.first() else { return Ok(()) };
        if self.is_offline {
            return Err(self.is_not_cached(&format!("`{}` of `{}`", first.digest, self.image)));
        }
        let bytes = missing.iter().map(|blob| blob.size.unwrap_or_default()).fold(0, u64::saturating_add);
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} {bar:30} {bytes} of {total_bytes}, {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(self.image.repository().to_owned());
        for blob in missing {
            let what = format!("`{}` of `{}`", blob.digest, self.image);
            if blob.is_manifest {
                self.pull_manifest(&self.image.clone_with_digest(blob.digest.clone()), &what)?;
            } else {
                self.pull_blob(blob, &what, &bar)?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Pulls a manifest, and returns its digest.
    fn pull_manifest(&mut self, image: &Reference, what: &str) -> Result<String, Failure> {
        let cache = self.cache;
        let Connection { runtime, http } = self.connection()?;
        let name = image.digest().or(image.tag()).unwrap_or("latest");
        let whole = async { body(http.get("manifests", name).await?).await };
        let bytes = runtime.block_on(async { timeout(WHOLE, whole).await }).unwrap_or(Err(Cause::TimedOut));
        let pulled = bytes.and_then(|bytes| {
            let digest = digest_text(Sha256::new_with_prefix(&bytes));
            let is_right = image.digest().is_none_or(|expected| expected == digest);
            if is_right { Ok((bytes, digest)) } else { Err(Cause::WrongDigest) }
        });
        let (bytes, digest) = pulled.map_err(|cause| failure(image, what, http.login.as_ref(), cause))?;
        let mut file = cache.new_file()?;
        file.write_all(&bytes).map_err(|error| cannot_write(what, &error))?;
        cache.keep(file, &digest)?;
        Ok(digest)
    }

    fn pull_blob(&mut self, blob: &Blob, what: &str, bar: &ProgressBar) -> Result<(), Failure> {
        let (image, cache) = (self.image.clone(), self.cache);
        let Connection { runtime, http } = self.connection()?;
        let mut file = cache.new_file()?;
        let mut hash = Sha256::new();
        let mut left = blob.size.unwrap_or(SMALL);
        let limit = WHOLE.saturating_add(Duration::from_secs(left / SLOWEST));
        let whole = async {
            let mut response = http.get("blobs", &blob.digest).await?;
            while let Some(bytes) = response.chunk().await? {
                let count = bytes.len() as u64;
                left = left.checked_sub(count).ok_or(Cause::TooLarge)?;
                hash.update(&bytes);
                file.write_all(&bytes).map_err(Cause::Unwritten)?;
                bar.inc(count);
            }
            if digest_text(hash) == blob.digest { Ok(()) } else { Err(Cause::WrongDigest) }
        };
        let pulled = runtime.block_on(async { timeout(limit, whole).await }).unwrap_or(Err(Cause::TimedOut));
        pulled.map_err(|cause| failure(&image, what, http.login.as_ref(), cause))?;
        cache.keep(file, &blob.digest)
    }

    fn connection(&mut self) -> Result<&mut Connection, Failure> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                say(&format!("pulls `{}`", self.image));
                Connection::new(&self.image, self.has_tls)?
            }
        };
        Ok(self.connection.insert(connection))
    }

    fn is_not_cached(&self, what: &str) -> Failure {
        let cache = crate::places::shown_path(self.cache.root());
        format!("{what} is not in the cache `{cache}`; pull it once without `--offline`").into()
    }
}

impl Connection {
    fn new(image: &Reference, has_tls: bool) -> Result<Self, Failure> {
        // Somebody else may have chosen already; either is right.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder()
            // Also where a redirect or the realm of the tokens leads.
            .https_only(has_tls)
            .connect_timeout(CONNECT)
            .read_timeout(READ)
            .user_agent(concat!("opscope/", env!("CARGO_PKG_VERSION")))
            .build();
        let client = client.map_err(|error| format!("cannot speak to registries: {error}"))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot speak to registries: {error}"))?;
        let (scheme, repository) = (if has_tls { "https" } else { "http" }, image.repository());
        let (scope, login) = (format!("repository:{repository}:pull"), login(image));
        let image = format!("{scheme}://{}/v2/{repository}", image.resolve_registry());
        Ok(Self { runtime, http: Http { client, image, scope, login, authorization: None } })
    }
}

impl Http {
    /// Requests a manifest or a blob. If the registry demands a token or a login, the request is sent once more with it.
    async fn get(&mut self, kind: &str, name: &str) -> Result<Response, Cause> {
        let address = format!("{}/{kind}/{name}", self.image);
        let address = Url::parse(&address).map_err(|error| Cause::Other(error.to_string()))?;
        let response = self.send(&address).await?;
        // A server that the registry sends the command to gets no login.
        if response.status() != StatusCode::UNAUTHORIZED || response.url().origin() != address.origin() {
            return answered(response).await;
        }
        self.authorization = self.authorize(&response).await?;
        answered(self.send(&address).await?).await
    }

    async fn send(&self, address: &Url) -> Result<Response, Cause> {
        let request = self.client.get(address.clone()).header(ACCEPT, MANIFESTS.join(", "));
        let request = match &self.authorization {
            Some(authorization) => request.header(AUTHORIZATION, authorization),
            None => request,
        };
        Ok(request.send().await?)
    }

    /// What a registry wants that refuses a request: a token, or the login itself. CNCF Distribution,
    /// `docs/content/spec/auth/token.md`.
    async fn authorize(&self, refusal: &Response) -> Result<Option<String>, Cause> {
        #[derive(Deserialize)]
        struct Token {
            #[serde(alias = "access_token")]
            token: String,
        }
        let challenge = refusal.headers().get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
        let Some((scheme, parameters)) = challenge.and_then(|challenge| challenge.split_once(' ')) else {
            return Ok(None);
        };
        if !scheme.eq_ignore_ascii_case("bearer") {
            let request = self.with_login(self.client.get(refusal.url().clone())).build()?;
            let basic = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
            return Ok(basic.map(str::to_owned));
        }
        let realm = parameter(parameters, "realm").unwrap_or_default();
        let mut realm = Url::parse(realm).map_err(|error| Cause::Other(format!("the realm of its tokens: {error}")))?;
        realm.query_pairs_mut().append_pair("scope", &self.scope);
        if let Some(service) = parameter(parameters, "service") {
            realm.query_pairs_mut().append_pair("service", service);
        }
        let answer = body(answered(self.with_login(self.client.get(realm)).send().await?).await?).await?;
        let token = serde_json::from_slice::<Token>(&answer);
        // What is in the answer may be a secret.
        let token = token.map_err(|_| Cause::Other("its server of tokens gives none".to_owned()))?;
        Ok(Some(format!("Bearer {}", token.token)))
    }

    fn with_login(&self, request: RequestBuilder) -> RequestBuilder {
        match self.login.as_ref().map(|login| &login.auth) {
            Some(RegistryAuth::Basic(user, password)) => request.basic_auth(user, Some(password)),
            _ => request,
        }
    }
}

/// A parameter of a challenge, such as `realm`.
fn parameter<'c>(challenge: &'c str, name: &str) -> Option<&'c str> {
    let (_, value) = challenge.split_once(&format!("{name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

/// The bytes of a small answer.
async fn body(mut response: Response) -> Result<Vec<u8>, Cause> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > SMALL {
            return Err(Cause::Large);
        }
    }
    Ok(bytes)
}

fn cannot_write(what: &str, error: &std::io::Error) -> Failure {
    format!("cannot keep {what}: {error}").into()
}

// Why an image was not pulled, in words.

/// The most characters of what a registry says.
const SAID: usize = 200;

/// What went wrong.
enum Cause {
    Unauthorized,
    NotFound,
    Limited,
    Status(u16),
    Certificate(String),
    WithoutTls,
    /// It leads to an address without TLS.
    ToPlain,
    Unreachable(String),
    TimedOut,
    Cut,
    WrongDigest,
    /// A blob that is larger than it may be.
    TooLarge,
    /// Something else that is.
    Large,
    Unwritten(std::io::Error),
    Other(String),
}

/// The failure of a pull. `what` names the image, or its manifest or layer.
fn failure(image: &Reference, what: &str, login: Option<&Login>, cause: Cause) -> Failure {
    let registry = one_line(image.registry());
    let [podman, docker] = ["podman login", "docker login"].map(|login| ShellCommand::new(login).word(&registry));
    let log_in = format!("log in with `{podman}` or `{docker}`");
    let reason = match cause {
        Cause::Unauthorized => match login {
            Some(login) => {
                format!("`{registry}` refuses the login from `{}`; {log_in} again", shown_path(&login.file))
            }
            None => format!("`{registry}` wants a login, or has no such image; {log_in}"),
        },
        Cause::NotFound => format!("`{registry}` does not have it; check its name, tag and platform"),
        Cause::Limited => format!("`{registry}` limits how much is pulled; wait, or {log_in}"),
        Cause::Status(code) => format!("`{registry}` answers with the HTTP status {code}; try again later"),
        Cause::Certificate(said) => format!(
            "the certificate of `{registry}` is not trusted ({said}); name a file with its authority in `SSL_CERT_FILE`"
        ),
        Cause::WithoutTls => format!("`{registry}` does not speak TLS; `--plain-http` pulls without it"),
        Cause::ToPlain => {
            format!("`{registry}` leads to an address without TLS, which is not asked without `--plain-http`")
        }
        Cause::Unreachable(said) => {
            format!("cannot reach `{registry}` ({said}); `--offline` uses what was pulled before")
        }
        Cause::TimedOut => format!("`{registry}` does not answer in time; try again later"),
        Cause::Cut => "the connection ended too early; what is complete was kept, so try again".to_owned(),
        Cause::WrongDigest => format!("`{registry}` sent something else than the digest says; nothing of it is kept"),
        Cause::TooLarge => "it is larger than its manifest says; nothing of it is kept".to_owned(),
        Cause::Large => {
            format!("`{registry}` sends more than {} MiB, where manifests and tokens have less", SMALL >> 20)
        }
        Cause::Unwritten(error) => return cannot_write(what, &error),
        Cause::Other(said) => format!("`{registry}`: {said}"),
    };
    format!("cannot pull {what}: {reason}").into()
}

/// The response, or why the registry refuses the request.
async fn answered(response: Response) -> Result<Response, Cause> {
    let status = response.status();
    if status == StatusCode::OK {
        return Ok(response);
    }
    // The text says more than the status, if it is one of the protocol.
    let text = if status.is_client_error() { body(response).await.unwrap_or_default() } else { Vec::new() };
    let stated = serde_json::from_slice::<OciEnvelope>(&text).ok();
    let code = stated.as_ref().and_then(|stated| stated.errors.first()).map(|error| &error.code);
    Err(match (status.as_u16(), code) {
        (401, _) | (_, Some(OciErrorCode::Unauthorized | OciErrorCode::Denied)) => Cause::Unauthorized,
        (
            _,
            Some(
                OciErrorCode::ManifestUnknown
                | OciErrorCode::NameUnknown
                | OciErrorCode::NotFound
                | OciErrorCode::BlobUnknown
                | OciErrorCode::ManifestBlobUnknown,
            ),
        ) => Cause::NotFound,
        (_, Some(OciErrorCode::Toomanyrequests)) => Cause::Limited,
        (_, Some(_)) => Cause::Other(stated.map(|stated| said(&stated.to_string())).unwrap_or_default()),
        (403, None) => Cause::Unauthorized,
        (404, None) => Cause::NotFound,
        (429, None) => Cause::Limited,
        (status, None) => Cause::Status(status),
    })
}

impl From<reqwest::Error> for Cause {
    fn from(error: reqwest::Error) -> Self {
        let root = root(&error);
        if root.contains("scheme is not allowed") {
            Self::ToPlain
        } else if root.contains("certificate") || root.contains("UnknownIssuer") {
            Self::Certificate(said(&root))
        } else if root.contains("InvalidContentType") {
            Self::WithoutTls
        } else if error.is_timeout() {
            Self::TimedOut
        } else if error.is_connect() {
            Self::Unreachable(said(&root))
        } else if error.is_body() || error.is_decode() || error.is_request() {
            Self::Cut
        } else {
            Self::Other(said(&root))
        }
    }
}

/// The innermost reason: those around it only say that a request failed.
fn root(error: &dyn StdError) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

fn said(text: &str) -> String {
    one_line(text).chars().take(SAID).collect()
}

// The logins that podman, docker and their helpers keep: containers/image, `docs/containers-auth.json.5.md`.

/// The registry of images without one, and the name that docker keeps its login under.
const DOCKER_HUB: [&str; 2] = ["docker.io", "https://index.docker.io/v1/"];

/// A login, and the file that it is from.
pub(super) struct Login {
    auth: RegistryAuth,
    pub(super) file: PathBuf,
}

/// The part of the file that says for what it has logins itself.
#[derive(Default, Deserialize)]
struct Keys {
    #[serde(default)]
    auths: BTreeMap<String, serde_json::Value>,
}

/// The login for an image: that of the longest part of its name in the first file that has one.
fn login(image: &Reference) -> Option<Login> {
    files().into_iter().find_map(|file| {
        let text = std::fs::read(&file).ok()?;
        match in_file(&text, image) {
            Ok(auth) => auth.map(|auth| Login { auth, file }),
            Err(reason) => {
                say(&format!("no login for `{}` from `{}`: {reason}", image.registry(), shown_path(&file)));
                None
            }
        }
    })
}

/// Where logins are kept, in the order in which podman looks for them.
fn files() -> Vec<PathBuf> {
    if let Some(file) = std::env::var_os("REGISTRY_AUTH_FILE") {
        return vec![file.into()];
    }
    let containers = |folder: &Path| folder.join("containers/auth.json");
    let base = etcetera::choose_base_strategy().ok();
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(|folder| containers(Path::new(&folder)));
    let config = base.as_ref().map(|base| containers(&base.config_dir()));
    let docker = std::env::var_os("DOCKER_CONFIG").map(PathBuf::from);
    let docker = docker.or_else(|| base.as_ref().map(|base| base.home_dir().join(".docker")));
    runtime.into_iter().chain(config).chain(docker.map(|folder| folder.join("config.json"))).collect()
}

fn in_file(text: &[u8], image: &Reference) -> Result<Option<RegistryAuth>, String> {
    let Keys { auths } = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let whole = format!("{}/{}", image.registry(), image.repository());
    let parts = std::iter::successors(Some(&*whole), |name| name.rsplit_once('/').map(|(folder, _)| folder));
    // Helpers and stores know registries alone, and answer nothing else.
    let stated = parts.filter(|name| name.contains('/')).find(|name| auths.contains_key(*name));
    let registry = if image.registry() == DOCKER_HUB[0] { DOCKER_HUB[1] } else { image.registry() };
    match get_credential_from_reader(text, stated.unwrap_or(registry)) {
        Ok(DockerCredential::UsernamePassword(user, password)) => Ok(Some(RegistryAuth::Basic(user, password))),
        Ok(DockerCredential::IdentityToken(_)) => {
            Err("it is an identity token, which is not used here; log in with a password".to_owned())
        }
        Err(CredentialRetrievalError::NoCredentialConfigured) => Ok(None),
        // What all helpers say of a registry without a login: docker-credential-helpers, `credentials/error.go`.
        Err(CredentialRetrievalError::HelperFailure { stdout, stderr, .. })
            if [&stdout, &stderr].iter().any(|said| said.contains("credentials not found")) =>
        {
            Ok(None)
        }
        // What a helper printed may be a secret.
        Err(CredentialRetrievalError::HelperFailure { helper, .. }) => Err(format!("`{helper}` fails")),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str, image: &str) -> Option<String> {
        match in_file(text.as_bytes(), &image.parse().unwrap()).unwrap() {
            Some(RegistryAuth::Basic(user, _)) => Some(user),
            _ => None,
        }
    }

    #[test]
    fn the_longest_part_of_the_name_counts() {
        // `one:x`, `two:x` and `three:x` in base64.
        let text = r#"{"auths": {"quay.io": {"auth": "b25lOng="}, "quay.io/team": {"auth": "dHdvOng="},
                       "https://index.docker.io/v1/": {"auth": "dGhyZWU6eA=="}}}"#;
        let found = ["quay.io/other/catalog:v1", "quay.io/team/catalog:v1", "docker.io/team/catalog", "ghcr.io/a/b"];
        let users = found.map(|image| user(text, image));
        assert_eq!(users, [Some("one".to_owned()), Some("two".to_owned()), Some("three".to_owned()), None]);
    }

    #[test]
    fn a_login_for_a_part_is_none_for_the_others() {
        let text = r#"{"auths": {"quay.io/team": {"auth": "dHdvOng="}}}"#;
        assert_eq!(user(text, "quay.io/teams/catalog:v1"), None);
    }

    #[test]
    fn a_damaged_file_has_a_reason() {
        assert!(in_file(b"{", &"quay.io/a/b".parse().unwrap()).is_err());
        let token = br#"{"auths": {"quay.io": {"auth": "x", "identitytoken": "secret"}}}"#;
        let reason = in_file(token, &"quay.io/a/b".parse().unwrap()).err().unwrap();
        assert!(reason.contains("identity token") && !reason.contains("secret"), "{reason}");
    }
}
