//! The icon of a package.

use std::rc::Rc;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct IconProps {
    /// The name of the package.
    pub(crate) name: AttrValue,
    /// The `data:` URL of the icon, if the package has one.
    pub(crate) url: Option<Rc<str>>,
}

/// The icon as an `img` element (never as markup), or the initials of the name: also where the browser cannot read the
/// icon.
#[component]
pub(crate) fn Icon(IconProps { name, url }: &IconProps) -> Html {
    let unread = use_state(|| None::<Rc<str>>);
    match url.as_ref().filter(|url| unread.as_ref() != Some(*url)) {
        Some(url) => {
            let (setter, failed) = (unread.setter(), url.clone());
            let onerror = Callback::from(move |_: Event| setter.set(Some(failed.clone())));
            html! { <img class="icon" src={AttrValue::from(url.clone())} alt="" loading="lazy" {onerror} /> }
        }
        None => {
            let initials: String = name.chars().take(2).collect();
            html! { <span class="icon initials" aria-hidden="true">{ initials }</span> }
        }
    }
}
