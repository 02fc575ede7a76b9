// See tokens.sh. Usage: node tokens.mjs TOKENS, the program built from tokens.c.
//
// Of each source, none of which tokens-fit.mjs was given, at most DOCUMENTS.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import zlib from 'node:zlib';

const MODELS = ['o200k', 'cl100k'], DOCUMENTS = 80, MOST = 32768, LEAST = 1500;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const data = process.env.DATA ?? path.join(root, '../shared/data');
const npm = path.join(root, 'build/npm/node_modules/gpt-tokenizer/esm');

let state = 1;
const rnd = n => (state = (Math.imul(state, 1103515245) + 12345) >>> 0, (state >>> 8) % n);
const pick = list => list[rnd(list.length)];

function* walk(dir, name) {
	let entries = [];
	try {
		entries = fs.readdirSync(dir, {withFileTypes: true});
	} catch {
		return;
	}
	for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const file = path.join(dir, entry.name);
		if (entry.isDirectory())
			yield* walk(file, name);
		else if (entry.isFile() && name.test(file))
			yield file;
	}
}

const raw = file => {
	const bytes = fs.readFileSync(file);
	return (file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString();
};
const files = (dir, name, read = raw) => [...walk(dir, name)].map(file => () => read(file));

// What a manual page says: macros with words keep them, others go, as do font changes.
const page = file => raw(file).split('\n').map(line => {
	if (/^[.']/.test(line))
		line = line.match(/^\.(?:SH|SS|B|I|BR|IR|RB|BI|TP|IP)\s+(.*)/)?.[1].replaceAll('"', '') ?? '';
	return line.replace(/\\f(\(..|\[.*?\]|.)|\\s[-+]?\d|\\[&|^/,%]|\\\(..|\\e/g, '').replaceAll('\\', '');
}).join('\n').replace(/\n{3,}/g, '\n\n');
const foreign = (lang, letters) => files(`/usr/share/man/${lang}`, /\.gz$/, page)
	.map(read => () => {
		const text = read();
		return (text.match(letters)?.length ?? 0) > 0.2 * text.length ? text : '';
	});
const talk = file => [...raw(file).matchAll(/"text": ?("(?:[^"\\]|\\.)*")/g)]
	.map(m => JSON.parse(m[1])).join('\n');

// Logs in the forms of a web server, the journal, a Java program and a JSON logger.
const WORDS = ('connection closed opened timeout retry request user session cache miss hit failed to ' +
	'load config worker started stopped queue full disk usage high job finished in').split(' ');
const some = (n, make) => Array.from({length: n}, make);
const two = n => String(n).padStart(2, '0');
const hex = n => some(n, () => rnd(16).toString(16)).join('');
const say = () => some(4 + rnd(8), () => pick(WORDS)).join(' ');
const ip = () => `${10 + rnd(200)}.${rnd(256)}.${rnd(256)}.${rnd(256)}`;
const url = () => '/' + some(1 + rnd(3), () =>
	pick(['api', 'v2', 'users', 'static', 'img', String(rnd(100000)), 'orders', 'index.html'])).join('/');
const agent = () => `Mozilla/5.0 (X11; Linux x86_64; rv:${90 + rnd(40)}.0) Gecko/20100101`;
const forms = [
	(t, time) => `${ip()} - - [${two(t.getUTCDate())}/Mar/2026:${time} +0000] ` +
		`"${pick(['GET', 'POST', 'PUT'])} ${url()} HTTP/1.1" ${pick([200, 200, 304, 404, 500])} ` +
		`${rnd(90000)} "-" "${agent()}"`,
	(t, time) => `Mar ${two(t.getUTCDate())} ${time} host-${rnd(9)} ` +
		`${pick(['sshd', 'systemd', 'kernel', 'cron', 'dockerd'])}[${rnd(40000)}]: ${say()} (${hex(8)})`,
	(t, time) => `${t.toISOString().slice(0, 10)} ${time},${rnd(1000)} ` +
		`${pick(['INFO ', 'WARN ', 'ERROR', 'DEBUG'])} [pool-${rnd(9)}-thread-${rnd(64)}] ` +
		`c.e.shop.${pick(['OrderService', 'UserRepository', 'HttpClient'])} - ${say()} id=${rnd(1e6)}`,
	t => JSON.stringify({ts: t.toISOString(), level: pick(['info', 'warn', 'error']), msg: say(),
		trace: hex(16), ms: rnd(5000) / 10, path: url()}),
];

function log(form) {
	let text = '', at = Date.UTC(2026, 2, 1 + rnd(28));
	while (text.length < 12000) {
		const t = new Date(at += rnd(5000));
		text += form(t, t.toISOString().slice(11, 19)) + '\n';
	}
	return text;
}

const kinds = {
	prose: [files(`${data}/adrs`, /\.md$/), files(`${data}/locomo`, /\.jsonl?$/, talk),
		files('/usr/share/doc/git/RelNotes', /\.txt(\.gz)?$/),
		files('/usr/share/common-licenses', /./)],
	code: [files(`${root}/lib`, /\.c$/), files(`${root}/t`, /\.(c|t|sh)$/),
		files('/usr/share/perl', /\.p[lm]$/), files('/usr/lib/python3.11', /\.py$/),
		files('/usr/include/git2', /\.h$/), files('/usr/include', /include\/[a-z0-9_]+\.h$/)],
	json: [files(`${data}/manifests`, /\.json$/), files(`${data}/locomo`, /\.jsonl?$/),
		files('/usr/share', /(?<!iso-codes.*)(?<!nodejs.*)\.json$/)],
	logs: [files('/var/log', /(term|history|alternatives|bootstrap)\.log$/),
		...forms.map(form => some(20, () => () => log(form)))],
	chinese: [foreign('zh_CN', /[\u4e00-\u9fff]/g)],
	japanese: [foreign('ja', /[\u3040-\u30ff\u4e00-\u9fff]/g)],
	russian: [foreign('ru', /[\u0400-\u04ff]/g)],
};

function documents(source) {
	const out = [];
	for (let i = source.length; i > 1;) {
		const k = rnd(i--);
		[source[i], source[k]] = [source[k], source[i]];
	}
	for (const read of source) {
		const bytes = Buffer.from(read());
		for (let at = 0; at + LEAST < bytes.length && out.length < DOCUMENTS; at += MOST)
			out.push(bytes.subarray(at, at + MOST).toString().replace(/^\uFFFD+|\uFFFD+$/g, ''));
	}
	return out.filter(text => !/[\0\uFFFD]/.test(text));
}

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tokens-'));
process.on('exit', () => fs.rmSync(dir, {recursive: true}));
const samples = [];
for (const [kind, sources] of Object.entries(kinds)) {
	const texts = sources.flatMap(documents);
	if (!texts.length) {
		console.error(`tokens: nothing to read in ${kind}: skipped`);
		continue;
	}
	const names = texts.map((text, i) => path.join(dir, `${kind}-${i}`));
	texts.forEach((text, i) => fs.writeFileSync(names[i], text));
	samples.push({kind, texts, names});
}

const estimate = (model, names) =>
	execFileSync(process.argv[2], [model], {input: names.join('\n') + '\n'})
		.toString().trim().split('\n').map(Number);
const percent = x => (100 * x).toFixed(1) + '%';
for (const model of MODELS) {
	const {encode} = await import(path.join(npm, `encoding/${model}_base.js`));
	let bytes = 0, took = 0;
	for (const {kind, texts, names} of samples) {
		const from = process.cpuUsage().user;
		const real = texts.map(text =>
			encode(text, {disallowedSpecial: new Set(), allowedSpecial: new Set()}).length);
		took += process.cpuUsage().user - from;
		bytes += texts.reduce((n, text) => n + Buffer.byteLength(text), 0);
		const ours = estimate(model, names).slice(0, -1);
		const sum = list => list.reduce((a, b) => a + b, 0);
		const errors = ours.map((n, i) => Math.abs(n / real[i] - 1)).sort((a, b) => a - b);
		console.log(`tokens-${model}-${kind}`, sum(ours), sum(real), (sum(ours) / sum(real)).toFixed(3),
			'mean', percent(sum(errors) / errors.length),
			'p95', percent(errors[Math.floor(errors.length * 0.95)]), 'documents', errors.length);
	}
	const all = samples.flatMap(({names}) => names);
	const ours = estimate(model, all).pop();
	const theirs = bytes / took;
	console.log(`tokens-${model}-speed`, ours.toFixed(0), theirs.toFixed(1), (ours / theirs).toFixed(0), 'MB/s');
}
