/** Invitations over a store: clocks that are set back, repeats, and writes that fail in the middle. */
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { drawCode } from '../../../plugins/sync/remote/invitations/code.ts'
import { createInvitations, type InvitationUse } from '../../../plugins/sync/remote/invitations/invitations.ts'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { nativeSha256 } from '../../../plugins/sync/store-sqlite/native-sha256.ts'
import { storeParts } from '../../support/store-parts.ts'
import { createFolder, createSigner, START_MS } from './platforms.ts'

const test = suite('invitations')
const HOUR_MS = 3_600_000

function rig() {
  const clock = { nowMs: START_MS }
  const store = createFileStore({
    path: join(createFolder(), 'sync.db'),
    now: () => performance.now(),
    parts: storeParts,
  })
  const parts = { store, sha256: nativeSha256, now: () => clock.nowMs, uuid: randomUUID }
  const invitations = createInvitations(parts)
  const code = drawCode(randomBytes)
  const draft = { scopes: ['kbd-control:demo'], label: null, deviceSeconds: null, codeSeconds: 600 }
  const use = (over: Partial<InvitationUse> = {}): InvitationUse => ({
    code,
    publicKey: createSigner().publicKey,
    user: 'ada',
    ...over,
  })
  const state = async (): Promise<string | undefined> => (await invitations.list())[0]?.state
  return { clock, store, invitations, code, draft, use, state }
}

test('a code is void once the clock was set back, and stays void when the clock is right again', async () => {
  const { clock, store, invitations, code, draft, use, state } = rig()
  await invitations.create(code, draft)
  clock.nowMs += 60_000
  await invitations.settle()
  clock.nowMs -= 500
  assert.is(await state(), 'open', 'time services correct a clock by less than a second')
  clock.nowMs -= 59_000
  assert.is(await invitations.use(use()), undefined)
  clock.nowMs = START_MS + 61_000
  assert.is(await invitations.use(use()), undefined)
  assert.is(await state(), 'void')
  await store.close()
})

test('an expired code stays expired, whatever the clock says later', async () => {
  const { clock, store, invitations, code, draft, use } = rig()
  await invitations.create(code, draft)
  clock.nowMs += 600_000
  await invitations.settle()
  clock.nowMs = START_MS + 1_000
  assert.is(await invitations.use(use()), undefined)
  await store.close()
})

test('a repeat is answered for a day, writes no device, and is refused after the revocation', async () => {
  const { clock, store, invitations, code, draft, use } = rig()
  await invitations.create(code, draft)
  const mine = use()
  const made = await invitations.use(mine)
  assert.is(made?.isNew, true)
  clock.nowMs += 23 * HOUR_MS
  const again = await invitations.use(mine)
  assert.equal(again, { isNew: false, device: made!.device })
  assert.is(await invitations.use(use()), undefined, 'another key')
  clock.nowMs += 2 * HOUR_MS
  assert.is(await invitations.use(mine), undefined, 'after a day')
  assert.is((await store.read((ledger) => ledger.devices())).length, 1)
  await store.close()
})

test('of many uses at once, one enrols a device', async () => {
  const { store, invitations, code, draft, use } = rig()
  await invitations.create(code, draft)
  const done = await Promise.all(Array.from({ length: 20 }, () => invitations.use(use())))
  assert.is(done.filter((one) => one?.isNew === true).length, 1)
  assert.is((await store.read((ledger) => ledger.devices())).length, 1)
  await store.close()
})

test('a write that fails in the middle leaves neither a device nor a used code', async () => {
  const { store, invitations, code, draft, use, state } = rig()
  await invitations.create(code, draft)
  await store.write((ledger) =>
    ledger.driver.exec(
      "CREATE TRIGGER full BEFORE INSERT ON devices BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END",
    ),
  )
  assert.instance(await invitations.use(use()).catch((error: unknown) => error), Error)
  assert.is((await store.read((ledger) => ledger.devices())).length, 0)
  assert.is(await state(), 'open')
  await store.write((ledger) => ledger.driver.exec('DROP TRIGGER full'))
  assert.is((await invitations.use(use()))?.isNew, true)
  await store.close()
})

test.run()
