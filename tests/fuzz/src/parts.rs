//! Inputs with several parts: each begins with a line `=== HEAD`, so that seeds can be read and written by hand.

/// The part before the first head, and the other parts with their heads.
pub(crate) fn parts(input: &str) -> (&str, Vec<(&str, &str)>) {
    let mut starts: Vec<usize> = input.match_indices("=== ").map(|(at, _)| at).collect();
    starts.retain(|&at| at == 0 || input[..at].ends_with('\n'));
    let first = &input[..starts.first().copied().unwrap_or(input.len())];
    let ends = starts.iter().skip(1).copied().chain([input.len()]);
    let others = starts.iter().zip(ends).map(|(&start, end)| {
        let part = &input[start + 4..end];
        part.split_once('\n').unwrap_or((part, ""))
    });
    (first, others.collect())
}
