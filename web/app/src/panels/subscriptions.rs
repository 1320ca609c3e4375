//! The form of Subscriptions.

use super::copy;
use super::simulation::Props;
use crate::kit::{button, choice, on_input, press, prose, select, suggestions};
use crate::store::{Action, ClusterAction, FormRow, NAME_LABEL, Shared};
use std::collections::BTreeSet;
use views::{
    CatalogField, CatalogRow, ClusterCatalogForm, ClusterForm, ExtensionField, ExtensionForm, FormChange, FormFault,
    FormPlace, Overview, PackageRow, SimulationView, SubscriptionField, SubscriptionForm,
};
use yew::prelude::*;

/// The form: one card for each Subscription.
pub(super) fn subscriptions(props: &Props) -> Html {
    let Props { simulation, overview, send, .. } = props;
    let cluster = &simulation.cluster;
    let copy = press(send, copy(simulation.manifests.clone()));
    html! {
        <div class="subscriptions" data-testid="subscriptions">
            { suggestions("package-names", overview.packages.iter().map(|row| row.key.package.clone()).collect()) }
            if cluster.subscriptions.is_empty() {
                <p class="mute">
                    { "Add a Subscription, or select an entry in the graph and set it as installed or as startingCSV." }
                </p>
            }
            { for cluster.subscriptions.iter().enumerate().map(|(index, form)| card(props, index as u32, form)) }
            if !cluster.subscriptions.is_empty() { { operator_group(cluster, send) } }
            { button("subscription-add", "+ Subscription", send, ClusterAction::SubscriptionAdded) }
            if !cluster.subscriptions.is_empty() || (props.runtime.has_v1() && !cluster.extensions.is_empty()) {
                { " " }
                <button type="button" data-testid="manifests-copy" onclick={copy}
                    disabled={!simulation.changes.is_empty()}>
                    { "Copy as manifests" }
                </button>
            }
        </div>
    }
}

/// The namespaces that the OperatorGroup selects.
fn operator_group(cluster: &ClusterForm, send: &Callback<Action>) -> Html {
    let oninput = on_input(send, |text| ClusterAction::FormChanged(FormChange::Targets(text.trim().to_owned())));
    html! { if let Some(value) = cluster.target_namespaces.clone() {
        <label class="operator-group">
            { "OperatorGroup watches" }
            <input {value} placeholder="all namespaces" autocomplete="off" spellcheck="false"
                data-testid="target-namespaces" {oninput} />
        </label>
    } }
}

/// The action that sets a field of a Subscription.
fn set(index: u32, field: SubscriptionField, text: String) -> ClusterAction {
    ClusterAction::FormChanged(FormChange::Set { at: FormPlace::Subscription(index, field), text })
}

fn card(props: &Props, index: u32, form: &SubscriptionForm) -> Html {
    let send = &props.send;
    let remove = press(send, ClusterAction::FormChanged(FormChange::RemoveSubscription(index)));
    let approval = |is_manual| {
        set(index, SubscriptionField::Approval, if is_manual { "Manual".to_owned() } else { String::new() })
    };
    let text = |field: SubscriptionField, label: &'static str, value: &str, list: String| {
        // On every input event, so that no answer and no shortcut ever sees an older text.
        let oninput = on_input(send, move |text| set(index, field, text.trim().to_owned()));
        let at = FormPlace::Subscription(index, field);
        let test_name = format!("subscription-{}", test_name(field));
        let input = Input { label, value, empty: "", list: Some(list), test_name };
        input.render(oninput, &format!("subscription-{index}"), faults(props.simulation.view.as_ref(), &at))
    };
    let (channels, catalogs) = (channels(&props.overview, form), catalogs(&props.overview, form));
    // What a Subscription without a catalog gets.
    let having = |catalog: &&CatalogRow| rows(&props.overview, form).any(|row| row.key.catalog == catalog.id);
    let first = props.overview.catalogs.iter().find(having);
    let first = first.map_or("the first that has it".to_owned(), |row| format!("{}, the first with it", row.name));
    let csvs = format!("csvs-{index}");
    let legend = if form.title().is_empty() { "New Subscription" } else { form.title() };
    let is_faulty = |fault: &FormFault| matches!(fault.at, FormPlace::Subscription(at, _) if at == index);
    let is_wrong = props.simulation.view.iter().flat_map(|view| &view.faults).any(is_faulty);
    let installed = if form.installed.is_empty() { "not installed" } else { &form.installed };
    let card = FormCard {
        class: "",
        test_name: "subscription",
        line: [legend, if form.channel.is_empty() { "any channel" } else { &form.channel }, installed, &form.approval],
        is_open: is_wrong
            || form.package.is_empty()
            || props.simulation.added == Some(FormRow::Subscription(index as usize)),
        remove: (format!("Remove {legend}"), "subscription-remove", remove),
    };
    let approvals = [(false, "Automatic"), (true, "Manual")];
    let fields = html! {
        <>
            { text(SubscriptionField::Package, "Package", &form.package, "package-names".to_owned()) }
            { options(props, index, SubscriptionField::Channel, "Channel", &form.channel, "any channel", channels) }
            { options(props, index, SubscriptionField::Catalog, "Catalog", &form.catalog, &first, catalogs) }
            <div class="field">
                <span>{ "Approval" }</span>
                { choice("Approval", &approvals, !form.approval.is_empty(), send, approval) }
            </div>
            { text(SubscriptionField::Installed, "Installed CSV or version", &form.installed, csvs.clone()) }
            { text(SubscriptionField::StartingCsv, "startingCSV", &form.starting_csv, csvs.clone()) }
            { suggestions(csvs, entries(props, form)) }
        </>
    };
    card.render(index as usize, fields)
}

