// A session with ikm mcp through the protocol's own client libraries: prints what it found as JSON.
// Usage: node client.mjs v1|legacy|auto|REVISION [cancel|vanish|subscribe]. With cancel a call of
// the tool `slow` is taken back when its progress was told; with vanish this process dies amid
// it, after it has printed the server's process id; with subscribe (not v1) a stored asset changes.
import {execFileSync} from 'node:child_process';

const [how, then] = process.argv.slice(2);
const old = how === 'v1';
const {Client} = await import(old ? '@modelcontextprotocol/sdk/client/index.js'
	: '@modelcontextprotocol/client');
const {StdioClientTransport} = await import(old ? '@modelcontextprotocol/sdk/client/stdio.js'
	: '@modelcontextprotocol/client/stdio');
const mode = how.startsWith('2') ? {pin: how} : how;
const client = new Client({name: 'test', version: '1'}, {versionNegotiation: {mode}});
const call = (name, args, options) =>
	client.callTool({name, arguments: args}, ...(old ? [undefined, options] : [options]));
const outcome = promise => promise.then(r => r.isError ? 'an error of the tool' : 'an answer',
	e => e.code ?? e.name);

const transport = new StdioClientTransport({command: 'ikm', args: ['mcp'],
	env: {PATH: process.env.PATH, HOME: process.env.HOME, IKM_WATCH_MS: '50'}});
await client.connect(transport);

if (then === 'subscribe') {
	const uri = 'ikigai:///blocks/a';
	const store = text => execFileSync('ikm', ['write', uri], {input: text});
	store('the text before');
	const changed = new Promise(done => client.setNotificationHandler(
		'notifications/resources/updated', n => done(n.params.uri)));
	if (client.getNegotiatedProtocolVersion() === '2026-07-28')
		await client.listen({resourceSubscriptions: [uri]});
	else
		await client.subscribeResource({uri});
	store('the text after');
	console.log(await changed);
} else if (then) {
	const stop = new AbortController();
	const told = [];
	const slow = outcome(call('slow', {}, {signal: stop.signal, onprogress({progress}) {
		told.push(progress);
		if (then === 'vanish') {
			console.log(transport.pid);
			process.kill(process.pid, 'SIGKILL');
		}
		stop.abort();
	}}));
	// Others are answered meanwhile.
	const other = await outcome(call('file_read', {path: 'package.json'}));
	const cancelled = await slow;
	console.log(JSON.stringify([other, cancelled !== 'an answer', told.length,
		await outcome(call('file_read', {path: 'package.json'}))]));
} else {
	const {tools} = await client.listTools();
	// The library holds what it gets against the tool's outputSchema.
	const read = await call('file_read', {path: 'package.json'});
	const {resources} = await client.listResources();
	const {contents} = await client.readResource({uri: resources[0].uri});
	const {resourceTemplates} = await client.listResourceTemplates();
	const {prompts} = await client.listPrompts();
	const {messages} = await client.getPrompt({name: 'compact', arguments: {asset: 'blocks/a'}});
	const {completion} = await client.complete({ref: {type: 'ref/resource', uri: 'knowledge:///{id}'},
		argument: {name: 'id', value: '0001'}});
	console.log(JSON.stringify({
		tools: tools.length === 11,
		read: JSON.parse(read.content[0].text).name,
		none: await outcome(call('file_read', {path: 'none'})),
		unknown: await outcome(call('no_such_tool', {})),
		wrong: await outcome(call('file_read', {path: 7})),
		resource: contents[0].uri === resources[0].uri && contents[0].text.length > 10,
		noResource: await outcome(client.readResource({uri: 'ikigai:///none'})),
		templates: resourceTemplates.length,
		prompts: prompts.map(p => p.name),
		prompt: messages[0].content.text.includes('ikigai:///blocks/a'),
		noPrompt: await outcome(client.getPrompt({name: 'none'})),
		completed: completion.values,
	}));
}
await client.close();
