// A client of one MCP server over its standard input and output: plain JSON-RPC, no library.
import {spawn} from 'node:child_process';
import readline from 'node:readline';

export async function connect(args, env = {}, program = process.execPath) {
	const child = spawn(program, args,
		{stdio: ['pipe', 'pipe', 'ignore'], env: {...process.env, ...env}, cwd: env.HOME});
	const waiting = new Map();
	const ended = {error: {message: 'the server has ended'}};
	let last = 0, running = true;
	readline.createInterface({input: child.stdout}).on('line', line => {
		const reply = JSON.parse(line);
		waiting.get(reply.id)?.(reply);
		waiting.delete(reply.id);
	});
	child.on('exit', () => {
		running = false;
		waiting.forEach(done => done(ended));
	});
	child.stdin.on('error', () => {});
	const send = message => child.stdin.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\n');
	const call = (method, params) => new Promise(done => {
		if (!running)
			return done(ended);
		waiting.set(++last, done);
		send({id: last, method, params});
	});
	const tool = (name, input) => call('tools/call', {name, arguments: input});
	const close = () => new Promise(done => {
		if (!running)
			return done();
		child.on('exit', done);
		child.stdin.end();
		child.kill();
	});
	await call('initialize', {protocolVersion: '2025-06-18', capabilities: {},
		clientInfo: {name: 'perf', version: '1'}});
	send({method: 'notifications/initialized'});
	return {tool, call, close};
}
