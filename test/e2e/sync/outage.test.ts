import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { freezeFiles, mountTmpfs, noFreeze, noTmpfs, resizeTmpfs, thawFiles, unmount } from '../../support/faults.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder, createServer, createSigner, signed } from '../../unit/sync/platforms.ts'
import { pushOf, type Reply, sendTo } from './daemon.ts'
import { startShipped, unbuilt, untilHealthy } from './shipped.ts'

const alice = createSigner()

interface Service {
  push(body: Uint8Array): Promise<Reply>
  get(path: string): Promise<Reply>
  /** Stops the service. Its exit code must be 0. */
  stop(): Promise<void>
}

const newPush = (): Uint8Array => signed(alice, { requestId: randomUUID(), issuedAtMs: Date.now() })

/** Starts the service with a state folder and one device. */
async function start(folder: string, state: string): Promise<Service> {
  const place = { folder, state, socketPath: join(folder, 'run', 's.sock') }
  const store = createServer({ path: storagePath(state) })
  await store.enrol(alice, ['kbd-control:demo'])
  await store.close()
  const child = startShipped(place)
  await untilHealthy(child, place)
  return {
    push: (body) => sendTo(place, pushOf(body)),
    get: (path) => sendTo(place, { path }),
    stop: async () => assert.is((await child.stop()).code, 0, child.err),
  }
}

function expectUnavailable(reply: Reply): void {
  assert.is(reply.status, 503, reply.text)
  assert.is(reply.json().error!.code, 'receipt_store_unavailable')
  assert.ok(Number(reply.headers['retry-after']) > 0)
}

/** Sends eight pushes at once until a push is refused, also alone. */
async function pushUntilRefused(service: Service): Promise<{ taken: Uint8Array[]; refused: Uint8Array }> {
  const taken: Uint8Array[] = []
  for (let round = 0; round < 2_000; round++) {
    let refused: Uint8Array | undefined
    const send = async (): Promise<void> => {
      const body = newPush()
      const reply = await service.push(body)
      if (reply.status === 201) taken.push(body)
      else {
        expectUnavailable(reply)
        refused = body
      }
    }
    await Promise.all(Array.from({ length: 8 }, send))
    if (refused === undefined) continue
    // Eight pushes in one commit need more room than one push. The disk is full only if a single push is refused too.
    const alone = await service.push(refused)
    if (alone.status !== 201) return { taken, refused }
    taken.push(refused)
  }
  throw new Error('no push was refused')
}

/** Checks that a refused push is accepted now, and that accepted pushes are replays. */
async function expectFullService(service: Service, taken: readonly Uint8Array[], refused: Uint8Array): Promise<void> {
  const after = await service.push(refused)
  assert.is(after.status, 201, after.text)
  assert.is((await service.push(newPush())).status, 201)
  for (const body of taken) assert.is((await service.push(body)).status, 200)
  assert.is((await service.get('/ready')).status, 200)
}

const fullDisk = async (): Promise<void> => {
  const folder = createFolder()
  const state = join(folder, 'state')
  mkdirSync(state)
  mountTmpfs(state, 1)
  try {
    const service = await start(folder, state)
    const { taken, refused } = await pushUntilRefused(service)
    assert.ok(taken.length > 0)
    const full = await service.push(refused)
    expectUnavailable(full)
    const { error } = JSON.parse(full.text) as { error: { reason?: string; message: string } }
    assert.is(error.reason, 'storage_full')
    assert.match(error.message, /disk .*is full/)
    assert.is((await service.push(taken[0]!)).status, 200, 'an accepted push can be read')
    assert.is((await service.get('/health')).status, 200)
    resizeTmpfs(state, 64)
    await expectFullService(service, taken, refused)
    await service.stop()
  } finally {
    unmount(state)
  }
}

const readOnly = async (): Promise<void> => {
  const folder = createFolder()
  const state = join(folder, 'state')
  const service = await start(folder, state)
  const taken = [newPush()]
  assert.is((await service.push(taken[0]!)).status, 201)
  const refused = newPush()
  const files = ['sync.db', 'sync.db-wal'].map((name) => join(state, name))
  freezeFiles(files)
  try {
    expectUnavailable(await service.push(refused))
    assert.is((await service.push(taken[0]!)).status, 200, 'an accepted push can be read')
  } finally {
    thawFiles(files)
  }
  await expectFullService(service, taken, refused)
  await service.stop()
}

const cases = [
  { fault: 'the disk runs full', work: fullDisk, missing: noTmpfs },
  { fault: 'the store becomes read-only', work: readOnly, missing: noFreeze },
]
for (const { fault, work, missing = unbuilt } of cases)
  testUnless(test, missing, `${fault} under the service: 503, and full service without a restart once it is over`, work)

test.run()
