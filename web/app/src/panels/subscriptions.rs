//! The form of Subscriptions.

use super::form_field::{FormCard, Input, faults};
use crate::dom;
use crate::kit::{choice, option, suggestions};
use crate::store::{Action, ClusterAction, FormRow, FormStatus, PageAction, Shared};
use std::collections::BTreeSet;
use std::rc::Rc;
use views::{
    Approval, CatalogRow, ClusterForm, FormFault, FormPlace, GraphView, Overview, PackageRow, SimulationView,
    SubscriptionField, SubscriptionForm,
};
use yew::prelude::*;

/// Properties of the form.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The Subscriptions.
    pub(crate) cluster: ClusterForm,
    pub(crate) manifests: Rc<str>,
    /// Whether the manifests say the same as the form.
    pub(crate) status: FormStatus,
    /// The simulation, with the faults of the form.
    pub(crate) view: Option<Shared<SimulationView>>,
    /// The row that was added last.
    pub(crate) added: Option<FormRow>,
    /// The loaded catalogs and packages.
    pub(crate) overview: Shared<Overview>,
    /// The graph of the selected package; its entries are suggested as CSVs.
    pub(crate) graph: Option<Shared<GraphView>>,
    /// Whether the page is also about OLM v1: then ClusterExtensions are copied even without Subscriptions.
    pub(crate) has_v1: bool,
    pub(crate) send: Callback<Action>,
}

/// The form: one card for each Subscription.
#[component]
pub(crate) fn Subscriptions(props: &Props) -> Html {
    let Props { cluster, overview, send, .. } = props;
    let add = send.reform(|_: MouseEvent| Action::Cluster(ClusterAction::SubscriptionAdded));
    let manifests = props.manifests.clone();
    let copy = send.reform(move |_: MouseEvent| Action::Page(PageAction::CopyAsked(manifests.clone())));
    let row = |(index, (form, name)): (usize, (&SubscriptionForm, String))| card(props, index, form, &name);
    html! {
        <div class="subscriptions" data-testid="subscriptions">
            { suggestions("package-names", overview.packages.iter().map(|row| row.key.package.clone()).collect()) }
            if cluster.subscriptions.is_empty() {
                <p class="mute">
                    { "Add a Subscription, or select an entry in the graph and set it as installed or as startingCSV." }
                </p>
            }
            { for cluster.subscriptions.iter().zip(cluster.names()).enumerate().map(row) }
            if !cluster.subscriptions.is_empty() { { operator_group(cluster, send) } }
            <button type="button" data-testid="subscription-add" onclick={add}>{ "+ Subscription" }</button>
            if !cluster.subscriptions.is_empty() || (props.has_v1 && !cluster.extensions.is_empty()) {
                { " " }
                <button type="button" data-testid="manifests-copy" disabled={props.status != FormStatus::InSync}
                    onclick={copy}>
                    { "Copy as manifests" }
                </button>
            }
        </div>
    }
}

/// The namespaces that the OperatorGroup selects.
fn operator_group(cluster: &ClusterForm, send: &Callback<Action>) -> Html {
    let oninput = send.reform(|event: InputEvent| {
        Action::Cluster(ClusterAction::TargetNamespacesEdited(dom::input_text(&event).trim().to_owned()))
    });
    let value = cluster.target_namespaces.clone().unwrap_or_default();
    let none = if cluster.target_namespaces.is_some() { "all namespaces" } else { "not given" };
    html! {
        <label class="operator-group">
            { "OperatorGroup watches" }
            <input {value} placeholder={none} autocomplete="off" spellcheck="false"
                data-testid="target-namespaces" {oninput} />
        </label>
    }
}

