//! The standard library by area. Each verdict follows from cel-go's sources or its tests; the properties are one
//! `{"type": "t", "value": {"i": 3, "d": 1.5, "s": "text", "l": [1, "a"], "n": null, "b": true}}`.

use std::collections::BTreeMap;

use cel::{EvalError, Fuel, Program, Property, PropertyValue};
use serde_json::{Value, json};

fn evaluate(rule: &str) -> Result<bool, String> {
    let program = Program::compile(rule).map_err(|error| error.to_string())?;
    let value = json!({"i": 3, "d": 1.5, "s": "text", "l": [1, "a"], "n": null, "b": true});
    let properties = [Property { kind: "t", value: PropertyValue::Json(&value) }];
    program.evaluate(&properties, &mut Fuel::default()).map_err(|error| match error {
        EvalError::Failed(text) => text.to_string(),
        EvalError::NotKnown(why) => format!("not known: {why}"),
    })
}

#[track_caller]
fn check_true(rules: &[&str]) {
    for rule in rules {
        assert_eq!(evaluate(rule), Ok(true), "{rule}");
    }
}

/// Rules and the errors of their evaluation.
#[track_caller]
fn check_errors(rules: &[(&str, &str)]) {
    for (rule, error) in rules {
        assert_eq!(evaluate(rule), Err((*error).to_owned()), "{rule}");
    }
}

/// Rules, the column of the first error that cel-go reports, and the error.
#[track_caller]
fn check_refused(rules: &[(&str, u32, &str)]) {
    for (rule, column, message) in rules {
        let error = Program::compile(rule).expect_err(rule).to_string();
        assert_eq!(error.lines().next(), Some(&*format!("ERROR: <input>:1:{column}: {message}")), "{rule}");
    }
}

/// Rules with a syntax error, its column, and what it says.
#[track_caller]
fn check_syntax(rules: &[(&str, u32, &str)]) {
    for (rule, column, message) in rules {
        let error = Program::compile(rule).expect_err(rule).to_string();
        let expected = format!("cel-go refuses the rule: syntax error at line 1, column {column}: {message}");
        assert_eq!(error.lines().next(), Some(&*expected), "{rule}");
    }
}

#[test]
fn arithmetic() {
    check_true(&[
        "1 + 2 * 3 - 4 / 2 == 5",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "7u / 2u == 3u && 7u % 2u == 1u",
        "1.5 + 1.0 == 2.5 && 1.0 / 0.0 > 1e308",
        "-9223372036854775808 < 0",
        "0x7fffffffffffffff == 9223372036854775807 && 0xFFu == 255u",
        "--1 == 1 && !!true",
        ".5 + 5e-1 == 1.0",
    ]);
    check_errors(&[
        ("9223372036854775807 + 1 == 0", "integer overflow"),
        ("-9223372036854775808 - 1 == 0", "integer overflow"),
        ("-9223372036854775808 / -1 == 0", "integer overflow"),
        ("-(-9223372036854775808) == 0", "integer overflow"),
        ("1u - 2u == 0u", "unsigned integer overflow"),
        ("1 / 0 == 0", "division by zero"),
        ("1 % 0 == 0", "modulus by zero"),
        ("dyn(1) + dyn(1.5) == 2.5", "no such overload"),
        ("dyn(true) + 1 == 2", "no such overload: _+_"),
        ("-dyn(1u) == 1", "no such overload: -_"),
        ("!dyn(1)", "no such overload"),
    ]);
    check_refused(&[
        ("9223372036854775808 > 0", 1, "invalid int literal"),
        ("-9223372036854775809 > 0", 1, "invalid int literal"),
        ("18446744073709551616u > 0u", 1, "invalid uint literal"),
        ("1e999 > 0.0", 1, "invalid double literal"),
        ("1 + 1u == 2", 3, "found no matching overload for '_+_' applied to '(int, uint)'"),
        ("-1u == 1", 1, "found no matching overload for '-_' applied to '(uint)'"),
        ("1.0 % 1.0 == 0.0", 5, "found no matching overload for '_%_' applied to '(double, double)'"),
    ]);
}

