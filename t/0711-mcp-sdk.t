#!/bin/sh
# ikm mcp with the protocol's own client library, in each way in which it finds out the revision.
. "$(dirname "$0")/lib.sh"

sh "$TOP/t/sample.sh" sample
cd sample
needs_npm @modelcontextprotocol/client
# Modules are looked for beside the script.
ln -s "$NPM" "$T/node_modules"
cat >"$T/client.mjs" <<'E'
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';

import {execFileSync} from 'node:child_process';

const mode = process.argv[2].startsWith('2') ? {pin: process.argv[2]} : process.argv[2];
const client = new Client({name: 'test', version: '1'}, {versionNegotiation: {mode}});
await client.connect(new StdioClientTransport({command: 'ikm', args: ['mcp'],
	env: {PATH: process.env.PATH, HOME: process.env.HOME, IKM_WATCH_MS: '50'}}));
const {tools} = await client.listTools();
const read = await client.callTool({name: 'file_read', arguments: {path: 'package.json'}});
const none = await client.callTool({name: 'file_read', arguments: {path: 'none'}});
const {resources} = await client.listResources();
const {contents} = await client.readResource({uri: resources[0].uri});
const {resourceTemplates} = await client.listResourceTemplates();
const {prompts} = await client.listPrompts();
const prompt = await client.getPrompt({name: 'compact', arguments: {asset: 'blocks/a'}});
const found = await client.complete({ref: {type: 'ref/resource', uri: 'knowledge:///{id}'},
	argument: {name: 'id', value: '0001'}});
const stop = new AbortController();
const cut = client.callTool({name: 'fs_search', arguments: {pattern: 'x'}}, {signal: stop.signal});
stop.abort();
console.log(tools.length > 10, read.structuredContent.path, none.isError === true,
	contents[0].text.length > 10, resourceTemplates.length, prompts.length,
	prompt.messages[0].content.text.includes('ikigai:///blocks/a'), found.completion.values.length,
	await cut.then(() => 'done', () => 'cancelled'));
const uri = 'ikigai:///blocks/a';
const store = text => execFileSync('ikm', ['write', uri], {input: text});
store('the text before');
const changed = new Promise(done =>
	client.setNotificationHandler('notifications/resources/updated', n => done(n.params.uri)));
if (client.getNegotiatedProtocolVersion() === '2026-07-28')
	await client.listen({resourceSubscriptions: [uri]});
else
	await client.subscribeResource({uri});
store('the text after');
console.log(await changed);
await client.close();
E
for mode in legacy auto 2026-07-28; do
	export mode
	try "the client library, $mode" <<'E'
same 'true package.json true true 2 2 true 1 cancelled
ikigai:///blocks/a' "$(node "$T/client.mjs" $mode)"
E
done
done_testing
