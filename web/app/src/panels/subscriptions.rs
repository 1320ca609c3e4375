//! The fields of what is pressed on the board: of a Subscription or a ClusterExtension; and what adds one.

use super::copy;
use super::simulation::Props;
use crate::kit::{choice, on_input, on_select, on_submit, option, press, prose, suggestions};
use crate::store::{
    Action, BoardOf, BoardPart, ClusterAction, FormRow, Mode, NAME_LABEL, Pressed, Shared, SimulationAction, Trial,
};
use std::collections::BTreeSet;
use views::{
    CatalogField, CatalogRow, ClusterCatalogForm, ClusterForm, ExtensionField, ExtensionForm, FormChange, FormFault,
    FormPlace, Overview, PackageRow, Runtime, SimulationView, SubscriptionField, SubscriptionForm, TriedChange,
};
use yew::prelude::*;

/// The fields of the pressed row, and of rows with a wrong field.
pub(super) fn rows(props: &Props) -> Html {
    let cluster = &props.simulation.cluster;
    let subscriptions = (0..cluster.subscriptions.len()).map(FormRow::Subscription);
    let has_v1 = props.runtime.has_v1();
    let extensions = (0..cluster.extensions.len()).filter(|_| has_v1).map(FormRow::Extension);
    let card = |row: FormRow| match row {
        FormRow::Subscription(at) => card(props, at as u32, &cluster.subscriptions[at]),
        FormRow::Extension(at) => extension_card(props, at as u32, &cluster.extensions[at]),
    };
    let shown = subscriptions.chain(extensions).filter(|row| is_shown(props, *row));
    // All of a list have a key, or none: else a field would lose the focus when a row before it comes or goes.
    html! { <div class="subscriptions" data-testid="subscriptions">{ for shown.map(card) }</div> }
}

/// Whether the fields of a row are shown.
fn is_shown(props: &Props, row: FormRow) -> bool {
    let simulation = &props.simulation;
    if is_pressed(props.pressed.as_ref(), row) {
        return true;
    }
    let is_wrong = |fault: &FormFault| match (&fault.at, row) {
        (FormPlace::Subscription(at, _), FormRow::Subscription(index)) => *at as usize == index,
        (FormPlace::Extension(at, _), FormRow::Extension(index)) => *at as usize == index,
        _ => false,
    };
    // Of manifests that somebody has given, the result says what is wrong.
    simulation.mode == Mode::Form && simulation.view.iter().flat_map(|view| &view.faults).any(is_wrong)
}

fn is_pressed(pressed: Option<&Pressed>, row: FormRow) -> bool {
    pressed.is_some_and(|pressed| pressed.row == Some(row) && pressed.part.csv.is_none())
}

