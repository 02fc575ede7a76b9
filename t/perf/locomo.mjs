// LoCoMo's conversations as memories: a turn is a memory, the gold is the turns that answer.
import {spawn, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const lines = file => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));

// Categories 1 to 4: those of 5 are not answered by any turn.
export function read(folder, conversations) {
	const mine = x => conversations.includes(x.conv);
	return {
		turns: lines(path.join(folder, 'turns.jsonl')).filter(mine),
		questions: lines(path.join(folder, 'queries.jsonl'))
			.filter(q => mine(q) && q.category <= 4 && q.gold_turns.length),
	};
}

export const said = t => t.text + (t.caption ? ` [shares: ${t.caption}]` : '');
// "1:56 pm on 8 May, 2023"
const time = date => new Date(date.replace(/^(\S+) (am|pm) on (.*)$/, '$3 $1 $2 UTC')).toISOString();

// A store of one's own in a folder, and ikm as whole processes.
export function store(ikm, dir) {
	const env = {...process.env, HOME: dir, IKM_USER: 'ada'}, turn_of = new Map();
	const run = (args, input) => {
		const r = spawnSync(ikm, args, {env, cwd: dir, input, maxBuffer: 1 << 28});
		if (r.status > 1)
			throw new Error(`ikm ${args.join(' ')}: ${r.stderr}`);
		return r.stdout.toString();
	};
	const json = (args, input) => JSON.parse(run(['--json', ...args], input));
	return {
		run, json, turn_of,
		fill: turns => {
			run(['mem', 'import', '--kind', 'conversation'], turns.map(t => JSON.stringify({
				content: said(t), speaker: t.speaker, sessionId: `${t.conv}/${t.session}`,
				turn: Number(t.id.split(/[:/]/)[2]), happenedAt: time(t.date),
				metadata: {turn: t.id},
			})).join('\n'));
			for (const line of run(['mem', 'export']).split('\n').filter(Boolean)) {
				const m = JSON.parse(line);
				turn_of.set(m.memoryId, m.metadata.turn);
			}
		},
		spawn: args => new Promise(done => spawn(ikm, args, {env, cwd: dir, stdio: 'ignore'})
			.on('exit', code => done(!code))),
	};
}
