//! Why an image was not pulled, in words.

use super::credentials::Login;
use crate::output::Failure;
use crate::paths::shown_path;
use oci_client::Reference;
use oci_client::errors::{DigestError, OciDistributionError as Error, OciErrorCode};
use source::{ShellCommand, one_line};
use std::error::Error as StdError;

/// The most characters of what a registry says.
const SAID: usize = 200;

/// What went wrong.
enum Cause {
    Unauthorized,
    NotFound,
    Limited,
    Status(u16),
    Certificate(String),
    Unreachable(String),
    TimedOut,
    Cut,
    WrongDigest,
    Other(String),
}

/// The failure of a pull. `what` names the image, or its manifest or layer.
pub(super) fn failure(image: &Reference, what: &str, login: Option<&Login>, error: &Error) -> Failure {
    let registry = one_line(image.registry());
    let [podman, docker] = ["podman login", "docker login"].map(|login| ShellCommand::new(login).word(&registry));
    let log_in = format!("log in with `{podman}` or `{docker}`");
    let reason = match cause(error) {
        Cause::Unauthorized => match login {
            Some(login) => {
                format!("`{registry}` refuses the login from `{}`; {log_in} again", shown_path(&login.file))
            }
            None => format!("`{registry}` wants a login, or has no such image; {log_in}"),
        },
        Cause::NotFound => format!("`{registry}` does not have it; check its name, tag and platform"),
        Cause::Limited => format!("`{registry}` limits how much is pulled; wait, or {log_in}"),
        Cause::Status(code) => format!("`{registry}` answers with the HTTP status {code}; try again later"),
        Cause::Certificate(said) => format!(
            "the certificate of `{registry}` is not trusted ({said}); name a file with its authority in `SSL_CERT_FILE`"
        ),
        Cause::Unreachable(said) => {
            format!("cannot reach `{registry}` ({said}); `--offline` uses what was pulled before")
        }
        Cause::TimedOut => format!("`{registry}` does not answer in time; try again later"),
        Cause::Cut => "the connection ended too early; what is complete was kept, so try again".to_owned(),
        Cause::WrongDigest => format!("`{registry}` sent something else than the digest says; nothing of it is kept"),
        Cause::Other(said) => format!("`{registry}`: {said}"),
    };
    format!("cannot pull {what}: {reason}").into()
}

fn cause(error: &Error) -> Cause {
    match error {
        Error::UnauthorizedError { .. } | Error::AuthenticationFailure(_) => Cause::Unauthorized,
        Error::ImageManifestNotFoundError(_) => Cause::NotFound,
        Error::RegistryError { envelope, .. } => match envelope.errors.first().map(|error| &error.code) {
            Some(OciErrorCode::Unauthorized | OciErrorCode::Denied) => Cause::Unauthorized,
            Some(
                OciErrorCode::ManifestUnknown
                | OciErrorCode::NameUnknown
                | OciErrorCode::NotFound
                | OciErrorCode::BlobUnknown
                | OciErrorCode::ManifestBlobUnknown,
            ) => Cause::NotFound,
            Some(OciErrorCode::Toomanyrequests) => Cause::Limited,
            _ => Cause::Other(said(&envelope.to_string())),
        },
        Error::ServerError { code, .. } => match code {
            401 | 403 => Cause::Unauthorized,
            404 => Cause::NotFound,
            429 => Cause::Limited,
            code => Cause::Status(*code),
        },
        Error::RequestError(error) => {
            let root = root(error);
            if root.contains("certificate") || root.contains("UnknownIssuer") {
                Cause::Certificate(said(&root))
            } else if error.is_timeout() {
                Cause::TimedOut
            } else if error.is_connect() {
                Cause::Unreachable(said(&root))
            } else if error.is_body() || error.is_decode() || error.is_request() {
                Cause::Cut
            } else {
                Cause::Other(said(&root))
            }
        }
        Error::IoError(error) => match error.get_ref() {
            Some(inner) if inner.is::<DigestError>() => Cause::WrongDigest,
            _ => Cause::Cut,
        },
        Error::DigestError(_) => Cause::WrongDigest,
        error => Cause::Other(said(&error.to_string())),
    }
}

/// The innermost reason: those around it only say that a request failed.
fn root(error: &dyn StdError) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

fn said(text: &str) -> String {
    one_line(text).chars().take(SAID).collect()
}
