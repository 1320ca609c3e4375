//! The signatures of all functions, in cel-go's order (`common/stdlib/standard.go`): of several that fit the first gives the
//! type. Comparisons across number types are declared there too, but switched off unless asked for, which OLM does not.

use crate::function::Function;

/// A type in a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sig {
    Dyn,
    Any,
    Bool,
    Int,
    Uint,
    Double,
    Str,
    Bytes,
    Time,
    Span,
    A,
    B,
    ListA,
    MapAB,
    MetaA,
}

use Sig::{A, Any, B, Bool, Bytes, Double, Dyn, Int, ListA, MapAB, MetaA, Span, Str, Time, Uint};

/// One signature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overload {
    /// Called with a dot.
    pub(crate) member: bool,
    pub(crate) args: &'static [Sig],
    pub(crate) result: Sig,
}

const fn global(args: &'static [Sig], result: Sig) -> Overload {
    Overload { member: false, args, result }
}

const fn member(args: &'static [Sig], result: Sig) -> Overload {
    Overload { member: true, args, result }
}

const COMPARE: &[Overload] = &[
    global(&[Bool, Bool], Bool),
    global(&[Int, Int], Bool),
    global(&[Uint, Uint], Bool),
    global(&[Double, Double], Bool),
    global(&[Str, Str], Bool),
    global(&[Bytes, Bytes], Bool),
    global(&[Time, Time], Bool),
    global(&[Span, Span], Bool),
];
const OF_TEXTS: &[Overload] = &[member(&[Str, Str], Bool)];
const OF_TIME: &[Overload] = &[member(&[Time], Int), member(&[Time, Str], Int)];
const OF_TIME_OR_SPAN: &[Overload] = &[member(&[Time], Int), member(&[Time, Str], Int), member(&[Span], Int)];
const NUMBERS: &[Overload] =
    &[global(&[Double, Double], Double), global(&[Int, Int], Int), global(&[Uint, Uint], Uint)];
const ADD: &[Overload] = &[
    global(&[Bytes, Bytes], Bytes),
    global(&[Double, Double], Double),
    global(&[Span, Span], Span),
    global(&[Span, Time], Time),
    global(&[Time, Span], Time),
    global(&[Int, Int], Int),
    global(&[ListA, ListA], ListA),
    global(&[Str, Str], Str),
    global(&[Uint, Uint], Uint),
];
const SUBTRACT: &[Overload] = &[
    global(&[Double, Double], Double),
    global(&[Span, Span], Span),
    global(&[Int, Int], Int),
    global(&[Time, Span], Time),
    global(&[Time, Time], Span),
    global(&[Uint, Uint], Uint),
];
const SIZE: &[Overload] = &[
    global(&[Bytes], Int),
    member(&[Bytes], Int),
    global(&[ListA], Int),
    member(&[ListA], Int),
    global(&[MapAB], Int),
    member(&[MapAB], Int),
    global(&[Str], Int),
    member(&[Str], Int),
];

/// The signatures of a function.
pub(crate) fn of(function: Function) -> &'static [Overload] {
    match function {
        Function::Conditional => const { &[global(&[Bool, A, A], A)] },
        Function::Not => const { &[global(&[Bool], Bool)] },
        Function::Negate => const { &[global(&[Double], Double), global(&[Int], Int)] },
        Function::Equals | Function::NotEquals => const { &[global(&[A, A], Bool)] },
        Function::Add => ADD,
        Function::Subtract => SUBTRACT,
        Function::Multiply | Function::Divide => NUMBERS,
        Function::Modulo => const { &[global(&[Int, Int], Int), global(&[Uint, Uint], Uint)] },
        Function::Less | Function::LessEquals | Function::Greater | Function::GreaterEquals => COMPARE,
        Function::Index => const { &[global(&[ListA, Int], A), global(&[MapAB, A], B)] },
        Function::In => const { &[global(&[A, ListA], Bool), global(&[A, MapAB], Bool)] },
        Function::Size => SIZE,
        Function::Contains | Function::StartsWith | Function::EndsWith => OF_TEXTS,
        Function::Matches => const { &[global(&[Str, Str], Bool), member(&[Str, Str], Bool)] },
        Function::TypeOf => const { &[global(&[A], MetaA)] },
        Function::Dyn => const { &[global(&[A], Dyn)] },
        Function::SemverCompare => const { &[global(&[Any, Any], Int)] },
        Function::Bool
        | Function::Bytes
        | Function::Double
        | Function::Duration
        | Function::Int
        | Function::String
        | Function::Timestamp
        | Function::Uint => conversions(function),
        Function::FullYear
        | Function::Month
        | Function::DayOfYear
        | Function::DayOfMonth
        | Function::Date
        | Function::DayOfWeek => OF_TIME,
        Function::Hours | Function::Minutes | Function::Seconds | Function::Milliseconds => OF_TIME_OR_SPAN,
    }
}

fn conversions(to: Function) -> &'static [Overload] {
    match to {
        Function::Bool => const { &[global(&[Bool], Bool), global(&[Str], Bool)] },
        Function::Bytes => const { &[global(&[Bytes], Bytes), global(&[Str], Bytes)] },
        Function::Double => {
            const { &[global(&[Double], Double), global(&[Int], Double), global(&[Str], Double), global(&[Uint], Double)] }
        }
        Function::Duration => const { &[global(&[Span], Span), global(&[Int], Span), global(&[Str], Span)] },
        Function::Int => {
            const {
                &[
                    global(&[Int], Int),
                    global(&[Double], Int),
                    global(&[Span], Int),
                    global(&[Str], Int),
                    global(&[Time], Int),
                    global(&[Uint], Int),
                ]
            }
        }
        Function::String => {
            const {
                &[
                    global(&[Str], Str),
                    global(&[Bool], Str),
                    global(&[Bytes], Str),
                    global(&[Double], Str),
                    global(&[Span], Str),
                    global(&[Int], Str),
                    global(&[Time], Str),
                    global(&[Uint], Str),
                ]
            }
        }
        Function::Timestamp => const { &[global(&[Time], Time), global(&[Int], Time), global(&[Str], Time)] },
        _ => const { &[global(&[Uint], Uint), global(&[Double], Uint), global(&[Int], Uint), global(&[Str], Uint)] },
    }
}
