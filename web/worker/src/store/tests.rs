//! Storing and loading catalogs in a real IndexedDB, from a worker.

use super::Store;
use crate::fetch;
use session::{NewText, Workbench};
use views::{CatalogId, TextEdit};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// A store that holds `kitchen`, with two files, and `pantry`, with one.
async fn stocked() -> (Store, Workbench, [CatalogId; 2]) {
    let mut workbench = Workbench::new();
    let file = |path: &str, text: &str| NewText { path: path.to_owned(), content: Ok(text.as_bytes().to_vec()) };
    let kitchen = vec![file("a/kettle.yaml", "kettle: é\r\n"), file("b/teapot.json", "{}")];
    let ids = [
        workbench.add_catalog("kitchen", kitchen, &mut |_| ()),
        workbench.add_catalog("pantry", vec![file("water.yaml", "water: 1\n")], &mut |_| ()),
    ];
    workbench.set_metadata(ids[1], "pantry", "elsewhere", -3);
    let store = Store::open().await.unwrap();
    store.replace(workbench.catalogs()).await.unwrap();
    (store, workbench, ids)
}

/// Each catalog as a line, each file as an indented one.
async fn stored() -> Vec<String> {
    // Opened again, as after a reload.
    let store = Store::open().await.unwrap();
    let mut lines = Vec::new();
    for catalog in store.load().await.unwrap() {
        let source = catalog.source;
        lines.push(format!("{} in {}, priority {}", source.name, source.namespace, source.priority));
        for (path, blob) in catalog.files {
            let text = String::from_utf8(fetch::whole(&blob).await.unwrap()).unwrap();
            lines.push(format!("  {path}: {text:?}"));
        }
        for (path, TextEdit { start, end, text }) in catalog.opened {
            lines.push(format!("  {path} had {text:?} at {start} to {end}"));
        }
    }
    lines
}

const KITCHEN: [&str; 3] =
    ["kitchen in olm, priority 0", r#"  a/kettle.yaml: "kettle: é\r\n""#, r#"  b/teapot.json: "{}""#];
const PANTRY: [&str; 2] = ["pantry in elsewhere, priority -3", r#"  water.yaml: "water: 1\n""#];

#[wasm_bindgen_test]
async fn catalogs_come_back_in_the_order_they_were_added() {
    stocked().await;
    assert_eq!(stored().await, [&KITCHEN[..], &PANTRY].concat());
}

#[wasm_bindgen_test]
async fn further_catalogs_are_numbered_behind_those_stored() {
    let (store, _, [_, pantry]) = stocked().await;
    assert_eq!(store.next_catalog().await, Ok(CatalogId(pantry.0 + 1)));
    store.replace(&[]).await.unwrap();
    assert_eq!(store.next_catalog().await, Ok(CatalogId(0)));
}

#[wasm_bindgen_test]
async fn an_edit_is_put_in_the_place_of_its_file_alone() {
    let (store, mut workbench, [kitchen, _]) = stocked().await;
    let key = workbench.catalog(kitchen).unwrap().files[1].key;
    workbench.edit(key, 1..1, "\"a\": 1");
    let (catalog, file) = workbench.file(key).unwrap();
    store.put(catalog.id, file).await.unwrap();
    let edited = [r#"  b/teapot.json: "{\"a\": 1}""#, r#"  b/teapot.json had "" at 1 to 7"#];
    assert_eq!(stored().await, [&KITCHEN[..2], &edited, &PANTRY].concat());
    workbench.edit(key, 1..7, "");
    let (catalog, file) = workbench.file(key).unwrap();
    store.put(catalog.id, file).await.unwrap();
    assert_eq!(stored().await, [&KITCHEN[..], &PANTRY].concat());
}

#[wasm_bindgen_test]
async fn another_name_leaves_the_files_alone() {
    let (store, mut workbench, [kitchen, _]) = stocked().await;
    workbench.set_metadata(kitchen, "cellar", "olm", 7);
    store.describe(workbench.catalog(kitchen).unwrap()).await.unwrap();
    assert_eq!(stored().await, [&["cellar in olm, priority 7"], &KITCHEN[1..], &PANTRY].concat());
}

#[wasm_bindgen_test]
async fn a_catalog_that_is_removed_takes_its_files_with_it() {
    let (store, _, [kitchen, pantry]) = stocked().await;
    store.remove(kitchen).await.unwrap();
    assert_eq!(stored().await, PANTRY);
    store.remove(pantry).await.unwrap();
    assert_eq!(stored().await, [""; 0]);
}

#[wasm_bindgen_test]
async fn a_replacement_leaves_nothing_of_what_was_there() {
    let (store, _, _) = stocked().await;
    store.replace(&[]).await.unwrap();
    assert_eq!(stored().await, [""; 0]);
}