/// What adds an operator, and what is so for all of them.
pub(super) fn add_operator(props: &Props) -> Html {
    let Props { simulation, runtime, send, .. } = props;
    let cluster = &simulation.cluster;
    let is_v1 = !runtime.has_v0();
    let onsubmit = on_submit(send, move |field| {
        let package = field("package").trim().to_owned();
        Some(match is_v1 || field("kind") == "extension" {
            true => ClusterAction::ExtensionAdded(package),
            false => ClusterAction::SubscriptionAdded(package),
        })
    });
    let copy = press(send, copy(simulation.manifests.clone()));
    let has_rows = !cluster.subscriptions.is_empty() || (runtime.has_v1() && !cluster.extensions.is_empty());
    // What was typed belongs to the row that was added.
    let key = cluster.subscriptions.len() + cluster.extensions.len();
    let placeholder = props.graph.as_ref().map(|graph| graph.package.package.clone());
    html! { <>
        { suggestions("package-names", props.overview.packages.iter().map(|row| row.key.package.clone()).collect()) }
        <form class="add-operator" {key} {onsubmit} data-testid="add-operator">
            <label for="add-package">{ "Add an operator" }</label>
            <input id="add-package" name="package" list="package-names" {placeholder} autocomplete="off"
                spellcheck="false" data-testid="add-package" />
            if *runtime == Runtime::Both {
                <select name="kind" aria-label="As" data-testid="add-kind">
                    { option("subscription".to_owned(), true, "Subscription") }
                    { option("extension".to_owned(), false, "ClusterExtension") }
                </select>
            }
            <button type="submit" data-testid="add">{ "Add" }</button>
        </form>
        if !cluster.subscriptions.is_empty() { { operator_group(cluster, send) } }
        if runtime.has_v1() && !cluster.cluster_catalogs.is_empty() { { extension_catalogs(props) } }
        if has_rows {
            <p class="actions">
                <button type="button" data-testid="manifests-copy" onclick={copy}
                    disabled={!simulation.changes.is_empty()}>
                    { "Copy as manifests" }
                </button>
            </p>
        }
    </> }
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

/// Tries another text of a field.
fn tries(place: FormPlace, what: String, text: String) -> Action {
    let change = TriedChange::Form(vec![FormChange::Set { at: place, text }]);
    Action::Simulation(SimulationAction::ChangeTried(Trial { what, change, later: None }))
}

/// The text of a field: what is tried, or else what is so.
fn shown<'p>(props: &'p Props, at: &FormPlace, value: &'p str) -> &'p str {
    let tried = props.simulation.tried.as_ref().map(|tried| &tried.trial.change);
    match tried {
        Some(TriedChange::Form(changes)) => changes.iter().find_map(|change| match change {
            FormChange::Set { at: place, text } => (place == at).then_some(&**text),
            _ => None,
        }),
        _ => None,
    }
    .unwrap_or(value)
}

fn card(props: &Props, index: u32, form: &SubscriptionForm) -> Html {
    let send = &props.send;
    let text = |field: SubscriptionField, label: &'static str, value: &str, list: String| {
        // On every input event, so that no answer and no shortcut ever sees an older text.
        let oninput = on_input(send, move |text| set(index, field, text.trim().to_owned()));
        let at = FormPlace::Subscription(index, field);
        let test_name = format!("subscription-{}", test_name(field));
        let input = Input { label, value: shown(props, &at, value), empty: "", list: Some(list), test_name };
        input.render(oninput, &format!("subscription-{index}"), faults(props.simulation.view.as_ref(), &at))
    };
    let (channels, catalogs) = (channels(&props.overview, form), catalogs(&props.overview, form));
    let offered = match catalogs.len() {
        0 | 1 => Html::default(),
        count => html! { <p class="mute">
            { format!(
                "{count} catalogs offer it; the one that the Subscription names counts. Choose another one to see what \
                 it would install."
            ) }
        </p> },
    };
    // What a Subscription without a catalog gets.
    let having = |catalog: &&CatalogRow| rows_of(&props.overview, form).any(|row| row.key.catalog == catalog.id);
    let first = props.overview.catalogs.iter().find(having);
    let first = first.map_or("the first that has it".to_owned(), |row| format!("{}, the first with it", row.name));
    let csvs = format!("csvs-{index}");
    let approval = FormPlace::Subscription(index, SubscriptionField::Approval);
    let is_manual = !shown(props, &approval, &form.approval).is_empty();
    let name = form.title().to_owned();
    let approved = |is_manual: bool| {
        let (word, text) = if is_manual { ("Manual", "Manual") } else { ("Automatic", "") };
        tries(approval.clone(), format!("the approval of `{name}` is {word}"), text.to_owned())
    };
    let approvals = [(false, "Automatic"), (true, "Manual")];
    let channel = |text: &str| match text {
        "" => format!("`{}` follows any channel", form.title()),
        channel => format!("`{}` follows `{channel}`", form.title()),
    };
    let catalog = |text: &str| match text {
        "" => format!("`{}` comes from {first}", form.title()),
        catalog => format!("`{}` comes from `{catalog}`", form.title()),
    };
    let (at_channel, at_catalog) = (SubscriptionField::Channel, SubscriptionField::Catalog);
    let fields = html! {
        <>
            { options(props, index, (at_channel, "Channel"), &form.channel, "any channel", channels, &channel) }
            { options(props, index, (at_catalog, "Catalog"), &form.catalog, &first, catalogs, &catalog) }
            <div class="field">
                <span>{ "Approval" }</span>
                { choice("Approval", &approvals, is_manual, send, approved) }
            </div>
            { text(SubscriptionField::Installed, "Installed CSV or version", &form.installed, csvs.clone()) }
            { text(SubscriptionField::StartingCsv, "startingCSV", &form.starting_csv, csvs.clone()) }
            { text(SubscriptionField::Package, "Package", &form.package, "package-names".to_owned()) }
            { offered }
            { suggestions(csvs, entries(props, form)) }
        </>
    };
    let row = FormRow::Subscription(index as usize);
    render_card(props, row, form.title(), FormChange::RemoveSubscription(index), fields)
}

