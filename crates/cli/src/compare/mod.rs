//! `opscope compare`

mod github;
mod json;
mod levels;
mod markdown;
mod sarif;
mod text;
mod words;

use crate::args::{self, CompareFormat};
use crate::folder::file_name;
use crate::places::Inputs;
use crate::printer::Printer;
use crate::terminal::Terminal;
use crate::{Failure, write_json, written};
use catalog::Package;
use compare::{
    Causes, Change, ChannelState, Edit, Fix, Group, Level, PackageComparison, Row, State, changes, fixes, groups,
};
use levels::Levels;
use source::{FileId, Rule, Span};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use views::{FileKey, Place};
use workbench::CatalogInput;

/// Two states of a catalog.
struct Comparison<'c> {
    inputs: &'c Inputs,
    before: &'c CatalogInput,
    after: &'c CatalogInput,
    old: State<'c>,
    new: State<'c>,
    levels: &'c Levels,
    packages: Vec<Compared<'c>>,
    /// The number of packages that the new state alone has. They harm nobody.
    added: usize,
    /// What could not be compared, and why.
    not_comparable: Vec<NotComparable>,
}

/// A package in both states.
struct Compared<'c> {
    old: Option<&'c Package>,
    new: Option<&'c Package>,
    found: PackageComparison,
    changes: Vec<Change>,
}

/// A group of rows, with its level, the edits that it is due to, and fixes.
struct Finding<'c> {
    group: Group<'c>,
    level: Level,
    cause: Vec<Edit>,
    fixes: Vec<Fix>,
}

/// Something that cannot be compared.
struct NotComparable {
    /// `before` or `after`.
    side: &'static str,
    /// The package; absent for the whole catalog.
    package: Option<String>,
    reason: String,
}

impl NotComparable {
    /// What it is about, and why.
    fn text(&self) -> String {
        let package = self.package.as_ref().map(|name| format!("{name}, ")).unwrap_or_default();
        format!("{package}{}: {}", self.side, self.reason)
    }
}

/// Prints what becomes of each installed version before and after a change.
pub(crate) fn run(arguments: &args::Compare, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let levels = arguments.levels.as_deref().map_or_else(|| Ok(Levels::default()), Levels::read)?;
    let named = |path: &PathBuf| (file_name(path), path.clone());
    let inputs = Inputs::open(&[named(&arguments.before), named(&arguments.after)])?;
    let [before, after] = inputs.workbench.catalogs() else { return Err("one of the catalogs is not open".to_owned()) };
    let rejections = (rejection(before), rejection(after));
    let old = State { catalog: &before.analysis.catalog, rejected: rejections.0.as_deref() };
    let new = State { catalog: &after.analysis.catalog, rejected: rejections.1.as_deref() };
    let is_known = |name: &String| [old, new].iter().any(|state| state.catalog.package(name).is_some());
    if let Some(unknown) = arguments.package.as_ref().filter(|name| !is_known(name)) {
        return Err(format!("neither catalog has a package `{unknown}`"));
    }
    let is_wanted = |name: &str| arguments.package.as_deref().is_none_or(|wanted| wanted == name);
    let found = compare::compare(old, new).into_iter().filter(|found| is_wanted(found.package.as_str()));
    let packages = found.map(|found| Compared {
        old: old.catalog.package(found.package.as_str()),
        new: new.catalog.package(found.package.as_str()),
        changes: changes(old, new, &found),
        found,
    });
    let packages: Vec<Compared<'_>> = packages.collect();
    let not_comparable = not_comparable([("before", before, old), ("after", after, new)], &packages);
    let is_new = |name: &str| is_wanted(name) && old.catalog.package(name).is_none();
    let added = new.catalog.packages.iter().filter(|package| is_new(package.name.as_str())).count();
    let comparison =
        Comparison { inputs: &inputs, before, after, old, new, levels: &levels, packages, added, not_comparable };
    match arguments.format {
        CompareFormat::Json => write_json(out, &json::report(&comparison))?,
        CompareFormat::Text => {
            text::write(&mut Printer::new(out, terminal, &inputs), &comparison).map_err(written)?;
        }
        CompareFormat::Markdown => markdown::write(out, &comparison).map_err(written)?,
        CompareFormat::Sarif => write_json(out, &sarif::log(&comparison))?,
        CompareFormat::Github => github::write(out, &comparison).map_err(written)?,
    }
    let is_denied = |deny: args::DeniedLevel| {
        !comparison.not_comparable.is_empty()
            || comparison.packages.iter().any(|found| comparison.worst(found) >= Some(deny.level()))
    };
    Ok(!arguments.deny.is_some_and(is_denied))
}

/// What `opm validate` prints, if it rejects the catalog.
fn rejection(input: &CatalogInput) -> Option<String> {
    let first = || input.rejection().and_then(|found| found.opm.as_deref()).unwrap_or("opm rejects the catalog");
    (!input.is_accepted()).then(|| first().to_owned())
}

