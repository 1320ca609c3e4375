//! What Makefiles and shell scripts render: `opm alpha render-template [TYPE] TEMPLATE > CATALOG`.
//!
//! Variables, lists of `for` and rules of make are followed as far as the text alone tells their values. All else makes a word
//! unknown, and nothing is said of a command with an unknown path.

mod make;
mod shell;

use make::Make;
use shell::{RENDER, Shell, tokens};
use std::collections::BTreeSet;

/// A template, and what is rendered from it; both are paths in the folder that the command runs in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rendering {
    pub(crate) template: String,
    pub(crate) catalog: String,
}

/// Whether a file is a Makefile or a shell script, by its name.
pub(crate) fn is_script(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    is_makefile(name) || [".sh", ".bash"].iter().any(|ending| name.ends_with(ending))
}

fn is_makefile(name: &str) -> bool {
    ["Makefile", "makefile", "GNUmakefile"].iter().any(|start| name.starts_with(start)) || name.ends_with(".mk")
}

/// Whether a Makefile or a script may render something.
#[must_use]
pub fn may_render(text: &str) -> bool {
    text.contains(RENDER)
}

/// What a Makefile or a script renders in a folder of these files, if it runs there.
pub(crate) fn renderings(path: &str, text: &str, existing: &BTreeSet<&str>, folder: &str) -> BTreeSet<Rendering> {
    if !may_render(text) {
        return BTreeSet::new();
    }
    let mut shell = Shell::new(existing, folder);
    if is_makefile(path.rsplit('/').next().unwrap_or_default()) {
        Make::of(text).run(&mut shell);
    } else {
        shell.run(&tokens(text), 0);
    }
    shell.found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is rendered, as lines; all files that a test names are there.
    #[track_caller]
    fn check(path: &str, text: &str, expected: &[&str]) {
        let existing = BTreeSet::from([
            "",
            "c",
            "t",
            "v4.18",
            "v4.19",
            "c/p.yaml",
            "c/v4.18.yaml",
            "c/v4.19.yaml",
            "t/p.yaml",
            "t/v4.18.yaml",
            "t/v4.19.yaml",
            "v4.18/c.json",
            "v4.18/t.yaml",
            "v4.19/c.json",
            "v4.19/t.yaml",
        ]);
        let found = renderings(path, text, &existing, "");
        let lines: Vec<String> = found.iter().map(|found| format!("{} > {}", found.template, found.catalog)).collect();
        assert_eq!(lines, expected, "{text}");
    }

    const P: &str = "t/p.yaml > c/p.yaml";
    const BOTH: [&str; 2] = ["t/v4.18.yaml > c/v4.18.yaml", "t/v4.19.yaml > c/v4.19.yaml"];

    #[test]
    fn a_command_names_both() {
        for text in [
            "opm alpha render-template basic t/p.yaml > c/p.yaml",
            "./bin/opm alpha render-template t/p.yaml -o yaml >c/p.yaml # see below",
            "opm alpha render-template semver --output=yaml --migrate-level bundle-object-to-csv-metadata \\\n  ./t/p.yaml \\\n  > c/p.yaml",
            "mkdir -p c && opm alpha render-template semver -o yaml < \"t/p.yaml\" >> 'c/p.yaml' 2>/dev/null || exit 1",
            "podman run --rm -v \"$(pwd)\":/work:z -w /work \"${OPM_IMAGE}\" alpha render-template basic t/p.yaml > c/p.yaml",
            "(cd v4.18; ls)\ncd t; opm alpha render-template basic $FLAGS p.yaml > ../c/p.yaml",
        ] {
            check("render.sh", text, &[P]);
        }
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        for text in [
            "opm alpha render-template basic $1 > $2",
            "opm alpha render-template basic t/p.yaml | yq . > c/p.yaml",
            "opm alpha render-template basic t/p.yaml 2> c/p.yaml",
            "# opm alpha render-template basic t/p.yaml > c/p.yaml",
            "if x; then OUT=c/p.yaml; else OUT=c/v4.18.yaml; fi; opm alpha render-template basic t/p.yaml > $OUT",
            "OUT=$(mktemp); opm alpha render-template basic t/p.yaml > $OUT",
            "opm alpha render-template basic t/p.yaml t/v4.18.yaml > c/p.yaml",
            "opm alpha render-template basic t/p.yaml > c/missing.yaml",
            "opm alpha render-template basic '$T' > c/p.yaml",
        ] {
            check("render.sh", text, &[]);
        }
    }

    #[test]
    fn scripts_go_through_lists() {
        for text in [
            "for v in v4.18 v4.19; do\n  opm alpha render-template semver t/$v.yaml > c/${v}.yaml\ndone",
            "ALL=\"v4.18 v4.19\"\nfor v in $ALL\ndo opm alpha render-template semver \"t/${v}.yaml\" > \"c/$v.yaml\"; done;",
            "ALL=(\"v4.18\" v4.19)\nfor v in \"${ALL[@]}\"; do if x; then opm alpha render-template t/$v.yaml > c/$v.yaml; fi; done",
            "for t in t/v*.yaml; do\n  name=$(basename \"${t}\" .yaml)\n  opm alpha render-template $t > c/$name.yaml\ndone",
            "for t in t/v*; do opm alpha render-template $t > c/${t##*/}; done",
            "files=\"t/v*.yaml\"\nfor t in ${files}; do out=\"${t/t/c}\"; \"${1}\" alpha render-template $t > $out; done",
        ] {
            check("hack/render.sh", text, &BOTH);
        }
        let text = "for v in v4.18 v4.19; do (cd $v && opm alpha render-template t.yaml > c.json); done";
        check("x.sh", text, &["v4.18/t.yaml > v4.18/c.json", "v4.19/t.yaml > v4.19/c.json"]);
    }

    #[test]
    fn rules_of_make_name_both() {
        for text in [
            "catalog:\n\topm alpha render-template semver -o yaml t/p.yaml > c/p.yaml\n",
            "OPM ?= $(LOCALBIN)/opm\nDIR := c\nOUT = ${DIR}/p.yaml # it\n\ncatalog: opm\n\t@mkdir -p c && \\\n\t$(OPM) alpha \
             render-template basic $(CURDIR)/t/p.yaml > $(OUT);\n",
            "c/p.yaml: t/p.yaml | c\n\t$(OPM) alpha render-template basic $< > $@\n",
            "all: $(ALL)\nc/p.%: t/p.% opm\n\t$(OPM) alpha render-template basic -o $* $< > $@\n",
        ] {
            check("Makefile", text, &[P]);
        }
        let text =
            "V = v4.18 v4.19\nall:\n\tfor v in $(V); do opm alpha render-template t/$$v.yaml > c/$${v}.yaml; done\n";
        check("build/catalog.mk", text, &BOTH);
        let text = "$(FILES): c/v%.yaml: ./t/v%.yaml\n\topm alpha render-template basic $< > $@\n";
        check("Makefile", text, &BOTH);
        let text = "OUT = c/p.yaml\nifdef X\nOUT = c/v4.18.yaml\nendif\nA = $(A)\nx:\n\topm alpha render-template basic t/p.yaml > $(OUT)\n";
        check("Makefile", text, &[]);
    }

    #[test]
    fn loops_and_variables_end() {
        let lists = "for a in 1 2 3 4 5 6 7 8 9; do ".repeat(30) + "opm render-template x > y";
        check("x.sh", &lists, &[]);
        let doubled: String = (1..60).map(|at| format!("A{at} = $(A{}) $(A{})\n", at - 1, at - 1)).collect();
        check("Makefile", &format!("A0 = x\n{doubled}x:\n\topm render-template $(A59) > $(A59)\n"), &[]);
        for text in
            ["$(", "${", "x=(", "\"$(", "\\", "$", ">", "for", "for x", "for x in", "done", ")", "%:%\n\t$<", ":::"]
        {
            check("x.sh", &format!("{text} render-template"), &[]);
            check("Makefile", &format!("{text}\n\t{text} render-template {text}"), &[]);
        }
    }
}
