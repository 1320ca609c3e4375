//! Archives and images among opened files: the unpacker reads them, a worker that is started for each and ended after
//! it.

use crate::inbox::{Inbox, Progress, Urgent};
use crate::load::{Cancelled, Root};
use crate::server::Server;
use crate::{fetch, unpacker};
use archive::Form;
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::future::{Either, select};
use js_sys::{Array, Object, Reflect};
use session::named_for_versions;
use std::pin::pin;
use views::{Answer, FromUnpacker, Opened, Stage, Unpack, Unpacked, UnpackedRoot};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// The first bytes of a file, by which its format is recognised.
const HEAD: f64 = 512.0;

/// The endings of archives of images.
const ARCHIVES: [&str; 6] = [".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst", ".zip"];

/// What the unpacker says: that it has started, a message with the contents of files, or why it ended.
type Said = Result<Option<(FromUnpacker, Array)>, String>;

/// A running unpacker. It ends when this is dropped.
struct Unpacker {
    worker: Worker,
    said: UnboundedReceiver<Said>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl Unpacker {
    /// Starts one from the worker's own script, which waits for the compiled module.
    fn start(scope: &DedicatedWorkerGlobalScope) -> Result<Self, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name(unpacker::NAME);
        let worker = Worker::new_with_options(&scope.location().href(), &options)?;
        worker.post_message(&wasm_bindgen::module())?;
        let (sender, said) = unbounded();
        let errors: UnboundedSender<Said> = sender.clone();
        // The receiver may be gone when the load was cancelled.
        let _on_message = Closure::new(move |event: MessageEvent| drop(sender.unbounded_send(opened(&event.data()))));
        let _on_error = Closure::new(move |event: ErrorEvent| drop(errors.unbounded_send(Err(event.message()))));
        worker.set_onmessage(Some(_on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(_on_error.as_ref().unchecked_ref()));
        Ok(Self { worker, said, _on_message, _on_error })
    }

    fn start_reading(&self, unpack: &Unpack, blobs: &Array) -> Result<(), JsValue> {
        let envelope = Object::new();
        Reflect::set(&envelope, &"unpack".into(), &serde_wasm_bindgen::to_value(unpack)?)?;
        Reflect::set(&envelope, &"files".into(), blobs)?;
        self.worker.post_message(&envelope)
    }
}

impl Drop for Unpacker {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

fn opened(data: &JsValue) -> Said {
    let field = |name: &str| Reflect::get(data, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let message = field("message");
    if message.is_null() {
        return Ok(None);
    }
    let message = serde_wasm_bindgen::from_value(message).map_err(|error| error.to_string())?;
    Ok(Some((message, Array::from(&field("blobs")))))
}

impl Server {
    /// The roots with what is in them in place of archives and folders of images. Archives whose names differ in a
    /// version of OpenShift alone become one root: they may be a set.
    pub(crate) async fn unpack(
        &mut self,
        inbox: &mut Inbox,
        roots: Vec<Root>,
        opened: &mut Vec<Opened>,
    ) -> Result<Vec<Root>, Cancelled> {
        let (mut unpacked, mut archived) = (Vec::new(), Vec::new());
        for root in roots.into_iter().flat_map(archives_of) {
            if !is_archive(&root).await {
                unpacked.push(root);
                continue;
            }
            let Root { name, files, .. } = &root;
            match self.contents(inbox, name, files).await? {
                Ok(Some((Unpacked { view, roots }, blobs))) => {
                    opened.push(Opened::Archive(view));
                    let mut blobs = blobs.iter();
                    archived.extend(roots.into_iter().map(|root| with_blobs(root, &mut blobs)));
                }
                Ok(None) => unpacked.push(root),
                Err(reason) => opened.push(Opened::NotUnpacked { name: name.clone(), reason }),
            }
        }
        unpacked.extend(together(archived));
        Ok(unpacked)
    }

    /// What the unpacker makes of an archive or of a folder of images; `None` if the folder has no images.
    async fn contents(
        &mut self,
        inbox: &mut Inbox,
        name: &str,
        files: &[(String, Result<Blob, String>)],
    ) -> Result<Result<Option<(Unpacked, Array)>, String>, Cancelled> {
        let blobs: Vec<&Blob> = files.iter().filter_map(|(_, blob)| blob.as_ref().ok()).collect();
        let total = blobs.iter().map(|blob| blob.size()).sum::<f64>() as u32;
        let is_folder = files.len() > 1;
        let paths = files.iter().filter(|_| is_folder).map(|(path, _)| path.clone()).collect();
        let unpack = Unpack { name: name.to_owned(), paths };
        let mut unpacker = match Unpacker::start(&self.scope) {
            Ok(unpacker) => unpacker,
            Err(error) => return Ok(Err(fetch::describe(&error))),
        };
        let mut progress = Progress::new(&self.scope);
        progress.send(Stage::Unpacking, 0, total);
        loop {
            match select(pin!(unpacker.said.recv()), pin!(inbox.next_urgent())).await {
                Either::Left((Ok(Ok(None)), _)) => {
                    if let Err(error) = unpacker.start_reading(&unpack, &blobs.iter().copied().collect()) {
                        return Ok(Err(fetch::describe(&error)));
                    }
                }
                Either::Left((Ok(Ok(Some((said, contents)))), _)) => match said {
                    FromUnpacker::Read { bytes } => progress.send(Stage::Unpacking, (bytes as u32).min(total), total),
                    FromUnpacker::Done(unpacked) => return Ok(Ok(Some((unpacked, contents)))),
                    FromUnpacker::NoImages => return Ok(Ok(None)),
                    FromUnpacker::Refused { reason } => return Ok(Err(reason)),
                },
                Either::Left((Ok(Err(reason)), _)) => {
                    let reason = if reason.is_empty() { "it could not be loaded".to_owned() } else { reason };
                    return Ok(Err(format!("what reads archives has stopped: {reason}")));
                }
                Either::Right((Some(Urgent::Query(id, query)), _)) => self.answer(id, query).await,
                Either::Right((Some(Urgent::SetCluster(id, manifests)), _)) => self.set_cluster(id, &manifests),
                Either::Right((Some(Urgent::SetComparison(id, compared)), _)) => self.set_comparison(id, compared),
                Either::Right((Some(Urgent::Cancel(id)), _)) => {
                    self.reply(id, Answer::Cancelled);
                    return Err(Cancelled);
                }
                // The page, or the unpacker, is gone.
                Either::Right((None, _)) | Either::Left((Err(_), _)) => return Err(Cancelled),
            }
        }
    }
}

/// Puts what was in archives whose names differ in a version of OpenShift alone into one root, below these names.
fn together(roots: Vec<Root>) -> Vec<Root> {
    let names: Vec<&str> = roots.iter().map(|root| root.name.as_str()).collect();
    let groups = named_for_versions(&names);
    let mut roots: Vec<Option<Root>> = roots.into_iter().map(Some).collect();
    let joined: Vec<Root> = groups
        .into_iter()
        .map(|(pattern, members)| {
            let members = members.into_iter().filter_map(|at| roots[at].take());
            let files = members.flat_map(|Root { name, files, .. }| {
                files.into_iter().map(move |(path, blob)| (format!("{name}/{path}"), blob))
            });
            Root::of(pattern, files.collect())
        })
        .collect();
    roots.into_iter().flatten().chain(joined).collect()
}

/// The archives in a folder that has nothing else; else the root itself.
fn archives_of(root: Root) -> Vec<Root> {
    let is_folder_of_archives = !root.is_stored
        && root.files.len() > 1
        && root.files.iter().all(|(path, _)| ARCHIVES.iter().any(|ending| path.ends_with(ending)));
    if !is_folder_of_archives {
        return vec![root];
    }
    let file = |(path, blob): (String, _)| Root::of(path.clone(), vec![(path, blob)]);
    root.files.into_iter().map(file).collect()
}

/// Whether a root is an archive, or may be a folder of images. A file that cannot be read is none: loading says why.
async fn is_archive(root: &Root) -> bool {
    if root.is_stored || root.others > 0 {
        return false;
    }
    let [(path, Ok(blob))] = &root.files[..] else {
        return archive::may_hold_image(root.files.iter().map(|(path, _)| path.as_str()));
    };
    if *path != root.name {
        return false;
    }
    let head = match blob.slice_with_f64_and_f64(0.0, HEAD) {
        Ok(head) => fetch::whole(&head).await.unwrap_or_default(),
        Err(_) => return false,
    };
    match archive::recognise(&mut &head[..]) {
        Ok(Form::Tar | Form::Zip | Form::Compressed(_) | Form::Bzip2) => true,
        // A sqlite database gets a finding, as other files do that are no catalog.
        Ok(Form::Sqlite | Form::Other) | Err(_) => false,
    }
}

fn with_blobs(root: UnpackedRoot, blobs: &mut impl Iterator<Item = JsValue>) -> Root {
    let UnpackedRoot { name, files, others } = root;
    let mut blob = || blobs.next().and_then(|blob| blob.dyn_into().ok()).ok_or("it is missing");
    let files = (files.into_iter())
        .map(|(path, fault)| (path, fault.map_or_else(|| blob().map_err(str::to_owned), Err)))
        .collect();
    Root { others: others.unwrap_or_default(), ..Root::of(name, files) }
}
