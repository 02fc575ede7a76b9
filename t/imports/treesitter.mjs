// Holds the rows of a language in t/imports against tree-sitter's parser of it.
// node treesitter.mjs LANGUAGE ROWS FOLDER-OF-NPM-PACKAGES
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [language, rows, npm] = process.argv.slice(2);
const {Language, Parser} = await import(
	pathToFileURL(`${npm}/web-tree-sitter/web-tree-sitter.js`).href);
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(npm + (language === 'kotlin'
	? '/@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm'
	: `/@repomix/tree-sitter-wasms/out/tree-sitter-${language.replace('cs', 'c_s')}.wasm`)));

const bare = (node) => node.text.replace(/\/\*[^]*?\*\/|\/\/.*|[\s`]|\br#/g, '');
const child = (node, ...types) => node.namedChildren.find((c) => types.includes(c.type));

// Go's \x2f and \057 are no escapes of JSON.
const go_text = (s) => JSON.parse(`"${s.replace(/\\x(..)|\\([0-7]{3})/g, (_, x, o) =>
	`\\u${parseInt(x ?? o, x ? 16 : 8).toString(16).padStart(4, '0')}`)}"`);

// The leaves of Rust's tree of names: the module's own "self" and "*" add nothing to its name.
function leaves(node, prefix) {
	const join = (name) => [prefix, name].filter(Boolean).join('::');

	if (node.type === 'use_as_clause')
		return leaves(node.childForFieldName('path'), prefix);
	if (node.type === 'use_list')
		return node.namedChildren.filter((c) => !/comment/.test(c.type))
			.flatMap((c) => leaves(c, prefix));
	if (node.type === 'scoped_use_list') {
		const path = node.childForFieldName('path');

		return leaves(node.childForFieldName('list'), path ? join(bare(path)) : prefix);
	}
	if (node.type === 'use_wildcard')
		return node.namedChildren.length ? [join(bare(node.namedChildren[0]))] : [];
	return node.type === 'self' && prefix ? [] : [join(bare(node).replace(/^::/, ''))];
}

const csharp_types =
	/^(bool|s?byte|u?short|u?int|u?long|nu?int|char|float|double|object|decimal|string)$/;

// The names that a directive of C# imports: its first, and of an alias each that has a dot.
function csharp(node) {
	const text = node.text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '').replace(/\s*(\.|::)\s*/g, '$1');
	const [, rest] = /^(?:extern\s+alias|(?:global\s+)?using)\s+([^;]*)/.exec(text);
	const type = rest.replace(/^(static|unsafe)\s+/, '')
		.replace(/^@?[\p{L}\w]+\s*=\s*(unsafe\s+)?/u, '');
	const found = (type.match(/@?[\p{L}_][\p{L}\w]*((\.|::)@?[\p{L}_][\p{L}\w]*)*/gu) ?? [])
		.map((name) => name.replace(/@/g, ''));

	return found.filter((name, i) => !csharp_types.test(name) && (name.includes('.') || i === 0));
}

const languages = {
	csharp: {
		using_directive: csharp,
		extern_alias_directive: csharp,
	},
	swift: {
		import_declaration: (node) => [bare(child(node, 'identifier'))],
	},
	go: {
		import_spec: (node) => {
			const path = node.childForFieldName('path').text;

			return [path.startsWith('`') ? path.slice(1, -1) : go_text(path.slice(1, -1))];
		},
	},
	java: {
		import_declaration: (node) => [bare(child(node, 'scoped_identifier', 'identifier'))],
		requires_module_directive: (node) => [bare(child(node, 'scoped_identifier', 'identifier'))],
	},
	kotlin: {
		import: (node) => [child(node, 'qualified_identifier').namedChildren
			.filter((c) => c.type === 'identifier')
			.map((c) => c.text.replace(/`/g, '')).join('.')],
	},
	rust: {
		use_declaration: (node) => {
			const tree = node.childForFieldName('argument');
			const path = tree.type === 'scoped_use_list' && tree.childForFieldName('path');

			return [...(path ? [bare(path).replace(/^::/, '')] : []), ...leaves(tree, '')];
		},
		extern_crate_declaration: (node) => [bare(node.childForFieldName('name'))],
	},
};
// Rows that this parser reads wrongly, without a mistake of its own.
const theirs_wrong = {
	swift: ['strings'], // "/*" in a string begins a comment
	rust: ['the crate of a macro'], // the body of a macro is no tree to it
};

function walk(node, found) {
	const names = languages[language][node.type];

	if (names)
		found.push(...names(node));
	else
		node.namedChildren.forEach((c) => walk(c, found));
	return found;
}

let count = 0, refused = 0, bad = 0;
for (const row of readFileSync(rows, 'latin1').split(/^### /m).slice(1)) {
	const [, head, text, want] = /^(.*)\n((?:.*\n)*?)===\n([^]*)$/.exec(row);
	if (head.startsWith('!') ||
	    theirs_wrong[language]?.includes(head.slice(head.indexOf(' ') + 1)))
		continue;
	const bytes = text.replace(/\\([0-7]{3})/g, (_, o) => String.fromCharCode(parseInt(o, 8)));
	const tree = parser.parse(Buffer.from(bytes, 'latin1').toString().replace(/^\ufeff/, ''));
	// What a program includes as a file, or computes, is no statement of the language's imports.
	const ours = Buffer.from(want, 'latin1').toString().split('\n')
		.map((line) => line.split(' ')).filter((word) => /^(import|member)$/.test(word[1]))
		.map((word) => word.slice(2).join(' ').replace(/`/g, ''));

	if (tree.rootNode.hasError) {
		refused++;
		continue;
	}
	const theirs = walk(tree.rootNode, []);
	count++;
	if (ours.sort().join('\n') !== theirs.sort().join('\n')) {
		bad++;
		console.log(`# ${head}\n# rows: ${ours.join(' | ')}\n# parser: ${theirs.join(' | ')}`);
	}
}
console.log(`${count} rows, ${bad} differ; the parser refuses ${refused} others`);
// A parser that refuses every row has been asked nothing.
process.exit(bad || count < 20 ? 1 : 0);
