//! Large catalogs: the page stays responsive while they load.

use std::time::Duration;

use suite::browser::Key;

use crate::steps::{drop_fixture, see, see_packages, see_texts, select_package, texts};

/// The page would block for longer if it parsed such a file on the main thread. The bench measures how long it really
/// blocks.
const NOTICEABLE: Duration = Duration::from_millis(500);

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

journey!(thirty_megabytes_do_not_stop_the_page, async |page| {
    page.test_id("empty").await?;
    let size = page.eval(MAKE, vec![PACKAGES.into()]).await?;
    assert!(size.as_u64() > Some(30_000_000), "the catalog has {size} bytes only");
    page.record_long_tasks().await?;
    page.eval(DROP, vec![]).await?;
    let rows = async || Ok(page.all("[data-testid='package-row']").await?.len());
    see(page, "the number of packages", PACKAGES, rows).await?;
    select_package(page, "package-59").await?;
    // Fifty entries are dots.
    let nodes = async || Ok(page.all("[data-testid='graph-node']").await?.len() >= 50);
    see(page, "whether the entries are drawn", true, nodes).await?;
    page.press("/").await?;
    page.test_id("palette-text").await?.send_keys("package-07 1.3.0").await?;
    let found = async || Ok(texts(page, "[data-testid='palette-hit'] .mono").await?.into_iter().next());
    see(page, "the best result", Some("package-07.v1.3.0".to_owned()), found).await?;
    page.press(&Key::Escape.to_string()).await?;
    page.test_id("tab-source").await?.click().await?;
    page.test_id("source-text").await?;
    let long: Vec<_> = page.long_tasks().await?.into_iter().filter(|task| task.duration > NOTICEABLE).collect();
    assert!(long.is_empty(), "the page stood still: {long:?}");
    assert_eq!(texts(page, "[data-testid='notice']").await?, [""; 0], "no notice");
    Ok(())
});

/// Drops that file, waits until two frames are drawn (some 30 ms), and returns the text of the progress.
const DROP_AND_LOOK: &str = "
    return new Promise((resolve) => {
        const look = () => resolve(document.querySelector(\"[data-testid='progress']\")?.textContent ?? '');
        requestAnimationFrame(() => requestAnimationFrame(look));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(window.large);
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    })";

/// Keeps what the progress says.
const PROGRESS: &str = "
    window.progress = [];
    new MutationObserver(() => {
        const text = document.querySelector(\"[data-testid='progress']\")?.textContent;
        if (text && text !== window.progress.at(-1)) window.progress.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true })";

journey!(a_drop_says_at_once_what_is_opened, async |page| {
    page.test_id("empty").await?;
    let size = page.eval(MAKE, vec![PACKAGES.into()]).await?.as_u64().unwrap_or_default();
    page.eval(PROGRESS, vec![]).await?;
    let megabytes = format!("{}.{} MB", size / 1_000_000, size % 1_000_000 / 100_000);
    assert_eq!(page.eval(DROP_AND_LOOK, vec![]).await?, format!("Opening large.yaml ({megabytes})"));
    let rows = async || Ok(page.all("[data-testid='package-row']").await?.len());
    see(page, "the number of packages", PACKAGES, rows).await?;
    see(page, "whether anything is in progress", 0, async || Ok(page.all("[data-testid='progress']").await?.len()))
        .await?;
    let said = page.eval("return window.progress.join('\\n')", vec![]).await?;
    let parsing = said.as_str().is_some_and(|said| said.contains("large.yaml: Parsing "));
    assert!(parsing, "the parts that are read: {said}");
    Ok(())
});

/// Enough packages for more than a hundred megabytes.
const MANY: usize = 220;

/// Records what can be done while the file is being read: opens the second package as soon as it is in the list, and counts
/// the packages that are there when its graph is.
const USE: &str = "
    window.early = 0;
    let opened = false;
    const look = () => {
        const progress = document.querySelector(\"[data-testid='progress']\");
        if (!progress || !document.querySelector('.packages .count')?.textContent.includes('so far')) return;
        const row = document.querySelector(\"[data-testid='package-row'][data-name='package-01']\");
        if (row && !opened) { opened = true; row.click(); }
        const graph = document.querySelector(\"[data-testid='graph'][aria-label='Update graph of package-01']\");
        if (graph?.querySelector(\"[data-testid='graph-node']\") && !window.early) {
            window.early = document.querySelectorAll(\"[data-testid='package-row']\").length;
        }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })";

/// Resolves to these records once all packages are in the list.
const WHEN_ALL_ARE_THERE: &str = "
    return new Promise((resolve) => {
        const look = () => document.querySelectorAll(\"[data-testid='package-row']\").length === arguments[0]
            ? resolve(window.early)
            : setTimeout(look, 50);
        look();
    })";

/// Clicks `Cancel` as soon as it is there.
const CANCEL: &str = "
    new MutationObserver(() => document.querySelector(\"[data-testid='cancel']\")?.click())
        .observe(document.body, { subtree: true, childList: true })";

journey!(the_first_packages_can_be_used_before_the_last_are_read, async |page| {
    page.test_id("empty").await?;
    let size = page.eval(MAKE, vec![MANY.into()]).await?;
    assert!(size.as_u64() > Some(100_000_000), "the catalog has {size} bytes only");
    page.record_long_tasks().await?;
    page.eval(USE, vec![]).await?;
    page.eval(DROP, vec![]).await?;
    let early = page.eval(WHEN_ALL_ARE_THERE, vec![MANY.into()]).await?;
    assert!(early.as_u64() > Some(1), "no package could be used early");
    assert!(early.as_u64() < Some(MANY as u64), "{early} packages were there before one could be used");
    // What was opened early is still open.
    page.css("[data-testid='graph'][aria-label='Update graph of package-01']").await?;
    see(page, "whether anything is in progress", 0, async || Ok(page.all("[data-testid='progress']").await?.len()))
        .await?;
    let long: Vec<_> = page.long_tasks().await?.into_iter().filter(|task| task.duration > NOTICEABLE).collect();
    assert!(long.is_empty(), "the page stood still: {long:?}");
    Ok(())
});

journey!(cancelled_loading_keeps_the_catalogs_from_before, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "teapot").await?;
    page.eval(MAKE, vec![MANY.into()]).await?;
    page.eval(CANCEL, vec![]).await?;
    page.eval(DROP, vec![]).await?;
    see_texts(page, "[data-testid='notice'] b", &["Cancelled. Nothing was changed."]).await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    page.css("[data-testid='graph'][aria-label='Update graph of teapot'] [data-testid='graph-node']").await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["kitchen"]).await
});
