//! Types that are known before anything is inferred.

use crate::ast::{Literal, MessageType};
use crate::types::Type;

/// The type of a literal.
pub(super) fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}

/// The type that a message has as a value.
pub(super) fn message_type(message: MessageType) -> Type {
    match message {
        MessageType::Timestamp => Type::Timestamp,
        MessageType::Duration => Type::Duration,
        MessageType::BoolValue => Type::wrapper(Type::Bool),
        MessageType::BytesValue => Type::wrapper(Type::Bytes),
        MessageType::DoubleValue | MessageType::FloatValue => Type::wrapper(Type::Double),
        MessageType::Int32Value | MessageType::Int64Value => Type::wrapper(Type::Int),
        MessageType::StringValue => Type::wrapper(Type::String),
        MessageType::Uint32Value | MessageType::Uint64Value => Type::wrapper(Type::Uint),
        MessageType::Json => Type::Dyn,
    }
}

/// The type of a field of a message; those of `Json` are not looked at.
pub(super) fn field_type(message: MessageType, field: &str) -> Option<Type> {
    match (message, message_type(message)) {
        (MessageType::Timestamp | MessageType::Duration, _) => {
            matches!(field, "seconds" | "nanos").then_some(Type::Int)
        }
        (_, Type::Wrapper(of)) => (field == "value").then(|| (*of).clone()),
        _ => Some(Type::Dyn),
    }
}

/// How cel-go names the type of a variable that is used like a message.
pub(super) fn self_name(of: &Type) -> &'static str {
    match of {
        Type::List(_) => "list",
        Type::Map(_) => "map",
        Type::Any => "google.protobuf.Any",
        _ => "dyn",
    }
}
