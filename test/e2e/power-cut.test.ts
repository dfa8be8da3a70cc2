/**
 * Simulates loss of power: the shipped program is killed while it creates and revokes API keys, appends to runs,
 * accepts pushes and accepts board commands at the same time. Every acknowledged write must exist after the next start.
 */
import { randomUUID, sign } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CONTRACT_SECRET, mint } from '../../plugins/auth/contract-tokens.ts'
import type { Project } from '../../plugins/kbd/api.ts'
import { signCommand } from '../../plugins/protocol/sign/index.ts'
import { storagePath } from '../../plugins/sync/store-sqlite/file-store.ts'
import { freePort } from '../../scripts/free-port.ts'
import { until } from '../../scripts/until.ts'
import { cheapHashes } from '../support/cheap-hashes.ts'
import { type Child, startChild } from '../support/child.ts'
import { countOf } from '../support/count.ts'
import { folderWith } from '../support/folder.ts'
import { readUntil } from '../support/read-until.ts'
import { testUnless } from '../support/skip.ts'
import { createSigner, createServer as createSyncServer, type Signer, signed } from '../unit/sync/platforms.ts'
import { pushOf, sendTo } from './sync/daemon.ts'
import { isLostConnection } from './sync/shipped.ts'
import { shippedProgram as program, unbuilt } from './telemetry/built-service.ts'

const ROUNDS = countOf({ quick: 4, deep: 50, variable: 'SVC_POWER_CUTS' })
/** The maximum number of acknowledged writes of one run of the program before the kill. */
const WRITES = 120
/** The number of writers of runs. Each writer has one run per round. */
const WRITERS = 6
const COMMANDS = '/api/v1/kbd/projects/demo/commands'

const test = suite('power cut')

/** The folder and the addresses of the program. */
interface Place {
  readonly folder: string
  readonly port: number
  readonly socketPath: string
}

/** The expected state of a run. */
interface KnownRun {
  readonly epoch: string
  /** The names of the acknowledged events, in order. */
  readonly names: string[]
  /** The names of an unanswered append. Either all of them exist, or none. */
  open: readonly string[]
}

/** The acknowledged writes. */
interface Acknowledged {
  readonly keys: string[]
  readonly revoked: string[]
  readonly runs: Map<string, KnownRun>
  /** Receipts by the id of their push. */
  readonly receipts: Map<string, string>
  readonly commands: Set<string>
}

async function start({ folder, port, socketPath }: Place, more: NodeJS.ProcessEnv = {}): Promise<Child> {
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', program],
    env: {
      HOME: folder,
      SVC_SERVER__PORT: String(port),
      SVC_STORAGE__DIR: join(folder, 'state'),
      SVC_SYNC__SOCKET_PATH: socketPath,
      SVC_SECURITY__JWT_SECRET: CONTRACT_SECRET,
      SVC_SECURITY__KEY_STORE: 'sqlite',
      ...cheapHashes,
      SVC_REALTIME__RUN_STORE: 'sqlite',
      // No run of an earlier round must end during the test.
      SVC_REALTIME__ORPHAN_AFTER_MS: '3600000',
      SVC_REALTIME__MAX_RUNNING_RUNS_PER_IDENTITY: '4096',
      ...more,
    },
  })
  await child.waitFor(new RegExp(`:${port}`))
  await child.waitFor(/"socket":"/)
  return child
}

/** A caller of the runtime surface. */
async function caller({ port }: Place): Promise<(path: string, body?: unknown) => Promise<Response>> {
  const headers = { authorization: `Bearer ${await mint({ sub: 'ada' })}`, 'content-type': 'application/json' }
  return (path, body) =>
    fetch(
      `http://127.0.0.1:${port}${path}`,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    )
}

/** Repeats a write until the service is gone. */
async function untilGone(write: () => Promise<void>): Promise<void> {
  try {
    for (;;) await write()
  } catch (error) {
    if (!(error instanceof TypeError) && !isLostConnection(error)) throw error
  }
}

/** Creates keys, and revokes every second one. */
async function changeKeys(place: Place, { keys, revoked }: Acknowledged, done: () => void): Promise<void> {
  const headers = { authorization: `Bearer ${await mint({ sub: 'ada' })}` }
  const send = await caller(place)
  await untilGone(async () => {
    const made = await send('/api/svc/auth/keys', { name: 'a key' })
    assert.is(made.status, 201)
    const { key, record } = (await made.json()) as { key: string; record: { id: string } }
    done()
    if (keys.length <= revoked.length) return void keys.push(key)
    // The outcome of an unanswered revocation is unknown.
    const path = `http://127.0.0.1:${place.port}/api/svc/auth/keys/${record.id}`
    assert.is((await fetch(path, { method: 'DELETE', headers })).status, 204)
    revoked.push(key)
    done()
  })
}

