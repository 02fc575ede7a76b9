// A model that follows a script, on loopback: it speaks the messages API of Anthropic, the responses
// and the chat completions API of OpenAI, and Gemini's API, so a host needs only another address.
// Usage: node model.mjs SCRIPT LOG. Prints its port; ends when its standard input ends.
//
// SCRIPT is a list of steps, one for each request that offers the step's tool:
//   {"name": N, "tool": T, "args": {…}}   a call; "custom": TEXT, not args, for a tool that takes a text
//   "namespace": NS beside a call of the responses API: a tool that the host offers on a search only.
//   A tool "*end" is the first one that is offered and whose name ends so.
//   {"name": N, "say": TEXT}              an answer, which ends the turn
// "put": {PATH: TEXT} beside them writes files before the answer, as a process in the background would.
// After the last step the model says "done". A request without tools, such as one for a title, gets
// "ok" and no step. LOG gets a line for each request: after (the name of the step before it; null: no
// step answers it), path, body.
import fs from 'node:fs';
import http from 'node:http';

const [, , scriptFile, logFile] = process.argv;
const script = JSON.parse(fs.readFileSync(scriptFile, 'utf8'));
let step = 0, calls = 0;

const names = tools => (tools || []).flatMap(t => [
	t.name, t.function?.name, ...(t.functionDeclarations || []).map(f => f.name),
	...(t.tools || []).map(f => f.name)]).filter(Boolean);

function next(body) {
	const offered = names(body.tools);
	const s = {...script[step] || {say: 'done'}};
	if (s.tool?.startsWith('*'))
		s.tool = offered.find(name => name.endsWith(s.tool.slice(1))) ?? s.tool;
	if (!offered.length || (s.tool && !s.namespace && !offered.includes(s.tool)))
		return {after: null, s: {say: offered.length ? `no tool ${s.tool} among ${offered}` : 'ok'}};
	for (const [path, text] of Object.entries(s.put || {}))
		fs.writeFileSync(path, text);
	return {after: step ? script[step++ - 1]?.name ?? 'end' : (step++, 'start'), s};
}

const id = () => `call_${++calls}`;

const anthropic = {
	whole: (s, model) => ({
		id: 'msg_' + ++calls, type: 'message', role: 'assistant', model, stop_sequence: null,
		content: [s.tool ? {type: 'tool_use', id: 'toolu_' + id(), name: s.tool, input: s.args}
			: {type: 'text', text: s.say}],
		stop_reason: s.tool ? 'tool_use' : 'end_turn', usage: {input_tokens: 1, output_tokens: 1},
	}),
	events(s, model) {
		const m = this.whole(s, model), block = m.content[0];
		return [
			{type: 'message_start', message: {...m, content: [], stop_reason: null}},
			{type: 'content_block_start', index: 0, content_block:
				s.tool ? {...block, input: {}} : {type: 'text', text: ''}},
			{type: 'content_block_delta', index: 0, delta:
				s.tool ? {type: 'input_json_delta', partial_json: JSON.stringify(s.args)}
					: {type: 'text_delta', text: s.say}},
			{type: 'content_block_stop', index: 0},
			{type: 'message_delta', delta: {stop_reason: m.stop_reason, stop_sequence: null},
				usage: {output_tokens: 1}},
			{type: 'message_stop'},
		];
	},
};

