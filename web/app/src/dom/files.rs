//! Dropped and picked files as names and `File` objects. The worker reads their contents.

use super::error_text;
use futures_util::stream::{FuturesUnordered, StreamExt};
use js_sys::{Array, Function, IteratorNext, Promise, Reflect, Uint8Array};
use views::NewFile;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, DataTransfer, DataTransferItem, File, FileList,
    FileSystemDirectoryEntry, FileSystemDirectoryHandle, FileSystemDirectoryReader, FileSystemEntry,
    FileSystemFileEntry, FileSystemFileHandle, FileSystemHandle, FileSystemHandleKind, HtmlAnchorElement,
    HtmlCanvasElement, HtmlImageElement, Url,
};

/// Files with their names, in the same order.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) names: Vec<NewFile>,
    pub(crate) files: Vec<File>,
}

impl Collected {
    pub(crate) fn bytes(&self) -> u32 {
        self.files.iter().map(|file| file.size()).sum::<f64>() as u32
    }

    fn push(&mut self, root: &str, path: &str, file: File) {
        self.names.push(NewFile { root: root.to_owned(), path: path.to_owned() });
        self.files.push(file);
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = DataTransferItem)]
    type DroppedItem;

    /// Chromium alone has it so far. It opens the files of a handle in a sixth of the time that those of an entry take.
    /// Source: File System Access API.
    #[wasm_bindgen(method, catch, js_name = getAsFileSystemHandle)]
    fn handle(this: &DroppedItem) -> Result<Promise, JsValue>;
}

/// The names of the dropped files and folders, and all files below them. Takes the entries from the event before the
/// first `await`, because browsers remove them after the handler.
pub(crate) fn dropped(
    transfer: &DataTransfer,
) -> (Vec<String>, impl Future<Output = Result<Collected, String>> + 'static) {
    let items = transfer.items();
    let entries: Vec<(FileSystemEntry, Option<JsFuture>)> = (0..items.length())
        .filter_map(|index| items.get(index))
        .filter_map(|item| {
            let entry = item.webkit_get_as_entry().ok().flatten()?;
            let handle = entry.is_directory().then(|| item.unchecked_into::<DroppedItem>().handle().ok()).flatten();
            Some((entry, handle.map(JsFuture::from)))
        })
        .collect();
    let loose = transfer.files().map(|list| picked(&list)).unwrap_or_default();
    let names = match entries.is_empty() {
        true => loose.names.iter().map(|file| file.root.clone()).collect(),
        false => entries.iter().map(|(entry, _)| entry.name()).collect(),
    };
    let collected = async move {
        if entries.is_empty() {
            return Ok(loose);
        }
        let mut collected = Collected::default();
        for (entry, handle) in entries {
            let name = entry.name();
            let root = match handle {
                // Chromium gives no handle of some folders, such as system folders.
                Some(handle) => handle.await.and_then(JsCast::dyn_into).map_or(Item::Entry(entry), Item::Handle),
                None => Item::Entry(entry),
            };
            walk(&name, root, &mut collected).await.map_err(|error| error_text(&error))?;
        }
        Ok(collected)
    };
    (names, collected)
}

/// The files of an `input` element, each with its path below the picked folder, if a folder was picked.
pub(crate) fn picked(list: &FileList) -> Collected {
    let mut collected = Collected::default();
    for file in (0..list.length()).filter_map(|index| list.get(index)) {
        let relative = js_sys::Reflect::get(&file, &JsValue::from_str("webkitRelativePath"))
            .ok()
            .and_then(|path| path.as_string())
            .unwrap_or_default();
        match relative.split_once('/') {
            Some((root, path)) => collected.push(root, path, file),
            None => collected.push(&file.name(), "", file.clone()),
        }
    }
    collected
}

/// How many entries of dropped folders are requested from the browser at the same time. It prepares the others while
/// one of them is delivered, which takes some milliseconds.
const AT_ONCE: usize = 256;

/// A dropped file or folder, or one below it.
enum Item {
    Entry(FileSystemEntry),
    Handle(FileSystemHandle),
}

/// What an item is.
enum Found {
    File(String, File),
    /// A folder, with the path of each child.
    Folder(Vec<(String, Item)>),
    Other,
}

/// Collects the files below a dropped file or folder, sorted by their paths. It does not recurse, so that a deep folder
/// cannot overflow the stack.
async fn walk(name: &str, root: Item, collected: &mut Collected) -> Result<(), JsValue> {
    let mut open = vec![(String::new(), root)];
    let mut files: Vec<(String, File)> = Vec::new();
    let mut asked = FuturesUnordered::new();
    loop {
        let room = AT_ONCE - asked.len();
        asked.extend(open.split_off(open.len().saturating_sub(room)).into_iter().map(look_at));
        match asked.next().await.transpose()? {
            Some(Found::File(path, file)) => files.push((path, file)),
            Some(Found::Folder(children)) => open.extend(children),
            Some(Found::Other) => {}
            None => break,
        }
    }
    files.sort_by(|(one, _), (other, _)| one.split('/').cmp(other.split('/')));
    files.into_iter().for_each(|(path, file)| collected.push(name, &path, file));
    Ok(())
}

