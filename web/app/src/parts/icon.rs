//! The icon of a package.

use yew::prelude::*;

/// The icon as an `img` element (never as markup), or the initials of the name.
pub(crate) fn icon(name: &str, url: Option<&std::rc::Rc<str>>) -> Html {
    match url {
        Some(url) => html! { <img class="icon" src={AttrValue::from(url.clone())} alt="" loading="lazy" /> },
        None => {
            let initials: String = name.chars().take(2).collect();
            html! { <span class="icon initials" aria-hidden="true">{ initials }</span> }
        }
    }
}
