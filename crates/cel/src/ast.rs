//! What a rule says, after parsing.

use crate::function::Function;

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    /// Where cel-go places complaints about it, in bytes: operators and calls at their sign, the rest at its start.
    pub(crate) at: usize,
    /// How many operators, selections and member calls lie on top of each other in it; cel-go allows 250.
    pub(crate) height: u16,
    pub(crate) kind: ExprKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExprKind {
    Literal(Literal),
    Ident(Box<str>),
    /// The dotted name of a protobuf type that every environment knows.
    Message(MessageType),
    /// `operand.field`, or whether there is one.
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
    Fold(Box<Fold>),
    /// What a syntax error left.
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
    /// Absent when no function has the name, which the check complains about.
    pub(crate) function: Option<Function>,
    /// What stands before the dot.
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

/// A macro that goes through a list or the keys of a map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fold {
    pub(crate) kind: FoldKind,
    pub(crate) range: Expr,
    pub(crate) variable: Box<str>,
    /// Of `filter` and `map` with three arguments.
    pub(crate) condition: Option<Expr>,
    /// Absent for `filter`, which keeps the element.
    pub(crate) body: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldKind {
    All,
    Exists,
    ExistsOne,
    /// `map` and `filter`.
    Collect,
}

/// The protobuf messages that cel-go registers by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageType {
    Timestamp,
    Duration,
    BoolValue,
    BytesValue,
    DoubleValue,
    FloatValue,
    Int32Value,
    Int64Value,
    StringValue,
    Uint32Value,
    Uint64Value,
    /// `Any`, `Empty`, `ListValue`, `Struct` or `Value`.
    Json,
}

impl MessageType {
    /// By the full name, which may start with a dot.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name = name.strip_prefix('.').unwrap_or(name);
        Some(match name.strip_prefix("google.protobuf.")? {
            "Timestamp" => Self::Timestamp,
            "Duration" => Self::Duration,
            "BoolValue" => Self::BoolValue,
            "BytesValue" => Self::BytesValue,
            "DoubleValue" => Self::DoubleValue,
            "FloatValue" => Self::FloatValue,
            "Int32Value" => Self::Int32Value,
            "Int64Value" => Self::Int64Value,
            "StringValue" => Self::StringValue,
            "UInt32Value" => Self::Uint32Value,
            "UInt64Value" => Self::Uint64Value,
            "Any" | "Empty" | "ListValue" | "Struct" | "Value" => Self::Json,
            _ => return None,
        })
    }
}

impl Expr {
    pub(crate) fn leaf(at: usize, kind: ExprKind) -> Self {
        Self { at, height: 0, kind }
    }

    /// `a.b.c` of names alone.
    pub(crate) fn qualified_name(&self) -> Option<String> {
        match &self.kind {
            ExprKind::Ident(name) => Some(name.to_string()),
            ExprKind::Select { operand, field, test: false } => Some(format!("{}.{field}", operand.qualified_name()?)),
            _ => None,
        }
    }
}
