//! `opscope open`: the page has what is named, and follows the files while other programs save them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::json;
use suite::browser::{BrowserError, Page, Result, Scheme, WIDE, built, journey_at};
use tempfile::TempDir;

use crate::steps::{click, fixture, read, see, see_packages, see_texts, select_package};

/// The files of the journey, and the command that has opened some of them; it is killed when this is dropped.
struct Opened {
    folder: TempDir,
    child: Child,
    address: String,
}

impl Opened {
    /// Opens paths below a folder that has the fixture `kitchen`.
    fn of(prepare: impl FnOnce(&Path), arguments: &[&str]) -> Result<Self> {
        let folder = TempDir::new().map_err(|error| BrowserError::File(std::env::temp_dir(), error))?;
        copy(&fixture("kitchen"), &folder.path().join("kitchen"));
        prepare(folder.path());
        let page = built()?.canonicalize().expect("it is built");
        let program = program();
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(folder.path().join("bin")).chain(std::env::split_paths(&folders));
        let mut child = Command::new(&program)
            .env("PATH", std::env::join_paths(folders).expect("no path has a colon"))
            .args(["open", "--no-browser", "--page"])
            .arg(page)
            .args(arguments)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| BrowserError::NotReady(format!("`{}`: {error}", program.display())))?;
        let mut address = String::new();
        let output = child.stdout.as_mut().expect("it is a pipe");
        BufReader::new(output).read_line(&mut address).expect("it prints its address");
        Ok(Self { folder, child, address: address.trim_end().to_owned() })
    }

    fn file(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Replaces a part of a file, as an editor does: a new file takes the place of the old one.
    fn change(&self, path: &str, what: &str, to: &str) {
        let path = self.file(path);
        let text = fs::read_to_string(&path).expect("it is there");
        assert!(text.contains(what), "{what} in {text}");
        let new = path.with_extension("new");
        fs::write(&new, text.replace(what, to)).expect("a file can be written");
        fs::rename(&new, &path).expect("a file can be renamed");
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // It may have ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The command that was built beside this test.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("this test runs");
    let folder = test.ancestors().nth(2).expect("it is in `deps`");
    folder.join(format!("opscope{}", std::env::consts::EXE_SUFFIX))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a folder").map(|entry| entry.expect("a file")) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a file can be copied");
        }
    }
}

/// A journey in a window that is wide enough for all regions.
async fn visit(opened: &Opened, test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    journey_at(&opened.address, async |page| {
        page.look(WIDE, Scheme::Light).await?;
        test(page).await
    })
    .await
}

/// Waits until the page has this text, in one element or several.
async fn shows(page: &Page, text: &str) -> Result {
    see(page, text, true, async || Ok(page.shown().await?.contains(text))).await
}

/// The text in the source editor.
async fn source(page: &Page) -> Result<String> {
    Ok(read(page, "[data-testid='source-text']", "e.value").await?.join(""))
}

#[tokio::test]
async fn the_page_opens_with_a_folder_and_forgets_the_token() -> Result {
    let opened = Opened::of(|_| {}, &["kitchen"])?;
    let token = opened.address.split_once("#open=").expect("a token").1.to_owned();
    visit(&opened, async |page| {
        see_packages(page, &["kettle", "teapot"]).await?;
        select_package(page, "kettle").await?;
        let stays =
            "return [location.href, document.referrer, JSON.stringify(localStorage), document.cookie].join(' ')";
        let shown = async || page.eval(stays, vec![]).await;
        let address = shown().await?;
        assert!(!address.as_str().unwrap_or_default().contains(&token), "{address}");
        see(page, "no service worker", json!(0), async || {
            page.eval("return navigator.serviceWorker.getRegistrations().then((all) => all.length)", vec![]).await
        })
        .await?;
        // Nothing of the files is stored for another program that gets the port.
        let stored = "return new Promise((resolve) => {
            const request = indexedDB.open('opscope');
            request.onsuccess = () => {
                const database = request.result;
                const names = [...database.objectStoreNames];
                if (!names.length) return resolve(0);
                const count = database.transaction(names).objectStore(names[0]).count();
                count.onsuccess = () => resolve(count.result);
            };
        })";
        assert_eq!(page.eval(stored, vec![]).await?, json!(0));
        // A reload has the files, too, and what was selected.
        page.reload().await?;
        see_packages(page, &["kettle", "teapot"]).await?;
        see_texts(page, "[data-testid='package-title']", &["kettle"]).await
    })
    .await
}

