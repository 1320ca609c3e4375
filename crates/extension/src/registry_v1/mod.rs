//! A bundle of format registry+v1 as operator-controller reads it, and what it refuses in the manifests before it installs any
//! of them (operator-controller `internal/operator-controller/rukpak/bundle/source/source.go`,
//! `internal/operator-controller/rukpak/render/registryv1`).
//!
//! One check is left out: the package has a name, because the catalog lists the bundle under it. Fields of a wrong type count
//! as empty.

mod bundle;
mod error;
mod objects;
#[cfg(test)]
mod testing;
mod webhooks;

pub use error::ManifestError;

pub(crate) use bundle::RegistryV1;

impl RegistryV1 {
    /// Everything that OLM v1 refuses, in its order.
    pub(crate) fn errors(&self) -> Vec<ManifestError> {
        let mut errors = objects::duplicate_deployments(self);
        errors.extend(objects::invalid_deployment_names(self));
        errors.extend(objects::duplicate_crds(self));
        errors.extend(objects::missing_crds(self));
        errors.extend(webhooks::unsupported(self));
        errors.extend(webhooks::without_deployment(self));
        errors.extend(webhooks::duplicates(self));
        errors.extend(webhooks::invalid_names(self));
        errors.extend(webhooks::shared_crds(self));
        errors.extend(webhooks::foreign_crds(self));
        errors.extend(webhooks::forbidden(self));
        errors.extend(objects::unsupported(self));
        errors.extend(webhooks::preserved_fields(self));
        errors
    }
}
