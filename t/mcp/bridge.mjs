// MCP over HTTP in front of a server on stdio, for a referee that speaks only HTTP: one process for
// a session, one for each request that belongs to none (2026-07-28). Messages pass as they are, but
// for the names below. In TOLD a server finds the name of a file that is there once it has sent
// three reports of progress. Usage: node bridge.mjs COMMAND ARG…; prints its URL and ends with its
// input.
import {spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import readline from 'node:readline';

// What the conformance suite calls something, and what ikm has for it.
const names = [
	['test://', 'ikigai:///'],
	['test_simple_prompt', 'assets'],
	['test_prompt_with_arguments', 'compact'],
	['{"arg1":"testValue1","arg2":"testValue2"}', '{"asset":"testValue1/testValue2"}'],
	['"name":"arg1"', '"name":"asset"'],
];
const renamed = (text, from, to) =>
	names.reduce((t, name) => t.replaceAll(name[from], name[to]), text);

const [command, ...args] = process.argv.slice(2);
const sessions = new Map();
let started = 0;

// A server, and who waits for what of it, by the id as it is on the wire.
function start() {
	const TOLD = `${process.env.T}/told-${++started}`;
	const env = {...process.env, TOLD};
	const child = spawn(command, args, {stdio: ['pipe', 'pipe', 'inherit'], env});
	const waiting = new Map();
	let reports = 0;
	child.stdin.on('error', () => {});
	readline.createInterface({input: child.stdout}).on('line', line => {
		const text = renamed(line, 1, 0), message = JSON.parse(text);
		if (message.method === 'notifications/progress' && ++reports === 3)
			fs.writeFileSync(TOLD, '');
		if ('method' in message)
			[...waiting.values()].at(-1)?.tell(text);
		else
			waiting.get(JSON.stringify(message.id))?.answer(text, message);
	});
	return {child, waiting, send: text => child.stdin.write(renamed(text, 0, 1) + '\n')};
}

// JSON when there is only the answer, else a stream of events.
function reply(response, finished, session) {
	const event = text => response.write(`event: message\ndata: ${text}\n\n`);
	const status = error => session || !error ? 200 : error.code === -32601 ? 404 : 400;
	return {
		tell(text) {
			if (!response.headersSent)
				response.writeHead(200, {'content-type': 'text/event-stream'});
			event(text);
		},
		answer(text, {error}) {
			finished();
			if (response.headersSent) {
				event(text);
				return response.end();
			}
			response.writeHead(status(error), {'content-type': 'application/json'});
			response.end(text);
		},
	};
}

function post(request, response, text) {
	const message = JSON.parse(text), wire = JSON.stringify(message.id);
	let key = request.headers['mcp-session-id'], session = sessions.get(key);

	if (key && !session)
		return response.writeHead(404).end();
	if (message.method === 'initialize' && !message.params?._meta) {
		key = randomUUID();
		sessions.set(key, session = start());
		response.setHeader('mcp-session-id', key);
	}
	const server = session ?? start();
	if (!('method' in message) || !('id' in message)) {
		server.send(text);
		return response.writeHead(202).end();
	}
	const finished = () => {
		server.waiting.delete(wire);
		if (!session)
			server.child.stdin.end();
	};
	server.waiting.set(wire, reply(response, finished, session));
	response.on('close', finished); // a stream that the client has left
	server.send(text);
}

const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const gate = http.createServer((request, response) => {
	const {host, origin} = request.headers;
	if (!local.test(host) || (origin && !local.test(new URL(origin).host)))
		return response.writeHead(403).end();
	if (request.method === 'DELETE') {
		sessions.get(request.headers['mcp-session-id'])?.child.stdin.end();
		sessions.delete(request.headers['mcp-session-id']);
		return response.writeHead(200).end();
	}
	if (request.method !== 'POST')
		return response.writeHead(405).end();
	let text = '';
	request.setEncoding('utf8').on('data', part => { text += part; })
		.on('end', () => post(request, response, text));
}).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${gate.address().port}/mcp`));
process.stdin.resume().on('end', () => process.exit());
