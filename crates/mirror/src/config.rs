//! What an ImageSetConfiguration says of operators, and what oc-mirror rejects in one. What it says of OpenShift releases,
//! images and charts is not read, apart from `platform`, for which oc-mirror may reject the configuration.

use crate::Bounds;
use crate::channel::Bound;
use fbc::{Node, UntypedValues, Value, plain_json, quoted, same_field, second_spellings, untyped_values};
use memchr::memmem;
use source::{Diagnostic, FileId, OcMirror, QuickFix, Rule, Severity, Span, Spanned};
use std::collections::BTreeSet;

/// A text of a configuration.
pub type Text = Spanned<Box<str>>;

/// The configurations in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageSetConfiguration {
    /// The items of `mirror.operators`, in the order of the text.
    pub catalogs: Vec<MirroredCatalog>,
    /// What is wrong in the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// An item of `mirror.operators`: a catalog, and what is mirrored of it.
#[derive(Clone, Debug, PartialEq)]
pub struct MirroredCatalog {
    /// The whole item.
    pub span: Span,
    /// `catalog`: the image of the catalog, or a folder after `oci:`.
    pub catalog: Text,
    /// `full`: all entries instead of the heads alone.
    pub full: bool,
    /// `packages`; all packages if empty.
    pub packages: Vec<MirroredPackage>,
}

/// An item of `packages`.
#[derive(Clone, Debug, PartialEq)]
pub struct MirroredPackage {
    /// The whole item.
    pub span: Span,
    pub name: Text,
    /// `defaultChannel`, which takes the place of the one of the catalog.
    pub default_channel: Option<Text>,
    /// For all channels without bounds of their own.
    pub bounds: Bounds,
    /// `channels`; all channels if empty.
    pub channels: Vec<MirroredChannel>,
}

/// An item of `channels`.
#[derive(Clone, Debug, PartialEq)]
pub struct MirroredChannel {
    /// The whole item.
    pub span: Span,
    pub name: Text,
    pub bounds: Bounds,
}

/// The item of `mirror.operators` that is about a catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice<'c> {
    One(&'c MirroredCatalog),
    /// The configuration has several, and none has the name of the catalog: the user has to choose.
    Several,
    /// The configuration has none.
    None,
}

impl ImageSetConfiguration {
    /// Whether oc-mirror accepts what the configuration says of operators.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.diagnostics.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// The item that is about a catalog with this name, which is the name of its CatalogSource or the image that it comes
    /// from. A single item is taken whatever its name is.
    ///
    /// ```
    /// use mirror::{Choice, OcMirror, read};
    /// use source::FileId;
    ///
    /// let text = "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n\
    ///     \x20 - catalog: quay.io/red/certified-index:v4.18\n  - catalog: quay.io/red/community-index:v4.18\n";
    /// let config = read(FileId(0), text, OcMirror::default());
    /// let Choice::One(found) = config.choose("community-index") else { panic!() };
    /// assert_eq!(&*found.catalog.value, "quay.io/red/community-index:v4.18");
    /// assert_eq!(config.choose("my-catalog"), Choice::Several);
    /// ```
    #[must_use]
    pub fn choose(&self, name: &str) -> Choice<'_> {
        if let [] | [_] = &self.catalogs[..] {
            return self.catalogs.first().map_or(Choice::None, Choice::One);
        }
        let matching = |is_it: &dyn Fn(&str) -> bool| {
            let mut found = self.catalogs.iter().filter(|item| is_it(&item.catalog.value));
            found.next().filter(|_| found.next().is_none())
        };
        let found = matching(&|catalog| catalog == name).or_else(|| matching(&|catalog| short_name(catalog) == name));
        found.map_or(Choice::Several, Choice::One)
    }
}

/// The last part of the name of an image, without tag and digest.
fn short_name(image: &str) -> &str {
    let name = image.rsplit('/').next().unwrap_or(image);
    let name = name.split('@').next().unwrap_or(name);
    name.split(':').next().unwrap_or(name)
}

// Reads ImageSetConfigurations, and reports what oc-mirror rejects in them with its own words
// (`internal/pkg/config/validate.go`).

