//! What was used of a file or folder, in words.

use crate::{Archive, ArchiveForm, Compression, Contents, ContentsKind, Image, LayerReport};

impl Archive {
    /// What contents of this archive are and where they come from: the form, the image, the folder, the number of files and of
    /// layers.
    #[must_use]
    pub fn sentence(&self, contents: &Contents) -> String {
        let form = match self.form {
            ArchiveForm::Tar => "tar archive",
            ArchiveForm::Zip => "zip archive",
            ArchiveForm::SingleFile => "compressed file",
            ArchiveForm::DockerArchive => "docker-archive",
            ArchiveForm::OciLayout => "OCI layout",
            ArchiveForm::Registry => "registry",
            ArchiveForm::DirTransport => "folder of the transport dir:",
            ArchiveForm::MirrorFolder => "working directory of oc-mirror",
        };
        let compressed = compressed(&self.compressions);
        let files = count(contents.files.len(), "file");
        let folder = if contents.folder.is_empty() { String::new() } else { format!(" in `{}`", contents.folder) };
        let (image, layers) = contents.image.as_ref().map(|image| of_image(image, contents.kind)).unwrap_or_default();
        format!("{form}{compressed}{image}: {files}{folder}{layers}")
    }
}

impl LayerReport {
    /// What the layer is and what is used of it.
    #[must_use]
    pub fn sentence(&self) -> String {
        let compressed = compressed(&self.compressions);
        let entries = match usize::try_from(self.entries) {
            Ok(1) => "1 entry".to_owned(),
            Ok(_) | Err(_) => format!("{} entries", self.entries),
        };
        let used = match (self.is_foreign, self.files) {
            (true, _) => "left out, since it may not be distributed with the image".to_owned(),
            (false, 0) => "nothing used".to_owned(),
            (false, files) => format!("{files} used"),
        };
        let removed =
            if self.removed == 0 { String::new() } else { format!(", {} of lower layers removed", self.removed) };
        format!("{} bytes{compressed}, {entries}: {used}{removed}", self.size)
    }
}

fn compressed(compressions: &[Compression]) -> String {
    compressions.iter().map(|compression| format!(", {compression}")).collect()
}

/// The image, and which of its layers were used.
fn of_image(image: &Image, kind: ContentsKind) -> (String, String) {
    let kind = if kind == ContentsKind::Bundle { "bundle" } else { "catalog" };
    let name = image.name.as_ref().map(|name| format!(" `{name}`")).unwrap_or_default();
    let platform = image.platform.as_ref().map(|platform| format!(" for {platform}")).unwrap_or_default();
    let used = image.layers.iter().filter(|layer| layer.files > 0).count();
    let removed: u64 = image.layers.iter().map(|layer| layer.removed).sum();
    let removed = match usize::try_from(removed) {
        Ok(0) | Err(_) => String::new(),
        Ok(removed) => format!("; its layers remove {} of lower ones", count(removed, "file")),
    };
    let layers = format!(" from {used} of {}{removed}", count(image.layers.len(), "layer"));
    (format!(", {kind} image{name}{platform}"), layers)
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
