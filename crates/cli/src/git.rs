//! Files at a revision of a git repository: `git:REV:PATH`, read with the `git` program.

use crate::output::Failure;
use crate::reading::{MOST, add_repeated, too_large};
use archive::Limits;
use session::{NewText, decode_text};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// What a path begins with that names a revision.
const PREFIX: &str = "git:";

/// A file or folder at a revision of the repository of the current folder.
pub(crate) struct Revision<'p> {
    given: &'p str,
    revision: &'p str,
    /// Relative to the current folder; empty for that folder.
    path: &'p str,
}

impl<'p> Revision<'p> {
    /// The revision that a path names, if it is `git:REV:PATH` and no file has that name.
    pub(crate) fn of(path: &'p Path) -> Option<Self> {
        let given = path.to_str().filter(|_| !path.exists())?;
        let (revision, path) = given.strip_prefix(PREFIX)?.split_once(':').unwrap_or_default();
        let path = path.trim_start_matches("./").trim_end_matches('/');
        Some(Self { given, revision, path: if path == "." { "" } else { path } })
    }

    /// The path of one of its files.
    pub(crate) fn shown(&self, file: &str) -> String {
        let is_file = self.path == file || self.path.ends_with(&format!("/{file}"));
        let separator = if self.path.is_empty() { "" } else { "/" };
        let Self { given, revision, path } = self;
        if is_file { (*given).to_owned() } else { format!("{PREFIX}{revision}:{path}{separator}{file}") }
    }

    /// The last part of the path, with the revision.
    pub(crate) fn name(&self) -> String {
        let path = self.path.rsplit('/').next().filter(|name| !name.is_empty());
        path.map_or_else(|| self.revision.to_owned(), |name| format!("{name}-{}", self.revision))
    }

    /// Whether the revision has the file, or a file in the folder.
    ///
    /// # Errors
    /// When `git` cannot be run, the current folder is in no repository, or the revision is unknown.
    pub(crate) fn is_there(&self) -> Result<bool, Failure> {
        Ok(!self.listing()?.is_empty())
    }

    /// The text of another file at the revision, by its path from the current folder; `None` if it is not there.
    ///
    /// # Errors
    /// As those of [`Self::files`].
    pub(crate) fn text(&self, path: &str) -> Result<Option<String>, Failure> {
        let other = Revision { path, ..*self };
        if !other.is_there()? {
            return Ok(None);
        }
        let shown = other.shown_at(path);
        let failed = |reason: String| Failure::from(format!("cannot read `{shown}`: {reason}"));
        let content = other.files()?.into_iter().next().map(|file| file.content);
        content.map(|content| content.and_then(decode_text).map_err(failed)).transpose()
    }

    /// Whether git knows the file, which a change may have written.
    ///
    /// # Errors
    /// When `git` cannot be run.
    pub(crate) fn is_of_repository(&self, path: &Path) -> Result<bool, Failure> {
        Ok(!self.said(&["ls-files", "--", &path.display().to_string()])?.is_empty())
    }

    /// Another file at the revision, by its path from the current folder.
    pub(crate) fn shown_at(&self, path: &str) -> String {
        format!("{PREFIX}{}:{path}", self.revision)
    }

    /// Where the revision has documents of OLM that name one of these packages and are gone now: the innermost folder with all of
    /// them, as `git:REV:PATH`. `None` if there are none.
    ///
    /// # Errors
    /// When `git` cannot be run.
    pub(crate) fn moved(&self, packages: &[String]) -> Result<Option<String>, Failure> {
        let top = self.said(&["rev-parse", "--show-cdup"])?;
        let top = top.trim();
        let having = |texts: &[&str]| {
            let texts = texts.iter().flat_map(|text| ["-e", text]);
            let search = ["grep", "-l", "-z", "-F", "--full-name"].into_iter().chain(texts);
            let places = [self.revision, "--", ":/*.yaml", ":/*.yml", ":/*.json"];
            self.said(&search.chain(places).collect::<Vec<_>>())
        };
        let found = having(&packages.iter().map(String::as_str).collect::<Vec<_>>())?;
        let of_olm = having(&["olm."])?;
        let of_olm: HashSet<&str> = of_olm.split('\0').collect();
        let found = found.split('\0').filter(|file| of_olm.contains(file));
        let files = found.filter_map(|file| file.strip_prefix(self.revision)?.strip_prefix(':'));
        let gone = files.map(|file| format!("{top}{file}")).filter(|file| !Path::new(file).exists());
        let folders = gone.map(|file| Path::new(&file).parent().map(Path::to_path_buf).unwrap_or_default());
        let common = folders.reduce(|one, other| {
            let is_both = |folder: &&Path| other.starts_with(folder);
            one.ancestors().find(is_both).map(Path::to_path_buf).unwrap_or_default()
        });
        Ok(common.map(|folder| self.shown_at(&folder.display().to_string())))
    }

