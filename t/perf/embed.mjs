// The work of embed.sh. Usage: node embed.mjs IKM EMBEDDER TURNS FOLDER CONVERSATION
// TURNS: LoCoMo's folder; without it only our own shapes are measured.
// As `node embed.mjs --once EMBEDDER FOLDER` it is the embedder of the stores: it runs EMBEDDER only
// for texts of which FOLDER lacks the vector of this EMBEDDER, which names its model.
import {createHash} from 'node:crypto';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {read, said, store} from './locomo.mjs';

function vectors_of(texts, embedder, folder) {
	const program = fs.readFileSync(embedder);
	const file = text => path.join(folder, createHash('sha256').update(program).update('\0').update(text).digest('hex'));
	const lacking = texts.filter(text => !fs.existsSync(file(text)));
	if (lacking.length) {
		const r = spawnSync(process.execPath, [embedder], {input: JSON.stringify({texts: lacking}), maxBuffer: 1 << 28});
		if (r.status)
			throw new Error(r.stderr.toString());
		JSON.parse(r.stdout).vectors.forEach((v, i) => fs.writeFileSync(file(lacking[i]), JSON.stringify(v)));
	}
	return texts.map(text => JSON.parse(fs.readFileSync(file(text), 'utf8')));
}
if (process.argv[2] === '--once') {
	const [, , , embedder, folder] = process.argv, {texts} = JSON.parse(fs.readFileSync(0, 'utf8'));
	fs.writeFileSync(1, JSON.stringify({model: 'once', vectors: vectors_of(texts, embedder, folder)}));
	process.exit(0);
}

const [, self, ikm, embedder, turns_folder, folder, conversation] = process.argv;
const ours = path.join(path.dirname(fileURLToPath(import.meta.url)), 'shapes');
const kept = process.env.IKM_VECTORS ?? path.join(folder, 'vectors');
const setting = `memory.embedder=${JSON.stringify([process.execPath, self, '--once', embedder, kept])}`;
const STRANGERS = 40;
// What a question about something else expects: bench counts it, and finds no recall to measure.
const NOBODY = 'mem_00000000000000000000000000';

const lines_of = file =>
	fs.readFileSync(path.join(ours, file), 'utf8').split('\n').filter(Boolean).map(l => JSON.parse(l));

// Texts with ids, and the questions; of most shapes the held-out ones: every second, as shapes.h has it.
function shape(files, text_of, level) {
	const texts = files.flatMap((file, i) => lines_of(file).filter(l => !l.ask)
		.map(l => ({...text_of(l), metadata: {id: (i + 1 < files.length ? file : '') + l.id}})));
	const asks = lines_of(files.at(-1)).filter(l => l.ask).filter((l, i) => level ? l.level === level : i % 2);
	return {
		texts,
		questions: asks.filter(a => a.gold.length).map(a => ({query: a.ask, gold: a.gold})),
		strangers: asks.filter(a => !a.gold.length).map(a => a.ask),
	};
}

const at = l => l.at ? {happenedAt: `${l.at}T12:00:00Z`} : {};
const fact = l => ({kind: 'fact', content: l.text, tags: l.tags ?? [], ...at(l)});
const team = ['de.jsonl', 'ru.jsonl', 'zh.jsonl', 'ja.jsonl', 'team.jsonl'];
const shapes = {
	facts: shape(['facts.jsonl'], fact),
	chats: shape(['chat.jsonl'], l => ({kind: 'episodic', content: `user: ${l.user}\nassistant: ${l.assistant}`, ...at(l)})),
	...Object.fromEntries(['same', 'inflected', 'synonyms', 'abstract'].map(level => [level, shape(team, fact, level)])),
};

