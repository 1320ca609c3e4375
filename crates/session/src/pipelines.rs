//! Operators of the community pipelines: their templates, and the `release-config.yaml` from which the pipelines write a bundle into
//! them (operator-pipelines `docs/users/fbc_autorelease.md`).

use crate::{AuthoredCatalog, NewBundle, NewText};
use bundle::File;
use bundle_tree::{Mapping, MappingKind, bundles_of_template, enabled_fbc};
use fbc::{Decoded, decode_bytes};
use source::FileId;

/// Where the pipelines keep the templates of an operator.
const TEMPLATES: &str = "catalog-templates/";

/// A template that the pipelines write into.
pub struct PipelineTemplate {
    mapping: Mapping,
}

impl PipelineTemplate {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.mapping.template
    }

    /// Its name, and the catalogs that are made of it.
    #[must_use]
    pub fn title(&self) -> String {
        let catalogs: Vec<&str> = self.mapping.catalogs.iter().map(|name| &*name.value).collect();
        format!("{} for {}", self.mapping.template, catalogs.join(", "))
    }
}

/// The templates that the `ci.yaml` among the files of an operator names, with their files.
#[must_use]
pub fn pipeline_templates(files: &[NewText]) -> Vec<(PipelineTemplate, NewText)> {
    let Some(Ok(content)) = files.iter().find(|file| file.path == "ci.yaml").map(|file| &file.content) else {
        return Vec::new();
    };
    let Decoded { text, fault } = decode_bytes(FileId(0), content.clone());
    let ci = File { id: FileId(0), path: "ci.yaml", text: &text, fault: fault.as_ref() };
    let with_file = |mapping: Mapping| {
        let path = format!("{TEMPLATES}{}", mapping.template);
        let file = files.iter().find(|file| file.path == path)?;
        Some((PipelineTemplate { mapping }, NewText { path, content: file.content.clone() }))
    };
    enabled_fbc(&ci).into_iter().flat_map(|fbc| fbc.mappings).filter_map(with_file).collect()
}

/// The bundles in the folder of an `operator` that a template of it names, each in its image.
#[must_use]
pub fn bundles_beside(operator: &str, files: &[NewText], template: &NewText) -> Vec<NewBundle> {
    let read = |file: &NewText| Some(decode_bytes(FileId(0), file.content.as_ref().ok()?.clone()));
    let decoded: Vec<(String, Decoded)> =
        files.iter().filter_map(|file| Some((format!("{operator}/{}", file.path), read(file)?))).collect();
    let files: Vec<File<'_>> = (0..)
        .zip(&decoded)
        .map(|(id, (path, decoded))| File { id: FileId(id), path, text: &decoded.text, fault: decoded.fault.as_ref() })
        .collect();
    let Some(decoded) = read(template) else { return Vec::new() };
    let template = File { id: FileId(0), path: &template.path, text: &decoded.text, fault: decoded.fault.as_ref() };
    bundles_of_template(&files, &template).into_iter().map(NewBundle::rendered).collect()
}

/// The `release-config.yaml` of a release into templates.
#[must_use]
pub fn release_config(templates: &[(&PipelineTemplate, &AuthoredCatalog)]) -> String {
    // The pipelines spell the lists so.
    let title = |list: &String| {
        let (first, rest) = list.split_at_checked(1)?;
        Some(first.to_uppercase() + &rest.to_lowercase())
    };
    let lists: Vec<Vec<String>> =
        templates.iter().map(|(_, authored)| authored.lists().filter_map(title).collect()).collect();
    let items = templates.iter().zip(&lists).map(|((template, authored), lists)| {
        let channels = match template.mapping.kind {
            MappingKind::Semver => lists.iter().map(|list| (&**list, None)).collect(),
            MappingKind::Basic => authored.channels().map(|edit| (edit.channel.as_str(), edit.added.first())).collect(),
        };
        (template.name(), channels)
    });
    release::release_config(&items.collect::<Vec<_>>())
}
