//! Stores catalogs in the browser's IndexedDB: they survive a reload and never leave the browser.
//!
//! Two object stores: `catalogs` (key: catalog id; value: the CatalogSource) and `files` (key: `[catalog id, path]`;
//! value: a `Blob`, so that the browser keeps large files on disk and an edit writes one file only). An edited file has
//! a second row there (key: `[catalog id, path, "opened"]`; value: the change that leads back to the text that was
//! opened).

use crate::fetch::{blob, describe};
use futures_channel::oneshot;
use futures_util::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use idb::{Database, DatabaseEvent, Factory, KeyRange, ObjectStoreParams, Query, Transaction, TransactionMode};
use js_sys::Array;
use serde::{Deserialize, Serialize};
use session::{CatalogInput, FileInput};
use views::{CatalogId, TextEdit};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::Blob;

#[cfg(test)]
mod tests;

const DATABASE: &str = "opscope";
const CATALOGS: &str = "catalogs";
const FILES: &str = "files";
/// The most milliseconds that the browser has to open the store. Until then no request is handled.
const PATIENCE: u32 = 3_000;
/// The last part of the key of a change that leads back to the text that was opened.
const OPENED: &str = "opened";

pub(crate) struct Store {
    database: Database,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StoredSource {
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) priority: i64,
    /// Whether it is only compared with others.
    #[serde(default)]
    pub(crate) baseline: bool,
}

impl StoredSource {
    pub(crate) fn of(catalog: &CatalogInput) -> Self {
        Self {
            name: catalog.name.clone(),
            namespace: catalog.namespace.clone(),
            priority: catalog.priority,
            baseline: catalog.is_baseline,
        }
    }
}

pub(crate) struct StoredCatalog {
    pub(crate) id: CatalogId,
    pub(crate) source: StoredSource,
    pub(crate) files: Vec<(String, Blob)>,
    /// For each edited file, by its path, the change that leads back to the text that was opened.
    pub(crate) opened: Vec<(String, TextEdit)>,
}

impl Store {
    /// Opens the store, and finds the first number that no stored catalog has. Gives up when the browser does not
    /// answer.
    pub(crate) async fn open_in_time() -> Result<(Self, CatalogId), String> {
        let (sender, opened) = oneshot::channel();
        // A task of its own, which goes on: a browser that answers later calls what waits for the answer.
        spawn_local(async move {
            let opened = async {
                let store = Self::open().await?;
                let first = store.next_catalog().await?;
                Ok((store, first))
            };
            // Nobody waits for an answer that is late.
            drop(sender.send(opened.await));
        });
        match select(opened, TimeoutFuture::new(PATIENCE)).await {
            Either::Left((Ok(opened), _)) => opened,
            _ => Err("its storage does not answer".to_owned()),
        }
    }

    pub(crate) async fn open() -> Result<Self, String> {
        let database = open().await.map_err(|error| message_of(&error))?;
        Ok(Self { database })
    }

    /// All catalogs in the order they were added.
    pub(crate) async fn load(&self) -> Result<Vec<StoredCatalog>, String> {
        self.try_load().await.map_err(|error| message_of(&error))
    }

    /// The first number that no stored catalog has.
    pub(crate) async fn next_catalog(&self) -> Result<CatalogId, String> {
        let last = async {
            let transaction = self.database.transaction(&[CATALOGS], TransactionMode::ReadOnly)?;
            let keys = transaction.object_store(CATALOGS)?.get_all_keys(None, None)?.await?;
            transaction.await?;
            Ok(keys.iter().filter_map(number).max())
        };
        let last = last.await.map_err(|error: idb::Error| message_of(&error))?;
        Ok(last.map_or(CatalogId(0), |CatalogId(last)| CatalogId(last + 1)))
    }

    /// Stores these catalogs and no others.
    pub(crate) async fn replace(&self, catalogs: &[CatalogInput]) -> Result<(), String> {
        let transaction = self.write()?;
        clear(&transaction).await.map_err(|error| message_of(&error))?;
        // A mirror is made again from its configuration.
        for catalog in catalogs.iter().filter(|catalog| catalog.mirrored.is_none()) {
            put_source(&transaction, catalog).await?;
            for file in catalog.files.iter().filter(|file| file.expanded_from.is_none()) {
                put_file(&transaction, catalog.id, file).await?;
            }
        }
        finish(transaction).await
    }

    pub(crate) async fn describe(&self, catalog: &CatalogInput) -> Result<(), String> {
        let transaction = self.write()?;
        put_source(&transaction, catalog).await?;
        finish(transaction).await
    }

    /// Stores a file; what a template was expanded to is not stored.
    pub(crate) async fn put(&self, catalog: CatalogId, file: &FileInput) -> Result<(), String> {
        if file.expanded_from.is_some() {
            return Ok(());
        }
        let transaction = self.write()?;
        put_file(&transaction, catalog, file).await?;
        finish(transaction).await
    }

    pub(crate) async fn remove(&self, catalog: CatalogId) -> Result<(), String> {
        let transaction = self.write()?;
        remove(&transaction, catalog).await.map_err(|error| message_of(&error))?;
        finish(transaction).await
    }

