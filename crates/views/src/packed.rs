//! Serialises large views as one byte array. With a JavaScript object for every node, copying and reading a graph would take
//! the browser longer than a frame.

use serde::de::{DeserializeOwned, Visitor};
use serde::ser::Error as _;
use serde::{Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// For `#[serde(with)]`.
pub(crate) fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let bytes = postcard::to_allocvec(value).map_err(S::Error::custom)?;
    serializer.serialize_bytes(&bytes)
}

/// For `#[serde(with)]`.
pub(crate) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_byte_buf(Bytes(PhantomData))
}

struct Bytes<T>(PhantomData<T>);

impl<T: DeserializeOwned> Visitor<'_> for Bytes<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the bytes of a view")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        postcard::from_bytes(bytes).map_err(E::custom)
    }

    fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<T, E> {
        self.visit_bytes(&bytes)
    }
}
