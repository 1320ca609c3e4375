//! The cluster that queries are about.

use crate::manifest_text::ManifestText;
use std::cell::OnceCell;
use std::rc::Rc;

/// The text of manifests, and what was read in it.
#[derive(Default)]
pub(crate) struct Cluster {
    text: Rc<str>,
    /// Whether the text has all objects of OLM that the cluster has.
    is_whole: bool,
    /// The first query reads the text, so that a program that loads its code in parts need not have the reader before.
    read: OnceCell<Rc<ManifestText>>,
}

impl Cluster {
    pub(crate) fn new(text: &str, is_whole: bool) -> Self {
        Self { text: text.into(), is_whole, read: OnceCell::new() }
    }

    /// What was read in the text.
    pub(crate) fn read(&self) -> &Rc<ManifestText> {
        self.read.get_or_init(|| {
            let mut read = ManifestText::read(&self.text);
            if self.is_whole {
                read.objects.cluster.set_complete();
            }
            Rc::new(read)
        })
    }
}
