//! Numbers: order across types, arithmetic with overflow as an error (cel-go `common/types/{int,uint,double,compare}.go`).

use std::cmp::Ordering;

use crate::fuel::{Failure, failed};
use crate::function::Function;
use crate::value::Value;

/// The order of two numbers of any types; none if one is not a number or NaN. Of an integer and a double, the integer is
/// rounded to a double, as in cel-go.
pub(crate) fn compare(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
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
pub(crate) fn as_integer(double: f64) -> Option<i64> {
    let integer = double as i64;
    (integer as f64 == double && integer != i64::MAX).then_some(integer)
}

/// Arithmetic on two numbers of one type; none for others.
pub(crate) fn arithmetic<'a>(function: Function, a: &Value<'a>, b: &Value<'a>) -> Option<Result<Value<'a>, Failure>> {
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