fn options(
    props: &Props,
    index: u32,
    field: SubscriptionField,
    label: &str,
    value: &str,
    none: &str,
    names: BTreeSet<&str>,
) -> Html {
    // Keep a value that no loaded catalog has: the catalog may be loaded again.
    let names = names.into_iter().chain((!value.is_empty()).then_some(value)).collect::<BTreeSet<_>>();
    let all = std::iter::once(("", none)).chain(names.into_iter().map(|name| (name, name)));
    let all = all.map(|(value, text)| (value.to_owned(), text.to_owned()));
    let chosen = move |text| Some(set(index, field, text));
    let testid = format!("subscription-{}", test_name(field));
    html! { <label>{ label }{ select(testid, all, value, &props.send, chosen) }</label> }
}

fn rows<'a>(overview: &'a Overview, form: &'a SubscriptionForm) -> impl Iterator<Item = &'a PackageRow> {
    overview.packages.iter().filter(|row| row.key.package == form.package)
}

fn channels<'a>(overview: &'a Overview, form: &'a SubscriptionForm) -> BTreeSet<&'a str> {
    let here = |row: &&PackageRow| form.catalog.is_empty() || catalog_name(overview, row) == form.catalog;
    rows(overview, form).filter(here).flat_map(|row| &row.channels).map(String::as_str).collect()
}

fn catalogs<'a>(overview: &'a Overview, form: &'a SubscriptionForm) -> BTreeSet<&'a str> {
    rows(overview, form).map(|row| catalog_name(overview, row)).collect()
}

fn catalog_name<'a>(overview: &'a Overview, row: &PackageRow) -> &'a str {
    overview.catalogs.iter().find(|catalog| catalog.id == row.key.catalog).map_or("", |catalog| &catalog.name)
}

/// Suggested CSV names; only those of the selected package are known to the page.
fn entries(props: &Props, form: &SubscriptionForm) -> BTreeSet<String> {
    let graph = props.graph.as_ref().filter(|graph| graph.package.package == form.package);
    graph.into_iter().flat_map(|graph| &graph.nodes).map(|node| node.key.name.clone()).collect()
}

const fn test_name(field: SubscriptionField) -> &'static str {
    match field {
        SubscriptionField::Package => "package",
        SubscriptionField::Channel => "channel",
        SubscriptionField::Catalog => "catalog",
        SubscriptionField::StartingCsv => "starting-csv",
        SubscriptionField::Approval => "approval",
        SubscriptionField::Installed => "installed",
    }
}

// The rows and the text fields of the forms of Subscriptions and ClusterExtensions.

/// A text field with its faults below.
struct Input<'p> {
    pub(super) label: &'static str,
    pub(super) value: &'p str,
    /// What an empty field means.
    pub(super) empty: &'p str,
    /// The id of the list of suggestions.
    pub(super) list: Option<String>,
    test_name: String,
}

