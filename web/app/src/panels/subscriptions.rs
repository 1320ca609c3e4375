//! The form of Subscriptions.

use super::copy;
use super::form_field::{FormCard, Input, faults};
use super::simulation::Props;
use crate::kit::{button, choice, on, on_input, press, select, suggestions};
use crate::store::{Action, ClusterAction, FormRow, FormStatus};
use std::collections::BTreeSet;
use views::{
    Approval, CatalogRow, ClusterForm, FormFault, FormPlace, Overview, PackageRow, SubscriptionField, SubscriptionForm,
};
use yew::prelude::*;

/// The form: one card for each Subscription.
pub(super) fn subscriptions(props: &Props) -> Html {
    let Props { simulation, overview, send, .. } = props;
    let cluster = &simulation.cluster;
    let copy = press(send, copy(simulation.manifests.clone()));
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
            { button("subscription-add", "+ Subscription", send, ClusterAction::SubscriptionAdded) }
            if !cluster.subscriptions.is_empty() || (props.runtime.has_v1() && !cluster.extensions.is_empty()) {
                { " " }
                <button type="button" data-testid="manifests-copy" onclick={copy}
                    disabled={simulation.form_status != FormStatus::InSync}>
                    { "Copy as manifests" }
                </button>
            }
        </div>
    }
}

/// The namespaces that the OperatorGroup selects.
fn operator_group(cluster: &ClusterForm, send: &Callback<Action>) -> Html {
    let oninput = on_input(send, |text| ClusterAction::TargetNamespacesEdited(text.trim().to_owned()));
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
    let remove = press(send, ClusterAction::SubscriptionRemoved(index));
    let approvals = [Approval::Automatic, Approval::Manual].map(|approval| (approval, approval.as_str()));
    let approval = |approval| ClusterAction::ApprovalChosen { index, approval };
    let text = |field: SubscriptionField, label: &'static str, value: &str, list: String| {
        // On every input event, so that no answer and no shortcut ever sees an older text.
        let oninput = on_input(send, move |text| ClusterAction::SubscriptionEdited {
            index,
            field,
            text: text.trim().to_owned(),
        });
        let onchange = (field == SubscriptionField::Package)
            .then(|| on(send, move |_: Event| ClusterAction::PackageEntered(index)));
        let at = FormPlace::Subscription(index as u32, field);
        let test_name = format!("subscription-{}", test_name(field));
        let input = Input { label, value, empty: "", list: Some(list), test_name, onchange };
        input.render(oninput, &format!("subscription-{index}"), faults(props.simulation.view.as_ref(), &at))
    };
    let (channels, catalogs) = (channels(&props.overview, form), catalogs(&props.overview, form));
    // What a Subscription without a catalog gets.
    let having = |catalog: &&CatalogRow| rows(&props.overview, form).any(|row| row.key.catalog == catalog.id);
    let first = props.overview.catalogs.iter().find(having);
    let first = first.map_or("the first that has it".to_owned(), |row| format!("{}, the first with it", row.name));
    let csvs = format!("csvs-{index}");
    let legend = if name.is_empty() { "New Subscription" } else { name };
    let is_faulty = |fault: &FormFault| matches!(fault.at, FormPlace::Subscription(at, _) if at == index as u32);
    let is_wrong = props.simulation.view.iter().flat_map(|view| &view.faults).any(is_faulty);
    let installed = if form.installed.is_empty() { "not installed" } else { &form.installed };
    let manual = if form.approval == Approval::Manual { "Manual" } else { "" };
    let card = FormCard {
        class: "",
        test_name: "subscription",
        line: [legend, if form.channel.is_empty() { "any channel" } else { &form.channel }, installed, manual],
        is_open: is_wrong || name.is_empty() || props.simulation.added == Some(FormRow::Subscription(index)),
        remove: (format!("Remove {legend}"), "subscription-remove", remove),
    };
    let fields = html! {
        <>
            { text(SubscriptionField::Package, "Package", &form.package, "package-names".to_owned()) }
            { options(props, index, SubscriptionField::Channel, "Channel", &form.channel, "any channel", channels) }
            { options(props, index, SubscriptionField::Catalog, "Catalog", &form.catalog, &first, catalogs) }
            <div class="field">
                <span>{ "Approval" }</span>{ choice("Approval", &approvals, form.approval, send, approval) }
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
    // Keep a value that no loaded catalog has: the catalog may be loaded again.
    let names = names.into_iter().chain((!value.is_empty()).then_some(value)).collect::<BTreeSet<_>>();
    let all = std::iter::once(("", none)).chain(names.into_iter().map(|name| (name, name)));
    let all = all.map(|(value, text)| (value.to_owned(), text.to_owned()));
    let chosen = move |text| Some(ClusterAction::SubscriptionEdited { index, field, text });
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
