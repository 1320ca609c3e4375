//! The texts that users read, in one list, so that they can be read as a product writer would.

use std::fs;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

use crate::workspace::{files_below, root, say};

/// Where texts for users are written.
const FOLDERS: [&str; 9] = [
    "web/app/src/panels",
    "web/app/src/parts",
    "web/app/src/graph",
    "web/app/src/kit",
    "crates/messages/src",
    "crates/session/src",
    "crates/answers/src",
    "crates/resolver/src/explain",
    "crates/simulate/src/controller",
];

/// Words of earlier versions that nobody understood at the first reading.
const FORBIDDEN: [&str; 12] = [
    "is to be seen",
    "hardly meant",
    "nobody reads",
    "all the same",
    "to mend it",
    "the end of its way",
    "who can come here",
    "none is left here",
    "is not looked at",
    "or, by chance",
    "leaves it as it is",
    "each tried",
];

struct Text {
    path: String,
    line: usize,
    text: String,
}

/// Run with `cargo test -p xtask texts -- --nocapture` to read them all.
#[test]
fn texts_are_in_plain_words() {
    let texts = texts();
    for Text { path, line, text } in &texts {
        say(format_args!("{path}:{line}: {text}"));
    }
    assert!(texts.len() > 500, "found only {} texts: wrong folders?", texts.len());
    let wrong = texts.iter().filter(|text| FORBIDDEN.iter().any(|words| text.text.to_lowercase().contains(words)));
    let wrong: Vec<String> = wrong.map(|Text { path, line, text }| format!("{path}:{line}: {text}")).collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn only_texts_are_listed() {
    let source = "/// A doc.\n#[doc = \"no text\"]\nfn a() { say(\"two words\"); id(\"one\"); html! { <p class=\"wide low\" /> }; expect(\"an invariant holds\") }\n#[cfg(test)]\nmod tests { fn b() { say(\"a test\") } }\n";
    let mut found = Vec::new();
    collect(source.parse().expect("the sample is Rust"), &mut |_, text| found.push(text));
    assert_eq!(found, ["two words"]);
}

fn texts() -> Vec<Text> {
    let mut all = Vec::new();
    for folder in FOLDERS {
        for file in files_below(&root().join(folder)).expect("the folders exist") {
            let path = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
            let is_source = path.ends_with(".rs") && !path.contains("test");
            let Some(source) = is_source.then(|| fs::read_to_string(&file).ok()).flatten() else { continue };
            let tokens: TokenStream = source.parse().expect("a source file of the workspace is Rust");
            collect(tokens, &mut |line, text| all.push(Text { path: path.clone(), line, text }));
        }
    }
    all
}

/// Passes on the string literals of several words, except those of attributes, tests, broken invariants and CSS classes.
fn collect(tokens: TokenStream, take: &mut dyn FnMut(usize, String)) {
    let (mut is_attribute, mut is_internal, mut is_test) = (false, false, false);
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' && punct.spacing() == Spacing::Alone => {
                is_attribute = true;
            }
            TokenTree::Ident(ident) => {
                is_internal = ["expect", "assert", "class"].iter().any(|name| ident == *name);
            }
            TokenTree::Group(group) if is_attribute && group.delimiter() == Delimiter::Bracket => {
                is_test = group.stream().to_string().replace(' ', "") == "cfg(test)";
                is_attribute = false;
            }
            TokenTree::Group(group) => {
                let skips = std::mem::take(&mut is_internal) || (is_test && group.delimiter() == Delimiter::Brace);
                is_test = is_test && !skips;
                if !skips {
                    collect(group.stream(), take);
                }
            }
            TokenTree::Literal(_) if std::mem::take(&mut is_internal) => {}
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let words = text.split_whitespace().filter(|word| word.contains(|c: char| c.is_alphabetic())).count();
                if text.starts_with('"') && words > 1 {
                    take(literal.span().start().line, text.trim_matches('"').to_owned());
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}
