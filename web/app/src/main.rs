//! Starts the page.

fn main() {
    opscope_app::start();
}
