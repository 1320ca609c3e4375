//! What a user works with: catalogs, sets, a cluster and a comparison, and the commands that change them.
//!
//! [`Workbench`] holds the inputs with everything computed from each of them (parsed files, models, findings); the crate
//! `answers` has the questions about it. [`Session`] adds what the page needs: commands, and how they are undone. Neither uses a
//! clock, a thread, a browser or a terminal.

mod advice;
mod analysis;
mod authoring;
mod catalog_input;
mod checked_set;
mod cluster_content;
mod download;
mod file;
pub mod gallery;
mod image_set;
mod input;
mod intake;
mod load;
mod new_bundle;
mod offered;
mod outgrown;
mod pairing;
mod renew;
mod root_causes;
mod scene;
mod session;
mod share;
mod side;
mod stray_files;
mod taken;
mod template_authoring;
mod templates;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text_file;
mod tried;
mod write_edits;
mod written;

pub use analysis::{Analysis, DocumentIndex, Finding, FindingSubject, counted, parsed};
pub use authoring::{Author, Authoring, PackageText, ReleaseRequest, Written};
pub use catalog_input::{CatalogInput, DEFAULT_NAMESPACE, MirroredPackages, StuckPackages};
pub use checked_set::{ReadSet, SetInput, of_bundles, set_changes};
pub use cluster::{CatalogKey, ManifestFacts, MustGather, is_must_gather_log, must_gather, must_gather_files};
pub use cluster_content::{ClusterContent, MANIFESTS, ManifestText, package_manifests};
pub use compare::{Levels, Settings, proposed};
pub use download::{Documents, NotRendered, RenderFinding, Rendered, is_bundle_directory, render_bundle, rendered};
pub use fbc::{no_text_reason, quoted};
pub use file::{Difference, FileInput, Files, NewText};
pub use gallery::examples;
pub use go_semver::blang::Version;
pub use image_set::mirrored_catalogs;
pub use input::{Expand, Workbench};
pub use intake::{
    Catalogs, Content, Given, Intake, LeftOut, Member, Purpose, SplitText, TakenIn, Unread, every_version, has_schema,
    named_for_versions, opened_text, split,
};
pub use load::{Loading, resource_name};
pub use new_bundle::{NewBundle, has_bundle_directory};
pub use offered::{AuthoredCatalog, entries_change, offered_edit, package_change, quick_fix};
pub use openshift::sets::{CatalogSet, Loading as SetLoading, is_dockerfile};
pub use pairing::{
    Exchange, Exchanged, MissingCatalog, Pairing, assumed_of_v1, image_command, is_named, openshift_version,
    pair_catalog_sources, pair_cluster_catalogs, sets_of_sources, unbound, without_catalog,
};
pub use release::{Policy, Reason};
pub use renew::{KeptEdits, Renewed};
pub use root_causes::CheckedPackages;
pub use scene::package_scene;
pub use session::{Executed, Outside, Session, Shared, Unsaved};
pub use share::{
    SavedSession, SessionCatalog, SessionComparison, decode_base64_text, link_length, open_session_file,
    open_session_link, session_file, session_link,
};
pub use side::{Comparison, ComparisonInput, Side, level_faults, settings};
pub use stray_files::AttachedFiles;
pub use taken::{NewCatalog, Taking};
pub use template_authoring::{PipelineTemplate, bundles_beside, pipeline_templates, release_config};
pub use templates::{BundleTree, EXPANDED, bundle_choice, is_template};
pub use text_file::{decode_text, opm_json, opm_yaml, well_formed};
pub use write_edits::{WrittenFile, edit_view, entry_edit, not_read, refused};
