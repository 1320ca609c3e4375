//! Answers as JSON for other programs: with paths and names in the place of the numbers that files and catalogs have in the inputs.

use crate::output::{Failure, write_json};
use crate::places::Inputs;
use indexmap::IndexMap;
use report::{Places, Spot};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};
use std::io::Write;
use views::{CatalogId, FileKey, Place};

/// A value whose fields keep their order.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Json {
    Object(IndexMap<String, Json>),
    List(Vec<Json>),
    Scalar(Value),
}

/// Writes an answer about these inputs.
pub(crate) fn write(out: &mut dyn Write, inputs: &Inputs, answer: &impl Serialize) -> Result<(), Failure> {
    write_json(out, &of(inputs, answer)?)
}

/// An answer about these inputs.
///
/// # Errors
/// Never for a view, whose keys are texts.
pub(crate) fn of(inputs: &Inputs, answer: &impl Serialize) -> Result<Json, Failure> {
    let text = serde_json::to_string(answer).map_err(|error| format!("cannot write the answer: {error}"))?;
    let json = serde_json::from_str(&text).map_err(|error| format!("cannot write the answer: {error}"))?;
    Ok(named(json, inputs))
}

fn named(json: Json, inputs: &Inputs) -> Json {
    match json {
        Json::Object(fields) => {
            if let Some(place) = place(&fields) {
                return located(place, inputs);
            }
            let field = |(key, value): (String, Json)| {
                let value = match (&*key, &value) {
                    ("catalog", Json::Scalar(Value::Number(number))) => catalog(number, inputs),
                    ("file", Json::Scalar(Value::Number(number))) => file(number, inputs),
                    _ => None,
                }
                .unwrap_or_else(|| named(value, inputs));
                (key, value)
            };
            Json::Object(fields.into_iter().map(field).collect())
        }
        Json::List(values) => Json::List(values.into_iter().map(|value| named(value, inputs)).collect()),
        scalar @ Json::Scalar(_) => scalar,
    }
}

/// The place that an object is, if it is one.
fn place(fields: &IndexMap<String, Json>) -> Option<Place> {
    let number = |key: &str| match fields.get(key)? {
        Json::Scalar(Value::Number(number)) => u32::try_from(number.as_u64()?).ok(),
        _ => None,
    };
    let (file, start, end) = (FileKey(number("file")?), number("start")?, number("end")?);
    let place = Place { file, start, end, line: number("line")?, column: number("column")? };
    (fields.len() == 5).then_some(place)
}

/// The path, and the lines and columns of a place; of manifests that no file has, the lines alone.
fn located(place: Place, inputs: &Inputs) -> Json {
    let fields = match inputs.spot(place) {
        Some(Spot { path, start, end, .. }) => {
            json!({ "path": path, "line": start.0, "column": start.1, "end_line": end.0, "end_column": end.1 })
        }
        None => json!({ "line": place.line, "column": place.column }),
    };
    Json::Scalar(fields)
}

fn catalog(number: &Number, inputs: &Inputs) -> Option<Json> {
    let id = CatalogId(u32::try_from(number.as_u64()?).ok()?);
    let catalog = inputs.workbench.catalogs().iter().find(|catalog| catalog.id == id)?;
    Some(Json::Scalar(catalog.name.clone().into()))
}

fn file(number: &Number, inputs: &Inputs) -> Option<Json> {
    let file = FileKey(u32::try_from(number.as_u64()?).ok()?);
    let spot = inputs.spot(Place { file, line: 1, column: 1, ..Place::default() })?;
    Some(Json::Scalar(spot.path.into()))
}
