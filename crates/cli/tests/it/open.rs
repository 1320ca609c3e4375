//! `opscope open`: what it serves, to whom, and what it refuses. The requests are written by hand: a client would not send most
//! of them.

use crate::command::{catalog, folder, opscope, write};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;
use views::{FileState, FollowedFiles, SavedFile};

/// A file that nobody named.
const SECRET: &str = "nobody may read this";

/// A running `opscope open`; it is killed when it is dropped.
pub(crate) struct Opened {
    child: Child,
    port: u16,
    token: String,
}

/// What it answered.
struct Answer {
    status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Opened {
    /// Opens paths, relative to a folder, with a page beside it.
    fn of(within: &Path, arguments: &[&str]) -> Self {
        Self::started(within, |options| opscope(options.iter().chain(arguments)).within(within).started())
    }

    /// The same, started by the caller with these options.
    pub(crate) fn started(within: &Path, start: impl Fn(&[&str]) -> Child) -> Self {
        let page = page(within);
        let mut child = start(&["open", "--no-browser", "--page", page.to_str().expect("a path of text")]);
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("it is a pipe"))
            .read_line(&mut line)
            .expect("it prints its address");
        let address = line.trim_end().strip_prefix("http://127.0.0.1:").expect("a loopback address");
        let (port, token) = address.split_once("/#open=").expect("a token in the fragment");
        Self { port: port.parse().expect("a port"), token: token.to_owned(), child }
    }

    /// The answer to these lines of a request, which stand after the first line.
    fn ask(&self, first: &str, headers: &[&str]) -> Answer {
        self.send(first, headers, "")
    }