async fn look_at((path, item): (String, Item)) -> Result<Found, JsValue> {
    let below = |name: String| if path.is_empty() { name } else { format!("{path}/{name}") };
    Ok(match item {
        Item::Entry(entry) if entry.is_file() => Found::File(path, file(entry.unchecked_into()).await?),
        Item::Entry(entry) if entry.is_directory() => {
            let directory: FileSystemDirectoryEntry = entry.unchecked_into();
            let children = children(&directory.create_reader()).await?;
            Found::Folder(children.into_iter().map(|child| (below(child.name()), Item::Entry(child))).collect())
        }
        Item::Entry(_) => Found::Other,
        Item::Handle(handle) if handle.kind() == FileSystemHandleKind::Directory => {
            let children = handle.unchecked_into::<FileSystemDirectoryHandle>().values();
            let mut found = Vec::new();
            loop {
                let next: IteratorNext = JsFuture::from(children.next()?).await?.unchecked_into();
                if next.done() {
                    break Found::Folder(found);
                }
                let child: FileSystemHandle = next.value().unchecked_into();
                found.push((below(child.name()), Item::Handle(child)));
            }
        }
        Item::Handle(handle) => {
            let file = handle.unchecked_into::<FileSystemFileHandle>().get_file();
            Found::File(path, JsFuture::from(file).await?.unchecked_into())
        }
    })
}

async fn file(entry: FileSystemFileEntry) -> Result<File, JsValue> {
    let promise = Promise::new(&mut |resolve: Function, reject: Function| {
        entry.file_with_callback_and_callback(&resolve, &reject);
    });
    JsFuture::from(promise).await?.dyn_into()
}

/// All children of a directory. Its reader returns them in portions, the last of which is empty.
async fn children(reader: &FileSystemDirectoryReader) -> Result<Vec<FileSystemEntry>, JsValue> {
    let mut all = Vec::new();
    loop {
        let promise = Promise::new(&mut |resolve: Function, reject: Function| {
            if let Err(error) = reader.read_entries_with_callback_and_callback(&resolve, &reject) {
                rejected(&reject, &error);
            }
        });
        let portion: Array = JsFuture::from(promise).await?.dyn_into()?;
        if portion.length() == 0 {
            return Ok(all);
        }
        all.extend(portion.iter().map(JsCast::unchecked_into));
    }
}

fn rejected(reject: &Function, error: &JsValue) {
    // Rejecting runs no code of ours that could fail.
    drop(reject.call1(&JsValue::NULL, error));
}

// Downloading files and pictures, and copying pictures.

/// Downloads a text as a file.
pub(crate) fn save_text(name: &str, kind: &str, text: &str) {
    // It fails only where there is no document.
    drop(blob(kind, text).and_then(|blob| download(name, &blob)));
}

/// Downloads the bytes of a text as a file.
pub(crate) fn save_bytes(name: &str, bytes: &Uint8Array) {
    // It fails only where there is no document.
    drop(Blob::new_with_u8_array_sequence(&Array::of1(bytes)).and_then(|blob| download(name, &blob)));
}

/// Makes a PNG from an SVG, and downloads it or, without a name, copies it to the clipboard. `size` is in pixels.
/// `done` receives whether the browser permitted it.
pub(crate) fn save_picture(name: Option<String>, svg: String, size: (u32, u32), done: impl FnOnce(bool) + 'static) {
    spawn_local(async move {
        let made = paint(&svg, size).await;
        let given = match (made, name) {
            (Ok(png), Some(name)) => download(&name, &png),
            (Ok(png), None) => copy(&png).await,
            (Err(error), _) => Err(error),
        };
        done(given.is_ok());
    });
}

/// Whether the page has dark colours.
pub(crate) fn is_dark() -> bool {
    let Some(window) = super::page::window() else { return false };
    let theme = window.document().and_then(|document| document.document_element()?.get_attribute("data-theme"));
    match theme.as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => window.match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|media| media.matches()),
    }
}

fn blob(kind: &str, text: &str) -> Result<Blob, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options)
}

fn download(name: &str, blob: &Blob) -> Result<(), JsValue> {
    let url = Url::create_object_url_with_blob(blob)?;
    let anchor: HtmlAnchorElement = create("a")?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    // The address has to stay valid until the browser has started the download.
    gloo_timers::callback::Timeout::new(10_000, move || drop(Url::revoke_object_url(&url))).forget();
    Ok(())
}

async fn paint(svg: &str, (width, height): (u32, u32)) -> Result<Blob, JsValue> {
    let url = Url::create_object_url_with_blob(&blob("image/svg+xml", svg)?)?;
    let image = HtmlImageElement::new()?;
    image.set_src(&url);
    JsFuture::from(image.decode()).await?;
    let canvas: HtmlCanvasElement = create("canvas")?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context: CanvasRenderingContext2d =
        canvas.get_context("2d")?.ok_or("no canvas")?.dyn_into().map_err(JsValue::from)?;
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width.into(), height.into())?;
    Url::revoke_object_url(&url)?;
    let promise = js_sys::Promise::new(&mut |resolve, reject| {
        if let Err(error) = canvas.to_blob(&resolve) {
            // A function that is called with one argument does not fail.
            drop(reject.call1(&JsValue::UNDEFINED, &error));
        }
    });
    JsFuture::from(promise).await?.dyn_into()
}

async fn copy(png: &Blob) -> Result<(), JsValue> {
    let window = super::page::window().ok_or("no window")?;
    let item = Reflect::get(&window, &"ClipboardItem".into())?.dyn_into::<js_sys::Function>()?;
    let content = js_sys::Object::new();
    Reflect::set(&content, &"image/png".into(), png)?;
    let item = Reflect::construct(&item, &Array::of1(&content))?;
    let clipboard = Reflect::get(&window.navigator(), &"clipboard".into())?;
    let write = Reflect::get(&clipboard, &"write".into())?.dyn_into::<js_sys::Function>()?;
    let written: js_sys::Promise = write.call1(&clipboard, &Array::of1(&item))?.dyn_into()?;
    JsFuture::from(written).await.map(drop)
}

fn create<T: JsCast>(name: &str) -> Result<T, JsValue> {
    let document = super::page::document().ok_or("no document")?;
    document.create_element(name)?.dyn_into().map_err(JsValue::from)
}
