//! Visits that are passed on: made into a link and a file, and opened again.

use crate::deflate::{deflate, from_base64url, inflate, to_base64url};
use crate::files;
use views::{Arrival, LONGEST_LINK, ShareFault, ShareView};
use wasm_bindgen::JsValue;
use web_sys::{DedicatedWorkerGlobalScope, Url};
use workbench::{VISIT_FORMAT, VisitCatalog, decode_visit, open_visit_link, visit_file};

/// What a link may unfold to. Catalogs shrink to a tenth or less; a link of the longest size then holds a few hundred kB.
const MOST_OF_A_LINK: u32 = 16 << 20;
/// What a file may unfold to: ten times the largest catalog of the community.
const MOST_OF_A_FILE: u32 = 128 << 20;

/// What is opened.
pub(crate) enum Opened {
    /// Catalogs, and what the page had added to them.
    Visit(Vec<VisitCatalog>, String),
    /// The text of a catalog or of manifests.
    Text(String),
}

/// Opens what came with an address.
pub(crate) async fn open(scope: &DedicatedWorkerGlobalScope, arrival: &Arrival) -> Result<Opened, ShareFault> {
    match arrival {
        Arrival::Visit(link) => {
            let compressed = from_base64url(scope, open_visit_link(link)?)?;
            unfold(&compressed, MOST_OF_A_LINK).await
        }
        Arrival::Text(value) => text(scope, value).map(Opened::Text),
    }
}

/// Opens the compressed bytes of a file.
pub(crate) async fn open_file(compressed: &[u8]) -> Result<Opened, ShareFault> {
    unfold(compressed, MOST_OF_A_FILE).await
}

async fn unfold(compressed: &[u8], most: u32) -> Result<Opened, ShareFault> {
    let (catalogs, page) = decode_visit(&inflate(compressed, most).await?)?;
    Ok(Opened::Visit(catalogs, page))
}

/// A value of only such characters as base64 has is base64: every catalog has a colon or a brace in it.
fn text(scope: &DedicatedWorkerGlobalScope, value: &str) -> Result<String, ShareFault> {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+/=".contains(&byte);
    let text = if value.bytes().all(is_base64) {
        String::from_utf8(from_base64url(scope, value)?).map_err(|_| ShareFault::Garbled)?
    } else {
        js_sys::decode_uri_component(value).map_err(|_| ShareFault::Garbled)?.into()
    };
    if text.trim().is_empty() { Err(ShareFault::Garbled) } else { Ok(text) }
}

/// Makes a link and a file of the bytes of a visit.
pub(crate) async fn share(scope: &DedicatedWorkerGlobalScope, visit: &[u8]) -> Result<ShareView, JsValue> {
    let compressed = deflate(visit).await?;
    let file = visit_file(&compressed);
    // Four characters for three bytes, without padding.
    let length = VISIT_FORMAT.len() + 1 + (compressed.len() * 4).div_ceil(3);
    let link = if length <= LONGEST_LINK as usize {
        Some(format!("{VISIT_FORMAT}.{}", to_base64url(scope, &compressed)?))
    } else {
        None
    };
    Ok(ShareView {
        link,
        length: u32::try_from(length).unwrap_or(u32::MAX),
        bytes: u32::try_from(file.len()).unwrap_or(u32::MAX),
        file: Url::create_object_url_with_blob(&files::bytes(&file)?)?,
    })
}

/// Lets the browser forget a file.
pub(crate) fn forget(file: &str) {
    // It fails for no text.
    drop(Url::revoke_object_url(file));
}
