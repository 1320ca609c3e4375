//! The functions and operators of cel-go's standard library (`common/stdlib/standard.go`) and OLM's own.

/// A function that rules may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Conditional,
    Not,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equals,
    NotEquals,
    Less,
    LessEquals,
    Greater,
    GreaterEquals,
    Index,
    In,
    Size,
    Contains,
    StartsWith,
    EndsWith,
    Matches,
    TypeOf,
    Dyn,
    Bool,
    Bytes,
    Double,
    Duration,
    Int,
    String,
    Timestamp,
    Uint,
    FullYear,
    Month,
    DayOfYear,
    DayOfMonth,
    Date,
    DayOfWeek,
    Hours,
    Minutes,
    Seconds,
    Milliseconds,
    SemverCompare,
}

impl Function {
    /// All, in the order of the names.
    const ALL: [(&'static str, Self); 42] = [
        ("_?_:_", Self::Conditional),
        ("!_", Self::Not),
        ("-_", Self::Negate),
        ("_+_", Self::Add),
        ("_-_", Self::Subtract),
        ("_*_", Self::Multiply),
        ("_/_", Self::Divide),
        ("_%_", Self::Modulo),
        ("_==_", Self::Equals),
        ("_!=_", Self::NotEquals),
        ("_<_", Self::Less),
        ("_<=_", Self::LessEquals),
        ("_>_", Self::Greater),
        ("_>=_", Self::GreaterEquals),
        ("_[_]", Self::Index),
        ("@in", Self::In),
        ("size", Self::Size),
        ("contains", Self::Contains),
        ("startsWith", Self::StartsWith),
        ("endsWith", Self::EndsWith),
        ("matches", Self::Matches),
        ("type", Self::TypeOf),
        ("dyn", Self::Dyn),
        ("bool", Self::Bool),
        ("bytes", Self::Bytes),
        ("double", Self::Double),
        ("duration", Self::Duration),
        ("int", Self::Int),
        ("string", Self::String),
        ("timestamp", Self::Timestamp),
        ("uint", Self::Uint),
        ("getFullYear", Self::FullYear),
        ("getMonth", Self::Month),
        ("getDayOfYear", Self::DayOfYear),
        ("getDayOfMonth", Self::DayOfMonth),
        ("getDate", Self::Date),
        ("getDayOfWeek", Self::DayOfWeek),
        ("getHours", Self::Hours),
        ("getMinutes", Self::Minutes),
        ("getSeconds", Self::Seconds),
        ("getMilliseconds", Self::Milliseconds),
        ("semver_compare", Self::SemverCompare),
    ];

    /// The function of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
    }

    /// The name in cel-go's texts.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_its_name() {
        for (name, function) in Function::ALL {
            assert_eq!((function.name(), Function::named(name)), (name, Some(function)));
        }
    }
}
