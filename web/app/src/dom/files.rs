//! Dropped and picked files as names and `File` objects. The worker reads their contents.

use futures_util::future::try_join_all;
use js_sys::{Array, Function, Promise};
use views::NewFile;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry,
    FileSystemFileEntry,
};

/// Files with their names, in the same order.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    /// Their names.
    pub(crate) names: Vec<NewFile>,
    /// The files.
    pub(crate) files: Vec<File>,
}

impl Collected {
    /// The bytes of all files.
    pub(crate) fn bytes(&self) -> u32 {
        self.files.iter().map(|file| file.size()).sum::<f64>() as u32
    }

    fn push(&mut self, root: &str, path: &str, file: File) {
        self.names.push(NewFile { root: root.to_owned(), path: path.to_owned() });
        self.files.push(file);
    }
}

/// The names of the dropped files and folders, and all files below them. Takes the entries from the event before the
/// first `await`, because browsers remove them after the handler.
pub(crate) fn dropped(
    transfer: &DataTransfer,
) -> (Vec<String>, impl Future<Output = Result<Collected, String>> + 'static) {
    let items = transfer.items();
    let entries: Vec<FileSystemEntry> = (0..items.length())
        .filter_map(|index| items.get(index))
        .filter_map(|item| item.webkit_get_as_entry().ok().flatten())
        .collect();
    let loose = transfer.files().map(|list| picked(&list)).unwrap_or_default();
    let names = match entries.is_empty() {
        true => loose.names.iter().map(|file| file.root.clone()).collect(),
        false => entries.iter().map(FileSystemEntry::name).collect(),
    };
    let collected = async move {
        if entries.is_empty() {
            return Ok(loose);
        }
        let mut collected = Collected::default();
        for root in entries {
            walk(root, &mut collected).await.map_err(|error| message(&error))?;
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

/// How many entries of dropped folders the browser is asked for at once. Each answer takes some milliseconds, during
/// which the others can be prepared.
const AT_ONCE: usize = 256;

/// What a dropped entry is.
enum Entry {
    File(String, File),
    /// A folder, with the path of each child.
    Folder(Vec<(String, FileSystemEntry)>),
    /// Neither.
    Other,
}

/// Collects the files below a dropped file or folder, sorted by their paths. It does not recurse, so that a deep folder
/// cannot overflow the stack.
async fn walk(root: FileSystemEntry, collected: &mut Collected) -> Result<(), JsValue> {
    let name = root.name();
    let mut open = vec![(String::new(), root)];
    let mut files: Vec<(String, File)> = Vec::new();
    while !open.is_empty() {
        let next = open.split_off(open.len().saturating_sub(AT_ONCE));
        for found in try_join_all(next.into_iter().map(look_at)).await? {
            match found {
                Entry::File(path, file) => files.push((path, file)),
                Entry::Folder(children) => open.extend(children),
                Entry::Other => {}
            }
        }
    }
    files.sort_by(|(one, _), (other, _)| one.split('/').cmp(other.split('/')));
    files.into_iter().for_each(|(path, file)| collected.push(&name, &path, file));
    Ok(())
}

async fn look_at((path, entry): (String, FileSystemEntry)) -> Result<Entry, JsValue> {
    if entry.is_file() {
        return Ok(Entry::File(path, file(entry.unchecked_into()).await?));
    }
    if !entry.is_directory() {
        return Ok(Entry::Other);
    }
    let directory: FileSystemDirectoryEntry = entry.unchecked_into();
    let below = |child: &FileSystemEntry| match &*path {
        "" => child.name(),
        path => format!("{path}/{}", child.name()),
    };
    let children = children(&directory.create_reader()).await?;
    Ok(Entry::Folder(children.into_iter().map(|child| (below(&child), child)).collect()))
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

fn message(error: &JsValue) -> String {
    let text = js_sys::Reflect::get(error, &JsValue::from_str("message")).ok().and_then(|text| text.as_string());
    text.unwrap_or_else(|| format!("{error:?}"))
}
