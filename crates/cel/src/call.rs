//! Calls of operators and functions on values (cel-go `common/stdlib`, `common/types`), and OLM's `semver_compare`.

use std::cmp::Ordering;
use std::rc::Rc;

use go_semver::blang::Version;

use crate::ast::Function;
use crate::convert::{self, convert};
use crate::error::{EvalError, Failure, Meter, NotKnown, failed};
use crate::program::no_overload;
use crate::regex;
use crate::value::{Blob, List, Value};

type Evaluated<'a> = Result<Value<'a>, Failure>;

/// Calls a function with evaluated arguments, the receiver first.
pub(crate) fn call<'a>(function: Function, args: Vec<Value<'a>>, meter: &mut Meter) -> Evaluated<'a> {
    let mut args = args.into_iter();
    match (args.next(), args.next()) {
        (Some(only), None) => unary(function, only, meter),
        (Some(first), Some(second)) => binary(function, first, second, meter),
        (None, _) => Err(no_overload()),
    }
}

fn unary<'a>(function: Function, value: Value<'a>, meter: &mut Meter) -> Evaluated<'a> {
    match function {
        Function::Not => match value {
            Value::Bool(value) => Ok(Value::Bool(!value)),
            _ => Err(no_overload()),
        },
        Function::Negate => match value {
            Value::Int(number) => number.checked_neg().map(Value::Int).ok_or_else(|| failed("integer overflow")),
            Value::Double(number) => Ok(Value::Double(-number)),
            Value::Duration(nanos) => {
                nanos.checked_neg().map(Value::Duration).ok_or_else(|| failed("integer overflow"))
            }
            Value::Bool(_) => Err(no_overload()),
            _ => Err(unsupported(function, &value)),
        },
        Function::Size => size(&value, meter),
        Function::TypeOf => Ok(Value::Type(value.type_name())),
        Function::Dyn => Ok(value),
        Function::FullYear
        | Function::Month
        | Function::DayOfYear
        | Function::DayOfMonth
        | Function::Date
        | Function::DayOfWeek
        | Function::Hours
        | Function::Minutes
        | Function::Seconds
        | Function::Milliseconds => get(function, &value, None),
        _ => convert(function, value, meter),
    }
}

fn size<'a>(value: &Value<'a>, meter: &mut Meter) -> Evaluated<'a> {
    let size = match value {
        Value::String(text) => {
            meter.spend_bytes(text.as_str().len())?;
            text.as_str().chars().count()
        }
        Value::Bytes(bytes) => bytes.as_bytes().len(),
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        _ => return Err(unsupported(Function::Size, value)),
    };
    Ok(Value::Int(i64::try_from(size).unwrap_or(i64::MAX)))
}

/// A getter of a timestamp or a duration.
fn get<'a>(function: Function, value: &Value<'a>, zone: Option<&Value<'a>>) -> Evaluated<'a> {
    match (value, zone) {
        (Value::Timestamp(_), None | Some(Value::String(_))) | (Value::Duration(_), None) => {
            Err(EvalError::NotKnown(NotKnown::Function(function.name())))
        }
        (Value::Timestamp(_) | Value::Duration(_) | Value::String(_), _) => Err(no_overload()),
        _ => Err(unsupported(function, value)),
    }
}

/// The error for a value whose type does not have the operation at all.
fn unsupported(function: Function, value: &Value<'_>) -> Failure {
    match value {
        // Calls on these types go through their own `Receive`, which has another text.
        Value::String(_) | Value::Timestamp(_) | Value::Duration(_) => no_overload(),
        _ => failed(format!("no such overload: {}", function.name())),
    }
}

fn binary<'a>(function: Function, a: Value<'a>, b: Value<'a>, meter: &mut Meter) -> Evaluated<'a> {
    match function {
        Function::Equals => a.equals(&b, meter).map(Value::Bool),
        Function::NotEquals => a.equals(&b, meter).map(|equal| Value::Bool(!equal)),
        Function::Less | Function::LessEquals | Function::Greater | Function::GreaterEquals => {
            let order = compare(function, &a, &b, meter)?;
            Ok(Value::Bool(match function {
                Function::Less => order.is_lt(),
                Function::LessEquals => order.is_le(),
                Function::Greater => order.is_gt(),
                _ => order.is_ge(),
            }))
        }
        Function::Add | Function::Subtract | Function::Multiply | Function::Divide | Function::Modulo => {
            arithmetic(function, &a, &b, meter)
        }
        Function::In => contained(&a, &b, meter).map(Value::Bool),
        Function::Contains | Function::StartsWith | Function::EndsWith => text_test(function, &a, &b, meter),
        Function::Matches => matches(&a, &b, meter),
        Function::SemverCompare => semver_compare(&a, &b, meter),
        _ => get(function, &a, Some(&b)),
    }
}

