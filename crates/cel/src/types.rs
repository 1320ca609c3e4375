//! Static types, and which of them may stand for which (cel-go `checker/types.go`, `checker/format.go`).

use std::rc::Rc;

/// The most comparisons of types for one rule; then the check is given up.
const MAX_WORK: u32 = 500_000;

/// A type as the checker sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Dyn,
    /// The type of the values in `properties`. Like `Dyn`, but cel-go lets no macro go through one.
    Any,
    /// The type of an expression in which an error was reported.
    Error,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Timestamp,
    Duration,
    /// A protobuf message that may hold null instead of a primitive.
    Wrapper(Rc<Type>),
    List(Rc<Type>),
    Map(Rc<(Type, Type)>),
    Meta(Option<Rc<Type>>),
    Var(u32),
}

impl Type {
    pub(crate) fn list(element: Self) -> Self {
        Self::List(Rc::new(element))
    }

    pub(crate) fn map(key: Self, value: Self) -> Self {
        Self::Map(Rc::new((key, value)))
    }

    pub(crate) fn meta(of: Self) -> Self {
        Self::Meta(Some(Rc::new(of)))
    }

    pub(crate) fn wrapper(of: Self) -> Self {
        Self::Wrapper(Rc::new(of))
    }

    fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any)
    }

    /// The type that a wrapper wraps; other types as they are.
    fn unwrapped(&self) -> &Self {
        match self {
            Self::Wrapper(of) => of,
            other => other,
        }
    }

    fn takes_null(&self) -> bool {
        matches!(self, Self::Null | Self::Any | Self::Duration | Self::Timestamp | Self::Wrapper(_))
    }
}

/// Finds out which types the variables stand for.
pub(crate) struct Unifier {
    bound: Vec<Option<Type>>,
    /// The former types of variables, latest last.
    undo: Vec<(u32, Option<Type>)>,
    work: u32,
}

impl Unifier {
    pub(crate) fn new() -> Self {
        Self { bound: Vec::new(), undo: Vec::new(), work: MAX_WORK }
    }

    /// Whether the check is to be given up, because it took too many comparisons.
    pub(crate) fn exhausted(&self) -> bool {
        self.work == 0
    }

    fn spend(&mut self) -> bool {
        self.work = self.work.saturating_sub(1);
        self.work > 0
    }

    pub(crate) fn fresh(&mut self) -> Type {
        let id = u32::try_from(self.bound.len()).expect("a rule has fewer than 2^32 subexpressions");
        self.bound.push(None);
        Type::Var(id)
    }

    /// Whether values of the types `given` fit the types `wanted`; if so, variables are bound accordingly.
    pub(crate) fn assignable_all(&mut self, given: &[Type], wanted: &[Type]) -> bool {
        let before = self.undo.len();
        let fits = given.len() == wanted.len() && given.iter().zip(wanted).all(|(a, b)| self.fits(a, b));
        while !fits && self.undo.len() > before {
            let (id, old) = self.undo.pop().expect("more steps than before");
            self.bound[id as usize] = old;
        }
        self.undo.truncate(before);
        fits
    }

    pub(crate) fn assignable(&mut self, given: &Type, wanted: &Type) -> bool {
        self.assignable_all(std::slice::from_ref(given), std::slice::from_ref(wanted))
    }

    fn fits(&mut self, given: &Type, wanted: &Type) -> bool {
        if !self.spend() {
            return false;
        }
        if let Type::Var(id) = wanted {
            match self.substitutes(given, *id) {
                (true, _) => return true,
                (false, true) => return false,
                (false, false) => {}
            }
        }
        if let Type::Var(id) = given {
            return self.substitutes(wanted, *id).0;
        }
        if *given == Type::Error || *wanted == Type::Error || given.is_dyn() || wanted.is_dyn() {
            return true;
        }
        match (given, wanted) {
            (Type::Null, other) | (other, Type::Null) => other.takes_null(),
            (Type::Meta(_), Type::Meta(_)) => true,
            (Type::List(a), Type::List(b)) => self.fits(a, b),
            (Type::Map(a), Type::Map(b)) => self.fits(&a.0, &b.0) && self.fits(&a.1, &b.1),
            (Type::List(_) | Type::Map(_) | Type::Meta(_), _) | (_, Type::List(_) | Type::Map(_) | Type::Meta(_)) => {
                false
            }
            _ => given.unwrapped() == wanted.unwrapped(),
        }
    }

