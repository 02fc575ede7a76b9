#!/usr/bin/env node
// Runs the program of the package for this machine, which npm installed beside this one.
'use strict';
const {spawnSync} = require('child_process');

const name = `ikm-${process.platform}-${process.arch}`;
let program;
try {
	program = require.resolve(`${name}/bin/ikm`);
} catch {
	// A project must install on machines that ikm does not run on.
	const prepare = process.env.npm_lifecycle_event === 'prepare';
	console.error(`ikm: there is no program for ${process.platform} on ${process.arch}` +
		(prepare ? ': no hooks were installed'
			 : `: the package ${name} is not installed; install without --omit=optional`));
	process.exit(prepare ? 0 : 127);
}
const done = spawnSync(program, process.argv.slice(2), {stdio: 'inherit'});
if (done.error) {
	console.error(`ikm: ${done.error.message}`);
	process.exit(126);
}
if (done.signal)
	process.kill(process.pid, done.signal);
process.exit(done.status === null ? 1 : done.status);
