//! What a file had when it was opened: the one replacement that leads back from the present text.

use crate::file::FileInput;
use std::borrow::Cow;
use std::ops::Range;
use views::TextEdit;

/// The difference from the text that was opened. Edits that are near to each other keep little of it, whatever the size of
/// the file; edits at both ends keep the text once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The bytes of the present text that differ.
    pub(crate) present: Range<usize>,
    pub(crate) opened: String,
}

impl Difference {
    /// The difference after an edit of `text`, which replaces `bytes` by as many as `inserted` says.
    pub(crate) fn before_edit(earlier: Option<Self>, text: &str, bytes: &Range<usize>, inserted: usize) -> Self {
        let Self { present, mut opened } =
            earlier.unwrap_or_else(|| Self { present: bytes.clone(), opened: text[bytes.clone()].to_owned() });
        let (start, end) = (present.start.min(bytes.start), present.end.max(bytes.end));
        opened.insert_str(0, &text[start..present.start]);
        opened.push_str(&text[present.end..end]);
        Self { present: start..end - bytes.len() + inserted, opened }
    }

    /// The difference without what is the same at its start and at its end; `None` if that is all of it.
    pub(crate) fn trimmed(self, text: &str) -> Option<Self> {
        let Self { present, mut opened } = self;
        let here = &text[present.clone()];
        let same = |(a, b): &(char, char)| a == b;
        let prefix: usize = here.chars().zip(opened.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        let (here, rest) = (&here[prefix..], &opened[prefix..]);
        let suffix: usize =
            here.chars().rev().zip(rest.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        opened.truncate(opened.len() - suffix);
        opened.drain(..prefix);
        let present = present.start + prefix..present.end - suffix;
        (!present.is_empty() || !opened.is_empty()).then_some(Self { present, opened })
    }
}

impl FileInput {
    /// The change that makes the text as it was opened, if it was edited.
    #[must_use]
    pub fn opened(&self) -> Option<TextEdit> {
        let Difference { present, opened } = self.difference.as_ref()?;
        Some(TextEdit { start: present.start as u32, end: present.end as u32, text: opened.clone() })
    }

    /// The text as it was opened.
    #[must_use]
    pub fn opened_text(&self) -> Cow<'_, str> {
        let Some(Difference { present, opened }) = &self.difference else { return Cow::Borrowed(&self.text) };
        Cow::Owned([&self.text[..present.start], opened, &self.text[present.end..]].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workbench;
    use proptest::prelude::*;

    /// A text after edits, each a range in thousandths of the text and what takes its place.
    fn edited(opened: &str, edits: &[(u16, u16, String)]) -> (String, Option<Difference>) {
        let (mut text, mut difference) = (opened.to_owned(), None);
        for (a, b, inserted) in edits {
            let at = |thousandth: u16| text.floor_char_boundary(text.len() * usize::from(thousandth) / 1000);
            let bytes = at(*a.min(b))..at(*a.max(b));
            let before = Difference::before_edit(difference, &text, &bytes, inserted.len());
            text.replace_range(bytes, inserted);
            difference = before.trimmed(&text);
        }
        (text, difference)
    }

    proptest! {
        #[test]
        fn it_leads_back_to_the_opened_text(
            opened in "[aé🫖\n]{0,12}",
            edits in prop::collection::vec((0u16..=1000, 0u16..=1000, "[aé🫖\n]{0,3}"), 0..5),
        ) {
            let (mut text, difference) = edited(&opened, &edits);
            prop_assert_eq!(difference.is_none(), text == opened);
            if let Some(Difference { present, opened }) = difference {
                text.replace_range(present, &opened);
            }
            prop_assert_eq!(text, opened);
        }
    }

    #[test]
    fn a_stored_file_is_edited_as_before() {
        let mut workbench = crate::testing::workbench(&[("c", "package p c")]);
        let (id, key) = (workbench.catalogs()[0].id, workbench.catalogs()[0].files[0].key);
        let path = workbench.catalogs()[0].files[0].path.clone();
        let present = workbench.catalogs()[0].files[0].text.clone();
        let opened = |workbench: &Workbench| workbench.file(key).unwrap().1.opened();
        let splice = |start, end, text: &str| TextEdit { start, end, text: text.to_owned() };
        workbench.set_opened(id, vec![(path.clone(), splice(3, 99_999, "x")), ("other".to_owned(), splice(0, 1, "x"))]);
        assert_eq!(opened(&workbench), None, "it does not fit");
        let at = present.find("name: p").unwrap() as u32 + 6;
        workbench.set_opened(id, vec![(path, splice(at, at + 1, "q"))]);
        assert_eq!(opened(&workbench), Some(splice(at, at + 1, "q")));
        let catalog = &workbench.catalogs()[0];
        assert_eq!(
            (&catalog.files[0].text, &*catalog.files[0].opened_text()),
            (&present, &*present.replace("name: p", "name: q"))
        );
        let names = |analysis: &crate::Analysis| analysis.catalog.packages[0].name.to_string();
        assert_eq!(catalog.opened.as_ref().map(|opened| names(&opened.analysis)).as_deref(), Some("q"));
        assert_eq!(names(&catalog.analysis), "p");
        workbench.edit(key, at..at + 1, "q");
        assert_eq!(opened(&workbench), None);
    }

    #[test]
    fn it_keeps_what_was_edited_alone() {
        let opened = "a".repeat(1000) + "bc" + &"d".repeat(998);
        let (_, difference) = edited(&opened, &[(500, 501, "BC".to_owned())]);
        assert_eq!(difference, Some(Difference { present: 1000..1002, opened: "bc".to_owned() }));
        let (_, difference) = edited(&opened, &[(500, 501, "BC".to_owned()), (500, 501, "bc".to_owned())]);
        assert_eq!(difference, None);
    }
}
