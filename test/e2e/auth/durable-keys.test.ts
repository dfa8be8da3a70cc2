/**
 * API keys of the shipped program. The program is killed while it creates keys, revokes keys and accepts pushes; every
 * acknowledged change must exist after the restart.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CONTRACT_SECRET, mint } from '../../../plugins/auth/contract-tokens.ts'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { distDir } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { type Child, startChild } from '../../support/child.ts'
import { countOf } from '../../support/count.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { createSigner, createServer as createSyncServer, type Signer, signed } from '../../unit/sync/platforms.ts'
import { pushOf, sendTo } from '../sync/daemon.ts'
import { isLostConnection } from '../sync/shipped.ts'

const program = join(distDir('server-full'), 'svc.mjs')
const unbuilt = existsSync(program) ? undefined : `${program} has not been built`
const ROUNDS = countOf({ quick: 3, deep: 50, variable: 'SVC_KEY_KILLS' })
/** The number of acknowledged changes per round before the kill. */
const CHANGES = 40
const CALLERS = 8

const test = suite('durable API keys')

interface Created {
  readonly key: string
  readonly record: { readonly id: string; readonly last_used_at_ms: number | null }
}

/** The changes that the service has acknowledged. */
interface Acknowledged {
  readonly live: Map<string, Created>
  readonly revoked: Map<string, Created>
  /** Receipts of pushes, by id. */
  readonly receipts: Map<string, string>
}

const stateOf = (folder: string): string => join(folder, 'state')
const socketOf = (folder: string): string => join(folder, 'run', 's.sock')

/** Starts the program with a state folder and fast hashes. */
async function start(folder: string, port: number, more: Readonly<Record<string, string>> = {}): Promise<Child> {
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', program],
    env: {
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      SVC_SERVER__PORT: String(port),
      SVC_STORAGE__DIR: join(folder, 'state'),
      SVC_SERVER__MODE: 'all',
      SVC_SYNC__SOCKET_PATH: socketOf(folder),
      SVC_SECURITY__JWT_SECRET: CONTRACT_SECRET,
      SVC_SECURITY__KEY_STORE: 'sqlite',
      SVC_SECURITY__ARGON2_MEMORY_KIB: '8',
      SVC_SECURITY__ARGON2_ITERATIONS: '1',
      ...more,
    },
  })
  await child.waitFor(new RegExp(`:${port}`))
  await child.waitFor(/"socket":"/)
  return child
}

const send = (port: number, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, init)
const useKey = async (port: number, key: string): Promise<number> =>
  (await send(port, '/no-such-path', { headers: { 'x-api-key': key } })).status

/**
 * Creates and revokes keys until the service is gone, and records the answered changes. `changed` is called after each
 * answer.
 */
async function change(port: number, sub: string, acknowledged: Acknowledged, changed: () => void): Promise<void> {
  const authorization = `Bearer ${await mint({ sub })}`
  try {
    for (let round = 0; ; round++) {
      const body = JSON.stringify({ name: `key ${round}` })
      const headers = { authorization, 'content-type': 'application/json' }
      const made = await send(port, '/api/svc/auth/keys', { method: 'POST', headers, body })
      assert.is(made.status, 201)
      const created = (await made.json()) as Created
      acknowledged.live.set(created.record.id, created)
      changed()
      if (round % 2 === 0) continue
      // The outcome of an unanswered revocation is unknown.
      acknowledged.live.delete(created.record.id)
      const path = `/api/svc/auth/keys/${created.record.id}`
      const gone = await send(port, path, { method: 'DELETE', headers: { authorization } })
      assert.is(gone.status, 204)
      acknowledged.revoked.set(created.record.id, created)
      changed()
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** Pushes until the service is gone, and records the answered receipts. */
async function push(folder: string, signer: Signer, { receipts }: Acknowledged): Promise<void> {
  try {
    for (;;) {
      const { status, text } = await sendTo(
        { socketPath: socketOf(folder) },
        pushOf(signed(signer, { issuedAtMs: Date.now() })),
      )
      assert.is(status, 201, text)
      receipts.set((JSON.parse(text) as { pushId: string }).pushId, text)
    }
  } catch (error) {
    if (!isLostConnection(error)) throw error
  }
}

testUnless(
  test,
  unbuilt,
  `killed under load ${ROUNDS} times: acknowledged keys are valid, revoked ones are not, and receipts are there`,
  async () => {
    const folder = folderWith()
    const acknowledged: Acknowledged = { live: new Map(), revoked: new Map(), receipts: new Map() }
    const port = await freePort()
    const alice = createSigner()
    const before = createSyncServer({ path: storagePath(stateOf(folder)) })
    await before.enrol(alice, ['kbd-control:demo'])
    await before.close()
    for (let round = 0; round < ROUNDS; round++) {
      const child = await start(folder, port)
      const earlier = { live: acknowledged.live.size, revoked: acknowledged.revoked.size }
      let remaining = CHANGES
      const changed = (): void => {
        if (--remaining === 0) child.kill('SIGKILL')
      }
      const callers = Array.from({ length: CALLERS }, (_, n) =>
        change(port, `user-${round}-${n}`, acknowledged, changed),
      )
      await Promise.all([...callers, push(folder, alice, acknowledged)])
      assert.is((await child.exited).signal, 'SIGKILL')
      assert.ok(acknowledged.live.size > earlier.live && acknowledged.revoked.size > earlier.revoked)
    }
    const child = await start(folder, port)
    for (const { key } of acknowledged.live.values()) assert.is(await useKey(port, key), 404)
    for (const { key } of acknowledged.revoked.values()) assert.is(await useKey(port, key), 401)
    assert.ok(acknowledged.receipts.size >= ROUNDS)
    for (const [id, text] of acknowledged.receipts) {
      const read = await sendTo({ socketPath: socketOf(folder) }, { path: `/api/v2/sync/pushes/${id}` })
      assert.equal([read.status, read.text], [200, text])
    }
    assert.is((await child.stop()).code, 0)

    // A normal stop writes the time of the last use of each key.
    const last = await start(folder, port)
    const authorization = `Bearer ${await mint({ sub: 'user-0-0' })}`
    const listed = (await (await send(port, '/api/svc/auth/keys', { headers: { authorization } })).json()) as {
      readonly keys: readonly Created['record'][]
    }
    for (const { id, last_used_at_ms } of listed.keys)
      assert.is(last_used_at_ms !== null, acknowledged.live.has(id), 'only valid keys have a last use')
    assert.is((await last.stop()).code, 0)

    const info = startChild(process.execPath, {
      args: ['--disable-warning=ExperimentalWarning', program, 'store', 'check'],
      env: { HOME: folder, SVC_STORAGE__DIR: stateOf(folder) },
    })
    assert.is((await info.exited).code, 0, info.err)
    assert.match(info.err, /^\d+ receipts, 1 device, \d+ API keys: nothing is damaged/)
  },
)

testUnless(test, unbuilt, 'keys in memory end with the process', async () => {
  const folder = folderWith()
  const port = await freePort()
  const acknowledged: Acknowledged = { live: new Map(), revoked: new Map(), receipts: new Map() }
  const child = await start(folder, port, { SVC_SECURITY__KEY_STORE: 'memory' })
  let remaining = 3
  await change(port, 'ada', acknowledged, () => {
    if (--remaining === 0) child.kill('SIGKILL')
  })
  const next = await start(folder, port, { SVC_SECURITY__KEY_STORE: 'memory' })
  for (const { key } of acknowledged.live.values()) assert.is(await useKey(port, key), 401)
  assert.is((await next.stop()).code, 0)
})

test.run()
