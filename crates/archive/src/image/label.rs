//! The labels of an image, which tell what it is.

use crate::name::path_of;
use crate::report::{CONFIGS, ContentsKind};
use crate::{Error, Limits};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The label of a catalog image in the old sqlite format.
const DATABASE: &str = "operators.operatorframework.io.index.database.v1";
/// The labels of a bundle image: operator-registry, `docs/design/operator-bundle.md`.
const PACKAGE: &str = "operators.operatorframework.io.bundle.package.v1";
const MANIFESTS: &str = "operators.operatorframework.io.bundle.manifests.v1";
const METADATA: &str = "operators.operatorframework.io.bundle.metadata.v1";

/// The configuration of an image: image-spec, `config.md`.
#[derive(Deserialize)]
pub(crate) struct Config {
    #[serde(default)]
    config: Option<ContainerConfig>,
    #[serde(default)]
    rootfs: Option<RootFs>,
}

#[derive(Deserialize)]
struct ContainerConfig {
    #[serde(default, rename = "Labels")]
    labels: Option<BTreeMap<String, Option<String>>>,
}

#[derive(Deserialize)]
struct RootFs {
    #[serde(default)]
    diff_ids: Option<Vec<String>>,
}

/// What an image is, and the folders with its files.
pub(crate) struct Purpose {
    pub(crate) kind: ContentsKind,
    /// The folder that paths begin in.
    pub(crate) root: String,
    pub(crate) folders: Vec<String>,
}

impl Config {
    /// The digests of the layers' tar archives, the lowest first.
    pub(crate) fn diff_ids(&self) -> &[String] {
        self.rootfs.as_ref().and_then(|rootfs| rootfs.diff_ids.as_deref()).unwrap_or_default()
    }

    /// What the labels say.
    ///
    /// # Errors
    /// When the image is neither a catalog that is read nor a bundle.
    pub(crate) fn purpose(&self, limits: Limits) -> Result<Purpose, Error> {
        let labels = self.config.as_ref().and_then(|config| config.labels.as_ref());
        let label = |name: &str| labels.and_then(|labels| labels.get(name)?.as_deref());
        let folder = |name: &str| path_of(name.as_bytes(), limits).map(|(path, _)| path);
        if let Some(configs) = label(CONFIGS) {
            let root = folder(configs)?;
            return Ok(Purpose { kind: ContentsKind::Catalog, folders: vec![root.clone()], root });
        }
        let (manifests, metadata) = (label(MANIFESTS), label(METADATA));
        if manifests.is_some() || metadata.is_some() || label(PACKAGE).is_some() {
            let folders = vec![folder(manifests.unwrap_or("manifests/"))?, folder(metadata.unwrap_or("metadata/"))?];
            return Ok(Purpose { kind: ContentsKind::Bundle, root: String::new(), folders });
        }
        Err(match label(DATABASE) {
            Some(database) => Error::SqliteImage { database: crate::name::shortened(database) },
            None => Error::NoLabel,
        })
    }
}