    fn send(&self, first: &str, headers: &[&str], body: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("it is more than 0");
        let lines: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        stream.write_all(format!("{first}\r\n{lines}Connection: close\r\n\r\n{body}").as_bytes()).expect("it reads");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("it answers");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("the end of the headers");
        let headers = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let status = headers.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, headers, body: bytes[end + 4..].to_vec() }
    }

    /// The answer to the page itself.
    fn get(&self, path: &str, headers: &[&str]) -> Answer {
        let host = self.host();
        self.ask(&format!("GET {path} HTTP/1.1"), &[&[&*host], headers].concat())
    }

    /// The answer to edits, each a root, a path, the text before and the one after, with these headers.
    fn save(&self, files: &[[&str; 4]], headers: &[&str]) -> Answer {
        let of = |[root, path, before, after]: &[&str; 4]| SavedFile {
            root: (*root).to_owned(),
            path: (*path).to_owned(),
            before: (*before).to_owned(),
            after: (*after).to_owned(),
        };
        let files: Vec<SavedFile> = files.iter().map(of).collect();
        let body = serde_json::to_string(&files).expect("it is serialized");
        let length = format!("Content-Length: {}", body.len());
        self.send("POST /open/files HTTP/1.1", &[headers, &[&*length]].concat(), &body)
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    fn authorization(&self) -> String {
        format!("Authorization: Bearer {}", self.token)
    }

    /// What changed after a version, and the contents.
    pub(crate) fn since(&self, version: u32) -> (FollowedFiles, Vec<String>) {
        let answer = self.get(&format!("/open/files?{version}"), &[&self.authorization()]);
        assert_eq!(answer.status, 200, "{}", answer.headers);
        let (length, rest) = answer.body.split_at(FollowedFiles::LENGTH);
        let length = u32::from_be_bytes(length.try_into().expect("four bytes")) as usize;
        let (head, mut contents) = rest.split_at(length);
        let head: FollowedFiles = serde_json::from_slice(head).expect("what is told");
        let mut texts = Vec::new();
        for file in &head.files {
            if let FileState::Read(bytes) = file.state {
                let (content, rest) = contents.split_at(bytes as usize);
                texts.push(String::from_utf8_lossy(content).into_owned());
                contents = rest;
            }
        }
        assert!(contents.is_empty());
        (head, texts)
    }

    /// What it printed on standard error until it is ended.
    fn errors(mut self) -> String {
        self.child.kill().expect("it runs");
        let mut errors = String::new();
        let mut pipe = self.child.stderr.take().expect("it is a pipe");
        pipe.read_to_string(&mut errors).expect("it is text");
        errors
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // It may have ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A folder with what stands for the page.
fn page(within: &Path) -> PathBuf {
    let index = "<html><meta content=sw.js name=opscope-offline><p>the page";
    write(within, &[("page/index.html", index), ("page/app.js", "run()"), ("page/sw.js", "keep()")]);
    within.join("page")
}

#[test]
fn what_the_build_packed_is_sent_packed_to_whoever_takes_it() {
    let within = kitchen("open-packed");
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &b"start()"[..], &mut packed, &Default::default()).expect("it is packed");
    fs::write(page(&within).join("start.js.br"), &packed).expect("it is written");
    let opened = Opened::of(&within, &["kitchen"]);
    for (takes, encoding, body) in
        [("gzip, br", true, &packed[..]), ("gzip", false, b"start()"), ("", false, b"start()")]
    {
        let answer = opened.get("/start.js", &[&format!("Accept-Encoding: {takes}")]);
        assert_eq!(answer.headers.contains("content-encoding: br"), encoding, "{takes}: {}", answer.headers);
        assert!(answer.headers.contains("content-type: text/javascript"), "{}", answer.headers);
        assert_eq!(answer.body, body, "{takes}");
    }
    assert_eq!(opened.get("/app.js", &["Accept-Encoding: br"]).body, b"run()", "what is not packed stays as it is");
}

/// A folder with a catalog, and a secret beside it.
fn kitchen(name: &str) -> PathBuf {
    let within = folder(name);
    write(&within, &[("kitchen/kettle.yaml", &catalog("kettle")), ("secret.yaml", SECRET)]);
    within
}

/// The paths with their roots, and the reason for those without content.
pub(crate) fn listed(files: &FollowedFiles) -> Vec<String> {
    let line = |file: &views::FollowedFile| match &file.state {
        FileState::Read(_) => format!("{} {}", file.root, file.path),
        FileState::Unread(reason) => format!("{} {}: {reason}", file.root, file.path),
        FileState::Gone => format!("{} {}: gone", file.root, file.path),
    };
    files.files.iter().map(line).collect()
}

#[test]
fn the_page_comes_with_what_is_named() {
    let within = kitchen("open-named");
    let opened = Opened::of(&within, &["kitchen"]);
    let index = opened.get("/", &[]);
    assert_eq!((index.status, &*String::from_utf8_lossy(&index.body)), (200, "<html><p>the page"), "no service worker");
    for header in ["cache-control: no-store", "referrer-policy: no-referrer", "frame-ancestors 'none'", "nosniff"] {
        assert!(index.headers.contains(header), "{header} in {}", index.headers);
    }
    assert_eq!(opened.get("/app.js?x#y", &[]).body, b"run()");
    let (files, texts) = opened.since(0);
    assert_eq!((listed(&files), texts), (vec!["kitchen kettle.yaml".to_owned()], vec![catalog("kettle")]));
    assert_eq!(files.version, 1);
}

#[test]
fn a_baseline_a_cluster_a_revision_and_an_archive_are_roots_of_their_own() {
    let within = kitchen("open-roots");
    let git = |arguments: &[&str]| {
        let name = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let output =
            std::process::Command::new("git").args(name).args(arguments).current_dir(&within).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "kitchen"]);
    git(&["commit", "-qm", "first"]);
    let tar = std::process::Command::new("tar").args(["-czf", "old.tar.gz", "kitchen"]).current_dir(&within).status();
    assert!(tar.unwrap().success());
    write(&within, &[("kitchen/kettle.yaml", &catalog("teapot")), ("cluster.yaml", "kind: Subscription\n")]);
    write(&within, &[("other/kitchen/a.yaml", &catalog("a"))]);
    let opened = Opened::of(
        &within,
        &["kitchen", "other/kitchen", "old.tar.gz", "--baseline", "git:HEAD:kitchen", "--cluster", "cluster.yaml"],
    );
    let (files, texts) = opened.since(0);
    let expected = [
        "kitchen kettle.yaml",
        "kitchen-2 a.yaml",
        "old.tar.gz kitchen/kettle.yaml",
        "cluster cluster.yaml",
        "kitchen-HEAD kettle.yaml",
    ];
    assert_eq!(listed(&files), expected);
    assert_eq!(files.baselines, ["kitchen-HEAD"]);
    let cluster = "kind: Subscription\n".to_owned();
    assert_eq!(texts, [catalog("teapot"), catalog("a"), catalog("kettle"), cluster, catalog("kettle")]);
}

