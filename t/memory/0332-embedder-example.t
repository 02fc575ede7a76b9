#!/bin/sh
# The example of an embedder, with a stub in place of the model's packages.
. "$(dirname "$0")/../lib.sh"

command -v node >/dev/null || skip_all 'node is not installed'
IKM_USER=ada
export IKM_USER
mkdir -p "$HOME/.ikigai/embedder"
cp "$TOP/examples/embedder.cjs" "$HOME/.ikigai/embedder"

try 'without the packages it says what to run' <<'E'
echo '{"texts": ["one"]}' >in
fails 1 node "$HOME/.ikigai/embedder/embedder.cjs" <in 2>err
grep -q 'run "npm install" in' err
E

# A model with two meanings. Like the real one it returns typed arrays.
modules=$HOME/.ikigai/embedder/node_modules/@energetic-ai
mkdir -p "$modules/embeddings" "$modules/model-embeddings-en"
cat >"$modules/embeddings/index.js" <<'P'
exports.initModel = async source => ({embed: async texts => {
	if (source !== 'the source' || texts.length > 32)
		throw new Error(`${texts.length} texts for ${source}`);
	return texts.map(t => Float32Array.from(/cat|kitten/.test(t) ? [1, 0.2] : [0.1, 1]));
}});
P
echo "exports.modelSource = 'the source';" >"$modules/model-embeddings-en/index.js"

try 'it embeds, and a search finds by meaning' <<'E'
ikm config set memory.embedder "[\"node\", \"$HOME/.ikigai/embedder/embedder.cjs\"]" >/dev/null
ikm mem add 'Her kitten sleeps on the sofa' >/dev/null
for i in $(seq 70); do
	printf '{"content":"The invoice %d of the plumber is unpaid","kind":"episodic"}\n' "$i"
done | ikm mem import >/dev/null
same 'embedded 71 of 71: use-lite-en, 2 numbers each' "$(ikm mem embed)"
same 'Her kitten sleeps on the sofa' \
	"$(ikm mem search 'where is the cat' --threshold 0 -n 1 --json | jq -r '.results[0].content')"
E

try 'meaning alone does not reach the threshold' <<'E'
ikm mem search 'where is the cat' --json >found
same '["Her kitten sleeps on the sofa",true,"related"]' \
	"$(jq -c '[.results[0].content, .belowThreshold, .relevance]' found)"
ikm mem search 'who sleeps on the sofa' --json >found
jq -e '.results[0].score >= 0.7 and .relevance == "answers"' found
# the memory that has the words, behind others that are near
ikm mem search 'which cat has the invoice 7 of the plumber that is unpaid' --json >found
jq -e '.relevance == "answers" and any(.results[]; .content | test("invoice 7 "))' found
E

try 'input that is no list of texts is refused' <<'E'
echo '{"texts": "one"}' >in
fails 1 node "$HOME/.ikigai/embedder/embedder.cjs" <in 2>err
grep -q 'no list "texts"' err
E

done_testing