    /// Whether the variable may stand for the type, and whether its type was known before.
    fn substitutes(&mut self, given: &Type, var: u32) -> (bool, bool) {
        if *given == Type::Var(var) {
            return (true, true);
        }
        let Some(known) = self.bound[var as usize].clone() else {
            let free = !self.refers(given, var);
            if free {
                self.bind(var, given.clone());
            }
            return (free, false);
        };
        if *given == known {
            return (true, true);
        }
        if !self.fits(given, &known) {
            return (false, true);
        }
        let general = self.most_general(given.clone(), known);
        if !self.refers(&general, var) {
            self.bind(var, general);
        }
        (true, true)
    }

    fn bind(&mut self, var: u32, to: Type) {
        let old = self.bound[var as usize].replace(to);
        self.undo.push((var, old));
    }

    /// Whether the variable occurs in the type.
    fn refers(&mut self, within: &Type, var: u32) -> bool {
        if !self.spend() {
            return true;
        }
        match within {
            Type::Var(id) if *id == var => true,
            Type::Var(id) => self.bound[*id as usize].clone().is_some_and(|known| self.refers(&known, var)),
            Type::List(element) => self.refers(element, var),
            Type::Map(entry) => self.refers(&entry.0, var) || self.refers(&entry.1, var),
            _ => false,
        }
    }

    /// The more general of two types that fit.
    pub(crate) fn most_general(&mut self, a: Type, b: Type) -> Type {
        if self.is_as_general(&a, &b) { a } else { b }
    }

    fn is_as_general(&mut self, a: &Type, b: &Type) -> bool {
        if !self.spend() || a.is_dyn() || matches!(a, Type::Var(_)) {
            return true;
        }
        match (a, b) {
            (_, Type::Dyn | Type::Any | Type::Var(_)) => false,
            (Type::List(a), Type::List(b)) => self.is_as_general(a, b),
            (Type::Map(a), Type::Map(b)) => self.is_as_general(&a.0, &b.0) && self.is_as_general(&a.1, &b.1),
            (Type::Meta(_), Type::Meta(_)) => true,
            _ => a == b,
        }
    }

    /// The type with all bound variables replaced; the other variables by `unknown`, if that is given.
    pub(crate) fn resolved(&mut self, of: &Type, unknown: Option<&Type>) -> Type {
        if !self.spend() {
            return Type::Error;
        }
        match of {
            Type::Var(id) => match self.bound[*id as usize].clone() {
                Some(known) => self.resolved(&known, unknown),
                None => unknown.unwrap_or(of).clone(),
            },
            Type::List(element) => Type::list(self.resolved(element, unknown)),
            Type::Map(entry) => {
                let (key, value) = (self.resolved(&entry.0, unknown), self.resolved(&entry.1, unknown));
                Type::map(key, value)
            }
            Type::Meta(Some(inner)) => Type::meta(self.resolved(inner, unknown)),
            other => other.clone(),
        }
    }

    /// The type as cel-go prints it.
    pub(crate) fn text(&mut self, of: &Type) -> String {
        if !self.spend() {
            return String::new();
        }
        match of {
            Type::Dyn => "dyn".to_owned(),
            Type::Any => "any".to_owned(),
            Type::Error => "!error!".to_owned(),
            Type::Null => "null".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int => "int".to_owned(),
            Type::Uint => "uint".to_owned(),
            Type::Double => "double".to_owned(),
            Type::String => "string".to_owned(),
            Type::Bytes => "bytes".to_owned(),
            Type::Timestamp => "timestamp".to_owned(),
            Type::Duration => "duration".to_owned(),
            Type::Meta(None) => "type".to_owned(),
            Type::Wrapper(inner) => format!("wrapper({})", self.text(inner)),
            Type::Meta(Some(inner)) => format!("type({})", self.text(inner)),
            Type::List(inner) => format!("list({})", self.text(inner)),
            Type::Map(entry) => format!("map({}, {})", self.text(&entry.0), self.text(&entry.1)),
            Type::Var(id) => format!("_var{id}"),
        }
    }
}
