// Starts forty MCP servers, waits until all are ready, then asks each for one edit: of ikm's, or of
// the reference filesystem server when no IKM is given. Usage: node edits.mjs SERVER FILE [IKM]
import path from 'node:path';
import {connect} from './mcp.mjs';

const [, , server, file, ikm] = process.argv;
const dir = path.dirname(file);

const servers = [];
for (let i = 1; i <= 40; i++)
	servers.push(await (ikm ? connect(['mcp', '--root', dir], process.env, ikm)
		: connect([server, dir])));
const replies = await Promise.all(servers.map((s, i) => {
	const line = `${String(i + 1).padStart(2, '0')}. line is `;
	if (ikm)
		return s.tool('file_edit', {path: file, old: line + 'old', new: line + 'new'});
	return s.tool('edit_file', {path: file, edits: [{oldText: line + 'old', newText: line + 'new'}]});
}));
const failed = replies.filter(r => r.error || r.result.isError);
if (failed.length)
	console.error(`edits: ${failed.length} of their edits said that they failed`,
		JSON.stringify(failed[0]).slice(0, 300));
for (const s of servers)
	await s.close();
