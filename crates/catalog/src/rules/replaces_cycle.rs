//! The rule `replaces-cycle`.
//!
#![doc = include_str!("replaces_cycle.md")]
use super::mended::without_backward_edges;
use crate::model::whole_chain;
use crate::{Chain, Channel, OpmPhase, Package};
use source::{Diagnostic, OpmVersion, Rule};

pub(super) fn check(package: &Package, channel: &Channel, chain: &Chain<'_>) -> Option<Diagnostic> {
    let Chain::Cycle(path) = chain else { return None };
    let closing = *path.last()?;
    let start = path.iter().position(|name| *name == closing)?;
    let cycle = &path[start..];
    let last = channel.entry(path[path.len() - 2])?;
    let span = last.replaces.as_ref().map_or(last.span, |replaces| replaces.span);
    let message =
        format!("the `replaces` chain of channel `{}` contains a cycle: {}", channel.name, cycle.join(" -> "));
    let opm = format!("detected cycle in replaces chain of upgrade graph: {}", cycle.join(" -> "));
    Some(
        Diagnostic::new(Rule::ReplacesCycle, span, message)
            .with_help("let every entry replace an older one")
            .with_fix(without_backward_edges(package, channel))
            .with_opm_at(OpmPhase::Model, opm),
    )
}

/// A cycle that the chain enters at a skipped entry, where it ends since v1.58.0.
pub(super) fn through_skipped(package: &Package, channel: &Channel, chain: &Chain<'_>) -> Option<Diagnostic> {
    let Chain::Headed { head, .. } = chain else { return None };
    Some(check(package, channel, &whole_chain(channel, head))?.until(OpmVersion::LAST_WHOLE_CHAIN))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn a_cycle_below_the_head() {
        let cases = "
            c: 1.0.0 (replaces 2.0.0) <- 2.0.0 <- 3.0.0
                               ^^^^^ replaces-cycle: the `replaces` chain of channel `c` contains a cycle: p.v2.0.0 -> p.v1.0.0 -> p.v2.0.0
                               ^^^^^ opm: detected cycle in replaces chain of upgrade graph: p.v2.0.0 -> p.v1.0.0 -> p.v2.0.0
        ";
        check(cases);
    }
}
