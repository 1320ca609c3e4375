//! What commands print on the examples of the documentation, one file for each command and format that the documentation does not
//! show. `OPSCOPE_BLESS=1 cargo test -p opscope golden` writes the files anew.

use crate::command::opscope;
use std::fs;
use std::path::Path;

const RELEASE: &str = "release clusterpulse.v0.2.1 --policy promote --channel stable-v0 --into before";
const RELEASE_JSON: &str =
    "release clusterpulse.v0.2.1 --policy promote --channel stable-v0 --into before --format json";

/// The name of a file in `tests/golden`, and the command.
const COMMANDS: [(&str, &str); 21] = [
    ("validate.json", "validate catalog --format json"),
    ("compare.json", "compare before catalog --cluster cluster.yaml --format json"),
    ("compare.md", "compare before catalog --cluster cluster.yaml --format markdown"),
    ("compare.sarif", "compare before catalog --format sarif"),
    ("resolve.json", "resolve --cluster cluster.yaml --catalog community=catalog --format json"),
    ("reach.json", "reach clusterpulse --catalog catalog --format json"),
    ("reach.md", "reach clusterpulse --catalog catalog --format markdown"),
    ("migrate.json", "migrate --cluster cluster.yaml --catalog community=catalog --format json"),
    ("migrate.yaml", "migrate --cluster cluster.yaml --catalog community=catalog --format yaml"),
    ("plan.json", "plan --subscribe kettle/v1@1.0.0 --from 4.20 --to 4.22 --catalogs catalogs --format json"),
    ("plan.md", "plan --subscribe kettle/v1@1.0.0 --from 4.20 --to 4.22 --catalogs catalogs --format markdown"),
    ("set.json", "set catalogs --format json"),
    ("repair.json", "repair catalog --since before --format json"),
    ("repair.md", "repair catalog --since before --format markdown"),
    ("repair.txt", "repair catalog --since before"),
    ("release.json", RELEASE_JSON),
    ("release.txt", RELEASE),
    ("remove.json", "remove before 0.2.1 --package clusterpulse --format json"),
    ("remove.txt", "remove before 0.2.1 --package clusterpulse"),
    ("deprecate.json", "deprecate before 0.1.1 --package clusterpulse --message old --format json"),
    ("deprecate.txt", "deprecate before 0.1.1 --package clusterpulse --message old"),
];

#[test]
fn commands_print_what_they_printed() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_blessed = std::env::var_os("OPSCOPE_BLESS").is_some();
    let mut differing = Vec::new();
    for (file, command) in COMMANDS {
        let printed = opscope(command.split(' ')).within(&crate_folder.join("../../docs/examples")).ended().out;
        let path = crate_folder.join("tests/golden").join(file);
        if is_blessed {
            fs::write(&path, &printed).expect("the file can be written");
        } else if fs::read_to_string(&path).ok().as_deref() != Some(&printed) {
            differing.push(format!("{file}, of `opscope {command}`:\n{printed}"));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
