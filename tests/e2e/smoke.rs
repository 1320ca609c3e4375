//! The app starts, and its policy stops requests to other hosts.

use suite::browser::{Result, journey};

use crate::steps::kept_for_offline;

#[tokio::test]
async fn the_page_opens() -> Result {
    journey(async |page| {
        page.test_id("empty").await?;
        assert_eq!(page.all("[role=alert]").await?.len(), 0, "the page opens with an alert");
        kept_for_offline(page).await?;
        assert_eq!(page.console().await?, [""; 0], "the page opens without a word in the console");
        Ok(())
    })
    .await
}

/// Started from a `blob:`, the worker inherits the page's policy; started from a file, it would have none.
#[tokio::test]
async fn the_worker_is_bound_by_the_policy_of_the_page() -> Result {
    journey(async |page| {
        let worker = page.eval("return document.querySelector('meta[name=opscope-worker]').content", vec![]).await?;
        assert!(worker.as_str().is_some_and(|url| url.starts_with("blob:")), "the worker starts from `{worker}`");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_policy_stops_requests_to_other_hosts() -> Result {
    journey(async |page| {
        let script = "return fetch('http://example.org/').then(() => 'sent', () => 'stopped')";
        assert_eq!(page.eval(script, vec![]).await?, "stopped");
        let errors = page.console_errors().await?;
        assert!(errors.iter().any(|error| error.contains("Content Security Policy")), "{errors:?}");
        Ok(())
    })
    .await
}
