//! Why OLM does something, in text, in the words of `answers`: the results of Subscriptions with the steps that lead
//! there, conflicts, refusals, filters and fixes.

use report::{Answer, Block, Paint, verdict};
use source::{StateId, one_line};
use views::{
    BlockedView, ConflictView, CsvFailureView, ExplainedMessage, FailureKind, FailureView, FixView, FunnelView,
    MessageView, NamespaceState, RefusalView, RepairsView, SubscriptionStatus, SubscriptionView, Verdict,
};

/// The number of groups of refused candidates that are shown.
const REFUSALS: usize = 8;

/// What a namespace waits for as it stands. Where OLM acts by itself, the answer that follows says what it does; where it finds no
/// solution, the answer (`is_explained`) tells what decides.
pub(crate) fn stands(answer: &mut Answer<'_>, state: &NamespaceState, is_explained: bool) {
    let is_conflict = is_explained && state.now.reason == StateId::ResolutionFails;
    answer.blocks((state.has_lead() || is_conflict).then(|| Block::Item(verdict(state))));
}

/// What the objects of a namespace say themselves, each with its age; nothing of what is as it should be.
pub(crate) fn reported(
    answer: &mut Answer<'_>,
    messages: &[ExplainedMessage],
    is_shown: impl Fn(&ExplainedMessage) -> bool,
) {
    let shown: Vec<&ExplainedMessage> =
        messages.iter().filter(|one| one.verdict != Some(Verdict::Acts) && is_shown(one)).collect();
    if !shown.is_empty() {
        answer.heading(Paint::Bold, "What the cluster reports");
    }
    for one in shown {
        let age = if one.age.is_empty() { String::new() } else { format!(", {}", one.age) };
        let text = if one.text.is_empty() { String::new() } else { format!(": {}", one.text) };
        lines(answer, "  - ", Paint::Plain, &format!("{}{age}{text}", one.about));
        answer.line("      → ", Paint::Hint, &one.meaning);
    }
}

/// A text of OLM. Only its first line is wrapped: the others point to a place in the line above.
pub(crate) fn lines(answer: &mut Answer<'_>, lead: &str, paint: Paint, text: &str) {
    let (first, others) = text.split_once('\n').unwrap_or((text, ""));
    answer.line(lead, paint, &one_line(first));
    if !others.is_empty() {
        answer.verbatim(others);
    }
}

/// The argument why OLM finds no solution, fixes, and OLM's own message.
pub(crate) fn failure(answer: &mut Answer<'_>, view: &FailureView) {
    for row in &view.conflicts {
        conflict(answer, row, view.conflicts.len());
    }
    if view.bounded {
        answer.line("", Paint::Plain, "There may be more conflicts; the search stopped here.");
    }
    if !view.rules.is_empty() {
        answer.heading(Paint::Bad, heading(view.kind));
        answer.reasons("  - ", &view.rules);
    }
    fixes(answer, &view.fixes);
    message(answer, &view.message);
}

const fn heading(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Conflict => "These rules conflict:",
        FailureKind::Refused => "OLM refuses to resolve this namespace:",
        FailureKind::Unknown => "Opscope cannot tell what OLM would do:",
    }
}

/// The CSVs that never run, each with what helps.
pub(crate) fn csv_failures(answer: &mut Answer<'_>, rows: &[CsvFailureView]) {
    if !rows.is_empty() {
        answer.heading(Paint::Bad, "These CSVs do not fit the OperatorGroup:");
    }
    rows.iter().for_each(|row| answer.sentence("  - ", &row.sentence(), None));
    rows.iter().take(1).for_each(|row| fixes(answer, &row.fixes));
}

/// The facts as numbered sentences.
fn conflict(answer: &mut Answer<'_>, view: &ConflictView, of: usize) {
    let title = if of > 1 { "One of the conflicts: " } else { "Conflict: " };
    answer.heading(Paint::Bad, &(title.to_owned() + &view.title));
    for (number, line) in (1..).zip(&view.lines) {
        answer.sentence(&format!("{number:3}. "), &line.text, line.place);
    }
    view.more.iter().for_each(|row| answer.sentence("     ", &row.text, row.place));
    view.funnels.iter().for_each(|row| funnel(answer, row));
}

/// OLM's message, what its identifiers mean, and the other texts that it may have.
fn message(answer: &mut Answer<'_>, view: &MessageView) {
    if view.text.is_empty() {
        return;
    }
    if view.is_reported {
        // It is among the messages of the cluster.
        answer.heading(Paint::Bold, "The cluster reports what follows from this");
    } else {
        answer.heading(Paint::Bold, "The message of OLM that follows from this");
        answer.verbatim(&view.text);
    }
    if let Some(differs) = &view.differs {
        answer.line("", Paint::Plain, &format!("The cluster reports another one: {differs}."));
    }
    for term in &view.terms {
        answer.line("  ", Paint::Plain, &format!("{}: {}", term.text, term.meaning));
    }
    if view.is_reported {
        return;
    }
    if !view.others.is_empty() {
        answer.line("", Paint::Plain, "OLM may print this instead:");
    }
    view.others.iter().for_each(|text| answer.verbatim(text));
}

