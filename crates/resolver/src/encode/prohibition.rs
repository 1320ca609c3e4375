//! What cannot be selected at all.

use super::Encoding;
use crate::fact::{FactId, VarId};

pub(super) fn never(encoding: &mut Encoding, subject: VarId, fact: FactId) {
    let lit = encoding.lit(subject);
    encoding.clause([!lit], fact);
}
