//! Files that are never read: those of git itself, and in a repository those that its `.gitignore` files name.

use catalog::IndexIgnore;

/// The folder of git, or in a worktree its file.
const GIT: &str = ".git";
/// What a file is named that lists what git leaves out.
const LIST: &str = ".gitignore";

/// Which files are left out.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    is_repository: bool,
    ignored: IndexIgnore,
}

impl LeftOut {
    /// For a folder with these paths; `lists` are paths and texts of `.gitignore` files, which count in a repository.
    #[must_use]
    pub fn of<'p>(mut paths: impl Iterator<Item = &'p str>, lists: &[(&str, &str)]) -> Self {
        let is_repository = paths.any(|path| path.split('/').next() == Some(GIT));
        Self::of_repository(is_repository, lists)
    }

    /// The same of a folder that is a repository, or none.
    #[must_use]
    pub fn of_repository(is_repository: bool, lists: &[(&str, &str)]) -> Self {
        let lists = lists.iter().filter(|(path, _)| is_repository && is_list(path));
        Self { is_repository, ignored: IndexIgnore::new(lists.copied()) }
    }

    /// Whether a file is left out.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        path.split('/').any(|part| part == GIT) || self.is_repository && self.ignored.ignores(path)
    }

    /// Whether a file says what is left out.
    #[must_use]
    pub fn is_list(&self, path: &str) -> bool {
        self.is_repository && is_list(path)
    }
}

fn is_list(path: &str) -> bool {
    path.rsplit('/').next() == Some(LIST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_leaves_out_is_left_out_of_a_repository() {
        let lists = [(".gitignore", "/bin\n*.log\n"), ("a/.gitignore", "!keep.log\nout/\n")];
        let of = |paths: [&str; 2]| LeftOut::of(paths.into_iter(), &lists);
        let repository = of([".git/HEAD", "a/c.yaml"]);
        for (path, is_out) in [
            (".git/HEAD", true),
            ("a/.git", true),
            ("bin/x", true),
            ("a/bin", false),
            ("a/b/x.log", true),
            ("a/keep.log", false),
            ("a/out/x", true),
            ("out/x", false),
            ("a/c.yaml", false),
        ] {
            assert_eq!(repository.has(path), is_out, "{path}");
        }
        assert!(!of(["c.yaml", "x.log"]).has("x.log"), "for opm it is a file of the catalog");
    }
}
