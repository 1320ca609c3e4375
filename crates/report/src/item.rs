//! What is reported, whatever the format.

use crate::printer::Paint;
use crate::table::Table;
use views::{Level, NamespaceState, Severity, Verdict};

/// The answer of a command.
#[derive(Default)]
pub struct Report {
    /// The heading of a Markdown document; empty if there is none.
    pub title: String,
    /// The look of a title that is a decision: every format for people begins with it.
    pub decision: Option<Paint>,
    /// What the answer is about, as a sentence of a Markdown document; empty if there is nothing to say.
    pub about: String,
    /// All of it in one sentence: Markdown begins with it, and a terminal, whose last lines are the visible ones, ends with it.
    pub summary: Option<String>,
    /// Where code scanners show what has no place of its own.
    pub start: Option<Spot>,
    /// The answer.
    pub blocks: Vec<Block>,
    /// Sentences about what the answer leaves out.
    pub remarks: Vec<String>,
}

/// A part of a report.
pub enum Block {
    /// The title of the parts after it.
    Heading(Paint, String),
    /// A text behind a mark or label; without one, a paragraph.
    Text {
        lead: String,
        paint: Paint,
        text: String,
    },
    /// An empty line of a terminal.
    Gap,
    /// Something that is reported.
    Item(Item),
    Table(Table),
    /// A text of another program, as it is.
    Verbatim(String),
    /// Parts that Markdown folds. Text shows them without the title.
    Folded {
        title: String,
        /// Whether they are unfolded at first.
        is_open: bool,
        blocks: Vec<Block>,
    },
    /// Parts that Markdown alone has.
    InMarkdown(Vec<Block>),
    /// A drawing in Mermaid, which Markdown alone has.
    Mermaid(String),
    /// The drawing of both states of a package, by its name, which HTML alone has.
    Picture(String),
}

/// Something that is reported.
#[derive(Clone)]
pub struct Item {
    pub grade: Grade,
    /// The id of its rule; empty if there is none. SARIF and GitHub leave those out.
    pub rule: String,
    /// Names are in backticks.
    pub sentence: String,
    /// Where it is; the first place is the one to go to.
    pub places: Vec<Spot>,
    /// Where code review shows it, if it has no place of its own.
    pub anchor: Option<Spot>,
    /// Causes, help and the like.
    pub notes: Vec<Note>,
    /// What to write, as a unified diff; empty if there is nothing.
    pub diff: String,
    /// The commands that do it.
    pub commands: Vec<String>,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    Finding(Severity),
    /// Of a difference between two states.
    Difference(Level),
    /// What the reader should know before the rest.
    Notice,
    /// A possible repair, with its number.
    Repair(usize),
    /// What somebody does or waits for.
    Step,
    /// Whether a namespace goes on by itself.
    State(Verdict),
}

/// A sentence that belongs to an item.
#[derive(Clone)]
pub struct Note {
    /// What it is, such as `cause`; empty if the sentence says that.
    pub label: String,
    pub text: String,
    pub place: Option<Spot>,
    /// Whether other tools may show it beside the item: help and causes, but not what only a terminal has room for.
    pub is_for_tools: bool,
}

/// A place in a file, as the user can open it. Lines and columns count from 1, columns in UTF-16 units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// The path of the file.
    pub path: String,
    /// Line and column of the first character.
    pub start: (u32, u32),
    /// Line and column after the last character.
    pub end: (u32, u32),
    /// How a further place relates to the item.
    pub label: String,
}

/// The most places of an item, and the most causes, in every format.
pub(crate) const PLACES: usize = 12;

/// Ids that only group the items of code scanners: no rule has them.
const OF_REPORTS: [&str; 4] = [NOT_COMPARABLE, NOT_SERVED, CATALOG_CHANGE, MIN_VERSION];
/// Of what cannot be compared.
pub const NOT_COMPARABLE: &str = "not-comparable";
/// Of a catalog that `opm` rejects.
pub const NOT_SERVED: &str = "not-served";
/// Of what a change does to a catalog of a set.
pub const CATALOG_CHANGE: &str = "catalog-change";
/// Of a better `minVersion` of an ImageSetConfiguration.
pub(crate) const MIN_VERSION: &str = "min-version";

impl Block {
    /// A title in bold.
    #[must_use]
    pub fn heading(title: impl Into<String>) -> Self {
        Self::Heading(Paint::Bold, title.into())
    }

    /// A paragraph.
    #[must_use]
    pub fn line(text: impl Into<String>) -> Self {
        Self::Text { lead: String::new(), paint: Paint::Plain, text: text.into() }
    }
}

impl Report {
    /// Adds an item.
    pub fn push(&mut self, item: Item) {
        self.blocks.push(Block::Item(item));
    }

    /// Adds the title of a part to its drawings, so that those of several parts differ.
    fn name_pictures(blocks: &mut [Block], title: &str) {
        for block in blocks {
            match block {
                Block::Picture(package) => *package = format!("{package} ({title})"),
                Block::Folded { blocks, .. } | Block::InMarkdown(blocks) => Self::name_pictures(blocks, title),
                _ => {}
            }
        }
    }

