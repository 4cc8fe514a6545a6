"use strict";

// Says what is wrong with the JSON on its input by `export.schema.json`; nothing and success where it is right.
const { readFileSync } = require("node:fs");
const Ajv = require("ajv");

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const valid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(read(`${__dirname}/export.schema.json`));
if (!valid(read(0))) {
  console.error(valid.errors);
  process.exit(1);
}
