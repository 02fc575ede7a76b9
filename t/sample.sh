#!/bin/sh
# Makes the sample of the demo and of the manual's examples: a small service, in Git, with a decision
# that forbids MySQL. Usage: sample.sh DIR
set -eu
mkdir -p "$1/docs/adr" "$1/.ikm" "$1/src"
cd "$1"
git init -q -b main
git config user.name >/dev/null || git config user.name 'Ada'
git config user.email >/dev/null || git config user.email 'ada@example.org'

cat >package.json <<'E'
{
  "name": "orders",
  "private": true,
  "dependencies": {
    "express": "^4.19.2",
    "pg": "^8.11.5"
  }
}
E
cat >src/server.js <<'E'
const express = require('express');
const { Pool } = require('pg');

const app = express();
const pool = new Pool();

app.get('/orders', async (request, response) => {
	const { rows } = await pool.query('select * from orders');
	response.json(rows);
});
app.listen(8080);
E
cat >docs/adr/0001-postgresql-for-relational-data.md <<'E'
---
status: accepted
date: 2026-03-02
tags: [database, infrastructure]
constraints:
  - operator: must_not_use
    target: dependency
    pattern: mysql2?|mariadb|PyMySQL|mysqlclient|github.com/go-sql-driver/mysql
    severity: block
    message: New services do not use MySQL; one team runs PostgreSQL for all of us.
    useInstead: pg
---
# PostgreSQL for relational data

## Context and Problem Statement

Two database servers mean two backups, two upgrades and two sets of people who can be woken at night.

## Decision Outcome

Every service that needs relational data uses PostgreSQL.
E
cat >docs/adr/0002-no-console-in-services.md <<'E'
---
status: accepted
date: 2026-04-18
tags: [logging]
---
# Services log through the logger

## Context and Problem Statement

What is printed with the console has no level, no request id and no place in the log search.

## Decision Outcome

Services log through the logger that the platform gives them.

## Constraints

```yaml
- operator: must_not_use
  target: code
  pattern: '\bconsole\.(log|error|warn)\('
  appliesTo: ["src/**/*.js"]
  severity: warn
  message: Log through the logger, so that the line can be found again.
  useInstead: request.log
```
E
cat >.ikm/config.json <<'E'
{
  "knowledge": {
    "sources": [{"path": "docs/adr", "layer": "project"}]
  }
}
E
git add -A
git commit -q -m 'orders: a service and its decisions'
