// Makes lib/text/token/o200k_weights.h and cl100k.h from texts: needs gpt-tokenizer in build/npm (make perf-deps) and cc.
//
//	node t/perf/tokens-fit.mjs LIST
//
// LIST has lines "KIND PATH": plain text in UTF-8 of kind prose, code, json, logs, zh, ja, ru, other
// (languages) or noise (base64, hashes, long runs of one letter). See kind_weight() in tokens-fit.c.
// Cuts the texts into documents, counts each with the models' own tokenizers, adds each model's
// common words as kind "vocabulary", and has tokens-fit.c do the rest.
//
// The committed table was fitted on 35 MB, some 3 MB a kind: man pages 1, 5 and 7, READMEs and NEWS
// of Debian packages, fortunes, the Debian handbook, reference and developer's manuals, the help of
// LibreOffice and the kernel's documentation (with their translations); headers of Linux and of
// libstdc++, Python, JavaScript, TypeScript, Perl, shell, Rust (tokio), Java (gson), Go, CMake, Tcl,
// SQL; JSON of npm packages and service descriptions; eight kinds of logs of loghub. Nothing of
// these is in the table but weights. Texts of t/perf/tokens.sh must not be among them.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const MODELS = ['o200k', 'cl100k'], EPOCHS = '8', MOST = 32768, LEAST = 1500, VOCABULARY = 100000;
const here = path.dirname(fileURLToPath(import.meta.url)), root = path.resolve(here, '../..');
const npm = path.join(root, 'build/npm/node_modules/gpt-tokenizer/esm');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tokens-fit-'));
process.on('exit', () => fs.rmSync(dir, {recursive: true}));

function* documents(text) {
	while (Buffer.byteLength(text) > LEAST) {
		let part = text;
		if (Buffer.byteLength(part) > MOST) {
			part = Buffer.from(text).subarray(0, MOST).toString().replace(/\uFFFD+$/, '');
			const line = part.lastIndexOf('\n');
			if (line > part.length / 2)
				part = part.slice(0, line + 1);
		}
		yield part;
		text = text.slice(part.length);
	}
}

const texts = [];
for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
	const [, kind, file] = line.match(/^(\S+) (.*)$/);
	for (const text of documents(fs.readFileSync(file, 'utf8')))
		texts.push({kind, text});
}

for (const model of MODELS) {
	const {encode} = await import(path.join(npm, `encoding/${model}_base.js`));
	const {default: tokens} = await import(path.join(npm, `bpeRanks/${model}_base.js`));
	const length = token => typeof token === 'string' ? Buffer.byteLength(token) : token.length;
	const words = tokens.slice(0, VOCABULARY)
		.filter(token => typeof token === 'string' && /^ [A-Za-z]+$/.test(token));
	const vocabulary = [...documents(words.join(''))].map(text => ({kind: 'vocabulary', text}));
	let list = '';
	for (const [i, {kind, text}] of [...texts, ...vocabulary].entries()) {
		const ids = encode(text, {disallowedSpecial: new Set(), allowedSpecial: new Set()});
		const lengths = Uint16Array.from(ids, id => length(tokens[id]));
		if (lengths.reduce((a, b) => a + b, 0) !== Buffer.byteLength(text))
			continue; // was not UTF-8
		const file = path.join(dir, `${model}-${i}`);
		fs.writeFileSync(file, text);
		fs.writeFileSync(`${file}.${model}`, Buffer.from(lengths.buffer));
		list += `${kind} ${file}\n`;
	}
	fs.writeFileSync(path.join(dir, model), list);
}

const fit = path.join(dir, 'fit');
execFileSync('cc', ['-std=c11', '-D_GNU_SOURCE', '-O2', '-ffast-math', '-I', path.join(root, 'lib'),
	'-o', fit, path.join(here, 'tokens-fit.c'), path.join(root, 'build/libikm.a'), '-lm']);
for (const model of MODELS) {
	const table = execFileSync(fit, [model, path.join(dir, model), EPOCHS],
		{stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 24});
	fs.writeFileSync(path.join(root, `lib/text/token/${model}.h`),
		`/* Made by t/perf/tokens-fit.mjs: see there. Not by hand. */\n${table}`);
}
