//! The whole way from files to a bundle: `bundleParser.Parse` (`pkg/registry/parse.go`), then `bundleToDeclcfg`
//! (`alpha/action/render.go`).

use crate::csv::{self, RelatedImage};
use crate::document::{Document, Icon, Updates, object};
use crate::manifest;
use crate::metadata::{self, OpenShiftRange};
use crate::properties::{self, Property};
use fbc::plain_json;
use serde_json::Value;
use source::{Diagnostic, FileId, Rule, Span, Spanned};

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
            RenderOutcome::Nothing
        }
        Ok(bundle) => RenderOutcome::Bundle(Box::new(bundle)),
        Err(Stop::Opm(words, span)) => {
            let place = span.unwrap_or_else(|| start_of(files.first()));
            let message = format!("opm cannot render this bundle: {words}");
            findings.push(Diagnostic::new(Rule::UnrenderedBundle, place, message).with_opm(words.clone()));
            RenderOutcome::Rejected(words)
        }
        Err(Stop::Unknown(why, span)) => {
            place = span.or(place);
            RenderOutcome::Unknown(why)
        }
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
    let related_images = csv::images_of(csv).map_err(|stop| stop.behind(&wrapped("related images")))?;
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
        openshift_versions: metadata.annotations.openshift_versions.clone(),
        min_kube_version: csv.min_kube_version(),
        icon: csv.icon(),
    })
}

// What `opm render` makes of a bundle directory, as values.

/// What `opm render` does with a bundle directory.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendering {
    /// What it prints.
    pub outcome: RenderOutcome,
    /// What it skips, cuts or reads as something else without a word, and why it prints nothing; by file and place.
    pub findings: Vec<Diagnostic>,
    /// Where the CSV states its name, or why there is no answer; `None` when no CSV can be read.
    pub place: Option<Span>,
}

/// What `opm render` prints.
#[derive(Clone, Debug, PartialEq)]
pub enum RenderOutcome {
    Bundle(Box<Bundle>),
    /// Nothing, without an error: the bundle names no package.
    Nothing,
    /// `opm` prints this error behind `render reference "<reference>": `.
    Rejected(String),
    /// There is no answer: the directory holds more than is kept in memory, is nested too deeply, or makes `opm` crash.
    Unknown(String),
}

/// A rendered bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// The name of the CSV.
    pub name: String,
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
    /// The annotation `com.redhat.openshift.versions`, unless it is empty; an empty text if it is a number or the like. It is not
    /// part of the document.
    pub openshift_versions: Option<Spanned<String>>,
    /// `spec.minKubeVersion` of the CSV; empty when it has none.
    pub min_kube_version: String,
    /// The first icon of the CSV. It is not part of the document.
    pub icon: Option<Icon>,
}

impl Bundle {
    /// The bundle as it is rendered of its image, which is one of those that it needs: `getRelatedImages`
    /// (`alpha/action/render.go`).
    #[must_use]
    pub fn in_image(mut self, image: &str) -> Self {
        image.clone_into(&mut self.image);
        let at = self.related_images.partition_point(|known| &*known.image < image);
        if self.related_images.get(at).is_none_or(|known| known.image != image) {
            self.related_images.insert(at, RelatedImage { name: String::new(), image: image.to_owned() });
        }
        self
    }
}

impl Bundle {
    /// The versions of OpenShift whose catalogs have it, by its annotation; `None` if that cannot be read.
    #[must_use]
    pub fn openshift_range(&self) -> Option<OpenShiftRange> {
        self.openshift_versions
            .as_ref()
            .map_or(Some(OpenShiftRange::default()), |text| OpenShiftRange::read(&text.value))
    }

    /// The `olm.bundle` document.
    #[must_use]
    pub fn document(&self) -> Document {
        let text = |text: &str| plain_json(&Value::from(text));
        let mut fields = vec![
            ("schema", text("olm.bundle")),
            ("name", text(&self.name)),
            ("package", text(&self.package)),
            ("image", text(&self.image)),
        ];
        let properties = self.properties.iter().map(|property| (text(&property.kind), property.json()));
        let properties: Vec<_> = properties.map(|(kind, value)| object(&[("type", kind), ("value", value)])).collect();
        let images = self.related_images.iter().map(|image| (text(&image.name), text(&image.image)));
        let images: Vec<_> = images.map(|(name, image)| object(&[("name", name), ("image", image)])).collect();
        for (name, items) in [("properties", properties), ("relatedImages", images)] {
            if !items.is_empty() {
                fields.push((name, format!("[{}]", items.join(","))));
            }
        }
        Document {
            schema: "olm.bundle".to_owned(),
            package: self.package.clone(),
            name: self.name.clone(),
            json: object(&fields),
        }
    }
}

// What is read of a bundle directory, and why reading stops.

/// A file of a bundle directory.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The places of findings have it.
    pub id: FileId,
    /// Relative to the bundle directory, with `/`.
    pub path: &'a str,
    /// As `fbc::decode_bytes` makes it.
    pub text: &'a str,
    /// Why `opm` does not read the file as this text.
    pub fault: Option<&'a Diagnostic>,
}

/// Why there is no bundle.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The error of `opm`, and the place that it is about.
    Opm(String, Option<Span>),
    /// We cannot tell, because of this place.
    Unknown(String, Option<Span>),
}

impl Stop {
    /// Puts a text before the error of `opm`.
    pub(crate) fn behind(self, text: &str) -> Self {
        match self {
            Self::Opm(words, span) => Self::Opm(format!("{text}{words}"), span),
            Self::Unknown(..) => self,
        }
    }
}

impl From<fbc::OpenError> for Stop {
    fn from(error: fbc::OpenError) -> Self {
        Self::Unknown(error.message, Some(error.span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle() -> Bundle {
        Bundle {
            name: "a.v1".to_owned(),
            package: "a".to_owned(),
            properties: vec![
                Property { kind: "x".to_owned(), value: "{\"b\": 1.50, \"a\":\"\\u003e\"}".to_owned() },
                Property { kind: "y".to_owned(), value: String::new() },
            ],
            related_images: vec![RelatedImage { name: String::new(), image: "i<".to_owned() }],
            ..Bundle::default()
        }
    }

    #[test]
    fn json_is_indented_and_keeps_values_as_they_were_read() {
        let expected = r#"{
    "schema": "olm.bundle",
    "name": "a.v1",
    "package": "a",
    "image": "",
    "properties": [
        {
            "type": "x",
            "value": {
                "b": 1.50,
                "a": "\u003e"
            }
        },
        {
            "type": "y",
            "value": null
        }
    ],
    "relatedImages": [
        {
            "name": "",
            "image": "i<"
        }
    ]
}
"#;
        assert_eq!(bundle().document().to_json(), expected);
    }

    #[test]
    fn yaml_has_sorted_keys() {
        let expected = "---\nimage: \"\"\nname: a.v1\npackage: a\nproperties:\n- type: x\n  value:\n    a: '>'\n    b: 1.5\n\
                        - type: \"y\"\n  value: null\nrelatedImages:\n- image: i<\n  name: \"\"\nschema: olm.bundle\n";
        assert_eq!(bundle().document().to_yaml().as_deref(), Ok(expected));
    }
}
