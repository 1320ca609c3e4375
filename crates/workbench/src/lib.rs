//! The facade of the core: catalogs in, views out.
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
mod document_index;
mod edit_views;
mod extension_answer;
mod extensions;
mod file;
mod files;
mod found_repairs;
pub mod gallery;
mod gesture;
mod image_set;
mod input;
mod intake;
mod listings;
mod load;
mod manifest_text;
mod messages;
mod new_bundle;
mod offered;
mod opened_text;
mod pairing;
mod pipelines;
mod places;
mod queries;
mod renew;
mod repairs;
mod root_causes;
mod set_input;
mod sets;
mod share;
mod side;
mod stray_files;
mod taken;
mod template_authoring;
mod templates;
#[cfg(test)]
mod testing;
mod text_file;
mod write_edits;
mod written;

pub use ::cluster::CatalogKey;
pub use ::cluster::{ManifestFacts, MustGather, is_must_gather_log, must_gather, must_gather_files};
pub use analysis::{Analysis, Finding};
pub use authored_catalog::AuthoredCatalog;
pub use authoring::{Authoring, ReleaseRequest, Written};
pub use bundle_tree::{Mode, Rules as BundleRules};
pub use bundle_trees::BundleTree;
pub use catalog_input::{CatalogInput, MirroredPackages};
pub use checked_set::{ReadSet, of_bundles};
pub use cluster_content::ClusterContent;
pub use compare::Settings;
pub use document_index::FindingSubject;
pub use extensions::ExtensionAnswer;
pub use fbc::{no_text_reason, quoted};
pub use file::{FileInput, NewText};
pub use files::Files;
pub use found_repairs::{FoundRepairs, RepairRequest};
pub use go_semver::blang::Version;
pub use image_set::mirrored_catalogs;
pub use input::{Expand, Workbench};
pub use intake::{
    Catalogs, Content, Given, Intake, LeftOut, Member, Purpose, SplitText, TakenIn, Unread, every_version,
    named_for_versions, opened_text, split,
};
pub use load::Loading;
pub use messages::explain_messages;
pub use new_bundle::{NewBundle, has_bundle_directory};
pub use openshift::plans::way as openshift_versions;
pub use openshift::sets::{CatalogSet, Loading as SetLoading, is_dockerfile};
pub use pairing::{Exchanged, MissingCatalog};
pub use pipelines::{PipelineTemplate, bundles_beside, pipeline_templates, release_config};
pub use queries::{
    ComparisonQuery, ComparisonRun, CrdFault, Documents, DrawingFault, Expanded, ExpandedChannel, ExpandedEntry,
    ExpandedPackage, ExpansionReport, NameError, NoTemplateType, NotRendered, PropertyText, RangeAnswer, RangeMatch,
    RangeQuestion, RenderFinding, Rendered, ReportScope, ResolutionTotal, RuleAnswer, RuleQuestion, SimulationLimits,
    SimulationProgress, SimulationRun, TemplateFinding, crd_upgrade, drawing, examples, inventory, is_bundle_directory,
    level_faults, render_bundle, settings, template_type, version_in_name,
};
pub use release::Policy;
pub use renew::{KeptEdits, Renewed};
pub use set_input::SetInput;
pub use share::{
    Session, SessionCatalog, SessionComparison, decode_base64_text, link_length, open_session_file, open_session_link,
    session_file, session_link,
};
pub use side::Side;
pub use stray_files::AttachedFiles;
pub use taken::{NewCatalog, Taking};
pub use templates::{EXPANDED, is_template};
pub use text_file::{decode_text, opm_json, opm_yaml, well_formed};
pub use write_edits::WrittenFile;