    /// What git prints; nothing if it fails, as where nothing is found.
    fn said(&self, arguments: &[&str]) -> Result<String, Failure> {
        let output = Command::new("git").args(arguments).stderr(Stdio::null()).output();
        let output = output.map_err(|error| format!("cannot run git for `{}`: {error}", self.given))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The file, or all files of the folder.
    ///
    /// # Errors
    /// When `git` cannot be run, the current folder is in no repository, or the revision or the path is unknown.
    pub(crate) fn files(&self) -> Result<Vec<NewText>, Failure> {
        let listed = self.listing()?;
        let objects: Vec<Object<'_>> = listed.split('\0').filter_map(Object::of).collect();
        if objects.is_empty() {
            let new = "the path is relative to the current folder; if it is new, there is nothing to compare with";
            return Err(format!("`{}` names no file at revision `{}`; {new}", self.given, self.revision).into());
        }
        let (mut known, mut repeated) = (HashSet::new(), 0);
        for object in objects.iter().filter(|object| !known.insert(object.id)) {
            add_repeated(&mut repeated, object.bytes, self.below(object.path))
                .map_err(|error| format!("cannot read `{}` from git: {error}", self.given))?;
        }
        let contents = self.contents(&objects)?;
        let files = objects
            .iter()
            .zip(contents)
            .map(|(object, content)| NewText { path: self.below(object.path).to_owned(), content });
        Ok(files.collect())
    }

    /// The path of a file below the folder; its name if it is the only file.
    fn below<'f>(&self, file: &'f str) -> &'f str {
        if file == self.path {
            return file.rsplit('/').next().unwrap_or(file);
        }
        file.strip_prefix(self.path).map_or(file, |below| below.trim_start_matches('/'))
    }

    /// What `git ls-tree` lists of the path.
    fn listing(&self) -> Result<String, Failure> {
        if self.revision.is_empty() || self.revision.starts_with('-') {
            return Err(format!("`{}` names no path at a revision; expected git:REV:PATH", self.given).into());
        }
        self.listed(if self.path.is_empty() { "." } else { self.path })
    }

    /// What `git ls-tree` lists. Folders that are the same folder are one object in git, so a small repository can have more files
    /// than anybody can list.
    fn listed(&self, path: &str) -> Result<String, Failure> {
        let failed = |error: std::io::Error| format!("cannot run git for `{}`: {error}", self.given);
        let mut git = Command::new("git")
            .args(["ls-tree", "-r", "-l", "-z", self.revision, "--", path])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let Limits { names: most, .. } = Limits::default();
        let mut listed = Vec::new();
        if let Some(output) = git.stdout.take() {
            // Git ends when nobody reads the rest.
            output.take(most + 1).read_to_end(&mut listed).map_err(failed)?;
        }
        let ended = git.wait_with_output().map_err(failed)?;
        if listed.len() as u64 > most {
            let help = "name the folder in it that has the catalog";
            return Err(format!("`{}` lists more than {} MiB of names; {help}", self.given, most >> 20).into());
        }
        if ended.status.success() {
            return Ok(String::from_utf8_lossy(&listed).into_owned());
        }
        let said = String::from_utf8_lossy(&ended.stderr);
        let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default().trim_start_matches("fatal: ");
        let first = format!("cannot read `{}`: git says: {first}", self.given);
        Err(Failure::of_lines(std::iter::once(first).chain(lines.map(|line| format!("  {line}")))))
    }

    fn contents(&self, objects: &[Object<'_>]) -> Result<Vec<Result<Vec<u8>, String>>, Failure> {
        let failed = |error: std::io::Error| format!("cannot read `{}` from git: {error}", self.given);
        let mut git = Command::new("git")
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (input, output) = (git.stdin.take(), git.stdout.take());
        let Some((mut input, output)) = input.zip(output) else { return Err("git has no pipes".to_owned().into()) };
        let questions: String =
            objects.iter().filter(|object| object.is_file()).map(|one| format!("{}\n", one.id)).collect();
        let read = std::thread::scope(|scope| {
            // Git answers before it has read all questions: one thread for both could wait for git while git waits for it.
            scope.spawn(move || input.write_all(questions.as_bytes()));
            let mut output = BufReader::new(output);
            let contents = objects.iter().map(|object| match object.is_file() {
                true => blob(&mut output).map(Ok),
                false => Ok(Err(format!("it is a {} in git, which is not followed", object.kind()))),
            });
            contents.collect::<std::io::Result<Vec<_>>>()
        });
        git.wait().map_err(failed)?;
        Ok(read.map_err(failed)?)
    }
}

/// The next answer of `git cat-file --batch`: `<id> blob <size>`, the bytes and a newline.
fn blob(output: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut head = String::new();
    output.read_line(&mut head)?;
    let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok());
    let size: usize = size.ok_or_else(|| std::io::Error::other(format!("unexpected answer `{}`", head.trim_end())))?;
    if size as u64 > MOST {
        return Err(too_large());
    }
    let mut bytes = vec![0; size];
    output.read_exact(&mut bytes)?;
    output.read_exact(&mut [0])?;
    Ok(bytes)
}

/// A line of `git ls-tree -l`: `<mode> <type> <id> <size>\t<path>`.
struct Object<'l> {
    mode: &'l str,
    id: &'l str,
    /// None of a submodule.
    bytes: u64,
    path: &'l str,
}

impl<'l> Object<'l> {
    fn of(line: &'l str) -> Option<Self> {
        let (meta, path) = line.split_once('\t')?;
        let mut fields = meta.split_whitespace();
        let (mode, id) = (fields.next()?, fields.nth(1)?);
        Some(Self { mode, id, bytes: fields.next()?.parse().unwrap_or(0), path })
    }

    fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }

    fn kind(&self) -> &'static str {
        match self.mode {
            "120000" => "symbolic link",
            _ => "submodule",
        }
    }
}
