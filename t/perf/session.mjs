// Usage: node session.mjs IKM NODE_MODULES DIR; see session.sh.
import fs from 'node:fs';
import path from 'node:path';
import {connect} from './mcp.mjs';

const [, , ikm, npm, dir] = process.argv;
const {encode} = await import(path.join(npm, 'gpt-tokenizer/esm/encoding/o200k_base.js'));
const cost = value => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
const env = {HOME: process.env.HOME};
const bin = name => path.join(npm, '@modelcontextprotocol', name, 'dist/index.js');
const memory = fs.existsSync(bin('server-memory'));
const since = new Date().toISOString();

const ours = {ikm: await connect(['mcp', '--root', dir, '-C', dir], env, ikm)};
const theirs = {fs: await connect([bin('server-filesystem'), dir], env)};
if (memory)
	theirs.mem = await connect([bin('server-memory')], {...env, MEMORY_FILE_PATH: path.join(env.HOME, 'memory.json')});
else
	console.error('session: server-memory is not in build/npm: no memories on either side');

const at = name => path.join(dir, name);
const steps = []; // [ours, theirs], each a list of [server, tool, arguments]
const step = (mine, other) => steps.push([mine.map(([t, a]) => ['ikm', t, a]), other]);
const reach = (name, args) => ['tool_call', {name, arguments: args}];

// What is there, and where something is.
step([['fs_search', {path: 'file'}]], [['fs', 'list_directory', {path: at('file')}]]);
step([['fs_search', {path: 'server'}]], [['fs', 'list_directory', {path: at('server')}]]);
step([['fs_search', {pattern: 'file_edit_text'}]],
	[['fs', 'search_files', {path: dir, pattern: '**/edit.*'}],
		['fs', 'read_text_file', {path: at('file/edit.c')}], ['fs', 'read_text_file', {path: at('file/file.h')}]]);
step([['fs_search', {pattern: 'FIT_BYTES', path: 'server', context: 1}]],
	[['fs', 'read_text_file', {path: at('server/tools.c')}]]);
// Files in parts: the other server reads a beginning, an end, or all.
const parts = [['file/apply_change.c', 20, 60], ['file/apply_change.c', 150, 190], ['file/undo.c', 1, 40],
	['file/undo.c', 200, 240], ['file/fs.c', 30, 70], ['server/tools.c', 1, 50],
	['server/tools.c', 120, 160], ['server/server.c', 160, 200], ['server/server.c', 1, 30],
	['file/patch.c', 300, 340]];
for (const [name, from, to] of parts)
	step([['file_read', {path: name, lines: `${from}:${to}`}]],
		[['fs', 'read_text_file', {path: at(name), ...(from < 60 ? {head: to} : {})}]]);
// Edits of one line, of a line of code; then of three lines in one call.
const lineOf = (name, n) => fs.readFileSync(at(name), 'utf8').split('\n')[n - 1];
const unique = (name, from) => {
	const text = fs.readFileSync(at(name), 'utf8'), lines = text.split('\n');
	for (let i = 0, n = from; i < lines.length; i++, n = n % lines.length + 1)
		if ((lines[n - 1] ?? '').trim().length > 20 && text.split(lines[n - 1]).length === 2)
			return lineOf(name, n);
};
const edits = parts.map(([name, from]) => [name, unique(name, from + 3)])
	.filter(([name, line], i, all) => all.findIndex(e => e[0] === name && e[1] === line) === i);
for (const [name, line] of edits)
	step([['file_edit', {path: name, old: line, new: line + ' // seen'}]],
		[['fs', 'edit_file', {path: at(name), edits: [{oldText: line, newText: line + ' // seen'}]}]]);
const three = [30, 60, 90].map(n => unique('file/backend.h', n)).filter((l, i, all) => all.indexOf(l) === i);
step([['file_edit', {path: 'file/backend.h', edits: three.map(old => ({old, new: old + ' // seen'}))}]],
	[['fs', 'edit_file', {path: at('file/backend.h'), edits: three.map(oldText => ({oldText, newText: oldText + ' // seen'}))}]]);