    fn write(&self) -> Result<Transaction, String> {
        self.database.transaction(&[CATALOGS, FILES], TransactionMode::ReadWrite).map_err(|error| message_of(&error))
    }

    async fn try_load(&self) -> Result<Vec<StoredCatalog>, idb::Error> {
        let transaction = self.database.transaction(&[CATALOGS, FILES], TransactionMode::ReadOnly)?;
        let (sources, files) = (transaction.object_store(CATALOGS)?, transaction.object_store(FILES)?);
        let keys = sources.get_all_keys(None, None)?.await?;
        let values = sources.get_all(None, None)?.await?;
        let mut catalogs = Vec::new();
        for (key, value) in keys.into_iter().zip(values) {
            let Ok(source) = serde_wasm_bindgen::from_value(value) else { continue };
            let range = files_of(&key)?;
            let paths = files.get_all_keys(Some(range.clone().into()), None)?.await?;
            let values = files.get_all(Some(range.into()), None)?.await?;
            let Some(id) = number(&key) else { continue };
            let mut catalog = StoredCatalog { id, source, files: Vec::new(), opened: Vec::new() };
            for (key, value) in paths.iter().zip(values) {
                let Some(path) = Array::from(key).get(1).as_string() else { continue };
                // A row that is no file is the change that leads back to the text that was opened.
                match value.dyn_into::<Blob>() {
                    Ok(blob) => catalog.files.push((path, blob)),
                    Err(value) => {
                        catalog.opened.extend(serde_wasm_bindgen::from_value(value).ok().map(|splice| (path, splice)));
                    }
                }
            }
            catalogs.push(catalog);
        }
        transaction.await?;
        Ok(catalogs)
    }
}

async fn open() -> Result<Database, idb::Error> {
    let mut request = Factory::new()?.open(DATABASE, Some(1))?;
    request.on_upgrade_needed(|event| {
        // A store that cannot be created shows as an error of every transaction that names it.
        if let Ok(database) = event.database() {
            for store in [CATALOGS, FILES] {
                drop(database.create_object_store(store, ObjectStoreParams::new()));
            }
        }
    });
    request.await
}

async fn clear(transaction: &Transaction) -> Result<(), idb::Error> {
    transaction.object_store(CATALOGS)?.clear()?.await?;
    transaction.object_store(FILES)?.clear()?.await
}

async fn remove(transaction: &Transaction, catalog: CatalogId) -> Result<(), idb::Error> {
    let key = JsValue::from(catalog.0);
    transaction.object_store(FILES)?.delete(Query::from(files_of(&key)?))?.await?;
    transaction.object_store(CATALOGS)?.delete(Query::from(key))?.await
}

async fn put_source(transaction: &Transaction, catalog: &CatalogInput) -> Result<(), String> {
    let value = serde_wasm_bindgen::to_value(&StoredSource::of(catalog)).map_err(|error| error.to_string())?;
    put(transaction, CATALOGS, &catalog.id.0.into(), &value).await.map_err(|error| message_of(&error))
}

async fn put_file(transaction: &Transaction, catalog: CatalogId, file: &FileInput) -> Result<(), String> {
    let (id, path) = (catalog.0.into(), file.path.as_str().into());
    let key = Array::of2(&id, &path);
    put(transaction, FILES, &key, blob(&file.text)?.as_ref()).await.map_err(|error| message_of(&error))?;
    let key = Array::of3(&id, &path, &OPENED.into());
    let kept = match file.opened() {
        Some(splice) => {
            let value = serde_wasm_bindgen::to_value(&splice).map_err(|error| error.to_string())?;
            put(transaction, FILES, &key, &value).await
        }
        None => delete(transaction, FILES, &key).await,
    };
    kept.map_err(|error| message_of(&error))
}

async fn delete(transaction: &Transaction, store: &str, key: &JsValue) -> Result<(), idb::Error> {
    transaction.object_store(store)?.delete(Query::from(key.clone()))?.await
}

async fn put(transaction: &Transaction, store: &str, key: &JsValue, value: &JsValue) -> Result<(), idb::Error> {
    transaction.object_store(store)?.put(value, Some(key))?.await.map(drop)
}

async fn finish(transaction: Transaction) -> Result<(), String> {
    match transaction.await {
        Ok(_) => Ok(()),
        Err(error) => Err(message_of(&error)),
    }
}

/// The keys of a catalog's files: from `[id]` to `[id, []]`, because arrays come after strings.
fn files_of(catalog: &JsValue) -> Result<KeyRange, idb::Error> {
    let end = Array::of2(catalog, &Array::new());
    KeyRange::bound(&Array::of1(catalog), &end, Some(false), Some(true))
}

fn number(key: &JsValue) -> Option<CatalogId> {
    key.as_f64().map(|number| CatalogId(number as u32))
}

fn message_of(error: &idb::Error) -> String {
    match error {
        idb::Error::DomException(exception) => describe(exception),
        other => other.to_string(),
    }
}
