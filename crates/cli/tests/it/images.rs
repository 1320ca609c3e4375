//! `image:REF`: real registries on this computer, some of them behind a gate that asks for logins, sends elsewhere, limits, lies or
//! breaks off.

use crate::command::{Ended, catalog as catalog_of, file, folder, opscope, write};
use crate::open::{Opened, listed};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use oci_client::Reference;
use oci_client::client::{Client, ClientConfig, ClientProtocol, Config, ImageLayer};
use oci_client::manifest::OciImageIndex;
use oci_client::secrets::RegistryAuth;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const MANIFESTS: &str = "operators.operatorframework.io.bundle.manifests.v1";
const TAR: &str = "application/vnd.oci.image.layer.v1.tar";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";

/// A registry on this computer; it ends when it is dropped.
pub(crate) struct Registry {
    child: Child,
    port: u16,
}

impl Registry {
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, &[])
    }

    /// With these settings besides, as variables of its environment.
    fn with(name: &str, settings: &[(&str, &Path)]) -> Self {
        let root = folder(name);
        let port = free_port();
        let settings_file = root.join("config.yml");
        let address = format!("127.0.0.1:{port}");
        let text = "version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: /}}\nhttp: {addr: x}\n";
        fs::write(&settings_file, text).expect("the folder for tests can be written to");
        let mut command = Command::new(std::env::var_os("DOCKER_REGISTRY").unwrap_or("docker-registry".into()));
        command.arg("serve").arg(&settings_file).env("REGISTRY_HTTP_ADDR", &address);
        command.env("REGISTRY_STORAGE_FILESYSTEM_ROOTDIRECTORY", root.join("storage"));
        command.envs(settings.iter().copied()).stdout(Stdio::null()).stderr(Stdio::null());
        let help =
            "docker-registry runs: `cargo xtask setup` installs it on Debian; or set `DOCKER_REGISTRY` to its path";
        let child = command.spawn().expect(help);
        for _ in 0..200 {
            if TcpStream::connect(&address).is_ok() {
                break;
            }
            thread::sleep(Duration::from_millis(50));
        }
        Self { child, port }
    }

    pub(crate) fn image(&self, name: &str) -> String {
        format!("127.0.0.1:{}/{name}", self.port)
    }

    /// Pushes an image, and returns the digest and the size of its manifest.
    fn push(&self, name: &str, layers: Vec<ImageLayer>, config: Vec<u8>) -> (String, usize) {
        let image: Reference = self.image(name).parse().expect("a name of an image");
        let config = Config::new(config, CONFIG.to_owned(), None);
        let (client, anonymous) = (client(), RegistryAuth::Anonymous);
        wait(async {
            client.push(&image, &layers, config, &anonymous, None).await?;
            let pushed = client.pull_manifest_raw(&image, &anonymous, &[MANIFEST]).await;
            pushed.map(|(bytes, digest)| (digest, bytes.len()))
        })
        .expect("the registry takes the image")
    }

    /// Pushes the catalog with `etcd` and `other`, as an image of three layers.
    pub(crate) fn push_catalog(&self, name: &str) -> (String, usize) {
        let image = fixture("image.dir");
        let text = fs::read(image.join("manifest.json")).expect("there is a manifest");
        let manifest: serde_json::Value = serde_json::from_slice(&text).expect("it is JSON");
        let blob = |descriptor: &serde_json::Value| {
            let digest = descriptor["digest"].as_str().and_then(|digest| digest.strip_prefix("sha256:"));
            fs::read(image.join(digest.expect("a digest"))).expect("there is the blob")
        };
        let layers = manifest["layers"].as_array().expect("a list").iter();
        let layers = layers.map(|layer| ImageLayer::new(blob(layer), format!("{TAR}+gzip"), None));
        self.push(name, layers.collect(), blob(&manifest["config"]))
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn client() -> Client {
    // Also a client without TLS has a provider for it.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::new(ClientConfig { protocol: ClientProtocol::Http, ..ClientConfig::default() })
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("the system has sockets").block_on(future)
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../archive/tests/fixtures").join(name)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    listener.local_addr().expect("it is bound").port()
}

/// The command in the home of a user who has nothing, with a cache of its own.
fn run(home: &Path, arguments: &[&str]) -> Ended {
    let empty = home.join("none");
    let run = opscope(arguments).env("HOME", home).env("XDG_CACHE_HOME", home.join("cache"));
    let run = run.env("XDG_CONFIG_HOME", &empty).env("XDG_RUNTIME_DIR", &empty);
    run.env("DOCKER_CONFIG", home.join("docker")).ended()
}

fn validate(home: &Path, image: &str) -> Ended {
    run(home, &["--plain-http", "validate", &format!("image:{image}")])
}

/// The cache has nothing besides complete blobs.
fn check_cache(home: &Path) {
    let blobs = fs::read_dir(home.join("cache/opscope/blobs/sha256")).into_iter().flatten().flatten();
    for blob in blobs {
        let name = blob.file_name().into_string().expect("a name of digits");
        let bytes = fs::read(blob.path()).expect("it is a file");
        let digest = ImageLayer::new(bytes, TAR.to_owned(), None).sha256_digest();
        assert_eq!(digest, format!("sha256:{name}"));
    }
}

/// How a gate answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gate {
    /// As the registry.
    Open,
    /// Only with a token, which it gives to `user:word`.
    Tokens,
    /// Sends those who ask for blobs to another address.
    Elsewhere(u16),
    Status(u16, &'static str),
    /// Blobs end after half of their bytes.
    Cut,
    /// Blobs have other bytes.
    Lies,
    /// Addresses with this part have no end.
    Endless(&'static str),
}

/// Listens before a registry; returns its port, and the requests that come.
#[expect(clippy::disallowed_methods, reason = "the command has threads")]
fn gate(gate: Gate, registry: u16) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let port = listener.local_addr().expect("it is bound").port();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let seen = Arc::clone(&seen);
            thread::spawn(move || drop(answer(gate, port, registry, stream, &seen)));
        }
    });
    (port, requests)
}

