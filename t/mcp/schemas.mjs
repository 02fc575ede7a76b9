// Holds what ikm says over MCP against schemas: its own, by ajv in the draft that MCP means, and
// the protocol's, as the SDK has them. Prints what is wrong; t/face/0010-faces.t says how it is called.
import {CallToolResultSchema, ListToolsResultSchema} from '@modelcontextprotocol/core';
import Ajv from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fs from 'node:fs';
import {isDeepStrictEqual} from 'node:util';

const [list, answers, cases, schemas] = process.argv.slice(2);
const text = file => fs.readFileSync(file, 'utf8');
const lines = file => text(file).trim().split('\n').map(line => JSON.parse(line));
const input = name => JSON.parse(/^json: (.*)$/m.exec(text(`${cases}/${name}`))[1]);
const server = 'io.modelcontextprotocol/serverInfo';
let bad = 0;

// `said` is what a validator has against it, if anything.
function check(what, ok, said) {
	if (!ok) {
		console.log(what, JSON.stringify(said, null, 1));
		bad++;
	}
}

function shape(name, schema, result) {
	const {success, error} = schema.safeParse(result);
	check(`${name}: what the protocol says of results`, success, error?.issues);
	check(`${name}: a complete result`, result.resultType === 'complete', result);
	check(`${name}: who says so`, result._meta?.[server]?.name === 'ikm', result._meta);
}

// strict: a word that JSON Schema has not is an error, too.
const strict = {strict: true, strictRequired: true, allowUnionTypes: true, allErrors: true};
const ajv = formats(new Ajv(strict));
function compiled(name, schema) {
	check(`${name} by the schema of schemas`, ajv.validateSchema(schema), ajv.errors);
	try {
		return ajv.compile(schema);
	} catch (e) {
		check(name, false, e.message);
		return () => true;
	}
}

const {result} = lines(list)[0];
shape('tools/list', ListToolsResultSchema, result);
check('tools/list: how long it may be kept',
	result.ttlMs >= 0 && result.cacheScope === 'private', result);
const wholes = new Map(lines(schemas).map(tool => [tool.name, tool.inputSchema]));
const results = new Map(lines(answers).map(answer => [answer.id, answer.result]));
check('an answer for every tool', result.tools.every(({name}) => results.has(name)),
	[...results.keys()]);
for (const {name, inputSchema, outputSchema} of result.tools) {
	const whole = compiled(`${name}: the whole inputSchema`, wholes.get(name));

	compiled(`${name}: inputSchema`, inputSchema);
	const gives = compiled(`${name}: outputSchema`, outputSchema);
	const {content, structuredContent} = results.get(name) ?? {};

	// The list leaves out what few calls need, which the tool takes all the same.
	check(`${name}: its case`, whole(input(name)), whole.errors);
	shape(name, CallToolResultSchema, results.get(name) ?? {});
	check(`${name}: its result`, gives(structuredContent), gives.errors);
	check(`${name}: as text`, content?.length === 1 &&
		isDeepStrictEqual(JSON.parse(content[0].text), structuredContent), content);
}
process.exitCode = bad ? 1 : 0;
