//! The static check of cel-go (`checker/checker.go`) in OLM's environment: one variable `properties`, a list of maps from
//! text to anything.

use crate::ast::{Call, Comprehension, ComprehensionKind, Construct, Expr, ExprKind, Function, Literal, MessageType};
use crate::error::Issue;
use crate::types::{Type, Unifier};

/// The result of the check.
pub(crate) enum Checked {
    /// The rule is of type bool.
    Bool,
    /// The rule is well-typed, but of another type.
    Other,
    /// cel-go reports these errors.
    Faulty(Vec<Issue>),
    /// The types are too large to be compared.
    TooComplex,
}

pub(crate) fn check(rule: &Expr) -> Checked {
    let properties = Type::list(Type::map(Type::String, Type::Any));
    let scope = vec![("properties", properties)];
    let mut checker = Checker { scope, unifier: Unifier::new(), found: Vec::new() };
    let of = checker.check(rule);
    let of = checker.unifier.resolved(&of, Some(&Type::Dyn));
    if checker.unifier.exhausted() {
        Checked::TooComplex
    } else if !checker.found.is_empty() {
        Checked::Faulty(checker.found)
    } else if of == Type::Bool {
        Checked::Bool
    } else {
        Checked::Other
    }
}

struct Checker<'e> {
    /// The variables, inner ones last.
    scope: Vec<(&'e str, Type)>,
    unifier: Unifier,
    found: Vec<Issue>,
}

impl<'e> Checker<'e> {
    fn check(&mut self, expr: &'e Expr) -> Type {
        match &expr.kind {
            ExprKind::Literal(literal) => literal_type(literal),
            ExprKind::Ident(name) => self.ident(expr.at, name),
            ExprKind::Message(message) => Type::meta(message_type(*message)),
            ExprKind::Select { operand, field: _, test } => {
                let of = self.select(expr.at, operand);
                if *test { Type::Bool } else { self.unifier.resolved(&of, None) }
            }
            ExprKind::Call(call) => self.call(expr.at, call),
            ExprKind::Logic { terms, .. } => self.logic(terms),
            ExprKind::List(items) => {
                let mut of = None;
                for item in items {
                    let next = self.check(item);
                    of = Some(self.join(of, next));
                }
                Type::list(of.unwrap_or_else(|| self.unifier.fresh()))
            }
            ExprKind::Map(entries) => self.map(entries),
            ExprKind::Construct(construct) => self.construct(expr.at, construct),
            ExprKind::Comprehension(comprehension) => self.comprehension(expr.at, comprehension),
            ExprKind::Broken => Type::Error,
        }
    }

    fn report(&mut self, at: usize, message: String) {
        self.found.push(Issue::new(at, message));
    }

    fn undeclared(&mut self, at: usize, name: &str) -> Type {
        self.report(at, format!("undeclared reference to '{name}' (in container '')"));
        Type::Error
    }

    fn ident(&mut self, at: usize, written: &str) -> Type {
        let name = written.strip_prefix('.').unwrap_or(written);
        if let Some((_, of)) = self.scope.iter().rev().find(|(known, _)| *known == name) {
            return of.clone();
        }
        Type::meta(match name {
            "bool" => Type::Bool,
            "bytes" => Type::Bytes,
            "double" => Type::Double,
            "int" => Type::Int,
            "list" => Type::list(Type::Dyn),
            "map" => Type::map(Type::Dyn, Type::Dyn),
            "null_type" => Type::Null,
            "string" => Type::String,
            "type" => Type::Meta(None),
            "uint" => Type::Uint,
            _ => return self.undeclared(at, written),
        })
    }

    fn select(&mut self, at: usize, operand: &'e Expr) -> Type {
        let of = self.check(operand);
        let of = self.unifier.resolved(&of, None);
        match &of {
            Type::Map(entry) => entry.1.clone(),
            Type::Var(_) => {
                self.unifier.assignable(&Type::Dyn, &of);
                Type::Dyn
            }
            Type::Dyn | Type::Any | Type::Error => Type::Dyn,
            _ => {
                let of = self.unifier.text(&of);
                self.report(at, format!("type '{of}' does not support field selection"));
                Type::Dyn
            }
        }
    }

    fn logic(&mut self, terms: &'e [Expr]) -> Type {
        let types: Vec<Type> = terms.iter().map(|term| self.check(term)).collect();
        let mut of = Type::Bool;
        for (term, found) in terms.iter().zip(types) {
            if !self.unifier.assignable(&found, &Type::Bool) {
                self.mismatch(term.at, &Type::Bool, &found);
                of = Type::Error;
            }
        }
        of
    }

    fn mismatch(&mut self, at: usize, wanted: &Type, found: &Type) {
        let (wanted, found) = (self.unifier.text(wanted), self.unifier.text(found));
        self.report(at, format!("expected type '{wanted}' but found '{found}'"));
    }