fn answer(
    gate: Gate,
    port: u16,
    registry: u16,
    mut stream: TcpStream,
    seen: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte)? == 0 {
            return Ok(());
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    seen.lock().expect("nobody panicked").push(head.clone());
    let lower = head.to_ascii_lowercase();
    let is_blob = head.contains("/blobs/");
    let mut plain = |status: &str, headers: &str, body: &str| {
        let length = body.len();
        write!(stream, "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}")
    };
    match gate {
        Gate::Tokens if head.starts_with("GET /token?") => {
            // `user:word` in base64.
            if lower.contains("authorization: basic dxnlcjp3b3jk") {
                return plain("200 OK", "", r#"{"token": "opened"}"#);
            }
            return plain("401 Unauthorized", "", "no");
        }
        Gate::Tokens if !lower.contains("authorization: bearer opened") => {
            let realm =
                format!("Www-Authenticate: Bearer realm=\"http://127.0.0.1:{port}/token\",service=\"gate\"\r\n");
            return plain("401 Unauthorized", &realm, "");
        }
        Gate::Elsewhere(other) if is_blob => {
            let path = head.split(' ').nth(1).unwrap_or_default();
            return plain("307 Temporary Redirect", &format!("Location: http://127.0.0.1:{other}{path}\r\n"), "");
        }
        Gate::Status(code, body) => return plain(&format!("{code} No"), "", body),
        Gate::Endless(part) if head.contains(part) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            loop {
                stream.write_all(&[b' '; 4096])?;
            }
        }
        _ => {}
    }
    let mut behind = TcpStream::connect(("127.0.0.1", registry))?;
    behind.write_all(head.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes())?;
    let mut answered = Vec::new();
    behind.read_to_end(&mut answered)?;
    let body = answered.windows(4).position(|four| four == b"\r\n\r\n").map_or(answered.len(), |end| end + 4);
    if is_blob {
        match gate {
            Gate::Cut => answered.truncate(body + (answered.len() - body) / 2),
            Gate::Lies => answered[body..].iter_mut().for_each(|byte| *byte = !*byte),
            _ => {}
        }
    }
    stream.write_all(&answered)
}

