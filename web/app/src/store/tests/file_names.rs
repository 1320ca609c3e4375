//! Names of files in links to places.

use super::*;

#[test]
fn a_file_is_named_unless_it_declares_the_selected_package() {
    let mut view = overview(1, &["kettle"]);
    let other = FileRow { file: FileKey(7), path: "pot.yaml".to_owned(), ..view.catalogs[0].files[0].clone() };
    view.catalogs[0].files.push(other);
    let new = overview(2, &[]).catalogs.remove(0);
    view.catalogs.push(CatalogRow { name: "new".to_owned(), ..new });
    view.packages[0].place = Some(Place { file: FileKey(1), start: 0, end: 1, line: 1, column: 1 });
    let mut page = Page::with(&["kettle"]);
    page.state.overview = Shared::new(view);
    page.state.selection.package = Some(key(1, "kettle"));
    let names = FileNames::of(&page.state);
    let other = |file| names.other(file);
    assert_eq!((other(FileKey(1)), other(FileKey(7)).as_deref()), (None, Some("pot.yaml")));
    assert_eq!(other(FileKey(2)).as_deref(), Some("catalog.yaml of new"));
    assert_eq!(other(FileKey::MANIFESTS).as_deref(), Some("manifests"));
}
