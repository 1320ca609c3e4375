//! What `opscope open` tells, from the server that the page comes from. The program gives its token in the fragment of
//! the address, which the page takes out at once: browsers keep addresses, and show them.

use super::address::{described, forget_fragment, fragment, settled};
use js_sys::{Array, ArrayBuffer, Uint8Array};
use views::{FileState, FollowedFile, FollowedFiles};
use wasm_bindgen::JsCast;
use web_sys::{Blob, File, Headers, RequestInit, Response};

/// Where the token is kept until the tab is closed, so that the page can be reloaded.
const TOKEN: &str = "opscope.token";
/// Where the server tells of files.
const FILES: &str = "open/files";

/// The token, which is taken out of the address, or the one from before a reload.
pub(crate) fn take_token() -> Option<String> {
    let storage = super::page::window()?.session_storage().ok().flatten();
    let Some(token) = fragment().token else { return storage?.get_item(TOKEN).ok().flatten() };
    forget_fragment();
    // Without storage a reload loses the files.
    storage.into_iter().for_each(|storage| drop(storage.set_item(TOKEN, &token)));
    Some(token)
}

/// What changed after a version, with the contents of the files that were read; `None` if nothing has for a while.
pub(crate) async fn followed_files(token: &str, since: u32) -> Result<Option<(FollowedFiles, Vec<File>)>, String> {
    let response = fetch(token, &format!("{FILES}?{since}"), &RequestInit::new()).await?;
    match response.status() {
        200 => {}
        204 => return Ok(None),
        status => return Err(refusal(status)),
    }
    let body = response.blob().map_err(|error| described(&error))?;
    let body: Blob = settled(body).await?.unchecked_into();
    let length = FollowedFiles::LENGTH as f64;
    let bytes = bytes_of(&part(&body, 0.0, length)?).await?;
    let head = <[u8; FollowedFiles::LENGTH]>::try_from(bytes).map_err(|_| "the answer is cut off".to_owned())?;
    let start = length + f64::from(u32::from_be_bytes(head));
    let head = bytes_of(&part(&body, length, start)?).await?;
    let files: FollowedFiles = serde_json::from_slice(&head).map_err(|error| error.to_string())?;
    let contents = contents(&body, start, &files.files)?;
    Ok(Some((files, contents)))
}

/// Sends edits, as JSON, to be saved to their files. The error is a text for the user.
pub(crate) async fn save_to_disk(token: &str, edits: Option<&Uint8Array>) -> Result<(), String> {
    let options = RequestInit::new();
    options.set_method("POST");
    options.set_body(edits.ok_or("the edits did not arrive")?);
    let response = fetch(token, FILES, &options).await?;
    match response.status() {
        204 => Ok(()),
        409 => {
            let reason = settled(response.text().map_err(|error| described(&error))?).await?;
            Err(reason.as_string().unwrap_or_default())
        }
        status => Err(refusal(status)),
    }
}

async fn fetch(token: &str, url: &str, options: &RequestInit) -> Result<Response, String> {
    let window = super::page::window().ok_or("there is no window")?;
    let headers = Headers::new().map_err(|error| described(&error))?;
    headers.set("Authorization", &format!("Bearer {token}")).map_err(|error| described(&error))?;
    options.set_headers(&headers);
    let asked = settled(window.fetch_with_str_and_init(url, options)).await;
    asked.map(JsCast::unchecked_into).map_err(|_| "the program has ended".to_owned())
}

fn refusal(status: u16) -> String {
    match status {
        401 => "another one has this address now; use the address that it prints".to_owned(),
        status => format!("the program answers {status}"),
    }
}

/// The contents of the files that were read, which stand one after the other. The browser copies nothing.
fn contents(body: &Blob, mut start: f64, files: &[FollowedFile]) -> Result<Vec<File>, String> {
    let mut contents = Vec::new();
    for FollowedFile { path, state, .. } in files {
        if let FileState::Read(bytes) = state {
            let end = start + f64::from(*bytes);
            let parts = Array::of1(&part(body, start, end)?.into());
            contents.push(File::new_with_blob_sequence(&parts, path).map_err(|error| described(&error))?);
            start = end;
        }
    }
    Ok(contents)
}

fn part(body: &Blob, start: f64, end: f64) -> Result<Blob, String> {
    body.slice_with_f64_and_f64(start, end).map_err(|error| described(&error))
}

async fn bytes_of(part: &Blob) -> Result<Vec<u8>, String> {
    let buffer: ArrayBuffer = settled(part.array_buffer()).await?.unchecked_into();
    Ok(Uint8Array::new(&buffer).to_vec())
}
