"""Reads what every command prints as JSON on real catalogs, with the schemas of `opscope schema` alone.

Usage: python3 tests/schemas.py OPSCOPE CATALOGS [MOST]

OPSCOPE is the program, CATALOGS a folder with a folder for each package, MOST how many packages are looked at. Needs the package
`jsonschema` of Python.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

OPSCOPE, CATALOGS = sys.argv[1], pathlib.Path(sys.argv[2])
MOST = int(sys.argv[3]) if len(sys.argv) > 3 else 40
EXAMPLES = pathlib.Path(__file__).parent.parent / "docs" / "examples"

CLUSTER = """apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {{name: s, namespace: olm}}
spec: {{name: {package}, channel: {channel}, source: c, sourceNamespace: olm}}
"""
CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: as.example.com}}
spec:
  group: example.com
  names: {{kind: A, plural: as}}
  scope: Namespaced
  versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object, required: [{field}]}}}}}}]
"""


def run(*arguments):
    done = subprocess.run([OPSCOPE, *map(str, arguments), "--format", "json"], capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def schema(command):
    text = subprocess.run([OPSCOPE, "schema", command], capture_output=True, text=True, check=True).stdout
    return jsonschema.Draft202012Validator(json.loads(text))


def questions(folder, package, channel, versions, within):
    """Commands with their arguments about a package."""
    oldest, newest = versions[0], versions[-1]
    cluster = within / "cluster.yaml"
    cluster.write_text(CLUSTER.format(package=package, channel=channel))
    catalog = ["--catalog", f"c={folder}"]
    yield "validate", [folder]
    yield "list", [folder]
    yield "graph", [folder]
    yield "reach", [folder]
    yield "path", [folder, oldest, newest, "--channel", channel]
    yield "compare", [folder, folder]
    yield "review", [folder, "--before", folder]
    yield "repair", [folder]
    yield "remove", [folder, oldest, "--package", package]
    yield "deprecate", [folder, newest, "--message", "m", "--package", package]
    yield "cluster", ["--cluster", cluster, *catalog]
    yield "cluster", ["s", newest, "--cluster", cluster, *catalog]
    yield "cluster", ["--subscribe", f"{package}/{channel}@{oldest}", *catalog]
    yield "migrate", ["--cluster", cluster, *catalog]
    yield "plan", ["--from", "4.18", "--to", "4.20", "--subscribe", f"{package}/{channel}@{oldest}", "--catalog", folder]


def main():
    answers, faults, seen = 0, 0, {}

    def check(command, arguments):
        nonlocal answers, faults
        code, value = run(command, *arguments)
        if command not in seen:
            seen[command] = schema(command)
        answers += 1
        for error in seen[command].iter_errors(value):
            faults += 1
            print(f"opscope {command} {' '.join(map(str, arguments))}: {error.json_path}: {error.message[:300]}")
        # The error of a template is that of `opm`, and an answer.
        assert code == 2 if "error" in value and command != "template" else code in (0, 1, 2), (command, arguments)

    with tempfile.TemporaryDirectory() as name:
        within = pathlib.Path(name)
        for folder in sorted(path for path in CATALOGS.iterdir() if path.is_dir())[:MOST]:
            _, listed = run("list", folder)
            for package in listed.get("sources", [{}])[0].get("packages", []):
                channel = package["channels"][0]
                versions = [entry["name"] for entry in channel["entries"]]
                for command, arguments in questions(folder, package["name"], channel["name"], versions, within):
                    check(command, arguments)
        image = ["--policy", "replace-head", "--image", "example.com/b:1"]
        check("release", [EXAMPLES / "bundle", EXAMPLES / "catalog", *image])
        (within / "template.yaml").write_text("schema: olm.semver\nstable: {bundles: [{image: example.com/b:1}]}\n")
        check("template", [within / "template.yaml"])
        for field in ["a", "b"]:
            (within / f"{field}.yaml").write_text(CRD.format(field=field))
        check("crd", [within / "a.yaml", within / "b.yaml"])
        check("set", [CATALOGS.parent])
        check("explain", ["skip-range-pruning"])
        check("explain", ["csv-gone"])
        check("explain", [])
        check("validate", [within / "nothing"])
    missing = {name for name in json.loads(subprocess.run([OPSCOPE, "schema"], capture_output=True).stdout)["$defs"]}
    missing = {name for name in missing if name[0].islower()} - set(seen)
    print(f"{answers} answers of {len(seen)} commands, {faults} faults; not asked: {', '.join(sorted(missing)) or 'none'}")
    sys.exit(faults > 0)


main()
