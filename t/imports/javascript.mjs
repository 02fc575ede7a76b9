// Holds the rows of t/imports/javascript.txt against a parser of JavaScript and TypeScript.
// node javascript.mjs ROWS FOLDER-OF-NPM-PACKAGES
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [rows, npm] = process.argv.slice(2);
const {parseAst} = await import(
	pathToFileURL(`${npm}/rolldown/dist/parse-ast-index.mjs`).href);
let count = 0, bad = 0;

const literal = (n) => n?.type === 'Literal' && typeof n.value === 'string' ? n.value
	: n?.type === 'TemplateLiteral' && !n.expressions.length ? n.quasis[0].value.cooked : null;
const owners = ['module', 'globalThis', 'window', 'global', 'self'];
const named = (n, name) => n?.type === 'Identifier' && n.name === name;
const requires = (n) => named(n, 'require') ||
	(n?.type === 'MemberExpression' && !n.computed &&
		((named(n.object, 'require') && n.property.name === 'resolve') ||
		 (n.property.name === 'require' && owners.some((o) => named(n.object, o)))));

function walk(n, found) {
	if (!n || typeof n !== 'object')
		return;
	if (Array.isArray(n))
		return n.forEach((m) => walk(m, found));
	const call = (arg) => {
		const value = literal(arg);
		found.push(value === null ? [n.start, '?'] : [arg.start + 1, value]);
	};
	if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(n.type) && n.source)
		found.push([n.source.start + 1, n.source.value]);
	else if (n.type === 'ImportExpression')
		call(n.source);
	else if (n.type === 'TSImportType')
		call(n.source ?? n.argument?.literal ?? n.argument);
	else if (n.type === 'TSExternalModuleReference')
		call(n.expression);
	else if (n.type === 'CallExpression' && requires(n.callee) && n.arguments.length)
		call(n.arguments[0]);
	for (const key of Object.keys(n))
		if (key !== 'parent')
			walk(n[key], found);
}

for (const row of readFileSync(rows, 'latin1').split(/^### /m).slice(1)) {
	const [, head, text, want] = /^(.*)\n((?:.*\n)*?)===\n([^]*)$/.exec(row);
	if (head.startsWith('!'))
		continue;
	const bytes = text.replace(/\\([0-7]{3})/g, (_, o) => String.fromCharCode(parseInt(o, 8)));
	const source = Buffer.from(bytes, 'latin1').toString().replace(/^\ufeff/, '');
	const lang = /\.([cm]?)([jt]sx?) /.exec(head);
	const found = [];
	// The parser counts in UTF-16, so places are compared in ASCII only.
	const ascii = /^[\0-\x7f]*$/.test(bytes);
	let ast;

	try {
		ast = parseAst(source, {lang: lang[2] === 'js' ? 'jsx' : lang[2]}, head.split(' ')[0]);
	} catch (e) {
		console.log(`# ${head}: ${e.message}`);
		bad++;
		continue;
	}
	walk(ast, found);
	found.sort((a, b) => a[0] - b[0]);
	const place = (at) => {
		const before = source.slice(0, at).split('\n');
		return ascii ? `${before.length}:${before.at(-1).length + 1} ` : '';
	};
	const theirs = found.map(([at, m]) => place(at) + m).sort().join('\n');
	const ours = want.split('\n').filter((l) => l && !/^\S+ reference /.test(l)).map((l) => {
		const [, at, kind, module] = /^(\S+) (\S+) (.*)$/.exec(l);
		return (ascii ? `${at} ` : '') + (kind === '?' ? '?' : module);
	}).sort().join('\n');
	count++;
	if (ours === theirs)
		continue;
	bad++;
	console.log(`# ${head}\n# rows:\n${ours}\n# parser:\n${theirs}`);
}
console.log(`${count} rows, ${bad} differ`);
process.exit(bad || !count ? 1 : 0);
