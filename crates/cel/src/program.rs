//! Rules that are compiled once and evaluated for many bundles (cel-go `interpreter/{interpretable,attributes}.go`).

use std::rc::Rc;

use crate::ast::{Call, Comprehension, ComprehensionKind, Construct, Expr, ExprKind, Function, Literal, MessageType};
use crate::call;
use crate::check::{Checked, check};
use crate::error::{CompileError, EvalError, Failure, Fuel, Meter, NotKnown, failed};
use crate::parse::parse;
use crate::value::{Blob, List, Map, Property, Text, Value, is_same_key};

/// A rule that cel-go accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Absent when the check was given up, because the types are too large.
    rule: Option<Expr>,
}

impl Program {
    /// Parses and checks a rule as OLM's `constraints.ValidateCelConstraint` does: it must be of type bool, exactly.
    ///
    /// # Errors
    /// When cel-go refuses the rule, with its text.
    pub fn compile(rule: &str) -> Result<Self, CompileError> {
        let parsed = parse(rule)?;
        match check(&parsed) {
            Checked::Bool => Ok(Self { rule: Some(parsed) }),
            Checked::Other => Err(CompileError::not_bool()),
            Checked::Faulty(issues) => Err(CompileError::reported(rule, issues)),
            Checked::TooComplex => Ok(Self { rule: None }),
        }
    }

    /// Evaluates the rule for a bundle with these properties.
    ///
    /// # Errors
    /// When cel-go reports an error, which OLM takes for `false`; and when the result in cel-go is not known.
    pub fn evaluate(&self, properties: &[Property<'_>], fuel: &mut Fuel) -> Result<bool, EvalError> {
        match &self.rule {
            Some(rule) => evaluate(rule, properties, fuel),
            None => Err(EvalError::NotKnown(NotKnown::Exhausted)),
        }
    }
}

type Evaluated<'a> = Result<Value<'a>, Failure>;
/// A truth value, or cel-go's error that another operand may still absorb.
type Truth = Result<Result<bool, Box<str>>, Failure>;

fn evaluate(rule: &Expr, properties: &[Property<'_>], fuel: &mut Fuel) -> Result<bool, EvalError> {
    let mut evaluation = Evaluation { scope: Vec::new(), properties, meter: Meter::start(fuel) };
    let value = evaluation.eval(rule);
    evaluation.meter.stop(fuel);
    match value? {
        Value::Bool(yes) => Ok(yes),
        _ => Err(no_overload()),
    }
}

pub(crate) fn no_overload() -> Failure {
    failed("no such overload")
}

struct Evaluation<'a> {
    /// The variables of the macros in progress.
    scope: Vec<(&'a str, Value<'a>)>,
    properties: &'a [Property<'a>],
    meter: Meter,
}

impl<'a> Evaluation<'a> {
    fn eval(&mut self, expr: &'a Expr) -> Evaluated<'a> {
        self.meter.spend(1)?;
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(literal_value(literal)),
            ExprKind::Ident(name) => Ok(self.ident(name)),
            ExprKind::Message(message) => Ok(Value::Type(message.name())),
            ExprKind::Select { operand, field, test } => self.select(operand, field, *test),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Logic { or, terms } => decide(*or, terms.iter().map(|term| self.truth(term))),
            ExprKind::List(items) => {
                let items: Result<Vec<Value<'a>>, Failure> = items.iter().map(|item| self.eval(item)).collect();
                Ok(Value::List(List::Items(items?.into())))
            }
            ExprKind::Map(entries) => self.map(entries),
            ExprKind::Construct(construct) => self.construct(construct),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Broken => Err(no_overload()),
        }
    }

    fn ident(&self, written: &'a str) -> Value<'a> {
        let name = written.strip_prefix('.').unwrap_or(written);
        match self.scope.iter().rev().find(|(known, _)| *known == name) {
            Some((_, value)) => value.clone(),
            None if name == "properties" => Value::List(List::Properties(self.properties)),
            None => Value::Type(type_name(name)),
        }
    }

    /// `operand.field`, or a test whether there is such a field.
    fn select(&mut self, operand: &'a Expr, field: &'a str, test: bool) -> Evaluated<'a> {
        let operand = self.eval(operand)?;
        let found = self.qualified(&operand, &Value::borrowed(field))?;
        match found {
            Found::Value(_) if test => Ok(Value::Bool(true)),
            Found::Value(value) => Ok(value),
            _ if test => Ok(Value::Bool(false)),
            Found::NoKey => Err(failed(format!("no such key: {field}"))),
            Found::NoElement(at) => Err(failed(format!("index out of bounds: {at}"))),
        }
    }

