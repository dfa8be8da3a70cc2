/** The tables of docs/cluster.md about appends, access, upgrades, restores and readiness: a test verifies each row. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'

const test = suite('docs/cluster.md: tables')

/** A file below `test/`, and how the name of its test begins. */
type Kept = readonly [file: string, test: string]

const access: Kept = ['e2e/cluster/access.test.ts', 'a node connects over TLS with a private authority']
const signIn: Kept = ['e2e/cluster/access.test.ts', 'a node logs in with a user, a token, an nkey or a .creds file']
const sslmode: Kept = ['e2e/cluster/postgres-access.test.ts', 'a server is verified according to sslmode']
const upgrade: Kept = ['e2e/cluster/upgrade.test.ts', 'during an upgrade and the way back under load no call fails']
const restore: Kept = ['e2e/cluster/backup.test.ts', 'a restore brings back the keys and runs of the backup']

/** The tables by their head row. Each row, by its first cell, has the test that verifies it; undefined if it promises nothing. */
const tables: Readonly<Record<string, Readonly<Record<string, Kept | undefined>>>> = {
  '| answer to an append | meaning |': {
    '200': ['e2e/cluster/runs.test.ts', 'when two clients append through two nodes at once'],
    '503 `overloaded`, with `Retry-After`': ['e2e/cluster/runs.test.ts', 'after kill -9 of NATS'],
    '504 `append_unknown`, or a broken connection': [
      'e2e/cluster/runs.test.ts',
      'a batch with a lost acknowledgement is in the run once',
    ],
  },
  '| setting | what it is for |': {
    '`cluster.nats_url`': signIn,
    '`cluster.nats_ca_file`': access,
    '`cluster.nats_cert_file`, `cluster.nats_key_file`': access,
    '`cluster.nats_creds_file`': signIn,
    '`cluster.nats_nkey_file`': signIn,
  },
  '| parameter | what it does |': {
    '`sslmode=verify-full`': sslmode,
    '`sslmode=verify-ca`': sslmode,
    '`sslmode=require`, `prefer`, `allow`': [
      'unit/cluster/postgres-settings.test.ts',
      'a node that verifies nobody says so in its log',
    ],
    '`sslrootcert=/path`': sslmode,
    '`sslcert=/path`, `sslkey=/path`': [
      'e2e/cluster/postgres-access.test.ts',
      'a node presents its client certificate',
    ],
  },
  '| what the versions share | rule |': {
    'tables of PostgreSQL': upgrade,
    'messages of NATS': ['e2e/cluster/old-nodes.test.ts', 'a run that either makes is written, read, shortened'],
    'settings of the streams': [
      'e2e/cluster/jetstream.test.ts',
      'settings of a stream by an operator or a later version',
    ],
  },
  '| after a restore | |': {
    keys: restore,
    tokens: restore,
    runs: restore,
    'boards, receipts, devices': undefined,
  },
  '| row | fails while |': {
    '`nats`': ['unit/cluster/nats-readiness.test.ts', 'NATS away is reported at once'],
    '`run_appends`': ['unit/cluster/nats-readiness.test.ts', 'a NATS that is connected and frozen fails run_appends'],
  },
}

/** What is said outside of tables. */
const sentences: Readonly<Record<string, Kept>> = {
  'A node reads the files again at each connection': [
    'e2e/cluster/access.test.ts',
    'certificates that are replaced are used at the next connection',
  ],
  'Refused at the start with exit code 78': ['e2e/cluster/start.test.ts', 'addresses of two schemes end the start'],
  'The user of the nodes needs these rights and no others': [
    'e2e/cluster/access.test.ts',
    'the rights that docs/cluster.md lists are enough',
  ],
  'A node that finds a later schema': ['e2e/cluster/roles.test.ts', 'nodes work with a later schema'],
  'The counters and the histogram are there from the start of a node': [
    'e2e/cluster/start.test.ts',
    'a node that starts while both engines are away',
  ],
  'if it is silent for 30 s, another node takes over': [
    'e2e/cluster/jetstream.test.ts',
    'the lease passes to one of the others',
  ],
  'kills a process every ten seconds': [
    'e2e/cluster/chaos.test.ts',
    'after kills of a node, the leader, PostgreSQL and another server',
  ],
}

const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8')

function check(what: string, [file, name]: Kept): void {
  assert.ok(readFileSync(join(root, 'test', file), 'utf8').includes(`'${name}`), `${what}: ${file}: ${name}`)
}

for (const [head, rows] of Object.entries(tables))
  test(`each row is kept by a test: ${head}`, () => {
    const [, after] = page.split(`\n${head}\n`)
    assert.ok(after !== undefined, 'the table is there')
    const [body] = after!.split('\n\n')
    const found = body!.split('\n').slice(1)
    assert.equal(
      found.map((row) => row.split(' | ')[0]!.slice(2)),
      Object.keys(rows),
    )
    for (const [row, kept] of Object.entries(rows)) if (kept !== undefined) check(row, kept)
  })

test('what is said outside of tables is kept by tests', () => {
  for (const [sentence, kept] of Object.entries(sentences)) {
    assert.ok(page.includes(sentence), sentence)
    check(sentence, kept)
  }
})

test.run()
