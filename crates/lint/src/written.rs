//! All ranges of a package that can be read, wherever they stand.

use crate::demand::{Demand, inner};
use crate::input::Input;
use crate::operator::Operator;
use blang_semver::Range;
use predicate::Requirement;
use source::Span;

/// A range and its place.
pub(crate) struct Written<'a> {
    pub(crate) text: &'a str,
    pub(crate) range: &'a Range,
    pub(crate) span: Span,
    /// Whether it is about versions of the package that it stands in.
    pub(crate) own: bool,
}

/// The ranges of a package and of what it requires.
pub(crate) fn written<'a>(input: Input<'_>, operator: &'a Operator<'_>, demands: &'a [Demand<'_>]) -> Vec<Written<'a>> {
    let lanes = operator.lanes.iter().flat_map(|lane| &lane.channel.entries);
    let skip_ranges = lanes.filter_map(|entry| {
        let range = entry.skip_range.as_ref()?;
        Some(Written { text: &range.value.text, range: range.value.range.as_ref().ok()?, span: range.span, own: true })
    });
    let mut ranges: Vec<Written<'_>> = skip_ranges.collect();
    for demand in demands {
        let Ok(requirement) = &demand.requirement else { continue };
        for part in inner(requirement) {
            if let Requirement::Package { range, text, .. } = part {
                let span = input.field(demand.span, "versionRange");
                ranges.push(Written { text, range, span, own: false });
            }
        }
    }
    ranges
}
