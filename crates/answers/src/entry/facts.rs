//! Facts of a bundle that OLM does not resolve by: description, people, links and images of its ClusterServiceVersion, and
//! properties of other types. They are decoded for each query and not kept in memory, because few of them are ever looked at.

use crate::lifecycle;
use catalog::{Bundle, Package};
use fbc::raw::{RawBundle, RawDoc};
use fbc::{Node, Value};
use session::CatalogInput;
use views::{FactLine, FactRow, FileKey};

/// Maximum number of characters of a description.
const DESCRIPTION: usize = 6000;
/// Maximum number of characters of a property's value.
const VALUE: usize = 300;
/// Maximum number of lines of one row.
const LINES: usize = 100;
/// Rows that are long in most bundles and seldom looked at.
const FOLDED: [&str; 2] = ["annotations", "related images"];
/// Annotations of a ClusterServiceVersion that are of interest to people.
const ANNOTATIONS: [&str; 6] = ["capabilities", "categories", "repository", "support", "createdAt", "containerImage"];

/// The facts of a bundle in the order in which they are shown. `day` is the day for which its phase of support is
/// stated.
pub(super) fn facts(catalog: &CatalogInput, package: &Package, bundle: &Bundle, day: &str) -> Vec<FactRow> {
    let Some(file) = catalog.file(FileKey(bundle.span.file.0)) else { return Vec::new() };
    let mut rows = Vec::new();
    if let Some(raw) = raw(catalog, bundle) {
        if let Some(csv) = catalog::csv_metadata(raw, &file.text) {
            of_csv(&csv, &mut rows);
        }
        let images = raw.related_images.iter().filter_map(|related| {
            let image = related.image.as_ref().filter(|image| !image.value.is_empty())?;
            let name = related.name.as_ref().filter(|name| !name.value.is_empty());
            let name = name.map(|name| format!("{}: ", name.value)).unwrap_or_default();
            Some(FactLine { place: Some(catalog.place(image.span)), ..text(format!("{name}`{}`", image.value)) })
        });
        push(&mut rows, "related images", images);
    }
    if let Some(version) = bundle.version.as_ref().filter(|_| !package.lifecycles.is_empty()) {
        rows.push(lifecycle::of_version(catalog, package, &version.value.text, day));
        let data = package.lifecycle().and_then(|data| data.of_version(&version.value.text));
        push(&mut rows, "platforms", data.map(lifecycle::platforms).unwrap_or_default().into_iter());
    }
    let others = bundle.properties.iter().filter_map(|property| {
        let catalog::predicate::Property::Other { kind, value } = &property.value else { return None };
        let value: String = value.to_string().chars().take(VALUE).collect();
        let line = (&**kind != "olm.constraint").then(|| text(format!("{kind}: `{}`", value.replace('`', "'"))))?;
        Some(FactLine { place: Some(catalog.place(property.span)), ..line })
    });
    push(&mut rows, "properties", others);
    rows
}

fn raw<'c>(catalog: &'c CatalogInput, bundle: &Bundle) -> Option<&'c RawBundle> {
    let docs = &catalog.file(FileKey(bundle.span.file.0))?.parse().docs;
    docs.iter().find_map(|doc| match &doc.raw {
        RawDoc::Bundle(raw) if doc.span == bundle.span => Some(raw),
        _ => None,
    })
}

fn of_csv(csv: &Node, rows: &mut Vec<FactRow>) {
    let string = |name: &str| csv.field(name).and_then(Node::as_str).filter(|text| !text.trim().is_empty());
    let single = |rows: &mut Vec<FactRow>, title: &'static str, name: &str| {
        push(rows, title, string(name).into_iter().map(|value| text(value.to_owned())));
    };
    single(rows, "display name", "displayName");
    let description = string("description").map(|text| text.chars().take(DESCRIPTION).collect::<String>());
    push(rows, "description", description.into_iter().map(text));
    push(rows, "provider", csv.field("provider").and_then(person).into_iter());
    push(rows, "maintainers", items(csv, "maintainers").filter_map(person));
    push(rows, "links", items(csv, "links").filter_map(person));
    single(rows, "maturity", "maturity");
    single(rows, "Kubernetes", "minKubeVersion");
    let modes = items(csv, "installModes").filter(|mode| mode.field("supported").is_some_and(is_true));
    let modes: Vec<&str> = modes.filter_map(|mode| mode.field("type")?.as_str()).collect();
    push(rows, "install modes", Some(modes.join(", ")).filter(|modes| !modes.is_empty()).into_iter().map(text));
    let keywords: Vec<&str> = items(csv, "keywords").filter_map(Node::as_str).collect();
    push(rows, "keywords", Some(keywords.join(", ")).filter(|words| !words.is_empty()).into_iter().map(text));
    let annotations = csv.field("annotations");
    let annotation = |name: &&str| {
        let value = annotations.and_then(|all| all.field(name)?.as_str()).filter(|value| !value.is_empty())?;
        Some(FactLine { link: address(value), ..text(format!("{name}: {value}")) })
    };
    push(rows, "annotations", ANNOTATIONS.iter().filter_map(annotation));
}

/// A name with an address, such as a provider, a maintainer or a link.
fn person(node: &Node) -> Option<FactLine> {
    let string = |name: &str| node.field(name).and_then(Node::as_str).filter(|text| !text.is_empty());
    let (name, address_of) = (string("name"), string("url").or_else(|| string("email")));
    let line = match (name, address_of) {
        (Some(name), Some(address)) if name != address => format!("{name} ({address})"),
        (name, address) => name.or(address)?.to_owned(),
    };
    Some(FactLine { link: address_of.and_then(address), ..text(line) })
}

