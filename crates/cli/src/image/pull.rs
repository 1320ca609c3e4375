//! A registry, of which the cache keeps what is pulled.

use super::cache::Cache;
use super::credentials::{Login, login};
use super::failure::failure;
use crate::args::ImageArguments;
use crate::output::{Failure, say};
use archive::Blob;
use futures_util::StreamExt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use oci_client::client::{ClientConfig, ClientProtocol};
use oci_client::errors::OciDistributionError;
use oci_client::manifest::{
    IMAGE_MANIFEST_LIST_MEDIA_TYPE, IMAGE_MANIFEST_MEDIA_TYPE, OCI_IMAGE_INDEX_MEDIA_TYPE, OCI_IMAGE_MEDIA_TYPE,
};
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference};
use std::io::Write;
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

/// A registry with an image.
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
        let cache = self.cache;
        let Connection { client, runtime, login } = self.connection()?;
        let anonymous = RegistryAuth::Anonymous;
        let auth = login.as_ref().map_or(&anonymous, |login| &login.auth);
        let pulled = runtime.block_on(async {
            tokio::time::timeout(MANIFEST, client.pull_manifest_raw(image, auth, &MANIFESTS)).await
        });
        let pulled = pulled.map_err(|_| format!("cannot pull {what}: its manifest does not arrive in time"))?;
        let (bytes, digest) = pulled.map_err(|error| failure(image, what, login.as_ref(), &error))?;
        let mut file = cache.new_file()?;
        file.write_all(&bytes).map_err(|error| cannot_write(what, &error))?;
        cache.keep(file, &digest)?;
        Ok(digest)
    }

    fn pull_blob(&mut self, blob: &Blob, what: &str, bar: &ProgressBar) -> Result<(), Failure> {
        let (image, cache) = (self.image.clone(), self.cache);
        let Connection { client, runtime, login } = self.connection()?;
        let anonymous = RegistryAuth::Anonymous;
        let auth = login.as_ref().map_or(&anonymous, |login| &login.auth);
        let failed = |error: &OciDistributionError| failure(&image, what, login.as_ref(), error);
        let mut file = cache.new_file()?;
        let mut left = blob.size.unwrap_or(UNSTATED);
        runtime.block_on(async {
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
        })?;
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
        let cache = crate::paths::shown_path(self.cache.root());
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
            ..ClientConfig::default()
        };
        let client = Client::try_from(config).map_err(|error| format!("cannot speak to registries: {error}"))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot speak to registries: {error}"))?;
        Ok(Self { client, runtime, login: login(image) })
    }
}

fn cannot_write(what: &str, error: &std::io::Error) -> Failure {
    format!("cannot keep {what}: {error}").into()
}