fn compare(function: Function, a: &Value<'_>, b: &Value<'_>, meter: &mut Meter) -> Result<Ordering, Failure> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::String(a), Value::String(b)) => {
            meter.spend_bytes(a.as_str().len().min(b.as_str().len()))?;
            Ok(a.as_str().cmp(b.as_str()))
        }
        (Value::Bytes(a), Value::Bytes(b)) => {
            meter.spend_bytes(a.as_bytes().len().min(b.as_bytes().len()))?;
            Ok(a.as_bytes().cmp(b.as_bytes()))
        }
        (Value::Timestamp(a), Value::Timestamp(b)) => Ok(a.since_1970().cmp(&b.since_1970())),
        (Value::Duration(a), Value::Duration(b)) => Ok(a.cmp(b)),
        (Value::Double(a), _) | (_, Value::Double(a)) if a.is_nan() => Err(failed("NaN values cannot be ordered")),
        (Value::Null | Value::List(_) | Value::Map(_) | Value::Type(_), _) => Err(unsupported(function, a)),
        (a, b) => compare_numbers(a, b).ok_or_else(no_overload),
    }
}

fn arithmetic<'a>(function: Function, a: &Value<'a>, b: &Value<'a>, meter: &mut Meter) -> Evaluated<'a> {
    if let Some(result) = number_arithmetic(function, a, b) {
        return result;
    }
    match (function, a, b) {
        (Function::Add, Value::String(a), Value::String(b)) => {
            meter.spend_bytes(a.as_str().len() + b.as_str().len())?;
            Ok(Value::text([a.as_str(), b.as_str()].concat()))
        }
        (Function::Add, Value::Bytes(a), Value::Bytes(b)) => {
            meter.spend_bytes(a.as_bytes().len() + b.as_bytes().len())?;
            Ok(Value::Bytes(Blob::Shared([a.as_bytes(), b.as_bytes()].concat().into())))
        }
        (Function::Add, Value::List(a), Value::List(b)) => {
            meter.spend((a.len() + b.len()) as u64)?;
            let items: Rc<[Value<'a>]> = a.iter().chain(b.iter()).collect();
            Ok(Value::List(List::Items(items)))
        }
        (Function::Add, Value::Timestamp(at), Value::Duration(by))
        | (Function::Add, Value::Duration(by), Value::Timestamp(at)) => at.plus(i128::from(*by)).map(Value::Timestamp),
        (Function::Subtract, Value::Timestamp(at), Value::Duration(by)) => {
            at.plus(-i128::from(*by)).map(Value::Timestamp)
        }
        (Function::Subtract, Value::Timestamp(a), Value::Timestamp(b)) => span(a.since_1970() - b.since_1970()),
        (Function::Add, Value::Duration(a), Value::Duration(b)) => span(i128::from(*a) + i128::from(*b)),
        (Function::Subtract, Value::Duration(a), Value::Duration(b)) => span(i128::from(*a) - i128::from(*b)),
        _ if knows(function, a) => Err(no_overload()),
        _ => Err(unsupported(function, a)),
    }
}

fn span<'a>(nanos: i128) -> Evaluated<'a> {
    i64::try_from(nanos).map(Value::Duration).map_err(|_| failed("integer overflow"))
}

/// Whether the value's type has the operation, be it with other operands.
fn knows(function: Function, value: &Value<'_>) -> bool {
    match value {
        Value::Int(_) | Value::Uint(_) => true,
        Value::Double(_) => function != Function::Modulo,
        Value::String(_) | Value::Bytes(_) | Value::List(_) => function == Function::Add,
        Value::Timestamp(_) | Value::Duration(_) => matches!(function, Function::Add | Function::Subtract),
        Value::Null | Value::Bool(_) | Value::Map(_) | Value::Type(_) => false,
    }
}

fn contained(element: &Value<'_>, container: &Value<'_>, meter: &mut Meter) -> Result<bool, Failure> {
    match container {
        Value::List(list) => {
            for item in list.iter() {
                if element.equals(&item, meter)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Map(map) => Ok(map.get(element, meter)?.is_some()),
        _ => Err(no_overload()),
    }
}

/// The index in a list that a value stands for.
pub(crate) fn list_index(index: &Value<'_>, meter: &mut Meter) -> Result<i64, Failure> {
    let at = match index {
        Value::Int(at) => Some(*at),
        Value::Uint(at) => i64::try_from(*at).ok(),
        Value::Double(at) => as_integer(*at),
        _ => return Err(failed(format!("unsupported index type '{}' in list", index.type_name()))),
    };
    match at {
        Some(at) => Ok(at),
        None => Err(failed(format!("unsupported index value {} in list", convert::print(index, meter)?))),
    }
}

fn text_test<'a>(function: Function, text: &Value<'a>, part: &Value<'a>, meter: &mut Meter) -> Evaluated<'a> {
    let (Value::String(text), Value::String(part)) = (text, part) else { return Err(no_overload()) };
    let (text, part) = (text.as_str(), part.as_str());
    meter.spend_bytes(text.len() + part.len())?;
    Ok(Value::Bool(match function {
        Function::Contains => text.contains(part),
        Function::StartsWith => text.starts_with(part),
        _ => text.ends_with(part),
    }))
}

fn matches<'a>(text: &Value<'a>, pattern: &Value<'a>, meter: &mut Meter) -> Evaluated<'a> {
    match (text, pattern) {
        (Value::String(text), Value::String(pattern)) => {
            regex::is_match(pattern.as_str(), text.as_str(), meter).map(Value::Bool)
        }
        (Value::String(_), _) => Err(no_overload()),
        _ => Err(unsupported(Function::Matches, text)),
    }
}

/// OLM's own function: both sides printed as Go prints them, read tolerantly and compared without build metadata.
fn semver_compare<'a>(a: &Value<'a>, b: &Value<'a>, meter: &mut Meter) -> Evaluated<'a> {
    let mut version = |value: &Value<'a>| {
        let text = convert::print(value, meter)?;
        let version = Version::parse_tolerant(&text);
        version.map_err(|_| failed(format!("unable to parse '{text}' to semver format")))
    };
    let (a, b) = (version(a)?, version(b)?);
    Ok(Value::Int(a.cmp(&b) as i64))
}

// Numbers: order across types, arithmetic with overflow as an error (cel-go
// `common/types/{int,uint,double,compare}.go`).

/// The order of two numbers of any types; none if one is not a number or NaN. Of an integer and a double, the integer is
/// rounded to a double, as in cel-go.
pub(crate) fn compare_numbers(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    let integer = |value: &Value<'_>| match value {
        Value::Int(number) => Some(i128::from(*number)),
        Value::Uint(number) => Some(i128::from(*number)),
        _ => None,
    };
    match (a, b) {
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
        (Value::Double(a), _) => a.partial_cmp(&(integer(b)? as f64)),
        (_, Value::Double(b)) => (integer(a)? as f64).partial_cmp(b),
        _ => Some(integer(a)?.cmp(&integer(b)?)),
    }
}

/// A double as an integer, if it is whole and in range.
fn as_integer(double: f64) -> Option<i64> {
    let integer = double as i64;
    (integer as f64 == double && integer != i64::MAX).then_some(integer)
}

/// Arithmetic on two numbers of one type; none for others.
fn number_arithmetic<'a>(function: Function, a: &Value<'a>, b: &Value<'a>) -> Option<Result<Value<'a>, Failure>> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => integers(function, *a, *b).map(|result| result.map(Value::Int)),
        (Value::Uint(a), Value::Uint(b)) => unsigned(function, *a, *b).map(|result| result.map(Value::Uint)),
        (Value::Double(a), Value::Double(b)) => doubles(function, *a, *b).map(|number| Ok(Value::Double(number))),
        _ => None,
    }
}

/// Defines arithmetic that fails where the result does not fit.
macro_rules! checked {
    ($name:ident, $number:ty, $overflow:literal) => {
        fn $name(function: Function, a: $number, b: $number) -> Option<Result<$number, Failure>> {
            let result = match function {
                Function::Add => a.checked_add(b),
                Function::Subtract => a.checked_sub(b),
                Function::Multiply => a.checked_mul(b),
                Function::Divide if b == 0 => return Some(Err(failed("division by zero"))),
                Function::Modulo if b == 0 => return Some(Err(failed("modulus by zero"))),
                Function::Divide => a.checked_div(b),
                Function::Modulo => a.checked_rem(b),
                _ => return None,
            };
            Some(result.ok_or_else(|| failed($overflow)))
        }
    };
}

checked!(integers, i64, "integer overflow");
checked!(unsigned, u64, "unsigned integer overflow");

fn doubles(function: Function, a: f64, b: f64) -> Option<f64> {
    match function {
        Function::Add => Some(a + b),
        Function::Subtract => Some(a - b),
        Function::Multiply => Some(a * b),
        Function::Divide => Some(a / b),
        _ => None,
    }
}