/// The fields of a row.
fn render_card(props: &Props, row: FormRow, title: &str, remove: FormChange, fields: Html) -> Html {
    let send = &props.send;
    let (of, class, test_name) = match row {
        FormRow::Subscription(_) => (BoardOf::Namespace, "", "subscription"),
        FormRow::Extension(_) => (BoardOf::Extension, "extension-row", "extension-row"),
    };
    let (what, change) = (format!("take `{title}` out"), TriedChange::Form(vec![remove]));
    let remove = press(send, SimulationAction::ChangeTried(Trial { what, change, later: None }));
    let is_pressed = is_pressed(props.pressed.as_ref(), row);
    let part = BoardPart { of, lane: title.to_owned(), csv: None };
    let close = press(send, SimulationAction::BoardPressed(part));
    let legend = if title.is_empty() { "Which operator?" } else { title };
    html! {
        <fieldset key={format!("{row:?}")} data-testid={test_name}
            class={classes!("form-card", "subscription", class, is_pressed.then_some("pressed"))}>
            <legend>{ legend }</legend>
            { fields }
            <p class="actions">
                <button type="button" data-testid={format!("{test_name}-remove")} onclick={remove}>
                    { "Take it out" }
                </button>
                if is_pressed {
                    <button type="button" class="quiet" data-testid="board-close" onclick={close}>{ "Close" }</button>
                }
            </p>
        </fieldset>
    }
}

/// A field with a list of values.
fn options(
    props: &Props,
    index: u32,
    (field, label): (SubscriptionField, &str),
    value: &str,
    none: &str,
    names: BTreeSet<&str>,
    what: &dyn Fn(&str) -> String,
) -> Html {
    let at = FormPlace::Subscription(index, field);
    let on = shown(props, &at, value);
    // Keep a value that no loaded catalog has: the catalog may be loaded again.
    let names = names.into_iter().chain((!value.is_empty()).then_some(value)).collect::<BTreeSet<_>>();
    // OLM needs the catalog of a Subscription: it is not taken away.
    let is_optional = field != SubscriptionField::Catalog || value.is_empty();
    let first = is_optional.then_some(("", none));
    let all: Vec<(&str, &str)> = first.into_iter().chain(names.into_iter().map(|name| (name, name))).collect();
    let actions: Vec<(String, Action)> =
        all.iter().map(|(value, _)| (value.to_string(), tries(at.clone(), what(value), value.to_string()))).collect();
    let onchange =
        on_select(&props.send, move |chosen| Some(actions.iter().find(|(value, _)| *value == chosen)?.1.clone()));
    html! { <label>{ label.to_owned() }
        <select data-testid={format!("subscription-{}", test_name(field))} {onchange}>
            { for all.iter().map(|(value, text)| option((*value).to_owned(), *value == on, text)) }
        </select>
    </label> }
}

fn rows_of<'a>(overview: &'a Overview, form: &'a SubscriptionForm) -> impl Iterator<Item = &'a PackageRow> {
    overview.packages.iter().filter(|row| row.key.package == form.package)
}