    fn index(&mut self, operand: &Value<'a>, index: &Value<'a>) -> Evaluated<'a> {
        if let Value::Null | Value::Bytes(_) | Value::List(_) | Value::Map(_) | Value::Type(_) = index {
            return Err(failed(format!("invalid qualifier type: {}", go_type(index))));
        }
        match self.qualified(operand, index)? {
            Found::Value(value) => Ok(value),
            Found::NoKey => Err(failed(format!("no such key: {}", crate::convert::print(index, &mut self.meter)?))),
            Found::NoElement(at) => Err(failed(format!("index out of bounds: {at}"))),
        }
    }

    /// Looks a key up in a value of any type.
    fn qualified(&mut self, operand: &Value<'a>, key: &Value<'a>) -> Result<Found<'a>, Failure> {
        match operand {
            Value::Map(map) => Ok(map.get(key, &mut self.meter)?.map_or(Found::NoKey, Found::Value)),
            Value::List(list) => {
                let at = call::list_index(key, &mut self.meter)?;
                let found = usize::try_from(at).ok().and_then(|at| list.get(at));
                Ok(found.map_or(Found::NoElement(at), Found::Value))
            }
            _ => Ok(Found::NoKey),
        }
    }

    fn truth(&mut self, expr: &'a Expr) -> Truth {
        match self.eval(expr) {
            Ok(Value::Bool(value)) => Ok(Ok(value)),
            Ok(_) => Ok(Err("no such overload".into())),
            Err(EvalError::Failed(text)) => Ok(Err(text)),
            Err(unknown) => Err(unknown),
        }
    }

    fn map(&mut self, entries: &'a [(Expr, Expr)]) -> Evaluated<'a> {
        let mut built: Vec<(Value<'a>, Value<'a>)> = Vec::new();
        for (key, value) in entries {
            let (key, value) = (self.eval(key)?, self.eval(value)?);
            if let Value::Bytes(_) = key {
                return Err(failed("internal error: runtime error: hash of unhashable type types.Bytes"));
            }
            self.meter.spend(built.len() as u64)?;
            match built.iter_mut().find(|(known, _)| is_same_key(known, &key)) {
                Some((_, known)) => *known = value,
                None => built.push((key, value)),
            }
        }
        Ok(Value::Map(Map::Entries(built.into())))
    }

    fn construct(&mut self, construct: &'a Construct) -> Evaluated<'a> {
        let unknown = || Err(EvalError::NotKnown(NotKnown::Message(construct.name.clone())));
        let zero = match construct.message {
            Some(MessageType::BoolValue) => Value::Bool(false),
            Some(MessageType::BytesValue) => Value::Bytes(Blob::Borrowed(&[])),
            Some(MessageType::DoubleValue) => Value::Double(0.0),
            Some(MessageType::Int64Value) => Value::Int(0),
            Some(MessageType::StringValue) => Value::borrowed(""),
            Some(MessageType::Uint64Value) => Value::Uint(0),
            _ => return unknown(),
        };
        let Some(field) = construct.fields.last() else { return Ok(zero) };
        let value = self.eval(&field.value)?;
        if value.type_name() == zero.type_name() { Ok(value) } else { unknown() }
    }

    fn call(&mut self, call: &'a Call) -> Evaluated<'a> {
        let Some(function) = call.function else { return Err(no_overload()) };
        if let (Function::Conditional, [condition, yes, no]) = (function, &call.args[..]) {
            let chosen = self.truth(condition)?.map_err(failed)?;
            return self.eval(if chosen { yes } else { no });
        }
        let args = call.target.iter().chain(&call.args);
        // All arguments are evaluated, in order; the first error counts.
        let mut values: Vec<Value<'a>> = Vec::with_capacity(call.args.len() + 1);
        for arg in args {
            values.push(self.eval(arg)?);
        }
        match (function, &values[..]) {
            (Function::Index, [operand, index]) => self.index(operand, index),
            _ => call::call(function, values, &mut self.meter),
        }
    }

    fn comprehension(&mut self, comprehension: &'a Comprehension) -> Evaluated<'a> {
        let elements: Vec<Value<'a>> = match self.eval(&comprehension.range)? {
            Value::List(list) => {
                self.meter.spend(list.len() as u64)?;
                list.iter().collect()
            }
            Value::Map(map) => {
                self.meter.spend(map.len() as u64)?;
                map.keys()
            }
            other => return Err(failed(format!("got '{}', expected iterable type", go_type(&other)))),
        };
        match comprehension.kind {
            ComprehensionKind::All => self.quantifier(comprehension, elements, false),
            ComprehensionKind::Exists => self.quantifier(comprehension, elements, true),
            ComprehensionKind::ExistsOne => self.exists_one(comprehension, elements),
            ComprehensionKind::Collect => self.collect(comprehension, elements),
        }
    }

    /// Runs a part of a macro with its variable set to an element.
    fn with<T>(&mut self, comprehension: &'a Comprehension, element: Value<'a>, run: impl FnOnce(&mut Self) -> T) -> T {
        self.scope.push((&comprehension.variable, element));
        let result = run(self);
        self.scope.pop();
        result
    }

    fn quantifier(
        &mut self,
        comprehension: &'a Comprehension,
        elements: Vec<Value<'a>>,
        decisive: bool,
    ) -> Evaluated<'a> {
        let Some(body) = &comprehension.body else { return Err(no_overload()) };
        let truths = elements.into_iter().map(|element| self.with(comprehension, element, |inner| inner.truth(body)));
        decide(decisive, truths)
    }

    fn exists_one(&mut self, comprehension: &'a Comprehension, elements: Vec<Value<'a>>) -> Evaluated<'a> {
        let Some(body) = &comprehension.body else { return Err(no_overload()) };
        let (mut count, mut error) = (0_usize, None);
        for element in elements {
            match self.with(comprehension, element, |evaluation| evaluation.truth(body))? {
                Ok(met) => count += usize::from(met),
                Err(text) => error = Some(text),
            }
        }
        error.map_or(Ok(Value::Bool(count == 1)), |error| Err(failed(error)))
    }

    fn collect(&mut self, comprehension: &'a Comprehension, elements: Vec<Value<'a>>) -> Evaluated<'a> {
        let mut collected = Vec::new();
        let mut error: Option<Box<str>> = None;
        for element in elements {
            match self.with(comprehension, element, |evaluation| evaluation.collected(comprehension)) {
                Ok(Some(value)) => collected.push(value),
                Ok(None) => {}
                Err((EvalError::Failed(text), true)) => error = Some(text),
                Err((EvalError::Failed(text), false)) => error = error.or(Some(text)),
                Err((unknown, _)) => return Err(unknown),
            }
        }
        match error {
            Some(error) => Err(failed(error)),
            None => Ok(Value::List(List::Items(Rc::from(collected)))),
        }
    }

    /// The value that the current element adds to the list, if any. The flag of an error says whether it replaces the errors
    /// before it: one of the condition does, one of the body does not.
    fn collected(&mut self, comprehension: &'a Comprehension) -> Result<Option<Value<'a>>, (Failure, bool)> {
        if let Some(condition) = &comprehension.condition {
            match self.truth(condition) {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => return Ok(None),
                Ok(Err(text)) => return Err((failed(text), true)),
                Err(unknown) => return Err((unknown, true)),
            }
        }
        let value = match &comprehension.body {
            Some(body) => self.eval(body),
            None => Ok(self.scope.last().map_or(Value::Null, |(_, element)| element.clone())),
        };
        value.map(Some).map_err(|failure| (failure, false))
    }
}

