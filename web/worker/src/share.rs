//! Links and files of sessions: making and opening them, size-limited before decompression. Also the files that
//! the page offers for download.

use crate::fetch;
use crate::follow::{FollowedRoot, unsaved};
use js_sys::{Function, Reflect, Uint8Array};
use session::{
    CatalogInput, SavedSession, Session, Shared, decode_base64_text, link_length, open_session_link, session_file,
    session_link,
};
use std::collections::BTreeMap;
use std::io;
use tar::{Builder, Header};
use views::{CatalogId, Download, LONGEST_LINK, LinkContent, ShareFault, ShareView};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, ReadableWritablePair, Url};

/// The most bytes that a link may decompress to. Catalogs shrink to a tenth or less, so that the longest link holds a
/// few hundred kB.
const LINK_LIMIT: u32 = 16 << 20;
/// The most bytes that a file may decompress to: ten times the largest catalog of the community.
const FILE_LIMIT: u32 = 128 << 20;

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
pub(crate) async fn share(session: &SavedSession<'_>, scene: Option<&SavedSession<'_>>) -> Result<ShareView, JsValue> {
    let compressed = deflate(&session.encode()).await?;
    let scene = match scene {
        Some(scene) => Some(session_link(scene.format(), &deflate(&scene.encode()).await?)),
        None => None,
    };
    let format = session.format();
    let file = session_file(format, &compressed);
    let length = link_length(compressed.len());
    Ok(ShareView {
        link: (length <= LONGEST_LINK as usize).then(|| session_link(format, &compressed)),
        scene: scene.filter(|link| link.len() <= LONGEST_LINK as usize),
        length: u32::try_from(length).unwrap_or(u32::MAX),
        bytes: u32::try_from(file.len()).unwrap_or(u32::MAX),
        file: Url::create_object_url_with_blob(&fetch::bytes(&file)?)?,
    })
}

/// Releases the address of a file that was shared.
pub(crate) fn forget(file: &str) {
    // It never fails for a string.
    drop(Url::revoke_object_url(file));
}

// Builds the files that the page offers for download.

/// The name and the bytes of a file.
pub(crate) fn build_file(
    session: &Session,
    followed: &BTreeMap<String, FollowedRoot>,
    request: &Download,
) -> Result<(String, Vec<u8>), String> {
    let workbench = &session.workbench;
    let open = |id: CatalogId| workbench.catalog(id).ok_or_else(catalog_closed);
    let (catalog, package, format) = match request {
        Download::Catalog { catalog, format } => (*catalog, None, *format),
        Download::Package { package, format } => (package.catalog, Some(&*package.package), *format),
        Download::EditedFiles(id) => {
            let catalog = open(*id)?;
            let files = catalog.edited_files().map(|file| (&*file.path, &*file.text));
            return Ok((format!("{}-edited.tar", file_name(catalog)), archive_of(files)?));
        }
        Download::Patch(id) => {
            let catalog = open(*id)?;
            return Ok((format!("{}.patch", file_name(catalog)), catalog.patch()?.into_bytes()));
        }
        Download::Unsaved => {
            let files = unsaved(workbench, followed);
            let names: Vec<&str> = files.iter().map(|file| &*file.path).collect();
            return Ok((names.join(", "), serde_json::to_vec(&files).map_err(|error| error.to_string())?));
        }
        Download::Written { set, input, as_patch } => {
            let new = session.released_bundle(input);
            if *as_patch {
                return Ok(("catalogs.patch".to_owned(), workbench.written_patch(*set, input, new).into_bytes()));
            }
            let files = workbench.written_files(*set, input, new);
            return Ok(("catalogs.tar".to_owned(), archive_of(files.iter().map(|(path, text)| (&**path, &**text)))?));
        }
    };
    // The outer error is a catalog that was closed, the inner one a catalog that cannot be rendered.
    let (name, text) = ::session::rendered(workbench, catalog, package, format).ok_or_else(catalog_closed)??;
    Ok((name, text.into_bytes()))
}

fn catalog_closed() -> String {
    "the catalog is not open any more".to_owned()
}

/// The name of a catalog as a part of the name of a file.
fn file_name(catalog: &CatalogInput) -> String {
    catalog.name.replace(['/', '\\'], "-")
}

/// Files as a tar archive. Times of modification are zero, so that equal files give equal archives.
fn archive_of<'f>(files: impl Iterator<Item = (&'f str, &'f str)>) -> Result<Vec<u8>, String> {
    let mut archive = Builder::new(Vec::new());
    let mut add = |(path, text): (&str, &str)| {
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, text.as_bytes())
    };
    let added: io::Result<()> = files.into_iter().try_for_each(&mut add);
    added.and_then(|()| archive.into_inner()).map_err(|error| error.to_string())
}

// Compression with the browser's own raw deflate, and size-limited decompression.
//
// A library would make the download larger, and every browser has this built in.

async fn deflate(bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
    let reader = through("CompressionStream", bytes)?;
    let mut out = Vec::new();
    while let Some(chunk) = next(&reader).await? {
        out.extend_from_slice(&chunk.to_vec());
    }
    Ok(out)
}

/// Decompresses to at most `most` bytes: a small input can be crafted that decompresses to any size.
async fn inflate(bytes: &[u8], most: u32) -> Result<Vec<u8>, ShareFault> {
    let reader = through("DecompressionStream", bytes).map_err(|_| ShareFault::Garbled)?;
    let mut out = Vec::new();
    while let Some(chunk) = next(&reader).await.map_err(|_| ShareFault::Garbled)? {
        if out.len() + chunk.length() as usize > most as usize {
            // It fails only if the stream has ended already.
            drop(JsFuture::from(reader.cancel()).await);
            return Err(ShareFault::TooLarge { most });
        }
        out.extend_from_slice(&chunk.to_vec());
    }
    Ok(out)
}

/// Pipes bytes through a stream of the Compression Standard. It is constructed by name, because web-sys has no stable
/// bindings for these classes yet.
fn through(class: &str, bytes: &[u8]) -> Result<ReadableStreamDefaultReader, JsValue> {
    let class: Function = Reflect::get(&js_sys::global(), &class.into())?.dyn_into()?;
    let stream = Reflect::construct(&class, &js_sys::Array::of1(&"deflate-raw".into()))?;
    let through = fetch::bytes(bytes)?.stream().pipe_through(stream.unchecked_ref::<ReadableWritablePair>());
    Ok(through.get_reader().unchecked_into())
}

/// The next chunk; `None` at the end.
async fn next(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let step = JsFuture::from(reader.read()).await?;
    if Reflect::get(&step, &"done".into())?.is_truthy() {
        return Ok(None);
    }
    Reflect::get(&step, &"value".into())?.dyn_into().map(Some)
}