fn channels<'a>(overview: &'a Overview, form: &'a SubscriptionForm) -> BTreeSet<&'a str> {
    let here = |row: &&PackageRow| form.catalog.is_empty() || catalog_name(overview, row) == form.catalog;
    rows_of(overview, form).filter(here).flat_map(|row| &row.channels).map(String::as_str).collect()
}

fn catalogs<'a>(overview: &'a Overview, form: &'a SubscriptionForm) -> BTreeSet<&'a str> {
    rows_of(overview, form).map(|row| catalog_name(overview, row)).collect()
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

// The text fields of Subscriptions and ClusterExtensions.

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

pub(super) fn faults<'v>(view: Option<&'v Shared<SimulationView>>, at: &FormPlace) -> Vec<&'v str> {
    let all = view.into_iter().flat_map(|view| &view.faults);
    all.filter(|fault| fault.at == *at).map(|fault| &*fault.message).collect()
}

// The fields of ClusterExtensions and ClusterCatalogs.

/// The action that sets a field of the form.
const fn set_at(at: FormPlace, text: String) -> ClusterAction {
    ClusterAction::FormChanged(FormChange::Set { at, text })
}

fn extension_card(props: &Props, index: u32, form: &ExtensionForm) -> Html {
    let send = &props.send;
    let at_policy = FormPlace::Extension(index, ExtensionField::Policy);
    let is_other = !shown(props, &at_policy, &form.policy).is_empty();
    let policies = [(false, "CatalogProvided"), (true, "SelfCertified")];
    let name = form.title().to_owned();
    let policy = |is_other: bool| {
        let (word, text) = if is_other { ("SelfCertified", "SelfCertified") } else { ("CatalogProvided", "") };
        tries(at_policy.clone(), format!("the upgradeConstraintPolicy of `{name}` is {word}"), text.to_owned())
    };
    let text = |field: ExtensionField, label: &'static str, empty: &str, list: Option<String>| {
        // Only these may have blanks in them.
        let keeps_blanks =
            matches!(field, ExtensionField::Version | ExtensionField::Channels | ExtensionField::Selector);
        let at = FormPlace::Extension(index, field);
        let place = at.clone();
        let oninput =
            on_input(send, move |text| set_at(place.clone(), if keeps_blanks { text } else { text.trim().to_owned() }));
        let input = Input {
            label,
            value: shown(props, &at, form.field(field)),
            empty,
            list,
            test_name: extension_test_name(field).to_owned(),
        };
        input.render(oninput, &format!("extension-{index}"), faults(props.simulation.view.as_ref(), &at))
    };
    let (channels, selectors, bundles) =
        (format!("extension-channels-{index}"), "catalog-labels".to_owned(), format!("extension-bundles-{index}"));
    let fields = html! {
        <>
            { text(ExtensionField::Package, "Package", "", Some("package-names".to_owned())) }
            { text(ExtensionField::Version, "Version range", "any version", None) }
            { text(ExtensionField::Channels, "Channels", "all channels", Some(channels.clone())) }
            { text(ExtensionField::Installed, "Installed bundle", "none", Some(bundles.clone())) }
            <div class="field wide">
                <span>{ "Updates" }</span>
                { choice("upgradeConstraintPolicy", &policies, is_other, send, policy) }
            </div>
            { text(ExtensionField::Selector, "Catalog labels", "all catalogs", Some(selectors.clone())) }
            { text(ExtensionField::Namespace, "Install namespace", form.title(), None) }
            { text(ExtensionField::Name, "Name", &form.package, None) }
            { suggestions(channels, channel_names(&props.overview, &form.package)) }
            { suggestions(selectors, catalog_labels(&props.overview)) }
            { suggestions(bundles, bundle_names(props, &form.package)) }
        </>
    };
    let row = FormRow::Extension(index as usize);
    render_card(props, row, form.title(), FormChange::RemoveExtension(index), fields)
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
        <details class="catalog-forms" data-testid="cluster-catalogs">
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