#[test]
fn a_catalog_of_a_registry_is_read_as_its_archive() {
    let registry = Registry::new("registry-plain");
    registry.push_catalog("team/catalog:v1");
    let (home, image) = (folder("home-plain"), registry.image("team/catalog:v1"));
    let json = |path: &str| ["--plain-http", "validate", "--format", "json", path].map(str::to_owned);
    let ended = run(&home, &json(&format!("image:{image}")).each_ref().map(String::as_str));
    let line = format!(
        "opscope: pulls `{image}`\nopscope: image:{image}: registry, catalog image: 4 files in `configs` from 1 of 3 layers; its \
         layers remove 1 file of lower ones\n"
    );
    assert_eq!((ended.code, &*ended.errors), (1, &*line));
    let archived = run(&home, &json(&fixture("image.dir").display().to_string()).each_ref().map(String::as_str));
    let findings = |ended: &Ended, path: &str| {
        let report: serde_json::Value = serde_json::from_str(&ended.out).expect("it is JSON");
        report["findings"].to_string().replace(path, "PATH")
    };
    let expected = findings(&archived, &fixture("image.dir").display().to_string());
    assert!(expected.contains("PATH!/configs/other/catalog.json"));
    assert_eq!(findings(&ended, &format!("image:{image}")), expected);
    check_cache(&home);

    // What was pulled is there without the network, under its name and its digest.
    drop(registry);
    let offline = run(&home, &["--offline", "validate", &format!("image:{image}")]);
    assert_eq!(offline.code, 1);
    assert!(!offline.errors.contains("pulls"), "{}", offline.errors);
    let listed = run(&home, &["cache"]);
    assert!(listed.out.contains(": 5 blobs, ") && listed.out.contains(&format!("\n{image} sha256:")), "{}", listed.out);
    let digest = listed.out.split(' ').next_back().expect("a digest").trim();
    let name = image.rsplit_once(':').expect("a tag").0;
    assert_eq!(run(&home, &["--offline", "validate", &format!("image:{name}@{digest}")]).code, 1);
    let refused = validate(&home, &image);
    assert_eq!(refused.code, 2);
    assert!(
        refused.errors.contains("cannot reach `127.0.0.1:") && refused.errors.contains("`--offline`"),
        "{}",
        refused.errors
    );

    assert!(run(&home, &["cache", "--clear"]).out.contains(": 0 blobs, 0.0 MiB\n"));
    let gone = run(&home, &["--offline", "validate", &format!("image:{image}")]);
    assert!(gone.errors.contains(&format!("`{image}` is not in the cache")), "{}", gone.errors);
}

#[test]
fn a_damaged_cache_is_mended() {
    let registry = Registry::new("registry-damaged");
    let (digest, _) = registry.push_catalog("catalog:v1");
    let home = folder("home-damaged");
    assert_eq!(validate(&home, &registry.image("catalog:v1")).code, 1);
    for blob in fs::read_dir(home.join("cache/opscope/blobs/sha256")).expect("there are blobs").flatten() {
        let is_manifest = digest.ends_with(&*blob.file_name().to_string_lossy());
        let bytes = fs::read(blob.path()).expect("it is a file");
        if !is_manifest && bytes.starts_with(b"\x1f\x8b") && bytes.len() > 400 {
            fs::write(blob.path(), &bytes[..100]).expect("it can be written");
        }
    }
    let mended = validate(&home, &registry.image("catalog:v1"));
    assert!(mended.code == 1 && mended.errors.contains("which is pulled again"), "{}", mended.errors);
    check_cache(&home);
}

