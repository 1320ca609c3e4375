//! A catalog of thirty megabytes, which the page must take in without a moment's stop.

use std::time::Duration;

use suite::browser::Result;

use crate::steps::{see, select_package, texts, visit};

/// Longer than this on a busy machine, and a user notices that the page hangs.
const NOTICEABLE: Duration = Duration::from_millis(200);

const PACKAGES: usize = 60;

/// Makes packages of fifty bundles of ten kilobytes each, and keeps them as a file.
const MAKE: &str = "
    const parts = [];
    const padding = 'x'.repeat(10_000);
    for (let p = 0; p < arguments[0]; p++) {
        const name = 'package-' + String(p).padStart(2, '0');
        const entries = [], bundles = [];
        for (let v = 0; v < 50; v++) {
            const csv = name + '.v1.' + v + '.0';
            entries.push('- name: ' + csv + (v ? '\\n  replaces: ' + name + '.v1.' + (v - 1) + '.0' : ''));
            bundles.push('---\\nschema: olm.bundle\\nname: ' + csv + '\\npackage: ' + name +
                '\\nimage: registry.example.com/' + name + ':' + v + '\\nproperties:\\n' +
                '- {type: olm.package, value: {packageName: ' + name + ', version: 1.' + v + '.0}}\\n' +
                '- {type: example.padding, value: ' + padding + '}\\n');
        }
        parts.push('---\\nschema: olm.package\\nname: ' + name + '\\ndefaultChannel: stable\\n' +
            '---\\nschema: olm.channel\\npackage: ' + name + '\\nname: stable\\nentries:\\n' + entries.join('\\n') + '\\n',
            ...bundles);
    }
    window.large = new File(parts, 'large.yaml');
    return window.large.size";

/// Drops that file.
const DROP: &str = "
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(window.large);
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))";

#[tokio::test]
async fn thirty_megabytes_do_not_stop_the_page() -> Result {
    visit(async |page| {
        page.test_id("empty").await?;
        let size = page.eval(MAKE, vec![PACKAGES.into()]).await?;
        assert!(size.as_u64() > Some(30_000_000), "the catalog has {size} bytes only");
        page.record_long_tasks().await?;
        page.eval(DROP, vec![]).await?;
        let rows = async || Ok(page.all("[data-testid='package-row']").await?.len());
        see(page, "the number of packages", PACKAGES, rows).await?;
        select_package(page, "package-59").await?;
        let nodes = async || Ok(page.all("[data-testid='graph-node']").await?.len());
        see(page, "the number of entries", 50, nodes).await?;
        page.test_id("search").await?.send_keys("package-07").await?;
        see(page, "the packages found", 1, rows).await?;
        page.test_id("tab-source").await?.click().await?;
        page.test_id("source-text").await?;
        let long: Vec<_> = page.long_tasks().await?.into_iter().filter(|task| task.duration > NOTICEABLE).collect();
        assert!(long.is_empty(), "the page stood still: {long:?}");
        assert_eq!(texts(page, "[data-testid='notice']").await?, [""; 0], "no notice");
        Ok(())
    })
    .await
}