#[test]
fn files_need_the_token() {
    let within = kitchen("open-token");
    let opened = Opened::of(&within, &["kitchen"]);
    let other = Opened::of(&within, &["kitchen"]);
    assert!(opened.token.len() == 64 && opened.token != other.token);
    let token = &opened.token;
    let wrong = format!("Authorization: Bearer {}", other.token);
    let short = format!("Authorization: Bearer {}", &token[..63]);
    let basic = format!("Authorization: Basic {token}");
    let cookie = format!("Cookie: open={token}");
    let empty = "Authorization: Bearer ".to_owned();
    for headers in [&[][..], &[&wrong], &[&short], &[&basic], &[&cookie], &[&empty], &[&opened.authorization(), &wrong]]
    {
        let headers: Vec<&str> = headers.iter().map(|header: &&String| header.as_str()).collect();
        let answer = opened.get("/open/files?0", &headers);
        assert_eq!((answer.status, &*answer.body), (401, &b"401 Unauthorized\n"[..]), "{headers:?}");
    }
    assert_eq!(opened.get(&format!("/open/files?0&token={token}"), &[]).status, 401);
    let token = token.clone();
    let errors = opened.errors();
    assert!(!errors.contains(&token), "{errors}");
}

/// DNS rebinding: a name of the attacker points at 127.0.0.1, and the browser takes the answers for the attacker's own.
#[test]
fn only_its_own_host_is_answered() {
    let within = kitchen("open-host");
    let opened = Opened::of(&within, &["kitchen"]);
    let (port, token) = (opened.port, opened.authorization());
    let own = opened.host();
    let foreign = [
        format!("Host: attacker.example:{port}"),
        format!("Host: 127.0.0.1.attacker.example:{port}"),
        "Host: 127.0.0.1".to_owned(),
        format!("Host: 127.0.0.1:{}", port.wrapping_add(1)),
        format!("Host: 0.0.0.0:{port}"),
    ];
    for path in ["/", "/app.js", "/open/files?0"] {
        let first = format!("GET {path} HTTP/1.1");
        for host in &foreign {
            let answer = opened.ask(&first, &[host, &token]);
            assert_eq!((answer.status, &*answer.body), (421, &b"421 Misdirected Request\n"[..]), "{host} {path}");
        }
        assert_eq!(opened.ask(&format!("GET {path} HTTP/1.0"), &[&token]).status, 421, "no host");
        assert_ne!(opened.ask(&first, &[&own, &foreign[0], &token]).status, 200, "two hosts");
        // What the first line says of the host does not count.
        let absolute = format!("GET http://127.0.0.1:{port}{path} HTTP/1.1");
        assert_eq!(opened.ask(&absolute, &[&foreign[0], &token]).status, 421);
    }
    assert_eq!(opened.ask("GET / HTTP/1.1", &[&format!("Host: localhost:{port}")]).status, 200);
}

