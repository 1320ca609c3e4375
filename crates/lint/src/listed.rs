//! Names in messages.

/// The first few names in backticks, the rest as a number.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    // One copy for all kinds of iterators: nothing here is hot.
    told(&mut names.into_iter())
}

fn told(mut names: &mut dyn Iterator<Item = &str>) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<String> = Iterator::by_ref(&mut names).take(SHOWN).map(|name| format!("`{name}`")).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
