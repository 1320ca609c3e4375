//! All calls to the browser, except those to the worker. No decisions are made here.

mod address;
mod editor;
mod files;
mod follow;
mod keys;
mod page;
mod panzoom;

pub(crate) use address::{
    address, address_of_full_page, fetch, forget_draft, forget_fragment, fragment, load_draft, load_manifests,
    load_new_version, reload, save_draft, save_manifests, show_route,
};
pub(crate) use editor::{CodeEditor, command_editor, load_editor};
pub(crate) use files::{Collected, dropped, is_dark, picked, save_bytes, save_picture, save_text};
pub(crate) use follow::{followed_files, save_to_disk, take_token};
pub(crate) use keys::{Keys, Shortcut, focus_sibling, shortcut, typing};
pub(crate) use page::{
    NARROW, WIDE, WatchedControl, apply_theme, capture_pointer, captured_position, close, close_menu, close_menu_of,
    close_on_backdrop, closest_data, copy_and, error_text, focus, focus_id, focus_into_view, form_text, has_focus,
    input_text, is_attended, is_checked, listen, meta, move_focus, next_frame, now, on_media, pasted, region_width,
    report_panic, reveal_in_field, reveal_in_frame, reveal_nearest, reveal_verdict, select_all, select_text,
    set_region_width, show, today, version, watch_focus,
};
pub(crate) use panzoom::PanZoom;
