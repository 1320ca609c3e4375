//! The logins that podman, docker and their helpers keep: containers/image, `docs/containers-auth.json.5.md`.

use crate::output::say;
use crate::paths::shown_path;
use docker_credential::{CredentialRetrievalError, DockerCredential, get_credential_from_reader};
use etcetera::BaseStrategy;
use oci_client::Reference;
use oci_client::secrets::RegistryAuth;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The registry of images without one, and the name that docker keeps its login under.
const DOCKER_HUB: [&str; 2] = ["docker.io", "https://index.docker.io/v1/"];

/// A login, and the file that it is from.
pub(super) struct Login {
    pub(super) auth: RegistryAuth,
    pub(super) file: PathBuf,
}

/// The part of the file that says for what it has logins itself.
#[derive(Default, Deserialize)]
struct Keys {
    #[serde(default)]
    auths: BTreeMap<String, serde_json::Value>,
}

/// The login for an image: that of the longest part of its name in the first file that has one.
pub(super) fn login(image: &Reference) -> Option<Login> {
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
