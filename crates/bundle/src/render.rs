//! The whole way from files to a bundle: `bundleParser.Parse` (`pkg/registry/parse.go`), then `bundleToDeclcfg`
//! (`alpha/action/render.go`).

use crate::api::Api;
use crate::channel::{Icon, Updates};
use crate::csv::Csv;
use crate::images::{self, RelatedImage};
use crate::manifest;
use crate::metadata;
use crate::properties;
use crate::property::Property;
use source::{Diagnostic, FileId, Rule, Span};
use std::collections::BTreeSet;

/// A file of a bundle directory.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Its id, which the places of findings have.
    pub id: FileId,
    /// Its path in the bundle directory, with `/`.
    pub path: &'a str,
    /// Its text, as `fbc::decode_bytes` makes it.
    pub text: &'a str,
    /// Why `opm` does not read the file as this text.
    pub fault: Option<&'a Diagnostic>,
}

/// What `opm render` does with a bundle directory.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendering {
    /// What it prints.
    pub outcome: Outcome,
    /// What it skips, cuts or reads as something else without a word, and why it prints nothing; by file and place.
    pub findings: Vec<Diagnostic>,
    /// Where the CSV states its name; `None` when no CSV can be read.
    pub place: Option<Span>,
}

/// What `opm render` prints.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A bundle.
    Bundle(Box<Bundle>),
    /// Nothing, without an error: the bundle names no package.
    Nothing,
    /// This error, behind `render reference "<reference>": `.
    Rejected(String),
    /// There is no answer: the directory holds more than is kept in memory, is nested too deeply, or makes `opm` crash.
    Unknown(String),
}

/// A rendered bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// The name of the CSV.
    pub name: String,
    /// The package that the annotations name.
    pub package: String,
    /// The bundle's image; a directory has none, so it is empty.
    pub image: String,
    /// The properties, in the order in which they are printed.
    pub properties: Vec<Property>,
    /// The images that the bundle needs, sorted by image.
    pub related_images: Vec<RelatedImage>,
    /// The channels that the annotations name, with the blanks around them. They are not part of the document.
    pub channels: Vec<String>,
    /// The default channel that the annotations name; empty when they name none.
    pub default_channel: String,
    /// `spec.version` of the CSV; empty when it has none.
    pub version: String,
    /// How it updates other bundles, as the CSV says it. It is not part of the document.
    pub updates: Updates,
    /// The first icon of the CSV. It is not part of the document.
    pub icon: Option<Icon>,
}

/// Why there is no bundle.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The error of `opm`, and the place that it is about.
    Opm(String, Option<Span>),
    /// We cannot tell.
    Unknown(String),
}

impl Stop {
    /// Puts a text before the error of `opm`.
    pub(crate) fn behind(self, text: &str) -> Self {
        match self {
            Self::Opm(words, span) => Self::Opm(format!("{text}{words}"), span),
            Self::Unknown(_) => self,
        }
    }
}

impl From<fbc::OpenError> for Stop {
    fn from(error: fbc::OpenError) -> Self {
        Self::Unknown(error.message)
    }
}

/// Whether files with these paths are a bundle to `opm`: it looks for two folders at the top, whatever is in them.
pub fn is_bundle<'a>(paths: impl IntoIterator<Item = &'a str>) -> bool {
    let (mut manifests, mut metadata) = (false, false);
    for path in paths {
        manifests |= path.starts_with("manifests/");
        metadata |= path.starts_with("metadata/");
    }
    manifests && metadata
}

/// Renders a bundle directory. Files outside of `manifests/` and `metadata/` play no role.
#[must_use]
pub fn render(files: &[File<'_>]) -> Rendering {
    let mut findings = Vec::new();
    let mut place = None;
    let outcome = match bundle(files, &mut findings, &mut place) {
        Ok(bundle) if bundle.package.is_empty() => {
            let place = files.iter().find(|file| file.path.starts_with("metadata/"));
            let message = "the bundle names no package, so opm prints nothing and reports no error";
            let finding = Diagnostic::new(Rule::UnrenderedBundle, start_of(place), message);
            findings.push(finding.with_help(format!("add the annotation `{}`", metadata::PACKAGE)));
            Outcome::Nothing
        }
        Ok(bundle) => Outcome::Bundle(Box::new(bundle)),
        Err(Stop::Opm(words, span)) => {
            let place = span.unwrap_or_else(|| start_of(files.first()));
            let message = format!("opm cannot render this bundle: {words}");
            findings.push(Diagnostic::new(Rule::UnrenderedBundle, place, message).with_opm(words.clone()));
            Outcome::Rejected(words)
        }
        Err(Stop::Unknown(why)) => Outcome::Unknown(why),
    };
    findings.sort_by_key(|finding| (finding.span.file, finding.span.start));
    Rendering { outcome, findings, place }
}

fn start_of(file: Option<&File<'_>>) -> Span {
    Span::new(file.map_or(FileId(0), |file| file.id), 0, 0)
}

fn bundle(files: &[File<'_>], findings: &mut Vec<Diagnostic>, place: &mut Option<Span>) -> Result<Bundle, Stop> {
    let manifests = manifest::read(files, findings)?;
    let parsed = manifest::parse(&manifests)?;
    let metadata = metadata::read(files, findings)?;
    let csv = &parsed.csv;
    *place = Some(csv.place());
    let listed = properties::listed(&parsed, &metadata, findings)?;
    let wrapped = |what: &str| format!("get {what} for bundle {}: ", fbc::quoted(&csv.name));
    let of_model =
        properties::of_model(&parsed, &metadata, listed).map_err(|stop| stop.behind(&wrapped("properties")))?;
    let related_images = images::of(csv).map_err(|stop| stop.behind(&wrapped("related images")))?;
    properties::report_package(&metadata, &of_model, csv, findings);
    Ok(Bundle {
        name: csv.name.clone(),
        package: metadata.annotations.package.clone(),
        image: String::new(),
        properties: of_model.in_order(&manifests),
        related_images,
        channels: metadata.annotations.channels(),
        default_channel: metadata.annotations.default_channel.clone(),
        version: csv.version()?,
        updates: csv.updates(),
        icon: csv.icon(),
    })
}

/// The manifests with their meaning.
pub(crate) struct Parsed<'m> {
    /// The first CSV.
    pub(crate) csv: Csv<'m>,
    /// The APIs that the bundle provides.
    pub(crate) provided: BTreeSet<Api>,
}
