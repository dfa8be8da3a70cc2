/**
 * The next due delivery of a peer is found from the first receipt that may wait for the peer, without an index entry
 * for each envelope of each peer.
 */
import { DatabaseSync } from 'node:sqlite'
import { array, asyncProperty, assert as checked, constantFrom, integer, record } from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PeerTransport } from '../../../plugins/sync/api.ts'
import { outboxDue } from '../../../plugins/sync/engine/delivery/due.ts'
import type { OutboxRow } from '../../../plugins/sync/engine/store/api.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { createFolder, createServer, createSigner, START_MS, settleLoop, signed } from './platforms.ts'

const rows = array(
  record({
    receiptNo: integer({ min: 1, max: 40 }),
    endpointId: constantFrom('a', 'b', 'c'),
    attempts: constantFrom(0, 0, 1, 3),
    nextAttemptAtMs: integer({ min: 0, max: 20 }),
  }),
  { maxLength: 60 },
)

test('the due delivery is the same as with a scan of every row, however small the steps are', async () => {
  const server = createServer()
  await checked(
    asyncProperty(rows, integer({ min: 1, max: 41 }), integer({ min: 1, max: 5 }), async (given, from, limit) => {
      const all = new Map<string, OutboxRow>()
      for (const row of given) all.set(`${row.receiptNo} ${row.endpointId}`, { ...row, told: 0, toldCode: null })
      const mine = [...all.values()].filter(({ endpointId }) => endpointId === 'b')
      const fresh = mine
        .filter(({ attempts, receiptNo }) => attempts === 0 && receiptNo >= from)
        .sort((one, other) => one.receiptNo - other.receiptNo)[0]
      const triedAtMs = Math.min(
        ...mine.filter(({ attempts }) => attempts > 0).map(({ nextAttemptAtMs }) => nextAttemptAtMs),
      )
      const found = await server.store.write((ledger) => {
        ledger.rows('DELETE FROM outbox')
        ledger.putOutbox([...all.values()])
        let due = outboxDue(ledger, 'b', from, limit)
        for (let steps = 0; due.more; steps++) {
          assert.ok(steps < 50 && due.from > from)
          due = outboxDue(ledger, 'b', due.from, limit)
        }
        return due
      })
      assert.is(found.from, fresh?.receiptNo ?? Infinity)
      if (fresh !== undefined && !(triedAtMs < fresh.nextAttemptAtMs)) assert.equal(found.row, fresh)
      else assert.is(found.row?.nextAttemptAtMs ?? Infinity, triedAtMs)
    }),
  )
  await server.close()
})

test('after the clock is set back, a delivery with a time far ahead comes first', async () => {
  const server = createServer()
  const row = { endpointId: 'b', attempts: 1, told: 0, toldCode: null }
  const due = await server.store.write((ledger) => {
    ledger.rows('DELETE FROM outbox')
    ledger.putOutbox([
      { ...row, receiptNo: 1, nextAttemptAtMs: 90_000 },
      { ...row, receiptNo: 2, nextAttemptAtMs: 1_000 },
    ])
    return [outboxDue(ledger, 'b', Infinity, 5, 10_000), outboxDue(ledger, 'b', Infinity, 5, 90_000)]
  })
  assert.equal(
    due.map((one) => one.row?.receiptNo),
    [1, 2],
  )
  await server.close()
})

test('two envelopes of a peer are sent at once after a restart, even with many envelopes of other peers in between', async () => {
  const [busy, quiet] = [createSigner(), createSigner()]
  const path = `${createFolder()}/sync.db`
  const sent: string[] = []
  const transport = (hangs: boolean): PeerTransport => ({
    async deliver({ pushId }, endpointId) {
      if (hangs || endpointId === busy.hex) return new Promise(() => {})
      sent.push(pushId)
      return undefined
    },
  })
  const open = (hangs: boolean) => {
    const held = new HeldClock(START_MS)
    return createServer({ path, transport: transport(hangs), timers: held, now: held.now })
  }
  const alice = createSigner()
  const first = open(true)
  await first.enrol(alice, ['kbd-control:demo'])
  const pushTo = async (peers: readonly { readonly hex: string }[]): Promise<string> =>
    (await first.submit(signed(alice, { targetEndpointIds: peers.map(({ hex }) => hex) }))).receipt!.pushId
  const wanted = [await pushTo([busy, quiet])]
  for (let n = 0; n < 600; n++) await pushTo([busy])
  wanted.push(await pushTo([quiet, busy]))
  await settleLoop()
  assert.equal(sent, [])
  await first.close()

  const second = open(false)
  second.engine.start()
  for (let n = 0; n < 20; n++) await settleLoop()
  assert.equal(sent, wanted)
  await second.close()
})

test('an envelope that was never tried is not in the index of peers', async () => {
  const peers = Array.from({ length: 64 }, createSigner)
  const path = `${createFolder()}/sync.db`
  const held = new HeldClock(START_MS)
  const transport: PeerTransport = { deliver: () => new Promise(() => {}) }
  const server = createServer({ path, transport, timers: held, now: held.now })
  const alice = createSigner()
  await server.enrol(alice, ['kbd-control:demo'])
  await server.submit(signed(alice, { targetEndpointIds: peers.map(({ hex }) => hex) }))
  await server.close()
  const database = new DatabaseSync(path, { readOnly: true })
  const plan = database
    .prepare(
      'EXPLAIN QUERY PLAN SELECT 1 FROM outbox WHERE endpoint_id = ? AND attempts > 0 ORDER BY next_attempt_at_ms',
    )
    .all('a')
  assert.match(JSON.stringify(plan), 'outbox_again (endpoint_id=?)')
  assert.is(database.prepare('SELECT count(*) AS n FROM outbox').get()?.['n'], 64)
  assert.is(
    database.prepare('SELECT count(*) AS n FROM outbox INDEXED BY outbox_again WHERE attempts > 0').get()?.['n'],
    0,
  )
  database.close()
})

test.run()