#[tokio::test]
async fn what_an_editor_saves_is_shown_at_once() -> Result {
    let opened = Opened::of(|_| {}, &["kitchen"])?;
    visit(&opened, async |page| {
        see_packages(page, &["kettle", "teapot"]).await?;
        select_package(page, "kettle").await?;
        let node = "[data-testid='graph-node'][data-name='kettle.v1.2.0']:not(.ghost)";
        page.css(node).await?.click().await?;
        see_texts(page, "[data-testid='entry-name']", &["kettle.v1.2.0"]).await?;
        let mut head = "- name: kettle.v1.3.0\n  replaces: kettle.v1.2.0\n".to_owned();
        for (version, replaced) in [("1.4.0", "1.3.0"), ("1.5.0", "1.4.0"), ("1.6.0", "1.5.0")] {
            let name = format!("kettle.v{version}");
            let new = format!("- name: {name}\n  replaces: kettle.v{replaced}\n");
            opened.change("kitchen/kettle/catalog.yaml", &head, &format!("{head}{new}"));
            page.css(&format!("[data-testid='graph-node'][data-name='{name}']")).await?;
            head = new;
            // The selection and the view stay.
            see_texts(page, "[data-testid='entry-name']", &["kettle.v1.2.0"]).await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn files_come_and_go_while_the_selection_stays() -> Result {
    let opened = Opened::of(|_| {}, &["kitchen"])?;
    visit(&opened, async |page| {
        see_packages(page, &["kettle", "teapot"]).await?;
        select_package(page, "teapot").await?;
        let new = "schema: olm.package\nname: urn\ndefaultChannel: stable\n---\nschema: olm.channel\npackage: urn\n\
                   name: stable\nentries:\n- name: urn.v1.0.0\n";
        fs::create_dir(opened.file("kitchen/urn")).expect("a folder can be made");
        fs::write(opened.file("kitchen/urn/catalog.yaml"), new).expect("a file can be written");
        see_packages(page, &["urn", "kettle", "teapot"]).await?;
        fs::remove_dir_all(opened.file("kitchen/kettle")).expect("a folder can be removed");
        see_packages(page, &["urn", "teapot"]).await?;
        see_texts(page, "[data-testid='package-title']", &["teapot"]).await
    })
    .await
}

#[tokio::test]
async fn with_a_baseline_the_page_opens_with_the_comparison() -> Result {
    let prepare = |folder: &Path| copy(&folder.join("kitchen"), &folder.join("before"));
    let opened = Opened::of(prepare, &["kitchen", "--baseline", "before"])?;
    visit(&opened, async |page| {
        page.text("before → kitchen").await?;
        page.text("no effect on clusters.").await?;
        opened.change("kitchen/kettle/catalog.yaml", "  replaces: kettle.v1.2.0\n", "");
        page.text("can no longer be resolved").await.map(drop)
    })
    .await
}

/// The catalog of `kitchen` for two versions of OpenShift, as repositories of Konflux keep it.
fn versions(folder: &Path) {
    for version in ["v4.18", "v4.19"] {
        let member = folder.join("tree").join(version);
        copy(&folder.join("kitchen"), &member.join("catalog"));
        let dockerfile = format!("FROM registry/opm:{version}\nCOPY catalog /configs\n");
        fs::write(member.join("Dockerfile"), dockerfile).expect("a file can be written");
        fs::write(member.join("README.md"), "# Beside the catalog\n").expect("a file can be written");
    }
}

#[tokio::test]
async fn a_set_and_its_open_members_follow_their_files() -> Result {
    let opened = Opened::of(versions, &["tree"])?;
    visit(&opened, async |page| {
        shows(page, "Operators of all 2 packages keep updating on the way from 4.18 to 4.19.").await?;
        // The head is not in the next catalog any more.
        let file = "tree/v4.19/catalog/kettle/catalog.yaml";
        opened.change(file, "- name: kettle.v1.3.0\n  replaces: kettle.v1.2.0\n", "");
        shows(page, "No cluster gets an update from the catalog of 4.19: opm rejects it.").await?;
        page.css("[data-testid='set-package'][data-name='kettle'] [data-testid='set-cell']").await?.click().await?;
        page.text("4.18 → 4.19").await?;
        opened.change(
            file,
            "- name: kettle.v1.2.0\n",
            "- name: kettle.v1.3.0\n  replaces: kettle.v1.2.0\n- name: kettle.v1.2.0\n",
        );
        page.text("no effect on clusters.").await.map(drop)
    })
    .await
}

#[tokio::test]
async fn a_set_opens_with_its_comparison_with_a_baseline() -> Result {
    let prepare = |folder: &Path| {
        versions(folder);
        copy(&folder.join("tree"), &folder.join("before"));
    };
    let opened = Opened::of(prepare, &["tree", "--baseline", "before"])?;
    visit(&opened, async |page| {
        shows(page, "The change has no effect on clusters").await?;
        opened.change("tree/v4.19/catalog/kettle/catalog.yaml", "  replaces: kettle.v1.2.0\n", "");
        shows(page, "The change makes 1 package worse").await?;
        click(page, "set-states").await?;
        page.text("4.19-before → 4.19").await.map(drop)
    })
    .await
}

#[tokio::test]
async fn the_folder_of_one_version_opens_as_its_catalog() -> Result {
    let opened = Opened::of(versions, &["tree/v4.18"])?;
    visit(&opened, async |page| {
        see_packages(page, &["kettle", "teapot"]).await?;
        fs::remove_dir_all(opened.file("tree/v4.18")).expect("a folder can be removed");
        shows(page, "v4.18 is not on the disk any more.").await?;
        see_packages(page, &["kettle", "teapot"]).await?;
        versions(opened.folder.path());
        fs::remove_dir_all(opened.file("tree/v4.18/catalog/teapot")).expect("a folder can be removed");
        see_packages(page, &["kettle"]).await
    })
    .await
}

#[tokio::test]
async fn the_cluster_is_simulated_and_follows_its_file() -> Result {
    let manifests = |channel: &str| {
        format!(
            "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {{name: kettle, namespace: tea}}\n\
             spec: {{name: kettle, channel: {channel}, source: kitchen, sourceNamespace: olm}}\n"
        )
    };
    let prepare = |folder: &Path| fs::write(folder.join("cluster.yaml"), manifests("stable")).expect("a file");
    let opened = Opened::of(prepare, &["kitchen", "--cluster", "cluster.yaml"])?;
    visit(&opened, async |page| {
        shows(page, "installs 1.3.0").await?;
        fs::write(opened.file("cluster.yaml"), manifests("fast")).expect("a file can be written");
        shows(page, "kettle is not installed: OLM finds no solution").await?;
        see_texts(page, "[role='tab'][aria-selected='true']", &["Simulate"]).await
    })
    .await
}

#[cfg(unix)]
#[tokio::test]
async fn a_running_cluster_is_simulated_and_followed() -> Result {
    use std::os::unix::fs::PermissionsExt;
    let objects = |channel: &str| {
        json!({ "apiVersion": "v1", "kind": "List", "items": [
            { "apiVersion": "operators.coreos.com/v1", "kind": "OperatorGroup", "metadata": { "name": "all", "namespace": "tea" } },
            { "apiVersion": "operators.coreos.com/v1alpha1", "kind": "Subscription", "metadata": { "name": "kettle", "namespace": "tea" },
              "spec": { "name": "kettle", "channel": channel, "source": "kitchen", "sourceNamespace": "olm" } },
            { "apiVersion": "operators.coreos.com/v1alpha1", "kind": "CatalogSource", "metadata": { "name": "kitchen", "namespace": "olm" },
              "spec": { "sourceType": "grpc", "image": "registry.example.com/kitchen:v1" } },
        ] })
    };
    let prepare = |folder: &Path| {
        fs::create_dir(folder.join("bin")).expect("a folder can be made");
        let kinds =
            ["subscriptions", "catalogsources", "operatorgroups"].map(|kind| format!("{kind}.operators.coreos.com"));
        let script = format!(
            "#!/bin/sh\ncase $1 in\napi-resources) echo '{}' ;;\nget) cat objects.json ;;\nesac\n",
            kinds.join("\n")
        );
        fs::write(folder.join("bin/kubectl"), script).expect("a file can be written");
        fs::set_permissions(folder.join("bin/kubectl"), fs::Permissions::from_mode(0o755)).expect("it can be executed");
        fs::write(folder.join("objects.json"), objects("stable").to_string()).expect("a file can be written");
    };
    let opened = Opened::of(prepare, &["kitchen", "--cluster", "live"])?;
    visit(&opened, async |page| {
        shows(page, "installs 1.3.0").await?;
        fs::write(opened.file("objects.json"), objects("fast").to_string()).expect("a file can be written");
        shows(page, "kettle is not installed: OLM finds no solution").await
    })
    .await
}

#[tokio::test]
async fn what_is_typed_stays_when_the_file_changes_on_the_disk() -> Result {
    let opened = Opened::of(|_| {}, &["kitchen"])?;
    visit(&opened, async |page| {
        see_packages(page, &["kettle", "teapot"]).await?;
        select_package(page, "kettle").await?;
        click(page, "tab-source").await?;
        page.test_id("source-text").await?.click().await?;
        page.press("# mine\n").await?;
        see(page, "what is typed", true, async || Ok(source(page).await?.contains("# mine"))).await?;
        // Another file of the catalog.
        opened.change("kitchen/teapot/catalog.json", "\"name\": \"teapot\"", "\"name\":  \"teapot\"");
        // The same file.
        opened.change("kitchen/kettle/catalog.yaml", "Boils water.", "Boils milk.");
        page.text("Changed on the disk and here: kettle/catalog.yaml.").await?;
        let text = source(page).await?;
        assert!(text.contains("# mine") && text.contains("Boils water."), "{text}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn edits_are_saved_to_the_disk_and_nothing_is_lost() -> Result {
    let opened = Opened::of(|_| {}, &["kitchen", "--write"])?;
    let on_disk = || fs::read_to_string(opened.file("kitchen/kettle/catalog.yaml")).expect("it is there");
    visit(&opened, async |page| {
        see_packages(page, &["kettle", "teapot"]).await?;
        select_package(page, "kettle").await?;
        click(page, "tab-source").await?;
        page.test_id("source-text").await?.click().await?;
        page.press("# mine\n").await?;
        click(page, "save-to-disk").await?;
        page.text("Saved kettle/catalog.yaml.").await?;
        assert!(on_disk().contains("# mine\n"));
        let is_offered = async || Ok(!page.all("[data-testid='save-to-disk']").await?.is_empty());
        see(page, "what can be saved", false, is_offered).await?;
        // The file changes on the disk, and then here.
        page.test_id("source-text").await?.click().await?;
        page.press("# more\n").await?;
        see(page, "what can be saved", true, is_offered).await?;
        opened.change("kitchen/kettle/catalog.yaml", "Boils water.", "Boils milk.");
        page.text("Changed on the disk and here: kettle/catalog.yaml.").await?;
        page.text("Show the difference").await?.click().await?;
        page.text("Take the text of the disk").await?.click().await?;
        see(page, "the text of the disk", on_disk(), async || source(page).await).await?;
        see(page, "what can be saved", false, is_offered).await?;
        // What was typed can be brought back, and saved.
        click(page, "undo").await?;
        see(page, "what is typed", true, async || Ok(source(page).await?.contains("# more\n"))).await?;
        click(page, "save-to-disk").await?;
        see(page, "what can be saved", false, is_offered).await?;
        assert!(on_disk().contains("# more\n") && on_disk().contains("Boils water."));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_page_says_that_the_program_has_ended() -> Result {
    let mut opened = Opened::of(|_| {}, &["kitchen"])?;
    let address = opened.address.clone();
    journey_at(&address, async |page| {
        see_packages(page, &["kettle", "teapot"]).await?;
        opened.child.kill().expect("it runs");
        page.text("The page no longer follows the files of").await?;
        see_packages(page, &["kettle", "teapot"]).await?;
        // The browser logs the request that was cut off.
        page.console_errors().await.map(drop)
    })
    .await
}
