/**
 * Pushes and boards on a database of the host whose process ends between any two statements. The files are as they were
 * then, with the journal of the transaction that was under way.
 */
import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { createBoards, type EmbeddedBoards } from '../../../plugins/kbd/engine/embedded-boards.ts'
import { createDeviceKey, type HeldDeviceKey, signCommand } from '../../../plugins/protocol/sign/index.ts'
import type { HostDatabase } from '../../../plugins/sync/store-host/database.ts'
import type { Embedded } from '../../../plugins/sync/store-sqljs/create-embedded.ts'
import { countOf } from '../../support/count.ts'
import { folderWith } from '../../support/folder.ts'
import { createHostRig, databaseOf, outcomeOf } from './host-rig.ts'
import { START_MS } from './platforms.ts'

/** The most ends of a process that a test tries, evenly over all statements. */
const CUTS = countOf({ quick: 24, deep: 10_000, variable: 'SVC_HOST_CUTS' })

/** The files of an app after a statement, and what was acknowledged by then. */
interface Cut {
  readonly folder: string
  readonly statement: string
  readonly pushes: readonly string[]
  readonly commands: readonly string[]
}

interface Opened {
  readonly engine: Embedded
  readonly boards: EmbeddedBoards
  readonly sqlite: DatabaseSync
  push(over: Readonly<Record<string, unknown>>): Uint8Array
}

/** A connection that calls a listener before and after each statement. */
function watched(sqlite: DatabaseSync, tell: (sql: string) => void): HostDatabase {
  return databaseOf(sqlite, ({ exec, run, all }) => {
    const around = <T>(sql: string, work: () => T): T => {
      tell(sql)
      const result = work()
      tell(sql)
      return result
    }
    return {
      exec: (sql) => around(sql, () => exec(sql)),
      run: (sql, params) => around(sql, () => run(sql, params)),
      all: (sql, params) => around(sql, () => all(sql, params)),
    }
  })
}

/** An app on the files of a folder, with a project that applies each push once. */
async function openApp(folder: string, journal: string, tell: (sql: string) => void = () => {}): Promise<Opened> {
  const sqlite = new DatabaseSync(join(folder, 'app.db'))
  sqlite.exec(
    `PRAGMA journal_mode = ${journal}; PRAGMA synchronous = OFF; CREATE TABLE IF NOT EXISTS applied (id TEXT)`,
  )
  const rig = createHostRig(() => ({
    apply: (_domain, { pushId }) => {
      if (sqlite.prepare('SELECT 1 FROM applied WHERE id = ?').get(pushId) !== undefined) return
      sqlite.prepare('INSERT INTO applied VALUES (?)').run(pushId)
    },
    frontier: () => null,
  }))
  rig.database = watched(sqlite, tell)
  const engine = await rig.start()
  return { engine, boards: createBoards(undefined, engine), sqlite, push: rig.push }
}

const [BOARD, COLUMN, CARD] = [randomUUID(), randomUUID(), randomUUID()]
const commands: readonly Command[] = [
  { type: 'board.create', boardId: BOARD, title: 'Release' },
  { type: 'column.create', columnId: COLUMN, boardId: BOARD, title: 'To do', rank: 'V' },
  { type: 'card.create', cardId: CARD, boardId: BOARD, columnId: COLUMN, title: 'Notes', rank: 'V' },
]

/** The bytes of the commands, each with the one before it as its past. */
async function signedCommands(key: HeldDeviceKey): Promise<{ id: string; body: Uint8Array }[]> {
  const signed: { id: string; body: Uint8Array }[] = []
  for (const command of commands) {
    const draft = { project: 'demo', command, parents: signed.slice(-1).map(({ id }) => id) }
    const envelope = await signCommand(key, draft, { now: () => START_MS })
    const folder = await openApp(folderWith(), 'MEMORY')
    for (const { body } of signed) await folder.boards.enter('demo', body)
    const body = new TextEncoder().encode(JSON.stringify(envelope))
    signed.push({ id: (await folder.boards.enter('demo', body)).id, body })
    await folder.engine.close()
    folder.sqlite.close()
  }
  return signed
}

for (const journal of ['DELETE', 'WAL'])
  test(`an app that ends between two statements has lost nothing that was acknowledged, and executes nothing twice (${journal})`, async () => {
    const signed = await signedCommands(await createDeviceKey())
    const folder = folderWith()
    const [pushed, entered]: [string[], string[]] = [[], []]
    const cuts: Cut[] = []
    /** The files are copied at statements of this distance; the first run counts them. */
    let every = 0
    let statements = 0
    const story = async (at: string): Promise<{ id: string; body: Uint8Array }[]> => {
      const app = await openApp(at, journal, (statement) => {
        if (every === 0 || statements++ % every !== 0) return void (every === 0 && statements++)
        const copy = folderWith()
        cpSync(at, copy, { recursive: true })
        cuts.push({ folder: copy, statement, pushes: [...pushed], commands: [...entered] })
      })
      const pushes = ['kbd-control:other', 'kbd-control:demo', 'kbd-control:demo'].map((domain) => {
        const id = randomUUID()
        return { id, body: app.push({ requestId: id, domain }) }
      })
      for (const [index, { id, body }] of pushes.entries()) {
        assert.is(await outcomeOf(app.engine.sync.submit(body)), '201')
        pushed.push(id)
        assert.is((await app.boards.enter('demo', signed[index]!.body)).status, 201)
        entered.push(signed[index]!.id)
      }
      await app.engine.close()
      app.sqlite.close()
      return pushes
    }
    await story(folderWith())
    every = Math.max(1, Math.floor(statements / CUTS))
    statements = 0
    pushed.length = 0
    entered.length = 0
    const pushes = await story(folder)
    assert.ok(cuts.length >= Math.min(CUTS, 20), `${cuts.length} ends`)
    for (const cut of cuts) await recovers(cut, journal, pushes, signed)
  })

async function recovers(
  { folder, statement, ...acknowledged }: Cut,
  journal: string,
  pushes: readonly { id: string; body: Uint8Array }[],
  signed: readonly { id: string; body: Uint8Array }[],
): Promise<void> {
  const { engine, boards, sqlite } = await openApp(folder, journal)
  for (const id of acknowledged.pushes)
    assert.is((await engine.sync.receipt(id)).localState, 'applied_locally', statement)
  const known = await boards.read(
    (reads) => reads.commands('demo', undefined, signed.length)?.commands.map(({ id }) => id) ?? [],
  )
  assert.equal(known.slice(0, acknowledged.commands.length), acknowledged.commands, statement)
  for (const { id, body } of pushes) {
    const status = await outcomeOf(engine.sync.submit(body))
    assert.ok(status === '200' || (status === '201' && !acknowledged.pushes.includes(id)), `${status} ${statement}`)
  }
  for (const { id, body } of signed) {
    const { status } = await boards.enter('demo', body)
    assert.is(status, known.includes(id) ? 200 : 201, statement)
  }
  const { most, all } = sqlite
    .prepare('SELECT max(n) AS most, count(*) AS "all" FROM (SELECT count(*) AS n FROM applied GROUP BY id)')
    .get() as { most: number; all: number }
  assert.equal([most, all <= pushes.length], [1, true], statement)
  assert.is((await boards.audit((chain) => chain.verify())).firstBad, null, statement)
  await engine.close()
  sqlite.close()
}

test.run()
