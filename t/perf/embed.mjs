// The work of embed.sh. Usage: node embed.mjs IKM EMBEDDER TURNS FOLDER CONVERSATION
// TURNS: LoCoMo's folder; without it only our own shapes are measured.
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {read, store} from './locomo.mjs';

const [, , ikm, embedder, turns_folder, folder, conversation] = process.argv;
const ours = path.join(path.dirname(fileURLToPath(import.meta.url)), 'shapes');
const setting = `memory.embedder=${JSON.stringify([process.execPath, embedder])}`;
const STRANGERS = 40;
// What a question about something else expects: bench counts it, and finds no recall to measure.
const NOBODY = 'mem_00000000000000000000000000';

// Texts with ids, and the held-out questions: every second one, as shapes.h has it.
function shape(file, text_of) {
	const lines = fs.readFileSync(path.join(ours, file), 'utf8').split('\n').filter(Boolean).map(l => JSON.parse(l));
	const asks = lines.filter(l => l.ask).filter((_, i) => i % 2);
	return {
		texts: lines.filter(l => !l.ask).map(l => ({...text_of(l), metadata: {id: l.id}})),
		questions: asks.filter(a => a.gold.length).map(a => ({query: a.ask, gold: a.gold})),
		strangers: asks.filter(a => !a.gold.length).map(a => a.ask),
	};
}

const at = l => l.at ? {happenedAt: `${l.at}T12:00:00Z`} : {};
const shapes = {
	facts: shape('facts.jsonl', l => ({kind: 'fact', content: l.text, tags: l.tags ?? [], ...at(l)})),
	chats: shape('chat.jsonl', l => ({kind: 'episodic', content: `user: ${l.user}\nassistant: ${l.assistant}`, ...at(l)})),
};

// Recall with the embedder and without, and how many questions about something else find nothing.
function measure(name, s, questions, strangers) {
	const start = performance.now(), filled = s.json(['-c', setting, 'mem', 'embed']);
	console.error(`embed: ${name}: ${filled.embedded} texts in ${Math.round((performance.now() - start) / 1000)} s`);
	const result = ['memory.embedder=[]', setting].map(set => ['-c', set, '-c', 'memory.embedderTimeout=20000'])
		.map(set => [questions, strangers.map(query => ({query, expected: [NOBODY]}))]
			.map(asks => s.json([...set, 'bench'], asks.map(q => JSON.stringify(q)).join('\n'))));
	const [[words, foreign], [both, foreign_both]] = result;
	if (both.withoutVectors || foreign_both.withoutVectors)
		throw new Error(`the embedder failed ${both.withoutVectors + foreign_both.withoutVectors} times`);
	for (const key of ['recallAt5', 'recallAt10', 'mrr'])
		console.log(`${name}-${key}-vectors-or-words`, both[key].toFixed(3), words[key].toFixed(3),
			(both[key] / words[key]).toFixed(2));
	console.log(`${name}-silent-vectors-or-words-of-${strangers.length}`, foreign_both.belowThreshold,
		foreign.belowThreshold, (foreign_both.belowThreshold / foreign.belowThreshold).toFixed(2));
}

for (const [name, {texts, questions, strangers}] of Object.entries(shapes)) {
	const dir = path.join(folder, name);
	fs.mkdirSync(dir);
	const s = store(ikm, dir), id_of = new Map();
	s.run(['mem', 'import'], texts.map(t => JSON.stringify(t)).join('\n'));
	for (const line of s.run(['mem', 'export']).split('\n').filter(Boolean)) {
		const m = JSON.parse(line);
		id_of.set(m.metadata.id, m.memoryId);
	}
	measure(name, s, questions.map(q => ({query: q.query, expected: q.gold.map(id => id_of.get(id))})), strangers);
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
	measure('turns', s, questions.map(q => ({query: q.question,
		expected: [...new Set(q.gold_turns)].map(t => id_of.get(t) ?? t)})), strangers.map(q => q.question));
}
