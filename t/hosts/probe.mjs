// A server of the Model Context Protocol for reads.sh: each part of its answers has a mark of its own,
// so that a request to the model tells which parts its host gave it.
import readline from 'node:readline';

const schema = {type: 'object', properties: {mark: {type: 'string'}}, required: ['mark']};
const tools = [
	{name: 'both', description: 'MARK-DESCRIPTION', inputSchema: {type: 'object', properties: {}}, outputSchema: schema},
	{name: 'link', description: 'a resource', inputSchema: {type: 'object', properties: {}}},
];
const calls = {
	both: {content: [{type: 'text', text: 'MARK-CONTENT'}], structuredContent: {mark: 'MARK-STRUCTURED'}},
	link: {content: [{type: 'resource', resource: {uri: 'probe:///e', mimeType: 'text/plain', text: 'MARK-EMBEDDED'}},
		{type: 'resource_link', uri: 'probe:///link', name: 'MARK-LINK'}]},
};
const methods = {
	initialize: p => ({protocolVersion: p.protocolVersion, serverInfo: {name: 'probe', version: '1'},
		capabilities: {tools: {}, resources: {}, prompts: {}}, instructions: 'MARK-INSTRUCTIONS'}),
	ping: () => ({}),
	'tools/list': () => ({tools}),
	'tools/call': p => calls[p.name],
	'resources/list': () => ({resources: [{uri: 'probe:///r', name: 'MARK-RESOURCE'}]}),
	'resources/templates/list': () => ({resourceTemplates: []}),
	'resources/read': p => ({contents: [{uri: p.uri, text: 'MARK-READ'}]}),
	'prompts/list': () => ({prompts: [{name: 'mark-prompt', description: 'MARK-PROMPT'}]}),
};

readline.createInterface({input: process.stdin}).on('line', line => {
	const m = JSON.parse(line);
	if (m.id === undefined || !m.method)
		return;
	const result = methods[m.method]?.(m.params ?? {});
	console.log(JSON.stringify({jsonrpc: '2.0', id: m.id,
		...(result ? {result} : {error: {code: -32601, message: 'no such method'}})}));
});