    /// The type of elements that have all these types.
    fn join(&mut self, before: Option<Type>, next: Type) -> Type {
        match before {
            None => next,
            Some(before) if self.unifier.assignable(&before, &next) => self.unifier.most_general(before, next),
            Some(_) => Type::Dyn,
        }
    }

    fn map(&mut self, entries: &'e [(Expr, Expr)]) -> Type {
        let (mut key, mut value) = (None, None);
        for (key_expr, value_expr) in entries {
            let next = self.check(key_expr);
            key = Some(self.join(key, next));
            let next = self.check(value_expr);
            value = Some(self.join(value, next));
        }
        let key = key.unwrap_or_else(|| self.unifier.fresh());
        let value = value.unwrap_or_else(|| self.unifier.fresh());
        Type::map(key, value)
    }

    fn call(&mut self, at: usize, call: &'e Call) -> Type {
        let args: Vec<Type> = call.args.iter().map(|arg| self.check(arg)).collect();
        let target = match (&call.target, call.function) {
            (None, None) => return self.undeclared(at, &call.name),
            (None, Some(_)) => None,
            (Some(target), _) => Some(self.check(target)),
        };
        let Some(function) = call.function else { return self.undeclared(at, &call.name) };
        let member = target.is_some();
        self.resolve(at, function, member, target.into_iter().chain(args).collect())
    }

    /// The result of a call with arguments of these types, the receiver first if it is a `member`.
    fn resolve(&mut self, at: usize, function: Function, member: bool, args: Vec<Type>) -> Type {
        let mut result: Option<Type> = None;
        for overload in overloads_of(function).iter().filter(|overload| overload.member == member) {
            let mut parameters = Parameters::default();
            let wanted: Vec<Type> =
                overload.args.iter().map(|sig| parameters.instance(*sig, &mut self.unifier)).collect();
            let gives = parameters.instance(overload.result, &mut self.unifier);
            if self.unifier.assignable_all(&args, &wanted) {
                let gives = self.unifier.resolved(&gives, None);
                result = Some(match result {
                    None => gives,
                    Some(known) if known == Type::Dyn || known == gives => known,
                    Some(_) => Type::Dyn,
                });
            }
        }
        result.unwrap_or_else(|| self.no_overload(at, function, member, &args))
    }

    fn no_overload(&mut self, at: usize, function: Function, member: bool, args: &[Type]) -> Type {
        let mut args = args.iter().map(|of| {
            let of = self.unifier.resolved(of, Some(&Type::Dyn));
            self.unifier.text(&of)
        });
        let receiver = if member { args.next().unwrap_or_default() + "." } else { String::new() };
        let (name, args) = (function.name(), args.collect::<Vec<_>>().join(", "));
        self.report(at, format!("found no matching overload for '{name}' applied to '{receiver}({args})'"));
        Type::Error
    }

    fn construct(&mut self, at: usize, construct: &'e Construct) -> Type {
        let Some(message) = construct.message else { return self.unknown_message(at, construct) };
        for field in &construct.fields {
            let found = self.check(&field.value);
            let Some(wanted) = field_type(message, &field.name) else {
                self.report(at, format!("undefined field '{}'", field.name));
                continue;
            };
            if !self.unifier.assignable(&wanted, &found) {
                let (wanted, found) = (self.unifier.text(&wanted), self.unifier.text(&found));
                let name = &field.name;
                let message = format!("expected type of field '{name}' is '{wanted}' but provided type is '{found}'");
                self.report(field.at, message);
            }
        }
        message_type(message)
    }

    fn unknown_message(&mut self, at: usize, construct: &'e Construct) -> Type {
        let name = construct.name.strip_prefix('.').unwrap_or(&construct.name);
        let before = self.found.len();
        let of = self.ident(at, &construct.name);
        if self.found.len() > before {
            return Type::Error;
        }
        match of {
            Type::Meta(_) => self.report(at, format!("'{name}' is not a message type")),
            _ => self.report(at, format!("'{}' is not a type", self_name(&of))),
        }
        for field in &construct.fields {
            self.check(&field.value);
        }
        Type::Error
    }

    fn comprehension(&mut self, at: usize, comprehension: &'e Comprehension) -> Type {
        let range = self.check(&comprehension.range);
        let collected = match comprehension.kind {
            ComprehensionKind::All | ComprehensionKind::Exists => Type::Bool,
            ComprehensionKind::ExistsOne => Type::Int,
            ComprehensionKind::Collect => Type::list(self.unifier.fresh()),
        };
        let range = self.unifier.resolved(&range, None);
        let element = self.element(comprehension.range.at, &range);
        self.scope.push((&comprehension.variable, element.clone()));
        let result = match comprehension.kind {
            ComprehensionKind::All | ComprehensionKind::Exists => self.quantifier(comprehension),
            ComprehensionKind::ExistsOne => self.exists_one(at, comprehension),
            ComprehensionKind::Collect => self.collect(at, comprehension, element, collected),
        };
        self.scope.pop();
        result
    }