impl Input<'_> {
    pub(super) fn render(self, oninput: Callback<InputEvent>, row: &str, faults: Vec<&str>) -> Html {
        let Self { label, value, empty, list, test_name } = self;
        let id = format!("{row}-{test_name}-fault");
        let is_wrong = !faults.is_empty();
        html! {
            <div class="field">
                <label>
                    { label }
                    <input value={value.to_owned()} placeholder={empty.to_owned()} {list} autocomplete="off"
                        spellcheck="false" data-testid={test_name} aria-invalid={is_wrong.then_some("true")}
                        aria-describedby={is_wrong.then(|| id.clone())} {oninput} />
                </label>
                if is_wrong {
                    <div {id} class="wrong" data-testid="field-fault">
                        { for faults.into_iter().map(|text| html! { <p>{ prose(text) }</p> }) }
                    </div>
                }
            </div>
        }
    }
}

/// A row of a form: a line that says what it is, and below it the fields, folded.
struct FormCard<'p> {
    pub(super) class: &'static str,
    test_name: &'static str,
    /// What it is, and what its fields say.
    pub(super) line: [&'p str; 4],
    /// Whether the fields are shown from the beginning.
    pub(super) is_open: bool,
    pub(super) remove: (String, &'static str, Callback<MouseEvent>),
}

impl FormCard<'_> {
    pub(super) fn render(self, key: usize, fields: Html) -> Html {
        let [name, rest @ ..] = self.line;
        let (label, remove_name, remove) = self.remove;
        let rest: Vec<&str> = rest.into_iter().filter(|text| !text.is_empty()).collect();
        html! {
            <div class="form-card" {key}>
                <details open={self.is_open} data-testid={format!("{}-card", self.test_name)}>
                    <summary><b>{ name }</b><span>{ for rest.iter().map(|text| format!(" · {text}")) }</span></summary>
                    <fieldset class={classes!("subscription", self.class)} data-testid={self.test_name}>
                        <legend class="unseen">{ name }</legend>
                        { fields }
                    </fieldset>
                </details>
                <button type="button" class="quiet remove" aria-label={label} data-testid={remove_name}
                    onclick={remove}>
                    { "✕" }
                </button>
            </div>
        }
    }
}

pub(super) fn faults<'v>(view: Option<&'v Shared<SimulationView>>, at: &FormPlace) -> Vec<&'v str> {
    let all = view.into_iter().flat_map(|view| &view.faults);
    all.filter(|fault| fault.at == *at).map(|fault| &*fault.message).collect()
}

// The form of ClusterExtensions and ClusterCatalogs.

/// The form: one card for each ClusterExtension, and below them the ClusterCatalogs.
pub(super) fn extension_forms(props: &Props) -> Html {
    let Props { simulation, send, .. } = props;
    let cluster = &simulation.cluster;
    let rows = cluster.extensions.iter().enumerate();
    html! {
        <section class="extension-forms" aria-label="ClusterExtensions of the form" data-testid="extension-forms">
            <h4>{ "ClusterExtensions" }</h4>
            if cluster.extensions.is_empty() {
                <p class="mute">{ "Add a ClusterExtension to see what OLM v1 installs." }</p>
            }
            <div>{ for rows.map(|(index, form)| extension_card(props, index as u32, form)) }</div>
            { button("extension-add", "+ ClusterExtension", send, ClusterAction::ExtensionAdded) }
            if !cluster.cluster_catalogs.is_empty() { { extension_catalogs(props) } }
        </section>
    }
}

/// The action that sets a field of the form.
const fn set_at(at: FormPlace, text: String) -> ClusterAction {
    ClusterAction::FormChanged(FormChange::Set { at, text })
}