const KIND: &str = "ImageSetConfiguration";
const GROUP: &str = "mirror.openshift.io/";
/// The limit on the size of a configuration. Real ones have some kilobytes.
const BYTES: usize = 1 << 20;
const FINDINGS: usize = 200;

const CATALOG_FIELDS: [&str; 11] = [
    "catalog",
    "targetCatalog",
    "targetName",
    "targetTag",
    "targetCatalogSourceTemplate",
    "full",
    "skipDependencies",
    "originalRef",
    "packages",
    "bundles",
    "platforms",
];
const PACKAGE_FIELDS: [&str; 7] =
    ["name", "channels", "defaultChannel", "minVersion", "maxVersion", "minBundle", "bundles"];
const PLATFORM_FIELDS: [&str; 2] = ["os", "architecture"];
const CHANNEL_FIELDS: [&str; 4] = ["name", "minVersion", "maxVersion", "minBundle"];

/// Whether a text is an ImageSetConfiguration.
#[must_use]
pub fn is_image_set_configuration(text: &str) -> bool {
    text.len() <= BYTES
        && memmem::find(text.as_bytes(), KIND.as_bytes()).is_some()
        && text.contains(GROUP)
        && untyped_values(FileId(0), text).nodes.iter().any(is_configuration)
}

fn is_configuration(node: &Node) -> bool {
    let is = |field: &str, wanted: &dyn Fn(&str) -> bool| node.field(field).and_then(Node::as_str).is_some_and(wanted);
    is("kind", &|kind| kind == KIND) && is("apiVersion", &|version| version.starts_with(GROUP))
}

/// Reads the ImageSetConfigurations in a text as a release of oc-mirror does. Documents of other kinds are left out. Never fails.
#[must_use]
pub fn read(file: FileId, text: &str, release: OcMirror) -> ImageSetConfiguration {
    let start = Span::new(file, 0, 0);
    if text.len() > BYTES {
        let message = format!("the configuration is larger than the limit of {} KiB", BYTES >> 10);
        let finding = Diagnostic::new(Rule::UnreadableFile, start, message);
        return ImageSetConfiguration { catalogs: Vec::new(), diagnostics: vec![finding] };
    }
    let UntypedValues { nodes, diagnostics } = untyped_values(file, text);
    let mut reader = Reader { text, release, diagnostics };
    let configurations: Vec<&Node> = nodes.iter().filter(|node| is_configuration(node)).collect();
    if configurations.is_empty() && reader.diagnostics.is_empty() {
        let finding = Diagnostic::new(Rule::InvalidImageSet, start, "this is no ImageSetConfiguration of oc-mirror");
        let help = "expected `apiVersion: mirror.openshift.io/v2alpha1` and `kind: ImageSetConfiguration`";
        reader.diagnostics.push(finding.with_help(help));
    }
    let catalogs: Vec<MirroredCatalog> = configurations.iter().flat_map(|node| reader.configuration(node)).collect();
    reader.check_catalogs(&catalogs, &configurations);
    reader.diagnostics.sort_by_key(|finding| (finding.span, finding.rule));
    limit(&mut reader.diagnostics, FINDINGS);
    ImageSetConfiguration { catalogs, diagnostics: reader.diagnostics }
}

/// Cuts a list of findings, with a finding that says so.
pub(crate) fn limit(findings: &mut Vec<Diagnostic>, most: usize) {
    let Some(more) = findings.len().checked_sub(most).filter(|more| *more > 0) else { return };
    let is_error = findings[most..].iter().any(|finding| finding.severity == Severity::Error);
    findings.truncate(most);
    let Some(last) = findings.last().map(|finding| finding.span) else { return };
    let mut finding = Diagnostic::new(Rule::MoreFindings, last, format!("{more} more findings are not shown"));
    if is_error {
        finding.severity = Severity::Error;
    }
    findings.push(finding);
}

/// An error of oc-mirror about its configuration.
fn rejected(span: Span, error: &str) -> Diagnostic {
    Diagnostic::new(Rule::InvalidImageSet, span, format!("oc-mirror rejects the configuration: {error}"))
}

