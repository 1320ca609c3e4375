//! The form of ClusterExtensions and ClusterCatalogs.

use super::form_field::{FormCard, Input, faults};
use super::simulation::Props;
use super::subscriptions::catalog_name;
use crate::kit::{button, choice, on, on_input, press, suggestions};
use crate::store::{ExtensionFormAction, FormRow, NAME_LABEL};
use std::collections::BTreeSet;
use views::{
    CatalogAvailability, CatalogField, ClusterCatalogForm, ExtensionField, ExtensionForm, FormFault, FormPlace,
    Overview, UpgradePolicy,
};
use yew::prelude::*;

/// The form: one card for each ClusterExtension, and below them the ClusterCatalogs.
pub(super) fn extension_forms(props: &Props) -> Html {
    let Props { simulation, send, .. } = props;
    let cluster = &simulation.cluster;
    let rows = cluster.extensions.iter().zip(cluster.extension_names()).enumerate();
    html! {
        <section class="extension-forms" aria-label="ClusterExtensions of the form" data-testid="extension-forms">
            <h4>{ "ClusterExtensions" }</h4>
            if cluster.extensions.is_empty() {
                <p class="mute">{ "Add a ClusterExtension to see what OLM v1 installs." }</p>
            }
            <div>{ for rows.map(|(index, (form, name))| card(props, index, form, &name)) }</div>
            { button("extension-add", "+ ClusterExtension", send, ExtensionFormAction::Added) }
            if !cluster.extensions.is_empty() { { catalogs(props) } }
        </section>
    }
}

fn card(props: &Props, index: usize, form: &ExtensionForm, name: &str) -> Html {
    let send = &props.send;
    let remove = press(send, ExtensionFormAction::Removed(index));
    let policies =
        [(UpgradePolicy::CatalogProvided, "CatalogProvided"), (UpgradePolicy::SelfCertified, "SelfCertified")];
    let policy = |policy| ExtensionFormAction::PolicyChosen { index, policy };
    let text = |field: ExtensionField, label: &'static str, empty: &str, list: Option<String>| {
        // Only these may have blanks in them.
        let keeps_blanks =
            matches!(field, ExtensionField::Version | ExtensionField::Channels | ExtensionField::Selector);
        let oninput = on_input(send, move |text| {
            let text = if keeps_blanks { text } else { text.trim().to_owned() };
            ExtensionFormAction::Edited { index, field, text }
        });
        let at = FormPlace::Extension(index as u32, field);
        let onchange = (field == ExtensionField::Package)
            .then(|| on(send, move |_: Event| ExtensionFormAction::PackageEntered(index)));
        let input =
            Input { label, value: form.field(field), empty, list, test_name: test_name(field).to_owned(), onchange };
        input.render(oninput, &format!("extension-{index}"), faults(props.simulation.view.as_ref(), &at))
    };
    let (channels, selectors, bundles) =
        (format!("extension-channels-{index}"), "catalog-labels".to_owned(), format!("extension-bundles-{index}"));
    let legend = if name.is_empty() { "New ClusterExtension" } else { name };
    let is_faulty = |fault: &FormFault| matches!(fault.at, FormPlace::Extension(at, _) if at == index as u32);
    let is_wrong = props.simulation.view.iter().flat_map(|view| &view.faults).any(is_faulty);
    let installed = if form.installed.is_empty() { "not installed" } else { &form.installed };
    let card = FormCard {
        class: "extension-row",
        test_name: "extension-row",
        line: [legend, if form.version.is_empty() { "any version" } else { &form.version }, installed, ""],
        is_open: is_wrong || name.is_empty() || props.simulation.added == Some(FormRow::Extension(index)),
        remove: (format!("Remove ClusterExtension {name}"), "extension-remove", remove),
    };
    let fields = html! {
        <>
            { text(ExtensionField::Package, "Package", "", Some("package-names".to_owned())) }
            { text(ExtensionField::Version, "Version range", "any version", None) }
            { text(ExtensionField::Channels, "Channels", "all channels", Some(channels.clone())) }
            { text(ExtensionField::Installed, "Installed bundle", "none", Some(bundles.clone())) }
            <div class="field wide">
                <span>{ "Updates" }</span>{ choice("upgradeConstraintPolicy", &policies, form.policy, send, policy) }
            </div>
            { text(ExtensionField::Selector, "Catalog labels", "all catalogs", Some(selectors.clone())) }
            { text(ExtensionField::Namespace, "Install namespace", name, None) }
            { text(ExtensionField::Name, "Name", &form.package, None) }
            { suggestions(channels, channel_names(&props.overview, &form.package)) }
            { suggestions(selectors, catalog_labels(&props.overview)) }
            { suggestions(bundles, bundle_names(props, &form.package)) }
        </>
    };
    card.render(index, fields)
}