// A new file, and a look at what was written.
const note = '# Notes\n\nEdits of lib/files/file are under the lock of the folder.\n';
step([['file_write', {path: 'notes.md', content: note}]], [['fs', 'write_file', {path: at('notes.md'), content: note}]]);
step([['file_read', {path: 'notes.md'}]], [['fs', 'read_text_file', {path: at('notes.md')}]]);
// May a package be used? The other server can only read the decision.
step([['knowledge_check', {dependencies: [{name: 'left-pad', ecosystem: 'npm'}]}]],
	[['fs', 'list_directory', {path: at('docs')}], ['fs', 'read_text_file', {path: at('docs/0001-no-left-pad.md')}]]);
step([['knowledge_query', {query: 'padding'}]], [['fs', 'read_text_file', {path: at('docs/0001-no-left-pad.md')}]]);
if (memory) {
	const facts = ['Edits of files hold the lock of their folder.', 'The ceiling of an answer is in tokens.',
		'The user wants short commits.', 'Pins stand in the instructions.'];
	for (const [i, fact] of facts.entries())
		step([['memory_add', {content: fact}]],
			[['mem', 'create_entities', {entities: [{name: `fact ${i + 1}`, entityType: 'fact', observations: [fact]}]}]]);
	for (const query of ['lock', 'commits'])
		step([['memory_search', {query}]], [['mem', 'search_nodes', {query}]]);
}
// What was done, and back: the other server has to write each old text again.
while (steps.reduce((n, [mine]) => n + mine.length, 0) < 38) {
	const [name, from, to] = parts[steps.length % parts.length];
	step([['file_read', {path: name, lines: `${from}:${from + 10}`}]],
		[['fs', 'read_text_file', {path: at(name), ...(from < 60 ? {head: from + 10} : {})}]]);
}
step([reach('events_diff', {since})],
	[...new Set([...edits.map(e => e[0])])].slice(0, 3).map(name => ['fs', 'read_text_file', {path: at(name), head: 60}]));
step([['tool_change', {name: 'events_undo', arguments: {since}}]], [
	...edits.map(([name, line]) => ['fs', 'edit_file', {path: at(name), edits: [{oldText: line + ' // seen', newText: line}]}]),
	['fs', 'edit_file', {path: at('file/backend.h'), edits: three.map(l => ({oldText: l + ' // seen', newText: l}))}],
	['fs', 'write_file', {path: at('notes.md'), content: ''}]]);

// The model sees the list of tools once, its own calls, and the text of the answers.
async function list(servers) {
	let tokens = 0;
	for (const client of Object.values(servers))
		for (const t of (await client.call('tools/list', {})).result.tools)
			tokens += cost({name: t.name, description: t.description, inputSchema: t.inputSchema});
	return tokens;
}

async function run(servers, side) {
	const sum = {calls: 0, in: 0, out: 0};
	for (const pair of steps)
		for (const [server, name, args] of pair[side]) {
			const reply = await servers[server].tool(name, args);
			if (reply.error || reply.result.isError)
				throw new Error(`${name} ${JSON.stringify(args)}: ${JSON.stringify(reply)}`);
			sum.calls++;
			sum.in += cost({name, arguments: args});
			sum.out += cost(reply.result.content.map(c => c.text ?? '').join('\n'));
		}
	return sum;
}

const lists = [await list(ours), await list(theirs)];
const kept = [...new Set(edits.map(e => e[0]))].concat('file/backend.h').map(name => [name, fs.readFileSync(at(name), 'utf8')]);
const mine = await run(ours, 0);
for (const [name, text] of kept)
	if (fs.readFileSync(at(name), 'utf8') !== text)
		throw new Error(`${name} was not taken back`);
if (fs.existsSync(at('notes.md')))
	throw new Error('notes.md was not taken back');
const other = await run(theirs, 1);
const print = (name, a, b) => console.log(name, a, b, (a / b).toFixed(2));
print('session-calls', mine.calls, other.calls);
print('session-tools', ...lists);
print('session-in', mine.in, other.in);
print('session-out', mine.out, other.out);
print('session-all', lists[0] + mine.in + mine.out, lists[1] + other.in + other.out);
for (const client of [...Object.values(ours), ...Object.values(theirs)])
	await client.close();
