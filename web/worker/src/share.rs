//! Links and files of sessions: making and opening them, size-limited before decompression.

use crate::deflate::{deflate, inflate};
use crate::files;
use session::{SavedSession, Shared, decode_base64_text, link_length, open_session_link, session_file, session_link};
use views::{LONGEST_LINK, LinkContent, ShareFault, ShareView};
use wasm_bindgen::JsValue;
use web_sys::Url;

/// The most bytes that a link may decompress to. Catalogs shrink to a tenth or less, so that the longest link holds a
/// few hundred kB.
const LINK_LIMIT: u32 = 16 << 20;
/// The most bytes that a file may decompress to: ten times the largest catalog of the community.
const FILE_LIMIT: u32 = 128 << 20;

/// Opens the content of a link.
pub(crate) async fn open(content: &LinkContent) -> Result<Shared, ShareFault> {
    match content {
        LinkContent::Session(link) => open_compressed(&open_session_link(link)?, LINK_LIMIT).await,
        LinkContent::Text(value) => text(value).map(Shared::Text),
        LinkContent::Change { before, after } => Ok(Shared::Change(text(before)?, text(after)?)),
    }
}

/// Opens the compressed bytes of a file.
pub(crate) async fn open_file(compressed: &[u8]) -> Result<Shared, ShareFault> {
    open_compressed(compressed, FILE_LIMIT).await
}

async fn open_compressed(compressed: &[u8], most: u32) -> Result<Shared, ShareFault> {
    SavedSession::decode(&inflate(compressed, most).await?).map(Shared::Session)
}

/// Decodes the text of a link. It is base64 if it has only characters of base64: every catalog has a colon or a brace,
/// which base64 has not, percent-encoded or not.
fn text(value: &str) -> Result<String, ShareFault> {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+/=".contains(&byte);
    let text = if value.bytes().all(is_base64) {
        decode_base64_text(value)?
    } else {
        js_sys::decode_uri_component(value).map_err(|_| ShareFault::Garbled)?.into()
    };
    if text.trim().is_empty() { Err(ShareFault::Garbled) } else { Ok(text) }
}

/// Makes a link and a file of a session.
pub(crate) async fn share(session: &SavedSession<'_>) -> Result<ShareView, JsValue> {
    let compressed = deflate(&session.encode()).await?;
    let format = session.format();
    let file = session_file(format, &compressed);
    let length = link_length(compressed.len());
    Ok(ShareView {
        link: (length <= LONGEST_LINK as usize).then(|| session_link(format, &compressed)),
        length: u32::try_from(length).unwrap_or(u32::MAX),
        bytes: u32::try_from(file.len()).unwrap_or(u32::MAX),
        file: Url::create_object_url_with_blob(&files::bytes(&file)?)?,
    })
}

/// Releases the address of a file that was shared.
pub(crate) fn forget(file: &str) {
    // It never fails for a string.
    drop(Url::revoke_object_url(file));
}