/// The fixes, each with what OLM does after it.
pub(crate) fn fixes(answer: &mut Answer<'_>, rows: &[FixView]) {
    if !rows.is_empty() {
        answer.heading(Paint::Good, FixView::title(rows));
    }
    for row in rows {
        answer.sentence("  - ", &row.text, row.place);
        row.effects.iter().for_each(|effect| answer.line("      → ", Paint::Good, effect));
    }
}

/// What helps a channel, or why nothing does.
pub(crate) fn repairs(answer: &mut Answer<'_>, view: &RepairsView) {
    answer.heading(Paint::Bold, &view.title());
    for (number, row) in (1..).zip(&view.fixes) {
        answer.sentence(&format!("{number:3}. "), &row.text, row.place);
        row.effects.iter().for_each(|effect| answer.line("      → ", Paint::Good, effect));
    }
    view.refusal().iter().for_each(|text| answer.line("  - ", Paint::Plain, text));
}

/// The filters of a search, each with the number of candidates that it leaves.
fn funnel(answer: &mut Answer<'_>, view: &FunnelView) {
    answer.heading(Paint::Bold, &view.title);
    for stage in &view.stages {
        let (paint, tail) = if stage.left == 0 { (Paint::Bad, ": 0 candidates left") } else { (Paint::Plain, "") };
        answer.line(&format!("{:6}  ", stage.left), paint, &format!("{}{tail}", stage.text));
    }
    view.hints.iter().for_each(|hint| answer.line("        ", Paint::Hint, &hint.text));
}

/// The better candidates that OLM refused, each with the reasons. `unexplained` counts those without.
pub(crate) fn refusals(answer: &mut Answer<'_>, rows: &[RefusalView], unexplained: u32) {
    for row in rows.iter().take(REFUSALS) {
        answer.line("  ", Paint::Plain, &format!("not {}:", row.title));
        answer.reasons("    - ", &row.because);
    }
    match rows.len().saturating_sub(REFUSALS) + unexplained as usize {
        0 => {}
        more => answer.line("  ", Paint::Dim, &format!("{more} more")),
    }
}

/// The catalogs that are not served, so that OLM resolves nothing.
pub(crate) fn blocked(answer: &mut Answer<'_>, view: &BlockedView) {
    answer.heading(Paint::Bad, "OLM cannot resolve anything in this namespace.");
    for source in &view.sources {
        answer.sentence("  - ", &source.sentence(), source.place);
    }
    answer.heading(Paint::Bold, "The message of OLM that follows from this");
    answer.verbatim(&view.message);
    let them = if view.sources.len() == 1 { "it were" } else { "they were" };
    answer.heading(Paint::Bold, &format!("What OLM would do if {them} served"));
}

// The results of Subscriptions in text: a marked line each, the steps that lead there, and why there is nothing newer.

/// A line for each Subscription: a mark, the verdict in a few words, and in full. Below it, why it ends below the head of its
/// channel, and how it comes to a newer one.
pub(crate) fn verdicts(answer: &mut Answer<'_>, rows: &[SubscriptionView]) {
    for row in rows {
        let (mark, paint) = look(row.status);
        answer.line(&format!("{mark} "), paint, &format!("{}: {}", row.short, row.verdict));
        let because = row.behind.iter().map(|kept| &kept.because);
        because.into_iter().for_each(|row| answer.sentence("  ", &row.text, row.place));
        if let Some(way) = &row.way_on {
            answer.line("  ", if way.is_lost() { Paint::Warning } else { Paint::Plain }, &way.sentence());
        }
    }
}

/// The mark of a status, and its colour.
const fn look(status: SubscriptionStatus) -> (&'static str, Paint) {
    match status {
        SubscriptionStatus::Installs | SubscriptionStatus::Updates | SubscriptionStatus::AtHead => ("✓", Paint::Good),
        SubscriptionStatus::Waits | SubscriptionStatus::Behind | SubscriptionStatus::NotInstalled => {
            ("▲", Paint::Warning)
        }
        SubscriptionStatus::Fails | SubscriptionStatus::Blocked | SubscriptionStatus::Loops => ("✕", Paint::Bad),
        SubscriptionStatus::Passes => ("…", Paint::Hint),
        SubscriptionStatus::Unknown => ("?", Paint::Hint),
    }
}

/// What OLM refused for a Subscription that ends below the head of its channel, and fixes; nothing if it does not.
pub(crate) fn reasons(answer: &mut Answer<'_>, row: &SubscriptionView) {
    if row.fixes.is_empty() && row.repairs.is_none() && row.refused.is_empty() && row.funnel.is_none() {
        return;
    }
    answer.heading(Paint::Bold, &format!("Why no newer version for {}?", row.name));
    refusals(answer, &row.refused, 0);
    row.funnel.iter().for_each(|row| funnel(answer, row));
    fixes(answer, &row.fixes);
    row.repairs.iter().for_each(|view| for_publisher(answer, view));
}

/// The best repair of a channel, which its publisher can make and nobody who has the cluster.
fn for_publisher(answer: &mut Answer<'_>, view: &RepairsView) {
    answer.heading(Paint::Bold, "Report to the publisher");
    answer.line("  ", Paint::Plain, &view.title());
    if let Some(row) = view.fixes.first() {
        answer.sentence("  it helps to ", &row.text, row.place);
        row.effects.iter().for_each(|effect| answer.line("      → ", Paint::Good, effect));
    }
    view.refusal().iter().for_each(|text| answer.line("  - ", Paint::Plain, text));
}
