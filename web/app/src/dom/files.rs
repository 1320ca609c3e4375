//! Dropped and picked files as names and `File` objects. The worker reads their contents.

use super::error_text;
use futures_util::stream::{FuturesUnordered, StreamExt};
use js_sys::{Array, Function, IteratorNext, Promise};
use views::NewFile;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, DataTransferItem, File, FileList, FileSystemDirectoryEntry, FileSystemDirectoryHandle,
    FileSystemDirectoryReader, FileSystemEntry, FileSystemFileEntry, FileSystemFileHandle, FileSystemHandle,
    FileSystemHandleKind,
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
    /// Neither.
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