fn card(props: &Props, index: usize, form: &SubscriptionForm, name: &str) -> Html {
    let send = &props.send;
    let remove = send.reform(move |_: MouseEvent| Action::Cluster(ClusterAction::SubscriptionRemoved(index)));
    let approvals = [Approval::Automatic, Approval::Manual].map(|approval| (approval, approval.as_str()));
    let approval = send.reform(move |approval| Action::Cluster(ClusterAction::ApprovalChosen { index, approval }));
    let text = |field: SubscriptionField, label: &'static str, value: &str, list: String| {
        // On every input event, so that no answer and no shortcut ever sees an older text.
        let oninput = send.reform(move |event: InputEvent| {
            Action::Cluster(ClusterAction::SubscriptionEdited {
                index,
                field,
                text: dom::input_text(&event).trim().to_owned(),
            })
        });
        let onchange = (field == SubscriptionField::Package)
            .then(|| send.reform(move |_: Event| Action::Cluster(ClusterAction::PackageEntered(index))));
        let at = FormPlace::Subscription(index as u32, field);
        let test_name = format!("subscription-{}", test_name(field));
        let input = Input { label, value, empty: "", list: Some(list), test_name, onchange };
        input.render(oninput, &format!("subscription-{index}"), faults(props.view.as_ref(), &at))
    };
    let (channels, catalogs) = (channels(&props.overview, form), catalogs(&props.overview, form));
    // What a Subscription without a catalog gets.
    let having = |catalog: &&CatalogRow| rows(&props.overview, form).any(|row| row.key.catalog == catalog.id);
    let first = props.overview.catalogs.iter().find(having);
    let first = first.map_or("the first that has it".to_owned(), |row| format!("{}, the first with it", row.name));
    let csvs = format!("csvs-{index}");
    let legend = if name.is_empty() { "New Subscription" } else { name };
    let is_faulty = |fault: &FormFault| matches!(fault.at, FormPlace::Subscription(at, _) if at == index as u32);
    let is_wrong = props.view.iter().flat_map(|view| &view.faults).any(is_faulty);
    let installed = if form.installed.is_empty() { "not installed" } else { &form.installed };
    let manual = if form.approval == Approval::Manual { "Manual" } else { "" };
    let card = FormCard {
        class: "",
        test_name: "subscription",
        line: [legend, if form.channel.is_empty() { "any channel" } else { &form.channel }, installed, manual],
        is_open: is_wrong || name.is_empty() || props.added == Some(FormRow::Subscription(index)),
        remove: (format!("Remove {legend}"), "subscription-remove", remove),
    };
    let fields = html! {
        <>
            { text(SubscriptionField::Package, "Package", &form.package, "package-names".to_owned()) }
            { options(props, index, SubscriptionField::Channel, "Channel", &form.channel, "any channel", channels) }
            { options(props, index, SubscriptionField::Catalog, "Catalog", &form.catalog, &first, catalogs) }
            <div class="field">
                <span>{ "Approval" }</span>{ choice("Approval", &approvals, form.approval, &approval) }
            </div>
            { text(SubscriptionField::Installed, "Installed CSV or version", &form.installed, csvs.clone()) }
            { text(SubscriptionField::StartingCsv, "startingCSV", &form.starting_csv, csvs.clone()) }
            { suggestions(csvs, entries(props, form)) }
        </>
    };
    card.render(index, fields)
}

fn options(
    props: &Props,
    index: usize,
    field: SubscriptionField,
    label: &str,
    value: &str,
    none: &str,
    names: BTreeSet<&str>,
) -> Html {
    let onchange = props.send.reform(move |event: Event| {
        Action::Cluster(ClusterAction::SubscriptionEdited { index, field, text: dom::select_text(&event) })
    });
    // Keep a value that no loaded catalog has: the catalog may be loaded again.
    let names = names.into_iter().chain((!value.is_empty()).then_some(value)).collect::<BTreeSet<_>>();
    html! {
        <label>
            { label }
            <select data-testid={format!("subscription-{}", test_name(field))} {onchange}>
                <option value="" selected={value.is_empty()}>{ none }</option>
                { for names.into_iter().map(|name| option(name.to_owned(), name == value, name)) }
            </select>
        </label>
    }
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

pub(super) fn catalog_name<'a>(overview: &'a Overview, row: &PackageRow) -> &'a str {
    overview.catalogs.iter().find(|catalog| catalog.id == row.key.catalog).map_or("", |catalog| &catalog.name)
}

/// Suggested CSV names; only those of the selected package are known to the page.
fn entries(props: &Props, form: &SubscriptionForm) -> BTreeSet<String> {
    let graph = props.graph.as_ref().filter(|graph| graph.package.package == form.package);
    graph.into_iter().flat_map(|graph| &graph.nodes).map(|node| node.key.name.clone()).collect()
}

/// The name of a field in test ids.
const fn test_name(field: SubscriptionField) -> &'static str {
    match field {
        SubscriptionField::Name => "name",
        SubscriptionField::Package => "package",
        SubscriptionField::Channel => "channel",
        SubscriptionField::Catalog => "catalog",
        SubscriptionField::StartingCsv => "starting-csv",
        SubscriptionField::Installed => "installed",
    }
}
