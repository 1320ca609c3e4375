//! A question about the inputs after a change that is taken back.

use crate::Workbench;
use crate::cluster_content::Cluster;
use views::{AuthoringInput, InputEdit, TextEdit};

impl Workbench {
    /// Asks about the inputs as they are after an edit, which is taken back before this returns.
    ///
    /// # Errors
    ///
    /// Why the edit cannot be made, and what to do.
    pub fn after<T>(&mut self, edit: &InputEdit, ask: impl FnOnce(&mut Self) -> T) -> Result<T, String> {
        match edit {
            InputEdit::Manifests(edits) => {
                let text = TextEdit::applied(edits, self.manifests().text());
                let text = text.ok_or("the manifests are others than when this was offered")?;
                let facts = self.cluster.facts().clone();
                let before = std::mem::replace(&mut self.cluster, Cluster::new(&text, facts));
                let answer = ask(self);
                self.cluster = before;
                Ok(answer)
            }
            InputEdit::Catalog { catalog, changes } => {
                let input = AuthoringInput::Fix { title: String::new(), changes: changes.clone() };
                let undo = self.author_input(*catalog, &input, None)?;
                let answer = ask(self);
                self.edit_files(&undo);
                Ok(answer)
            }
        }
    }
}
