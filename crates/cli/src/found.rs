//! The catalogs that a running cluster needs: pulled from their registries, or else from catalogd.

use crate::folder;
use crate::kubectl::Kubectl;
use crate::output::{Failure, say};
use session::{MissingCatalog, NewText};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A catalog of the cluster.
pub(crate) struct Found {
    /// The name of its CatalogSource or ClusterCatalog.
    pub(crate) name: String,
    /// What it was read from.
    pub(crate) path: PathBuf,
    pub(crate) files: Vec<NewText>,
}

/// Those of the catalogs that can be had, each name once. Says on standard error why the others cannot.
pub(crate) fn catalogs(missing: Vec<MissingCatalog>, kubectl: &Kubectl) -> Vec<Found> {
    let mut names = BTreeSet::new();
    let of_one = |missing: MissingCatalog| {
        if !names.insert(missing.name.clone()) {
            return None;
        }
        let MissingCatalog { name, image, url, .. } = missing;
        let pulled = image.map(|image| of_registry(&name, &image));
        let found = match (pulled, url) {
            (Some(Ok(found)), _) => return Some(found),
            (Some(Err(failure)), None) => Err(failure),
            (Some(Err(failure)), Some(url)) => {
                say(&format!("{}; asks catalogd", failure.text()));
                of_catalogd(&name, &url, kubectl)
            }
            (None, Some(url)) => of_catalogd(&name, &url, kubectl),
            (None, None) => return None,
        };
        found.map_err(|failure| say(&failure.text())).ok()
    };
    missing.into_iter().filter_map(of_one).collect()
}

fn of_registry(name: &str, image: &str) -> Result<Found, Failure> {
    let path = PathBuf::from(format!("image:{image}"));
    Ok(Found { name: name.to_owned(), files: folder::files(&path)?, path })
}

/// What catalogd serves, which the API server passes on: operator-controller, `docs/howto/catalog-queries.md`; Kubernetes, "Manually
/// constructing apiserver proxy URLs".
fn of_catalogd(name: &str, url: &str, kubectl: &Kubectl) -> Result<Found, Failure> {
    let (service, namespace, path) = place(url).ok_or_else(|| {
        format!("`{name}` is served at `{}`, which is no service of the cluster", source::one_line(url))
    })?;
    let address = format!("/api/v1/namespaces/{namespace}/services/https:{service}:443/proxy/{path}/api/v1/all");
    let right =
        format!("`{name}` cannot be had from catalogd; you need the right to get `services/proxy` in `{namespace}`");
    let text = kubectl.raw(&address, right)?;
    // It has this name in findings.
    let file = format!("catalogd:{name}");
    let files = vec![NewText { path: file.clone(), content: Ok(text.into_bytes()) }];
    Ok(Found { name: name.to_owned(), path: file.into(), files })
}

/// The service, its namespace, and the path of `https://SERVICE.NAMESPACE.svc/PATH`.
fn place(url: &str) -> Option<(&str, &str, &str)> {
    let (host, path) = url.strip_prefix("https://")?.split_once('/')?;
    let mut parts = host.split('.');
    let (service, namespace, kind) = (parts.next()?, parts.next()?, parts.next()?);
    let is_label =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let is_path = path.split('/').all(|part| !matches!(part, "" | "." | "..") && part.split('.').all(is_label));
    let is_service = kind == "svc" && is_label(service) && is_label(namespace);
    (is_service && is_path).then_some((service, namespace, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_service_of_the_cluster_is_asked() {
        let url = "https://catalogd-service.olmv1-system.svc/catalogs/operatorhubio";
        assert_eq!(place(url), Some(("catalogd-service", "olmv1-system", "catalogs/operatorhubio")));
        let others = [
            "http://catalogd-service.olmv1-system.svc/catalogs/a",
            "https://example.com/catalogs/a",
            "https://a.b.svc/catalogs/../../../secrets",
            "https://a.b.svc/catalogs/a?x=y",
            "https://a/b.c.svc/catalogs",
            "https://a.b.svc",
        ];
        assert_eq!(others.map(place), [None; 6]);
    }
}