struct Reader<'t> {
    text: &'t str,
    release: OcMirror,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn configuration(&mut self, node: &Node) -> Vec<MirroredCatalog> {
        let version =
            node.field("apiVersion").filter(|version| !version.as_str().is_some_and(|v| v.ends_with("/v2alpha1")));
        if let Some(version) = version {
            let written = version.as_str().unwrap_or_default().trim_start_matches(GROUP);
            let finding = match written {
                "v1alpha2" => Diagnostic::new(
                    Rule::OldImageSet,
                    version.span,
                    "`v1alpha2` is for oc-mirror v1, which filters by other rules: it follows `replaces` alone, always keeps the head, and adds dependencies",
                )
                .with_help("Opscope follows oc-mirror v2; write `mirror.openshift.io/v2alpha1` for it"),
                _ => Diagnostic::new(Rule::InvalidImageSet, version.span, format!("oc-mirror knows no version `{written}`"))
                    .with_help("expected `mirror.openshift.io/v2alpha1`"),
            };
            self.diagnostics.push(finding);
        }
        let Some(mirror) = node.field("mirror").filter(|mirror| self.is_kind(mirror, "mirror", "a mapping")) else {
            return Vec::new();
        };
        let platform = mirror.field("platform").filter(|platform| self.is_kind(platform, "platform", "a mapping"));
        platform.into_iter().for_each(|platform| self.check_release_platforms(platform));
        self.list(mirror, "operators").into_iter().map(|item| self.catalog(item)).collect()
    }

    fn catalog(&mut self, node: &Node) -> MirroredCatalog {
        self.check_fields(node, "an item of `operators`", &CATALOG_FIELDS);
        let catalog = self.name(node, "catalog");
        let packages = self.list(node, "packages").into_iter().map(|item| self.package(&catalog, item)).collect();
        let full = node.field("full").filter(|full| self.is_kind(full, "full", "a boolean"));
        self.check_platforms(&catalog, node);
        MirroredCatalog {
            span: node.span,
            full: full.is_some_and(|full| full.value == Value::Bool(true)),
            packages,
            catalog,
        }
    }

    /// `platforms` and `architectures` of the OpenShift releases: oc-mirror takes one of them.
    fn check_release_platforms(&mut self, platform: &Node) {
        if !self.knows_platforms(platform) {
            return;
        }
        let is_used = |field: &str| match &platform.field(field)?.value {
            Value::Sequence(items) if !items.is_empty() => platform.field(field),
            _ => None,
        };
        if let Some((platforms, _)) = is_used("platforms").zip(is_used("architectures")) {
            let error = "platform.platforms and platform.architectures cannot be used together; use platform.platforms for \
                         sparse manifest filtering (requires disabling manifest list blob checks on container registry side), \
                         or platform.architectures (deprecated) for OCP multi payload or single arch payloads";
            self.diagnostics.push(rejected(platforms.span, error).with_help("keep one of them"));
        }
    }

    /// Whether this oc-mirror has the field `platforms` (`6455a363`), which chooses images and no bundles. One that does not, but
    /// is given it, is reported.
    fn knows_platforms(&mut self, node: &Node) -> bool {
        let unknown = node.field("platforms").filter(|_| !self.release.knows_platforms());
        if let Some(platforms) = unknown {
            let message = format!("oc-mirror of OpenShift {} has no field `platforms`", self.release.versions());
            let finding = Diagnostic::new(Rule::UnknownField, platforms.span, message);
            self.diagnostics.push(finding.with_help("use oc-mirror of OpenShift 5.0 or later"));
        }
        unknown.is_none()
    }

    /// A platform without an operating system or an architecture.
    fn check_platforms(&mut self, catalog: &Text, node: &Node) {
        if !self.knows_platforms(node) {
            return;
        }
        for platform in self.list(node, "platforms") {
            self.check_fields(platform, "a platform", &PLATFORM_FIELDS);
            let text = |found: Option<Text>| found.map(|text| text.value).unwrap_or_default();
            let os = text(self.given_text(platform, "os"));
            let architecture = text(self.given_text(platform, "architecture"));
            let error = if os.trim().is_empty() {
                format!("platform OS must not be empty (architecture: {})", quoted(&architecture))
            } else if architecture.trim().is_empty() {
                format!("platform architecture must not be empty (OS: {})", quoted(&os))
            } else {
                continue;
            };
            let error = format!("invalid platform for operator catalog {}: {error}", quoted(&catalog.value));
            let help = "write both, such as `{os: linux, architecture: amd64}`";
            self.diagnostics.push(rejected(platform.span, &error).with_help(help));
        }
    }

    fn package(&mut self, catalog: &Text, node: &Node) -> MirroredPackage {
        self.check_fields(node, "a package", &PACKAGE_FIELDS);
        let name = self.name(node, "name");
        let place = format!("catalog {}: operator {}", quoted(&catalog.value), quoted(&name.value));
        let bounds = self.bounds(node, &place);
        let mut channels = Vec::new();
        for item in self.list(node, "channels") {
            self.check_fields(item, "a channel", &CHANNEL_FIELDS);
            let name = self.name(item, "name");
            let own = self.bounds(item, &format!("{place}: channel {}", quoted(&name.value)));
            if let Some(bound) = own.min.as_ref().or(own.max.as_ref()).filter(|_| !bounds.is_empty()) {
                let error = format!(
                    "{place}: mixing both filtering by minVersion/maxVersion and filtering by channel minVersion/maxVersion is not allowed"
                );
                let help = "write the bounds at the package or at its channels";
                self.diagnostics.push(rejected(bound.span, &error).with_help(help));
            }
            channels.push(MirroredChannel { span: item.span, name, bounds: own });
        }
        self.check_names(&channels.iter().map(|channel| &channel.name).collect::<Vec<_>>(), |name| {
            format!("{place}: duplicate channel entry {}", quoted(name))
        });
        let default_channel = self.given_text(node, "defaultChannel");
        MirroredPackage { span: node.span, name, default_channel, bounds, channels }
    }

    fn bounds(&mut self, node: &Node, place: &str) -> Bounds {
        let mut bound = |field: &str| {
            let text = self.given_text(node, field)?;
            let bound = Bound::parse(&text.value);
            if bound.is_none() {
                let version = quoted(&text.value);
                let error = format!("{place}: {field} {version} must respect semantic versioning notation");
                self.diagnostics
                    .push(rejected(text.span, &error).with_help("write it as MAJOR.MINOR.PATCH, such as `1.2.0`"));
            }
            bound.map(|bound| Spanned::new(bound, text.span))
        };
        Bounds { min: bound("minVersion"), max: bound("maxVersion") }
    }

    /// A catalog that occurs twice, and packages that occur twice in one.
    fn check_catalogs(&mut self, catalogs: &[MirroredCatalog], configurations: &[&Node]) {
        let items = configurations.iter().filter_map(|node| node.field("mirror")?.field("operators"));
        let items = items.filter_map(|list| match &list.value {
            Value::Sequence(items) => Some(items.iter().filter(|item| matches!(item.value, Value::Mapping(_)))),
            _ => None,
        });
        let mut seen = BTreeSet::new();
        for (catalog, item) in catalogs.iter().zip(items.flatten()) {
            let unique = unique_name(&catalog.catalog.value, item);
            if !seen.insert(unique.clone()) {
                let error = format!("catalog {}: duplicate found in configuration", quoted(&unique));
                let help = "put all packages into one item, or give one of them a `targetCatalog` or `targetTag`";
                self.diagnostics.push(rejected(catalog.catalog.span, &error).with_help(help));
            }
            self.check_names(&catalog.packages.iter().map(|package| &package.name).collect::<Vec<_>>(), |name| {
                format!("catalog {}: duplicate package entry {}", quoted(&catalog.catalog.value), quoted(name))
            });
        }
    }

    fn check_names(&mut self, names: &[&Text], error: impl Fn(&str) -> String) {
        let mut seen = BTreeSet::new();
        let named = names.iter().filter(|name| !name.value.is_empty());
        for name in named.filter(|name| !seen.insert(&name.value)) {
            self.diagnostics.push(rejected(name.span, &error(&name.value)).with_help("keep one of them"));
        }
    }

    fn check_fields(&mut self, node: &Node, what: &str, known: &[&str]) {
        let Value::Mapping(entries) = &node.value else { return };
        self.diagnostics.extend(second_spellings(entries, known));
        for (key, _) in entries.iter().filter(|(key, _)| !known.iter().any(|field| same_field(&key.value, field))) {
            let fields: Vec<String> = known.iter().map(|field| format!("`{field}`")).collect();
            let finding = Diagnostic::new(Rule::UnknownField, key.span, format!("{what} has no field `{}`", key.value));
            self.diagnostics.push(finding.with_help(format!("oc-mirror knows {}", fields.join(", "))));
        }
    }

    /// A text that has to be there; empty, at the place of the mapping, if it is missing.
    fn name(&mut self, node: &Node, field: &str) -> Text {
        self.given_text(node, field).unwrap_or_else(|| {
            let message = format!("`{field}` is missing");
            self.diagnostics.push(Diagnostic::new(Rule::MissingField, node.span.at_start(), message));
            Text::new(Box::default(), node.span.at_start())
        })
    }

    /// A text that is not empty.
    fn given_text(&mut self, node: &Node, field: &str) -> Option<Text> {
        let found = node.field(field).filter(|found| self.is_kind(found, field, "a text"))?;
        found.as_str().filter(|text| !text.is_empty()).map(|text| Text::new(text.into(), found.span))
    }

    /// The mappings in the list that is a field.
    fn list<'n>(&mut self, node: &'n Node, field: &str) -> Vec<&'n Node> {
        let list = node.field(field).filter(|list| self.is_kind(list, field, "a list"));
        let Some(Value::Sequence(items)) = list.map(|list| &list.value) else { return Vec::new() };
        let what = format!("every item of `{field}`");
        items.iter().filter(|item| self.check_kind(item, &what, "a mapping")).collect()
    }

    fn is_kind(&mut self, node: &Node, field: &str, wanted: &str) -> bool {
        self.check_kind(node, &format!("`{field}`"), wanted)
    }

    /// Whether a value has a kind. Another one is reported, but `null` is no value to Go.
    fn check_kind(&mut self, node: &Node, what: &str, wanted: &str) -> bool {
        let is_it = match &node.value {
            Value::Null => return false,
            Value::Bool(_) => wanted == "a boolean",
            Value::String(_) => wanted == "a text",
            Value::Sequence(_) => wanted == "a list",
            Value::Mapping(_) => wanted == "a mapping",
            Value::Number(_) | Value::Unopened => false,
        };
        if !is_it {
            let written = node.span.slice(self.text);
            let message = format!("{what} must be {wanted}");
            let mut finding = Diagnostic::new(Rule::WrongType, node.span, message);
            if wanted == "a text" && matches!(node.value, Value::Bool(_) | Value::Number(_)) {
                let text = plain_json(&written.into());
                finding = finding.with_help(format!("put it in quotes: {text}")).with_fix(QuickFix::quote(node.span));
            }
            self.diagnostics.push(finding);
        }
        is_it
    }
}

