// Holds SARIF logs against the published schema, as npm's @microsoft/jest-sarif ships it.
// Usage: node sarif.mjs LOG…
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import formats from 'ajv-formats';

const path = 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
const schema = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
// The schema is of draft 4. It uses nothing that draft 7 reads in another way, but for its name.
delete schema.$schema;
delete schema.id;
const validate = formats(new Ajv({ allErrors: true, strict: false, unicodeRegExp: false })).compile(schema);

for (const name of process.argv.slice(2)) {
	if (validate(JSON.parse(readFileSync(name, 'utf8'))))
		continue;
	process.exitCode = 1;
	for (const error of validate.errors.slice(0, 10))
		console.log(`${name}: ${error.instancePath} ${error.message}`);
}
