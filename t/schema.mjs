// Holds JSON files against a schema of draft 4. Usage: node schema.mjs SCHEMA FILE…
// SCHEMA is relative to this file: that of SARIF comes with npm's @microsoft/jest-sarif.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import formats from 'ajv-formats';

const [path, ...files] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
// The schemas use nothing that draft 7 reads in another way, but for the name of the draft.
delete schema.$schema;
delete schema.id;
const validate = formats(new Ajv({ allErrors: true, strict: false, unicodeRegExp: false })).compile(schema);

for (const name of files) {
	if (validate(JSON.parse(readFileSync(name, 'utf8'))))
		continue;
	process.exitCode = 1;
	for (const error of validate.errors.slice(0, 10))
		console.log(`${name}: ${error.instancePath} ${error.message}`);
}
