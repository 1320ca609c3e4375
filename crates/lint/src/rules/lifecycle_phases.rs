//! The rule `lifecycle-phases`.
//!
#![doc = include_str!("lifecycle_phases.md")]
use crate::index::Input;
use catalog::LifecyclePhase;
use source::{Diagnostic, Findings, Rule};

const HELP: &str = "each phase starts on the day after the end of the one before it, and ends after its start";

pub(super) fn check(input: Input<'_>, findings: &mut Findings) {
    for version in input.catalog.lifecycles().flat_map(|data| &data.versions) {
        findings.extend(version.phases.iter().filter_map(ends_early));
        findings.extend(version.phases.windows(2).filter_map(|pair| not_contiguous(&pair[0], &pair[1])));
    }
}

fn ends_early(phase: &LifecyclePhase) -> Option<Diagnostic> {
    let (start, end) = (phase.start.as_ref()?, phase.end.as_ref()?);
    let message = || format!("phase `{}` ends on {end}, which is not after its start", phase.name);
    let finding = || Diagnostic::new(Rule::LifecyclePhases, end.span, message()).with_help(HELP);
    (end.value <= start.value).then(|| finding().with_label(start.span, "the start"))
}

fn not_contiguous(one: &LifecyclePhase, next: &LifecyclePhase) -> Option<Diagnostic> {
    let (end, start) = (one.end.as_ref()?, next.start.as_ref()?);
    let days = start.value.to_julian_day() - end.value.to_julian_day() - 1;
    let name = &next.name;
    let message = if one.start.as_ref().is_some_and(|first| start.value < first.value) {
        format!("phase `{name}` starts before phase `{}`, which is listed before it", one.name)
    } else if days < 0 {
        format!("phase `{name}` starts on {start}, before phase `{}` is over: they overlap", one.name)
    } else {
        let gap = match days {
            0 => return None,
            1 => "one day".to_owned(),
            days => format!("{days} days"),
        };
        format!("there is a gap of {gap} between phase `{}` and phase `{name}`", one.name)
    };
    let finding = Diagnostic::new(Rule::LifecyclePhases, start.span, message).with_help(HELP);
    Some(finding.with_label(end.span, "the end of the phase before"))
}

#[cfg(test)]
mod tests {
    use source::Rule;

    /// Checks phases of one version. The first line of each case is its name.
    fn check(cases: &str) {
        const VERSION: &str = "
            schema: io.openshift.operators.lifecycles.v1alpha1
            package: p
            versions:
            - name: '1.0'
              phases:";
        let with_version =
            |line: &str| if line.contains("== ") { format!("{line}{VERSION}\n") } else { format!("{line}\n") };
        crate::testing::check(Rule::LifecyclePhases, &cases.lines().map(with_version).collect::<String>());
    }

    #[test]
    fn a_phase_that_starts_two_days_after_the_end_of_the_first_leaves_a_gap_of_one_day() {
        let cases = "
            == case
              - {name: A, startDate: 2024-01-01, endDate: 2024-02-28}
              - {name: B, startDate: 2024-03-01, endDate: 2024-06-30}
                                     ^^^^^^^^^^ lifecycle-phases: there is a gap of one day between phase `A` and phase `B`
        ";
        check(cases);
    }

    #[test]
    fn a_phase_that_starts_on_the_end_date_of_the_first_overlaps() {
        let cases = "
            == case
              - {name: A, startDate: 2024-01-01, endDate: 2024-02-29}
              - {name: B, startDate: 2024-02-29, endDate: 2024-06-30}
                                     ^^^^^^^^^^ lifecycle-phases: phase `B` starts on 2024-02-29, before phase `A` is over: they overlap
        ";
        check(cases);
    }

    #[test]
    fn order_and_length() {
        let cases = "
            == contiguous
              - {name: A, startDate: 2024-01-01, endDate: 2024-02-29}
              - {name: B, startDate: 2024-03-01, endDate: 2024-06-30}
            == in the wrong order
              - {name: B, startDate: 2024-03-01, endDate: 2024-06-30}
              - {name: A, startDate: 2024-01-01, endDate: 2024-02-29}
                                     ^^^^^^^^^^ lifecycle-phases: phase `A` starts before phase `B`, which is listed before it
            == a phase of no length
              - {name: A, startDate: 2024-01-01, endDate: 2024-01-01}
                                                          ^^^^^^^^^^ lifecycle-phases: phase `A` ends on 2024-01-01, which is not after its start
            == a long gap
              - {name: A, startDate: 2024-01-01, endDate: 2024-02-29}
              - {name: B, startDate: 2024-04-01, endDate: 2024-06-30}
                                     ^^^^^^^^^^ lifecycle-phases: there is a gap of 31 days between phase `A` and phase `B`
        ";
        check(cases);
    }
}
