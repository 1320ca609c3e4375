//! The cluster that queries are about.

use crate::manifest_text::ManifestText;
use std::cell::OnceCell;
use std::rc::Rc;
use views::{ClusterForm, ClusterInput};

/// The cluster.
pub(crate) enum Cluster {
    /// A form.
    Form(ClusterForm),
    /// Manifests.
    Manifests(ManifestsInput),
}

/// The text of manifests, and what was read in it.
pub(crate) struct ManifestsInput {
    pub(crate) text: Rc<str>,
    /// The first query reads the text, so that a program that loads its code in parts need not have the reader before.
    read: OnceCell<Rc<ManifestText>>,
}

impl ManifestsInput {
    /// What was read in the text.
    pub(crate) fn read(&self) -> &Rc<ManifestText> {
        self.read.get_or_init(|| Rc::new(ManifestText::read(&self.text)))
    }
}

impl From<ClusterInput> for Cluster {
    fn from(input: ClusterInput) -> Self {
        match input {
            ClusterInput::Form(form) => Self::Form(form),
            ClusterInput::Manifests(text) => {
                Self::Manifests(ManifestsInput { text: text.into(), read: OnceCell::new() })
            }
        }
    }
}