#[test]
fn a_login_opens_a_registry() {
    let registry = Registry::new("registry-tokens");
    registry.push_catalog("team/catalog:v1");
    let (port, _) = gate(Gate::Tokens, registry.port);
    let (home, image) = (folder("home-tokens"), format!("127.0.0.1:{port}/team/catalog:v1"));
    let refused = validate(&home, &image);
    let help =
        format!("`127.0.0.1:{port}` wants a login, or has no such image; log in with `podman login 127.0.0.1:{port}`");
    assert!(refused.code == 2 && refused.errors.contains(&help), "{}", refused.errors);
    // `user:wrong` for the registry, `user:word` for the team.
    let logins = |team: &str| format!(r#"{{"auths": {{"127.0.0.1:{port}": {{"auth": "dXNlcjp3cm9uZw=="}}{team}}}}}"#);
    write(&home, &[("docker/config.json", &logins(""))]);
    let refused = validate(&home, &image);
    assert!(refused.errors.contains("refuses the login from `"), "{}", refused.errors);
    assert!(!refused.errors.contains("wrong") && !refused.errors.contains("dXNlcjp3"), "{}", refused.errors);
    let team = format!(r#", "127.0.0.1:{port}/team": {{"auth": "dXNlcjp3b3Jk"}}"#);
    write(&home, &[("docker/config.json", &logins(&team))]);
    assert_eq!(validate(&home, &image).code, 1);
}

#[test]
fn a_token_does_not_follow_to_another_server() {
    let registry = Registry::new("registry-elsewhere");
    registry.push_catalog("catalog:v1");
    let (storage, requests) = gate(Gate::Open, registry.port);
    let (sender, _) = gate(Gate::Elsewhere(storage), registry.port);
    let (port, _) = gate(Gate::Tokens, sender);
    let home = folder("home-elsewhere");
    let login = format!(r#"{{"auths": {{"127.0.0.1:{port}": {{"auth": "dXNlcjp3b3Jk"}}}}}}"#);
    write(&home, &[("docker/config.json", &login)]);
    let ended = validate(&home, &format!("127.0.0.1:{port}/catalog:v1"));
    assert_eq!(ended.code, 1, "{}", ended.errors);
    let requests = requests.lock().expect("nobody panicked");
    assert_eq!(requests.len(), 4);
    assert!(requests.iter().all(|head| !head.to_ascii_lowercase().contains("authorization")), "{requests:?}");
}

#[test]
fn a_registry_that_fails_says_how() {
    let registry = Registry::new("registry-fails");
    registry.push_catalog("catalog:v1");
    let limited = r#"{"errors": [{"code": "TOOMANYREQUESTS", "message": "slow down"}]}"#;
    let cases = [
        (Gate::Status(429, limited), "limits how much is pulled; wait, or log in"),
        (Gate::Status(503, "<html>"), "answers with the HTTP status 503"),
        (Gate::Status(404, ""), "does not have it; check its name, tag and platform"),
        (Gate::Cut, "the connection ended too early"),
        (Gate::Lies, "sent something else than the digest says; nothing of it is kept"),
        (Gate::Endless("/blobs/"), "it is larger than its manifest says; nothing of it is kept"),
        (Gate::Endless("/manifests/"), "sends more than 4 MiB, where manifests and tokens have less"),
    ];
    for (number, (behind, expected)) in cases.into_iter().enumerate() {
        let (port, _) = gate(behind, registry.port);
        let home = folder(&format!("home-fails-{number}"));
        let ended = validate(&home, &format!("127.0.0.1:{port}/catalog:v1"));
        assert_eq!((ended.code, &*ended.out), (2, ""));
        assert!(ended.errors.contains(expected), "{}", ended.errors);
        check_cache(&home);
    }
    let home = folder("home-fails");
    let missing = validate(&home, &registry.image("catalog:v2"));
    assert!(missing.errors.contains("does not have it"), "{}", missing.errors);
    let wrong = validate(&home, "not a name");
    assert!(wrong.errors.contains("expected image:REGISTRY/NAME:TAG"), "{}", wrong.errors);
}

/// Files with a certificate for `localhost` and its key.
fn certified(name: &str) -> (PathBuf, PathBuf) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let pem = |kind: &str, der: &[u8]| {
        format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", BASE64_STANDARD.encode(der))
    };
    let certificate = file(&format!("{name}.crt"), pem("CERTIFICATE", made.cert.der()));
    (certificate, file(&format!("{name}.key"), pem("PRIVATE KEY", &made.signing_key.serialize_der())))
}

#[test]
fn a_registry_with_tls_needs_a_trusted_certificate() {
    let (certificate, key) = certified("registry");
    let registry = Registry::with(
        "registry-tls",
        &[("REGISTRY_HTTP_TLS_CERTIFICATE", &certificate), ("REGISTRY_HTTP_TLS_KEY", &key)],
    );
    let image = format!("image:localhost:{}/catalog:v1", registry.port);
    let home = folder("home-tls");
    let untrusted = run(&home, &["validate", &image]);
    assert!(
        untrusted.errors.contains("is not trusted") && untrusted.errors.contains("`SSL_CERT_FILE`"),
        "{}",
        untrusted.errors
    );
    let run =
        opscope(["validate", &image]).env("XDG_CACHE_HOME", home.join("cache")).env("SSL_CERT_FILE", &certificate);
    let trusted = run.ended();
    // It has no images.
    assert!(trusted.errors.contains("does not have it"), "{}", trusted.errors);
}

/// A registry with TLS names a place without TLS for logins.
#[test]
fn no_login_goes_to_a_place_without_tls() {
    let (certificate, key) = certified("realm");
    let realm = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    realm.set_nonblocking(true).expect("it is a socket");
    let address = format!("http://{}/token", realm.local_addr().expect("it is bound"));
    let registry = Registry::with(
        "registry-realm",
        &[
            ("REGISTRY_HTTP_TLS_CERTIFICATE", &certificate),
            ("REGISTRY_HTTP_TLS_KEY", &key),
            ("REGISTRY_AUTH", Path::new("token")),
            ("REGISTRY_AUTH_TOKEN_REALM", Path::new(&address)),
            ("REGISTRY_AUTH_TOKEN_SERVICE", Path::new("s")),
            ("REGISTRY_AUTH_TOKEN_ISSUER", Path::new("i")),
            ("REGISTRY_AUTH_TOKEN_ROOTCERTBUNDLE", &certificate),
        ],
    );
    let home = folder("home-realm");
    let host = format!("localhost:{}", registry.port);
    let logins = format!("{{\"auths\": {{\"{host}\": {{\"auth\": \"{}\"}}}}}}", BASE64_STANDARD.encode("u:secret"));
    let run = opscope(["validate", &format!("image:{host}/catalog:v1")]).env("XDG_CACHE_HOME", home.join("cache"));
    let run = run.env("SSL_CERT_FILE", &certificate).env("REGISTRY_AUTH_FILE", file("realm.json", logins));
    let ended = run.ended();
    assert!(ended.code == 2 && ended.errors.contains("leads to an address without TLS"), "{}", ended.errors);
    assert!(realm.accept().is_err(), "nothing was sent to it");
}

#[test]
fn a_platform_chooses_an_image() {
    let registry = Registry::new("registry-platform");
    let arm = registry.push_catalog("catalog:arm");
    let entry = |(digest, size): &(String, usize), architecture: &str| {
        let platform = serde_json::json!({ "os": "linux", "architecture": architecture });
        serde_json::json!({ "mediaType": MANIFEST, "digest": digest, "size": size, "platform": platform })
    };
    let amd = registry.push("catalog:amd", Vec::new(), b"{}".to_vec());
    let index = serde_json::json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [entry(&amd, "amd64"), entry(&arm, "arm64")],
    });
    let index: OciImageIndex = serde_json::from_value(index).expect("an index");
    let name: Reference = registry.image("catalog:v1").parse().expect("a name of an image");
    wait(async { client().push_manifest_list(&name, &RegistryAuth::Anonymous, index).await }).expect("it is taken");
    let (home, image) = (folder("home-platform"), format!("image:{}", registry.image("catalog:v1")));
    let of = |platform: &str| run(&home, &["--plain-http", "--platform", platform, "validate", &image]);
    let usual = run(&home, &["--plain-http", "validate", &image]);
    assert!(usual.errors.contains("the image has no label"), "{}", usual.errors);
    assert_eq!(of("linux/arm64").code, 1);
    let none = of("linux/s390x").errors;
    assert!(none.contains("no image for the platform linux/s390x, only for linux/amd64, linux/arm64"), "{none}");
}

