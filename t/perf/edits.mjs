// Starts forty MCP filesystem servers, waits until all are ready, then asks each for one edit.
// Usage: node edits.mjs SERVER FILE
import path from 'node:path';
import {connect} from './mcp.mjs';

const [, , server, file] = process.argv;

const servers = [];
for (let i = 1; i <= 40; i++)
	servers.push(await connect([server, path.dirname(file)]));
const replies = await Promise.all(servers.map((s, i) => {
	const line = `${String(i + 1).padStart(2, '0')}. line is `;
	return s.tool('edit_file', {path: file, edits: [{oldText: line + 'old', newText: line + 'new'}]});
}));
const failed = replies.filter(r => r.error || r.result.isError);
if (failed.length)
	console.error(`edits: ${failed.length} of their edits said that they failed`,
		JSON.stringify(failed[0]).slice(0, 300));
for (const s of servers)
	await s.close();
