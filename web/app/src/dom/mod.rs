//! All calls to the browser, except those to the worker. No decisions are made here.

mod address;
mod editor;
mod fetch;
mod files;
mod focus_target;
mod follow;
mod keys;
mod menus;
mod modal;
mod page;
mod panzoom;
mod regions;
mod save;
mod storage;
mod text_area;

pub(crate) use address::{
    address, address_of_full_page, forget_fragment, fragment, load_new_version, reload, show_route,
};
pub(crate) use editor::{CodeEditor, command_editor, load_editor};
pub(crate) use fetch::fetch;
pub(crate) use files::{Collected, dropped, picked};
pub(crate) use focus_target::{WatchedControl, move_focus, watch_focus};
pub(crate) use follow::{followed_files, save_to_disk, take_token};
pub(crate) use keys::{Shortcut, shortcut, typing};
pub(crate) use menus::{close_menu, close_menu_of, is_attended};
pub(crate) use modal::{close, close_on_backdrop, show};
pub(crate) use page::{
    apply_theme, captured_position, closest_data, copy_and, error_text, focus, focus_id, focus_into_view, form_text,
    has_focus, input_text, is_checked, listen, meta, next_frame, now, on_narrow, pasted, report_panic, reveal_in_frame,
    reveal_nearest, reveal_verdict, select_all, select_text, today, version,
};
pub(crate) use panzoom::PanZoom;
pub(crate) use regions::{capture_pointer, region_width, set_region_width};
pub(crate) use save::{is_dark, save_bytes, save_picture, save_text};
pub(crate) use storage::{forget_draft, load_draft, load_manifests, save_draft, save_manifests};
pub(crate) use text_area::reveal_in_field;
