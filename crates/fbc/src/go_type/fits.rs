//! Checks whether JSON text certainly fits a type, without building a tree. Where that is not certain, a tree is built and
//! checked later.

use super::GoType;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Whether the JSON text `json`, which is well-formed, certainly fits `go_type`.
pub(crate) fn fits_json(json: &str, go_type: &'static GoType) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    Fits(go_type).deserialize(&mut deserializer).unwrap_or(false)
}

#[derive(Clone, Copy)]
struct Fits(&'static GoType);

impl<'de> DeserializeSeed<'de> for Fits {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        match self.0 {
            GoType::Any => deserializer.deserialize_ignored_any(IgnoredAny).map(|_| true),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Fits {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(matches!(self.0, GoType::Bool))
    }

    fn visit_i64<E>(self, number: i64) -> Result<bool, E> {
        Ok(matches!(self.0, GoType::Int(_, least, most) if (*least..=*most).contains(&number)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<bool, E> {
        Ok(matches!(self.0, GoType::Int(_, _, most) if i64::try_from(number).is_ok_and(|number| number <= *most)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E>(self, _: &str) -> Result<bool, E> {
        Ok(matches!(self.0, GoType::Text(_)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        let GoType::List(inner) = self.0 else {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(false);
        };
        let mut fits = true;
        while let Some(item) = items.next_element_seed(Self(inner))? {
            fits &= item;
        }
        Ok(fits)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<bool, A::Error> {
        let mut fits = matches!(self.0, GoType::Map(_) | GoType::Struct(_));
        while let Some(key) = entries.next_key::<Key<'_>>()? {
            let inner = match self.0 {
                GoType::Map(inner) => inner,
                GoType::Struct(shape) => shape.field(&key.0).map_or(&GoType::Any, |(_, inner)| inner),
                _ => &GoType::Any,
            };
            fits &= entries.next_value_seed(Self(inner))?;
        }
        Ok(fits)
    }
}

/// A key, copied only when it has escapes.
#[derive(serde::Deserialize)]
struct Key<'k>(#[serde(borrow)] Cow<'k, str>);