/// `&&`, `||`, `all` and `exists`: the first `decisive` truth value wins, even over errors before it.
fn decide<'a>(decisive: bool, truths: impl Iterator<Item = Truth>) -> Evaluated<'a> {
    let mut error = None;
    for truth in truths {
        match truth? {
            Ok(value) if value == decisive => return Ok(Value::Bool(decisive)),
            Ok(_) => {}
            Err(text) => error = error.or(Some(text)),
        }
    }
    error.map_or(Ok(Value::Bool(!decisive)), |error| Err(failed(error)))
}

/// The result of looking a key up.
enum Found<'a> {
    Value(Value<'a>),
    NoKey,
    NoElement(i64),
}

fn literal_value(literal: &Literal) -> Value<'_> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(number) => Value::Int(*number),
        Literal::Uint(number) => Value::Uint(*number),
        Literal::Double(number) => Value::Double(*number),
        Literal::String(text) => Value::String(Text::Borrowed(text)),
        Literal::Bytes(bytes) => Value::Bytes(Blob::Borrowed(bytes)),
    }
}

/// The name of the type that an identifier stands for. Other identifiers do not pass the check.
fn type_name(name: &str) -> &'static str {
    const NAMES: [&str; 10] = ["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"];
    NAMES.into_iter().find(|known| *known == name).unwrap_or("type")
}

/// The name of a value's type in Go, which some errors show.
fn go_type(value: &Value<'_>) -> &'static str {
    match value {
        Value::Null => "types.Null",
        Value::Bool(_) => "types.Bool",
        Value::Int(_) => "types.Int",
        Value::Uint(_) => "types.Uint",
        Value::Double(_) => "types.Double",
        Value::String(_) => "types.String",
        Value::Bytes(_) => "types.Bytes",
        Value::List(_) => "*types.baseList",
        Value::Map(_) => "*types.baseMap",
        Value::Type(_) => "*types.Type",
        Value::Timestamp(_) => "types.Timestamp",
        Value::Duration(_) => "types.Duration",
    }
}
