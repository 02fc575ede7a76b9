// Starts forty MCP filesystem servers, waits until all are ready, then asks each for one edit.
// Usage: node edits.mjs SERVER FILE
import {spawn} from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';

const [, , server, file] = process.argv;

function start() {
	const child = spawn(process.execPath, [server, path.dirname(file)], {stdio: ['pipe', 'pipe', 'ignore']});
	const waiting = new Map();
	let last = 0;
	readline.createInterface({input: child.stdout}).on('line', line => {
		const reply = JSON.parse(line);
		waiting.get(reply.id)?.(reply);
	});
	const send = message => child.stdin.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\n');
	const call = (method, params) => new Promise(done => {
		waiting.set(++last, done);
		send({id: last, method, params});
	});
	return {child, send, call};
}

const servers = [];
for (let i = 1; i <= 40; i++) {
	const s = start();
	await s.call('initialize', {protocolVersion: '2025-06-18', capabilities: {},
		clientInfo: {name: 'edits', version: '1'}});
	s.send({method: 'notifications/initialized'});
	servers.push(s);
}
const replies = await Promise.all(servers.map((s, i) => {
	const line = `${String(i + 1).padStart(2, '0')}. line is `;
	return s.call('tools/call', {name: 'edit_file',
		arguments: {path: file, edits: [{oldText: line + 'old', newText: line + 'new'}]}});
}));
const failed = replies.filter(r => r.error || r.result.isError);
if (failed.length)
	console.error(`edits: ${failed.length} of their edits said that they failed`,
		JSON.stringify(failed[0]).slice(0, 300));
for (const {child} of servers)
	child.stdin.end();
for (const {child} of servers)
	child.kill();
