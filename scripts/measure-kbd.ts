/** Measures the fold of boards alone, in one process and in memory: ratios within one run. Node's own SQLite, no signatures. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import canonicalize from 'canonicalize'
import type { Command, CommandEnvelope } from '../plugins/kbd/api.ts'
import { createKbdLedger, type KbdLedger } from '../plugins/kbd/engine/ledger.ts'
import { type Codecs, defaultLimits, type SqlDriver } from '../plugins/kbd/engine/parts.ts'
import { createAuditChain } from '../plugins/sync/engine/audit-chain.ts'
import { boards } from '../plugins/sync/engine/store/migrations/3-boards.ts'

const START_MS = 1_793_491_200_000
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const canonicalText = (value: unknown): string => canonicalize(value)!
const codecs: Codecs = {
  sha256,
  canonicalText,
  toHex,
  toBase64: (bytes) => Buffer.from(bytes).toString('base64'),
  fromBase64: (text) => Buffer.from(text, 'base64'),
}
const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

interface Board {
  readonly ledger: KbdLedger
  readonly driver: SqlDriver
  /** Adds a command on parents; gives its id and how long the ledger took, in milliseconds. */
  add(command: Command, parents: readonly string[], device?: number): { readonly id: string; readonly ms: number }
  readonly base: string
}

/** A board with a column and some cards, in a database in memory. */
function open(cards: number): Board {
  const database = new DatabaseSync(':memory:')
  const driver: SqlDriver = {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      return {
        run: (...parameters) => void statement.run(...parameters),
        get: (...parameters) => statement.get(...parameters) as never,
        all: (...parameters) => statement.all(...parameters) as never,
      }
    },
  }
  driver.exec(boards)
  const audit = createAuditChain({ driver, ...codecs })
  const ledger = createKbdLedger({ driver, codecs, limits: defaultLimits, audit })
  let count = 0
  const add: Board['add'] = (command, parents, device = 1) => {
    const signed = {
      schemaVersion: '2' as const,
      commandId: uuid(1_000_000 + ++count),
      domain: 'kbd-control:demo',
      expectedFrontier: { heads: [...parents].sort() },
      concurrency: 'merge' as const,
      command,
      issuedAtMs: START_MS,
      signerKeyId: `ed25519:${toHex(sha256(new Uint8Array([device])))}`,
    }
    const envelope: CommandEnvelope = { ...signed, signature: `${'A'.repeat(86)}==` }
    const id = toHex(sha256(new TextEncoder().encode(canonicalText(signed))))
    const text = canonicalText(envelope)
    const from = performance.now()
    driver.exec('BEGIN')
    ledger.enter({ id, project: 'demo', envelope, text }, START_MS)
    driver.exec('COMMIT')
    return { id, ms: performance.now() - from }
  }
  let last = add({ type: 'board.create', boardId: uuid(1), title: 'Board' }, []).id
  last = add({ type: 'column.create', boardId: uuid(1), columnId: uuid(2), title: 'Column', rank: 'a' }, [last]).id
  for (let n = 0; n < cards; n++) last = add(createCard(n), [last]).id
  return { ledger, driver, add, base: last }
}

function createCard(n: number): Command {
  return {
    type: 'card.create',
    cardId: uuid(100 + n),
    boardId: uuid(1),
    columnId: uuid(2),
    rank: `a${(n + 1).toString(36).padStart(5, '0')}1`,
    title: `Card ${n} with a title of an ordinary length`,
    bodyHash: toHex(sha256(Buffer.from(String(n)))),
    priority: n % 5,
    assignee: `person-${n % 9}@example.org`,
  }
}

const edit = (n: number, text: string): Command => ({ type: 'card.update', cardId: uuid(100 + n), title: text })

function measureAppends(total: number): void {
  const { add, base } = open(200)
  const times: number[] = []
  let last = base
  for (let n = 0; n < total; n++) {
    const done = add(edit(n % 200, `Title ${n}`), [last])
    last = done.id
    times.push(done.ms)
  }
  const sum = (from: number): number => times.slice(from, from + 1_000).reduce((one, other) => one + other, 0)
  const [second, end] = [sum(1_000), sum(total - 1_000)]
  console.log(
    `${total} commands on one project: second 1 000 ${second.toFixed(1)} ms, last 1 000 ${end.toFixed(1)} ms, ratio ${(end / second).toFixed(2)}`,
  )
}

function measureDivergence(): void {
  const plain = open(200)
  let plainMs = 0
  let last = plain.base
  for (let n = 0; n < 1_000; n++) {
    const done = plain.add(edit(n % 200, `Plain ${n}`), [last])
    if (n >= 500) plainMs += done.ms
    last = done.id
  }
  const forked = open(200)
  let one = forked.base
  for (let n = 0; n < 500; n++) one = forked.add(edit(n % 200, `One ${n}`), [one]).id
  let other = forked.base
  let forkMs = 0
  for (let n = 0; n < 500; n++) {
    const done = forked.add(edit(n % 200, `Other ${n}`), [other], 2)
    other = done.id
    forkMs += done.ms
  }
  const conflicts = forked.ledger.conflictIds('demo').length
  const single = open(200)
  let tip = single.base
  for (let n = 0; n < 500; n++) tip = single.add(edit(n % 200, `One ${n}`), [tip]).id
  const late = single.add(edit(7, 'Late'), [single.base], 2).ms
  console.log(
    `500 commands onto a 500-deep divergence ${forkMs.toFixed(1)} ms (${conflicts} conflicts), 500 plain ones ${plainMs.toFixed(1)} ms; one onto it ${late.toFixed(2)} ms, ratio to 500 plain ${(late / plainMs).toFixed(4)}`,
  )
}

function measureSnapshot(): void {
  const { ledger } = open(2_000)
  const value = ledger.snapshot('demo')
  const rounds = Array.from({ length: 60 }, () => {
    let from = performance.now()
    const text = ledger.snapshotText('demo')
    const ours = performance.now() - from
    from = performance.now()
    const plain = JSON.stringify(value)
    if (plain.length !== text.length) throw new Error('The texts differ.')
    return [ours, performance.now() - from] as const
  }).slice(10)
  const median = (side: 0 | 1): number => rounds.map((round) => round[side]).sort((a, b) => a - b)[25]!
  console.log(
    `snapshot of 2 000 cards ${median(0).toFixed(2)} ms, JSON.stringify ${median(1).toFixed(2)} ms, ratio ${(median(0) / median(1)).toFixed(2)}`,
  )
}

measureAppends(20_000)
measureDivergence()
measureSnapshot()