/// The value, if it is an address that may become a link.
fn address(value: &str) -> Option<String> {
    let web = value.starts_with("https://") || value.starts_with("http://");
    (web && !value.contains(char::is_whitespace)).then(|| value.to_owned())
}

fn is_true(node: &Node) -> bool {
    node.value == Value::Bool(true)
}

fn items<'n>(node: &'n Node, name: &str) -> impl Iterator<Item = &'n Node> {
    let items = match node.field(name).map(|node| &node.value) {
        Some(Value::Sequence(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter()
}

fn text(text: String) -> FactLine {
    FactLine { text, ..FactLine::default() }
}

fn push(rows: &mut Vec<FactRow>, name: &str, lines: impl Iterator<Item = FactLine>) {
    let lines: Vec<FactLine> = lines.take(LINES).collect();
    if !lines.is_empty() {
        rows.push(FactRow { name: name.to_owned(), lines, folded: FOLDED.contains(&name), has_day: false });
    }
}

#[cfg(test)]
mod tests {
    use crate::entry;
    use session::Workbench;
    use views::{CatalogId, EntryKey, PackageKey};

    /// Lines `heading: line` of the bundle `p.v1` that has these properties.
    fn fact_lines(rest: &str) -> Vec<String> {
        let text = format!(
            "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries: [{{name: p.v1}}]\n---\nschema: olm.bundle\npackage: p\nname: p.v1\nimage: i\n{rest}"
        );
        let workbench = Workbench::new().with_text("c", "c.yaml", text);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let key = EntryKey { channel: None, name: "p.v1".to_owned() };
        let view = entry(&workbench, &package, &key, "2023-07-18").unwrap();
        let lines =
            view.facts.into_iter().flat_map(|row| row.lines.into_iter().map(move |line| (row.name.clone(), line)));
        lines.map(|(name, line)| format!("{name}: {} {}", line.text, line.link.unwrap_or_default())).collect()
    }

    #[test]
    fn metadata_is_shown_in_rows() {
        let rest = "relatedImages:\n- {name: a, image: quay.io/a}\n- {image: b}\nproperties:\n- type: olm.package\n  value: {packageName: p, version: 1.0.0}\n- type: x\n  value: {z: 1}\n- type: olm.csv.metadata\n  value:\n    displayName: P\n    description: |\n      # P\n      <b>bold</b>\n    maintainers: [{name: A, email: a@example.com}]\n    links: [{name: Site, url: 'https://example.com'}, {name: Bad, url: 'javascript:alert(1)'}]\n    provider: {name: Us}\n    installModes: [{type: OwnNamespace, supported: true}, {type: AllNamespaces, supported: false}]\n    keywords: [a, b]\n    annotations: {capabilities: Seamless Upgrades, other: z}\n";
        let expected = [
            "display name: P ",
            "description: # P\n<b>bold</b>\n ",
            "provider: Us ",
            "maintainers: A (a@example.com) ",
            "links: Site (https://example.com) https://example.com",
            "links: Bad (javascript:alert(1)) ",
            "install modes: OwnNamespace ",
            "keywords: a, b ",
            "annotations: capabilities: Seamless Upgrades ",
            "related images: a: `quay.io/a` ",
            "related images: `b` ",
            "properties: x: `{\"z\":1}` ",
        ];
        assert_eq!(fact_lines(rest), expected);
    }

    #[test]
    fn lifecycle_data_is_found_by_the_minor_version() {
        let rest = "properties:\n- type: olm.package\n  value: {packageName: p, version: 4.12.3}\n---\n\
                    schema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\nversions:\n- name: '4.12'\n  \
                    platformCompatibility: [{name: openshift, versions: ['4.14', '4.15']}]\n  phases:\n  \
                    - {name: Full support, startDate: 2023-01-17, endDate: 2023-07-17}\n  \
                    - {name: Maintenance support, startDate: 2023-07-18, endDate: 2024-07-18}\n";
        let expected = [
            "support: Maintenance support until 2024-07-18, 12 months or less left ",
            "support: Full support: 2023-01-17 to 2023-07-17 ",
            "support: Maintenance support: 2023-07-18 to 2024-07-18 ",
            "platforms: openshift 4.14, 4.15 ",
        ];
        assert_eq!(fact_lines(rest), expected);
        let other = "support: No data: the lifecycle data has no version `4.13.0` or `4.13` ";
        assert_eq!(fact_lines(&rest.replace("4.12.3", "4.13.0")), [other]);
        let twice = rest.to_owned() + "---\nschema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\n";
        assert_eq!(fact_lines(&twice), ["support: No data: the package has 2 documents with lifecycle data "]);
    }

    #[test]
    fn older_catalogs_contain_the_whole_manifest() {
        // {"kind":"ClusterServiceVersion","metadata":{"annotations":{"support":"Us"}},"spec":{"displayName":"Old"}}
        let data = "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwibWV0YWRhdGEiOnsiYW5ub3RhdGlvbnMiOnsic3VwcG9ydCI6IlVzIn19LCJzcGVjIjp7ImRpc3BsYXlOYW1lIjoiT2xkIn19";
        let rest = format!(
            "properties:\n- type: olm.package\n  value: {{packageName: p, version: 1.0.0}}\n- type: olm.bundle.object\n  value: {{data: {data}}}\n"
        );
        assert_eq!(fact_lines(&rest), ["display name: Old ", "annotations: support: Us "]);
    }
}
