//! What the search finds besides packages: a list for each kind.

use super::Props;
use crate::kit::press;
use crate::store::{Action, NavigationAction};
use views::{SearchGroup, SearchHit, SearchKind, SearchView};
use yew::prelude::*;

/// The results by kind.
pub(super) fn results(view: &SearchView, props: &Props) -> Html {
    html! { <>{ for view.groups.iter().map(|found| group(found, props)) }</> }
}

fn group(found: &SearchGroup, props: &Props) -> Html {
    let title = match found.kind {
        SearchKind::Version => "Versions",
        SearchKind::Api => "APIs",
        SearchKind::Image => "Images",
    };
    html! { <section key={title} data-testid="search-group" aria-label={title}>
        <h2>{ title }{ " " }<span class="number">{ found.hits.len() + found.more as usize }</span></h2>
        <ul>{ for found.hits.iter().map(|hit| row(hit, props)) }</ul>
        if found.more > 0 { <p class="mute">{ format!("and {} more", found.more) }</p> }
    </section> }
}

fn row(hit: &SearchHit, props: &Props) -> Html {
    let (package, entry) = (hit.package.clone(), hit.entry.clone());
    let onclick = press(&props.send, Action::Navigation(NavigationAction::HitFollowed { package, entry }));
    let several = props.overview.catalogs.len() > 1;
    let catalog = props.overview.catalogs.iter().find(|catalog| catalog.id == hit.package.catalog).filter(|_| several);
    html! { <li key={format!("{} {} {}", hit.package.catalog.0, hit.package.package, hit.text)}>
        <button type="button" class="hit" data-testid="search-hit" data-result="" title={hit.text.clone()} {onclick}>
            <span class="mono">{ &hit.text }</span>
            <small>{ &hit.package.package }{ for hit.version.as_ref().map(|version| format!(" {version}")) }
                if let Some(catalog) = catalog { { " · " }{ &catalog.name } }</small>
        </button>
    </li> }
}
