//! Downloading files and pictures, and copying pictures.

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement, Url,
};

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
