//! A registry, of which the cache keeps what is pulled.

use super::cache::Cache;
use crate::args::ImageArguments;
use crate::output::{Failure, say};
use crate::places::shown_path;
use archive::Blob;
use docker_credential::{CredentialRetrievalError, DockerCredential, get_credential_from_reader};
use etcetera::BaseStrategy;
use futures_util::StreamExt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use oci_client::client::{ClientConfig, ClientProtocol};
use oci_client::errors::{DigestError, OciDistributionError, OciDistributionError as Error, OciErrorCode};
use oci_client::manifest::{
    IMAGE_MANIFEST_LIST_MEDIA_TYPE, IMAGE_MANIFEST_MEDIA_TYPE, OCI_IMAGE_INDEX_MEDIA_TYPE, OCI_IMAGE_MEDIA_TYPE,
};
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference, RegistryOperation};
use serde::Deserialize;
use source::{ShellCommand, one_line};
use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::Runtime;

/// What a name or a digest of a manifest may stand for.
const MANIFESTS: [&str; 4] =
    [OCI_IMAGE_INDEX_MEDIA_TYPE, OCI_IMAGE_MEDIA_TYPE, IMAGE_MANIFEST_LIST_MEDIA_TYPE, IMAGE_MANIFEST_MEDIA_TYPE];
/// How long a registry may take to accept a connection, and then to send anything.
const CONNECT: Duration = Duration::from_secs(15);
const READ: Duration = Duration::from_secs(60);
/// How long it may take for a whole manifest, which is small.
const MANIFEST: Duration = Duration::from_secs(60);
/// The most bytes of a blob whose size no manifest says.
const UNSTATED: u64 = 4 << 20;
/// The slowest that a blob may come, in bytes per second. A registry that sends less would hold a job of CI for ever.
const SLOWEST: u64 = 16 << 10;
/// A proxy that nobody reaches, which all requests without TLS go to, unless the user wants them: a registry may name a place without
/// TLS for logins, or redirect to one.
const NOWHERE: &str = "http://127.0.0.1:0";

pub(super) struct Registry<'c> {
    image: Reference,
    is_offline: bool,
    has_tls: bool,
    cache: &'c Cache,
    /// Made when it is first needed.
    connection: Option<Connection>,
}

struct Connection {
    client: Client,
    runtime: Runtime,
    login: Option<Login>,
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
        let (cache, has_tls) = (self.cache, self.has_tls);
        let Connection { client, runtime, login } = self.connection()?;
        let anonymous = RegistryAuth::Anonymous;
        let auth = login.as_ref().map_or(&anonymous, |login| &login.auth);
        let pull = async {
            let pulled = client.pull_manifest_raw(image, auth, &MANIFESTS).await;
            // The client does not say why it could not ask for a token.
            match &pulled {
                Err(error) if matches!(cause(error, has_tls), Cause::Unauthorized) => {
                    let asked = client.auth(image, auth, RegistryOperation::Pull).await;
                    asked.err().filter(|error| matches!(error, Error::RequestError(_))).map_or(pulled, Err)
                }
                _ => pulled,
            }
        };
        let pulled = runtime.block_on(async { tokio::time::timeout(MANIFEST, pull).await });
        let pulled = pulled.map_err(|_| format!("cannot pull {what}: its manifest does not arrive in time"))?;
        let (bytes, digest) = pulled.map_err(|error| failure(image, what, login.as_ref(), has_tls, &error))?;
        let mut file = cache.new_file()?;
        file.write_all(&bytes).map_err(|error| cannot_write(what, &error))?;
        cache.keep(file, &digest)?;
        Ok(digest)
    }

    fn pull_blob(&mut self, blob: &Blob, what: &str, bar: &ProgressBar) -> Result<(), Failure> {
        let (image, cache, has_tls) = (self.image.clone(), self.cache, self.has_tls);
        let Connection { client, runtime, login } = self.connection()?;
        let anonymous = RegistryAuth::Anonymous;
        let auth = login.as_ref().map_or(&anonymous, |login| &login.auth);
        let failed = |error: &OciDistributionError| failure(&image, what, login.as_ref(), has_tls, error);
        let mut file = cache.new_file()?;
        let mut left = blob.size.unwrap_or(UNSTATED);
        let longest = MANIFEST + Duration::from_secs(left / SLOWEST);
        let pulled = async {
            client.store_auth_if_needed(image.resolve_registry(), auth).await;
            let mut stream = client.pull_blob_stream(&image, &*blob.digest).await.map_err(|error| failed(&error))?;
            while let Some(bytes) = stream.next().await {
                let bytes = bytes.map_err(|error| failed(&error.into()))?;
                let count = bytes.len() as u64;
                left = left.checked_sub(count).ok_or_else(|| -> Failure {
                    format!("cannot pull {what}: it is larger than its manifest says; nothing of it is kept").into()
                })?;
                file.write_all(&bytes).map_err(|error| cannot_write(what, &error))?;
                bar.inc(count);
            }
            Ok::<(), Failure>(())
        };
        let pulled = runtime.block_on(async { tokio::time::timeout(longest, pulled).await });
        pulled.map_err(|_| format!("cannot pull {what}: it does not arrive in {} s", longest.as_secs()))??;
        cache.keep(file, &blob.digest)
    }

    fn connection(&mut self) -> Result<&Connection, Failure> {
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
        let config = ClientConfig {
            protocol: if has_tls { ClientProtocol::Https } else { ClientProtocol::Http },
            connect_timeout: Some(CONNECT),
            read_timeout: Some(READ),
            user_agent: concat!("opscope/", env!("CARGO_PKG_VERSION")),
            // Where one proxy is stated, those of the environment do not count any more.
            http_proxy: has_tls.then(|| NOWHERE.to_owned()),
            https_proxy: has_tls.then(|| proxy(image.registry())).flatten(),
            ..ClientConfig::default()
        };
        let client = Client::try_from(config).map_err(|error| format!("cannot speak to registries: {error}"))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot speak to registries: {error}"))?;
        Ok(Self { client, runtime, login: login(image) })
    }
}