#[test]
fn bundles_come_from_their_images() {
    let registry = Registry::new("registry-bundles");
    let mut layer = tar::Builder::new(Vec::new());
    let csv = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: p.v1.1.0}\n\
               spec: {version: 1.1.0, replaces: p.v1.0.0, install: {strategy: deployment, spec: {deployments: []}}}\n";
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                       operators.operatorframework.io.bundle.channels.v1: stable\n  \
                       operators.operatorframework.io.bundle.manifests.v1: manifests/\n  \
                       operators.operatorframework.io.bundle.metadata.v1: metadata/\n  \
                       operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n";
    for (path, text) in [("manifests/csv.yaml", csv), ("metadata/annotations.yaml", annotations)] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        layer.append_data(&mut header, path, text.as_bytes()).expect("memory takes it");
    }
    let layer = ImageLayer::new(layer.into_inner().expect("memory takes it"), TAR.to_owned(), None);
    let config = serde_json::json!({ "config": { "Labels": { MANIFESTS: "manifests/" } } }).to_string();
    registry.push("bundle:v1", vec![layer], config.into_bytes());
    let image = registry.image("bundle:v1");

    let home = folder("home-bundles");
    let template = format!(
        "schema: olm.template.basic\nentries:\n- {{schema: olm.package, name: p, defaultChannel: stable}}\n\
         - {{schema: olm.channel, package: p, name: stable, entries: [{{name: p.v1.1.0}}]}}\n\
         - {{schema: olm.bundle, image: \"{image}\"}}\n"
    );
    write(&home, &[("basic.yaml", &template)]);
    let template = home.join("basic.yaml").display().to_string();
    let without = run(&home, &["template", &template]);
    assert!(
        without.code == 1 && without.errors.contains("images that no catalog has: 1; `--pull` pulls them"),
        "{}",
        without.errors
    );
    let expanded = run(&home, &["--plain-http", "template", "--pull", &template]);
    assert!(expanded.code == 0 && expanded.out.contains(&format!("image: {image}\n")), "{expanded:?}");
    assert!(
        expanded.out.contains("name: p.v1.1.0\n") && expanded.out.contains("- type: olm.bundle.object\n"),
        "{expanded:?}"
    );

    write(&home, &[("catalog.yaml", &fixture::yaml("package p\nstable: 1.0.0"))]);
    let catalog = home.join("catalog.yaml").display().to_string();
    let named = format!("image:{image}");
    let rendered = run(&home, &["--plain-http", "render", &named, "--format", "yaml"]);
    assert!(rendered.code == 0 && rendered.out.contains(&format!("image: {image}\n")), "{rendered:?}");
    let released =
        run(&home, &["--plain-http", "release", &named, "--policy", "replace-head", "--into", &catalog, "--write"]);
    assert_eq!(released.code, 0, "{released:?}");
    let text = fs::read_to_string(&catalog).expect("the catalog is there");
    assert!(text.contains(&format!("image: {image}\n")) && text.contains("replaces: p.v1.0.0"), "{text}");
}

#[test]
fn a_published_catalog_is_a_baseline() {
    let registry = Registry::new("registry-baseline");
    registry.push_catalog("catalog:v1");
    let (home, image) = (folder("home-baseline"), format!("image:{}", registry.image("catalog:v1")));
    let catalog = fixture("catalog").display().to_string();
    let same = run(&home, &["--plain-http", "compare", &image, &catalog]);
    assert!(same.errors.contains("pulls `127.0.0.1:"), "{same:?}");
    write(&home, &[("catalog/catalog.yaml", &catalog_of("p"))]);
    let opened = Opened::started(&home, |options| {
        let arguments = [options, &["--plain-http", "catalog", "--baseline", &image]].concat();
        opscope(arguments).within(&home).env("XDG_CACHE_HOME", home.join("cache")).started()
    });
    let (files, _) = opened.since(0);
    assert_eq!(files.baselines, ["catalog-v1"]);
    assert!(listed(&files).contains(&"catalog-v1 configs/etcd/catalog.yaml".to_owned()), "{:?}", listed(&files));
    let written = run(&home, &["--plain-http", "repair", &image, "--write"]);
    assert!(written.code == 2 && written.errors.contains("it is an image of a registry"), "{written:?}");
}
