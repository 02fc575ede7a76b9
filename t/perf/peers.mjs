// The work of peers.sh. Usage: node peers.mjs IKM MODULES DATA FOLDER
//
// How each is used:
// - All store one memory a turn, with its speaker and its text. ikm and server-memory are given the
//   date too, each as it takes it; ai-devkit wants a title of 10 and a content of 50 characters,
//   so it is given "ID SPEAKER: TEXT" cut at 100 as the title, and the date before the text.
// - Each question is given as it is to the peer's own search tool, 10 results (server-memory has no
//   limit and no order: the first ten are taken as they come). "words" is the mode that suits them
//   best: their search for each word of the question that is no stop word, and what most words
//   found first; server-memory looks for its query as a part of a text, and ai-devkit for all words
//   before any.
// - ai-devkit's semantic search is not tried: it loads its model from the network.
import fs from 'node:fs';
import path from 'node:path';
import {read, said, store} from './locomo.mjs';
import {connect} from './mcp.mjs';

const [, , ikm, modules, data, folder] = process.argv;
const conversations = [3, 4]; // ranking was fitted on 0 and 1
const {turns, questions} = read(data, conversations);
const stop = new Set(('a about an and any are as at be been both but by can could did do does for from ' +
	'had has have he her his how i in is it its many much of on or she so than that the their them ' +
	'they this to was were what when where which who whose why will with would you your').split(' '));
const content_words = text => [...new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
	.filter(word => word.length > 1 && !stop.has(word)))];
const home = name => {
	const dir = path.join(folder, name);
	fs.mkdirSync(dir, {recursive: true});
	return dir;
};

// ---- each of them: how it is opened, filled and asked ----

// One word is in no other, nor begins another.
const fact = i => `The door of room${i}end is opened with the key on the left, not with another one.`;
const text_of = reply => reply.result.content[0].text;

function ikm_at(dir) {
	const s = store(ikm, dir);
	const search = text => s.json(['mem', 'search', '--limit', '10', '--', text]).results;
	return {
		fill: s.fill,
		find: text => search(text).map(r => s.turn_of.get(r.memoryId)),
		add: i => s.spawn(['mem', 'add', fact(i)]),
		has: i => search(fact(i)).some(r => r.content === fact(i)),
		close: () => {},
	};
}

async function server_memory(dir) {
	const s = await connect([path.join(modules, '@modelcontextprotocol/server-memory/dist/index.js')],
		{HOME: dir, MEMORY_FILE_PATH: path.join(dir, 'memory.jsonl')});
	const create = async entities => {
		const r = await s.tool('create_entities', {entities});
		return !r.error && !r.result.isError;
	};
	const all = async query => JSON.parse(text_of(await s.tool('search_nodes', {query}))).entities;
	return {
		fill: list => create(list.map(t => ({name: t.id, entityType: 'turn',
			observations: [`${t.speaker} (${t.date}): ${said(t)}`]}))),
		find: async query => (await all(query)).map(e => e.name).slice(0, 10),
		word: async query => (await all(query)).map(e => e.name),
		add: i => create([{name: `fact ${i}`, entityType: 'fact', observations: [fact(i)]}]),
		has: async i => (await all(fact(i))).length > 0,
		close: s.close,
	};
}

async function ai_devkit(dir) {
	const s = await connect([path.join(modules, '@ai-devkit/memory/dist/index.js')], {HOME: dir});
	const tell = (title, content) => s.tool('memory_storeKnowledge', {title, content});
	const stored = r => !r.error && !r.result.isError;
	const search = async (query, limit) => {
		const r = await s.tool('memory_searchKnowledge', {query, limit});
		return r.error || r.result.isError ? [] : JSON.parse(text_of(r)).results;
	};
	const ids = results => results.map(k => k.title.split(' ')[0]);
	return {
		fill: async list => {
			for (const t of list) {
				const r = await tell(`${t.id} ${t.speaker}: ${said(t)}`.slice(0, 100).trim(),
					`On ${t.date}, ${t.speaker} said: ${said(t)}`.padEnd(50, '.'));
				if (!stored(r))
					throw new Error(`ai-devkit: ${t.id} was not stored: ${JSON.stringify(r)}`);
			}
		},
		find: async query => ids(await search(query, 10)),
		word: async query => ids(await search(query, 20)),
		add: async i => stored(await tell(`The door of room${i}end`, fact(i))),
		has: async i => (await search(`room${i}end`, 20)).some(k => k.content === fact(i)),
		close: s.close,
	};
}

