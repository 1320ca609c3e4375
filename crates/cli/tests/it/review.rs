//! `opscope review`: what is wrong with a catalog and what its change does, in one answer.

use crate::command::{folder, opscope, write};

#[test]
fn a_review_has_the_findings_and_the_comparison() {
    let within = folder("review");
    let before = fixture::yaml("package p\nstable: 1.1.0 (replaces 1.0.0), 1.0.0");
    let after = fixture::yaml("package p\nstable: 1.1.0 (skipRange >=1.0.1 <1.1.0)");
    write(
        &within,
        &[
            ("before.yaml", &before),
            ("after.yaml", &after),
            ("half.yaml", &after.replacen("entries:", "entries: [", 1)),
        ],
    );
    let review = |arguments: &[&str]| opscope([&["review"], arguments].concat()).within(&within).ended();
    let bad = review(&["after.yaml", "--before", "before.yaml"]);
    assert_eq!(bad.code, 1);
    let (stuck, opm) = (bad.out.find("stuck, and OLM reports nothing"), bad.out.find("opm: valid: 1 package"));
    assert!(stuck.is_some() && stuck < opm, "{}", bad.out);
    assert_eq!(review(&["before.yaml", "--before", "before.yaml"]).code, 0);
    assert_eq!(review(&["after.yaml"]).code, 0, "there is nothing to compare with");
    // The findings are printed even where there is no comparison.
    let half = review(&["after.yaml", "--before", "half.yaml"]);
    assert!(half.code == 2 && half.out.contains("opm: valid: 1 package"), "{}{}", half.out, half.errors);
    let gone = review(&["after.yaml", "--before", "gone.yaml"]);
    assert!(gone.code == 2 && gone.out.contains("opm: valid"), "{}{}", gone.out, gone.errors);
    let invalid = fixture::yaml("package p\nstable: 1.1.0, 1.0.0");
    write(&within, &[("invalid.yaml", &invalid)]);
    let invalid = review(&["invalid.yaml", "--before", "before.yaml", "--format", "markdown"]);
    assert!(invalid.code == 1 && invalid.out.contains("### opm: invalid: "), "{}", invalid.out);
}

#[test]
fn html_is_one_file_in_which_names_are_text() {
    let within = folder("review-html");
    let hostile = "<script>alert(1)</script><!--picture 1-->";
    let after =
        fixture::yaml("package p\nstable: 1.1.0 (skipRange >=1.0.1 <1.1.0)").replace("stable", &format!("'{hostile}'"));
    let before =
        fixture::yaml("package p\nstable: 1.1.0 (replaces 1.0.0), 1.0.0").replace("stable", &format!("'{hostile}'"));
    write(&within, &[("before.yaml", &before), ("after.yaml", &after)]);
    let arguments = ["review", "after.yaml", "--before", "before.yaml", "--format", "html"];
    let html = opscope(arguments).within(&within).ended().out;
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("&lt;script&gt;"), "{html}");
    assert!(!html.contains("<script") && !html.contains("<!--picture"), "{html}");
    assert_eq!(html.matches("data:image/svg+xml;base64,").count(), 2, "light and dark");
    for elsewhere in ["http:", "https:", "src=\"//", "url("] {
        assert!(!html.contains(elsewhere), "{elsewhere}");
    }
}
