//! `opscope review`: the decision about a change, and what it is due to.

use crate::args::{Compare, Review};
use crate::compare::{Pairs, levels_text};
use crate::format::CompareFormat;
use crate::git::Revision;
use crate::image::Image;
use crate::json::{self, Json, Printed};
use crate::output::{Failure, write_report};
use crate::places::{raw_path, shown_path};
use crate::{rewritten, set, settings, validate};
use report::contract::Validated;
use report::{Block, ComparedCatalogs, Grade, Item, Paint, Report, Terminal};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use views::{Level, SetView};

/// Prints whether a change is denied, what it does, and what is wrong with the catalog. Returns whether `opm` accepts it and nothing
/// is denied.
///
/// # Errors
/// When a part has no answer; what the others found is printed before.
pub(crate) fn run(arguments: &Review, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let reviewed = Parts::of(arguments)?;
    reviewed.write(arguments.format, terminal, out)?;
    let plain = Terminal { has_colour: false, ..terminal };
    for (format, path) in &arguments.save {
        let mut text = Vec::new();
        reviewed.write(*format, plain, &mut text)?;
        rewritten::replace(path, &text).map_err(|error| format!("cannot write `{}`: {error}", shown_path(path)))?;
    }
    reviewed.answer()
}

/// What a catalog is compared with.
enum Before {
    /// The state before, and why it is not at the path that was named.
    State(PathBuf, Option<String>),
    /// The change makes the catalog.
    New(String),
    Unnamed,
}

impl Before {
    /// Finds the state before a change of a catalog that has these packages.
    fn of(arguments: &Review, packages: &[String]) -> Result<Self, Failure> {
        let Some(path) = arguments.before.as_deref() else { return Ok(Self::Unnamed) };
        let revision = match Revision::of(path) {
            Some(revision) if !revision.is_there()? => revision,
            _ => return Ok(Self::State(path.to_path_buf(), None)),
        };
        let (named, now) = (shown_path(path), shown_path(&arguments.catalog));
        Ok(match revision.moved(packages)? {
            Some(found) => Self::State(
                found.clone().into(),
                Some(format!("`{named}` is not there; `{found}` has its packages, and is gone now")),
            ),
            None => Self::New(format!("`{named}` is not there, so `{now}` is new")),
        })
    }
}

/// The parts of a review.
struct Parts<'a> {
    arguments: &'a Review,
    before: Before,
    /// What is wrong with the catalog.
    validated: validate::Checked,
    /// What the change does; absent if there is nothing to compare with.
    compared: Option<Result<Pairs, Failure>>,
    /// What updates of OpenShift do that they did not do before.
    sets: Vec<SetView>,
    /// What the change adds to the settings, which does not count.
    added: Vec<String>,
}

impl<'a> Parts<'a> {
    fn of(arguments: &'a Review) -> Result<Self, Failure> {
        let mut added = Vec::new();
        let mut text = None;
        let revision = arguments.before.as_deref().and_then(Revision::of).filter(|_| !arguments.trust_settings);
        if let Some(revision) = revision {
            added = settings::take_from(&revision)?;
            if let Some(path) = &arguments.levels
                && revision.is_of_repository(path)?
            {
                let before = revision.text(&raw_path(path))?.unwrap_or_default();
                if before != levels_text(Some(path))? {
                    added.push(format!("other levels in `{}`", shown_path(path)));
                }
                text = Some(before);
            }
        }
        let text = text.map_or_else(|| levels_text(arguments.levels.as_deref()), Ok)?;
        let levels = settings::levels(arguments.levels.is_some().then_some(&*text))?;
        let judged = validate::judge(&arguments.catalog, arguments.opm, &levels)?;
        let mut before = Before::of(arguments, &judged.packages())?;
        let mut judged_before = None;
        if let Before::State(path, _) = &before {
            // The comparison says why the state before cannot be read.
            judged_before = validate::judge(path, arguments.opm, &levels).ok();
            if judged_before.as_ref().is_some_and(|judged| !judged.has_documents()) {
                before = Before::New(format!("`{}` has no catalog", shown_path(path)));
            }
        }
        let state = if let Before::State(path, _) = &before { Some(path) } else { None };
        let validated = judged.checked(judged_before.as_ref().filter(|_| state.is_some()));
        let (mut compared, mut sets) = (None, Vec::new());
        if let Some(state) = state {
            let release = arguments.opm.release()?;
            compared = Some(Pairs::of(&Compare {
                before: state.clone(),
                after: Some(arguments.catalog.clone()),
                levels_text: Some(text),
                deny: Some(arguments.deny),
                opm: arguments.opm,
                // Images have no comments: they are rendered.
                by_comments_before: !arguments.trust_settings && Image::of(state).is_none(),
                ..Compare::default()
            }));
            sets = set::views(&arguments.catalog, state, release, &levels)?;
        }
        Ok(Self { arguments, before, validated, compared, sets, added })
    }

