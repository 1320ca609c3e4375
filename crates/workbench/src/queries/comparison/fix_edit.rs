//! Fixes of a comparison as edits of the text after the change.

use crate::comparison::{Compared, Comparison, Side};
use crate::queries::inverse;
use crate::{FileInput, Workbench};
use catalog::{Bundle, BundleName, Channel, Entry, Package};
use compare::Fix;
use fbc::{Rewriter, TextEdit};
use source::{FileId, Rewrite, Span};
use views::{FileKey, InputEdit, TextSplice};

/// The edit that applies a fix. `None` if the state after the change is no text that can be edited, as an expanded
/// template, or if what is restored is written in another language.
pub(super) fn edit(
    workbench: &Workbench,
    comparison: &Comparison<'_>,
    found: &Compared,
    fix: &Fix,
) -> Option<InputEdit> {
    let [old, new] = comparison.states(found);
    let target = Target { before: comparison.before, old: old?, new };
    if comparison.after.is_opened {
        return None;
    }
    let file = target.file(comparison.after, fix)?;
    let (_, file) = workbench.file(file).filter(|(_, file)| file.is_editable())?;
    let splices: Vec<TextSplice> = target.edits(file, fix)?.into_iter().map(|edit| splice(file, &edit)).collect();
    let undo = inverse(&file.text, &splices);
    Some(InputEdit::Catalog { file: file.key, splices, undo })
}

fn splice(file: &FileInput, edit: &TextEdit) -> TextSplice {
    let text = file.with_line_ends(edit.span.start, &edit.text);
    TextSplice { start: edit.span.start, end: edit.span.end, text }
}

/// What a fix changes.
struct Target<'c> {
    before: Side<'c>,
    old: &'c Package,
    new: Option<&'c Package>,
}