/// A page of another site sends requests, with what the browser adds to them, and may even know the token.
#[test]
fn pages_of_other_sites_get_nothing() {
    let within = kitchen("open-origin");
    let opened = Opened::of(&within, &["kitchen"]);
    let (port, token) = (opened.port, opened.authorization());
    let origins = ["https://attacker.example", "null", "http://127.0.0.1", "http://localhost:1", ""];
    let other_name = format!("http://localhost:{port}");
    for origin in origins.iter().copied().chain([&*other_name]) {
        let origin = format!("Origin: {origin}");
        for path in ["/", "/open/files?0"] {
            let answer = opened.get(path, &[&origin, &token]);
            assert_eq!((answer.status, &*answer.body), (403, &b"403 Forbidden\n"[..]), "{origin} {path}");
            assert!(!answer.headers.contains("access-control"), "{}", answer.headers);
        }
    }
    for site in ["cross-site", "same-site"] {
        let site = format!("Sec-Fetch-Site: {site}");
        assert_eq!(opened.get("/open/files?0", &[&site, &token]).status, 403);
        assert_eq!(opened.get("/app.js", &[&site, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"]).status, 403);
        let frame = ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"];
        assert_eq!(opened.get("/", &[&[&*site], &frame[..]].concat()).status, 403, "a frame");
        let link = ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];
        assert_eq!(
            opened.get("/", &[&[&*site], &link[..]].concat()).status,
            200,
            "a link shows the page, without files"
        );
    }
    let own = [format!("Origin: http://127.0.0.1:{port}"), "Sec-Fetch-Site: same-origin".to_owned(), token];
    assert_eq!(opened.get("/open/files?0", &own.each_ref().map(String::as_str)).status, 200);
}

#[test]
fn nothing_is_written_or_permitted() {
    let within = kitchen("open-methods");
    let opened = Opened::of(&within, &["kitchen"]);
    let (host, token) = (opened.host(), opened.authorization());
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        for path in ["/", "/open/files?0", "/kitchen/kettle.yaml"] {
            let preflight = "Access-Control-Request-Method: GET";
            let answer = opened.ask(&format!("{method} {path} HTTP/1.1"), &[&host, &token, preflight]);
            assert_eq!(answer.status, 405, "{method} {path}");
            assert!(!answer.headers.contains("access-control"), "{}", answer.headers);
        }
    }
}

#[test]
fn edits_are_saved_where_the_files_are_as_they_were() {
    let within = kitchen("open-write");
    write(&within, &[("alone.yaml", "a: 1\n"), ("before/kettle.yaml", "b: 1\n"), ("kitchen/teapot.yaml", "t: 1\n")]);
    let opened = Opened::of(&within, &["kitchen", "alone.yaml", "--baseline", "before", "--write"]);
    let (host, token) = (opened.host(), opened.authorization());
    let headers = [&*host, &*token];
    assert!(opened.since(0).0.is_writable);
    let text = |path: &str| fs::read_to_string(within.join(path)).unwrap();
    let kettle = catalog("kettle");
    let saved = opened.save(
        &[["kitchen", "kettle.yaml", &kettle, "k: 2\n"], ["alone.yaml", "alone.yaml", "a: 1\n", "a: 2\n"]],
        &headers,
    );
    assert_eq!(
        (saved.status, text("kitchen/kettle.yaml"), text("alone.yaml")),
        (204, "k: 2\n".into(), "a: 2\n".into())
    );
    let (files, texts) = opened.since(1);
    assert_eq!(listed(&files), ["kitchen kettle.yaml", "alone.yaml alone.yaml"], "other tabs have them, too");
    assert_eq!(texts, ["k: 2\n", "a: 2\n"]);
    // All or none: one of them changed meanwhile.
    fs::write(within.join("kitchen/kettle.yaml"), "k: 3\n").unwrap();
    let refused = opened.save(
        &[["kitchen", "teapot.yaml", "t: 1\n", "t: 2\n"], ["kitchen", "kettle.yaml", "k: 2\n", "k: 4\n"]],
        &headers,
    );
    let reason = String::from_utf8_lossy(&refused.body).into_owned();
    assert!(refused.status == 409 && reason.contains("kettle.yaml") && reason.contains("changed since"), "{reason}");
    assert_eq!((text("kitchen/kettle.yaml"), text("kitchen/teapot.yaml")), ("k: 3\n".into(), "t: 1\n".into()));
    for [root, path] in [
        ["kitchen", "new.yaml"],
        ["kitchen", "../secret.yaml"],
        ["kitchen", "./teapot.yaml"],
        ["", "secret.yaml"],
        ["..", "secret.yaml"],
        ["before", "kettle.yaml"],
        ["page", "index.html"],
    ] {
        let refused = opened.save(&[[root, path, SECRET, "gone"]], &headers);
        assert_eq!(refused.status, 409, "{root} {path}");
    }
    assert_eq!((text("secret.yaml"), text("before/kettle.yaml")), (SECRET.to_owned(), "b: 1\n".to_owned()));
    assert!(!within.join("kitchen/new.yaml").exists());
}

#[test]
fn only_its_own_page_saves() {
    let within = kitchen("open-write-attack");
    let opened = Opened::of(&within, &["kitchen", "--write"]);
    let (host, token, port) = (opened.host(), opened.authorization(), opened.port);
    let kettle = catalog("kettle");
    let edit = [["kitchen", "kettle.yaml", &*kettle, "gone"]];
    let foreign = format!("Host: attacker.example:{port}");
    assert_eq!(opened.save(&edit, &[&host]).status, 401);
    assert_eq!(opened.save(&edit, &[&host, "Authorization: Bearer x"]).status, 401);
    assert_eq!(opened.save(&edit, &[&foreign, &token]).status, 421);
    for header in ["Origin: https://attacker.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
        assert_eq!(opened.save(&edit, &[&host, &token, header]).status, 403, "{header}");
    }
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        assert_eq!(opened.ask(&format!("{method} /open/files HTTP/1.1"), &[&host, &token]).status, 405, "{method}");
    }
    let large = ["Content-Length: 400000000"];
    let answer = opened.send("POST /open/files HTTP/1.1", &[&[&*host, &*token], &large[..]].concat(), "");
    assert_eq!(answer.status, 413);
    let other = opened.send("POST /open/files HTTP/1.1", &[&host, &token, "Content-Length: 2"], "{}");
    assert_eq!(other.status, 400);
    assert_eq!(opened.send("POST / HTTP/1.1", &[&host, &token, "Content-Length: 2"], "[]").status, 405);
    assert_eq!(fs::read_to_string(within.join("kitchen/kettle.yaml")).unwrap(), kettle);
}

