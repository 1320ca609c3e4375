//! `opscope explain-message`: where the text comes from, and what it prints.

use crate::command::{file, opscope};
use serde_json::Value;

const MESSAGE: &str = "constraints not satisfiable: no operators found in package etcd in the catalog referenced by \
                       subscription s, subscription s exists";

#[test]
fn a_message_is_told_with_what_helps_first() {
    let expected =
        "stuck: OLM resolves nothing in the namespace; what runs goes on: a field of a Subscription is wrong,
       and nothing else
    first: correct `spec.name`, or `spec.source` if another catalog has the package
  1. the CatalogSource of Subscription `s` does not have package `etcd`
       no operators found in package etcd in the catalog referenced by subscription s
  2. Subscription `s` takes part
       subscription s exists
";
    let from_argument = opscope(["explain-message", MESSAGE]).ended();
    assert_eq!(from_argument.parts(), (expected.to_owned(), String::new(), 0));
    let path = file("message.txt", MESSAGE);
    let from_file = opscope(["explain-message".as_ref(), "--file".as_ref(), path.as_os_str()]).ended();
    let from_input = opscope(["explain-message"]).input(MESSAGE).ended();
    assert_eq!([from_file.out, from_input.out], [expected, expected]);
}

#[test]
fn programs_get_what_it_names() {
    let ended = opscope(["explain-message", "--format", "json", MESSAGE]).ended();
    let view: Value = serde_json::from_str(&ended.out).unwrap();
    let message = &view["messages"][0];
    assert_eq!(message["verdict"], "stuck");
    assert_eq!(message["sentences"][0]["names"][1], serde_json::json!({"kind": "package", "name": "etcd"}));
}

#[test]
fn a_text_without_a_message_has_no_answer() {
    let ended = opscope(["explain-message", "good morning"]).ended();
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(ended.errors.contains("no message of OLM that Opscope knows"), "{}", ended.errors);
}