/// Sides that `opm` rejects or that have no package, files that cannot be read, and packages with channels that could not
/// be ordered before.
fn not_comparable(
    sides: [(&'static str, &CatalogInput, State<'_>); 2],
    packages: &[Compared<'_>],
) -> Vec<NotComparable> {
    let mut found = Vec::new();
    for (side, input, state) in sides {
        let whole = |reason: String| NotComparable { side, package: None, reason };
        found.extend(state.rejected.map(|text| whole(format!("opm rejects the catalog: {text}"))));
        let unreadable = input.analysis.findings.iter().map(|found| &found.diagnostic);
        let unreadable = unreadable.filter(|found| found.rule == Rule::UnreadableFile && found.opm.is_none());
        found.extend(unreadable.map(|found| {
            let file = input.file(FileKey(found.span.file.0)).map_or("", |file| file.path.as_str());
            whole(format!("{file}: {}", found.message))
        }));
        if side == "before" && state.catalog.packages.is_empty() {
            found.push(whole("it has no package, so there is nothing to compare with".to_owned()));
        }
    }
    let [(side, _, old), _] = sides;
    for Compared { found: comparison, .. } in packages.iter().filter(|_| old.rejected.is_none()) {
        let broken = comparison.rows.iter().find(|row| row.old.state == ChannelState::Broken);
        found.extend(broken.map(|row| NotComparable {
            side,
            package: Some(comparison.package.to_string()),
            reason: format!(
                "OLM cannot order channel `{}`: {}",
                row.channel,
                row.old.error.as_deref().unwrap_or_default()
            ),
        }));
    }
    found
}

impl Comparison<'_> {
    /// The level of a row, if it has a rule that is not switched off.
    fn level(&self, row: &Row) -> Option<Level> {
        row.rule.and_then(|rule| self.levels.of(rule.id(), rule.level()))
    }

    fn level_of_change(&self, change: &Change) -> Option<Level> {
        self.levels.of(change.rule.id(), change.rule.level())
    }

    /// The changes with their levels, without those that are switched off.
    fn changes<'f>(&self, found: &'f Compared<'_>) -> Vec<(Level, &'f Change)> {
        let changes = found.changes.iter().filter_map(|change| Some((self.level_of_change(change)?, change)));
        let mut changes: Vec<_> = changes.collect();
        changes.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
        changes
    }

    /// How many rows and changes have each level.
    fn levels(&self) -> BTreeMap<Level, usize> {
        let mut levels = BTreeMap::new();
        for found in &self.packages {
            let rows = found.found.rows.iter().filter_map(|row| self.level(row));
            let changes = self.changes(found).into_iter().map(|(level, _)| level);
            rows.chain(changes).for_each(|level| *levels.entry(level).or_default() += 1);
        }
        levels
    }

    fn worst(&self, found: &Compared<'_>) -> Option<Level> {
        let rows = found.found.rows.iter().filter_map(|row| self.level(row));
        rows.chain(self.changes(found).into_iter().map(|(level, _)| level)).max()
    }

    fn is_changed(&self, found: &Compared<'_>) -> bool {
        self.worst(found).is_some()
    }

    /// Whether all was compared and nothing changes.
    fn is_unchanged(&self, found: &Compared<'_>) -> bool {
        let is_about = |known: &NotComparable| {
            known.package.as_deref().is_none_or(|package| package == found.found.package.as_str())
        };
        !self.is_changed(found) && !self.not_comparable.iter().any(is_about)
    }

    /// The groups of rows, the worst first.
    fn findings<'f>(&self, found: &'f Compared<'_>) -> Vec<Finding<'f>> {
        let mut causes = found.old.zip(found.new).map(|(old, new)| Causes::new(old, new));
        let groups = groups(&found.found.rows).into_iter();
        let findings = groups.filter_map(|group| {
            let level = self.level(group.rows[0])?;
            let cause = causes.as_mut().filter(|_| self.new.rejected.is_none()).map(|causes| causes.of(group.rows[0]));
            let fixes = fixes(self.old, self.new, &found.found, &group);
            Some(Finding { level, cause: cause.unwrap_or_default(), fixes, group })
        });
        let mut findings: Vec<Finding<'_>> = findings.collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
        findings
    }

    /// Where an edit is: in the new state, else in the old one.
    fn place(&self, found: &Compared<'_>, edit: &Edit) -> Option<Place> {
        let after = found.new.and_then(|package| edit.span(package)).map(|span| self.after.place(span));
        after.or_else(|| found.old.and_then(|package| edit.span(package)).map(|span| self.before.place(span)))
    }

    /// Where to show a finding: at an edit in the new state, else at the package, which may be in the old state alone.
    fn place_after(&self, found: &Compared<'_>, edit: Option<&Edit>) -> Option<Place> {
        let edited = edit.and_then(|edit| edit.span(found.new?));
        let package = || found.new.and_then(Package::span);
        let after = edited.or_else(package).map(|span| self.after.place(span));
        after.or_else(|| Some(self.before.place(found.old?.span()?)))
    }

    /// The start of the first file, for what has no place of its own.
    fn start(&self) -> Option<Place> {
        let file = self.after.files.first()?;
        Some(self.after.place(Span::new(FileId(file.key.0), 0, 0)))
    }

    /// An edit in words, with its place.
    fn cause(&self, found: &Compared<'_>, edit: &Edit) -> (String, Option<Place>) {
        let text = found.old.zip(found.new).map_or_else(String::new, |(old, new)| edit.describe(old, new));
        (text, self.place(found, edit))
    }
}
