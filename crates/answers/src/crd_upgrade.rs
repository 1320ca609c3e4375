//! What OLM finds when it upgrades one CustomResourceDefinition to the next, of their texts.

use crd_upgrade::{ApiVersion, Crd, Unreadable, upgrade_view};
use source::{FileId, LineIndex};
use views::CrdUpgradeView;

/// Why two texts are not two states of one CustomResourceDefinition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrdFault {
    /// One of the texts is none that Kubernetes takes.
    Unreadable {
        /// Whether it is the new one.
        is_new: bool,
        /// Line and column, if the fault has a place.
        at: Option<(u32, u32)>,
        reason: String,
    },
    /// They have these names.
    Different { old: String, new: String },
}

/// What OLM finds when it upgrades the CustomResourceDefinition of one text to that of another.
///
/// # Errors
/// When the texts are not two states of one CustomResourceDefinition.
pub fn crd_upgrade(old: &str, new: &str) -> Result<CrdUpgradeView, CrdFault> {
    let (old, new) = (read(old, false)?, read(new, true)?);
    if old.name == new.name {
        return Ok(upgrade_view(&old, &new));
    }
    Err(CrdFault::Different { old: old.name.to_string(), new: new.name.to_string() })
}

fn read(text: &str, is_new: bool) -> Result<Crd, CrdFault> {
    let crd = crd_upgrade::read(FileId(0), text).map_err(|Unreadable { span, message }| {
        let at = LineIndex::new(text).position(text, span.start);
        CrdFault::Unreadable { is_new, at: Some((at.line, at.column)), reason: message }
    })?;
    match crd.api {
        ApiVersion::V1 => Ok(crd),
        ApiVersion::V1Beta1 => Err(CrdFault::Unreadable {
            is_new,
            at: None,
            reason: "expected apiVersion `apiextensions.k8s.io/v1`, found `apiextensions.k8s.io/v1beta1`, which Kubernetes 1.22 \
                     removed"
                .to_owned(),
        }),
    }
}
