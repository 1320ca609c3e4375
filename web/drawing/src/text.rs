//! Texts that fit their place.

/// A text of at most `room` characters: it loses its middle, because versions differ at their ends.
#[must_use]
pub fn shortened(text: &str, room: usize) -> String {
    let count = text.chars().count();
    if count <= room {
        return text.to_owned();
    }
    let kept = room.max(1) - 1;
    let head: String = text.chars().take(kept.div_ceil(2)).collect();
    let tail: String = text.chars().skip(count - kept / 2).collect();
    format!("{head}…{tail}")
}
