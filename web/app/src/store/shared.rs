//! Large views that are shared by reference and compared by identity.

use std::ops::Deref;
use std::rc::Rc;

/// A view behind a reference. Two are equal if they are the same allocation, so that comparing the properties of a
/// component is cheap. [`Shared::renew`] keeps the old allocation if the content did not change.
#[derive(Debug, Default)]
pub struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    /// Wraps a view.
    pub fn new(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T: PartialEq> Shared<T> {
    /// Replaces the view, unless the new one is equal.
    pub fn renew(&mut self, value: T) {
        if *self.0 != value {
            self.0 = Rc::new(value);
        }
    }
}

/// Replaces a view that may be absent, unless the new one is equal.
pub(crate) fn renew<T: PartialEq>(slot: &mut Option<Shared<T>>, value: Option<T>) {
    match (slot.as_mut(), value) {
        (Some(old), Some(value)) => old.renew(value),
        (None, Some(value)) => *slot = Some(Shared::new(value)),
        (_, None) => *slot = None,
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_content_keeps_the_identity() {
        let mut view = Shared::new(vec![1]);
        let before = view.clone();
        view.renew(vec![1]);
        assert!(view == before);
        view.renew(vec![2]);
        assert!(view != before);
        assert_eq!(*before, [1]);
    }
}
