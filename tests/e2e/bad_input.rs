//! Files that are not catalogs, dropped together with a catalog: each gets a message, and the catalog is shown.

use std::path::PathBuf;

use suite::browser::{BrowserError, Result};

use crate::steps::{click, fixture, paste, read, see, see_packages, see_source, see_texts, texts};

/// A file's name, its harmful content, the rule that reports it and a part of the message.
struct Bad {
    name: &'static str,
    content: Vec<u8>,
    rule: &'static str,
    says: &'static str,
}

fn bad_files() -> Vec<Bad> {
    let bad = |name, content: &[u8], rule, says| Bad { name, content: content.to_vec(), rule, says };
    vec![
        bad("README.md", b"# Kitchen\n\nHow to *boil* water: slowly.\n", "not-a-catalog", "this is no catalog"),
        bad("binary.yaml", b"\x7fELF\x02\x01\x00\x00\xff", "unreadable-file", "not a text file: byte 6 is NUL"),
        bad("truncated.yaml", b"schema: olm.bundle\nname: \"cup.v9\n", "broken-document", "unexpected end of stream"),
        bad("tabs.yaml", b"schema: olm.package\nname: cup\nicon:\n\tdata: x\n", "broken-document", "a tab, where YAML"),
        bad("twice.yaml", b"schema: olm.package\nname: cup\nname: mug\n", "duplicate-key", "name occurs twice"),
        bad("deep.yaml", deep().as_bytes(), "broken-document", "nested too deeply"),
        bad("bomb.yaml", bomb().as_bytes(), "broken-document", "aliases of this document expand"),
    ]
}

/// Brackets, twenty thousand deep: twice what yaml.v2 reads.
fn deep() -> String {
    format!("schema: olm.bundle\nproperties: {}{}\n", "[".repeat(20_000), "]".repeat(20_000))
}

/// Aliases of aliases: ten billion elements when they are expanded.
fn bomb() -> String {
    let mut text = "schema: olm.bundle\nname: bomb\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let before = format!("*a{}", level - 1);
        text.push_str(&format!("a{level}: &a{level} [{}]\n", [before.as_str(); 10].join(", ")));
    }
    text
}

/// A temporary folder with the bad files, an empty one and a good one.
struct Untidy(PathBuf);

impl Untidy {
    fn new() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("opscope-{}", std::process::id())).join("untidy");
        let failed = |error| BrowserError::File(folder.clone(), error);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        for Bad { name, content, .. } in bad_files() {
            std::fs::write(folder.join(name), content).map_err(failed)?;
        }
        std::fs::write(folder.join("empty.yaml"), "").map_err(failed)?;
        std::fs::copy(fixture("spring/catalog.yaml"), folder.join("water.yaml")).map_err(failed)?;
        Ok(Self(folder))
    }
}

impl Drop for Untidy {
    fn drop(&mut self) {
        // A failure leaves some small files in the system's temporary folder.
        std::fs::remove_dir_all(&self.0).ok();
    }
}

journey!(each_bad_file_of_a_folder_gets_a_message_and_the_healthy_package_stays, async |page| {
    let untidy = Untidy::new()?;
    page.test_id("empty").await?;
    page.drop_paths(&[&untidy.0]).await?;
    page.css("[data-testid='package-row'][data-name='water']").await?.click().await?;
    see_texts(page, "[data-testid='package-title']", &["water"]).await?;
    see_texts(page, "[data-testid='graph-node'] .label", &["1.0.0"]).await?;
    click(page, "tab-findings").await?;
    let first = async || Ok(read(page, "[data-testid='finding-row']", "e.dataset.rule").await?.into_iter().next());
    see(page, "the worst finding of the package", Some("not-a-catalog".to_owned()), first).await?;
    page.text("Everything").await?.click().await?;
    for Bad { name, rule, says, .. } in bad_files() {
        let about = async || {
            let rows = read(page, &format!("[data-rule='{rule}']"), "e.textContent").await?;
            Ok(rows.iter().any(|row| row.contains(&format!("{name}:")) && row.contains(says)))
        };
        see(page, &format!("a finding of `{rule}` that says `{says}` of `{name}`"), true, about).await?;
    }
    Ok(())
});

// Loose files are catalogs of their own: a bad one cannot spoil another.
journey!(bad_files_beside_a_good_one_are_catalogs_of_their_own, async |page| {
    let water = include_str!("fixtures/spring/catalog.yaml");
    page.test_id("empty").await?;
    let files = [("water.yaml", water), ("empty.yaml", ""), ("deep.yaml", &deep()), ("bomb.yaml", &bomb())];
    page.drop_texts("body", &files).await?;
    see_packages(page, &["water"]).await?;
    // The empty one is none.
    see(page, "the number of catalogs", 3, async || Ok(texts(page, "[data-testid='catalog-chip']").await?.len())).await
});

// Without a message the page would look as if nothing had happened.
journey!(a_file_without_a_package_gets_a_message, async |page| {
    page.test_id("empty").await?;
    page.drop_texts("body", &[("notes.yaml", "schema: example.com/notes\n")]).await?;
    page.css("[data-testid='catalog-chip']").await?;
    page.text("notes.yaml cannot be read as a catalog: 1 error.").await?;
    see_texts(page, "[data-testid='tab-findings'] .number", &["1"]).await?;
    click(page, "tab-findings").await?;
    see_texts(page, "[data-testid='findings-count']", &["1 finding"]).await?;
    see_texts(page, "[data-testid='findings-elsewhere'], [data-testid='findings'] [aria-label='Which findings']", &[])
        .await?;
    click(page, "tab-graph").await?;
    paste(page, include_str!("fixtures/spring/catalog.yaml")).await?;
    see_packages(page, &["water"]).await
});

// A file in another encoding is shown, with a finding at its first byte that is not UTF-8.
journey!(a_byte_that_is_not_utf_8_is_pointed_at, async |page| {
    const DROP: &str = "
        const text = 'schema: olm.package\\nname: cup\\ndescription: caf\\xe9\\n';
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(text, (c) => c.charCodeAt(0))], 'cup.yaml'));
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))";
    page.test_id("empty").await?;
    page.eval(DROP, vec![]).await?;
    see_packages(page, &["cup"]).await?;
    click(page, "tab-findings").await?;
    page.text("cup.yaml:3:17").await?.click().await?;
    see_source(page, "schema: olm.package\nname: cup\ndescription: caf\u{fffd}\n").await?;
    see_texts(page, "[data-testid='source-read-only']", &["read only: it is not UTF-8"]).await
});

// A few of many places are shown, each with its name.
journey!(a_finding_with_many_places_shows_a_few, async |page| {
    let entries: Vec<String> = (0..20).map(|at| format!("cup.v{at} (no bundle)")).collect();
    paste(page, &fixture::yaml(&format!("package cup\nc: {}", entries.join(", ")))).await?;
    click(page, "tab-findings").await?;
    let row = "[data-testid='finding-row'][data-rule='missing-bundle']";
    see_texts(page, &format!("{row} .labels summary"), &["14 more"]).await?;
    let names = ["cup.v1", "cup.v2", "cup.v3", "cup.v4", "cup.v5"];
    see_texts(page, &format!("{row} .labels > ul > li code"), &names).await
});