impl Target<'_> {
    fn channel(&self, fix: &Fix) -> Option<&Channel> {
        let name = match fix {
            Fix::Unskip { channel, .. }
            | Fix::Skip { channel, .. }
            | Fix::Widen { channel, .. }
            | Fix::Restore { channel, .. }
            | Fix::KeepChannel(channel) => channel,
            Fix::KeepPackage => return None,
        };
        self.new?.channel(name.as_str())
    }

    /// The file to edit: that of the channel, else that of the package, else the one of the same path.
    fn file(&self, after: Side<'_>, fix: &Fix) -> Option<FileKey> {
        let package = || self.new.and_then(Package::span);
        if let Some(span) = self.channel(fix).map(|channel| channel.span).or_else(package) {
            return Some(FileKey(span.file.0));
        }
        let path = &self.before.input.file(FileKey(self.old.span()?.file.0))?.path;
        let files = || after.input.files.iter().filter(|file| file.is_editable() && !file.ignored);
        files().find(|file| file.path == *path).or_else(|| files().next()).map(|file| file.key)
    }

    fn edits(&self, file: &FileInput, fix: &Fix) -> Option<Vec<TextEdit>> {
        let rewrite = |change: Rewrite| Rewriter::new(&file.text, &file.parse().docs).edits(&[change]);
        let head = |name: &BundleName| self.channel(fix)?.entry(name.as_str());
        match fix {
            Fix::Unskip { head: name, skipped, .. } => {
                let skip = head(name)?.skips.iter().find(|skip| skip.value == *skipped)?;
                rewrite(Rewrite::Remove { span: skip.span })
            }
            Fix::Skip { head: name, names, .. } => {
                let added = names.iter().map(ToString::to_string).collect();
                rewrite(Rewrite::List { mapping: head(name)?.span, list: "skips", removed: Vec::new(), added })
            }
            Fix::Widen { head: name, range, .. } => {
                let (mapping, text) = (head(name)?.span, range.to_string());
                rewrite(Rewrite::Set { mapping, within: None, field: "skipRange", text })
            }
            Fix::Restore { channel, names } => {
                let old = self.old.channel(channel.as_str())?;
                let entries: Vec<&Entry> =
                    old.entries.iter().filter(|entry| names.contains(&entry.name.value)).collect();
                let mut edits = vec![listed(&file.text, self.channel(fix)?, &entries)?];
                edits.extend(self.documents(file, self.missing(names).map(|bundle| bundle.span))?);
                Some(edits)
            }
            Fix::KeepChannel(name) => {
                let old = self.old.channel(name.as_str())?;
                let names: Vec<BundleName> = old.entries.iter().map(|entry| entry.name.value.clone()).collect();
                // What the fix leaves out: the channel as it is now, and the bundles that it alone lists.
                let fixed = fix.applied(self.new, self.old);
                let bundles = self.new.into_iter().flat_map(|new| &new.bundles);
                let dropped = bundles.filter(|bundle| fixed.bundle(bundle.name.value.as_str()).is_none());
                let dropped =
                    self.channel(fix).map(|channel| channel.span).into_iter().chain(dropped.map(|bundle| bundle.span));
                let dropped: Vec<Rewrite> = dropped.map(|span| Rewrite::RemoveDocument { span }).collect();
                if dropped.iter().any(|change| change.span().file.0 != file.key.0) {
                    return None;
                }
                let mut edits = Rewriter::new(&file.text, &file.parse().docs).edits(&dropped)?;
                let bundles = self.missing(&names).map(|bundle| bundle.span);
                edits.extend(self.documents(file, std::iter::once(old.span).chain(bundles))?);
                Some(edits)
            }
            Fix::KeepPackage => {
                let parts = self.old.channels.iter().map(|channel| channel.span);
                let parts = parts.chain(self.old.bundles.iter().map(|bundle| bundle.span));
                self.documents(file, self.old.declared.into_iter().chain(parts))?.map(|edit| vec![edit])
            }
        }
    }

    /// The bundles of these names that the state after the change does not have.
    fn missing(&self, names: &[BundleName]) -> impl Iterator<Item = &Bundle> {
        let is_missing = |name: &&BundleName| self.new.is_none_or(|new| new.bundle(name.as_str()).is_none());
        names.iter().filter(is_missing).filter_map(|name| self.old.bundle(name.as_str()))
    }

    /// Adds documents of the state before at the end of a file. `None` if a document is YAML and the file is JSON, or if its
    /// text is not kept.
    fn documents(&self, file: &FileInput, spans: impl Iterator<Item = Span>) -> Option<Option<TextEdit>> {
        let is_json = file.text.trim_start().starts_with('{');
        let mut added = String::new();
        for span in spans {
            let text = self.before.text(span.file)?;
            let document = text.get(span.start as usize..span.end as usize)?.trim_end();
            if is_json && !document.starts_with('{') {
                return None;
            }
            added += &if is_json { format!("{document}\n") } else { format!("---\n{document}\n") };
        }
        let end = file.text.len() as u32;
        let line_end = if file.text.is_empty() || file.text.ends_with('\n') { "" } else { "\n" };
        let span = Span::new(FileId(file.key.0), end, end);
        Some((!added.is_empty()).then(|| TextEdit { span, text: format!("{line_end}{added}") }))
    }
}

/// Adds entries at the front of those of a channel, in flow style, which is JSON, too.
fn listed(text: &str, channel: &Channel, entries: &[&Entry]) -> Option<TextEdit> {
    let first = channel.entries.iter().map(|entry| entry.span).min_by_key(|span| span.start)?;
    let line = text[..first.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..first.start as usize];
    let items = entries.iter().map(|entry| written(entry));
    let added = match before.trim() {
        "-" => items.map(|item| format!("{item}\n{before}")).collect(),
        _ => items.map(|item| format!("{item}, ")).collect(),
    };
    Some(TextEdit { span: first.at_start(), text: added })
}

/// An entry as a mapping in flow style.
fn written(entry: &Entry) -> String {
    let name = |name: &BundleName| format!("{:?}", name.as_str());
    let mut fields = vec![format!("\"name\": {}", name(&entry.name.value))];
    fields.extend(entry.replaces.iter().map(|replaced| format!("\"replaces\": {}", name(&replaced.value))));
    if !entry.skips.is_empty() {
        let skips: Vec<String> = entry.skips.iter().map(|skip| name(&skip.value)).collect();
        fields.push(format!("\"skips\": [{}]", skips.join(", ")));
    }
    fields.extend(entry.skip_range.iter().map(|range| format!("\"skipRange\": {:?}", &*range.value.text)));
    format!("{{{}}}", fields.join(", "))
}
