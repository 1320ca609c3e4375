//! An entry that replaces one of a higher version.
//!
//! OLM follows the edge whatever the versions say, and users are downgraded. Mostly the two names were swapped.
//!
//! ```yaml
//! - {name: p.v1.0.0, replaces: p.v1.1.0}   # fails
//! - {name: p.v1.1.0, replaces: p.v1.0.0}   # passes
//! ```
//!
//! Source: fbc-semantics 4.5 ("replacing or skipping a higher version"); olm-runtime A2.3 (#07).

use crate::operator::Operator;
use source::{Diagnostic, Rule};

pub(super) fn check(operator: &Operator<'_>, found: &mut Vec<Diagnostic>) {
    for lane in &operator.lanes {
        for at in lane.chosen() {
            let entry = &lane.channel.entries[at];
            let Some(replaces) = &entry.replaces else { continue };
            let older = operator.package.bundle(replaces.value.as_str()).and_then(|bundle| bundle.version());
            let (Some(older), Some(own)) = (older, lane.versions[at]) else { continue };
            if older > own {
                let mut message =
                    format!("`{}` of version {own} replaces `{replaces}` of the higher {older}", entry.name);
                if !own.pre().is_empty() && older.pre().is_empty() {
                    message.push_str(&format!("; `-{}` makes a prerelease of it", own.pre()));
                }
                let help = "OLM downgrades users along this edge; if that is not meant, swap the two";
                found.push(Diagnostic::new(Rule::Downgrade, replaces.span, message).with_help(help));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    #[test]
    fn a_higher_version_below() {
        let entries = "- {name: p.v1.0.0, replaces: p.v1.1.0}\n- name: p.v1.1.0\n";
        let expected = "9:30 `p.v1.0.0` of version 1.0.0 replaces `p.v1.1.0` of the higher 1.1.0";
        check(Rule::Downgrade, &package(entries, &["1.0.0", "1.1.0"]), &[expected]);
    }

    #[test]
    fn a_prerelease_above_its_release() {
        let entries = "- {name: p.v1.0.0-1, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        let expected = "9:32 `p.v1.0.0-1` of version 1.0.0-1 replaces `p.v1.0.0` of the higher 1.0.0; `-1` makes a prerelease of it";
        check(Rule::Downgrade, &package(entries, &["1.0.0", "1.0.0-1"]), &[expected]);
    }

    #[test]
    fn build_metadata_is_no_version() {
        let entries = "- {name: p.v1.0.0+1, replaces: p.v1.0.0+2}\n- name: p.v1.0.0+2\n";
        check(Rule::Downgrade, &package(entries, &["1.0.0+1", "1.0.0+2"]), &[]);
    }
}