/// The name by which oc-mirror tells items apart (`type_config.go`, `GetUniqueName`).
fn unique_name(catalog: &str, item: &Node) -> String {
    let field = |name: &str| item.field(name).and_then(Node::as_str).filter(|text| !text.is_empty());
    let (target, name, tag) = (field("targetCatalog"), field("targetName"), field("targetTag"));
    let reference = catalog.split_once("://").map_or(catalog, |(_, reference)| reference);
    if target.is_none() && name.is_none() && tag.is_none() {
        return reference.to_owned();
    }
    let (path, digest) = reference.split_once('@').map_or((reference, ""), |(path, digest)| (path, digest));
    let last = path.rfind('/').map_or(0, |at| at + 1);
    let (path, own_tag) = path[last..].find(':').map_or((path, ""), |at| (&path[..last + at], &path[last + at + 1..]));
    let place = match (target, name) {
        (Some(target), _) => format!("{}/{target}", path.split('/').next().unwrap_or_default()),
        (None, Some(name)) => format!("{}{name}", &path[..last.min(path.len())]),
        (None, None) => path.to_owned(),
    };
    match (tag, digest) {
        (Some(tag), _) => format!("{place}:{tag}"),
        (None, "") if own_tag.is_empty() => place,
        (None, "") => format!("{place}:{own_tag}"),
        (None, digest) => format!("{place}@{digest}"),
    }
}
