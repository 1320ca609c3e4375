//! What a user works with: catalogs, sets, a cluster and a comparison, and the commands that change them.
//!
//! [`Workbench`] holds the catalogs with everything computed from them (parsed files, models, findings); every query is a
//! function of that. It uses no clock, no thread, no browser and no terminal: the worker and the command line ask it the
//! same queries.

mod analysis;
mod attached_files;
mod authored_catalog;
mod authoring;
mod bundle_trees;
mod catalog_input;
mod catalog_list;
mod checked_packages;
mod checked_set;
mod cluster_catalogs;
mod cluster_content;
mod comparison_input;
mod document_index;
mod download;
mod edit_views;
mod examples;
mod file;
mod files;
pub mod gallery;
mod gesture;
mod image_set;
mod input;
mod intake;
mod inventory;
mod load;
mod manifest_text;
mod new_bundle;
mod offered;
mod opened_text;
mod pairing;
mod pipelines;
mod places;
mod render;
mod renew;
mod root_causes;
mod session;
mod set_input;
mod sets;
mod share;
mod side;
mod stray_files;
mod taken;
mod template_authoring;
mod templates;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text_file;
mod write_edits;
mod written;

pub use ::cluster::CatalogKey;
pub use ::cluster::{ManifestFacts, MustGather, is_must_gather_log, must_gather, must_gather_files};
pub use analysis::{Analysis, Finding};
pub use analysis::{counted, parsed};
pub use authored_catalog::AuthoredCatalog;
pub use authoring::Author;
pub use authoring::{Authoring, PackageText, ReleaseRequest, Written};
pub use bundle_tree::{Mode, Rules as BundleRules};
pub use bundle_trees::BundleTree;
pub use bundle_trees::choices;
pub use catalog_input::{CatalogInput, MirroredPackages};
pub use catalog_input::{DEFAULT_NAMESPACE, StuckPackages};
pub use checked_packages::CheckedPackages;
pub use checked_set::changes;
pub use checked_set::{ReadSet, of_bundles};
pub use cluster_catalogs::{assumed_of_v1, pair_cluster_catalogs, unbound};
pub use cluster_content::ClusterContent;
pub use compare::Settings;
pub use comparison_input::{ComparisonInput, level_faults, settings};
pub use document_index::DocumentIndex;
pub use document_index::FindingSubject;
pub use download::{NotRendered, rendered};
pub use edit_views::{edit_view, refused};
pub use examples::examples;
pub use fbc::{no_text_reason, quoted};
pub use file::{FileInput, NewText};
pub use files::Files;
pub use gesture::entry_edit;
pub use go_semver::blang::Version;
pub use image_set::mirrored_catalogs;
pub use input::{Expand, Workbench};
pub use intake::{
    Catalogs, Content, Given, Intake, LeftOut, Member, Purpose, SplitText, TakenIn, Unread, every_version,
    named_for_versions, opened_text, split,
};
pub use inventory::package_manifests;
pub use load::Loading;
pub use load::resource_name;
pub use manifest_text::{MANIFESTS, ManifestText};
pub use new_bundle::{NewBundle, has_bundle_directory};
pub use offered::{entries, offer, package_change, quick_fix};
pub use opened_text::Difference;
pub use openshift::sets::{CatalogSet, Loading as SetLoading, is_dockerfile};
pub use pairing::{
    Exchange, Exchanged, MissingCatalog, Pairing, image_command, is_named, pair, release, sets_of_sources,
    without_catalog,
};
pub use pipelines::{PipelineTemplate, bundles_beside, pipeline_templates, release_config};
pub use release::Policy;
pub use render::{Documents, RenderFinding, Rendered, is_bundle_directory, render_bundle};
pub use renew::{KeptEdits, Renewed};
pub use session::{Executed, Outside, Session, Shared, Unsaved};
pub use set_input::SetInput;
pub use share::{
    SavedSession, SessionCatalog, SessionComparison, decode_base64_text, link_length, open_session_file,
    open_session_link, session_file, session_link,
};
pub use side::Comparison;
pub use side::Side;
pub use stray_files::AttachedFiles;
pub use taken::{NewCatalog, Taking};
pub use templates::{EXPANDED, is_template};
pub use text_file::{decode_text, opm_json, opm_yaml, well_formed};
pub use write_edits::WrittenFile;
pub use write_edits::not_read;