#[test]
fn equality_and_order() {
    check_true(&[
        "dyn(1) == 1.0 && dyn(1u) == 1 && dyn(1) != 1.5",
        "dyn(1) != \"1\" && dyn(null) == null && dyn([1, 1u]) == [1.0, 1]",
        "{\"a\": 1, \"b\": 2} == {\"b\": 2, \"a\": 1}",
        "dyn({\"a\": 1}) == {\"a\": 1.0} && {1: 2} != {1: 3}",
        "dyn(1) < 1.5 && dyn(2u) > 1 && dyn(-1) < 0u",
        "\"a\" < \"b\" && b\"a\" < b\"ab\" && false < true",
        "double(\"NaN\") != double(\"NaN\")",
        "null == null && type(null) == null_type",
        "timestamp(\"2024-01-01T00:00:00Z\") == timestamp(\"2024-01-01T01:00:00+01:00\")",
        "google.protobuf.Int64Value{value: 3} == 3 && google.protobuf.BoolValue{} == false",
        "type(timestamp(0)) == google.protobuf.Timestamp && type(type(1)) == type",
    ]);
    check_errors(&[
        ("double(\"NaN\") < 1.0", "NaN values cannot be ordered"),
        ("dyn(1) < \"a\"", "no such overload"),
        ("dyn([1]) < dyn([2])", "no such overload: _<_"),
    ]);
    check_refused(&[
        ("1 == \"1\"", 3, "found no matching overload for '_==_' applied to '(int, string)'"),
        ("1 < 2u", 3, "found no matching overload for '_<_' applied to '(int, uint)'"),
        ("[1] == [\"a\"]", 5, "found no matching overload for '_==_' applied to '(list(int), list(string))'"),
        ("[1] < [2]", 5, "found no matching overload for '_<_' applied to '(list(int), list(int))'"),
        ("type(1) == 1", 9, "found no matching overload for '_==_' applied to '(type(int), int)'"),
    ]);
}

#[test]
fn logic() {
    check_true(&[
        "1 / 0 == 1 || true",
        "true || 1 / 0 == 1",
        "!(1 / 0 == 1 && false)",
        "(false || true) && true ? true : false",
        "true ? true : 1 / 0 == 1",
        "[0, 1].exists(x, 1 / x == 1)",
        "![0, 2].all(x, 1 / x == 1)",
    ]);
    check_errors(&[
        ("1 / 0 == 1 && true", "division by zero"),
        ("1 / 0 == 1 || 1 % 0 == 1", "division by zero"),
        ("properties[0].value.s || false", "no such overload"),
        ("dyn(1) ? true : false", "no such overload"),
        ("[0, 1].all(x, 1 / x == 1)", "division by zero"),
        ("[0, 1].exists_one(x, 1 / x == 1)", "division by zero"),
        ("[0].map(x, 1 / x) == []", "division by zero"),
    ]);
    check_refused(&[
        ("true && 1", 9, "expected type 'bool' but found 'int'"),
        ("\"a\" || true || 1", 1, "expected type 'bool' but found 'string'"),
        ("1 ? true : false", 3, "found no matching overload for '_?_:_' applied to '(int, bool, bool)'"),
        ("true ? 1 : \"a\"", 6, "found no matching overload for '_?_:_' applied to '(bool, int, string)'"),
        ("!1", 1, "found no matching overload for '!_' applied to '(int)'"),
    ]);
}

