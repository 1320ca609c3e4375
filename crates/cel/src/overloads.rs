//! The signatures of all functions, in cel-go's order (`common/stdlib/standard.go`): of several that fit, the first one
//! gives the type. Comparisons across number types are declared there too, but switched off unless asked for, which OLM does not.

use crate::function::Function;

/// A type in a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParamType {
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

use ParamType::{A, Any, B, Bool, Bytes, Double, Dyn, Int, ListA, MapAB, MetaA, Span, Str, Time, Uint};

/// One signature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overload {
    /// Whether the first argument stands before a dot.
    pub(crate) member: bool,
    pub(crate) args: &'static [ParamType],
    pub(crate) result: ParamType,
}

/// Lists signatures: first of calls without a receiver, then of calls with one.
macro_rules! overloads {
    ($($($arg:ident)+ => $result:ident),*; $($($member_arg:ident)+ => $member_result:ident),*) => {
        const { &[
            $(Overload { member: false, args: &[$($arg),+], result: $result },)*
            $(Overload { member: true, args: &[$($member_arg),+], result: $member_result },)*
        ] }
    };
}

/// The signatures of a function.
pub(crate) fn of(function: Function) -> &'static [Overload] {
    match function {
        Function::Conditional => overloads!(Bool A A => A;),
        Function::Not => overloads!(Bool => Bool;),
        Function::Negate => overloads!(Double => Double, Int => Int;),
        Function::Equals | Function::NotEquals => overloads!(A A => Bool;),
        Function::Add => overloads!(
            Bytes Bytes => Bytes, Double Double => Double, Span Span => Span, Span Time => Time, Time Span => Time,
            Int Int => Int, ListA ListA => ListA, Str Str => Str, Uint Uint => Uint;
        ),
        Function::Subtract => overloads!(
            Double Double => Double, Span Span => Span, Int Int => Int, Time Span => Time, Time Time => Span,
            Uint Uint => Uint;
        ),
        Function::Multiply | Function::Divide => {
            overloads!(Double Double => Double, Int Int => Int, Uint Uint => Uint;)
        }
        Function::Modulo => overloads!(Int Int => Int, Uint Uint => Uint;),
        Function::Less | Function::LessEquals | Function::Greater | Function::GreaterEquals => overloads!(
            Bool Bool => Bool, Int Int => Bool, Uint Uint => Bool, Double Double => Bool, Str Str => Bool,
            Bytes Bytes => Bool, Time Time => Bool, Span Span => Bool;
        ),
        Function::Index => overloads!(ListA Int => A, MapAB A => B;),
        Function::In => overloads!(A ListA => Bool, A MapAB => Bool;),
        Function::Size => overloads!(
            Bytes => Int, ListA => Int, MapAB => Int, Str => Int; Bytes => Int, ListA => Int, MapAB => Int, Str => Int
        ),
        Function::Contains | Function::StartsWith | Function::EndsWith => overloads!(; Str Str => Bool),
        Function::Matches => overloads!(Str Str => Bool; Str Str => Bool),
        Function::TypeOf => overloads!(A => MetaA;),
        Function::Dyn => overloads!(A => Dyn;),
        Function::SemverCompare => overloads!(Any Any => Int;),
        Function::Bool => overloads!(Bool => Bool, Str => Bool;),
        Function::Bytes => overloads!(Bytes => Bytes, Str => Bytes;),
        Function::Double => overloads!(Double => Double, Int => Double, Str => Double, Uint => Double;),
        Function::Duration => overloads!(Span => Span, Int => Span, Str => Span;),
        Function::Int => overloads!(Int => Int, Double => Int, Span => Int, Str => Int, Time => Int, Uint => Int;),
        Function::String => overloads!(
            Str => Str, Bool => Str, Bytes => Str, Double => Str, Span => Str, Int => Str, Time => Str, Uint => Str;
        ),
        Function::Timestamp => overloads!(Time => Time, Int => Time, Str => Time;),
        Function::Uint => overloads!(Uint => Uint, Double => Uint, Int => Uint, Str => Uint;),
        Function::FullYear
        | Function::Month
        | Function::DayOfYear
        | Function::DayOfMonth
        | Function::Date
        | Function::DayOfWeek => overloads!(; Time => Int, Time Str => Int),
        Function::Hours | Function::Minutes | Function::Seconds | Function::Milliseconds => {
            overloads!(; Time => Int, Time Str => Int, Span => Int)
        }
    }
}
