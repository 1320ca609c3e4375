//! Finds elements as a user names them: by role and name, by text, by test id.

use fantoccini::elements::Element;
use serde_json::{Value, json};

use super::journey::{BrowserError, Result};
use super::page::Page;
use super::pointer::get_command;

/// The role of an element (WAI-ARIA).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Something to press.
    Button,
    /// A box that is ticked or not.
    Checkbox,
    /// A choice among a few, or a field with suggestions.
    Combobox,
    Dialog,
    /// A title of a part of the page.
    Heading,
    /// Something that leads elsewhere.
    Link,
    /// One of a list of things to choose from.
    Option,
    /// A named part of the page.
    Region,
    /// One of several views.
    Tab,
    /// A field for text.
    Textbox,
}

impl Role {
    /// Elements that have this role, named by `role` or by what they are (HTML-AAM 1.0).
    fn css(self) -> &'static str {
        match self {
            Self::Button => "button, summary, [type=button], [type=submit], [role=button]",
            Self::Checkbox => "[type=checkbox], [role=checkbox], [role=switch]",
            Self::Combobox => "select, [role=combobox]",
            Self::Dialog => "dialog, [role=dialog], [role=alertdialog]",
            Self::Heading => "h1, h2, h3, h4, h5, h6, [role=heading]",
            Self::Link => "a[href], [role=link]",
            Self::Option => "option, [role=option]",
            Self::Region => "section, main, nav, aside, [role=region]",
            Self::Tab => "[role=tab]",
            Self::Textbox => {
                "textarea, input:not([type]), [type=text], [type=search], [role=textbox], [role=searchbox]"
            }
        }
    }
}

/// The elements that match a selector and can be seen.
const VISIBLE: &str = "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())";

/// The innermost visible elements whose text contains what was asked for.
const BY_TEXT: &str = "
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement;
        if (walk.currentNode.data.includes(arguments[0]) && element.checkVisibility()) found.push(element);
    }
    return found";

impl Page {
    /// Waits for the element with a role and an accessible name, as Chrome computes it.
    pub async fn role(&self, role: Role, name: &str) -> Result<Element> {
        self.wait_for(&format!("a {role:?} named `{name}`"), async || {
            for element in self.elements(VISIBLE, role.css()).await? {
                if self.label(&element).await? == name {
                    return Ok(Some(element));
                }
            }
            Ok(None)
        })
        .await
    }

    /// Waits for a visible element that directly holds `text`.
    pub async fn text(&self, text: &str) -> Result<Element> {
        self.wait_for(&format!("the text `{text}`"), async || {
            Ok(self.elements(BY_TEXT, text).await?.into_iter().next())
        })
        .await
    }

    /// Waits for the visible element with a `data-testid`.
    pub async fn test_id(&self, id: &str) -> Result<Element> {
        let css = format!("[data-testid='{id}']");
        self.css(&css).await
    }

    /// Waits for a visible element that matches a CSS selector.
    pub async fn css(&self, css: &str) -> Result<Element> {
        self.wait_for(&format!("`{css}`"), async || Ok(self.elements(VISIBLE, css).await?.into_iter().next())).await
    }

    async fn elements(&self, script: &str, argument: &str) -> Result<Vec<Element>> {
        let found = self.eval(script, vec![json!(argument)]).await?;
        let list = found.as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter().map(|reference| self.element(reference)).collect()
    }

    /// An element as a script returns it: an object with one reference in it (WebDriver 12.3).
    fn element(&self, reference: &Value) -> Result<Element> {
        let id = reference.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        match id {
            Some(id) => Ok(Element::from_element_id(self.client.clone(), id.to_owned().into())),
            None => Err(BrowserError::Unexpected(format!("expected an element, found `{reference}`"))),
        }
    }

    async fn label(&self, element: &Element) -> Result<String> {
        let id: String = element.element_id().into();
        let label = get_command(&self.client, format!("element/{id}/computedlabel")).await?;
        Ok(label.as_str().unwrap_or_default().to_owned())
    }
}
