//! What becomes of an extension while its catalogs change.
//!
//! Every installation that OLM v1 does not refuse succeeds at once, as with the default runtime, which installs with Helm. After each change of the catalogs the controller resolves until nothing changes,
//! one update after the other.

use crate::release::VersionRelease;
use std::collections::BTreeSet;

use catalog::{BundleName, image_identity};

use crate::conditions::{self, ConditionType, Conditions};
use crate::readiness::Refusal;
use crate::resolve::{CatalogState, Resolution, Resolved, resolve};
use cluster::{ClusterExtension, InstalledBundle};

/// One reconciliation of an extension.
#[derive(Clone, Debug, PartialEq)]
pub struct Reconciliation {
    /// The position of the state of the catalogs.
    pub state: usize,
    /// What the resolver answers.
    pub resolution: Resolution,
    /// What OLM v1 refuses in the chosen bundle.
    pub refusals: Vec<Refusal>,
    pub change: ReconciliationEffect,
    pub installed: Option<InstalledBundle>,
    /// If it is known: no status has the image of the first one.
    pub image: Option<Box<str>>,
    pub conditions: Conditions,
}

/// What a reconciliation changes on the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReconciliationEffect {
    /// The first bundle is installed.
    Installed,
    /// Another bundle replaces the installed one.
    Replaced { from: BundleName },
    /// The installed bundle is applied again.
    Reapplied,
    /// The catalog has another image under the name and version of the installed bundle, and its content replaces what is
    /// there. Nothing in the status tells but the image.
    ImageSwapped {
        /// The image before.
        from: Box<str>,
    },
    /// The resolution fails, or OLM v1 refuses the chosen bundle, and the installed bundle stays as it is.
    Kept,
    /// The resolution fails because there are no catalogs, so the installed bundle is applied again.
    FellBack,
    /// The resolution fails, or OLM v1 refuses the chosen bundle, and nothing is installed.
    Nothing,
}

/// Follows an extension through states of its catalogs, as if OLM v1 refused no bundle. Each state gives at least one
/// reconciliation, and its last one changes nothing more, except that updates in a circle end where they began.
#[must_use]
pub fn timeline(extension: &ClusterExtension, states: &[Vec<CatalogState<'_>>]) -> Vec<Reconciliation> {
    timeline_with_refusals(extension, states, &|_| Vec::new())
}

/// As [`timeline`], with what OLM v1 refuses in a chosen bundle, which it does not install.
#[must_use]
pub fn timeline_with_refusals(
    extension: &ClusterExtension,
    states: &[Vec<CatalogState<'_>>],
    refusals: &dyn Fn(&Resolved) -> Vec<Refusal>,
) -> Vec<Reconciliation> {
    let mut line = Vec::new();
    let mut current = Current { extension: extension.clone(), image: None };
    for (state, catalogs) in states.iter().enumerate() {
        let mut seen = BTreeSet::new();
        loop {
            let step = current.reconcile(state, catalogs, refusals);
            let is_new = matches!(step.change, ReconciliationEffect::Installed | ReconciliationEffect::Replaced { .. });
            let name = step.installed.as_ref().map(|installed| (installed.name.clone(), installed.version.clone()));
            line.push(step);
            if !is_new || !seen.insert(name) {
                break;
            }
        }
    }
    line
}

/// The extension with the status that it has by now.
struct Current {
    extension: ClusterExtension,
    image: Option<Box<str>>,
}

impl Current {
    fn reconcile(
        &mut self,
        state: usize,
        catalogs: &[CatalogState<'_>],
        refusals: &dyn Fn(&Resolved) -> Vec<Refusal>,
    ) -> Reconciliation {
        let resolution = resolve(&self.extension, catalogs);
        let refusals = resolution.outcome.as_ref().map(refusals).unwrap_or_default();
        let change = match &resolution.outcome {
            Ok(resolved) if refusals.is_empty() => self.apply(resolved),
            Ok(_) if self.extension.installed.is_none() => ReconciliationEffect::Nothing,
            Ok(_) => ReconciliationEffect::Kept,
            Err(_) if self.extension.installed.is_none() => ReconciliationEffect::Nothing,
            Err(_) if self.falls_back(catalogs) => ReconciliationEffect::FellBack,
            Err(_) => ReconciliationEffect::Kept,
        };
        let installed = &self.extension.installed;
        let error = resolution.outcome.as_ref().err().filter(|_| change != ReconciliationEffect::FellBack);
        let known = resolution.outcome.as_ref().ok().map(|resolved| &resolved.deprecations[..]);
        let name = installed.as_ref().map(|installed| &installed.name);
        let image = installed.as_ref().map(|_| self.image.as_deref().unwrap_or_default());
        let mut conditions = conditions::deprecations(&self.extension, name, known);
        conditions.insert(ConditionType::Installed, conditions::installed(image));
        let not_applied = resolution.outcome.as_ref().ok();
        let not_applied =
            not_applied.and_then(|resolved| conditions::not_applied(resolved, &refusals, self.extension.olm));
        let progressing = not_applied.unwrap_or_else(|| conditions::progressing(error));
        conditions.insert(ConditionType::Progressing, progressing);
        Reconciliation {
            state,
            refusals,
            change,
            installed: installed.clone(),
            image: self.image.clone(),
            conditions,
            resolution,
        }
    }

    /// Installs a bundle. The controller pulls and applies the image also if name and version are the installed ones.
    fn apply(&mut self, resolved: &Resolved) -> ReconciliationEffect {
        let version = resolved.version_release();
        let olm = self.extension.olm;
        let bundle = version.installed(resolved.bundle.clone(), olm);
        let before = self.extension.installed.replace(bundle);
        let image = self.image.replace(resolved.image.clone().unwrap_or_default());
        match before {
            None => ReconciliationEffect::Installed,
            Some(before)
                if before.name != resolved.bundle || VersionRelease::of_installed(&before, olm) != Ok(version) =>
            {
                ReconciliationEffect::Replaced { from: before.name }
            }
            Some(_) => {
                match image.filter(|image| Some(image_identity(image)) != self.image.as_deref().map(image_identity)) {
                    Some(from) => ReconciliationEffect::ImageSwapped { from },
                    None => ReconciliationEffect::Reapplied,
                }
            }
        }
    }

    /// Whether a failed resolution leaves the installed bundle as wanted: no other version is wanted, which is compared as text,
    /// and no selected catalog exists, not even an unavailable one.
    fn falls_back(&self, catalogs: &[CatalogState<'_>]) -> bool {
        let ClusterExtension { version, installed, selector, .. } = &self.extension;
        let wants_other =
            !version.is_empty() && installed.as_ref().is_some_and(|installed| installed.version != *version);
        !wants_other && catalogs.iter().all(|state| selector.matches(state.object) == Ok(false))
    }
}
