//! A browser with its driver, and tasks that outlive a journey.

use std::sync::LazyLock;
use std::time::Duration;

use fantoccini::Client;
use tokio::runtime::{Builder, Handle};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::driver::Driver;
use super::error::Result;

/// The most time that a browser may take to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// A browser of one journey: another one would find it warm, with the focus, the pointer and the timers of the first one.
pub(crate) struct Browser {
    pub(crate) client: Client,
    _driver: Driver,
}

impl Browser {
    pub(crate) async fn start() -> Result<Self> {
        let driver = Driver::start().await?;
        let client = driver.session().await?;
        Ok(Self { client, _driver: driver })
    }

    pub(crate) async fn end(self) {
        // A browser that does not answer ends with its driver.
        timeout(PATIENCE, self.client.close()).await.ok();
    }
}

/// Runs a task on a thread that lives as long as the process: the runtime of a test ends with it.
pub(crate) fn in_background<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    static BACKGROUND: LazyLock<Handle> = LazyLock::new(|| {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime needs a few file handles");
        let handle = runtime.handle().clone();
        #[expect(clippy::disallowed_methods, reason = "this harness never runs on wasm32")]
        std::thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
        handle
    });
    BACKGROUND.spawn(task)
}
