//! How go-cmp aligns two lists: `internal/diff/diff.go` of github.com/google/go-cmp. A greedy search from both ends, so that
//! its answer is not always the shortest.

/// What becomes of the elements of two lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// An element of the old list has no counterpart.
    Removed,
    /// An element of the new list has no counterpart.
    Added,
    /// Two elements stand at the same place; equal or not.
    Paired,
}

/// How much two elements have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Likeness {
    pub(super) same: usize,
    pub(super) different: usize,
}

impl Likeness {
    const fn is_equal(self) -> bool {
        self.different == 0
    }

    const fn is_similar(self) -> bool {
        self.same + 1 >= self.different
    }
}

/// A way from one corner of the grid of pairs towards the other.
struct Way {
    x: usize,
    y: usize,
    edits: Vec<Edit>,
}

impl Way {
    fn push(&mut self, edit: Edit, is_forward: bool) {
        let (x, y) = (usize::from(edit != Edit::Added), usize::from(edit != Edit::Removed));
        if is_forward {
            (self.x, self.y) = (self.x + x, self.y + y);
        } else {
            (self.x, self.y) = (self.x - x, self.y - y);
        }
        self.edits.push(edit);
    }
}

/// Aligns a list of `old` elements with one of `new` elements; `likeness` compares two by their positions.
pub(super) fn edits(old: usize, new: usize, mut likeness: impl FnMut(usize, usize) -> Likeness) -> Vec<Edit> {
    let mut forward = Way { x: 0, y: 0, edits: Vec::new() };
    let mut reverse = Way { x: old, y: new, edits: Vec::new() };
    let (mut from_x, mut from_y, mut to_x, mut to_y) = (0, 0, old, new);
    let mut budget = 4 * (old + new);
    while from_x < to_x && from_y < to_y && budget > 0 {
        let (mut is_right_done, mut is_left_done, mut step) = (false, false, 0);
        while !(is_right_done && is_left_done) && budget > 0 {
            let z = zigzag(step);
            step += 1;
            let (Some(x), Some(y)) = (moved(from_x, z), moved(from_y, -z)) else {
                (is_right_done, is_left_done) = (is_right_done || z > 0, is_left_done || z < 0);
                continue;
            };
            if x >= reverse.x || y < forward.y {
                is_right_done = true;
            } else if y >= reverse.y || x < forward.x {
                is_left_done = true;
            } else if likeness(x, y).is_equal() {
                connect(&mut forward, x, y, &mut likeness);
                forward.push(Edit::Paired, true);
                while forward.x < reverse.x && forward.y < reverse.y && likeness(forward.x, forward.y).is_equal() {
                    forward.push(Edit::Paired, true);
                }
                (from_x, from_y) = (forward.x, forward.y);
                (is_right_done, is_left_done) = (true, true);
            } else {
                budget -= 1;
            }
        }
        match reverse.x.saturating_sub(from_x) >= reverse.y.saturating_sub(from_y) {
            true => from_x += 1,
            false => from_y += 1,
        }
        if from_x >= to_x || from_y >= to_y || budget == 0 {
            break;
        }
        let (mut is_right_done, mut is_left_done, mut step) = (false, false, 0);
        while !(is_right_done && is_left_done) && budget > 0 {
            let z = zigzag(step);
            step += 1;
            let (Some(x), Some(y)) = (moved(to_x, -z), moved(to_y, z)) else {
                (is_left_done, is_right_done) = (is_left_done || z > 0, is_right_done || z < 0);
                continue;
            };
            if forward.x >= x || y > reverse.y {
                is_left_done = true;
            } else if forward.y >= y || x > reverse.x {
                is_right_done = true;
            } else if likeness(x - 1, y - 1).is_equal() {
                connect_back(&mut reverse, x, y, &mut likeness);
                reverse.push(Edit::Paired, false);
                while forward.x < reverse.x
                    && forward.y < reverse.y
                    && likeness(reverse.x - 1, reverse.y - 1).is_equal()
                {
                    reverse.push(Edit::Paired, false);
                }
                (to_x, to_y) = (reverse.x, reverse.y);
                (is_left_done, is_right_done) = (true, true);
            } else {
                budget -= 1;
            }
        }
        match to_x.saturating_sub(forward.x) >= to_y.saturating_sub(forward.y) {
            true => to_x = to_x.saturating_sub(1),
            false => to_y = to_y.saturating_sub(1),
        }
    }
    connect(&mut forward, reverse.x, reverse.y, &mut likeness);
    forward.edits.extend(reverse.edits.into_iter().rev());
    forward.edits
}

/// 0, -1, 1, -2, 2, ...
const fn zigzag(step: usize) -> isize {
    let half = step.div_ceil(2) as isize;
    if step.is_multiple_of(2) { half } else { -half }
}

const fn moved(at: usize, by: isize) -> Option<usize> {
    at.checked_add_signed(by)
}

fn connect(way: &mut Way, x: usize, y: usize, likeness: &mut impl FnMut(usize, usize) -> Likeness) {
    while x > way.x && y > way.y {
        let likeness = likeness(way.x, way.y);
        let edit = match () {
            () if likeness.is_equal() || likeness.is_similar() => Edit::Paired,
            () if x - way.x >= y - way.y => Edit::Removed,
            () => Edit::Added,
        };
        way.push(edit, true);
    }
    while x > way.x {
        way.push(Edit::Removed, true);
    }
    while y > way.y {
        way.push(Edit::Added, true);
    }
}

fn connect_back(way: &mut Way, x: usize, y: usize, likeness: &mut impl FnMut(usize, usize) -> Likeness) {
    while way.x > x && way.y > y {
        let likeness = likeness(way.x - 1, way.y - 1);
        let edit = match () {
            () if likeness.is_equal() || likeness.is_similar() => Edit::Paired,
            () if way.y - y >= way.x - x => Edit::Added,
            () => Edit::Removed,
        };
        way.push(edit, false);
    }
    while way.x > x {
        way.push(Edit::Removed, false);
    }
    while way.y > y {
        way.push(Edit::Added, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &str) {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        // Letters are similar if they differ in their case only.
        let likeness = |x: usize, y: usize| match () {
            () if old[x] == new[y] => Likeness { same: 1, different: 0 },
            () if old[x].eq_ignore_ascii_case(&new[y]) => Likeness { same: 1, different: 2 },
            () => Likeness { same: 0, different: 2 },
        };
        let shown = |edit: &Edit| match edit {
            Edit::Removed => '-',
            Edit::Added => '+',
            Edit::Paired => '=',
        };
        let found: String = edits(old.len(), new.len(), likeness).iter().map(shown).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn elements_are_paired_where_they_are_equal_or_similar() {
        check("", "ab", "++");
        check("ab", "", "--");
        check("abc", "abc", "===");
        check("abc", "axc", "=-+=");
        check("abc", "aBc", "===");
        check("abc", "bc", "-==");
        check("ab", "xab", "+==");
        check("ab", "abx", "==+");
    }
}