/// A checkout may make a link of what was named, or of a file in it.
#[cfg(unix)]
#[test]
fn nothing_is_saved_through_a_link() {
    for (name, root) in [("kitchen", "kitchen"), ("kitchen/kettle.yaml", "kettle.yaml")] {
        let within = kitchen(&format!("open-write-link-{root}"));
        let opened = Opened::of(&within, &[name, "--write"]);
        let kettle = catalog("kettle");
        write(&within, &[("elsewhere.yaml", &kettle)]);
        fs::remove_file(within.join("kitchen/kettle.yaml")).unwrap();
        std::os::unix::fs::symlink("../elsewhere.yaml", within.join("kitchen/kettle.yaml")).unwrap();
        if name != root {
            assert_eq!(opened.since(1).0.gone, [root]);
        }
        let (host, token) = (opened.host(), opened.authorization());
        let refused = opened.save(&[[root, "kettle.yaml", &kettle, "gone"]], &[&host, &token]);
        assert_eq!(refused.status, 409, "{name}");
        assert_eq!(fs::read_to_string(within.join("elsewhere.yaml")).unwrap(), kettle, "{name}");
    }
}

#[test]
fn no_address_is_a_path_on_the_disk() {
    let within = kitchen("open-paths");
    let opened = Opened::of(&within, &["kitchen"]);
    let absolute = within.join("secret.yaml");
    for path in [
        "/../secret.yaml",
        "/%2e%2e/secret.yaml",
        "/..%2fsecret.yaml",
        "/page/../../secret.yaml",
        "/..\\secret.yaml",
        "//secret.yaml",
        "/kitchen/kettle.yaml",
        "/open/../secret.yaml",
        "/open/files/../../secret.yaml",
        absolute.to_str().unwrap(),
    ] {
        let answer = opened.get(path, &[&opened.authorization()]);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert!(!String::from_utf8_lossy(&answer.body).contains(SECRET), "{path}");
    }
    for query in ["", "?", "?x", "?-1", "?4294967296", "?0/../../secret.yaml"] {
        assert_eq!(opened.get(&format!("/open/files{query}"), &[&opened.authorization()]).status, 400, "{query}");
    }
}

#[test]
fn it_listens_on_one_loopback_address() {
    let within = kitchen("open-loopback");
    let opened = Opened::of(&within, &["kitchen"]);
    // A server on all addresses would listen here, too.
    let other = TcpStream::connect(("127.0.0.2", opened.port));
    assert!(other.is_err(), "it listens on another address");
}

/// A folder of somebody else, whose links lead to files of whoever opens it; one comes while the page is open.
#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_what_is_named() {
    use std::os::unix::fs::symlink;
    let within = kitchen("open-links");
    symlink("../secret.yaml", within.join("kitchen/link.yaml")).unwrap();
    symlink("kettle.yaml", within.join("kitchen/inner.yaml")).unwrap();
    let opened = Opened::of(&within, &["kitchen"]);
    let (files, texts) = opened.since(0);
    let refused = "it is a symbolic link out of the folder, which is not followed";
    let expected =
        ["kitchen inner.yaml".to_owned(), "kitchen kettle.yaml".to_owned(), format!("kitchen link.yaml: {refused}")];
    assert_eq!(listed(&files), expected);
    assert!(texts.iter().all(|text| !text.contains(SECRET)));
    symlink("..", within.join("kitchen/later")).unwrap();
    let (files, texts) = opened.since(1);
    assert_eq!((listed(&files), texts), (vec![format!("kitchen later: {refused}")], Vec::new()));
    fs::remove_file(within.join("kitchen/kettle.yaml")).unwrap();
    symlink("../secret.yaml", within.join("kitchen/kettle.yaml")).unwrap();
    let (mut version, mut told) = (files.version, Vec::new());
    while !told.contains(&format!("kitchen kettle.yaml: {refused}")) {
        let (files, texts) = opened.since(version);
        assert!(texts.iter().all(|text| !text.contains(SECRET)));
        (version, told) = (files.version, listed(&files));
    }
}

