// Usage: node mcp-reads.mjs IKM SERVER FILE; see mcp.sh.
import path from 'node:path';
import {connect} from './mcp.mjs';

const [, , ikm, server, file] = process.argv;
const dir = path.dirname(file), env = {HOME: process.env.HOME, DIR: dir};
const servers = [
	[await connect(['mcp', '--root', dir], env, ikm), 'file_read'],
	[await connect([server, dir], env), 'read_text_file'],
];

async function reads(client, tool, atOnce) {
	const start = performance.now();
	for (let i = 0; i < 1000; i += atOnce) {
		const replies = await Promise.all(Array.from({length: atOnce},
			() => client.tool(tool, {path: file})));
		const failed = replies.find(r => r.error || r.result.isError);
		if (failed)
			throw new Error(JSON.stringify(failed));
	}
	return performance.now() - start;
}

for (const atOnce of [1, 100]) {
	const times = [[], []];
	for (let round = 0; round < 5; round++)
		for (const [i, [client, tool]] of servers.entries())
			times[i].push(await reads(client, tool, atOnce));
	const [ours, theirs] = times.map(t => t.sort((a, b) => a - b)[2]);
	console.log(`mcp-reads-${atOnce}`, ours.toFixed(0), theirs.toFixed(0), (ours / theirs).toFixed(2));
}
for (const [client] of servers)
	await client.close();
