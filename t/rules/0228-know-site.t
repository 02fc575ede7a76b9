#!/bin/sh
# know site: pages that are XML, whose links lead somewhere, and that load nothing.
. "$(dirname "$0")/../lib.sh"

IKM_NOW=2026-11-29T12:00:00Z
export IKM_NOW
sh "$TOP/t/sample.sh" r
cd r || exit 1
cat >docs/adr/0003-queue.md <<'D'
---
status: accepted
supersedes: [0002-no-console-in-services]
---
# Use "the queue" & 2 < 3

See [the first](0001-postgresql-for-relational-data.md#why), [here](./0003-queue.md),
[out](https://example.org/), [gone](../gone.md) and [bad](javascript:alert(1)).
[![picture](https://example.org/p.png)](0001-postgresql-for-relational-data.md)
![alone](https://example.org/q.png) ![local](q.png)
<script>alert(1)</script>
D
printf -- '- item: 0001-postgresql-for-relational-data\n  paths: [old/**]\n  reason: the <old> shop\n  owner: Ada\n  expires: 2026-12-20\n' >.ikm/waivers.yaml
sed -i 's/"pg": .*/"mysql2": "3"/' package.json
git add -A
GIT_AUTHOR_DATE='2026-11-20T00:00:00Z' GIT_COMMITTER_DATE='2026-11-20T00:00:00Z' git commit -qm bad

# Each href of a page is an address, or a file or a place that is there.
links() { # FILE…
	for page; do
		grep -o 'href="[^"]*"' "$page" | sed 's/^href="//; s/"$//' | sort -u |
			while read -r href; do
				case $href in
				https://example.org/*) ;;
				'#'*) grep -q "id=\"${href#?}\"" "$page" || echo "$page: $href" ;;
				*) [ -f "${page%/*}/$href" ] || echo "$page: $href" ;;
				esac
			done
	done
}

try 'pages for a browser: each is XML, and each link leads somewhere' <<'E'
same '../site  3 decisions, 4 files' "$(ikm know site ../site)"
same '../one.html  3 decisions, 1 file' "$(ikm know site --single ../one.html)"
same '0001-postgresql-for-relational-data.html 0002-no-console-in-services.html 0003-queue.html index.html' \
	"$(ls ../site | xargs)"
if command -v xmllint >/dev/null; then xmllint --noout ../site/*.html ../one.html; fi
same '' "$(links ../site/*.html ../one.html)"
E

try 'nothing is loaded, and nothing of a decision is code' <<'E'
not grep -nE ' src=|url\(|<link|@import|<iframe|<b>|alert\(1\)<|javascript:' ../site/*.html ../one.html
same 1 "$(grep -c '<script>' ../one.html)"
grep -q '<h1><bdi>Use &quot;the queue&quot; &amp; 2 &lt; 3</bdi></h1>' ../site/0003-queue.html
page=../site/0003-queue.html
grep -q '<a href="0001-postgresql-for-relational-data.html">the first</a>' $page
grep -q '<a href="0001-postgresql-for-relational-data.html">picture</a>' $page
grep -q '<a href="https://example.org/q.png">alone</a> local' $page
grep -q ', gone and bad\.' $page
grep -q '<a href="#0001-postgresql-for-relational-data">the first</a>' ../one.html
E

try 'the index has status, findings, exceptions, successors and weeks' <<'E'
index=../site/index.html
same 'accepted superseded Exceptions' "$(grep -o '<h2>[a-zE][a-z]*</h2>' $index | sed 's/<[^>]*>//g' | xargs)"
grep -q '>PostgreSQL for relational data</bdi>.*<td class="n">1</td><td class="n">1</td></tr>$' $index
grep -q '>PostgreSQL for relational data</bdi>.*<td>enforced</td>' $index
grep -q '>Use &quot;the queue.*<td>prose</td>' $index
grep -q '>Services log.*<td></td>' $index
grep -q '<dt>held by</dt><dd>enforced</dd>' ../site/0001-*.html
not grep -q 'held by' ../site/0002-*.html
grep -q '<td>the &lt;old> shop</td><td>Ada</td><td>21 days left</td>' $index
grep -q '<text x="286" y="[0-9]*">Use &quot;the' $index
grep -q '<title>week from 2026-11-16: 1</title>' $index
grep -q 'Finds 1 place today: package.json:6' ../site/0001-*.html
grep -q '<dt>supersedes</dt><dd><a href="0002-no-console-in-services.html">' ../site/0003-queue.html
grep -q '<dt>replaced by</dt><dd><a href="0003-queue.html">' ../site/0002-*.html
E

try 'its own pages are replaced, no other file is' <<'E'
ikm know site ../site >/dev/null
mkdir ../mine; echo mine >../mine/index.html
fails_for EXISTS ikm know site ../mine 2>../err
grep -q "'.*/mine/index.html' is no page of 'ikm know site'" ../err
same mine "$(cat ../mine/index.html)"
same index.html "$(ls ../mine)"
fails_for MISSING_PARAMETER ikm know site
fails_for MISSING_PARAMETER ikm know site ../site --single ../one.html
E

try 'a hostile id is a safe file name, and no page is lost' <<'E'
git init -q ../h; cd ../h
mkdir -p .ikm docs/adr; cp ../r/.ikm/config.json .ikm
for id in index INDEX a_b 'a b' 'a+b' 'ä' "$(printf 'a\342\200\256b')"; do
	printf -- '---\nstatus: accepted\n---\n# \033[31m%s\n\nText \001.\n' "$id" >"docs/adr/$id.md"
done
n=$(ikm know list | wc -l)
ikm know site ../hs
same $((n + 1)) "$(ls ../hs | wc -l)"
same '' "$(ls ../hs | grep -v '^[A-Za-z0-9_-]*\.html$')"
if command -v xmllint >/dev/null; then xmllint --noout ../hs/*.html; fi
E

try 'a shallow clone says that the history is missing; outside a repository there is none' <<'E'
rm -rf ../shallow; git clone -q --depth 1 "file://$T/w/r" ../shallow; cd ../shallow
ikm know site ../s2 2>../err
not grep -q 'a week' ../s2/index.html
grep -q "^the history lacks 1 of 1 commits, .* see 'ikm check --verify HEAD'" ../err
cp -r ../r/docs ../plain; cd ../plain
ikm know site ../s3 --knowledge adr
not grep -q 'Finds' ../s3/*.html
E

done_testing
