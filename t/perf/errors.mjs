// Usage: node errors.mjs NODE_MODULES CALLS ANSWERS; see errors.sh.
import fs from 'node:fs';
import path from 'node:path';

const [, , npm, calls, answers] = process.argv;
const {encode} = await import(path.join(npm, 'gpt-tokenizer/esm/encoding/o200k_base.js'));
const lines = file => fs.readFileSync(file, 'utf8').trim().split('\n');
const replies = new Map(lines(answers).map(line => JSON.parse(line)).map(reply => [reply.id, reply]));
const costs = lines(calls).map((call, i) => {
	const text = replies.get(i + 1).result.content.map(c => c.text).join('\n');
	const cost = encode(text).length;
	console.log(`${cost}\t${call.slice(call.indexOf(' ') + 1)}\n${text.replace(/^/gm, '\t')}`);
	return cost;
});
const sum = costs.reduce((a, b) => a + b);
console.log('errors-tokens', (sum / costs.length).toFixed(1), Math.max(...costs), costs.length);
