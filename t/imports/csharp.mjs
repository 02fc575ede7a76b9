// Holds the rows of t/imports/csharp.txt against tree-sitter's parser of C#.
// node csharp.mjs ROWS FOLDER-OF-NPM-PACKAGES
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [rows, npm] = process.argv.slice(2);
const {Language, Parser} = await import(
	pathToFileURL(`${npm}/web-tree-sitter/web-tree-sitter.js`).href);
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(`${npm}/tree-sitter-c-sharp/tree-sitter-c_sharp.wasm`));
const types = /^(bool|s?byte|u?short|u?int|u?long|nu?int|char|float|double|object|decimal|string)$/;
let count = 0, bad = 0;

// The names that a directive imports: its first, and of an alias each that has a dot.
function names(node) {
	const text = node.text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '').replace(/\s*(\.|::)\s*/g, '$1');
	const [, rest] = /^(?:extern\s+alias|(?:global\s+)?using)\s+([^;]*)/.exec(text);
	const type = rest.replace(/^(static|unsafe)\s+/, '').replace(/^@?[\p{L}\w]+\s*=\s*(unsafe\s+)?/u, '');
	const found = (type.match(/@?[\p{L}_][\p{L}\w]*((\.|::)@?[\p{L}_][\p{L}\w]*)*/gu) ?? [])
		.map((name) => name.replace(/@/g, ''));
	return found.filter((name, i) => !types.test(name) && (name.includes('.') || i === 0));
}

function walk(node, found) {
	if (/^(using|extern_alias)_directive$/.test(node.type))
		found.push(...names(node));
	else
		node.namedChildren.forEach((child) => walk(child, found));
}

for (const row of readFileSync(rows, 'latin1').split(/^### /m).slice(1)) {
	const [, head, text, want] = /^(.*)\n((?:.*\n)*?)===\n([^]*)$/.exec(row);
	if (head.startsWith('!'))
		continue;
	const bytes = text.replace(/\\([0-7]{3})/g, (_, o) => String.fromCharCode(parseInt(o, 8)));
	const tree = parser.parse(Buffer.from(bytes, 'latin1').toString().replace(/^\ufeff/, ''));
	const theirs = tree.rootNode.hasError ? ['a mistake'] : [];
	const ours = Buffer.from(want, 'latin1').toString().split('\n').filter(Boolean)
		.map((line) => line.split(' ').slice(2).join(' '));

	walk(tree.rootNode, theirs);
	count++;
	if (ours.sort().join('\n') !== theirs.sort().join('\n')) {
		bad++;
		console.log(`# ${head}\n# rows: ${ours.join(' | ')}\n# parser: ${theirs.join(' | ')}`);
	}
}
console.log(`${count} rows, ${bad} differ`);
process.exit(bad || !count ? 1 : 0);
