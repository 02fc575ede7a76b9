// Holds the rows of t/imports/scala.txt against the parser of Scalameta, which reads Scala 2.
// node scala.mjs ROWS FOLDER-OF-NPM-PACKAGES
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const [rows, npm] = process.argv.slice(2);
const {parseSource} = createRequire(`${npm}/`)('scalameta-parsers');
let count = 0, bad = 0;

const path = (n) => n.type === 'Term.This' ? [...(n.qual?.value ? [n.qual.value] : []), 'this']
	: n.qual ? [...path(n.qual), n.name.value] : [n.value];

function clause(n, found) {
	const from = path(n.ref).join('.'), one = n.importees[0];
	const named = n.importees.filter((i) => i.name && i.type !== 'Importee.Unimport');

	// Braces stand behind the name of the module: "a.{b}" ends behind its name, "a.b" with it.
	if (n.importees.length === 1 && one.type === 'Importee.Name' && n.pos.end === one.pos.end) {
		found.push(`${from}.${one.name.value}`);
		return;
	}
	found.push(from, ...named.map((i) => `${from}.${i.name.value}`));
}

function walk(n, found) {
	if (!n || typeof n !== 'object')
		return;
	if (n.type === 'Importer')
		clause(n, found);
	for (const key of Object.keys(n))
		walk(n[key], found);
}

for (const row of readFileSync(rows, 'utf8').split(/^### /m).slice(1)) {
	const [, head, text, want] = /^(.*)\n((?:.*\n)*?)===\n([^]*)$/.exec(row);
	if (!head.startsWith('a.scala ') || head.includes(' +3 '))
		continue;
	const tree = parseSource(text), theirs = [];
	count++;
	if (tree.error) {
		bad++;
		console.log(`# ${head}: ${tree.error}`);
		continue;
	}
	walk(tree, theirs);
	const bare = (m) => m.replace(/^_root_\./, '');
	const ours = want.split('\n').filter(Boolean).map((l) => bare(l.split(' ').slice(2).join(' ')));
	if (ours.sort().join('\n') !== theirs.map(bare).sort().join('\n')) {
		bad++;
		console.log(`# ${head}\n# rows:   ${ours}\n# parser: ${theirs}`);
	}
}
console.log(`${count} rows, ${bad} differ`);
process.exit(bad || !count ? 1 : 0);
