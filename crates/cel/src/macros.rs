//! Calls, and the macros among them: `has`, `all`, `exists`, `exists_one`, `map`, `filter` (cel-go `parser/macro.go`).

use crate::ast::{Call, Comprehension, ComprehensionKind, Expr, ExprKind};
use crate::function::Function;
use crate::parse::{Parser, height};

/// cel-go's names of the variable in which a macro collects its result.
const ACCUMULATORS: [&str; 2] = ["@result", "__result__"];

impl Parser<'_> {
    /// A call of a function or operator.
    pub(crate) fn call(&mut self, at: usize, name: &str, target: Option<Expr>, args: Vec<Expr>) -> Expr {
        let below = height(&args).max(target.as_ref().map_or(0, |target| target.height));
        let counts = target.is_some() || name.starts_with(['_', '@']);
        let function = Function::named(name.strip_prefix('.').unwrap_or(name));
        Expr {
            at,
            height: below.saturating_add(u16::from(counts)),
            kind: ExprKind::Call(Box::new(Call { name: name.into(), function, target, args })),
        }
    }

    /// A call, or the expansion of the macro of this name.
    pub(crate) fn call_or_macro(&mut self, at: usize, name: &str, target: Option<Expr>, args: Vec<Expr>) -> Expr {
        if args.iter().chain(&target).any(|expr| expr.kind == ExprKind::Broken) {
            return Expr::leaf(at, ExprKind::Broken);
        }
        let kind = match (name, &target, args.len()) {
            ("has", None, 1) => return self.has(at, args),
            ("all", Some(_), 2) => ComprehensionKind::All,
            ("exists", Some(_), 2) => ComprehensionKind::Exists,
            ("exists_one", Some(_), 2) => ComprehensionKind::ExistsOne,
            ("map", Some(_), 2 | 3) | ("filter", Some(_), 2) => ComprehensionKind::Collect,
            _ => return self.call(at, name, target, args),
        };
        self.comprehension(at, kind, name == "filter", target, args)
    }

    fn has(&mut self, at: usize, args: Vec<Expr>) -> Expr {
        let [Expr { at: argument, height, kind }] =
            <[Expr; 1]>::try_from(args).expect("`has` is a macro with one argument");
        match kind {
            ExprKind::Select { operand, field, test: false } => {
                Expr { at, height, kind: ExprKind::Select { operand, field, test: true } }
            }
            _ => self.refuse(argument, "invalid argument to has() macro"),
        }
    }

    fn comprehension(
        &mut self,
        at: usize,
        kind: ComprehensionKind,
        is_filter: bool,
        target: Option<Expr>,
        args: Vec<Expr>,
    ) -> Expr {
        let range = target.expect("a macro that is called on something");
        let mut args = args.into_iter();
        let variable = args.next().expect("a macro with two arguments or three");
        let variable = match self.variable(variable, kind) {
            Ok(variable) => variable,
            Err(broken) => return broken,
        };
        let (condition, body) = match (args.next(), args.next()) {
            (condition, Some(body)) => (condition, Some(body)),
            (condition, None) if is_filter => (condition, None),
            (body, None) => (None, body),
        };
        let parts = [Some(&range), condition.as_ref(), body.as_ref()];
        let height = parts.into_iter().flatten().map(|expr| expr.height).max().unwrap_or(0).saturating_add(1);
        Expr {
            at,
            height,
            kind: ExprKind::Comprehension(Box::new(Comprehension { kind, range, variable, condition, body })),
        }
    }

    fn variable(&mut self, expr: Expr, kind: ComprehensionKind) -> Result<Box<str>, Expr> {
        match expr.kind {
            ExprKind::Ident(name) if ACCUMULATORS.contains(&&*name) => {
                Err(self.refuse(expr.at, "iteration variable overwrites accumulator variable"))
            }
            ExprKind::Ident(name) => Ok(name),
            _ if kind == ComprehensionKind::Collect => Err(self.refuse(expr.at, "argument is not an identifier")),
            _ => Err(self.refuse(expr.at, "argument must be a simple name")),
        }
    }

    fn refuse(&mut self, at: usize, message: &str) -> Expr {
        self.report(at, message);
        Expr::leaf(at, ExprKind::Broken)
    }
}