#[test]
fn texts_and_bytes() {
    check_true(&[
        r#""\x41\101\u00e9\U0001F600\n\?\`" == "AAé😀\u000a?`""#,
        r#"b"\xff\377é" == b"\377\xff\303\251""#,
        r#"r"\n".size() == 2 && R'a' + "b" == "ab" && '''it's''' == "it's""#,
        r#"size("é😀") == 2 && size(b"é") == 2 && "é".size() == 1"#,
        r#""hello".contains("ell") && "hello".startsWith("he") && "hello".endsWith("lo") && "".contains("")"#,
        r#"bytes("é") == b"é" && string(b"é") == "é""#,
    ]);
    check_errors(&[
        (r#"string(b"\xff") == """#, "invalid UTF-8 in bytes, cannot convert to string"),
        ("properties[0].value.i.contains(\"a\")", "no such overload"),
        ("size(dyn(1)) == 1", "no such overload: size"),
    ]);
    check_refused(&[
        ("\"a\".contains(1)", 13, "found no matching overload for 'contains' applied to 'string.(int)'"),
        ("contains(\"a\", \"a\")", 9, "found no matching overload for 'contains' applied to '(string, string)'"),
        ("[1].size(1) == 1", 9, "found no matching overload for 'size' applied to 'list(int).(int)'"),
    ]);
}

#[test]
fn patterns() {
    check_true(&[
        r#""v1.22".matches("^v[0-9]+[.]\\d{1,2}$") && matches("abc", "b")"#,
        r#""Foo".matches("(?i)^foo$") && !"Foo".matches("foo")"#,
        r#""a\nb".matches("(?m)^b$") && !"a\nb".matches("^b$") && !"a\nb".matches("a.b") && "a\nb".matches("(?s)a.b")"#,
        r#""a-b_c".matches("\\bb_c\\b") && "x".matches("[^[:digit:]a-f]") && "[".matches("[\\[]") && "-".matches("[-a]")"#,
        r#""aaa".matches("^a{3}$") && !"aa".matches("^a{3,}$") && "".matches("^(?:a|b)*$") && "x y".matches("^\\w\\Wy$")"#,
        r#""é".matches("^.$") && "a b".matches("a\\sb") && "k".matches("^(?i)[\\w-]$") && !"b".matches("^(?i)[^B]$")"#,
        r#""ab".matches("(?i)(?i:A)B") && "abab".matches("^(a)(?:b)(a)b$") && "a\nb".matches("(?s:a.)b") && "x#y".matches("x#y")"#,
        r#""a.b-c".matches("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?([.][a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$")"#,
    ]);
}

#[test]
fn patterns_that_go_and_regex_lite_may_read_in_two_ways_have_no_verdict() {
    let accepted_by_one = r"(a a) [a [^ *a a|* (?:+) (?i)* a(?i)* a** a+* a{2}{3} a{1001} a{2,1} a{,2} a{ (a{100}){11} [z-a] [a-\d]
        [[:word-:]] [\b] (?=a) (?x)a (?i-)a (?i-s-m)a (?)a (?P<b>a) (?i \8 \u0041 \C \x4 \01 \pL \Qa\E a\";
    let read_in_two_ways = r"\<a \b{start} []a] [[] [a&&b] [a~~b] [a--b] (?i)ā";
    for pattern in [accepted_by_one, read_in_two_ways].into_iter().flat_map(str::split_whitespace) {
        let error = evaluate(&format!("\"a\".matches(r\"{pattern}\")")).unwrap_err();
        assert!(
            error.starts_with(&format!("not known: uses the regular expression `{pattern}`")),
            "{pattern}: {error}"
        );
    }
    // What depends on the text.
    for (text, pattern) in [("\\u212a", "(?i)k"), ("\\v", "\\s"), ("\\v", "[^\\S]")] {
        let error = evaluate(&format!("\"{text}\".matches(r\"{pattern}\")")).unwrap_err();
        assert!(error.starts_with("not known: uses the regular expression"), "{pattern}: {error}");
    }
}

#[test]
fn lists_and_maps() {
    check_true(&[
        "[1, 2][1] == 2 && [1, 2][dyn(1.0)] == 2 && [[1], []][1] == []",
        "{\"a\": 1}.a == 1 && {\"a\": 1}[\"a\"] == 1 && {1: 2}[1] == 2 && {1u: 2}[dyn(1)] == 2",
        "1 in [1, 2] && !(3 in [1, 2]) && \"a\" in {\"a\": 1} && dyn(1.0) in [1]",
        "has({\"a\": 1}.a) && !has({\"a\": 1}.b) && !has(properties[0].value.s.x)",
        "{1: 1, 1: 2}[1] == 2 && {dyn(1): 1, dyn(1u): 2}.size() == 2",
        "[1, 2,] + [] == [1, 2] && {\"a\": 1,}.size() == 1 && [,] == []",
        "properties[0].value.l[1] == \"a\" && properties[0].value.l == [1, \"a\"]",
        "properties[0].value == {\"i\": 3, \"d\": 1.5, \"s\": \"text\", \"l\": [1, \"a\"], \"n\": null, \"b\": true}",
    ]);
    check_errors(&[
        ("[1][1] == 1", "index out of bounds: 1"),
        ("[1][-1] == 1", "index out of bounds: -1"),
        ("[1][dyn(0.5)] == 1", "unsupported index value 0.5 in list"),
        ("[1][dyn(\"a\")] == 1", "unsupported index type 'string' in list"),
        ("has(properties[0].value.l.x)", "unsupported index type 'string' in list"),
        ("properties[0].value.s.x == 1", "no such key: x"),
        ("properties[0].value[dyn(1)] == 1", "no such key: 1"),
        ("1 in dyn(1)", "no such overload"),
    ]);
    check_refused(&[
        ("[1][\"a\"] == 1", 4, "found no matching overload for '_[_]' applied to '(list(int), string)'"),
        ("1 in 1", 3, "found no matching overload for '@in' applied to '(int, int)'"),
        ("[1].a == 1", 4, "type 'list(int)' does not support field selection"),
        ("has([1].a)", 4, "type 'list(int)' does not support field selection"),
        ("properties.type == \"a\"", 11, "type 'list(map(string, any))' does not support field selection"),
    ]);
}

#[test]
fn macros() {
    check_true(&[
        "[1, 2, 3].filter(x, x > 1) == [2, 3] && [1, 2].map(x, x * 2) == [2, 4] && [1, 2].map(x, x > 1, x * 2) == [4]",
        "[1, 2].exists_one(x, x > 1) && ![1, 2].exists_one(x, x > 0) && [].all(x, false) && ![].exists(x, true)",
        "{\"a\": 1, \"b\": 2}.all(k, k in [\"a\", \"b\"]) && dyn(properties[0].value).map(k, k).size() == 6",
        "[[1], [2]].all(x, x.all(y, y > 0)) && [1].all(properties, properties == 1) && [1].all(int, int == 1)",
        "properties.exists(p, p.value.l.exists(x, x == \"a\")) && dyn(properties[0].value.l).size() == 2",
    ]);
    check_errors(&[("dyn(1).all(x, true)", "got 'types.Int', expected iterable type")]);
    check_refused(&[
        ("[1].all(x.y, true)", 10, "argument must be a simple name"),
        ("[1].map(1, true) == []", 9, "argument is not an identifier"),
        ("[1].filter(__result__, true) == []", 12, "iteration variable overwrites accumulator variable"),
        ("[1].existsOne(x, true)", 14, "undeclared reference to 'existsOne' (in container '')"),
        ("[1].all(x, y, true)", 8, "undeclared reference to 'all' (in container '')"),
        ("has(properties[0][\"type\"])", 18, "invalid argument to has() macro"),
        ("[1].all(x, x)", 12, "expected type 'bool' but found 'int'"),
        (
            "[1].filter(x, x) == []",
            11,
            "found no matching overload for '_?_:_' applied to '(int, list(int), list(int))'",
        ),
        // The values of properties are of type any, which cel-go lets no macro go through; what lies in them is dynamic.
        (
            "properties[0].value.all(x, true)",
            14,
            "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
        ),
    ]);
}

#[test]
fn conversions() {
    check_true(&[
        "int(\"-12\") == -12 && int(1.9) == 1 && int(-1.9) == -1 && int(5u) == 5 && int(duration(\"2ns\")) == 2",
        "uint(\"12\") == 12u && uint(1.9) == 1u && uint(3) == 3u",
        "double(\"1e3\") == 1000.0 && double(3) == 3.0 && double(\"-inf\") < -1e308",
        "string(true) == \"true\" && string(1.0) == \"1\" && string(1e6) == \"1e+06\" && string(-3) == \"-3\" && string(7u) == \"7\"",
        "string(123456.75) == \"123456.75\" && string(1e-5) == \"1e-05\" && string(0.0001) == \"0.0001\"",
        "bool(\"t\") && !bool(\"FALSE\") && bool(true)",
        "int(properties[0].value.i) == 3 && string(properties[0].value.d) == \"1.5\"",
        "type(1) == int && type(1u) == uint && type(1.0) == double && type(\"\") == string && type(b\"\") == bytes",
        "type([]) == list && type({}) == map && type(true) == bool && type(dyn(1)) == int",
    ]);
    check_errors(&[
        ("int(\"1.5\") == 1", "type conversion error from 'string' to 'int'"),
        ("uint(\"-1\") == 1u", "type conversion error from 'string' to 'uint'"),
        ("double(\"x\") == 1.0", "type conversion error from 'string' to 'double'"),
        ("bool(\"yes\")", "type conversion error from 'string' to 'bool'"),
        ("duration(\"1\") == duration(\"1s\")", "type conversion error from 'string' to 'google.protobuf.Duration'"),
        ("timestamp(\"2024\") == timestamp(0)", "type conversion error from 'string' to 'google.protobuf.Timestamp'"),
        ("int(1e20) == 1", "integer overflow"),
        ("uint(-1) == 1u", "unsigned integer overflow"),
        ("int(properties[0].value.n) == 1", "no such overload: int(null_type)"),
        ("bool(dyn(1))", "no such overload: bool(int)"),
    ]);
}

#[test]
fn time() {
    check_true(&[
        "timestamp(\"2024-01-01T00:00:00Z\") + duration(\"24h\") == timestamp(\"2024-01-02T00:00:00Z\")",
        "timestamp(\"2024-03-01T00:00:00Z\") - timestamp(\"2024-02-28T00:00:00Z\") == duration(\"48h\")",
        // More than RFC 3339 has, as Go's `time.Parse` reads it.
        "timestamp(\"2024-01-01T1:02:03Z\") == timestamp(\"2024-01-01T01:02:03Z\")",
        "timestamp(\"2024-01-01T00:00:00,5Z\") - timestamp(\"2024-01-01T00:00:00Z\") == duration(\"500ms\")",
        "timestamp(\"2024-01-02T00:00:00+24:00\") == timestamp(\"2024-01-01T00:00:00Z\")",
        "timestamp(\"2024-01-01T00:00:00-00:60\") == timestamp(\"2024-01-01T01:00:00Z\")",
        "duration(\"90m\") - duration(\"1h\") == duration(\"30m\") && -dyn(duration(\"1s\")) == duration(\"-1s\")",
        "duration(\"-1.5h\") == duration(\"-90m\") && duration(\"1h\") == duration(\"3600s\") && duration(\"0\") == duration(\"0h\")",
        "int(timestamp(\"1969-12-31T23:59:59Z\")) == -1",
    ]);
    check_errors(&[
        ("timestamp(253402300800) == timestamp(0)", "timestamp overflow"),
        ("timestamp(\"9999-12-31T23:59:59Z\") + duration(\"1s\") == timestamp(0)", "timestamp overflow"),
        (
            "timestamp(\"2023-02-29T00:00:00Z\") == timestamp(0)",
            "type conversion error from 'string' to 'google.protobuf.Timestamp'",
        ),
        (
            "timestamp(0).getHours(\"Europe/Madrid\") == 1",
            "not known: uses the function `getHours` of a timestamp or duration, which is not supported",
        ),
        (
            "string(duration(\"1h\")) == \"3600s\"",
            "not known: uses the function `string` of a timestamp or duration, which is not supported",
        ),
        ("dyn(1).getHours() == 1", "no such overload: getHours"),
    ]);
    let wrong = "2024-1-01T00:00:00Z 2024-01-01t00:00:00Z 2024-01-01T001:00:00Z 2024-01-01T00:00:60Z \
                 2024-01-01T24:00:00Z 2024-02-30T00:00:00Z 2024-01-01T00:00:00.Z 2024-01-01T00:00:00+25:00 \
                 2024-01-01T00:00:00+1:00 2024-01-01T00:00:00Zé 2024-01-01T00:00:0éZ";
    for text in wrong.split(' ') {
        let rule = format!("timestamp(\"{text}\") == timestamp(0)");
        check_errors(&[(&rule, "type conversion error from 'string' to 'google.protobuf.Timestamp'")]);
    }
    check_refused(&[
        ("duration(\"1s\").getDate() == 1", 23, "found no matching overload for 'getDate' applied to 'duration.()'"),
        (
            "timestamp(0) + timestamp(0) == timestamp(0)",
            14,
            "found no matching overload for '_+_' applied to '(timestamp, timestamp)'",
        ),
    ]);
}

#[test]
fn versions() {
    check_true(&[
        "semver_compare(\"v1.2\", \"1.2.0+build\") == 0 && semver_compare(\"1.10.0\", \"1.9.9\") == 1",
        "semver_compare(\"1.0.0-rc.1\", \"1.0.0\") == -1 && semver_compare(1.5, \"1.5.0\") == 0 && semver_compare(2, 1u) == 1",
    ]);
    check_errors(&[
        ("semver_compare(true, \"1.0.0\") == 0", "unable to parse 'true' to semver format"),
        ("semver_compare(properties[0].value.l, \"1\") == 0", "unable to parse '[1 a]' to semver format"),
        ("semver_compare({}, \"1\") == 0", "unable to parse 'map[]' to semver format"),
        ("semver_compare(1e6, \"1\") == 0", "unable to parse '1e+06' to semver format"),
    ]);
    check_refused(&[(
        "\"1\".semver_compare(\"1\") == 0",
        19,
        "found no matching overload for 'semver_compare' applied to 'string.(string)'",
    )]);
}

#[test]
fn syntax() {
    check_syntax(&[
        ("", 1, "expected a value, found the end of the rule"),
        ("1 + * 2 == 2", 5, "expected a value, found `*`"),
        ("1 + ) == 2", 5, "expected a value, found `)`"),
        ("- / 1", 3, "expected a value, found `/`"),
        ("-!true", 2, "expected a value, found `!`"),
        ("not true", 5, "expected an operator or the end of the rule, found `true`"),
        ("true ? false", 13, "expected `:`, found the end of the rule"),
        ("(true", 6, "expected an operator or `)`, found the end of the rule"),
        ("{1 2}", 4, "expected `:`, found `2`"),
        ("[1 2]", 4, "expected `,` or `]`, found `2`"),
        ("[1,,]", 4, "expected a value, found `,`"),
        ("size(1,)", 8, "expected a value, found `)`"),
        ("Foo{1: 2}", 5, "expected a name, found `1`"),
        ("a.", 3, "expected a name, found the end of the rule"),
        ("a.true", 3, "expected a name, found `true`"),
        ("true @ false", 6, "unexpected `@`"),
        ("1 = 1", 3, "unexpected `=`, a comparison is written `==`"),
        ("\"abc", 1, "the string is not closed, or has an unknown escape sequence"),
        ("\"\\q\" == \"\"", 1, "the string is not closed, or has an unknown escape sequence"),
    ]);
    check_refused(&[
        ("for == 1", 1, "reserved identifier: for"),
        ("a.?b", 2, "unsupported syntax '.?'"),
        ("a[?0]", 2, "unsupported syntax '[?'"),
        ("[?a]", 2, "unsupported syntax '?'"),
        ("a.`b`", 3, "unsupported syntax: '`'"),
        ("Foo{a: 1} == 1", 4, "undeclared reference to 'Foo' (in container '')"),
        ("int{} == 1", 4, "'int' is not a message type"),
        (
            "google.protobuf.Int64Value{value: \"a\"} == 1",
            33,
            "expected type of field 'value' is 'int' but provided type is 'string'",
        ),
    ]);
}

#[test]
fn errors_show_their_line() {
    let refused = |rule: &str| Program::compile(rule).expect_err(rule).to_string();
    assert_eq!(
        refused("\"é\" ==\n\tnope"),
        "ERROR: <input>:2:2: undeclared reference to 'nope' (in container '')\n |  nope\n | .^"
    );
    assert_eq!(
        refused("b && a"),
        "ERROR: <input>:1:1: undeclared reference to 'b' (in container '')\n | b && a\n | ^\n\
         ERROR: <input>:1:6: undeclared reference to 'a' (in container '')\n | b && a\n | .....^"
    );
    assert_eq!(
        refused("true ||\n\"日本\" == 日"),
        "cel-go refuses the rule: syntax error at line 2, column 9: unexpected `日`\n | \"日本\" == 日\n | .．．.....＾"
    );
}

// Rules with the verdicts that cel-go 0.29.2 gave in OLM's environment.
//
// A row of `cel.jsonl` holds a rule, the properties of a bundle, and `result`, `compileError` or `evalError`.

/// The class of the verdict on a rule, and its text.
fn verdict(rule: &str, properties: &[Value]) -> (&'static str, String) {
    let program = match Program::compile(rule) {
        Ok(program) => program,
        Err(error) => return ("compileError", error.to_string()),
    };
    let properties: Vec<Property<'_>> = properties
        .iter()
        .map(|property| Property {
            kind: property["type"].as_str().expect("a type"),
            value: PropertyValue::Json(&property["value"]),
        })
        .collect();
    match program.evaluate(&properties, &mut Fuel::default()) {
        Ok(result) => ("result", result.to_string()),
        Err(EvalError::Failed(text)) => ("evalError", text.to_string()),
        Err(EvalError::NotKnown(why)) => ("not known", why.to_string()),
    }
}

#[test]
fn rows_agree_to_the_letter() {
    let mut differing = BTreeMap::new();
    for line in include_str!("../cel.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let rule = row["rule"].as_str().unwrap();
        let class = ["result", "compileError", "evalError"].into_iter().find(|class| row.get(class).is_some()).unwrap();
        let expected = (class, row[class].as_str().map_or_else(|| row[class].to_string(), str::to_owned));
        let found = verdict(rule, row["properties"].as_array().unwrap());
        // Syntax errors are in our own words; their texts are in `tables.rs`.
        let is_syntax_error = |text: &str| text.contains("Syntax error:") || text.contains("syntax error at");
        let agree = found.0 == expected.0 && is_syntax_error(&found.1) && is_syntax_error(&expected.1);
        if found != expected && !agree {
            differing.insert(rule.to_owned(), (found, expected));
        }
    }
    assert!(differing.is_empty(), "{differing:#?}");
}
