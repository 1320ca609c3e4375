//! Documents with lifecycle data.

use crate::rules::invalid_lifecycle::{self as rule, Fields};
use crate::{Lifecycle, LifecyclePhase, LifecycleVersion, Platform, parse_day};
use fbc::Value;
use fbc::raw::RawOther;
use source::{Findings, Span, Spanned};
use time::Date;

/// What can be read of a document; what does not fit its schema is reported.
pub(super) fn read(span: Span, raw: &RawOther, text: &str, findings: &mut Findings) -> Lifecycle {
    let known = &["schema", "package", "versions"];
    let place = raw.schema.span;
    let mut document = Fields { title: "the lifecycle data", place, entries: &raw.lifecycle, text, findings };
    document.check_names(known);
    let package = document.text("package");
    let versions = document.objects("versions", true, "a version", |of| {
        of.check_names(&["name", "phases", "platformCompatibility"]);
        let name = of.text("name");
        name.iter().for_each(|name| of.findings.extend(rule::not_a_minor(&name.value, name.span)));
        let phases = of.objects("phases", true, "a phase", phase);
        LifecycleVersion { name, phases, platforms: of.objects("platformCompatibility", false, "a platform", platform) }
    });
    Lifecycle { span, package, versions }
}

fn phase(of: &mut Fields<'_>) -> LifecyclePhase {
    of.check_names(&["name", "startDate", "endDate"]);
    let name = of.text("name").map_or_else(Box::default, |name| name.value);
    LifecyclePhase { name, start: date(of, "startDate"), end: date(of, "endDate") }
}

fn date(of: &mut Fields<'_>, name: &'static str) -> Option<Spanned<Date>> {
    let text = of.text(name)?;
    let date = parse_day(&text.value);
    if date.is_none() {
        of.findings.push(rule::not_a_date(&text.value, text.span));
    }
    Some(Spanned::new(date?, text.span))
}

fn platform(of: &mut Fields<'_>) -> Platform {
    of.check_names(&["name", "versions"]);
    let name = of.text("name").map_or_else(Box::default, |name| name.value);
    let items = of.list("versions", true);
    let mut versions = Vec::with_capacity(items.len());
    for item in items {
        match &item.value {
            Value::String(version) => {
                of.findings.extend(rule::not_a_minor(version, item.span));
                versions.push(version.clone());
            }
            _ => of.findings.push(rule::wrong_type("every item of `versions`", "a text", item, of.text)),
        }
    }
    Platform { name, versions }
}