/// The proxy of the environment for a host, unless `NO_PROXY` names it.
fn proxy(registry: &str) -> Option<String> {
    let set = |names: &[&str]| names.iter().find_map(|name| std::env::var(name).ok().filter(|text| !text.is_empty()));
    let host = registry.split(':').next().unwrap_or(registry);
    let is_direct = |name: &str| {
        let name = name.trim().trim_start_matches('.');
        name == "*" || host == name || !name.is_empty() && host.ends_with(&format!(".{name}"))
    };
    let direct = set(&["NO_PROXY", "no_proxy"]).is_some_and(|names| names.split(',').any(is_direct));
    set(&["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]).filter(|_| !direct)
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
    /// The registry leads to this address, which has no TLS.
    Plain(String),
    Unreachable(String),
    TimedOut,
    Cut,
    WrongDigest,
    Other(String),
}

/// The failure of a pull. `what` names the image, or its manifest or layer.
fn failure(image: &Reference, what: &str, login: Option<&Login>, has_tls: bool, error: &Error) -> Failure {
    let registry = one_line(image.registry());
    let [podman, docker] = ["podman login", "docker login"].map(|login| ShellCommand::new(login).word(&registry));
    let log_in = format!("log in with `{podman}` or `{docker}`");
    let reason = match cause(error, has_tls) {
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
        Cause::Plain(address) => format!(
            "`{registry}` leads to `{address}`, which has no TLS, so that anybody on the way could read a login or change what is \
             sent; `--plain-http` allows it"
        ),
        Cause::Unreachable(said) => {
            format!("cannot reach `{registry}` ({said}); `--offline` uses what was pulled before")
        }
        Cause::TimedOut => format!("`{registry}` does not answer in time; try again later"),
        Cause::Cut => "the connection ended too early; what is complete was kept, so try again".to_owned(),
        Cause::WrongDigest => format!("`{registry}` sent something else than the digest says; nothing of it is kept"),
        Cause::Other(said) => format!("`{registry}`: {said}"),
    };
    format!("cannot pull {what}: {reason}").into()
}

fn cause(error: &Error, has_tls: bool) -> Cause {
    match error {
        Error::UnauthorizedError { .. } | Error::AuthenticationFailure(_) => Cause::Unauthorized,
        Error::ImageManifestNotFoundError(_) => Cause::NotFound,
        Error::RegistryError { envelope, .. } => match envelope.errors.first().map(|error| &error.code) {
            Some(OciErrorCode::Unauthorized | OciErrorCode::Denied) => Cause::Unauthorized,
            Some(
                OciErrorCode::ManifestUnknown
                | OciErrorCode::NameUnknown
                | OciErrorCode::NotFound
                | OciErrorCode::BlobUnknown
                | OciErrorCode::ManifestBlobUnknown,
            ) => Cause::NotFound,
            Some(OciErrorCode::Toomanyrequests) => Cause::Limited,
            _ => Cause::Other(said(&envelope.to_string())),
        },
        Error::ServerError { code, .. } => match code {
            401 | 403 => Cause::Unauthorized,
            404 => Cause::NotFound,
            429 => Cause::Limited,
            code => Cause::Status(*code),
        },
        Error::RequestError(error) => {
            let root = root(error);
            if root.contains("certificate") || root.contains("UnknownIssuer") {
                Cause::Certificate(said(&root))
            } else if root.contains("InvalidContentType") {
                Cause::WithoutTls
            } else if error.is_timeout() {
                Cause::TimedOut
            } else if let Some(url) = error.url().filter(|url| error.is_connect() && has_tls && url.scheme() == "http")
            {
                Cause::Plain(said(&format!("http://{}", url.host_str().unwrap_or_default())))
            } else if error.is_connect() {
                Cause::Unreachable(said(&root))
            } else if error.is_body() || error.is_decode() || error.is_request() {
                Cause::Cut
            } else {
                Cause::Other(said(&root))
            }
        }
        Error::IoError(error) => match error.get_ref() {
            Some(inner) if inner.is::<DigestError>() => Cause::WrongDigest,
            _ => Cause::Cut,
        },
        Error::DigestError(_) => Cause::WrongDigest,
        error => Cause::Other(said(&error.to_string())),
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
