//! Folders of bundles: their channels, versions of OpenShift and templates.

mod channels;
mod openshift_versions;
mod templates;