    /// All items, in the order of the report.
    #[must_use]
    pub fn items(&self) -> Vec<&Item> {
        fn collect<'b>(blocks: &'b [Block], into: &mut Vec<&'b Item>) {
            for block in blocks {
                match block {
                    Block::Item(item) => into.push(item),
                    Block::Folded { blocks, .. } | Block::InMarkdown(blocks) => collect(blocks, into),
                    Block::Heading(..)
                    | Block::Text { .. }
                    | Block::Gap
                    | Block::Table(_)
                    | Block::Verbatim(_)
                    | Block::Mermaid(_)
                    | Block::Picture(_) => {}
                }
            }
        }
        let mut items = Vec::new();
        collect(&self.blocks, &mut items);
        items
    }
}

/// Reports about several catalogs as one, each below its title. The drawings of a part have the title behind the name of the package.
#[must_use]
pub fn together(parts: Vec<(String, Report)>) -> Report {
    let mut whole = Report::default();
    for (title, mut part) in parts {
        Report::name_pictures(&mut part.blocks, &title);
        (whole.title, whole.about) = (part.title, part.about);
        whole.start = whole.start.or(part.start);
        match &mut part.blocks[..] {
            // Of one package the numbers are those of its items.
            [Block::Heading(_, package), rest @ ..]
                if !rest.iter().any(|block| matches!(block, Block::Heading(..))) =>
            {
                *package = format!("{title}: {package}");
            }
            _ => {
                whole.blocks.push(Block::heading(title));
                whole.blocks.extend(part.summary.map(Block::line));
            }
        }
        whole.blocks.append(&mut part.blocks);
        whole.blocks.extend(part.remarks.into_iter().map(Block::line));
    }
    whole
}

/// Reports about several catalogs as one. Each catalog has its title and its sentences, and all items follow, the worst first. An item
/// that several catalogs have is there once, with a note that names them.
#[must_use]
pub fn merged<W: Clone + Ord>(parts: Vec<(Vec<W>, Report)>, title: &dyn Fn(&[W]) -> String) -> Report {
    let mut items: Vec<(Vec<W>, Item)> = Vec::new();
    let mut rests = Vec::new();
    for (which, mut part) in parts {
        let mut rest = Vec::new();
        for block in part.blocks {
            let Block::Item(item) = block else {
                rest.push(block);
                continue;
            };
            match items.iter_mut().find(|(_, known)| known.is_same(&item)) {
                Some((of, _)) => of.extend(which.iter().cloned()),
                None => items.push((which.clone(), item)),
            }
        }
        part.blocks = rest;
        rests.push((title(&which), part));
    }
    let mut whole = together(rests);
    items.sort_by_key(|(_, item)| item.grade.severity());
    let noted = |(mut which, item): (Vec<W>, Item)| {
        which.sort();
        Block::Item(item.with(Note::of("in", title(&which))))
    };
    let count = |wanted: Level| items.iter().filter(|(_, item)| item.grade == Grade::Difference(wanted)).count();
    let counts = Level::ALL.into_iter().map(|level| (level, count(level))).filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts.map(|(level, count)| format!("{count} {}", level.as_str())).collect();
    if !counts.is_empty() {
        whole.summary = Some(format!("In all catalogs: {}", counts.join(", ")));
        whole.blocks.push(Block::Gap);
    }
    whole.blocks.extend(items.into_iter().map(noted));
    whole
}

impl Item {
    /// Whether it reports the same, wherever it is.
    fn is_same(&self, other: &Self) -> bool {
        let notes = |item: &Self| item.notes.iter().map(Note::labelled).collect::<Vec<_>>();
        let said = |item: &Self| (item.grade, item.rule.clone(), item.sentence.clone(), notes(item));
        said(self) == said(other) && self.diff == other.diff && self.commands == other.commands
    }

    /// An item without places and notes.
    #[must_use]
    pub fn new(grade: Grade, rule: &str, sentence: impl Into<String>) -> Self {
        let (rule, sentence) = (rule.to_owned(), sentence.into());
        Self {
            grade,
            rule,
            sentence,
            places: Vec::new(),
            anchor: None,
            notes: Vec::new(),
            diff: String::new(),
            commands: Vec::new(),
        }
    }

    /// The same at these places; what is beyond the limit is counted in a note.
    #[must_use]
    pub fn at(mut self, places: impl IntoIterator<Item = Spot>) -> Self {
        self.places.extend(places);
        let more = self.places.len().saturating_sub(PLACES);
        self.places.truncate(PLACES);
        if more > 0 {
            self.notes.push(Note::of("", format!("and {more} more places")));
        }
        self
    }

    /// The same with a note.
    #[must_use]
    pub fn with(mut self, note: Note) -> Self {
        self.notes.push(note);
        self
    }

    /// The rule, if people can look it up.
    pub(crate) fn known_rule(&self) -> Option<&str> {
        Some(&*self.rule).filter(|rule| !rule.is_empty() && !OF_REPORTS.contains(rule))
    }

    /// The place for code review.
    pub(crate) fn review_place(&self) -> Option<&Spot> {
        self.places.first().or(self.anchor.as_ref())
    }