    /// Whether nothing is denied.
    fn answer(&self) -> Result<bool, Failure> {
        let compared = match &self.compared {
            Some(Ok(pairs)) => pairs.answer(Some(self.arguments.deny)),
            Some(Err(failure)) => Err(failure.clone()),
            None => Ok(true),
        };
        match (&self.validated.answer, compared) {
            (Ok(is_valid), Ok(is_fine)) => Ok(*is_valid && is_fine && self.denied().is_empty()),
            (Err(one), Err(other)) => Err(Failure::of_lines([one.text(), other.text()])),
            (Err(failure), _) => Err(failure.clone()),
            (_, Err(failure)) => Err(failure),
        }
    }

    /// What is denied, the worst first, a text each.
    fn denied(&self) -> Vec<String> {
        let deny = self.arguments.deny.level();
        let mut all: Vec<String> = self.validated.rejections().collect();
        let is_rejected = !all.is_empty();
        let pairs = self.compared.iter().flatten();
        all.extend(pairs.flat_map(|pairs| pairs.denied(deny)).filter(|text| !(is_rejected && says_rejection(text))));
        all.extend(self.sets.iter().flat_map(|view| set::denied(view, deny)));
        all.extend(self.validated.denied(deny));
        all
    }

    /// The decision in one sentence.
    fn decision(&self) -> (Paint, String) {
        match self.answer() {
            Err(failure) => {
                let text = failure.text();
                let first = text.lines().next().unwrap_or_default();
                (Paint::Bad, format!("No answer: {}", first.strip_prefix("no answer: ").unwrap_or(first)))
            }
            Ok(false) => (Paint::Bad, format!("Fails: {}", first_of(&self.denied()))),
            Ok(true) => (Paint::Good, format!("Passes: {}", self.passes())),
        }
    }

    /// Why nothing is denied, and what was not compared.
    fn passes(&self) -> String {
        let pairs = || self.compared.iter().flatten();
        let risks: Vec<String> = pairs().flat_map(|pairs| pairs.denied(Level::Risky)).collect();
        let text = match (&self.before, pairs().filter_map(Pairs::worst).max()) {
            (Before::Unnamed, _) => {
                "opm accepts the catalog. Nothing was compared: name the state before with `--before`".to_owned()
            }
            (Before::New(_), _) => "opm accepts the catalog, which is new: there is nothing to compare with".to_owned(),
            (Before::State(..), _) if !risks.is_empty() => format!("nothing breaks; at risk: {}", first_of(&risks)),
            (Before::State(..), Some(_)) => "nothing gets worse".to_owned(),
            (Before::State(..), None) => "nothing changes for what is installed".to_owned(),
        };
        let alone: Vec<String> = pairs().flat_map(Pairs::alone_texts).collect();
        if alone.is_empty() { text } else { format!("{text}; not compared: {}", alone.join(", ")) }
    }

