//! Pictures of every screen, in both colour schemes and in three widths, to look at beside a design.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use suite::browser::{BrowserError, FULL, NARROW, Page, Result, Scheme, Viewport, WIDE, journey};

use super::terminal::say;

/// The page is still after so long.
const STILL: Duration = Duration::from_millis(900);

/// What a screen begins with.
enum Opened {
    Nothing,
    Example(&'static str),
    /// An address with this fragment.
    Fragment(&'static str),
    /// A file or folder below that of the catalogs.
    Dropped(&'static str),
}
use Opened::{Dropped, Example, Fragment, Nothing};

/// What is done before the picture.
enum Step {
    Click(&'static str),
    Press(&'static str),
    Print,
    /// Until a set is complete.
    Wait,
}
use Step::{Click, Press, Print, Wait};

const CATALOG: Opened = Dropped("community-v4.18");
const SET: Opened = Dropped("community-set");

/// The screens by the names of their pictures.
const SCREENS: &[(&str, Opened, &[Step])] = &[
    ("start", Nothing, &[]),
    ("overview", CATALOG, &[]),
    (
        "graph",
        CATALOG,
        &[
            Click("[data-testid='package-row'][data-name='clusterpulse']"),
            Click("[data-testid='graph-node'][data-name='clusterpulse.v0.2.1']"),
        ],
    ),
    (
        "graph-repaired",
        CATALOG,
        &[
            Click("[data-testid='package-row'][data-name='clusterpulse']"),
            Click("[data-testid='graph-node'][data-name='clusterpulse.v0.2.1']"),
            Click(REPAIR),
        ],
    ),
    ("graph-dense", CATALOG, &[Click("[data-testid='package-row'][data-name='apicurio-registry-3']")]),
    ("graph-quay", CATALOG, &[Click("[data-testid='package-row'][data-name='project-quay']")]),
    (
        "reach",
        CATALOG,
        &[Click("[data-testid='package-row'][data-name='dell-csm-operator']"), Click("[data-testid='tab-reach']")],
    ),
    (
        "table",
        CATALOG,
        &[Click("[data-testid='package-row'][data-name='dell-csm-operator']"), Click("[data-testid='tab-table']")],
    ),
    (
        "source",
        CATALOG,
        &[Click("[data-testid='package-row'][data-name='clusterpulse']"), Click("[data-testid='tab-source']")],
    ),
    ("editing", Example("normal-release"), &[Click("[data-testid='tab-graph']"), Click("[data-testid='edges-edit']")]),
    ("palette", CATALOG, &[Click("[data-testid='package-row'][data-name='clusterpulse']"), Press("/")]),
    ("shortcuts", CATALOG, &[Press("?")]),
    ("compare", Example("addition-strands-four"), &[Click("[data-testid='tab-compare']")]),
    ("compare-graph", Example("addition-strands-four"), &[Click("[data-testid='tab-graph']")]),
    ("simulate", Example("version-deadlock"), &[Press("c")]),
    ("simulate-conflicts", Example("two-conflicts"), &[Press("c")]),
    ("simulate-works", Example("operator-update"), &[Press("c")]),
    ("simulate-manual", Example("manual-approval"), &[Press("c")]),
    (
        "simulate-channels",
        CATALOG,
        &[Click("[data-testid='package-row'][data-name='apicurio-registry-3']"), Click("[data-testid='tab-simulate']")],
    ),
    ("simulate-tried", Example("two-hops-deadlock"), &[Press("c"), Click("[data-testid='try']"), Wait]),
    ("simulate-pressed", Example("operator-update"), &[Press("c"), Click(".spot[aria-label='foo']"), Wait]),
    ("set", SET, &[Wait]),
    ("plan", SET, &[Wait, Click("[data-testid='set-plan']")]),
    ("presenting", CATALOG, &[Click("[data-testid='package-row'][data-name='project-quay']"), Press("p")]),
    ("presenting-stuck", CATALOG, &[Click("[data-testid='package-row'][data-name='clusterpulse']"), Press("p")]),
    ("presenting-changes", Example("addition-strands-four"), &[Click("[data-testid='tab-compare']"), Press("p")]),
    ("share", Example("normal-release"), &[Click("[data-testid='share']")]),
    ("examples", Nothing, &[Click("[data-testid='empty-examples']")]),
    ("embedded", Fragment("embed&example=addition-strands-four"), &[]),
    (
        "print-graph",
        CATALOG,
        &[
            Click("[data-testid='package-row'][data-name='clusterpulse']"),
            Click("[data-testid='graph-node'][data-name='clusterpulse.v0.2.1']"),
            Print,
        ],
    ),
    ("print-dense", CATALOG, &[Click("[data-testid='package-row'][data-name='apicurio-registry-3']"), Print]),
    ("print-compare", Example("addition-strands-four"), &[Click("[data-testid='tab-compare']"), Print]),
    ("print-simulate", Example("version-deadlock"), &[Press("c"), Print]),
];

const REPAIR: &str = "[data-testid='apply-repair']";

/// Takes the pictures into a folder; of the catalogs it reads `community-v4.18` and `community-set`. Only those whose names
/// begin with `only`, if there is such a word.
pub(super) async fn take(folder: &Path, catalogs: &Path, only: &str) -> Result {
    std::fs::create_dir_all(folder).map_err(|error| BrowserError::File(folder.to_path_buf(), error))?;
    for (name, opened, steps) in SCREENS.iter().filter(|(name, ..)| name.starts_with(only)) {
        for (viewport, width) in [(WIDE, ""), (NARROW, "-phone"), (FULL, "-full")] {
            let taken = journey(async |page| {
                page.look(viewport, Scheme::Light).await?;
                arrange(page, opened, steps, catalogs, viewport).await?;
                for (scheme, colours) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
                    if !matches!(steps.last(), Some(Print)) {
                        page.look(viewport, scheme).await?;
                    } else if scheme == Scheme::Dark {
                        break;
                    }
                    tokio::time::sleep(STILL).await;
                    page.screenshot(&folder.join(format!("{name}{width}-{colours}.png"))).await?;
                }
                Ok(())
            });
            let outcome = taken.await.err().map(|error| format!(": {error}")).unwrap_or_default();
            say(&format!("{name}{width}{}", outcome.chars().take(300).collect::<String>()));
        }
    }
    Ok(())
}

async fn arrange(page: &Page, opened: &Opened, steps: &[Step], catalogs: &Path, viewport: Viewport) -> Result {
    match opened {
        Nothing => page.css("[data-testid='empty']").await.map(drop)?,
        Example(slug) => page.follow(&format!("example={slug}")).await?,
        Fragment(fragment) => page.follow(fragment).await?,
        Dropped(path) => {
            page.css("[data-testid='empty']").await?;
            page.drop_paths(&[&catalogs.join(path)]).await?;
        }
    }
    if !matches!(opened, Nothing) {
        page.css("[data-testid='catalog-chip'], [data-testid='set-package'], .app.embedded").await?;
        tokio::time::sleep(STILL).await;
    }
    for step in steps {
        match step {
            Click(css) => {
                page.open_menu_of(css).await?;
                const CLICK: &str = "const e = document.querySelector(arguments[0]);
                    e.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))";
                page.eval(CLICK, vec![json!(css)]).await?;
            }
            Wait => tokio::time::sleep(4 * STILL).await,
            Press(keys) => page.press(keys).await?,
            Print => {
                let Viewport { width, .. } = viewport;
                let metrics =
                    json!({ "width": width.min(700), "height": 990, "deviceScaleFactor": 1, "mobile": false });
                page.eval("dispatchEvent(new Event('beforeprint'))", vec![]).await?;
                page.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
                page.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await?;
            }
        }
        tokio::time::sleep(STILL).await;
    }
    Ok(())
}
