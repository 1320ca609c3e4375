//! The syntax tree of a rule, and the functions and operators that it may call.

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    /// Where cel-go places errors in it, in bytes: operators and calls at their sign, the rest at its start.
    pub(crate) at: usize,
    /// The depth of operators, selections and member calls in it; cel-go allows 250.
    pub(crate) height: u16,
    pub(crate) kind: ExprKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExprKind {
    Literal(Literal),
    Ident(Box<str>),
    /// The dotted name of a protobuf type that every environment knows.
    Message(MessageType),
    /// `operand.field`, or a test whether there is such a field.
    Select {
        operand: Box<Expr>,
        field: Box<str>,
        test: bool,
    },
    Call(Box<Call>),
    /// `&&` or `||` over two terms or more.
    Logic {
        or: bool,
        terms: Vec<Expr>,
    },
    List(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    Construct(Box<Construct>),
    Comprehension(Box<Comprehension>),
    /// Stands for what cel-go's parser refused; such a rule is never checked.
    Broken,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Box<str>),
    Bytes(Box<[u8]>),
}

/// A call of a function or operator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    /// The name in cel-go's texts, `_+_` for an operator.
    pub(crate) name: Box<str>,
    /// Absent when no function has the name; the check reports that.
    pub(crate) function: Option<Function>,
    /// The expression before the dot.
    pub(crate) target: Option<Expr>,
    pub(crate) args: Vec<Expr>,
}

/// `name{field: value}`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Construct {
    pub(crate) name: Box<str>,
    pub(crate) message: Option<MessageType>,
    pub(crate) fields: Vec<FieldInit>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FieldInit {
    pub(crate) at: usize,
    pub(crate) name: Box<str>,
    pub(crate) value: Expr,
}

/// What a macro that iterates over a list or the keys of a map expands to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comprehension {
    pub(crate) kind: ComprehensionKind,
    pub(crate) range: Expr,
    pub(crate) variable: Box<str>,
    /// The condition of `filter`, and of `map` with three arguments.
    pub(crate) condition: Option<Expr>,
    /// Absent for `filter`, which keeps the element.
    pub(crate) body: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComprehensionKind {
    All,
    Exists,
    ExistsOne,
    /// `map` and `filter`.
    Collect,
}

/// Defines [`MessageType`] with the name of each one in `google.protobuf`.
macro_rules! messages {
    ($($message:ident = $name:literal,)*) => {
        /// A protobuf message that cel-go registers by itself.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum MessageType {
            $($message,)*
            /// `Any`, `Empty`, `ListValue`, `Struct` or `Value`.
            Json,
        }

        impl MessageType {
            /// By the full name, which may start with a dot.
            pub(crate) fn named(name: &str) -> Option<Self> {
                let name = name.strip_prefix('.').unwrap_or(name);
                match name.strip_prefix("google.protobuf.")? {
                    $($name => Some(Self::$message),)*
                    "Any" | "Empty" | "ListValue" | "Struct" | "Value" => Some(Self::Json),
                    _ => None,
                }
            }

            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$message => concat!("google.protobuf.", $name),)*
                    Self::Json => "google.protobuf.Value",
                }
            }
        }
    };
}

messages! {
    Timestamp = "Timestamp",
    Duration = "Duration",
    BoolValue = "BoolValue",
    BytesValue = "BytesValue",
    DoubleValue = "DoubleValue",
    FloatValue = "FloatValue",
    Int32Value = "Int32Value",
    Int64Value = "Int64Value",
    StringValue = "StringValue",
    Uint32Value = "UInt32Value",
    Uint64Value = "UInt64Value",
}

impl Expr {
    pub(crate) fn leaf(at: usize, kind: ExprKind) -> Self {
        Self { at, height: 0, kind }
    }

    /// The text of `a.b.c`, if the expression consists of names alone.
    pub(crate) fn qualified_name(&self) -> Option<String> {
        match &self.kind {
            ExprKind::Ident(name) => Some(name.to_string()),
            ExprKind::Select { operand, field, test: false } => Some(format!("{}.{field}", operand.qualified_name()?)),
            _ => None,
        }
    }
}

// The functions and operators of cel-go's standard library (`common/stdlib/standard.go`), and OLM's own.

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