    /// The first place in a file of the repository.
    pub(crate) fn repository_place(&self) -> Option<&Spot> {
        self.places.iter().chain(&self.anchor).find(|spot| spot.is_of_repository())
    }

    /// All places, each once.
    pub(crate) fn all_places(&self) -> String {
        let mut places: Vec<String> = self.places.iter().map(Spot::shown).collect();
        places.dedup();
        places.join(", ")
    }

    /// Whether code review shows it at its place.
    pub(crate) fn is_for_review(&self) -> bool {
        !self.rule.is_empty()
            && match self.grade {
                Grade::Finding(_) => true,
                Grade::Difference(level) => level >= Level::Risky,
                Grade::Notice | Grade::Repair(_) | Grade::Step | Grade::State(_) => false,
            }
    }
}

/// What a namespace waits for as it stands; `None` where the answer that follows says it.
fn standing(state: &NamespaceState) -> Option<Item> {
    state.has_lead().then(|| verdict(state))
}

/// How a namespace stands, and what to do first.
#[must_use]
pub fn verdict(state: &NamespaceState) -> Item {
    let now = &state.now;
    let notes = now.advice.iter().map(|text| ("first", text)).chain(now.never.iter().map(|text| ("", text)));
    let item = Item::new(Grade::State(now.verdict), "", &*now.sentence);
    notes.fold(item, |item, (label, text)| item.with(Note::of(label, &**text)))
}

/// The same of several namespaces, before an answer about what follows.
#[must_use]
pub fn standings(states: &[NamespaceState]) -> Vec<Block> {
    let item = |state: &NamespaceState| {
        let item = standing(state)?;
        Some(Block::Item(Item { sentence: format!("namespace `{}`: {}", state.namespace, item.sentence), ..item }))
    };
    let mut blocks: Vec<Block> = states.iter().filter_map(item).collect();
    if !blocks.is_empty() {
        blocks.push(Block::heading("Then"));
    }
    blocks
}

impl Note {
    /// A note for all formats.
    #[must_use]
    pub fn of(label: &str, text: impl Into<String>) -> Self {
        Self { label: label.to_owned(), text: text.into(), place: None, is_for_tools: true }
    }

    /// A note that only people read.
    #[must_use]
    pub fn aside(label: &str, text: impl Into<String>) -> Self {
        Self { is_for_tools: false, ..Self::of(label, text) }
    }

    /// The same at a place.
    #[must_use]
    pub fn at(self, place: Option<Spot>) -> Self {
        Self { place, ..self }
    }

    /// The label and the text.
    pub(crate) fn labelled(&self) -> String {
        if self.label.is_empty() { self.text.clone() } else { format!("{}: {}", self.label, self.text) }
    }
}

impl Spot {
    /// Whether it is in a file of the repository, which code review can show: not in an archive, a revision, or what is made of others.
    pub(crate) fn is_of_repository(&self) -> bool {
        let Self { path, .. } = self;
        !path.contains("!/") && !path.ends_with(')') && !path.starts_with("git:") && !path.starts_with("image:")
    }

    /// The path and the line.
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{}:{}", self.path, self.start.0)
    }
}

impl Grade {
    /// The mark in front of an item, and its colour.
    pub(crate) fn sign(self) -> (String, Paint) {
        let (sign, paint) = match self {
            Self::Finding(Severity::Error) | Self::Difference(Level::Breaking) => ("✕ ", Paint::Bad),
            Self::Finding(Severity::Warning) | Self::Difference(Level::Risky) => ("▲ ", Paint::Warning),
            Self::Finding(Severity::Hint) | Self::Difference(Level::Neutral) => ("· ", Paint::Plain),
            Self::Difference(Level::Good) => ("✓ ", Paint::Good),
            Self::Notice => ("! ", Paint::Warning),
            Self::Step => ("[ ] ", Paint::Plain),
            Self::Repair(number) => return (format!("{number}. "), Paint::Good),
            Self::State(verdict) => {
                let paint = match verdict {
                    Verdict::Stuck => Paint::Bad,
                    Verdict::Waits | Verdict::Unknown => Paint::Warning,
                    Verdict::Passes | Verdict::Acts => Paint::Hint,
                };
                return (format!("{}: ", verdict.as_words()), paint);
            }
        };
        (sign.to_owned(), paint)
    }

    /// Its name; empty for what has none.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Finding(severity) => severity.as_str(),
            Self::Difference(level) => level.as_str(),
            Self::State(verdict) => verdict.as_words(),
            Self::Notice | Self::Repair(_) | Self::Step => "",
        }
    }

    /// The severity in the terms of code scanners: error, warning or note.
    pub(crate) const fn severity(self) -> Severity {
        match self {
            Self::Finding(severity) => severity,
            Self::Difference(Level::Breaking) => Severity::Error,
            Self::Difference(Level::Risky) => Severity::Warning,
            Self::Difference(Level::Neutral | Level::Good)
            | Self::Notice
            | Self::Repair(_)
            | Self::Step
            | Self::State(_) => Severity::Hint,
        }
    }
}