const responses = {
	item: s => s.custom !== undefined
		? {type: 'custom_tool_call', id: 'ctc_' + ++calls, call_id: id(), name: s.tool,
			input: s.custom, status: 'completed'}
		: s.tool ? {type: 'function_call', id: 'fc_' + ++calls, call_id: id(), name: s.tool,
			...(s.namespace && {namespace: s.namespace}),
			arguments: JSON.stringify(s.args), status: 'completed'}
			: {type: 'message', id: 'msg_' + ++calls, role: 'assistant', status: 'completed',
				content: [{type: 'output_text', text: s.say, annotations: []}]},
	whole(s, model) {
		return {id: 'resp_' + ++calls, object: 'response', created_at: 1, status: 'completed',
			model, output: [this.item(s)], usage: {input_tokens: 1, output_tokens: 1,
				total_tokens: 2, input_tokens_details: {cached_tokens: 0},
				output_tokens_details: {reasoning_tokens: 0}}};
	},
	events(s, model) {
		const r = this.whole(s, model), item = r.output[0];
		const out = [
			{type: 'response.created', response: {...r, status: 'in_progress', output: []}},
			{type: 'response.output_item.added', output_index: 0,
				item: {...item, status: 'in_progress'}},
		];
		if (!s.tool)
			out.push({type: 'response.output_text.delta', item_id: item.id, output_index: 0,
				content_index: 0, delta: s.say});
		return [...out, {type: 'response.output_item.done', output_index: 0, item},
			{type: 'response.completed', response: r}];
	},
};

const chat = {
	whole: (s, model) => ({
		id: 'chat_' + ++calls, object: 'chat.completion', created: 1, model,
		choices: [{index: 0, finish_reason: s.tool ? 'tool_calls' : 'stop', message:
			{role: 'assistant', content: s.tool ? null : s.say,
				...(s.tool ? {tool_calls: [{index: 0, id: id(), type: 'function',
					function: {name: s.tool, arguments: JSON.stringify(s.args)}}]} : {})}}],
		usage: {prompt_tokens: 1, completion_tokens: 1, total_tokens: 2},
	}),
	events(s, model) {
		const c = {...this.whole(s, model), object: 'chat.completion.chunk'};
		const {message, finish_reason} = c.choices[0];
		return [{...c, choices: [{index: 0, delta: message, finish_reason: null}]},
			{...c, choices: [{index: 0, delta: {}, finish_reason}]}];
	},
};

const gemini = {
	whole: s => ({
		candidates: [{index: 0, finishReason: 'STOP', content: {role: 'model', parts: [
			s.tool ? {functionCall: {name: s.tool, args: s.args}} : {text: s.say}]}}],
		usageMetadata: {promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2},
	}),
	events(s) { return [this.whole(s)]; },
};

function api(path) {
	return path.includes('enerateContent') ? gemini
		: path.includes('/chat/completions') ? chat
		: path.includes('/responses') ? responses
		: path.includes('/messages') && !path.includes('count_tokens') ? anthropic : null;
}

const server = http.createServer((request, response) => {
	let text = '';
	request.on('data', d => { text += d; });
	request.on('end', () => {
		let body = {};
		try { body = JSON.parse(text); } catch { /* no body, or none of ours */ }
		const shape = request.method === 'POST' && api(request.url);
		const {after, s} = shape ? next(body) : {after: null, s: null};
		fs.appendFileSync(logFile, JSON.stringify({after, path: request.url, body}) + '\n');
		const json = (status, v) => {
			response.writeHead(status, {'content-type': 'application/json'});
			response.end(JSON.stringify(v));
		};
		if (!shape && request.url.includes('count_tokens'))
			return json(200, {input_tokens: 1});
		if (!shape && request.url.includes('countTokens'))
			return json(200, {totalTokens: 1});
		if (!shape && /\/models$/.test(request.url.split('?')[0]))
			return json(200, {object: 'list', data: [{id: 'scripted', object: 'model'}]});
		if (!shape)
			return json(404, {error: {message: 'this model does not have it', code: 404}});
		if (!body.stream && !request.url.includes('streamGenerateContent'))
			return json(200, shape.whole(s, body.model));
		response.writeHead(200, {'content-type': 'text/event-stream'});
		for (const e of shape.events(s, body.model))
			response.write((e.type ? `event: ${e.type}\n` : '') + `data: ${JSON.stringify(e)}\n\n`);
		response.end(shape === chat ? 'data: [DONE]\n\n' : '');
	});
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