// R@5, R@10 and MRR of the order that the model alone gives.
function alone(texts, questions) {
	const unit = v => { const l = Math.hypot(...v); return v.map(x => x / l); };
	const all = vectors_of(texts.map(t => t.content), embedder, kept).map(unit);
	const sums = {recallAt5: 0, recallAt10: 0, mrr: 0};
	for (const {query, expected} of questions) {
		const q = unit(vectors_of([query], embedder, kept)[0]);
		const ids = all.map((v, i) => [v.reduce((sum, x, k) => sum + x * q[k], 0), texts[i].id])
			.sort((a, b) => b[0] - a[0]).map(([, id]) => id);
		const first = ids.slice(0, 10).findIndex(id => expected.includes(id));
		for (const n of [5, 10])
			sums[`recallAt${n}`] += ids.slice(0, n).filter(id => expected.includes(id)).length / expected.length;
		sums.mrr += first < 0 ? 0 : 1 / (first + 1);
	}
	return Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, sum / questions.length]));
}

// Recall with the embedder, without, and of the model alone; how many questions about something else
// find nothing.
function measure(name, s, texts, questions, strangers) {
	fs.mkdirSync(kept, {recursive: true});
	const start = performance.now();
	vectors_of([...questions.map(q => q.query), ...strangers, ...texts.map(t => t.content)], embedder, kept);
	console.error(`embed: ${name}: ${Math.round((performance.now() - start) / 1000)} s`);
	s.run(['-c', setting, 'mem', 'embed']);
	const result = ['memory.embedder=[]', setting].map(set => ['-c', set, '-c', 'memory.embedderTimeout=20000'])
		.map(set => [questions, strangers.map(query => ({query, expected: [NOBODY]}))]
			.map(asks => asks.length ? s.json([...set, 'bench'], asks.map(q => JSON.stringify(q)).join('\n')) : {}));
	const [[words, foreign], [both, foreign_both]] = result, model = alone(texts, questions);
	if (both.withoutVectors || foreign_both.withoutVectors)
		throw new Error(`the embedder failed ${both.withoutVectors + foreign_both.withoutVectors} times`);
	for (const key of ['recallAt5', 'recallAt10', 'mrr']) {
		console.log(`${name}-${key}-vectors-or-words`, both[key].toFixed(3), words[key].toFixed(3),
			(both[key] / words[key]).toFixed(2));
		console.log(`${name}-${key}-vectors-or-model`, both[key].toFixed(3), model[key].toFixed(3),
			(both[key] / model[key]).toFixed(2));
	}
	if (strangers.length)
		console.log(`${name}-silent-vectors-or-words-of-${strangers.length}`, foreign_both.belowThreshold,
			foreign.belowThreshold, (foreign_both.belowThreshold / foreign.belowThreshold).toFixed(2));
}

const stores = new Map(); // by their texts
for (const [name, {texts, questions, strangers}] of Object.entries(shapes)) {
	const key = JSON.stringify(texts), dir = path.join(folder, name);
	if (!stores.has(key)) {
		fs.mkdirSync(dir);
		const s = store(ikm, dir), id_of = new Map();
		s.run(['mem', 'import'], texts.map(t => JSON.stringify(t)).join('\n'));
		for (const line of s.run(['mem', 'export']).split('\n').filter(Boolean)) {
			const m = JSON.parse(line);
			id_of.set(m.metadata.id, m.memoryId);
		}
		stores.set(key, {s, id_of});
	}
	const {s, id_of} = stores.get(key);
	measure(name, s, texts.map(t => ({content: t.content, id: id_of.get(t.metadata.id)})),
		questions.map(q => ({query: q.query, expected: q.gold.map(id => id_of.get(id))})), strangers);
}
if (turns_folder) {
	const conv = Number(conversation), dir = path.join(folder, 'turns');
	const {turns, questions} = read(turns_folder, [conv]);
	// Questions of the conversations that weights were fitted on: this one cannot answer them.
	const strangers = read(turns_folder, [0, 1]).questions.filter((_, i) => i % 7 === 0).slice(0, STRANGERS);
	fs.mkdirSync(dir);
	const s = store(ikm, dir);
	s.fill(turns);
	const id_of = new Map([...s.turn_of].map(([id, turn]) => [turn, id]));
	measure('turns', s, turns.map(t => ({content: said(t), id: id_of.get(t.id)})),
		questions.map(q => ({query: q.question, expected: [...new Set(q.gold_turns)].map(t => id_of.get(t) ?? t)})),
		strangers.map(q => q.question));
}