#[test]
fn changes_of_files_are_told_and_nothing_else() {
    let within = kitchen("open-live");
    write(&within, &[("kitchen/sub/teapot.yaml", &catalog("teapot")), ("alone/alone.yaml", "a: 1\n")]);
    let opened = Opened::of(&within, &["kitchen", "alone/alone.yaml"]);
    assert_eq!(opened.since(0).0.files.len(), 3);
    let beside = |name: &str| within.join(name);
    // Some editors write into the file, most put a new one in its place.
    fs::write(beside("kitchen/sub/teapot.yaml"), catalog("pot")).unwrap();
    let (files, texts) = opened.since(1);
    assert_eq!((listed(&files), texts), (vec!["kitchen sub/teapot.yaml".to_owned()], vec![catalog("pot")]));
    fs::write(beside("alone/.new"), "a: 2\n").unwrap();
    fs::rename(beside("alone/.new"), beside("alone/alone.yaml")).unwrap();
    let (files, texts) = opened.since(files.version);
    assert_eq!((listed(&files), texts), (vec!["alone.yaml alone.yaml".to_owned()], vec!["a: 2\n".to_owned()]));
    // Neither a touched file nor a file beside the named one is a change.
    fs::write(beside("alone/alone.yaml"), "a: 2\n").unwrap();
    fs::write(beside("alone/other.yaml"), "a: 3\n").unwrap();
    fs::write(beside("secret.yaml"), "more").unwrap();
    fs::rename(beside("kitchen/sub"), beside("kitchen/new")).unwrap();
    let (files, _) = opened.since(files.version);
    assert_eq!(listed(&files), ["kitchen new/teapot.yaml", "kitchen sub/teapot.yaml: gone"]);
    assert_eq!(opened.since(0).0.files.len(), 3, "the page was opened again");
}

/// As a script that renders a catalog anew, and as a checkout of a branch without it.
#[test]
fn a_folder_that_goes_and_comes_back_is_followed() {
    let within = kitchen("open-gone");
    write(&within, &[("deep/kitchen/teapot.yaml", &catalog("teapot")), (".git/HEAD", "ref: x\n")]);
    write(&within, &[(".gitignore", "out/\n"), ("out/made.yaml", "a: 1\n")]);
    let opened = Opened::of(&within, &["deep/kitchen", "."]);
    let all = listed(&opened.since(0).0);
    assert!(all.iter().all(|file| !file.contains(".git/") && !file.contains("out/")), "{all:?}");
    let mut version = 1;
    for gone in ["deep/kitchen", "deep"] {
        fs::remove_dir_all(within.join(gone)).unwrap();
        let (files, _) = opened.since(version);
        assert_eq!(files.gone, ["kitchen"], "{gone}");
        // A commit is no change of what is named.
        fs::write(within.join(".git/HEAD"), "ref: y\n").unwrap();
        fs::create_dir_all(within.join("deep/kitchen")).unwrap();
        fs::write(within.join("deep/kitchen/teapot.yaml"), catalog("pot")).unwrap();
        version = files.version;
        while !opened.since(version).0.gone.is_empty() {
            version += 1;
        }
        // It is watched again.
        version = opened.since(0).0.version;
        fs::write(within.join("deep/kitchen/teapot.yaml"), catalog("teapot")).unwrap();
        let (files, texts) = opened.since(version);
        assert!(texts.contains(&catalog("teapot")), "{gone}: {:?}", listed(&files));
        version = files.version;
    }
}

#[test]
fn a_program_without_the_page_says_how_to_get_it() {
    let within = kitchen("open-no-page");
    let ended = opscope(["open", "--no-browser", "kitchen"]).within(&within).ended();
    assert_eq!((&*ended.out, ended.code), ("", 2));
    assert!(ended.errors.contains("`dist.tar.gz`") && ended.errors.contains("`--page`"), "{}", ended.errors);
    let ended = opscope(["open", "--no-browser", "--page", "kitchen", "kitchen"]).within(&within).ended();
    assert_eq!(ended.errors, "opscope: `kitchen` has no page; expected a folder with `index.html`\n");
    let page = page(&within);
    let ended = opscope(["open", "--no-browser", "--page", page.to_str().unwrap(), "nowhere"]).within(&within).ended();
    assert!(ended.code == 2 && ended.errors.starts_with("opscope: cannot read `nowhere`: "), "{}", ended.errors);
}
