#!/usr/bin/env node
// Runs the program of the package for this machine, which npm installed beside this one.
'use strict';
const {spawnSync} = require('child_process');

// A project must install everywhere, so the script of `ikm hook install --npm` passes where hooks
// have no use.
const prepare = ['prepare', 'postinstall'].includes(process.env.npm_lifecycle_event) &&
	process.argv.slice(2, 4).join(' ') === 'hook install';
const pass = why => {
	console.error(`ikm: ${why}: no hooks were installed`);
	process.exit(0);
};
if (prepare && process.env.CI && process.env.CI !== 'false')
	pass('this is a job of CI');
if (prepare && spawnSync('git', ['rev-parse', '--git-dir'], {stdio: 'ignore'}).status !== 0)
	pass('this is no Git repository');

const name = `ikm-${process.platform}-${process.arch}`;
let program;
try {
	program = require.resolve(`${name}/bin/ikm`);
} catch {
	if (prepare)
		pass(`there is no program for ${process.platform} on ${process.arch}`);
	console.error(`ikm: there is no program for ${process.platform} on ${process.arch}: ` +
		`the package ${name} is not installed; install without --omit=optional`);
	process.exit(127);
}
const done = spawnSync(program, process.argv.slice(2), {stdio: 'inherit'});
if (done.error) {
	console.error(`ikm: ${done.error.message}`);
	process.exit(126);
}
if (done.signal)
	process.kill(process.pid, done.signal);
process.exit(done.status === null ? 1 : done.status);
