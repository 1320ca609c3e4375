//! Plans as Markdown: a checklist with commands.

use source::{fenced, markdown};
use std::fmt;
use views::{PlanAction, PlanStep, PlanView, PlansView};

/// What no plan takes into account.
const ASSUMPTIONS: &str = "It is assumed that the catalogs stay as they are, that updates by themselves are over before the next \
                           step, and that every operator stays healthy. OpenShift has other reasons to stop an update, which \
                           `oc adm upgrade` shows. There is no way back to an earlier minor version.";

/// The plans as a checklist. `catalogs` says which catalogs they are made for, one line for each.
#[must_use]
pub fn plan_markdown(view: &PlansView, catalogs: &[String]) -> String {
    Checklist { view, catalogs }.to_string()
}

struct Checklist<'v> {
    view: &'v PlansView,
    catalogs: &'v [String],
}

impl fmt::Display for Checklist<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.view, self.catalogs)
    }
}

fn write(out: &mut fmt::Formatter<'_>, view: &PlansView, catalogs: &[String]) -> fmt::Result {
    writeln!(out, "## {}\n", markdown(&view.sentence))?;
    for text in view.freestanding.iter().chain(&view.notices) {
        writeln!(out, "- {}\n", markdown(text))?;
    }
    for gate in &view.gates {
        writeln!(out, "On {} OLM says:\n\n{}", gate.openshift, fenced("", "", &gate.message))?;
    }
    let troubled: Vec<&PlanView> = view.plans.iter().filter(|plan| plan.reason.is_some()).collect();
    if !troubled.is_empty() {
        writeln!(out, "### Without a good end\n")?;
        for plan in troubled {
            let Some(reason) = &plan.reason else { continue };
            writeln!(out, "- {}: {}", title(plan), markdown(&reason.sentence))?;
            for lift in &reason.lifts {
                writeln!(out, "  - possible: {}", markdown(lift))?;
            }
        }
        writeln!(out)?;
    }
    let below: Vec<&PlanView> = view.plans.iter().filter(|plan| !plan.is_at_head()).collect();
    if !below.is_empty() {
        writeln!(out, "### Below the head in the end\n")?;
        for plan in below {
            let sentence = plan.rest.as_ref().map(|rest| &*rest.sentence).unwrap_or_default();
            writeln!(out, "- {}: {}", title(plan), markdown(sentence))?;
        }
        writeln!(out)?;
    }
    for (at, version) in view.way.iter().enumerate() {
        writeln!(out, "### On {version}\n")?;
        let here = view.plans.iter().flat_map(|plan| plan.steps_on(*version).map(move |step| (plan, step)));
        let here: Vec<(&PlanView, &PlanStep)> = here.collect();
        let waiting = view.plans.iter().filter(|_| at == 0).filter_map(|plan| Some((plan, plan.waiting.as_ref()?)));
        let waiting: Vec<(&PlanView, &String)> = waiting.collect();
        for (plan, text) in &waiting {
            writeln!(out, "- [ ] {}: {}", title(plan), markdown(text))?;
        }
        let is_one = |(one, a): &(&PlanView, &PlanStep), (other, b): &(&PlanView, &PlanStep)| {
            std::ptr::eq(*one, *other) && a.automatic && b.automatic
        };
        for run in here.chunk_by(is_one) {
            let Some((plan, step)) = run.last() else { continue };
            let text = match (step.automatic, run.len()) {
                (false, _) => step.text.clone(),
                (true, 1) => format!("wait until OLM has installed `{}`", step.to),
                (true, count) => format!("wait until OLM has installed `{}`, after {count} updates", step.to),
            };
            writeln!(out, "- [ ] {}: {}", title(plan), markdown(&text))?;
            commands(out, &step.commands)?;
        }
        let frozen: Vec<&str> = view.frozen_on(*version).collect();
        for sentence in &frozen {
            writeln!(out, "- {}", markdown(sentence))?;
        }
        if here.is_empty() && waiting.is_empty() && frozen.is_empty() && at + 1 == view.way.len() {
            writeln!(out, "Nothing to do, and nothing happens.")?;
        }
        if let Some(next) = view.way.get(at + 1) {
            writeln!(out, "- [ ] update OpenShift to {next}")?;
            let steps = view.plans.iter().flat_map(|plan| &plan.steps);
            let step = steps.into_iter().find(|step| step.what == PlanAction::OpenShift && step.openshift == *version);
            commands(out, step.map(|step| &step.commands[..]).unwrap_or_default())?;
        }
        writeln!(out)?;
    }
    for catalog in catalogs {
        writeln!(out, "- {}", markdown(catalog))?;
    }
    writeln!(out, "\n{ASSUMPTIONS}")
}

fn commands(out: &mut fmt::Formatter<'_>, commands: &[String]) -> fmt::Result {
    if commands.is_empty() { Ok(()) } else { write!(out, "\n{}", fenced("  ", "sh", &commands.join("\n"))) }
}

fn title(plan: &PlanView) -> String {
    let channel = if plan.channel.is_empty() { String::new() } else { format!(" ({})", plan.channel) };
    markdown(&format!("`{}`{channel} in `{}`", plan.package, plan.namespace))
}
