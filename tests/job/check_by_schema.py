"""Checks job files by a schema: `check_by_schema.py SCHEMA FILE…` prints a line for each that it refuses."""

import json
import sys
import tomllib

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        job = tomllib.load(file)
    for error in validator.iter_errors(job):
        print(path, "/".join(str(key) for key in error.absolute_path), error.message[:200])
