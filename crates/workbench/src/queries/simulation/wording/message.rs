//! OLM's own messages, with what the identifiers in them mean.

use super::Wording;
use resolver::{Conflicts, Identifier, conflict_variants, identifiers};
use views::{MessageView, TermView};

/// At most so many other texts are shown.
const OTHERS: usize = 4;

impl Wording<'_> {
    /// The message of a contradiction, and what a cluster may print instead.
    pub(in super::super) fn message(&self, text: &str, conflicts: Option<&Conflicts>) -> MessageView {
        let variants = conflicts.map(|conflicts| conflict_variants(self.problem, conflicts, OTHERS + 1).texts);
        let others = variants.into_iter().flatten().filter(|variant| variant != text).take(OTHERS).collect();
        let mut terms: Vec<TermView> = Vec::new();
        for identifier in identifiers(text) {
            let term = &text[identifier.range.clone()];
            if terms.iter().all(|known| known.text != term) {
                terms.push(TermView { text: term.to_owned(), meaning: meaning(&identifier) });
            }
        }
        MessageView { text: text.to_owned(), terms, others }
    }
}

fn meaning(Identifier { catalog, channel, name, .. }: &Identifier) -> String {
    match channel {
        None => format!("`{name}`, installed in namespace `{}`", catalog.namespace),
        Some(channel) => {
            format!("`{name}` in channel `{channel}` of catalog `{}` (namespace `{}`)", catalog.name, catalog.namespace)
        }
    }
}