    /// The type of what a macro iterates over.
    fn element(&mut self, at: usize, range: &Type) -> Type {
        match range {
            Type::List(element) => (**element).clone(),
            Type::Map(entry) => entry.0.clone(),
            Type::Dyn | Type::Error | Type::Var(_) => {
                self.unifier.assignable(&Type::Dyn, range);
                Type::Dyn
            }
            _ => {
                let range = self.unifier.text(range);
                let must = "(must be list, map, or dynamic)";
                self.report(at, format!("expression of type '{range}' cannot be range of a comprehension {must}"));
                Type::Error
            }
        }
    }

    fn quantifier(&mut self, comprehension: &'e Comprehension) -> Type {
        if let Some(body) = &comprehension.body {
            let found = self.check(body);
            if !self.unifier.assignable(&found, &Type::Bool) {
                self.mismatch(body.at, &Type::Bool, &found);
            }
        }
        Type::Bool
    }

    /// cel-go expands the macro to `condition ? count + 1 : count` for each element, and `count == 1`.
    fn exists_one(&mut self, at: usize, comprehension: &'e Comprehension) -> Type {
        let condition = comprehension.body.as_ref().map_or(Type::Error, |body| self.check(body));
        let sum = self.resolve(at, Function::Add, false, vec![Type::Int, Type::Int]);
        let step = self.resolve(at, Function::Conditional, false, vec![condition, sum, Type::Int]);
        self.assert(at, &Type::Int, &step);
        self.resolve(at, Function::Equals, false, vec![Type::Int, Type::Int])
    }

    /// cel-go expands the macro to `condition ? collected + [body] : collected` for each element.
    fn collect(&mut self, at: usize, comprehension: &'e Comprehension, element: Type, collected: Type) -> Type {
        let condition = comprehension.condition.as_ref().map(|condition| self.check(condition));
        let body = comprehension.body.as_ref().map_or(element, |body| self.check(body));
        let mut step = self.resolve(at, Function::Add, false, vec![collected.clone(), Type::list(body)]);
        if let Some(condition) = condition {
            step = self.resolve(at, Function::Conditional, false, vec![condition, step, collected.clone()]);
        }
        self.assert(at, &collected, &step);
        self.unifier.resolved(&collected, None)
    }

    fn assert(&mut self, at: usize, wanted: &Type, found: &Type) {
        if !self.unifier.assignable(wanted, found) {
            self.mismatch(at, wanted, found);
        }
    }
}

/// The type variables of one use of a signature.
#[derive(Default)]
struct Parameters {
    a: Option<Type>,
    b: Option<Type>,
}

impl Parameters {
    fn instance(&mut self, sig: ParamType, unifier: &mut Unifier) -> Type {
        match sig {
            ParamType::Dyn => Type::Dyn,
            ParamType::Any => Type::Any,
            ParamType::Bool => Type::Bool,
            ParamType::Int => Type::Int,
            ParamType::Uint => Type::Uint,
            ParamType::Double => Type::Double,
            ParamType::Str => Type::String,
            ParamType::Bytes => Type::Bytes,
            ParamType::Time => Type::Timestamp,
            ParamType::Span => Type::Duration,
            ParamType::A => self.a.get_or_insert_with(|| unifier.fresh()).clone(),
            ParamType::B => self.b.get_or_insert_with(|| unifier.fresh()).clone(),
            ParamType::ListA => Type::list(self.instance(ParamType::A, unifier)),
            ParamType::MapAB => {
                let key = self.instance(ParamType::A, unifier);
                Type::map(key, self.instance(ParamType::B, unifier))
            }
            ParamType::MetaA => Type::meta(self.instance(ParamType::A, unifier)),
        }
    }
}

fn literal_type(literal: &Literal) -> Type {
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
fn message_type(message: MessageType) -> Type {
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

/// The type of a field of a message; the fields of `Json` are not checked.
fn field_type(message: MessageType, field: &str) -> Option<Type> {
    match (message, message_type(message)) {
        (MessageType::Timestamp | MessageType::Duration, _) => {
            matches!(field, "seconds" | "nanos").then_some(Type::Int)
        }
        (_, Type::Wrapper(of)) => (field == "value").then(|| (*of).clone()),
        _ => Some(Type::Dyn),
    }
}

/// How cel-go names the type of a variable that is used like a message.
fn self_name(of: &Type) -> &'static str {
    match of {
        Type::List(_) => "list",
        Type::Map(_) => "map",
        Type::Any => "google.protobuf.Any",
        _ => "dyn",
    }
}

// The signatures of all functions, in cel-go's order (`common/stdlib/standard.go`): of several that fit, the first one
// gives the type. Comparisons across number types are declared there too, but switched off unless asked for, which OLM
// does not.

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
struct Overload {
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

fn overloads_of(function: Function) -> &'static [Overload] {
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
