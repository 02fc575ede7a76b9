// Prints the script of t/hosts/hosts.t for a host, with the names and arguments of its own tools.
// Usage: node script.mjs HOST TOP
const [, , host, top] = process.argv;

const at = path => `${top}/${path}`;
const json = (tool, args) => ({tool, args});
const patch = (path, kind, lines) => ({tool: 'apply_patch', custom:
	`*** Begin Patch\n*** ${kind} File: ${path}\n${lines.join('\n')}\n*** End Patch\n`});

// read: the host refuses an edit of a file that the model has not read, before it asks its hooks.
const hosts = {
	claude: {
		write: (p, text) => json('Write', {file_path: at(p), content: text}),
		edit: (p, old, now) => json('Edit', {file_path: at(p), old_string: old, new_string: now}),
		shell: command => json('Bash', {command, description: 'a command'}),
		read: p => json('Read', {file_path: at(p)}),
	},
	codex: {
		write: (p, text) => patch(p, 'Add', [`+${text}`]),
		edit: (p, old, now) => patch(p, 'Update', ['@@',
			...old.split('\n').map(l => `-${l}`), ...now.split('\n').map(l => `+${l}`)]),
		shell: command => json('exec_command', {cmd: command}),
	},
	gemini: {
		write: (p, text) => json('write_file', {file_path: at(p), content: text}),
		edit: (p, old, now) => json('replace', {file_path: at(p), old_string: old, new_string: now,
			instruction: 'replace it'}),
		shell: command => json('run_shell_command', {command, description: 'a command'}),
	},
	copilot: {
		write: (p, text) => json('create', {path: at(p), file_text: text}),
		edit: (p, old, now) => json('edit', {path: at(p), old_str: old, new_str: now}),
		shell: command => json('bash', {command, description: 'a command'}),
	},
	opencode: {
		write: (p, text) => json('write', {filePath: at(p), content: text}),
		edit: (p, old, now) => json('edit', {filePath: at(p), oldString: old, newString: now}),
		shell: command => json('bash', {command, description: 'a command'}),
		read: p => json('read', {filePath: at(p)}),
	},
};

const {write, edit, shell, read} = hosts[host];
const steps = [
	['write', write('src/k.js', 'SECRET-1')],
	...(read ? [['read', read('package.json')], ['read', read('src/server.js')]] : []),
	['edit', edit('package.json', '    "pg": "^8.11.5"', '    "pg": "^8.11.5",\n    "mysql2": "3"')],
	// npm never runs: ikm reads the words, and the shell does not come to them.
	['shell', shell('touch ran; false && npm install mysql2')],
	['allowed', edit('src/server.js', 'app.listen(8080);', 'app.listen(9090);')],
	['shell edit', shell('echo SECRET-2 >src/shell.js')],
	['end', {say: 'done', put: {[at('src/late.js')]: 'SECRET-3\n'}}],
	['told', {say: 'told'}],
];
console.log(JSON.stringify(steps.map(([name, s]) => ({name, ...s})), null, '\t'));