const makers = {ikm: ikm_at, 'server-memory': server_memory, 'ai-devkit': ai_devkit};
const peers = ['server-memory', 'ai-devkit'];

const by_words = peer => async text => {
	const count = new Map();
	for (const word of content_words(text))
		for (const id of await peer.word(word))
			count.set(id, (count.get(id) ?? 0) + 1);
	return [...count].sort((a, b) => b[1] - a[1]).map(([id]) => id).slice(0, 10);
};

// ---- recall and time ----

const median = list => list.sort((a, b) => a - b)[list.length >> 1];
const number = x => String(Math.round(x * 1000) / 1000);
function print(name, ours, theirs) {
	console.log(name, number(ours), number(theirs), theirs ? (ours / theirs).toFixed(2) : '-');
}

async function ask(find, list) {
	const sum = {r1: 0, r5: 0, r10: 0, mrr: 0}, ms = [];
	for (const q of list) {
		const start = performance.now(), found = await find(q.question);
		ms.push(performance.now() - start);
		const gold = new Set(q.gold_turns), at = found.findIndex(id => gold.has(id));
		for (const k of [1, 5, 10])
			sum[`r${k}`] += found.slice(0, k).filter(id => gold.has(id)).length / gold.size;
		sum.mrr += at < 0 ? 0 : 1 / (at + 1);
	}
	return {sum, ms};
}

const total = {}, times = {};
function add(name, {sum}) {
	total[name] ??= {r1: 0, r5: 0, r10: 0, mrr: 0};
	for (const key in sum)
		total[name][key] += sum[key] / questions.length;
}

for (const conv of conversations)
	for (const [name, make] of Object.entries(makers)) {
		const peer = await make(home(`${name}-${conv}`));
		const list = questions.filter(q => q.conv === conv);
		await peer.fill(turns.filter(t => t.conv === conv));
		add(name, await ask(peer.find, list));
		if (name !== 'ikm')
			add(`${name}-words`, await ask(by_words(peer), list));
		await peer.close();
	}
for (const name in total)
	if (name !== 'ikm')
		for (const [key, what] of [['r5', 'recall@5'], ['r10', 'recall@10'], ['mrr', 'mrr']])
			print(`${what}-${name}`, total.ikm[key], total[name][key]);

// ---- a search among many turns ----

const many = Array.from({length: 5}, (_, i) => turns.map(t => ({...t, id: `${t.id}/${i}`,
	text: i ? `${t.text} (${i})` : t.text}))).flat();
for (const [name, make] of Object.entries(makers)) {
	const peer = await make(home(`${name}-many`));
	await peer.fill(many);
	times[name] = (await ask(peer.find, questions.slice(0, 50))).ms;
	await peer.close();
}
for (const name of peers)
	print(`search-ms-of-${many.length}-${name}`, median(times.ikm), median(times[name]));

// ---- writes at once, each by a process of its own ----

async function kept(make, dir, n, first) {
	if (!first) {
		const one = await make(dir);
		await one.add(0);
		await one.close();
	}
	const writers = [];
	for (let i = 0; i < n; i++)
		writers.push(await make(dir));
	const said = await Promise.all(writers.map((w, i) => w.add(i + 1)));
	await Promise.all(writers.map(w => w.close()));
	const reader = await make(dir);
	let found = 0;
	for (let i = 1; i <= n; i++)
		found += await reader.has(i);
	await reader.close();
	return {found, said: said.filter(Boolean).length};
}

for (const [n, first] of [[20, false], [40, false], [20, true]]) {
	const what = `${n}-${first ? 'first-' : ''}writes`, mine = await kept(ikm_at, home(`ikm-${what}`), n, first);
	for (const name of peers) {
		const theirs = await kept(makers[name], home(`${name}-${what}`), n, first);
		print(`kept-of-${what}-${name}`, mine.found, theirs.found);
		if (theirs.said !== theirs.found || mine.said !== mine.found)
			console.error(`peers: of ${what}, ikm answered ok to ${mine.said}, ${name} to ${theirs.said}`);
	}
}
