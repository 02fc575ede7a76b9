// A client of one MCP server over its standard input and output: plain JSON-RPC, no library.
import {spawn} from 'node:child_process';
import readline from 'node:readline';

export async function connect(args, env = {}) {
	const child = spawn(process.execPath, args,
		{stdio: ['pipe', 'pipe', 'ignore'], env: {...process.env, ...env}, cwd: env.HOME});
	const waiting = new Map();
	let last = 0;
	readline.createInterface({input: child.stdout}).on('line', line => {
		const reply = JSON.parse(line);
		waiting.get(reply.id)?.(reply);
		waiting.delete(reply.id);
	});
	child.on('exit', () => waiting.forEach(done => done({error: {message: 'the server ended'}})));
	const send = message => child.stdin.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\n');
	const call = (method, params) => new Promise(done => {
		waiting.set(++last, done);
		send({id: last, method, params});
	});
	const tool = (name, input) => call('tools/call', {name, arguments: input});
	const close = () => new Promise(done => {
		child.on('exit', done);
		child.stdin.end();
		child.kill();
	});
	await call('initialize', {protocolVersion: '2025-06-18', capabilities: {},
		clientInfo: {name: 'perf', version: '1'}});
	send({method: 'notifications/initialized'});
	return {tool, close};
}
