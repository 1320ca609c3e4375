//! All ranges of a package that can be read, wherever they stand.

use crate::demand::{Demand, inner};
use crate::input::Input;
use crate::operator::Operator;
use blang_semver::{Range, Version};
use predicate::Requirement;
use source::Span;

/// A range and its place.
pub(crate) struct Written<'a> {
    pub(crate) text: &'a str,
    pub(crate) range: &'a Range,
    pub(crate) span: Span,
    /// The versions of the package that it is about, ascending; absent where this catalog does not have the package.
    pub(crate) versions: Option<&'a [&'a Version]>,
}

/// The ranges of a package and of what it requires; `operators` are the packages of the catalog, by name.
pub(crate) fn written<'a>(
    input: Input<'_>,
    operator: &'a Operator<'_>,
    operators: &'a [Operator<'_>],
    demands: &'a [Demand<'_>],
) -> Vec<Written<'a>> {
    let lanes = operator.lanes.iter().flat_map(|lane| &lane.channel.entries);
    let skip_ranges = lanes.filter_map(|entry| {
        let range = entry.skip_range.as_ref()?;
        let versions = Some(&operator.ascending[..]);
        Some(Written { text: &range.value.text, range: range.value.range.as_ref().ok()?, span: range.span, versions })
    });
    let mut ranges: Vec<Written<'_>> = skip_ranges.collect();
    for demand in demands {
        let Ok(requirement) = &demand.requirement else { continue };
        for part in inner(requirement) {
            if let Requirement::Package { name, range, text } = part {
                let span = input.field(demand.span, "versionRange");
                let versions = Operator::named(operators, name).map(|operator| &operator.ascending[..]);
                ranges.push(Written { text, range, span, versions });
            }
        }
    }
    ranges
}