fn extension_card(props: &Props, index: u32, form: &ExtensionForm) -> Html {
    let send = &props.send;
    let remove = press(send, ClusterAction::FormChanged(FormChange::RemoveExtension(index)));
    let policies = [(false, "CatalogProvided"), (true, "SelfCertified")];
    let policy = |is_other| {
        let text = if is_other { "SelfCertified".to_owned() } else { String::new() };
        set_at(FormPlace::Extension(index, ExtensionField::Policy), text)
    };
    let text = |field: ExtensionField, label: &'static str, empty: &str, list: Option<String>| {
        // Only these may have blanks in them.
        let keeps_blanks =
            matches!(field, ExtensionField::Version | ExtensionField::Channels | ExtensionField::Selector);
        let at = FormPlace::Extension(index, field);
        let place = at.clone();
        let oninput =
            on_input(send, move |text| set_at(place.clone(), if keeps_blanks { text } else { text.trim().to_owned() }));
        let input =
            Input { label, value: form.field(field), empty, list, test_name: extension_test_name(field).to_owned() };
        input.render(oninput, &format!("extension-{index}"), faults(props.simulation.view.as_ref(), &at))
    };
    let (channels, selectors, bundles) =
        (format!("extension-channels-{index}"), "catalog-labels".to_owned(), format!("extension-bundles-{index}"));
    let legend = if form.title().is_empty() { "New ClusterExtension" } else { form.title() };
    let is_faulty = |fault: &FormFault| matches!(fault.at, FormPlace::Extension(at, _) if at == index);
    let is_wrong = props.simulation.view.iter().flat_map(|view| &view.faults).any(is_faulty);
    let installed = if form.installed.is_empty() { "not installed" } else { &form.installed };
    let card = FormCard {
        class: "extension-row",
        test_name: "extension-row",
        line: [legend, if form.version.is_empty() { "any version" } else { &form.version }, installed, ""],
        is_open: is_wrong
            || form.package.is_empty()
            || props.simulation.added == Some(FormRow::Extension(index as usize)),
        remove: (format!("Remove ClusterExtension {legend}"), "extension-remove", remove),
    };
    let fields = html! {
        <>
            { text(ExtensionField::Package, "Package", "", Some("package-names".to_owned())) }
            { text(ExtensionField::Version, "Version range", "any version", None) }
            { text(ExtensionField::Channels, "Channels", "all channels", Some(channels.clone())) }
            { text(ExtensionField::Installed, "Installed bundle", "none", Some(bundles.clone())) }
            <div class="field wide">
                <span>{ "Updates" }</span>
                { choice("upgradeConstraintPolicy", &policies, !form.policy.is_empty(), send, policy) }
            </div>
            { text(ExtensionField::Selector, "Catalog labels", "all catalogs", Some(selectors.clone())) }
            { text(ExtensionField::Namespace, "Install namespace", form.title(), None) }
            { text(ExtensionField::Name, "Name", &form.package, None) }
            { suggestions(channels, channel_names(&props.overview, &form.package)) }
            { suggestions(selectors, catalog_labels(&props.overview)) }
            { suggestions(bundles, bundle_names(props, &form.package)) }
        </>
    };
    card.render(index as usize, fields)
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

/// The ClusterCatalogs of the manifests.
fn extension_catalogs(props: &Props) -> Html {
    let rows = &props.simulation.cluster.cluster_catalogs;
    html! {
        <details class="catalog-forms" data-testid="cluster-catalogs" open=true>
            <summary>{ "ClusterCatalogs" }</summary>
            { for rows.iter().map(|row| catalog(props, row)) }
        </details>
    }
}

fn catalog(props: &Props, form: &ClusterCatalogForm) -> Html {
    let (name, send) = (&form.name, &props.send);
    let text = |field: CatalogField, label: &'static str, empty: &'static str, value: &str| {
        let at = FormPlace::Catalog(name.clone(), field);
        let place = at.clone();
        let oninput = on_input(send, move |text| set_at(place.clone(), text));
        let test_name = match field {
            CatalogField::Priority => "catalog-priority-v1",
            CatalogField::Labels | CatalogField::Availability => "catalog-labels-v1",
        };
        Input { label, value, empty, list: None, test_name: test_name.to_owned() }.render(
            oninput,
            &format!("catalog-{name}"),
            faults(props.simulation.view.as_ref(), &at),
        )
    };
    let modes = [(false, "Available"), (true, "Unavailable")];
    let mode = |is_other| {
        let text = if is_other { "Unavailable".to_owned() } else { String::new() };
        set_at(FormPlace::Catalog(name.clone(), CatalogField::Availability), text)
    };
    html! {
        <fieldset class="subscription extension-row" key={name.clone()} data-testid="cluster-catalog">
            <legend>{ name }</legend>
            { text(CatalogField::Priority, "Priority", "0", &form.priority) }
            { text(CatalogField::Labels, "Labels", "none", &form.labels) }
            <div class="field wide">
                <span>{ "Availability" }</span>
                { choice("availabilityMode", &modes, !form.availability.is_empty(), send, mode) }
            </div>
        </fieldset>
    }
}

const fn extension_test_name(field: ExtensionField) -> &'static str {
    match field {
        ExtensionField::Name => "extension-name",
        ExtensionField::Package => "extension-package",
        ExtensionField::Version => "extension-version",
        ExtensionField::Channels => "extension-channels",
        ExtensionField::Policy => "extension-policy",
        ExtensionField::Selector => "extension-selector",
        ExtensionField::Namespace => "extension-namespace",
        ExtensionField::Installed => "extension-installed",
    }
}
