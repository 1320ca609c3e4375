//! The text of a schema that its generated method `String` returns, by which OLM tells the members of `oneOf` apart.

use super::Go;
use fbc::float_with_v;

/// The text of a schema, and whether it has addresses of memory in it, which differ each time.
///
/// Go prints the values of maps with `%v`, which follows no pointers to numbers, texts and booleans.
pub(crate) fn dump(value: &Go) -> (String, bool) {
    let mut printer = Printer { has_address: false };
    let text = printer.method(value);
    (text, printer.has_address)
}

/// Stands for an address of memory.
const ADDRESS: &str = "0x...";

struct Printer {
    has_address: bool,
}

impl Printer {
    /// What `String` returns for a pointer to a struct.
    fn method(&mut self, value: &Go) -> String {
        let Go::Struct(name, fields) = value else { return scalar(value) };
        let fields: Vec<String> =
            fields.iter().map(|(field, value)| format!("{field}:{},", self.field(value))).collect();
        format!("&{name}{{{}}}", fields.concat())
    }

    /// A field in what `String` returns.
    fn field(&mut self, value: &Go) -> String {
        match value {
            Go::Pointer(None) | Go::Reference(None) => "nil".to_owned(),
            Go::Reference(Some(to)) => self.method(to),
            Go::Pointer(Some(to)) => format!("*{}", scalar(to)),
            Go::Bytes(text) if text.is_empty() => "nil".to_owned(),
            Go::Bytes(_) => format!("*{}", scalar(value)),
            Go::List("[]string", _) => self.verb(value),
            Go::List(name, items) => {
                let items: Vec<String> =
                    items.iter().map(|item| self.method(item).replacen('&', "", 1) + ",").collect();
                format!("{name}{{{}}}", items.concat())
            }
            Go::Map(name, entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}: {},", self.verb(value))).collect();
                format!("{name}{{{}}}", entries.concat())
            }
            Go::Text(_) | Go::Bool(_) | Go::Int(_) | Go::Float(_) | Go::Struct(..) => scalar(value),
        }
    }

    /// What `%v` prints.
    fn verb(&mut self, value: &Go) -> String {
        let mut all =
            |values: &mut dyn Iterator<Item = &Go>| values.map(|value| self.verb(value)).collect::<Vec<_>>().join(" ");
        match value {
            Go::Struct(_, fields) => format!("{{{}}}", all(&mut fields.iter().map(|(_, value)| value))),
            Go::List(_, items) => format!("[{}]", all(&mut items.iter())),
            Go::Map(_, entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}:{}", self.verb(value))).collect();
                format!("map[{}]", entries.join(" "))
            }
            Go::Reference(Some(to)) => self.method(to),
            Go::Reference(None) => "nil".to_owned(),
            Go::Pointer(Some(_)) => {
                self.has_address = true;
                ADDRESS.to_owned()
            }
            Go::Pointer(None) => "<nil>".to_owned(),
            Go::Text(_) | Go::Bool(_) | Go::Int(_) | Go::Float(_) | Go::Bytes(_) => scalar(value),
        }
    }
}

/// What `%v` prints for a value that holds no others.
fn scalar(value: &Go) -> String {
    match value {
        Go::Text(text) => text.clone(),
        Go::Bool(flag) => flag.to_string(),
        Go::Int(number) => number.to_string(),
        Go::Float(number) => float_with_v(*number),
        Go::Bytes(text) => {
            let bytes: Vec<String> = text.bytes().map(|byte| byte.to_string()).collect();
            format!("[{}]", bytes.join(" "))
        }
        Go::Pointer(_) | Go::Reference(_) | Go::List(..) | Go::Map(..) | Go::Struct(..) => String::new(),
    }
}
