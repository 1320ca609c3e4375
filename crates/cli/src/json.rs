//! Answers as JSON for other programs: with paths and names in the place of the numbers that files and catalogs have in the inputs.

use crate::output::{Failure, write_json};
use crate::places::Inputs;
use crate::served::Which;
use indexmap::IndexMap;
use report::{Places, Spot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use source::OpenShift;
use std::io::Write;
use views::{CatalogId, FileKey, Place, PrintedPlace};

/// It grows when a field goes or gets another meaning. New fields may come at any time.
const SCHEMA_VERSION: u32 = 1;

/// What a command prints.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}")]
pub(crate) struct Versioned<T> {
    /// It grows when a field goes or gets another meaning. New fields may come at any time.
    schema_version: u32,
    #[serde(flatten)]
    answer: T,
}

/// An answer, or what stands in its place.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "{T}Answer", inline)]
#[expect(dead_code, reason = "it only has a schema")]
pub(crate) enum Printed<T> {
    Answer(T),
    /// The answers about catalogs for several versions of OpenShift.
    Members(Members<T>),
    Failed(Failed),
}

/// The answers about several catalogs.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}Members")]
pub(crate) struct Members<T> {
    pub(crate) members: Vec<MemberAnswer<T>>,
}

/// The answer about a catalog, or about several that have the same one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}Member")]
pub(crate) struct MemberAnswer<T> {
    /// The versions of OpenShift that they are for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    openshift: Vec<OpenShift>,
    /// The folders of catalogs without a version.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    folders: Vec<String>,
    #[serde(flatten)]
    answer: AnswerOrFailure<T>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "{T}OrFailure", inline)]
pub(crate) enum AnswerOrFailure<T> {
    Answer(T),
    Failed(Failed),
}

/// There is no answer.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Failed {
    /// Why.
    pub(crate) error: String,
}

impl Json {
    /// The answer that was printed, to be a part of another one.
    pub(crate) fn printed(text: &[u8]) -> Option<Self> {
        match serde_json::from_slice(text).ok()? {
            Self::Object(mut fields) => {
                fields.shift_remove("schema_version");
                Some(Self::Object(fields))
            }
            other => Some(other),
        }
    }
}

impl MemberAnswer<Json> {
    /// What was printed about these catalogs, or why nothing was.
    pub(crate) fn of(which: &[Which], printed: Result<Json, String>) -> Self {
        let openshift = which.iter().filter_map(Which::openshift).collect();
        let folder = |one: &Which| if let Which::Folder(folder) = one { Some(folder.clone()) } else { None };
        let folders = which.iter().filter_map(folder).collect();
        let answer = match printed {
            Ok(printed) => AnswerOrFailure::Answer(printed),
            Err(error) => AnswerOrFailure::Failed(Failed { error }),
        };
        Self { openshift, folders, answer }
    }
}

/// A value whose fields keep their order.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Json {
    Object(IndexMap<String, Json>),
    List(Vec<Json>),
    Scalar(Value),
}

/// Writes an answer without places.
pub(crate) fn print(out: &mut dyn Write, answer: &(impl Serialize + JsonSchema)) -> Result<(), Failure> {
    write_json(out, &Versioned { schema_version: SCHEMA_VERSION, answer })
}

/// Writes an answer about these inputs.
pub(crate) fn write(
    out: &mut dyn Write,
    inputs: &Inputs,
    answer: &(impl Serialize + JsonSchema),
) -> Result<(), Failure> {
    write_json(out, &Versioned { schema_version: SCHEMA_VERSION, answer: of(inputs, answer)? })
}

/// Writes the answers about several catalogs.
pub(crate) fn write_members(out: &mut dyn Write, members: Vec<MemberAnswer<Json>>) -> Result<(), Failure> {
    write_json(out, &Versioned { schema_version: SCHEMA_VERSION, answer: Members { members } })
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
                    ("catalog" | "mirrored", Json::Scalar(Value::Number(number))) => catalog(number, inputs),
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
    let Place { line, column, .. } = place;
    let printed = match inputs.spot(place) {
        Some(Spot { path, start, end, .. }) => PrintedPlace {
            path: Some(path),
            line: start.0,
            column: start.1,
            end_line: Some(end.0),
            end_column: Some(end.1),
        },
        None => PrintedPlace { line, column, ..PrintedPlace::default() },
    };
    // It has numbers and a text.
    Json::Scalar(serde_json::to_value(printed).unwrap_or_default())
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
