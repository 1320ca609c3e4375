//! The whole way from files to a bundle: `bundleParser.Parse` (`pkg/registry/parse.go`), then `bundleToDeclcfg`
//! (`alpha/action/render.go`).

use crate::file::{File, Stop};
use crate::images;
use crate::manifest;
use crate::metadata;
use crate::properties;
use crate::rendered::{Bundle, RenderOutcome, Rendering};
use source::{Diagnostic, FileId, Rule, Span};

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
        openshift_versions: metadata.annotations.openshift_versions.clone(),
        min_kube_version: csv.min_kube_version(),
        icon: csv.icon(),
    })
}
