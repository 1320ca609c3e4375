//! The functions and operators of cel-go's standard library (`common/stdlib/standard.go`), and OLM's own.

/// Defines [`Function`] with the name that each one has in cel-go.
macro_rules! functions {
    ($($function:ident = $name:literal,)*) => {
        /// A function or operator that rules may call.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Function {
            $($function,)*
        }

        impl Function {
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$function),)*
                    _ => None,
                }
            }

            /// The name, also in cel-go's errors.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$function => $name,)*
                }
            }
        }
    };
}

functions! {
    Conditional = "_?_:_",
    Not = "!_",
    Negate = "-_",
    Add = "_+_",
    Subtract = "_-_",
    Multiply = "_*_",
    Divide = "_/_",
    Modulo = "_%_",
    Equals = "_==_",
    NotEquals = "_!=_",
    Less = "_<_",
    LessEquals = "_<=_",
    Greater = "_>_",
    GreaterEquals = "_>=_",
    Index = "_[_]",
    In = "@in",
    Size = "size",
    Contains = "contains",
    StartsWith = "startsWith",
    EndsWith = "endsWith",
    Matches = "matches",
    TypeOf = "type",
    Dyn = "dyn",
    Bool = "bool",
    Bytes = "bytes",
    Double = "double",
    Duration = "duration",
    Int = "int",
    String = "string",
    Timestamp = "timestamp",
    Uint = "uint",
    FullYear = "getFullYear",
    Month = "getMonth",
    DayOfYear = "getDayOfYear",
    DayOfMonth = "getDayOfMonth",
    Date = "getDate",
    DayOfWeek = "getDayOfWeek",
    Hours = "getHours",
    Minutes = "getMinutes",
    Seconds = "getSeconds",
    Milliseconds = "getMilliseconds",
    SemverCompare = "semver_compare",
}
