//! `opscope schema`: the JSON Schema of what commands print.

use crate::args::Schema as Arguments;
use crate::json::{Printed, Versioned};
use crate::names::did_you_mean;
use crate::output::{Failure, write_json};
use crate::repair::Repairs;
use crate::review::Reviewed;
use crate::set::Sets;
use crate::updates::Graphs;
use crate::why::Explained;
use answers::ExpansionReport;
use report::ComparedCatalogs;
use report::contract::{Resolutions, Validated};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use source::nearest;
use std::io::Write;
use views::{
    ComparisonRuleDoc, CrdUpgradeView, ListView, MessagesView, MigrationView, PathView, PlansView, ReachReport,
    RuleDoc, Rulebook, WrittenView,
};

/// The answer of `opscope cluster`, without a name and with one.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it only has a schema")]
enum Cluster {
    Whole(Box<Resolutions>),
    Named(Box<Explained>),
}

/// The answer of `opscope explain`: all rules, a rule of findings or of comparisons, or messages and states.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it only has a schema")]
enum Explanation {
    Rules(Rulebook),
    Rule(RuleDoc),
    ComparisonRule(ComparisonRuleDoc),
    Messages(MessagesView),
}

type Make = fn(&mut SchemaGenerator) -> Schema;

/// What each command prints with `--format json`. `render` prints what `opm` prints, `range` and `cel` a line for each question.
const COMMANDS: [(&str, Make); 18] = [
    ("cluster", of::<Cluster>),
    ("compare", of::<ComparedCatalogs<'static>>),
    ("crd", of::<CrdUpgradeView>),
    ("deprecate", of::<WrittenView>),
    ("explain", of::<Explanation>),
    ("graph", of::<Graphs>),
    ("list", of::<ListView>),
    ("migrate", of::<MigrationView>),
    ("path", of::<PathView>),
    ("plan", of::<PlansView>),
    ("reach", of::<ReachReport>),
    ("release", of::<WrittenView>),
    ("remove", of::<WrittenView>),
    ("repair", of::<Repairs<'static>>),
    ("review", of::<Reviewed>),
    ("set", of::<Sets>),
    ("template", of::<ExpansionReport>),
    ("validate", of::<Validated>),
];

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Versioned<Printed<T>>>()
}

/// Prints the schema of what a command prints as JSON, or those of all commands.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let Some(name) = &arguments.command else {
        let commands = COMMANDS.map(|(name, make)| (name.to_owned(), make(&mut generator).into()));
        let mut definitions = generator.take_definitions(true);
        definitions.extend(commands);
        let title = "What opscope COMMAND --format json prints, each command as a definition";
        let meta = "https://json-schema.org/draft/2020-12/schema";
        write_json(out, &json_schema!({ "$schema": meta, "title": title, "$defs": definitions }))?;
        return Ok(true);
    };
    let (_, make) = COMMANDS.iter().find(|(command, _)| command == name).ok_or_else(|| {
        let names = COMMANDS.iter().map(|(name, _)| *name);
        did_you_mean(&format!("`{name}` is no command that prints JSON of Opscope"), &nearest(name, names))
    })?;
    let schema = make(&mut generator);
    let mut whole = json_schema!({ "title": format!("opscope {name} --format json") });
    whole.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
    whole.insert("$ref".to_owned(), schema.get("$ref").cloned().unwrap_or_default());
    whole.insert("$defs".to_owned(), generator.take_definitions(true).into());
    write_json(out, &whole)?;
    Ok(true)
}