    /// What was compared, and what fails.
    fn about(&self) -> String {
        let deny = self.arguments.deny.level().as_str();
        let now = shown_path(&self.arguments.catalog);
        match &self.before {
            Before::State(path, why) => {
                let why = why.as_ref().map(|why| format!(" {why}.")).unwrap_or_default();
                format!("Compared: `{}` and `{now}`; `--deny {deny}`.{why}", shown_path(path))
            }
            Before::New(why) => format!("{why}."),
            Before::Unnamed => String::new(),
        }
    }

    fn report(&self) -> Report {
        let (paint, title) = self.decision();
        let mut compared = self.compared.iter().flatten().next().map(Pairs::short_report).unwrap_or_default();
        // What the decision says of a package is not said again.
        let says = |package: &str, text: &str| {
            title.contains(&format!("`{package}`: {}", text.split("; ").next().unwrap_or_default()))
        };
        let is_rejected = self.validated.rejections().next().is_some();
        compared.blocks.retain(|block| match block {
            Block::Heading(_, text) => !text.split_once(": ").is_some_and(|(package, text)| says(package, text)),
            // The findings of the catalog say why.
            Block::Item(item) => !(is_rejected && says_rejection(&item.sentence)),
            _ => true,
        });
        let mut blocks = Vec::new();
        if !self.added.is_empty() {
            let text = format!(
                "The change adds to the settings: {}. They count once they are merged, or with `--trust-settings`",
                self.added.join("; ")
            );
            blocks.push(Block::Item(Item::new(Grade::Notice, "", text)));
        }
        blocks.extend(compared.blocks);
        blocks.extend(report::new_in_sets(&self.sets));
        blocks.extend(self.validated.blocks());
        Report { title, decision: Some(paint), about: self.about(), summary: None, blocks, ..compared }
    }

    fn write(&self, format: CompareFormat, terminal: Terminal, out: &mut dyn Write) -> Result<(), Failure> {
        match (&self.compared, format) {
            (_, CompareFormat::Json) => self.write_json(terminal, out),
            (Some(Ok(pairs)), _) => pairs.write(format, self.report(), terminal, out),
            _ => write_report(out, terminal, format, &self.report()),
        }
    }

    fn write_json(&self, terminal: Terminal, out: &mut dyn Write) -> Result<(), Failure> {
        let (mut validate, mut compare) = (Vec::new(), Vec::new());
        // Its failure is the answer of the review.
        _ = validate::as_json(&self.arguments.catalog, self.arguments.opm, terminal, &mut validate);
        if let Some(Ok(pairs)) = &self.compared {
            pairs.write_json(&mut compare)?;
        }
        let parts = Reviewed {
            decision: self.decision().1,
            added_settings: self.added.clone(),
            validate: Json::printed(&validate),
            compare: Json::printed(&compare),
            sets: self.compared.is_some().then(|| self.sets.clone()),
        };
        json::print(out, &parts)
    }
}

/// The first of several texts, and how many more there are.
fn first_of(texts: &[String]) -> String {
    match texts {
        [] => "the catalog is not valid".to_owned(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first}; {} more below", rest.len()),
    }
}

/// Whether a text of a comparison says that `opm` rejects the state after the change.
fn says_rejection(text: &str) -> bool {
    text.starts_with("Not served after the change") || text.starts_with("Not served before and after the change")
}

/// The decision about a change, with the answers of `validate`, `compare` and `set`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Reviewed {
    /// One sentence, which begins with `Passes`, `Fails` or `No answer`.
    decision: String,
    /// What the change adds to `.opscope.yaml`, which does not count before it is merged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    added_settings: Vec<String>,
    /// What is wrong with the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Printed<Validated>>")]
    validate: Option<Json>,
    /// What its change does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Printed<ComparedCatalogs<'static>>>")]
    compare: Option<Json>,
    /// What updates of OpenShift do that they did not do before, where there are catalogs for several versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<Vec<SetView>>,
}