fn catalog_labels(overview: &Overview) -> BTreeSet<String> {
    overview.catalogs.iter().map(|row| format!("{NAME_LABEL}={}", row.name)).collect()
}

fn channel_names(overview: &Overview, package: &str) -> BTreeSet<String> {
    let rows = overview.packages.iter().filter(|row| row.key.package == package);
    rows.flat_map(|row| &row.channels).cloned().collect()
}

/// The bundles of a package, if it is the selected one: of others the page knows none.
fn bundle_names(props: &Props, package: &str) -> BTreeSet<String> {
    let graph = props.graph.as_ref().filter(|graph| graph.package.package == package);
    graph.into_iter().flat_map(|graph| &graph.nodes).map(|node| node.key.name.clone()).collect()
}

/// The ClusterCatalogs: those of the loaded catalogs, and those that the form has besides.
fn catalogs(props: &Props) -> Html {
    let (cluster, overview) = (&props.simulation.cluster, &props.overview);
    let known = &cluster.cluster_catalogs;
    let names: BTreeSet<&str> =
        overview.catalogs.iter().map(|row| &*row.name).chain(known.iter().map(|row| &*row.name)).collect();
    let offers = |name: &str| {
        let packages = overview.packages.iter().filter(|row| catalog_name(overview, row) == name);
        packages.filter(|row| cluster.extensions.iter().any(|form| form.package == row.key.package)).count()
    };
    let form = |name: &str| {
        let row = known.iter().find(|row| row.name == name).cloned();
        catalog(props, &row.unwrap_or_else(|| ClusterCatalogForm::new(name)), offers(name))
    };
    html! {
        <details class="catalog-forms" data-testid="cluster-catalogs" open={!known.is_empty()}>
            <summary>{ "ClusterCatalogs" }</summary>
            { for names.into_iter().map(form) }
        </details>
    }
}

/// The fields of a ClusterCatalog, which offers `packages` of the ClusterExtensions.
fn catalog(props: &Props, form: &ClusterCatalogForm, packages: usize) -> Html {
    let name = &form.name;
    let text = |field: CatalogField, label: &'static str, empty: &'static str, value: &str| {
        let of = name.clone();
        let oninput =
            on_input(&props.send, move |text| ExtensionFormAction::CatalogEdited { name: of.clone(), field, text });
        let test_name = match field {
            CatalogField::Priority => "catalog-priority-v1",
            CatalogField::Labels => "catalog-labels-v1",
        };
        let at = FormPlace::Catalog(name.clone(), field);
        Input { label, value, empty, list: None, test_name: test_name.to_owned(), onchange: None }.render(
            oninput,
            &format!("catalog-{name}"),
            faults(props.simulation.view.as_ref(), &at),
        )
    };
    let modes = [(CatalogAvailability::Available, "Available"), (CatalogAvailability::Unavailable, "Unavailable")];
    let mode = |availability| ExtensionFormAction::AvailabilityChosen { name: name.clone(), availability };
    let is_loaded = props.overview.catalogs.iter().any(|row| row.name == *name);
    html! {
        <fieldset class="subscription extension-row" key={name.clone()} data-testid="cluster-catalog">
            <legend>{ name }</legend>
            if !is_loaded {
                <p class="mute wide">{ "No loaded catalog has this name." }</p>
            } else if packages == 0 {
                <p class="mute wide">{ "It has no package of the ClusterExtensions." }</p>
            }
            { text(CatalogField::Priority, "Priority", "0", &form.priority) }
            { text(CatalogField::Labels, "Labels", "none", &form.labels) }
            <div class="field wide">
                <span>{ "Availability" }</span>
                { choice("availabilityMode", &modes, form.availability, &props.send, mode) }
            </div>
        </fieldset>
    }
}

/// The name of a field in test ids.
const fn test_name(field: ExtensionField) -> &'static str {
    match field {
        ExtensionField::Name => "extension-name",
        ExtensionField::Package => "extension-package",
        ExtensionField::Version => "extension-version",
        ExtensionField::Channels => "extension-channels",
        ExtensionField::Selector => "extension-selector",
        ExtensionField::Namespace => "extension-namespace",
        ExtensionField::Installed => "extension-installed",
    }
}