/** The status of a request to a path without a route: 404 if the key is valid. */
const useKey = async ({ port }: Place, key: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/no-such-path`, { headers: { 'x-api-key': key } })).status

async function appendToRun(place: Place, { runs }: Acknowledged, done: () => void): Promise<void> {
  const send = await caller(place)
  const run_id = randomUUID()
  const run: KnownRun = { epoch: '', names: [], open: [] }
  await untilGone(async () => {
    const made = await send('/api/svc/runs', { run_id })
    assert.is(made.status, 201)
    const known: KnownRun = { ...run, epoch: ((await made.json()) as { epoch: string }).epoch }
    runs.set(run_id, known)
    for (let n = 0; ; n++) {
      const names = n === 0 ? [] : Array.from({ length: 1 + (n % 3) }, (_, at) => `${n}.${at}`)
      const first = n === 0 ? [{ type: 'RUN_STARTED', threadId: 't', runId: run_id }] : []
      known.open = [...first.map(() => 'started'), ...names]
      const events = [...first, ...names.map((name) => ({ type: 'CUSTOM', name, value: 'x'.repeat(200) }))]
      const answer = await send(`/api/svc/runs/${run_id}/events`, events)
      assert.is(answer.status, 200)
      await answer.text()
      known.names.push(...known.open)
      known.open = []
      done()
    }
  })
}

async function push(
  { socketPath }: Place,
  signer: Signer,
  { receipts }: Acknowledged,
  done: () => void,
): Promise<void> {
  await untilGone(async () => {
    const { status, text } = await sendTo({ socketPath }, pushOf(signed(signer, { issuedAtMs: Date.now() })))
    assert.is(status, 201, text)
    receipts.set((JSON.parse(text) as { pushId: string }).pushId, text)
    done()
  })
}

async function changeBoard(
  { socketPath }: Place,
  signer: Signer,
  boardId: string,
  { commands }: Acknowledged,
  done: () => void,
): Promise<void> {
  const key = { ...signer, sign: (message: Uint8Array) => sign(null, message, signer.privateKey) }
  await untilGone(async () => {
    const { frontier } = (
      await sendTo({ socketPath }, { path: '/api/v1/kbd/projects/demo' })
    ).json() as unknown as Project
    const command =
      commands.size === 0
        ? { type: 'board.create' as const, boardId, title: 'Plans' }
        : { type: 'board.update' as const, boardId, title: `Plans ${commands.size}` }
    const envelope = await signCommand(key, { project: 'demo', command, parents: frontier?.heads ?? [] })
    const headers = { 'content-type': 'application/json' }
    const { status, text } = await sendTo(
      { socketPath },
      { method: 'POST', path: COMMANDS, headers, body: JSON.stringify(envelope) },
    )
    assert.is(status, 201, text)
    commands.add(envelope.commandId)
    done()
  })
}

/** The names of the events of a run, from its stream. */
async function namesOf(place: Place, run_id: string, epoch: string, count: number): Promise<string[]> {
  const send = await caller(place)
  const answer = await send(`/api/svc/runs/${run_id}/stream`)
  assert.is(answer.status, 200)
  const reader = answer.body!.getReader()
  const frames = (text: string): string[] => text.split('\n\n').filter((frame) => frame.includes('data: '))
  const read = await readUntil(reader, (text) => text.endsWith('\n\n') && frames(text).length >= count)
  await reader.cancel()
  return frames(read).map((frame, at) => {
    assert.match(frame, `id: ${epoch}-${at + 1}\n`)
    const event = JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as { type: string; name?: string }
    return event.name ?? 'started'
  })
}

async function checkAll(place: Place, { keys, revoked, runs, receipts, commands }: Acknowledged): Promise<void> {
  const send = await caller(place)
  for (const key of keys) assert.is(await useKey(place, key), 404, 'an acknowledged key is valid')
  for (const key of revoked) assert.is(await useKey(place, key), 401, 'a revoked key is not')
  for (const [run_id, { epoch, names, open }] of runs) {
    const answer = await send(`/api/svc/runs/${run_id}`)
    assert.is(answer.status, 200, `run ${run_id}`)
    const record = (await answer.json()) as { epoch: string; status: string; last_seq: number }
    assert.equal([record.epoch, record.status], [epoch, 'running'])
    const found = record.last_seq === 0 ? [] : await namesOf(place, run_id, epoch, record.last_seq)
    const expected = found.length === names.length ? names : [...names, ...open]
    assert.equal(found, expected, `run ${run_id}`)
  }
  for (const [id, text] of receipts) {
    const read = await sendTo(place, { path: `/api/v2/sync/pushes/${id}` })
    assert.equal([read.status, read.text], [200, text])
  }
  const stored = new Set<string>()
  for (let after = ''; ; ) {
    const page = (await sendTo(place, { path: `${COMMANDS}?limit=1000${after}` })).json() as {
      commands: { envelope: { commandId: string } }[]
      next: string | null
    }
    for (const { envelope } of page.commands) stored.add(envelope.commandId)
    if (page.next === null) break
    after = `&after=${page.next}`
  }
  for (const id of commands) assert.ok(stored.has(id), `command ${id}`)
}

/** Waits until the runs, whose processes died, have ended as failed, and checks that their streams say so. */
async function checkEnds(place: Place, { runs }: Acknowledged): Promise<void> {
  const send = await caller(place)
  for (const run_id of runs.keys()) {
    const status = async (): Promise<string> =>
      ((await (await send(`/api/svc/runs/${run_id}`)).json()) as { status: string }).status
    await until(`run ${run_id} ends`, async () => (await status()) !== 'running', 60_000)
    assert.is(await status(), 'failed')
    // The stream of a run that has ended ends too.
    const text = await (await send(`/api/svc/runs/${run_id}/stream`)).text()
    const last = text.trimEnd().split('\n\n').at(-1)!
    assert.match(last, /"type":"RUN_ERROR".*"code":"svc\.run\.orphaned"/)
  }
}

testUnless(
  test,
  unbuilt,
  `keys, runs, receipts and boards, killed under load ${ROUNDS} times: nothing acknowledged is missing`,
  async () => {
    const folder = folderWith()
    const place = { folder, port: await freePort(), socketPath: join(folder, 'run', 's.sock') }
    const acknowledged: Acknowledged = {
      keys: [],
      revoked: [],
      runs: new Map(),
      receipts: new Map(),
      commands: new Set(),
    }
    const alice = createSigner()
    const before = createSyncServer({ path: storagePath(join(folder, 'state')) })
    await before.enrol(alice, ['kbd-control:demo'])
    await before.close()
    const boardId = randomUUID()
    for (let round = 0; round < ROUNDS; round++) {
      const child = await start(place)
      let remaining = 1 + Math.floor(Math.random() * WRITES)
      const done = (): void => {
        if (--remaining === 0) child.kill('SIGKILL')
      }
      await Promise.all([
        changeKeys(place, acknowledged, done),
        ...Array.from({ length: WRITERS }, () => appendToRun(place, acknowledged, done)),
        push(place, alice, acknowledged, done),
        changeBoard(place, alice, boardId, acknowledged, done),
      ])
      assert.is((await child.exited).signal, 'SIGKILL')
    }
    const checked = await start(place)
    await checkAll(place, acknowledged)
    checked.kill('SIGKILL')
    await checked.exited
    const child = await start(place, { SVC_REALTIME__ORPHAN_AFTER_MS: '20' })
    await checkEnds(place, acknowledged)
    const { keys, revoked, runs, receipts, commands } = acknowledged
    for (const count of [keys.length, revoked.length, runs.size, receipts.size, commands.size]) assert.ok(count > 0)
    assert.is(await useKey(place, keys[0]!), 404)
    assert.is((await child.stop()).code, 0)

    // With keys in memory none of them is known. The store still has the last use of the key, because the stop wrote
    // it.
    const other = await start(place, { SVC_SECURITY__KEY_STORE: 'memory' })
    assert.is(await useKey(place, keys[0]!), 401)
    assert.is((await other.stop()).code, 0)
    const last = await start(place)
    const listed = (await (await (await caller(place))('/api/svc/auth/keys')).json()) as {
      keys: { id: string; last_used_at_ms: number | null }[]
    }
    const used = listed.keys.find(({ id }) => keys[0]!.startsWith(`svc_${id}`))
    assert.ok(used?.last_used_at_ms, JSON.stringify(used))
    assert.is((await last.stop()).code, 0)

    const check = startChild(process.execPath, {
      args: ['--disable-warning=ExperimentalWarning', program, 'store', 'check'],
      env: { HOME: folder, SVC_STORAGE__DIR: join(folder, 'state') },
    })
    assert.is((await check.exited).code, 0, check.err)
    for (const kind of ['receipts', 'API keys', 'runs', 'board'])
      assert.match(check.err, new RegExp(`\\d+ ${kind}\\b`), check.err)
    assert.match(check.err, 'nothing is damaged')
  },
)

test.run()
